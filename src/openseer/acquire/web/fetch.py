"""Download of one file in a worker: http and https only, and only from public addresses.

A host name is resolved once and the connection uses the checked address, which prevents DNS rebinding. Every redirect
is checked like the first URL."""

from __future__ import annotations

import contextlib
import http.client
import ipaddress
import os
import socket
import ssl
import threading
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self
from urllib.parse import quote, urljoin, urlsplit, urlunsplit

import orjson

from openseer.core.errors import AddressRefused, BadAddress, NotFetched, OpenseerError, Timeout, TooLarge

BLOCK_BYTES = 1 << 16
MAX_REDIRECTS = 5
MAX_URL_LENGTH = 2000
READ_TIMEOUT_SECONDS = 15.0
"""Maximum time without a byte."""
NOT_PUBLIC = [ipaddress.ip_network(one) for one in ("192.0.0.0/24", "3fff::/20", "5f00::/16", "64:ff9b:1::/48")]
"""Networks that the standard library of some Python versions holds for public."""
MAX_LENGTH_DIGITS = 15
NAT64 = ipaddress.ip_network("64:ff9b::/96")
REDIRECT_STATUSES = (301, 302, 303, 307, 308)
HEADERS = {
    "User-Agent": "openseer (fetches what its users name)",
    "Accept": "application/pdf, application/zip, */*;q=0.1",
    "Accept-Encoding": "identity",
    "Connection": "close",
}
PORTS = {"http": 80, "https": 443}
ERRORS_BY_CODE: dict[str, type[OpenseerError]] = {
    one.code: one for one in (AddressRefused, BadAddress, NotFetched, Timeout)
}


@dataclass(frozen=True, slots=True)
class FetchRequest:
    """A URL with limits of the download."""

    url: str
    max_bytes: int
    seconds: float
    allow_private: bool = False


@dataclass(frozen=True, slots=True)
class ParsedUrl:
    """A URL split into its parts."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def authority(self) -> str:
        """Value of the Host header."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == PORTS[self.scheme] else f"{host}:{self.port}"


def parse_url(url: str) -> ParsedUrl:
    """The parts of a URL that may be fetched; raises BadAddress for others."""
    if len(url) > MAX_URL_LENGTH or any(char.isspace() or not char.isprintable() for char in url):
        raise BadAddress("Invalid URL: it is too long or contains white space.")
    try:
        parts = urlsplit(url)
        port = parts.port
        host = (parts.hostname or "").encode("idna").decode("ascii") if parts.hostname else ""
    except (ValueError, UnicodeError):
        raise BadAddress("Invalid URL.") from None
    if parts.scheme not in PORTS:
        raise BadAddress(f"Only http and https URLs are fetched, not {parts.scheme or 'this'}.")
    if not host or parts.username or parts.password:
        raise BadAddress("The URL has no host." if not host else "URLs with a password are not fetched.")
    path = quote(urlunsplit(("", "", parts.path or "/", parts.query, "")), safe="/%?&=:;@!$'()*+,~#[]")
    return ParsedUrl(parts.scheme, host, port or PORTS[parts.scheme], path)


def is_public(address: str) -> bool:
    """True for a public IP address, including one wrapped in another address.

    >>> [is_public(one) for one in ("9.9.9.9", "127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::a00:1", "224.0.0.1")]
    [True, False, False, False, False]
    >>> [is_public(one) for one in ("fec0::1", "3fff::1", "192.0.0.8", "2606:4700::1111")]
    [False, False, False, True]
    """
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        inner = found.ipv4_mapped or found.sixtofour or (found.teredo[1] if found.teredo else None)
        if inner is None and found in NAT64:
            inner = ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(str(inner))
        if found.is_site_local:
            return False
    if any(found in network for network in NOT_PUBLIC):
        return False
    return found.is_global and not found.is_multicast and not found.is_reserved and not found.is_unspecified


def addresses_of(target: ParsedUrl, allow_private: bool) -> list[tuple[int, str]]:
    """Allowed (family, address) pairs of a host."""
    try:
        found = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise NotFetched(f"Unknown host {target.host}.") from error
    addresses = [(int(family), str(socket_address[0])) for family, _, _, _, socket_address in found]
    allowed = [one for one in addresses if allow_private or is_public(one[1])]
    if not allowed:
        raise AddressRefused(f"{target.host} is not on the open Internet.")
    return allowed


@dataclass(frozen=True, slots=True)
class FetchResult:
    """Metadata of a fetched file."""

    mime: str = ""
    """Content type reported by the server."""
    redirects: tuple[str, ...] = ()
    """Redirect targets; the last is the final URL."""


def fetch(request: FetchRequest, path: Path) -> FetchResult:
    """Write the content of the URL to a file."""
    deadline = time.monotonic() + request.seconds
    with _Watchdog(request.seconds) as watchdog:
        try:
            return _follow(request, path, deadline, watchdog)
        except (NotFetched, OSError):
            _remaining(deadline)  # the watchdog may have ended the connection: then it is a timeout
            raise


class _Watchdog:
    """Shuts a connection down at the deadline; the timeout of a socket only limits the time of one read."""

    def __init__(self, seconds: float) -> None:
        self.socket: socket.socket | None = None
        self._timer = threading.Timer(seconds, self._shut_down)
        self._timer.daemon = True

    def _shut_down(self) -> None:
        if self.socket is not None:
            with contextlib.suppress(OSError):
                self.socket.shutdown(socket.SHUT_RDWR)

    def __enter__(self) -> Self:
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()


def _redirect_target(url: str, location: str) -> str:
    try:
        return urljoin(url, location)
    except ValueError:
        raise BadAddress("The server redirects to an invalid URL.") from None


def _follow(request: FetchRequest, path: Path, deadline: float, watchdog: _Watchdog) -> FetchResult:
    """Request the URL and what it redirects to."""
    url = request.url
    redirects: list[str] = []
    for _ in range(MAX_REDIRECTS + 1):
        target = parse_url(url)
        connection = _connect(target, request, deadline, watchdog)
        with closing(connection):
            response = _send_request(connection, target)
            if response.status in REDIRECT_STATUSES and (location := response.getheader("Location")):
                url = _redirect_target(url, location)
                redirects.append(url)
                continue
            if response.status != 200:
                raise NotFetched(f"The server responded {response.status} {response.reason}.")
            _write(response, request, path, deadline)
            return FetchResult(str(response.getheader("Content-Type") or "")[:100], tuple(redirects))
    raise NotFetched(f"More than {MAX_REDIRECTS} redirects.")


def _connect(
    target: ParsedUrl, request: FetchRequest, deadline: float, watchdog: _Watchdog
) -> http.client.HTTPConnection:
    last_error: Exception | None = None
    for family, address in addresses_of(target, request.allow_private):
        connection_socket = socket.socket(family, socket.SOCK_STREAM)
        connection_socket.settimeout(_remaining(deadline))
        watchdog.socket = connection_socket
        try:
            connection_socket.connect((address, target.port))
            if target.scheme == "https":
                connection_socket = ssl.create_default_context().wrap_socket(
                    connection_socket, server_hostname=target.host
                )
                watchdog.socket = connection_socket
            connection = http.client.HTTPConnection(target.host, target.port)
            connection.sock = connection_socket
        except OSError as error:
            connection_socket.close()
            last_error = error
        else:
            return connection
    raise NotFetched(f"{target.host} cannot be reached: {_reason(last_error)}.")


def _send_request(connection: http.client.HTTPConnection, target: ParsedUrl) -> http.client.HTTPResponse:
    try:
        connection.putrequest("GET", target.path, skip_host=True, skip_accept_encoding=True)
        connection.putheader("Host", target.authority)
        for name, value in HEADERS.items():
            connection.putheader(name, value)
        connection.endheaders()
        return connection.getresponse()
    except (OSError, http.client.HTTPException) as error:
        raise NotFetched(f"{target.host} does not respond: {_reason(error)}.") from error


def _write(response: http.client.HTTPResponse, request: FetchRequest, path: Path, deadline: float) -> None:
    declared_length = _declared_length(response)
    if declared_length is not None and declared_length > request.max_bytes:
        raise TooLarge(declared_length, request.max_bytes)
    size = 0
    try:
        with path.open("wb") as out:
            while block := response.read1(BLOCK_BYTES):
                size += len(block)
                if size > request.max_bytes:
                    raise TooLarge(size, request.max_bytes)
                out.write(block)
                _remaining(deadline)
    except (TimeoutError, http.client.HTTPException, ssl.SSLError, ConnectionError) as error:
        raise NotFetched(f"The download was interrupted: {_reason(error)}.") from error
    _remaining(deadline)
    if declared_length is not None and size < declared_length:
        raise NotFetched(f"The download ended after {size:,} of {declared_length:,} bytes.")


def _declared_length(response: http.client.HTTPResponse) -> int | None:
    declared = response.getheader("Content-Length") or ""
    if not declared.isdecimal():
        return None
    if len(declared) > MAX_LENGTH_DIGITS:
        raise NotFetched("The server declares an impossible length.")
    return int(declared)


def _remaining(deadline: float) -> float:
    """Seconds until the deadline or read timeout."""
    seconds = deadline - time.monotonic()
    if seconds <= 0:
        raise Timeout("The download took too long.", "Raise `acquire.fetch_timeout`, or download it and give the file.")
    return min(seconds, READ_TIMEOUT_SECONDS)


def _reason(error: Exception | None) -> str:
    if isinstance(error, TimeoutError):
        return "timed out"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error) or type(error).__name__


# -- worker job ---------------------------------------------------------------------------------------------------


def encode_request(request: FetchRequest, path: Path) -> bytes:
    """Request to the worker; the path may contain any bytes."""
    request_values = [request.url, request.max_bytes, request.seconds, request.allow_private]
    return orjson.dumps(request_values) + b"\n" + os.fsencode(path)


def fetch_job(job: bytes) -> Sequence[bytes]:
    """Worker job: metadata of the file, or one error."""
    request_json, _, path = job.partition(b"\n")
    try:
        result = fetch(FetchRequest(*orjson.loads(request_json)), Path(os.fsdecode(path)))
        return [orjson.dumps({"mime": result.mime, "onward": result.redirects})]
    except TooLarge as error:
        return [orjson.dumps({"code": error.code, "size": error.size, "limit": error.limit})]
    except OpenseerError as error:
        return [orjson.dumps(error.as_record())]


def decode_result(frame: bytes) -> FetchResult:
    """Metadata from the worker result; raises its error."""
    decoded: dict[str, Any] = orjson.loads(frame)
    if "code" not in decoded:
        return FetchResult(decoded["mime"], tuple(decoded["onward"]))
    if decoded["code"] == TooLarge.code:
        raise TooLarge(decoded["size"], decoded["limit"])
    raise ERRORS_BY_CODE[decoded["code"]](decoded["message"], decoded["hint"])
