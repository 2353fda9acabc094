"""The live link: what a stream says, how many there are, and that a phone gone frees its place."""

import http.client
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest
from flask import Flask

from tests.web.phones import Phone, host_of, running_in, seated, words_of
from web import create_app
from web.data_folder import table_in_memory
from web.http.context import ServerContext
from web.http.server import serve
from web.live import MOST, MOST_EACH, Stream, Streams, events
from web.scenes import demo_scene
from web.server.listeners import listen


class Table:
    """A number and a clock that only move when they are told to."""

    def __init__(self) -> None:
        self.seq, self.now = 7, 0.0
        self.waits: list[float] = []

    def clock(self) -> float:
        """The time."""
        return self.now

    def wait(self, after: int, timeout: float) -> int:
        """As a session waits; the time passes at once."""
        if self.seq == after:
            self.waits.append(timeout)
            self.now += timeout
        return self.seq


def opened(table: Table) -> tuple[Streams, Stream]:
    """Streams on a table, and one of them."""
    streams = Streams(table.clock)
    stream = streams.open("ann")
    assert stream is not None
    return streams, stream


def test_a_stream_says_the_number_at_once_and_at_each_change() -> None:
    table = Table()
    streams, stream = opened(table)
    said = events(table.wait, stream, streams, lambda: False)
    assert next(said) == b"retry: 1000\n\n"
    assert next(said) == b"event: seq\ndata: 7\n\n"
    table.seq = 9
    assert next(said) == b"event: seq\ndata: 9\n\n"


def test_a_silent_stream_beats_and_ends_in_time() -> None:
    table = Table()
    streams, stream = opened(table)
    said = list(events(table.wait, stream, streams, lambda: False))
    assert said.count(b"event: beat\ndata: 7\n\n") == 8
    assert said[-1] == b"event: bye\ndata: life\n\n"
    assert table.now == 90
    # A phone that is gone is noticed within a second.
    assert max(table.waits) <= 1


def test_a_stream_ends_when_its_phone_is_gone() -> None:
    table = Table()
    gone: list[int] = []
    streams, stream = opened(table)
    said = events(table.wait, stream, streams, lambda: bool(gone))
    next(said), next(said)
    gone.append(1)
    assert list(said) == []


def test_the_oldest_of_a_greedy_browser_gives_way() -> None:
    table = Table()
    streams = Streams(table.clock)
    own = [streams.open("ann") for _ in range(MOST_EACH + 1)]
    assert len(streams) == MOST_EACH
    assert own[0] is not None
    said = list(events(table.wait, own[0], streams, lambda: False))
    assert said[-1] == b"event: bye\ndata: full\n\n"
    streams.close(own[0])
    assert len(streams) == MOST_EACH


def test_when_all_are_taken_whoever_has_many_gives_way_and_nobody_else() -> None:
    streams = Streams(most=4)
    ann = [streams.open("ann") for _ in range(2)]
    assert all(streams.open(name) for name in ("bob", "cid"))
    assert streams.open("dan") is not None
    assert len(streams) == 4
    assert ann[0] is not None
    assert ann[0].reason == "full"
    assert streams.open("eve") is None
    streams.end_all()
    assert streams.open("fay") is None


def test_a_stream_needs_a_seat(app: Flask) -> None:
    response = Phone(app).get("/api/live")
    assert response.status_code == 401


def test_no_place_is_said_with_when_to_ask_again(app: Flask) -> None:
    server_context = running_in(app)
    for number in range(MOST):
        assert server_context.streams.open(f"phone {number}") is not None
    response = seated(app).get("/api/live")
    assert response.status_code == 503
    assert response.headers["Retry-After"] == "5"
    assert "every few seconds" in words_of(response)


def test_an_answer_that_is_never_read_gives_its_place_back(app: Flask) -> None:
    ann, server_context = seated(app), running_in(app)
    response = ann.send("GET", "/api/live", buffered=False)
    assert response.mimetype == "text/event-stream"
    assert len(server_context.streams) == 1
    seat = ann.view()["you"]["seat"]
    response.close()
    assert len(server_context.streams) == 0
    assert server_context.session.is_present(seat)


# On a real server


@contextmanager
def server(**more: float) -> Iterator[tuple[ServerContext, int]]:
    """The table on a port of its own."""
    server_context = ServerContext(table_in_memory(demo_scene), streams=Streams(**more))  # type: ignore[arg-type]
    app = create_app(server_context=server_context)
    with listen("127.0.0.1", 0) as door, serve(app, server_context, door):
        yield server_context, door.getsockname()[1]


def host_cookie(server_context: ServerContext) -> str:
    """A cookie of the host."""
    return server_context.session.with_seats(lambda seats: seats.host_cookie(None))


def open_stream(port: int, cookie: str) -> http.client.HTTPResponse:
    """A stream as a browser opens it."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    # The response then owns the socket, and closes it.
    sent = {"Cookie": f"dreyer={cookie}", "Connection": "close"}
    connection.request("GET", "/api/live", headers=sent)
    response = connection.getresponse()
    assert response.status == 200
    return response


def status_of(port: int, path: str, cookie: str = "") -> int:
    """What a request is answered with."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=5)) as connection:
        connection.request("GET", path, headers={"Cookie": f"dreyer={cookie}"})
        return connection.getresponse().status


def read_until(response: http.client.HTTPResponse, start: bytes) -> bytes:
    """The next line that begins like this."""
    while line := response.readline():
        if line.startswith(start):
            return line
    raise AssertionError("the stream ended")


def until(done: "object", seconds: float = 5.0) -> None:
    """Wait until something is so."""
    assert callable(done)
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.02)


def test_a_change_reaches_twenty_phones_at_once() -> None:
    with server() as (server_context, port):
        phones = [open_stream(port, host_cookie(server_context)) for _ in range(20)]
        for phone in phones:
            read_until(phone, b"data: ")
        began = time.monotonic()
        seq = server_context.session.with_seats(lambda _: server_context.session.seq) + 1
        for phone in phones:
            while int(read_until(phone, b"data: ").split()[1]) < seq:
                pass
        assert time.monotonic() - began < 2
        for phone in phones:
            phone.close()
        until(lambda: len(server_context.streams) == 0)


def test_a_phone_that_goes_frees_its_worker() -> None:
    with server() as (server_context, port):
        phone = open_stream(port, host_cookie(server_context))
        read_until(phone, b"data: ")
        assert len(server_context.streams) == 1
        phone.close()
        until(lambda: len(server_context.streams) == 0)


def test_many_streams_leave_workers_for_everyone_else() -> None:
    with server() as (server_context, port):
        phones = [open_stream(port, host_cookie(server_context)) for _ in range(MOST)]
        assert status_of(port, "/api/live", host_cookie(server_context)) == 503
        assert status_of(port, "/healthz") == 200
        for phone in phones:
            phone.close()


def test_a_stream_ends_by_itself_and_the_connection_stays_usable() -> None:
    with server(life_seconds=0.3) as (server_context, port):
        sent = {"Cookie": f"dreyer={host_cookie(server_context)}"}
        with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=10)) as connection:
            for _ in range(2):
                connection.request("GET", "/api/live", headers=sent)
                assert b"bye\ndata: life" in connection.getresponse().read()


def test_the_server_ends_though_streams_are_open() -> None:
    with server() as (server_context, port):
        phones = [open_stream(port, host_cookie(server_context)) for _ in range(5)]
        began = time.monotonic()
    assert time.monotonic() - began < 4
    assert b"ending" in phones[0].read()
    for phone in phones:
        phone.close()
    names = [thread.name for thread in threading.enumerate()]
    assert not [name for name in names if name.startswith(("event loop", "worker ", "stream"))]


def test_a_connection_that_says_nothing_blocks_nobody() -> None:
    with server() as (_, port):
        silent = [socket.create_connection(("127.0.0.1", port)) for _ in range(80)]
        assert status_of(port, "/healthz") == 200
        for each in silent:
            each.close()


@pytest.mark.parametrize("method", ["HEAD", "OPTIONS"])
def test_other_looks_hold_no_place(app: Flask, method: str) -> None:
    host = host_of(app)
    host.send(method, "/api/live").close()
    assert len(running_in(app).streams) == 0
