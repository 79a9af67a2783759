"""A web site on this machine for tests: pages by path, as whole answers or as functions that write to the visitor."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Page = tuple[int, dict[str, str], bytes] | Callable[[BaseHTTPRequestHandler], None]


@contextmanager
def site(pages: Mapping[str, Page], host: str = "127.0.0.1") -> Iterator[str]:
    """Its address while it stands."""

    class Answering(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            page = pages.get(self.path, (404, {}, b"nothing"))
            if callable(page):
                page(self)
                return
            status, head, body = page
            self.send_response(status)
            for name, value in head.items():
                self.send_header(name, value)
            if "Content-Length" not in head:
                self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer((host, 0), Answering)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"http://{host}:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)
