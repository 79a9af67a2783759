"""Back-up and restore of a library while other processes read and write.

A back-up is a directory: `backup.json` (written last, names the rest), the records as one SQLite file, `files/` and
`openseer.toml`. Files are copied first, then a snapshot of the records, then the files added in between. A later
back-up into the same directory adds its files and replaces the earlier one atomically with `backup.json`: if it is
killed before that, the earlier one is still complete.
"""

from __future__ import annotations

import fcntl
import hashlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson

from openseer.catalog.indexing.synchronizer import reindex
from openseer.core.errors import (
    BadRequest,
    Conflict,
    DamagedBackup,
    Locked,
    NewerLibrary,
    NoBackup,
    NotFound,
    Unreadable,
)
from openseer.core.model.document import Document, Viewer
from openseer.operate.verify import GENERATIONS, needed
from openseer.storage.durable_files import as_storage_error, fsync_file, write_atomically
from openseer.storage.open import (
    RECORDS_FILE,
    SETTINGS_FILE,
    Library,
    install_records,
    load_settings,
    open_files,
    open_library,
    open_saved_records,
    require_no_library,
    schema_version,
)
from openseer.storage.protocols.files import Files
from openseer.storage.protocols.records import Records

MANIFEST = "backup.json"
FORMAT = 1
"""Version of the manifest and the directory layout."""
RECORDS_COPY = "records.new"
"""Temporary file of the records."""
MAX_ATTEMPTS = 3
"""Maximum number of snapshots; another is taken if a file was replaced meanwhile."""
BLOCK_BYTES = 1 << 20

Tell = Callable[[str, int], None]
"""Progress callback: current step, and number of finished documents."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """Contents of a finished back-up."""

    library: str
    """UUID of the library."""
    schema: int
    made_at: str
    records: str
    """File name of the records."""
    sha256: str
    """Checksum of that file."""
    documents: int
    files: int
    bytes: int
    """Total size of the files without the records."""
    format: int = FORMAT


@dataclass(frozen=True, slots=True)
class Copied:
    """Result of copying files: counts, sizes and missing files."""

    documents: int = 0
    files: int = 0
    """Files named by the records and present in the target."""
    bytes: int = 0
    new_files: int = 0
    new_bytes: int = 0
    lost: tuple[str, ...] = ()
    """Files named by the records, but missing or damaged in the source."""


def backup(library: Library, target: Path, tell: Tell = lambda what, done: None) -> tuple[Manifest, Copied]:
    """Back up a library into a directory; files of an earlier back-up are not copied again."""
    _require_disjoint(library.data, target)
    with _locked_directory(target, "backup.lock"):
        _require_own_target(library, target)
        stored_files = open_files(target / "files")
        first = copy_files(library.records.documents(), library.files, stored_files, tell)
        copied = _copy_records(library, target, stored_files, tell)
        manifest = _manifest(library.records.uuid, target, copied)
        (target / RECORDS_COPY).rename(target / manifest.records)
        _copy_settings(library.data, target)
        write_atomically(target / MANIFEST, orjson.dumps(asdict(manifest), option=orjson.OPT_INDENT_2))
        _remove_obsolete(target, manifest, stored_files)
    new = {"new_files": first.new_files + copied.new_files, "new_bytes": first.new_bytes + copied.new_bytes}
    return manifest, Copied(**{**asdict(copied), **new})


def restore(data: Path, source: Path, tell: Tell = lambda what, done: None) -> tuple[Manifest, Copied]:
    """Restore a back-up as a new library; after an interruption the same call resumes."""
    _require_disjoint(data, source)
    manifest = read_manifest(source)
    has_settings = (data / SETTINGS_FILE).exists()
    settings = load_settings(data if has_settings else source)
    require_no_library(data, settings)
    with _locked_directory(data, "logs/restore.lock"):
        saved = _fetch_records(source, manifest, data)
        with open_saved_records(saved) as records:
            if damage := next(records.corruption(), ""):
                raise DamagedBackup(f"The records in {source} are damaged: {damage}.")
            copied = copy_files(records.documents(), open_files(source / "files"), open_files(data / "files"), tell)
        if not has_settings:
            _copy_settings(source, data)
        install_records(saved, data, settings)
    tell("indexing", 0)
    with open_library(data, settings=settings) as library:
        library.delete_index()
        reindex(library)
    return manifest, copied


def read_manifest(source: Path) -> Manifest:
    """Read and check the manifest of a back-up."""
    try:
        values: dict[str, Any] = orjson.loads((source / MANIFEST).read_bytes())
        if values["format"] != FORMAT:
            raise NoBackup(f"{source} holds a back-up of an unknown format: {values['format']}.")
        if values["schema"] > schema_version():
            raise NewerLibrary(values["schema"], schema_version())
        return Manifest(**values)
    except FileNotFoundError:
        raise NoBackup(f"There is no finished back-up in {source}.") from None
    except OSError as error:
        raise Unreadable(f"{source} cannot be read: {error.strerror}.") from None
    except (orjson.JSONDecodeError, KeyError, TypeError):
        raise DamagedBackup(f"{source / MANIFEST} is not a valid manifest of `openseer backup`.") from None


def copy_files(documents: Iterable[Document], source: Files, target: Files, tell: Tell) -> Copied:
    """Copy the missing files of documents; files that cannot be copied are listed as lost."""
    counts = {"documents": 0, "files": 0, "bytes": 0, "new_files": 0, "new_bytes": 0}
    lost = []
    for document in documents:
        for kind, suffix in needed(document):
            new = _copy_file(document, kind, suffix, (source, target))
            size = target.size(kind, document.sha1, suffix)
            if new is None or size is None:
                lost.append(f"{kind} {document.sha1}.{suffix}")
                continue
            for name, value in (("files", 1), ("bytes", size), ("new_files", int(new)), ("new_bytes", new * size)):
                counts[name] += value
        counts["documents"] += 1
        tell("copying files", counts["documents"])
    return Copied(**counts, lost=tuple(lost))


def _copy_file(document: Document, kind: str, suffix: str, stores: tuple[Files, Files]) -> bool | None:
    """Copy a file if its size differs (stored files never change): True if copied, None if impossible."""
    source, target = stores
    name = (kind, document.sha1, suffix)
    original = kind == document.type.kind
    there, wanted = target.size(*name), document.size if original else source.size(*name)
    if there is not None and there == wanted:
        return False
    if source.size(*name) is None:
        return None
    try:
        if original:
            target.delete(*name)
            with source.as_path(*name) as path:
                target.put_file(*name, path)  # checks the SHA-1
        else:
            target.put(*name, source.read(*name))
    except (NotFound, Conflict):
        return None
    return True


def _copy_records(library: Library, target: Path, stored_files: Files, tell: Tell) -> Copied:
    """Copy a snapshot of the records and all files they name; repeat it if a file disappeared meanwhile."""
    before: tuple[str, ...] = ()
    for _ in range(MAX_ATTEMPTS):
        tell("copying records", 0)
        _remove(target / RECORDS_COPY)
        library.records.save_to(target / RECORDS_COPY)
        with open_saved_records(target / RECORDS_COPY) as records:
            if damage := next(records.corruption(), ""):
                raise DamagedBackup(f"{library.records.name} was not backed up: {damage}.", "Run `openseer verify`.")
            copied = copy_files(records.documents(), library.files, stored_files, tell)
        if not copied.lost or copied.lost == before:
            break
        before = copied.lost
    return copied


def _manifest(uuid: str, target: Path, copied: Copied) -> Manifest:
    fsync_file(target / RECORDS_COPY)
    digest = _sha256(target / RECORDS_COPY)
    made_at = datetime.now(UTC).isoformat(timespec="seconds")
    name = f"records-{digest[:12]}.db"
    return Manifest(uuid, schema_version(), made_at, name, digest, copied.documents, copied.files, copied.bytes)


def _fetch_records(source: Path, manifest: Manifest, data: Path) -> Path:
    """Copy the file of the records into the data directory and check it against its SHA-256."""
    saved = data / RECORDS_COPY
    digest = hashlib.sha256()
    try:
        _remove(saved)
        with (source / manifest.records).open("rb") as stream, saved.open("wb") as out:
            while block := stream.read(BLOCK_BYTES):
                digest.update(block)
                out.write(block)
    except FileNotFoundError:
        raise DamagedBackup(f"{source} does not contain {manifest.records}.") from None
    except OSError as error:
        raise as_storage_error(error, data) from error
    if digest.hexdigest() != manifest.sha256:
        _remove(saved)
        raise DamagedBackup(f"{source / manifest.records} is damaged: its bytes have another SHA-256.")
    return saved


def _remove_obsolete(target: Path, manifest: Manifest, stored_files: Files) -> None:
    """Remove files that only an earlier back-up named."""
    for path in target.glob("records-*.db*"):
        if path.name != manifest.records:
            _remove(path)
    stored_files.sweep()
    with open_saved_records(target / manifest.records) as records:
        for kind in GENERATIONS:
            for sha1, suffix in stored_files.names(kind):
                if not _is_needed(records, kind, sha1, suffix):
                    stored_files.delete(kind, sha1, suffix)


def _is_needed(records: Records, kind: str, sha1: str, suffix: str) -> bool:
    try:
        return (kind, suffix) in needed(records.as_seen_by(Viewer.OPERATOR).document(sha1))
    except NotFound:
        return False


def _require_disjoint(data: Path, other: Path) -> None:
    here, there = data.resolve(), other.resolve()
    if here == there or here.is_relative_to(there) or there.is_relative_to(here):
        raise BadRequest(f"{other} and {data} are nested or equal.", "Name a directory outside the library.")


def _require_own_target(library: Library, target: Path) -> None:
    if (target / RECORDS_FILE).exists():
        raise BadRequest(f"{target} holds a library itself.", "Name a new directory, or one with a back-up.")
    if (target / MANIFEST).exists() and read_manifest(target).library != library.records.uuid:
        raise BadRequest(f"{target} holds the back-up of another library.", "Name a directory for each library.")


@contextmanager
def _locked_directory(folder: Path, name: str) -> Iterator[None]:
    """Create a directory, readable by its owner only, and hold its lock."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        (folder / name).parent.mkdir(exist_ok=True)
        lock = (folder / name).open("w")
    except OSError as error:
        raise Unreadable(f"{folder} cannot be written: {error.strerror}.") from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Locked(f"Another process is writing to {folder}.", "Wait until it ends, or stop it.") from None
        try:
            yield
        except OSError as error:
            raise as_storage_error(error, folder) from error


def _copy_settings(source: Path, target: Path) -> None:
    """Copy the settings, readable by the owner only, since they may contain a password."""
    file = source / SETTINGS_FILE
    if file.exists():
        write_atomically(target / SETTINGS_FILE, file.read_bytes())
        (target / SETTINGS_FILE).chmod(0o600)
    else:
        _remove(target / SETTINGS_FILE)


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _remove(path: Path) -> None:
    """Remove a SQLite file and its side files."""
    for name in (path.name, f"{path.name}-wal", f"{path.name}-shm", f"{path.name}-journal"):
        path.with_name(name).unlink(missing_ok=True)
