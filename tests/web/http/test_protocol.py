"""Connections that send slowly, too much or nothing."""

from __future__ import annotations

import os
import re
import resource
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager

import pytest

from openseer.storage.open import open_library
from openseer.web.http import protocol
from openseer.web.http.protocol import MAX_HEAD_BYTES
from tests.browser import served

WAIT_SECONDS = 15.0
HEALTH = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


@pytest.fixture(scope="module")
def port(tmp_path_factory):
    """A served empty library with short limits of time."""
    limits = {"HEAD_SECONDS": 0.4, "BODY_IDLE_SECONDS": 0.4, "LINGER_SECONDS": 0.4, "SWEEP_SECONDS": 0.05}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in limits.items():
            patch.setattr(protocol, name, value)
        with served(tmp_path_factory.mktemp("served") / "data") as address:
            yield int(address.rpartition(":")[2])


@contextmanager
def connected(port):
    with socket.create_connection(("127.0.0.1", port), timeout=WAIT_SECONDS) as connection:
        yield connection


def received(connection) -> bytes:
    """All bytes until the server closes."""
    parts = []
    try:
        while part := connection.recv(65536):
            parts.append(part)
    except ConnectionResetError:
        pass
    return b"".join(parts)


def test_an_incomplete_head_is_closed(port):
    for begin in (b"", b"GET / HTTP/1.1\r\nHost: x\r\nX-a: ", b"\r\n\r\n"):
        with connected(port) as connection:
            connection.sendall(begin)
            assert received(connection).startswith(b"HTTP/1.1 408 ")


def test_a_connection_without_a_next_request_is_closed(port):
    with connected(port) as connection:
        connection.sendall(HEALTH.replace(b"Connection: close\r\n", b""))
        answer = received(connection)
        assert answer.startswith(b"HTTP/1.1 200 ")
        assert answer.count(b"HTTP/1.1") == 1


@pytest.mark.parametrize("begin", [b"GET /x HTTP/1.1\r\nX-long: ", b"GET /", b"GET / HTTP/1.1\r\nX-a: b\r\n"])
def test_a_long_head_is_refused_early(port, begin):
    sent = 0
    with connected(port) as connection:
        connection.sendall(begin)
        block = b"a" * 8192 if begin[-1:] != b"\n" else b"X-a: b\r\n" * 1024
        try:
            while sent < 50_000_000:
                sent += connection.send(block)
        except OSError:
            pass
        answer = received(connection)
    assert sent < 50_000_000, "the server stopped reading; what was sent lies in buffers of the system"
    assert answer == b"" or answer.startswith(b"HTTP/1.1 431 ")


def test_a_complete_head_above_the_limit_is_refused(port):
    with connected(port) as connection:
        connection.sendall(b"GET /healthz HTTP/1.1\r\nX-long: " + b"a" * MAX_HEAD_BYTES + b"\r\n\r\n")
        assert received(connection).startswith(b"HTTP/1.1 431 ")
    with connected(port) as connection:
        connection.sendall(HEALTH.replace(b"Host", b"X-long: " + b"a" * (MAX_HEAD_BYTES - 1000) + b"\r\nHost"))
        assert received(connection).startswith(b"HTTP/1.1 200 ")


def test_a_body_that_stops_is_closed(port):
    with connected(port) as connection:
        connection.sendall(b"POST /api/search HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{")
        assert received(connection) == b""


def test_a_slow_body_that_goes_on_is_read(port):
    body = b'{"queryString": "a"}' + b" " * 980
    with connected(port) as connection:
        head = b"POST /api/search HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 1000\r\n"
        connection.sendall(head + b"Content-Type: application/json\r\n\r\n")
        for start in range(0, 1000, 200):
            connection.sendall(body[start : start + 200])
            time.sleep(0.02)
        assert received(connection).startswith(b"HTTP/1.1 200 ")


def test_the_body_of_a_refused_upload_is_not_taken(port):
    block, sent = b"x" * 65536, 0
    with connected(port) as connection:
        head = b"POST /submit HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=b\r\n"
        connection.sendall(head + b"Content-Length: 60000000\r\n\r\n")
        first = connection.recv(65536)
        assert first.startswith(b"HTTP/1.1 403 "), "before a byte of the body"
        try:
            while sent < 60_000_000:
                sent += connection.send(block)
        except OSError:
            pass
    assert sent < 30_000_000


def test_two_requests_at_a_time_are_answered_in_order(port):
    with connected(port) as connection:
        connection.sendall(HEALTH.replace(b"Connection: close\r\n", b"") + HEALTH)
        assert re.findall(rb"HTTP/1.1 (\d+)", received(connection)) == [b"200", b"200"]


def wait_until_it_answers(port) -> None:
    until = time.monotonic() + 60
    while True:
        try:
            with connected(port):
                return
        except ConnectionRefusedError:
            assert time.monotonic() < until
            time.sleep(0.05)


def test_silent_connections_leave_room_for_others(tmp_path):
    """A server with few descriptors and more silent connections than it may have."""
    descriptors = 128
    open_library(tmp_path, create=True).close()
    code = "import sys; from openseer.cli import main; sys.exit(main())"
    process = subprocess.Popen(
        [sys.executable, "-c", code, "--data", str(tmp_path), "serve", "--port", "0", "--workers", "1"],
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors)),
        env={**os.environ, "COLUMNS": "200"},
    )
    silent = []
    try:
        assert process.stderr is not None
        address = re.search(r":(\d+)/", process.stderr.readline())
        assert address is not None
        port = int(address[1])
        wait_until_it_answers(port)
        for _ in range(2 * descriptors):
            connection = socket.socket()
            connection.setblocking(False)
            connection.connect_ex(("127.0.0.1", port))
            silent.append(connection)
        with connected(port) as connection:
            connection.sendall(HEALTH)
            assert received(connection).startswith(b"HTTP/1.1 200 ")
    finally:
        for connection in silent:
            connection.close()
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=30)
