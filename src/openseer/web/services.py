"""Services that the routes share: the library, its index and search, worker pools, caches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from fastapi import Request

from openseer.acquire.web import fetch
from openseer.catalog.page_images import PageImageCache
from openseer.catalog.search_context import search_context
from openseer.extract.output import page_crops
from openseer.ingest.one_off import OneOffReader
from openseer.ingest.unpacking import unpack_job
from openseer.ingest.uploads.intake import UploadService
from openseer.ingest.worker_jobs import extract_file
from openseer.search.context import SearchContext
from openseer.search.result_cache import CachedSearch
from openseer.storage.open import Library
from openseer.storage.protocols.index import Index
from openseer.storage.protocols.sessions import ClickLog, ResultSnapshots
from openseer.web.http.limits import SlowWork, UploadRate
from openseer.web.page_cache import PageCache

WORKER_JOBS = (fetch.fetch_job, unpack_job, page_crops.crop_job, extract_file)
"""Functions of all worker pools of the services."""
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Services:
    """Services of one application; `app.state.services` holds them."""

    library: Library
    index: Index
    context: SearchContext
    search: CachedSearch
    snapshots: ResultSnapshots
    uploads: UploadService
    page_images: PageImageCache
    one_off: OneOffReader
    click_log: ClickLog | None
    """None if `search.click_log` is off."""
    page_cache: PageCache
    upload_work: SlowWork
    """Threads for uploads, fetched URLs and one-off extraction."""
    image_work: SlowWork
    """Threads for page images."""
    upload_rate: UploadRate
    health_work: SlowWork
    """Thread for the health check."""
    index_alive: Callable[[], bool]
    """True while a process keeps the index in step with the records."""

    @classmethod
    def of(cls, library: Library, index_alive: Callable[[], bool]) -> Services:
        """Services of a library."""
        snapshots = library.open_result_snapshots()
        context = search_context(library, snapshots)
        return cls(
            library=library,
            index=context.index,
            context=context,
            search=CachedSearch(context, library.settings.web.result_cache_size),
            snapshots=snapshots,
            uploads=UploadService(library),
            page_images=PageImageCache(library),
            one_off=OneOffReader(library),
            click_log=library.open_click_log() if library.settings.search.click_log else None,
            page_cache=PageCache(),
            upload_work=SlowWork(8, 16),
            image_work=SlowWork(4, 32),
            upload_rate=UploadRate(library.settings.web.uploads_per_minute),
            health_work=SlowWork(1, 100),
            index_alive=index_alive,
        )

    def close(self) -> None:
        """Stop the workers and close the stores; the library stays open."""
        self.uploads.close()
        self.page_images.close()
        self.one_off.close()
        if self.click_log is not None:
            self.click_log.close()
        self.snapshots.close()


def services_of(request: Request) -> Services:
    """The services of the application that handles a request."""
    services: Services = request.app.state.services
    return services


def cached(request: Request, name: str, compute: Callable[[], Value]) -> Value:
    """A value that depends on the index alone, from the page cache."""
    services = services_of(request)
    return services.page_cache.get(services.index.generation, name, compute)
