"""A file from the web, fetched in a worker: http and https only, and from no address that is not public.

A name is resolved once, and the connection goes to the very address that was checked, so a name that changes its
address in between gains nothing. Every redirect is checked like the first address.
"""

from __future__ import annotations

import http.client
import ipaddress
import os
import socket
import ssl
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, urljoin, urlsplit, urlunsplit

import orjson

from openseer.core.errors import AddressRefused, BadAddress, NotFetched, OpenseerError, Timeout, TooLarge

BLOCK = 1 << 16
REDIRECTS = 5
LONGEST = 2000
"""Characters of an address."""
PATIENCE = 15.0
"""Seconds without a byte."""
NAT64 = ipaddress.ip_network("64:ff9b::/96")
MOVED = (301, 302, 303, 307, 308)
HEADERS = {
    "User-Agent": "openseer (fetches what its users name)",
    "Accept": "application/pdf, application/zip, */*;q=0.1",
    "Accept-Encoding": "identity",
    "Connection": "close",
}
PORTS = {"http": 80, "https": 443}
RAISED: dict[str, type[OpenseerError]] = {one.code: one for one in (AddressRefused, BadAddress, NotFetched, Timeout)}


@dataclass(frozen=True, slots=True)
class Terms:
    """What is fetched, and what it may take."""

    url: str
    max_bytes: int
    seconds: float
    allow_private: bool = False


@dataclass(frozen=True, slots=True)
class Target:
    """An address taken apart."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def authority(self) -> str:
        """As it is written in the Host header."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == PORTS[self.scheme] else f"{host}:{self.port}"


def target_of(url: str) -> Target:
    """An address that may be asked for, or why it may not."""
    if len(url) > LONGEST or any(char.isspace() or not char.isprintable() for char in url):
        raise BadAddress("This is no address: it is too long or has blanks in it.")
    try:
        parts = urlsplit(url)
        port = parts.port
        host = (parts.hostname or "").encode("idna").decode("ascii") if parts.hostname else ""
    except (ValueError, UnicodeError):
        raise BadAddress("This address cannot be understood.") from None
    if parts.scheme not in PORTS:
        raise BadAddress(f"Only http and https addresses are fetched, not {parts.scheme or 'this'}.")
    if not host or parts.username or parts.password:
        raise BadAddress("The address names no host." if not host else "Addresses with a password are not fetched.")
    path = quote(urlunsplit(("", "", parts.path or "/", parts.query, "")), safe="/%?&=:;@!$'()*+,~#[]")
    return Target(parts.scheme, host, port or PORTS[parts.scheme], path)


def is_public(address: str) -> bool:
    """Whether an address is one of the open Internet, also when it is wrapped in another.

    >>> [is_public(one) for one in ("9.9.9.9", "127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::a00:1", "224.0.0.1")]
    [True, False, False, False, False]
    """
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        inner = found.ipv4_mapped or found.sixtofour or (found.teredo[1] if found.teredo else None)
        if inner is None and found in NAT64:
            inner = ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(str(inner))
    return found.is_global and not found.is_multicast and not found.is_reserved and not found.is_unspecified


def addresses_of(target: Target, allow_private: bool) -> list[tuple[int, str]]:
    """(family, address) of a host, each of which may be connected to."""
    try:
        found = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise NotFetched(f"There is no host {target.host}.") from error
    every = [(int(family), str(where[0])) for family, _, _, _, where in found]
    allowed = [one for one in every if allow_private or is_public(one[1])]
    if not allowed:
        raise AddressRefused(f"{target.host} is not on the open Internet.")
    return allowed


@dataclass(frozen=True, slots=True)
class Got:
    """What is known of a file that was fetched."""

    mime: str = ""
    """What its server called it."""
    onward: tuple[str, ...] = ()
    """Addresses that the first one led to, the last of which gave it."""


def fetch(terms: Terms, path: Path) -> Got:
    """Write what the address gives into a file."""
    until, url = time.monotonic() + terms.seconds, terms.url
    onward: list[str] = []
    for _ in range(REDIRECTS + 1):
        target = target_of(url)
        connection = _connected(target, terms, until)
        with closing(connection):
            answer = _asked(connection, target)
            if answer.status in MOVED and (place := answer.getheader("Location")):
                url = urljoin(url, place)
                onward.append(url)
                continue
            if answer.status != 200:
                raise NotFetched(f"The server answers {answer.status} {answer.reason}.")
            _write(answer, terms, path, until)
            return Got(str(answer.getheader("Content-Type") or "")[:100], tuple(onward))
    raise NotFetched(f"The address leads on more than {REDIRECTS} times.")


def _connected(target: Target, terms: Terms, until: float) -> http.client.HTTPConnection:
    trouble: Exception | None = None
    for family, address in addresses_of(target, terms.allow_private):
        door = socket.socket(family, socket.SOCK_STREAM)
        door.settimeout(_left(until))
        try:
            door.connect((address, target.port))
            if target.scheme == "https":
                door = ssl.create_default_context().wrap_socket(door, server_hostname=target.host)
            connection = http.client.HTTPConnection(target.host, target.port)
            connection.sock = door
        except OSError as error:
            door.close()
            trouble = error
        else:
            return connection
    raise NotFetched(f"{target.host} cannot be reached: {_reason(trouble)}.")


def _asked(connection: http.client.HTTPConnection, target: Target) -> http.client.HTTPResponse:
    try:
        connection.putrequest("GET", target.path, skip_host=True, skip_accept_encoding=True)
        connection.putheader("Host", target.authority)
        for name, value in HEADERS.items():
            connection.putheader(name, value)
        connection.endheaders()
        return connection.getresponse()
    except (OSError, http.client.HTTPException) as error:
        raise NotFetched(f"{target.host} does not answer: {_reason(error)}.") from error


def _write(answer: http.client.HTTPResponse, terms: Terms, path: Path, until: float) -> None:
    told = answer.getheader("Content-Length") or ""
    if told.isdecimal() and int(told) > terms.max_bytes:
        raise TooLarge(int(told), terms.max_bytes)
    size = 0
    try:
        with path.open("wb") as out:
            while block := answer.read1(BLOCK):
                size += len(block)
                if size > terms.max_bytes:
                    raise TooLarge(size, terms.max_bytes)
                out.write(block)
                _left(until)
    except (TimeoutError, http.client.HTTPException, ssl.SSLError, ConnectionError) as error:
        raise NotFetched(f"The server stopped in the middle: {_reason(error)}.") from error
    if told.isdecimal() and size < int(told):
        raise NotFetched(f"The server stopped after {size:,} of {int(told):,} bytes.")


def _left(until: float) -> float:
    """Seconds that may be waited for."""
    left = until - time.monotonic()
    if left <= 0:
        raise Timeout("Fetching took too long.", "Raise `acquire.fetch_timeout`, or download it and give the file.")
    return min(left, PATIENCE)


def _reason(error: Exception | None) -> str:
    if isinstance(error, TimeoutError):
        return "no answer in time"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error) or type(error).__name__


# -- as a worker's errand -----------------------------------------------------------------------------------------


def order(terms: Terms, path: Path) -> bytes:
    """What the worker is told; a path may have any bytes."""
    told = [terms.url, terms.max_bytes, terms.seconds, terms.allow_private]
    return orjson.dumps(told) + b"\n" + os.fsencode(path)


def fetch_job(job: bytes) -> Sequence[bytes]:
    """Worker's part: what the server told, or one error."""
    told, _, path = job.partition(b"\n")
    try:
        got = fetch(Terms(*orjson.loads(told)), Path(os.fsdecode(path)))
        return [orjson.dumps({"mime": got.mime, "onward": got.onward})]
    except TooLarge as error:
        return [orjson.dumps({"code": error.code, "size": error.size, "limit": error.limit})]
    except OpenseerError as error:
        return [orjson.dumps(error.as_record())]


def got_of(frame: bytes) -> Got:
    """The worker's answer."""
    told: dict[str, Any] = orjson.loads(frame)
    if "code" not in told:
        return Got(told["mime"], tuple(told["onward"]))
    if told["code"] == TooLarge.code:
        raise TooLarge(told["size"], told["limit"])
    raise RAISED[told["code"]](told["message"], told["hint"])
