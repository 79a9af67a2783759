"""docs/service.md is run as it stands there: nginx with its configuration over a served library, units by systemd."""

from __future__ import annotations

import os
import re
import shutil
import socket
import ssl
import subprocess
import time
from pathlib import Path

import httpx2 as httpx
import pytest

from openseer.core.settings import Settings
from openseer.evaluation.samples import gold
from tests.acquire.made_archives import packed
from tests.browser import served

PAGE = (Path(__file__).parents[2] / "docs" / "service.md").read_text(encoding="utf-8")
NGINX, OPENSSL, ANALYZE = (
    shutil.which(name, path="/usr/sbin:/usr/bin:/sbin:/bin") for name in ("nginx", "openssl", "systemd-analyze")
)


def block(language: str, number: int = 0) -> str:
    blocks: list[str] = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    return blocks[number]


def free_port() -> int:
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        return int(door.getsockname()[1])


def configured(folder: Path, upstream: str, port: int) -> Path:
    """The configuration of the page; only ports, names and folders of this machine are put in."""
    changed = {
        "server 127.0.0.1:8000;": f"server {upstream};",
        "listen 80;": f"listen 127.0.0.1:{free_port()};",
        "listen 443 ssl http2;": f"listen 127.0.0.1:{port} ssl http2;",
        "/etc/letsencrypt/live/library.example.org/fullchain.pem": f"{folder}/cert.pem",
        "/etc/letsencrypt/live/library.example.org/privkey.pem": f"{folder}/key.pem",
        "/var/cache/nginx/openseer": f"{folder}/cache",
    }
    site = block("nginx")
    for old, new in changed.items():
        assert old in site
        site = site.replace(old, new)
    temporary = "".join(
        f"{name}_temp_path {folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    user = "user root;" if os.geteuid() == 0 else ""  # else its workers may not enter the folders of tests
    main = f"{user} daemon off; pid {folder}/pid; error_log {folder}/error.log; events {{}}\n"
    main += f"http {{ access_log off; {temporary}\n{site}}}\n"
    (folder / "nginx.conf").write_text(main)
    return folder / "nginx.conf"


@pytest.fixture
def proxied(data, tmp_path):
    """The address of a library behind nginx, with a certificate of its own."""
    if not NGINX or not OPENSSL:
        pytest.skip("nginx or openssl is not installed: apt install nginx-light openssl")
    folder = tmp_path / "nginx"
    folder.mkdir()
    subprocess.run(
        [OPENSSL, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost",
         "-addext", "subjectAltName=DNS:localhost", "-keyout", folder / "key.pem", "-out", folder / "cert.pem"],
        check=True, capture_output=True,
    )  # fmt: skip
    port = free_port()
    with served(data, {"OPENSEER_WEB__UPLOAD_KEY": "key"}) as address:
        config = configured(folder, address.removeprefix("http://"), port)
        subprocess.run([NGINX, "-t", "-c", config], check=True, capture_output=True)
        process = subprocess.Popen([NGINX, "-c", config], stderr=subprocess.DEVNULL)
        try:
            trusted = ssl.create_default_context(cafile=str(folder / "cert.pem"))
            with httpx.Client(base_url=f"https://localhost:{port}", verify=trusted) as client:
                wait_for(client)
                yield client
        finally:
            process.terminate()
            process.wait(10)


def wait_for(client):
    until = time.monotonic() + 20
    while True:
        try:
            client.get("/healthz")
        except httpx.ConnectError:
            assert time.monotonic() < until
            time.sleep(0.05)
        else:
            return


def test_the_site_answers_behind_nginx_as_the_page_sets_it_up(proxied, sample_papers):
    html = proxied.get("/search", params={"q": gold("paper-rank")["title"]}, headers={"accept": "text/html"})
    assert html.status_code == 200
    assert "strict-transport-security" in html.headers
    assert f"<loc>{proxied.base_url}".rstrip("/") in proxied.get("/sitemap.xml").text, "addresses are those outside"
    style = re.search(r"/static/openseer.css\?v=\w+", html.text)
    assert style
    assert "immutable" in proxied.get(style[0]).headers["cache-control"]
    given = packed([("one.pdf", (sample_papers / "paper-rank.pdf").read_bytes()), ("two.txt", b"x" * 2_000_000)])
    answer = proxied.post("/api/document", files={"file": ("few.zip", given)}, headers={"X-Upload-Key": "key"})
    assert answer.status_code == 202, "files above nginx's usual limit of a megabyte go through"
    with proxied.stream("GET", f"/submit/events/{answer.json()['job']}") as events:
        assert events.headers["content-type"].startswith("text/event-stream")
        assert next(events.iter_lines()).startswith("data: ")


def test_every_proxied_location_limits_requests():
    locations = re.findall(r"location (\S+(?: \S+)?) \{(.*?)\n    \}", block("nginx"), re.DOTALL)
    proxied = {name: rules for name, rules in locations if "proxy_pass" in rules}
    assert len(proxied) >= 4
    for name, rules in proxied.items():
        assert "limit_req " in rules or name == "/static/", name


@pytest.mark.parametrize("number", [0, 1])
def test_systemd_finds_no_fault_in_the_units(tmp_path, number):
    if not ANALYZE:
        pytest.skip("systemd-analyze is not installed")
    unit = tmp_path / f"openseer-{number}.service"
    unit.write_text(block("ini", number).replace("/opt/openseer/.venv/bin/openseer", "/bin/true"))
    found = subprocess.run([ANALYZE, "verify", "--man=no", unit], capture_output=True, text=True, check=False)
    assert f"openseer-{number}" not in found.stderr, found.stderr
    assert found.returncode == 0, found.stderr


def test_the_timer_and_the_settings_are_right(tmp_path):
    timer = block("ini", 2)
    assert "OnCalendar=" in timer
    settings = tmp_path / "openseer.toml"
    settings.write_text(block("toml"))

    assert Settings.load(settings, {}).web.host == "127.0.0.1"
