"""Page images: crops of pages, rendered by workers and cached in the spool folder."""

from __future__ import annotations

import contextlib
import hashlib
import threading
import uuid
from pathlib import Path

from openseer.core.errors import Corrupt
from openseer.core.model.document import Document
from openseer.core.processes.on_demand_pool import OnDemandPool
from openseer.core.processes.worker_pool import Limits
from openseer.extract.output import page_crops
from openseer.extract.output.page_crops import Crop
from openseer.storage.open import Library

RENDER_SECONDS = 15.0
MAX_IMAGES, IMAGES_LEFT = 2000, 1600
"""Above the first number the least recently used images are deleted, down to the second."""
IMAGES_BETWEEN_EVICTIONS = 50


class PageImageCache:
    """Crops of the documents of one library."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._folder = library.data / "spool" / "crops"
        self._workers = OnDemandPool(
            page_crops.crop_job, 2, Limits(RENDER_SECONDS, library.settings.workers.memory_mb, confined=True)
        )
        self._lock, self._added = threading.Lock(), 0

    def image(self, document: Document, crop: Crop) -> bytes:
        """The crop of a page as PNG; an error if the file is missing or the page cannot be rendered."""
        path = self._folder / f"{document.sha1}-{crop.page}-{_hash_of(crop)}.png"
        with contextlib.suppress(OSError):
            stored = path.read_bytes()
            path.touch()
            return stored
        name = (document.type.kind, document.sha1, document.type.suffix)
        self._library.files.open(*name).close()  # raises our error if it is missing or the store does not answer
        with self._library.files.as_path(*name) as original:
            image, *errors = self._workers.call(page_crops.encode_request(original, crop))
        if errors:
            raise Corrupt(errors[0].decode())
        self._put(path, image)
        return image

    def close(self) -> None:
        """End the workers."""
        self._workers.close()

    def _put(self, path: Path, image: bytes) -> None:
        """Store an image; on a full disk it is rendered again the next time."""
        with contextlib.suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            temporary = path.with_name(uuid.uuid4().hex)
            temporary.write_bytes(image)
            temporary.replace(path)
        with self._lock:
            self._added += 1
            if self._added % IMAGES_BETWEEN_EVICTIONS == 1:
                self._evict()

    def _evict(self) -> None:
        with contextlib.suppress(OSError):
            images = sorted(self._folder.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)
            for path in images[IMAGES_LEFT:] if len(images) > MAX_IMAGES else ():
                path.unlink(missing_ok=True)


def _hash_of(crop: Crop) -> str:
    return hashlib.blake2b(repr(crop.box).encode(), digest_size=6).hexdigest()
