"""The tree of errors that openseer raises, and the outcomes of extracting a document.

    OpenseerError                 500
    ├── BadRequest                400   invalid request: BadAddress, UnknownHost, UnknownParameter
    ├── Denied                    403   AddressRefused, CrossSite
    ├── NotFound                  404
    ├── Conflict                  409
    ├── Gone                      410   removed (451 for legal reasons)
    ├── TooLarge                  413
    ├── UnsupportedType           415
    ├── QuotaExceeded             507
    ├── Rejected                  422   document at fault: TooShort, NoText, NotAcademic, ArchiveRefused ...
    ├── Failed                    422   extraction failed: Corrupt
    ├── TooMany                   429
    ├── NotFetched                502   download from another server failed
    ├── Misconfigured             500   the operator can fix it: BadSetting, NoLibrary, NoBackup ...
    └── Unavailable               503   try again: Locked, DiskFull, IndexBehind, Overloaded

Each error has a stable `code`, the values of its message as attributes, and a `hint` with the remedy.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Self

OUTCOMES: dict[str, str] = {
    "ingested": "Extracted and added to the library.",
    "not_academic": "Rejected: it does not look like a scholarly document.",
    "too_short": "Rejected: it has fewer words than `extract.min_words`.",
    "no_text": "Rejected: it has no text, or text in no known language (a scan).",
    "unsupported_type": "Rejected: no reader for this type of file.",
    "too_large": "Rejected: it is larger than `extract.max_bytes`.",
    "encrypted": "Rejected: it needs a password.",
    "empty": "Rejected: the file is empty.",
    "no_records": "Rejected: no record of the bibliography could be imported.",
    "archive_refused": "Rejected: an archive that could not be unpacked safely.",
    "corrupt": "Failed: no reader could open it.",
    "timeout": "Failed: reading took longer than `workers.timeout`.",
    "memory": "Failed: reading took more than `workers.memory_mb`.",
    "crashed": "Failed: the reading process died.",
    "store_unavailable": "Failed: the extraction could not be stored.",
}
"""Outcome -> explanation; one list for records, counts, API and manual."""

FAILURES = ("corrupt", "timeout", "memory", "crashed", "store_unavailable")
"""Outcomes that may differ at the next attempt; all others except `ingested` are rejections."""


class OpenseerError(Exception):
    """Base class of all errors raised by openseer."""

    status: ClassVar[int] = 500
    title: ClassVar[str] = "Something went wrong"
    code: str = "error"
    hint: str = ""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        if hint is not None:
            self.hint = hint

    def as_record(self) -> dict[str, str]:
        """JSON form of the error in command line, API and extractions."""
        return {"code": self.code, "message": str(self), "hint": self.hint}

    @classmethod
    def of_record(cls, record: Mapping[str, str]) -> Self:
        """The inverse of `as_record`, for errors reported by a worker."""
        error = cls(record["message"], record["hint"])
        error.code = record["code"]
        return error


class BadRequest(OpenseerError):
    status, title, code = 400, "The request makes no sense", "bad_request"


class BadAddress(BadRequest):
    code = "bad_address"
    hint = "Give the full address of a paper or archive, beginning with http:// or https://."


class UnknownParameter(BadRequest):
    code = "unknown_parameter"


class UnknownHost(BadRequest):
    code = "unknown_host"
    hint = "If this is a name of the site, set `site.address`, or add it to `web.hosts`."

    def __init__(self, host: str) -> None:
        super().__init__(f"This site does not answer to the name {host[:100]}.")
        self.host = host


class Denied(OpenseerError):
    status, title, code = 403, "Not allowed", "denied"


class AddressRefused(Denied):
    code = "address_refused"
    hint = "Only public addresses are fetched; the operator may set `acquire.allow_private`."


class CrossSite(Denied):
    code = "cross_site"
    hint = "Pages of other sites cannot upload; programs send the key of `web.upload_key` as X-Upload-Key."

    def __init__(self) -> None:
        super().__init__("The request comes from a page of another site.")


class NotFound(OpenseerError):
    status, title, code = 404, "Not found", "not_found"


class Conflict(OpenseerError):
    status, title, code = 409, "Conflict", "conflict"


class LibraryExists(Conflict):
    code = "library_exists"
    hint = "Restore into another directory with `openseer --data DIR`, whose `openseer.toml` may name another database."

    def __init__(self, where: str) -> None:
        super().__init__(f"There is already a library in {where}.")
        self.where = where


class TooLittle(Conflict):
    """The library has too little training data."""

    code = "too_little"
    hint = "Ingest more papers, or collect clicks for some weeks; until then the built-in weights are used."

    def __init__(self, questions: int, needed: int) -> None:
        super().__init__(f"There are {questions} questions with known answers to learn from; {needed} are needed.")
        self.questions, self.needed = questions, needed


class Gone(OpenseerError):
    status, title, code = 410, "Removed", "gone"
    hint = "It was removed from this library."


class CursorExpired(Gone):
    code = "cursor_expired"
    hint = "Start again with cursor=*; a result list by relevance is stored for ten minutes after its last request."

    def __init__(self) -> None:
        super().__init__("The result list of this cursor has expired.")


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


class QuotaExceeded(OpenseerError):
    status, title, code = 507, "No space for uploads", "quota_exceeded"
    hint = "The operator may raise `web.upload_mb_total`."

    def __init__(self, limit: int) -> None:
        super().__init__(f"Uploads have reached their limit of {limit:,} MB.")
        self.limit = limit


class UnsupportedType(OpenseerError):
    status, title, code = 415, "Unsupported type", "unsupported_type"
    hint = "Supported are PDF, PostScript, DOCX, DOC, ODT, RTF, PPTX, PPT, HTML, XML and plain text."

    def __init__(self, mime: str, message: str = "", hint: str | None = None) -> None:
        super().__init__(message or f"There is no reader for {mime}.", hint)
        self.mime = mime

    @classmethod
    def without_program(cls, program: str, purpose: str, hint: str) -> UnsupportedType:
        """The error of a file whose format needs a program that is not installed."""
        return cls("", f"{purpose} needs {program}, which is not installed. {hint}", hint)


class Rejected(OpenseerError):
    """The document is at fault; the code is its outcome."""

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
    hint = "If it is a scan, run it through OCR first."


class Encrypted(Rejected):
    code = "encrypted"
    hint = "Remove the password and try again."


class Empty(Rejected):
    code = "empty"
    hint = "Was the download cut off?"


class ArchiveRefused(Rejected):
    code = "archive_refused"
    hint = "Unpack it and ingest the papers in it."


class NoRecords(Rejected):
    code = "no_records"
    hint = "Is it BibTeX, RIS, CSL-JSON or a table with named columns? The manual shows one of each."


class Failed(OpenseerError):
    """Extraction failed; a later attempt may succeed."""

    status, title, code = 422, "Document could not be read", "failed"


class Corrupt(Failed):
    code = "corrupt"
    hint = "Does it open in another program? Fetch it again; qpdf repairs some PDFs."


class Timeout(Failed):
    code = "timeout"
    hint = "Raise `workers.timeout` if such documents are wanted."


class OutOfMemory(Failed):
    code = "memory"
    hint = "Raise `workers.memory_mb` if such documents are wanted."


class Crashed(Failed):
    code = "crashed"
    hint = "Please report the file: extraction must never crash."


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
            "Install the openseer version that created it, or a later one.",
        )
        self.found, self.known = found, known


class NoLibrary(Misconfigured):
    code = "no_library"

    def __init__(self, where: str) -> None:
        super().__init__(
            f"There is no library in {where}.",
            "Create one with `openseer ingest PATH`, or name another with `openseer --data DIR`.",
        )
        self.where = where


class NotALibrary(Misconfigured):
    code = "not_a_library"
    hint = "Name another directory with `openseer --data DIR`, or restore a back-up."


class NoBackup(Misconfigured):
    code = "no_backup"
    hint = "Name the directory given to `openseer backup`; if that run was interrupted, repeat it."


class DamagedBackup(Misconfigured):
    code = "damaged_backup"
    hint = "Restore another back-up; if the library still exists, run `openseer backup` into a new directory."


class PortInUse(Misconfigured):
    code = "port_in_use"

    def __init__(self, host: str, port: int) -> None:
        super().__init__(
            f"Another program is listening on {host}:{port}.",
            f"Choose another port: `--port {port + 1}` (make: PORT={port + 1}).",
        )
        self.host, self.port = host, port


class Unreadable(Misconfigured):
    """A file or folder without read or write permission."""

    code = "unreadable"
    hint = "Check the path and its permissions."


class Unavailable(OpenseerError):
    """Try again later."""

    status, title, code = 503, "Not available just now", "unavailable"


class Locked(Unavailable):
    code = "locked"
    hint = "Another process is writing to this library; wait until it ends, or stop it."


class DiskFull(Unavailable):
    code = "disk_full"
    hint = "Free some space and run the command again: it resumes where it stopped, nothing is lost."


class StoreUnavailable(Unavailable):
    code = "store_unavailable"
    hint = "Is the disk or server of the library available and writable?"


class Overloaded(Unavailable):
    code = "overloaded"
    hint = "Try again after the seconds of the header Retry-After."

    def __init__(self) -> None:
        super().__init__("Too many requests are at work.")


class IndexBehind(Unavailable):
    code = "index_behind"
    hint = "See logs/index.log of the library; `openseer reindex` rebuilds the index."


WORKER_FAILURES: dict[str, type[OpenseerError]] = {"timeout": Timeout, "memory": OutOfMemory, "crashed": Crashed}
"""Failure of a worker process -> error class."""
