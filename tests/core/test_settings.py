"""Settings: priority, refusal of what is wrong, and where each came from."""

from __future__ import annotations

import json

import pytest

from openseer.core.errors import BadSetting
from openseer.core.settings import OLD_NAMES, Settings, known_names, without_password


@pytest.fixture
def file(tmp_path):
    return tmp_path / "openseer.toml"


def test_default_then_file_then_environment(file):
    file.write_text("[web]\nport = 8100\npage_size = 20\n")
    settings, origins = Settings.with_origins(
        file, {"OPENSEER_WEB__PORT": "8200", "PATH": "/bin", "OPENSEER_DATA": "x"}
    )
    assert (settings.web.port, settings.web.page_size, settings.web.host) == (8200, 20, "127.0.0.1")
    assert origins == {"web.port": "OPENSEER_WEB__PORT", "web.page_size": "openseer.toml"}


def test_without_a_file_all_is_default(file):
    assert Settings.load(file, {}) == Settings()


@pytest.mark.parametrize(
    ("text", "environ", "message", "hint"),
    [
        ("[web]\nprot = 1\n", {}, "no setting `web.prot` (from openseer.toml)", "Did you mean `web.port`?"),
        ("", {"OPENSEER_WEB__PROT": "1"}, "no setting `web.prot` (from OPENSEER_WEB__PROT)", "web.port"),
        ("", {"OPENSEER_NONSENSE": "1"}, "no setting `nonsense`", "openseer config"),
        ("[web]\nport = 'many'\n", {}, "`web.port` = 'many' (from openseer.toml) is wrong", "openseer config"),
        ("", {"OPENSEER_WORKERS__TIMEOUT": "-1"}, "`workers.timeout` = '-1' (from OPENSEER_WORKERS__TIMEOUT)", ""),
        ("[web\n", {}, "openseer.toml is not valid TOML", "Mend"),
        ("web = 3\n", {}, "no setting `web`", ""),
        ("web = 3\n", {"OPENSEER_WEB__PORT": "1"}, "no setting `web`", ""),
    ],
)
def test_what_is_wrong_is_refused_by_name(file, text, environ, message, hint):
    file.write_text(text)
    with pytest.raises(BadSetting) as caught:
        Settings.load(file, environ)
    assert message in str(caught.value)
    assert hint in caught.value.hint


def test_a_settings_file_that_cannot_be_read_is_told(tmp_path):
    (tmp_path / "openseer.toml").mkdir()
    with pytest.raises(BadSetting, match="cannot be read"):
        Settings.load(tmp_path / "openseer.toml", {})


def test_every_setting_has_words_for_people():
    sections = {name: type(section) for name, section in Settings()}
    for name in known_names():
        section, key = name.split(".")
        assert sections[section].model_fields[key].description, f"{name} is not explained"


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("postgresql://me@host/db", "postgresql://me@host/db"),
        ("postgresql://me:secret@host:5432/db", "postgresql://me@host:5432/db"),
        ("postgresql://me:sec@ret@host/db", "postgresql://me@host/db"),
        ("postgres://me:sec:ret?@a,b/db?x=1", "postgres://me@a,b/db?x=1"),
        ("postgresql:///db?host=/run&password=secret&user=me", "postgresql:///db?host=/run&password=...&user=me"),
        ("host=h password=secret user=me", "host=h password=... user=me"),
        ("Papers of 10:30 @ noon", "Papers of 10:30 @ noon"),
    ],
)
def test_a_password_is_never_shown(address, shown):
    assert without_password(address) == shown


def test_settings_are_shown_without_passwords_also_when_they_are_refused(file):
    file.write_text('[records]\nurl = "postgresql://me:secret@host/db"\n')
    settings = Settings.load(file, {})
    assert settings.records.url == "postgresql://me:secret@host/db"
    assert dict(settings.rows())["records.url"] == "postgresql://me@host/db"
    with pytest.raises(BadSetting, match=r"`records[.]url`") as caught:
        Settings.load(file, {"OPENSEER_RECORDS__ADDRESS": "mysql://me:secret@host/db"})
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(("old", "new"), OLD_NAMES.items())
def test_former_names_of_settings_still_work(file, old, new):
    assert new in dict(Settings().rows())
    value: object = {"records.url": "postgresql://host/db", "index.embeddings": False}.get(new, 1)
    shown = json.dumps(value)
    section, key = old.split(".")
    file.write_text(f"[{section}]\n{key} = {shown}\n")
    settings, origins = Settings.with_origins(file, {})
    assert origins == {new: "openseer.toml"}
    assert dict(settings.rows())[new] == value
    environ = {f"OPENSEER_{section}__{key}".upper(): str(value)}
    assert Settings.with_origins(file, environ)[1] == {new: next(iter(environ))}


def test_the_upload_key_is_never_shown(tmp_path):
    settings = Settings.load(tmp_path / "none", {"OPENSEER_WEB__UPLOAD_KEY": "a-secret"})
    assert dict(settings.rows())["web.upload_key"] == "..."
    assert "a-secret" not in repr(settings)
    assert settings.web.upload_key == "a-secret"


def test_lists_are_separated_by_commas_in_the_environment(tmp_path):
    (tmp_path / "openseer.toml").write_text('[web]\nhosts = ["a.example", "b.example"]\n')
    environ = {"OPENSEER_WEB__CROSS_ORIGIN": "https://a.example, https://b.example,"}
    web = Settings.load(tmp_path / "openseer.toml", environ).web
    assert web.hosts == ("a.example", "b.example")
    assert web.cross_origin == ("https://a.example", "https://b.example")
