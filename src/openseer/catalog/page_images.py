"""Pictures of places on pages, made by workers and kept in the spool, so many and no more."""

from __future__ import annotations

import contextlib
import hashlib
import threading
import uuid
from pathlib import Path

from openseer.core.errors import Corrupt
from openseer.core.processes.on_demand_pool import OnDemandPool
from openseer.core.processes.worker_pool import Limits
from openseer.extract.output import page_crops
from openseer.extract.output.page_crops import Crop
from openseer.storage.open import Library

SECONDS = 15.0
"""That drawing one page may take."""
MOST = 2000
"""Pictures that are kept."""
LEAVE = 1600
"""Pictures that are left when there are too many; those asked for longest ago go."""


class PageImageCache:
    """Pictures of one library's files."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._folder = library.data / "spool" / "crops"
        self._artists = OnDemandPool(page_crops.crop_job, 2, Limits(SECONDS, library.settings.workers.memory_mb))
        self._lock, self._since = threading.Lock(), 0

    def image(self, sha1: str, crop: Crop) -> bytes:
        """A place of a page as PNG; an error if the file is away or the page cannot be drawn."""
        path = self._folder / f"{sha1}-{crop.page}-{_short(crop)}.png"
        with contextlib.suppress(OSError):
            kept = path.read_bytes()
            path.touch()
            return kept
        with self._library.files.open("pdf", sha1, "pdf"):
            pass  # a file that is away is told as such
        made, *why = self._artists.call(page_crops.encode_request(self._library.files.local("pdf", sha1, "pdf"), crop))
        if why:
            raise Corrupt(why[0].decode())
        self._keep(path, made)
        return made

    def close(self) -> None:
        """End the workers."""
        self._artists.close()

    def _keep(self, path: Path, made: bytes) -> None:
        """What cannot be kept is made again: a full disk must not cost the answer."""
        with contextlib.suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            temporary = path.with_name(uuid.uuid4().hex)
            temporary.write_bytes(made)
            temporary.replace(path)
        with self._lock:
            self._since += 1
            if self._since % 50 == 1:
                self._thin()

    def _thin(self) -> None:
        with contextlib.suppress(OSError):
            kept = sorted(self._folder.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)
            for path in kept[LEAVE:] if len(kept) > MOST else ():
                path.unlink(missing_ok=True)


def _short(crop: Crop) -> str:
    return hashlib.blake2b(repr(crop.box).encode(), digest_size=6).hexdigest()
