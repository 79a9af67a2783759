"""Back-up and restore, while others go on reading and writing.

A back-up is a directory: `backup.json` (written last, names the rest), the records as one SQLite file, `files/` and
`openseer.toml`. Files are copied first, then the records as of one moment, then the files these name and which came
in between. A later back-up into the same directory adds files beside those of the earlier one, and takes its place
only when `backup.json` is replaced: killed before that, the earlier one is still whole.
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
from openseer.storage.durable_files import as_our_error, fsync_file, write_whole
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
"""Of the manifest and the directory."""
COPY = "records.new"
"""The records while they are written."""
ATTEMPTS = 3
"""Snapshots taken until one names no file that was replaced meanwhile."""
BLOCK = 1 << 20

Tell = Callable[[str, int], None]
"""Told what is being done, and how many documents are done."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a finished back-up holds."""

    library: str
    """The library's own name for itself."""
    schema: int
    made_at: str
    records: str
    """The file of the records."""
    sha256: str
    """Of that file."""
    documents: int
    files: int
    bytes: int
    """Of the files, the records not counted."""
    format: int = FORMAT


@dataclass(frozen=True, slots=True)
class Copied:
    """What copying the files of some documents came to."""

    documents: int = 0
    files: int = 0
    """Named by the records, and there now."""
    bytes: int = 0
    new_files: int = 0
    new_bytes: int = 0
    lost: tuple[str, ...] = ()
    """Named by the records, but missing or damaged where they should be."""


def backup(library: Library, target: Path, tell: Tell = lambda what, done: None) -> tuple[Manifest, Copied]:
    """Copy a library into a directory; what is there of an earlier back-up is not copied again."""
    _keep_apart(library.data, target)
    with _held(target, "backup.lock"):
        _refuse_others(library, target)
        kept = open_files(target / "files")
        first = copy_files(library.records.documents(), library.files, kept, tell)
        copied = _copy_records(library, target, kept, tell)
        manifest = _manifest(library.records.uuid, target, copied)
        (target / COPY).rename(target / manifest.records)
        _copy_settings(library.data, target)
        write_whole(target / MANIFEST, orjson.dumps(asdict(manifest), option=orjson.OPT_INDENT_2))
        _tidy(target, manifest, kept)
    new = {"new_files": first.new_files + copied.new_files, "new_bytes": first.new_bytes + copied.new_bytes}
    return manifest, Copied(**{**asdict(copied), **new})


def restore(data: Path, source: Path, tell: Tell = lambda what, done: None) -> tuple[Manifest, Copied]:
    """Make a new library in a directory from a back-up; stopped half-way, the same call goes on."""
    _keep_apart(data, source)
    manifest = read_manifest(source)
    own = (data / SETTINGS_FILE).exists()
    settings = load_settings(data if own else source)
    require_no_library(data, settings)
    with _held(data, "logs/restore.lock"):
        saved = _fetch_records(source, manifest, data)
        with open_saved_records(saved) as records:
            if damage := next(records.corruption(), ""):
                raise DamagedBackup(f"The records in {source} are damaged: {damage}.")
            copied = copy_files(records.documents(), open_files(source / "files"), open_files(data / "files"), tell)
        if not own:
            _copy_settings(source, data)
        install_records(saved, data, settings)
    tell("indexing", 0)
    with open_library(data, settings=settings) as library:
        library.delete_index()
        reindex(library)
    return manifest, copied


def read_manifest(source: Path) -> Manifest:
    """What a back-up says of itself."""
    try:
        said: dict[str, Any] = orjson.loads((source / MANIFEST).read_bytes())
        if said["format"] != FORMAT:
            raise NoBackup(f"{source} holds a back-up in a form that this openseer does not know: {said['format']}.")
        if said["schema"] > schema_version():
            raise NewerLibrary(said["schema"], schema_version())
        return Manifest(**said)
    except FileNotFoundError:
        raise NoBackup(f"There is no finished back-up in {source}.") from None
    except OSError as error:
        raise Unreadable(f"{source} cannot be read: {error.strerror}.") from None
    except (orjson.JSONDecodeError, KeyError, TypeError):
        raise DamagedBackup(f"{source / MANIFEST} is not what `openseer backup` writes.") from None


def copy_files(documents: Iterable[Document], source: Files, target: Files, tell: Tell) -> Copied:
    """Copy what the rows of documents say is kept, unless it is there; what cannot be copied is lost."""
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
    """Whether a file had to be copied; None if it could not be. What was kept once never changes: size tells all."""
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
                target.put_file(*name, path)  # checks the bytes against their SHA-1
        else:
            target.put(*name, source.read(*name))
    except (NotFound, Conflict):
        return None
    return True


def _copy_records(library: Library, target: Path, kept: Files, tell: Tell) -> Copied:
    """The records as of one moment, with all files they name; another moment, if a file went away in between."""
    before: tuple[str, ...] = ()
    for _ in range(ATTEMPTS):
        tell("copying records", 0)
        _remove(target / COPY)
        library.records.save_to(target / COPY)
        with open_saved_records(target / COPY) as records:
            if damage := next(records.corruption(), ""):
                raise DamagedBackup(f"{library.records.name} was not backed up: {damage}.", "Run `openseer verify`.")
            copied = copy_files(records.documents(), library.files, kept, tell)
        if not copied.lost or copied.lost == before:
            break
        before = copied.lost
    return copied


def _manifest(uuid: str, target: Path, copied: Copied) -> Manifest:
    fsync_file(target / COPY)
    digest = _sha256(target / COPY)
    made_at = datetime.now(UTC).isoformat(timespec="seconds")
    name = f"records-{digest[:12]}.db"
    return Manifest(uuid, schema_version(), made_at, name, digest, copied.documents, copied.files, copied.bytes)


def _fetch_records(source: Path, manifest: Manifest, data: Path) -> Path:
    """The file of the records, copied beside its new place, checked and brought to the newest schema."""
    saved = data / COPY
    digest = hashlib.sha256()
    try:
        _remove(saved)
        with (source / manifest.records).open("rb") as stream, saved.open("wb") as out:
            while block := stream.read(BLOCK):
                digest.update(block)
                out.write(block)
    except FileNotFoundError:
        raise DamagedBackup(f"{source} has lost {manifest.records}.") from None
    except OSError as error:
        raise as_our_error(error, data) from error
    if digest.hexdigest() != manifest.sha256:
        _remove(saved)
        raise DamagedBackup(f"{source / manifest.records} is damaged: its bytes have another SHA-256.")
    return saved


def _tidy(target: Path, manifest: Manifest, kept: Files) -> None:
    """Remove what only an earlier back-up named."""
    for path in target.glob("records-*.db*"):
        if path.name != manifest.records:
            _remove(path)
    kept.sweep()
    with open_saved_records(target / manifest.records) as records:
        for kind in GENERATIONS:
            for sha1, suffix in kept.names(kind):
                if not _is_named(records, kind, sha1, suffix):
                    kept.delete(kind, sha1, suffix)


def _is_named(records: Records, kind: str, sha1: str, suffix: str) -> bool:
    try:
        return (kind, suffix) in needed(records.document(sha1, Viewer.OPERATOR))
    except NotFound:
        return False


def _keep_apart(data: Path, other: Path) -> None:
    here, there = data.resolve(), other.resolve()
    if here == there or here.is_relative_to(there) or there.is_relative_to(here):
        raise BadRequest(f"{other} and {data} lie one inside the other.", "Name a directory apart from the library.")


def _refuse_others(library: Library, target: Path) -> None:
    if (target / RECORDS_FILE).exists():
        raise BadRequest(f"{target} holds a library itself.", "Name a new directory, or one with a back-up.")
    if (target / MANIFEST).exists() and read_manifest(target).library != library.records.uuid:
        raise BadRequest(f"{target} holds the back-up of another library.", "Name a directory for each library.")


@contextmanager
def _held(folder: Path, name: str) -> Iterator[None]:
    """Make a directory, for its owner alone, and be the only one who fills it."""
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
            raise Locked(f"Another process fills {folder}.", "Wait for it to end, or stop it.") from None
        try:
            yield
        except OSError as error:
            raise as_our_error(error, folder) from error


def _copy_settings(source: Path, target: Path) -> None:
    """Settings as they stand; a password may be among them, so the copy is for the owner alone."""
    file = source / SETTINGS_FILE
    if file.exists():
        write_whole(target / SETTINGS_FILE, file.read_bytes())
        (target / SETTINGS_FILE).chmod(0o600)
    else:
        _remove(target / SETTINGS_FILE)


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _remove(path: Path) -> None:
    """Remove a file with what SQLite lays beside it."""
    for name in (path.name, f"{path.name}-wal", f"{path.name}-shm", f"{path.name}-journal"):
        path.with_name(name).unlink(missing_ok=True)
