"""Downloads: address checks and size limits."""

from __future__ import annotations

import contextlib
import socket
import threading
import time

import pytest

from openseer.acquire.web import fetch
from openseer.acquire.web.fetch import FetchRequest, decode_result, encode_request, fetch_job, is_public, parse_url
from openseer.core.errors import AddressRefused, BadAddress, NotFetched, Timeout, TooLarge
from tests.local_site import site

PAPER = b"%PDF-1.4 a paper"


def fetched(url, tmp_path, allow_private=True, seconds=5.0, max_bytes=1000):
    """What the worker does, in this process."""
    (frame,) = fetch_job(encode_request(FetchRequest(url, max_bytes, seconds, allow_private), tmp_path / "got"))
    return decode_result(frame).mime, (tmp_path / "got").read_bytes()


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd", "ftp://example.org/a.pdf", "gopher://example.org", "javascript:1", "paper.pdf", "",
        "http://", "http://user:word@example.org/", "http://example.org:99999/", "http://exa mple.org/", "http://[::1",
        "http://example.org/\r\nHost: other", "http://" + "a" * 2000,
    ],
)  # fmt: skip
def test_invalid_urls_are_reported(url):
    with pytest.raises(BadAddress):
        parse_url(url)


@pytest.mark.parametrize(
    ("url", "host", "path", "authority"),
    [
        ("http://example.org", "example.org", "/", "example.org"),
        ("https://a.example:8443/a%20b.pdf?q=ü#part", "a.example", "/a%20b.pdf?q=%C3%BC", "a.example:8443"),
        ("http://bücher.example/x", "xn--bcher-kva.example", "/x", "xn--bcher-kva.example"),
        ("http://[2001:db8::1]:80/", "2001:db8::1", "/", "[2001:db8::1]"),
    ],
)  # fmt: skip
def test_a_url_is_parsed(url, host, path, authority):
    found = parse_url(url)
    assert (found.host, found.path, found.authority) == (host, path, authority)


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "127.8.9.10", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0",
        "224.0.0.1", "240.0.0.1", "255.255.255.255", "192.0.2.1", "::1", "::", "fe80::1%eth0", "fc00::1", "ff02::1",
        "fec0::1", "3fff::1", "5f00::1", "192.0.0.8",
        "::ffff:127.0.0.1", "::ffff:169.254.169.254", "2002:7f00:1::", "64:ff9b::7f00:1",
    ],
)  # fmt: skip
def test_addresses_that_are_not_public(address):
    assert not is_public(address)


@pytest.mark.parametrize("address", ["9.9.9.9", "2620:fe::fe", "::ffff:9.9.9.9", "64:ff9b::909:909"])
def test_addresses_that_are_public(address):
    assert is_public(address)


def test_a_file_is_fetched_by_way_of_redirects(tmp_path):
    pages = {
        "/a": (302, {"Location": "/b"}, b""),
        "/b": (308, {"Location": "c.pdf"}, b""),
        "/c.pdf": (200, {"Content-Type": "application/pdf"}, PAPER),
    }
    with site(pages) as address:
        assert fetched(f"{address}/a", tmp_path) == ("application/pdf", PAPER)
        got = fetch.fetch(FetchRequest(f"{address}/a", 1000, 5.0, True), tmp_path / "again")
    assert got.redirects == (f"{address}/b", f"{address}/c.pdf")


def test_this_machine_is_refused_unless_it_is_allowed(tmp_path):
    with site({"/": (200, {}, PAPER)}) as address:
        for url in (address, address.replace("127.0.0.1", "localhost"), address.replace("127.0.0.1", "2130706433")):
            with pytest.raises(AddressRefused):
                fetched(url, tmp_path, allow_private=False)
        assert fetched(address, tmp_path)[1] == PAPER


def test_every_redirect_is_checked(tmp_path, monkeypatch):
    monkeypatch.setattr(fetch, "is_public", lambda address: address == "127.0.0.2")
    with site({"/secret": (200, {}, b"keys")}) as inside:
        pages = {
            "/in": (302, {"Location": f"{inside}/secret"}, b""),
            "/file": (302, {"Location": "file:///etc/passwd"}, b""),
            "/round": (302, {"Location": "/round"}, b""),
        }
        with site(pages, "127.0.0.2") as outside:
            for path, error in (("/in", AddressRefused), ("/file", BadAddress), ("/round", NotFetched)):
                with pytest.raises(error):
                    fetched(outside + path, tmp_path, allow_private=False)


def test_a_name_that_changes_its_address_gains_nothing(tmp_path, monkeypatch):
    """The address that was checked is the one that is connected to: the name is asked for once."""
    asked = []

    def changing(host, port, **kind):
        asked.append(host)
        address = "127.0.0.2" if len(asked) == 1 else "127.0.0.1"
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))]

    monkeypatch.setattr(fetch, "is_public", lambda address: address == "127.0.0.2")
    with site({"/": (200, {}, PAPER)}, "127.0.0.2") as outside:
        monkeypatch.setattr(socket, "getaddrinfo", changing)
        url = outside.replace("127.0.0.2", "changing.example")
        assert fetched(url, tmp_path, allow_private=False)[1] == PAPER
    assert asked == ["changing.example"]


def test_sizes_are_limited_with_or_without_content_length(tmp_path):
    def endless(visitor):
        visitor.send_response(200)
        visitor.end_headers()
        with contextlib.suppress(OSError):
            while True:
                visitor.wfile.write(b"x" * 1000)

    def cut(visitor):
        visitor.send_response(200)
        visitor.send_header("Content-Length", "500")
        visitor.end_headers()
        visitor.wfile.write(PAPER)

    with site({"/told": (200, {"Content-Length": "9999999"}, b""), "/endless": endless, "/cut": cut}) as address:
        with pytest.raises(TooLarge):
            fetched(f"{address}/told", tmp_path)
        with pytest.raises(TooLarge):
            fetched(f"{address}/endless", tmp_path)
        with pytest.raises(NotFetched, match="download ended after"):
            fetched(f"{address}/cut", tmp_path)


def test_a_slow_server_times_out(tmp_path):
    over = threading.Event()

    def dripping(visitor):
        visitor.send_response(200)
        visitor.end_headers()
        with contextlib.suppress(OSError):
            while not over.wait(0.02):
                visitor.wfile.write(b"x")

    with site({"/slow": dripping}) as address:
        with pytest.raises(Timeout):
            fetched(f"{address}/slow", tmp_path, seconds=0.3)
        over.set()


def test_missing_files_and_hosts_are_reported(tmp_path):
    with site({}) as address, pytest.raises(NotFetched, match="404"):
        fetched(f"{address}/none", tmp_path)
    with pytest.raises(NotFetched):
        fetched(address, tmp_path)
    with pytest.raises(NotFetched, match="Unknown host"):
        fetched("http://nobody.invalid/", tmp_path)


@pytest.mark.parametrize(
    ("head", "error"), [({"Location": "http://["}, BadAddress), ({"Content-Length": "9" * 5000}, NotFetched)]
)
def test_impossible_headers_of_a_server_are_reported(tmp_path, head, error):
    with site({"/a": (302 if "Location" in head else 200, head, b"")}) as address, pytest.raises(error):
        fetched(f"{address}/a", tmp_path)


def test_a_head_that_drips_is_ended_at_the_deadline(tmp_path):
    ended = threading.Event()

    def drip(visitor):
        with contextlib.suppress(OSError):
            while not ended.wait(0.05):
                visitor.wfile.write(b"HTTP/1.1 200 OK\r\nX-a: b\r\n" if visitor.path else b"")
                visitor.path = ""
                visitor.wfile.write(b"X-c: d\r\n")
                visitor.wfile.flush()

    began = time.monotonic()
    with site({"/a": drip}) as address:
        with pytest.raises(Timeout):
            fetched(f"{address}/a", tmp_path, seconds=0.3)
        ended.set()
    assert time.monotonic() - began < 3
