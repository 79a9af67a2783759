"""One frozen Settings object: default < openseer.toml < environment."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import reduce
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, PositiveInt, ValidationError

from openseer.core.errors import BadSetting

PREFIX = "OPENSEER_"
NOT_SETTINGS = ("OPENSEER_DATA",)
"""Names the data directory itself, so it cannot stand inside it."""


ADDRESS_SCHEMES = ("postgresql://", "postgres://")
"""How the address of a database server begins."""


class Section(BaseModel):
    """A group of settings: frozen, and a misspelt name is refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class Site(Section):
    """How the library presents itself."""

    name: str = "openseer"
    """Shown in the head of every page."""
    tagline: str = "Search the papers of this library"
    """Shown under the name on the home page."""


class Web(Section):
    """The web server."""

    host: str = "127.0.0.1"
    """Address to listen on; put a reverse proxy in front before you open it to others."""
    port: int = Field(default=8000, ge=1, le=65535)
    """Port to listen on."""
    page_size: int = Field(default=10, ge=1, le=100)
    """Results on a page when the reader does not say."""
    workers: int = Field(default=0, ge=0, le=64)
    """Processes that answer; 0 = one for each core, eight at the most."""
    allow_upload: bool = False
    """Whether everybody may give papers to the library."""
    upload_key: str = ""
    """Who sends this as X-Upload-Key may do so in any case."""
    kept_answers: int = Field(default=256, ge=0, le=100_000)
    """Answers to searches that are remembered while the index does not change; 0 = none."""


class Acquire(Section):
    """What is fetched and unpacked for those who add papers."""

    allow_private: bool = False
    """Whether addresses of this machine and of the local network may be fetched."""
    fetch_timeout: float = Field(default=60.0, gt=0, le=3600)
    """Seconds that fetching one address may take."""
    archive_members: PositiveInt = 1000
    """Files that one archive may hold."""
    archive_bytes: PositiveInt = 1_000_000_000
    """Bytes that one archive may hold, unpacked."""


class Extract(Section):
    """What is read and what is refused."""

    min_words: int = Field(default=100, ge=0)
    """A document with fewer words is rejected as too_short."""
    filter: Literal["model", "simple", "none"] = "model"
    """Who rejects as not_academic: the model; simple rules (2 to 50 pages, upright) before reading; nobody."""
    min_academic: float = Field(default=0.05, ge=0, le=1)
    """With the model: a document that is less likely to be scholarly is rejected; 0 takes everything."""
    max_bytes: PositiveInt = 200_000_000
    """A larger file is rejected as too_large."""


class Workers(Section):
    """The processes that read files."""

    count: int = Field(default=0, ge=0)
    """How many; 0 = one for each core."""
    timeout: float = Field(default=60.0, gt=0, le=86_400)
    """Seconds that reading one document may take."""
    memory_mb: int = Field(default=600, ge=100)
    """Resident memory that reading one document may take."""


class Records(Section):
    """Where the records are kept."""

    address: str = Field(default="", pattern=f"^(({'|'.join(ADDRESS_SCHEMES)}).*)?$")
    """A PostgreSQL database, postgresql://user@host:port/database; empty: the file library.db in the data directory."""


class Ingest(Section):
    """Taking documents into the library."""

    batch: int = Field(default=16, ge=1, le=1000)
    """Documents written in one transaction."""
    long_pages: int = Field(default=100, ge=1)
    """Documents with more pages are read after the others."""
    attempts: int = Field(default=3, ge=1, le=100)
    """How often a document is read that fails by time, memory or a crash, before it is put into quarantine."""
    retry_after: float = Field(default=60.0, ge=0, le=86_400)
    """Seconds before it is read again; four times as long after each further failure."""
    lock_wait: float = Field(default=30.0, gt=0, le=86_400)
    """Seconds to wait for another process that is writing."""


class Index(Section):
    """The search index."""

    heap_mb: int = Field(default=64, ge=15, le=4000)
    """Memory of the index writer."""
    meaning: bool = True
    """Whether meaning counts beside words, where its model is installed (`make meaning`)."""
    count_lag: float = Field(default=600.0, ge=0, le=86_400)
    """Seconds within which changed citation counts reach the index while other changes wait."""


class Search(Section):
    """Answering questions."""

    click_log: bool = True
    """Whether it is noted, without saying who, which works are opened for which words (for `train-ranker`)."""


class Settings(Section):
    """Everything that can be set. `OPENSEER_WEB__PORT=8100` is `web.port`."""

    site: Site = Site()
    web: Web = Web()
    acquire: Acquire = Acquire()
    extract: Extract = Extract()
    workers: Workers = Workers()
    records: Records = Records()
    ingest: Ingest = Ingest()
    index: Index = Index()
    search: Search = Search()

    @classmethod
    def load(cls, file: Path, environ: Mapping[str, str]) -> Settings:
        """The settings in force for a data directory's file and an environment."""
        return cls.with_origins(file, environ)[0]

    @classmethod
    def with_origins(cls, file: Path, environ: Mapping[str, str]) -> tuple[Settings, dict[str, str]]:
        """The settings, and for each name that is not a default where its value came from."""
        values = _of_file(file)
        origins = dict.fromkeys(_leaves(values), file.name)
        for name, value in environ.items():
            if name.startswith(PREFIX) and name not in NOT_SETTINGS:
                *parts, key = name.removeprefix(PREFIX).lower().split("__")
                _place(values, parts, key, value)
                origins[".".join([*parts, key])] = name
        _refuse_unknown(values, origins)
        try:
            return cls.model_validate(values), origins
        except ValidationError as error:
            raise _as_bad_setting(error, origins) from None

    def rows(self) -> Iterator[tuple[str, Any]]:
        """Every setting by its dotted name, to be shown: passwords are left out."""
        for name, value in _leaves(self.model_dump()).items():
            yield name, without_password(value) if isinstance(value, str) else value


def known_names() -> list[str]:
    """The dotted names of all settings."""
    return [name for name, _ in Settings().rows()]


def without_password(address: str) -> str:
    """An address as it may be shown; `postgresql://me:secret@host/db` becomes `postgresql://me@host/db`."""
    bare = re.sub(r"(://[^:@/?]*):.*@", r"\1@", address)  # greedy: a stray @ must not let half of a password out
    return re.sub(r"\b((?:ssl)?password=)[^&\s]*", r"\1...", bare)


def _of_file(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except tomllib.TOMLDecodeError as error:
        raise BadSetting(f"{file.name} is not valid TOML: {error}.", f"Mend {file}.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise BadSetting(f"{file.name} cannot be read: {error}.", f"Check {file}.") from None


def _place(values: dict[str, Any], parts: list[str], key: str, value: str) -> None:
    target = reduce(lambda at, part: at.setdefault(part, {}) if isinstance(at, dict) else {}, parts, values)
    if isinstance(target, dict):
        target[key] = value


def _leaves(values: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in values.items():
        if isinstance(value, Mapping):
            flat |= _leaves(value, f"{prefix}{name}.")
        else:
            flat[f"{prefix}{name}"] = value
    return flat


def _refuse_unknown(values: Mapping[str, Any], origins: Mapping[str, str]) -> None:
    known = known_names()
    for name in _leaves(values):
        if name not in known:
            close = difflib.get_close_matches(name, known, n=1)
            hint = f"Did you mean `{close[0]}`?" if close else BadSetting.hint
            raise BadSetting(f"There is no setting `{name}` (from {origins.get(name, 'openseer.toml')}).", hint)


def _as_bad_setting(error: ValidationError, origins: Mapping[str, str]) -> BadSetting:
    first = error.errors()[0]
    name = ".".join(map(str, first["loc"]))
    origin = origins.get(name, "openseer.toml")
    shown = without_password(first["input"]) if isinstance(first["input"], str) else first["input"]
    return BadSetting(f"`{name}` = {shown!r} (from {origin}) is wrong: {first['msg'].lower()}.")
