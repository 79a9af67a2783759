"""Every error openseer raises on purpose, in one tree, and every outcome reading a document can have.

    OpenseerError                 500
    ├── BadRequest                400   the caller asked for something that makes no sense: BadAddress
    ├── Denied                    403   AddressRefused
    ├── NotFound                  404
    ├── Conflict                  409
    ├── Gone                      410   removed (451 when the law asked for it)
    ├── TooLarge                  413
    ├── UnsupportedType           415
    ├── Rejected                  422   the document is at fault: TooShort, NoText, NotAcademic, ArchiveRefused ...
    ├── Failed                    422   reading it failed: Corrupt
    ├── TooMany                   429
    ├── NotFetched                502   another server does not give what was asked for
    ├── Misconfigured             500   the operator can fix it: BadSetting, NoLibrary, NoBackup ...
    └── Unavailable               503   try again: Locked, DiskFull, IndexBehind

Each has a stable `code`, the values it speaks of as attributes, and a `hint` that tells the way out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Self

OUTCOMES: dict[str, str] = {
    "ingested": "Read and taken into the library.",
    "not_academic": "Rejected: it does not look like a scholarly document.",
    "too_short": "Rejected: it has fewer words than `extract.min_words`.",
    "no_text": "Rejected: there is no text in it, or text in no language (a scan).",
    "unsupported_type": "Rejected: no reader for this type of file.",
    "too_large": "Rejected: it is larger than `extract.max_bytes`.",
    "encrypted": "Rejected: it needs a password.",
    "empty": "Rejected: the file holds nothing.",
    "no_records": "Rejected: no record of the list could be taken.",
    "archive_refused": "Rejected: an archive that could not be unpacked safely.",
    "corrupt": "Failed: no reader could open it.",
    "timeout": "Failed: reading took longer than `workers.timeout`.",
    "memory": "Failed: reading took more than `workers.memory_mb`.",
    "crashed": "Failed: the reading process died.",
    "store_unavailable": "Failed: what was read could not be stored.",
}
"""What reading a document can give; one list for records, counts, API and manual."""

FAILURES = ("corrupt", "timeout", "memory", "crashed", "store_unavailable")
"""The outcomes that may be different at the next try; every other one but `ingested` is a rejection."""


class OpenseerError(Exception):
    """Something went wrong in a way we foresaw."""

    status: ClassVar[int] = 500
    title: ClassVar[str] = "Something went wrong"
    code: str = "error"
    hint: str = ""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        if hint is not None:
            self.hint = hint

    def as_record(self) -> dict[str, str]:
        """The error as command line, API and extraction lines print it."""
        return {"code": self.code, "message": str(self), "hint": self.hint}

    @classmethod
    def of_record(cls, record: Mapping[str, str]) -> Self:
        """The inverse, for what a worker says of a file."""
        error = cls(record["message"], record["hint"])
        error.code = record["code"]
        return error


class BadRequest(OpenseerError):
    status, title, code = 400, "The request makes no sense", "bad_request"


class BadAddress(BadRequest):
    code = "bad_address"
    hint = "Give the whole address of a PDF or ZIP, beginning with http:// or https://."


class Denied(OpenseerError):
    status, title, code = 403, "Not allowed", "denied"


class AddressRefused(Denied):
    code = "address_refused"
    hint = "Only public addresses are fetched; whoever runs this library may set `acquire.allow_private`."


class NotFound(OpenseerError):
    status, title, code = 404, "Not found", "not_found"


class Conflict(OpenseerError):
    status, title, code = 409, "Conflict", "conflict"


class LibraryExists(Conflict):
    code = "library_exists"
    hint = "Restore into another directory with `openseer --data DIR`, whose `openseer.toml` may name another database."

    def __init__(self, where: str) -> None:
        super().__init__(f"There is a library in {where} already.")
        self.where = where


class TooLittle(Conflict):
    """There is not enough in a library to learn from it."""

    code = "too_little"
    hint = "Take in more papers, or let readers search for some weeks; until then the weights that come along are used."

    def __init__(self, questions: int, needed: int) -> None:
        super().__init__(f"There are {questions} questions with known answers to learn from; {needed} are needed.")
        self.questions, self.needed = questions, needed


class Gone(OpenseerError):
    status, title, code = 410, "Removed", "gone"
    hint = "It was taken out of this library."


class CursorExpired(Gone):
    code = "cursor_expired"
    hint = "Begin again with cursor=*; a list by relevance is kept for ten minutes after its last page was asked for."

    def __init__(self) -> None:
        super().__init__("The list of this cursor is not kept any more.")


class RemovedByLaw(Gone):
    status, title, code = 451, "Removed for legal reasons", "removed_by_law"


class TooMany(OpenseerError):
    status, title, code = 429, "Too many requests", "too_many"


class TooLarge(OpenseerError):
    status, title, code = 413, "Too large", "too_large"
    hint = "Raise `extract.max_bytes` if such files are wanted."

    def __init__(self, size: int, limit: int) -> None:
        super().__init__(f"The file has {size:,} bytes; {limit:,} are allowed.")
        self.size, self.limit = size, limit


class UnsupportedType(OpenseerError):
    status, title, code = 415, "Unsupported type", "unsupported_type"
    hint = "PDF is read so far."

    def __init__(self, mime: str) -> None:
        super().__init__(f"There is no reader for {mime}.")
        self.mime = mime


class Rejected(OpenseerError):
    """The document itself is at fault; the code is its outcome."""

    status, title, code = 422, "Document rejected", "rejected"


class TooShort(Rejected):
    code = "too_short"
    hint = "Lower `extract.min_words` if such documents are wanted."

    def __init__(self, words: int, minimum: int) -> None:
        super().__init__(f"The document has {words} words; {minimum} are needed.")
        self.words, self.minimum = words, minimum


class NotAcademic(Rejected):
    code = "not_academic"
    hint = "Lower `extract.min_scholarly` or set `extract.filter` to none, then `openseer ingest --retry-failed`."


class NoText(Rejected):
    code = "no_text"
    hint = "It is probably a scan: run it through OCR first."


class Encrypted(Rejected):
    code = "encrypted"
    hint = "Remove the password and try again."


class Empty(Rejected):
    code = "empty"
    hint = "Was the download cut off?"


class ArchiveRefused(Rejected):
    code = "archive_refused"
    hint = "Unpack it yourself and give the papers in it."


class NoRecords(Rejected):
    code = "no_records"
    hint = "Is it BibTeX, RIS, CSL-JSON or a table with named columns? The manual shows one of each."


class Failed(OpenseerError):
    """Reading failed; another reader or another day may do better."""

    status, title, code = 422, "Document could not be read", "failed"


class Corrupt(Failed):
    code = "corrupt"
    hint = "Does it open in a PDF viewer? Fetch it again, or repair it with qpdf."


class Timeout(Failed):
    code = "timeout"
    hint = "Raise `workers.timeout` if such documents are wanted."


class OutOfMemory(Failed):
    code = "memory"
    hint = "Raise `workers.memory_mb` if such documents are wanted."


class Crashed(Failed):
    code = "crashed"
    hint = "Please report the file: a reader must never die."


class NotFetched(OpenseerError):
    status, title, code = 502, "Not fetched", "not_fetched"
    hint = "Does the address open in a browser without logging in? Otherwise download the file and give that."


class Misconfigured(OpenseerError):
    """The operator can fix it."""

    status, title, code = 500, "Wrong configuration", "misconfigured"


class BadSetting(Misconfigured):
    code = "bad_setting"
    hint = "`openseer config` lists every setting with its value and where it came from."


class NewerLibrary(Misconfigured):
    code = "newer_library"

    def __init__(self, found: int, known: int) -> None:
        super().__init__(
            f"The library has schema version {found}; this openseer knows {known}.",
            "Install the openseer that made it, or a later one.",
        )
        self.found, self.known = found, known


class NoLibrary(Misconfigured):
    code = "no_library"

    def __init__(self, where: str) -> None:
        super().__init__(
            f"There is no library in {where}.",
            "Make one with `openseer ingest PATH`, or name another with `openseer --data DIR`.",
        )
        self.where = where


class NotALibrary(Misconfigured):
    code = "not_a_library"
    hint = "Name another directory with `openseer --data DIR`, or restore a back-up."


class NoBackup(Misconfigured):
    code = "no_backup"
    hint = "Name the directory that was given to `openseer backup`; if that was stopped, run it again to its end."


class DamagedBackup(Misconfigured):
    code = "damaged_backup"
    hint = "Restore another back-up; while the library still stands, `openseer backup` into a new directory."


class PortInUse(Misconfigured):
    code = "port_in_use"

    def __init__(self, host: str, port: int) -> None:
        super().__init__(
            f"Another program listens on {host}:{port}.",
            f"Choose another port: `--port {port + 1}` (make: PORT={port + 1}).",
        )
        self.host, self.port = host, port


class Unreadable(Misconfigured):
    """A file or folder that we may not read or write."""

    code = "unreadable"
    hint = "Check the path and its permissions."


class Unavailable(OpenseerError):
    """Try again later."""

    status, title, code = 503, "Not available just now", "unavailable"


class Locked(Unavailable):
    code = "locked"
    hint = "Another process is writing to this library; wait for it to end, or stop it."


class DiskFull(Unavailable):
    code = "disk_full"
    hint = "Free some space and run the command again: it goes on where it stopped, nothing is lost."


class StoreUnavailable(Unavailable):
    code = "store_unavailable"
    hint = "Is the disk or server of the library there, and writable?"


class IndexBehind(Unavailable):
    code = "index_behind"
    hint = "Look into logs/index.log of the library; `openseer reindex` builds the index anew."


WORKER_FAILURES: dict[str, type[OpenseerError]] = {"timeout": Timeout, "memory": OutOfMemory, "crashed": Crashed}
"""The error of each way in which a worker process fails."""
