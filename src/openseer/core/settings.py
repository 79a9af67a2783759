"""One frozen Settings object: default < openseer.toml < environment."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import reduce
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PositiveInt, ValidationError

from openseer.core.errors import BadSetting

PREFIX = "OPENSEER_"
NOT_SETTINGS = ("OPENSEER_DATA",)
"""Names the data directory, so it is no setting of the file inside it."""


DATABASE_SCHEMES = ("postgresql://", "postgres://")
"""URL schemes of a database server."""


OLD_NAMES = {
    "web.kept_answers": "web.result_cache_size",
    "extract.min_academic": "extract.min_scholarly",
    "records.address": "records.url",
    "ingest.long_pages": "ingest.low_priority_pages",
    "ingest.lock_wait": "ingest.lock_timeout",
    "index.meaning": "index.embeddings",
}
"""Former names of settings: they still work, but the manual does not list them."""


SECRETS = ("web.upload_key",)
"""Settings whose values are never shown."""


def _split_at_commas(value: Any) -> Any:
    return tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else value


StringList = Annotated[tuple[str, ...], BeforeValidator(_split_at_commas)]
"""A list of strings; in the environment separated by commas."""


class Section(BaseModel):
    """A group of settings: frozen; unknown names are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class Site(Section):
    """Name and tagline of the site."""

    name: str = "openseer"
    """Name in the header of every page."""
    tagline: str = "Search the papers of this library"
    """Line under the name on the home page."""
    address: str = Field(default="", pattern=r"^(https?://[^/\s?#]+)?/?$")
    """URL of the site for its users, like https://library.example.org: in links and feeds; empty: as requested."""


class Web(Section):
    """The web server."""

    host: str = "127.0.0.1"
    """Address to listen on; put a reverse proxy in front before you open the site to others."""
    port: int = Field(default=8000, ge=1, le=65535)
    """Port to listen on."""
    page_size: int = Field(default=10, ge=1, le=100)
    """Results on a page, unless the reader chooses."""
    workers: int = Field(default=0, ge=0, le=64)
    """Serving processes; 0 = one for each core, at most eight."""
    allow_upload: bool = False
    """Allow uploads by everybody."""
    upload_key: str = Field(default="", repr=False)
    """Key that allows uploads (header X-Upload-Key) even when `allow_upload` is off."""
    list_files: bool = False
    """Show file names in the lists of documents by outcome (`/documents`)."""
    result_cache_size: int = Field(default=256, ge=0, le=100_000)
    """Search responses cached until the index changes; 0 = none."""
    hosts: StringList = ()
    """More host names of the site, beside `site.address`, `web.host`, this machine and IP addresses; * = any."""
    cross_origin: StringList = ()
    """Origins (https://example.org) whose pages may read the API in their visitors' browsers; * = all."""
    uploads_per_minute: int = Field(default=600, ge=0)
    """Uploads and fetched URLs of one address in a minute, for each serving process; 0 = no limit."""
    upload_mb_per_day: int = Field(default=0, ge=0)
    """Megabytes that all users together may upload in 24 hours; 0 = no limit."""
    upload_mb_total: int = Field(default=0, ge=0)
    """Megabytes of all uploads in the library; 0 = no limit."""


class Acquire(Section):
    """Fetched URLs and archives."""

    allow_private: bool = False
    """Allow URLs of this machine and of private networks."""
    fetch_timeout: float = Field(default=60.0, gt=0, le=3600)
    """Seconds to fetch one URL."""
    archive_members: PositiveInt = 1000
    """Most files in one uploaded archive."""
    archive_bytes: PositiveInt = 1_000_000_000
    """Most bytes of one uploaded archive, unpacked."""
    archive_depth: PositiveInt = 5
    """Nesting of archives, also for `openseer ingest`; 1: no archive inside another."""


class Extract(Section):
    """Extraction and the admission filter."""

    min_words: int = Field(default=100, ge=0)
    """A document with fewer words is rejected as too_short."""
    filter: Literal["model", "simple", "none"] = "model"
    """Admission filter for not_academic: model; simple (2 to 50 upright pages, before reading); none."""
    min_scholarly: float = Field(default=0.05, ge=0, le=1)
    """With the model filter: a document with a lower probability of being scholarly is rejected; 0 accepts all."""
    max_bytes: PositiveInt = 200_000_000
    """A larger file is rejected as too_large."""


class Workers(Section):
    """Worker processes."""

    count: int = Field(default=0, ge=0)
    """Number of workers; 0 = one for each core."""
    timeout: float = Field(default=60.0, gt=0, le=86_400)
    """Seconds to extract one document."""
    memory_mb: int = Field(default=600, ge=100)
    """Resident memory of one worker."""


class Records(Section):
    """Where the records are stored."""

    url: str = Field(default="", pattern=f"^(({'|'.join(DATABASE_SCHEMES)}).*)?$")
    """A PostgreSQL database, postgresql://user@host:port/database; empty: the file library.db in the data directory."""


class Ingest(Section):
    """Ingest."""

    batch: int = Field(default=16, ge=1, le=1000)
    """Documents written in one transaction."""
    low_priority_pages: int = Field(default=100, ge=1)
    """Documents with more pages are read with low priority, after the others."""
    attempts: int = Field(default=3, ge=1, le=100)
    """Attempts at a document that fails by timeout, memory or crash, before it is quarantined."""
    retry_after: float = Field(default=60.0, ge=0, le=86_400)
    """Seconds before the second attempt; four times as long before each further one."""
    lock_timeout: float = Field(default=30.0, gt=0, le=86_400)
    """Seconds to wait for the write lock."""
    archive_members: PositiveInt = 50_000
    """Most files in one archive among ingested or extracted files."""
    archive_bytes: PositiveInt = 50_000_000_000
    """Most bytes of such an archive, unpacked."""
    archive_seconds: float = Field(default=900.0, gt=0, le=86_400)
    """Seconds to unpack one archive, without those to read its members."""


class Index(Section):
    """The search index."""

    heap_mb: int = Field(default=64, ge=15, le=4000)
    """Memory of the index writer."""
    embeddings: bool = True
    """Rank by embeddings beside words, where the model is installed (`make meaning`)."""
    count_lag: float = Field(default=600.0, ge=0, le=86_400)
    """Longest delay, in seconds, of changed citation counts in the index."""


class Search(Section):
    """Search."""

    click_log: bool = True
    """Log which works are opened for which words, without any user (for `train-ranker`)."""


class Settings(Section):
    """All settings. `OPENSEER_WEB__PORT=8100` sets `web.port`."""

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
        values = _with_new_names(_of_file(file))
        origins = dict.fromkeys(_leaves(values), file.name)
        for name, value in environ.items():
            if name.startswith(PREFIX) and name not in NOT_SETTINGS:
                dotted = name.removeprefix(PREFIX).lower().replace("__", ".")
                dotted = OLD_NAMES.get(dotted, dotted)
                *parts, key = dotted.split(".")
                _place(values, parts, key, value)
                origins[dotted] = name
        _refuse_unknown(values, origins)
        try:
            return cls.model_validate(values), origins
        except ValidationError as error:
            raise _as_bad_setting(error, origins) from None

    def rows(self) -> Iterator[tuple[str, Any]]:
        """Every setting by its dotted name, to be shown: keys and passwords are left out."""
        for name, value in _leaves(self.model_dump()).items():
            yield name, _shown(name, value)


def _shown(name: str, value: Any) -> Any:
    if name in SECRETS and value:
        return "..."
    if isinstance(value, tuple):
        return ", ".join(value)
    return without_password(value) if isinstance(value, str) else value


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


def _with_new_names(values: dict[str, Any]) -> dict[str, Any]:
    """The values of a file, former names of settings replaced; a new name beside its former one wins."""
    for old, new in OLD_NAMES.items():
        (section, old_key), (_, new_key) = old.split("."), new.split(".")
        group = values.get(section)
        if isinstance(group, dict) and old_key in group:
            group.setdefault(new_key, group.pop(old_key))
    return values


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
    shown = _shown(name, first["input"])
    return BadSetting(f"`{name}` = {shown!r} (from {origin}) is wrong: {first['msg'].lower()}.")
