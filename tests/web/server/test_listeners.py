"""The server on real sockets: slow, silent, greedy and broken clients, and who is served beside."""

import http.client
import json
import socket
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest

from web import create_app
from web.data_folder import table_in_memory
from web.http.context import ServerContext
from web.http.server import serve
from web.scenes import demo_scene
from web.server import listeners
from web.server.connections import STRANGERS_THIS_MACHINE
from web.server.listeners import listen


@contextmanager
def server() -> Iterator[tuple[ServerContext, int]]:
    server_context = ServerContext(table_in_memory(demo_scene))
    app = create_app(server_context=server_context)
    with listen("127.0.0.1", 0) as door, serve(app, server_context, door):
        yield server_context, door.getsockname()[1]


def host_cookie(server_context: ServerContext) -> str:
    return server_context.session.with_seats(lambda seats: seats.host_cookie(None))


def ask(
    port: int, path: str, cookie: str = "", method: str = "GET", body: bytes | None = None
) -> tuple[int, bytes]:
    """Status and body of a response."""
    sent = {"Cookie": f"dreyer={cookie}", "Origin": f"http://127.0.0.1:{port}"}
    if body is not None:
        sent["Content-Type"] = "application/json"
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=5)) as connection:
        connection.request(method, path, body, sent)
        response = connection.getresponse()
        return response.status, response.read()


def raw(port: int, sent: bytes, seconds: float = 5.0) -> bytes:
    """What comes back for some bytes until the server closes."""
    with closing(socket.create_connection(("127.0.0.1", port), timeout=seconds)) as connection:
        connection.sendall(sent)
        found = b""
        while part := connection.recv(65536):
            found += part
        return found


def is_closed(connection: socket.socket) -> bool:
    """Whether the server has closed a connection that expects nothing."""
    connection.setblocking(False)
    try:
        return connection.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionResetError:
        return True


def test_silent_connections_shut_nobody_out() -> None:
    with server() as (server_context, port):
        cookie = host_cookie(server_context)
        silent = [socket.create_connection(("127.0.0.1", port)) for _ in range(320)]
        # They are answered while all the silent ones may still wait for their first header.
        assert ask(port, "/healthz")[0] == 200
        assert ask(port, "/api/view", cookie)[0] == 200
        assert sum(not is_closed(each) for each in silent) <= STRANGERS_THIS_MACHINE
        for each in silent:
            each.close()


def test_a_header_that_drips_in_has_a_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listeners, "STRANGER_SECONDS", 0.4)
    with server() as (_, port):
        dripping = socket.create_connection(("127.0.0.1", port))
        end = time.monotonic() + 3
        sent = iter(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 1000)
        while not is_closed(dripping):
            assert time.monotonic() < end, "it is still open"
            dripping.setblocking(True)
            try:
                dripping.send(bytes([next(sent)]))
            except OSError:
                break
            time.sleep(0.05)
        dripping.close()


def test_a_connection_that_had_a_response_may_wait_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listeners, "STRANGER_SECONDS", 0.4)
    with (
        server() as (_, port),
        closing(socket.create_connection(("127.0.0.1", port), timeout=5)) as used,
        closing(socket.create_connection(("127.0.0.1", port), timeout=5)) as unused,
    ):
        for wait in (0.0, 0.8):
            time.sleep(wait)
            used.sendall(f"HEAD /healthz HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
            assert used.recv(65536).startswith(b"HTTP/1.1 200 ")
        assert unused.recv(1) == b""


def test_a_strangers_large_body_is_refused_before_it_is_read() -> None:
    with server() as (_, port):
        head = (
            f"POST /api/photo HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
            f"Origin: http://127.0.0.1:{port}\r\nContent-Type: image/jpeg\r\n"
        )
        # Only a part of it is ever sent: whoever waits for the rest answers too late.
        for length in ("Content-Length: 20000000", "Transfer-Encoding: chunked"):
            with closing(socket.create_connection(("127.0.0.1", port), timeout=2)) as connection:
                connection.sendall(f"{head}{length}\r\n\r\n".encode())
                assert connection.recv(65536).startswith(b"HTTP/1.1 401 ")
        # Sent as a whole, it is answered, too.
        status, said = ask(port, "/api/photo", method="POST", body=b"x" * 3_000_000)
        assert status == 401
        assert json.loads(said)["error"]["message"]


def test_one_large_body_of_a_caller_at_a_time() -> None:
    with server() as (server_context, port):
        cookie = host_cookie(server_context)
        head = (
            f"POST /api/photo HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: dreyer={cookie}\r\n"
            f"Origin: http://127.0.0.1:{port}\r\nContent-Type: image/jpeg\r\n"
            "Content-Length: 100000\r\n\r\n"
        )
        with closing(socket.create_connection(("127.0.0.1", port), timeout=5)) as first:
            first.sendall(head.encode() + b"x" * 1000)
            time.sleep(0.2)
            assert ask(port, "/api/photo", cookie, "POST", b"y" * 100_000)[0] == 429
            other = host_cookie(server_context)
            assert ask(port, "/api/photo", other, "POST", b"y" * 100_000)[0] == 415
            first.sendall(b"x" * 99_000)
            assert first.recv(100).startswith(b"HTTP/1.1 400 ")
        assert ask(port, "/api/photo", cookie, "POST", b"y" * 100_000)[0] == 415


def test_a_large_body_is_read_at_a_bounded_pace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.server.wsgi._BODY_BYTES_EACH_SECOND", 100_000)
    with server() as (server_context, port):
        began = time.monotonic()
        body = b"y" * 100_000
        assert ask(port, "/api/photo", host_cookie(server_context), "POST", body)[0] == 415
        assert time.monotonic() - began > 0.9


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", b"200"),
        (b"GET /healthz HTTP/1.0\r\n\r\n", b"200"),
        (b"GET http://localhost/healthz?a=1 HTTP/1.0\r\nHost: localhost\r\n\r\n", b"200"),
        (b"OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", b"200"),
        (b"GET / HTTP/1.1\r\nHost: a\r\nHost: localhost\r\nConnection: close\r\n\r\n", b"400"),
        (b"GET /%ff%00 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", b"404"),
        (b"GET / HTTP/1.1\r\nX\r\n\r\n", b"400"),
        (b"\x16\x03\x01\x02\x00\x01\r\n\r\n", b"400"),
        (b"POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx", b"400"),
        (b"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", b"400"),
        (b"POST / HTTP/1.1\r\nContent-Length: " + b"9" * 5000 + b"\r\n\r\n", b"400"),
        (
            b"POST / HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            b"400",
        ),
    ],
)  # fmt: skip
def test_odd_requests_get_an_answer(sent: bytes, status: bytes) -> None:
    with server() as (_, port):
        found = raw(port, sent)
        assert found.split(b" ")[1:2] == [status], found
        assert ask(port, "/healthz")[0] == 200


def test_a_header_with_an_underscore_cannot_pass_for_another() -> None:
    with server() as (server_context, port):
        cookie = host_cookie(server_context)
        sent = (
            f"POST /api/undo HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: dreyer={cookie}\r\n"
            "Content_Length: 7\r\nContent-Length: 2\r\nContent-Type: application/json\r\n"
            f"Origin: http://127.0.0.1:{port}\r\nConnection: close\r\n\r\n{{}}"
        )
        assert b"JSON" not in raw(port, sent.encode())


def test_a_connection_serves_one_request_after_another() -> None:
    with (
        server() as (_, port),
        closing(http.client.HTTPConnection("127.0.0.1", port, timeout=5)) as connection,
    ):
        for _ in range(3):
            connection.request("GET", "/healthz")
            response = connection.getresponse()
            assert (response.status, response.will_close) == (200, False)
            assert response.getheader("Date")
            response.read()
        connection.request("HEAD", "/join")
        response = connection.getresponse()
        assert (response.status, response.read()) == (200, b"")
        assert int(response.getheader("Content-Length") or 0) > 100
