"""Forty honest phones and one rogue among them, over real HTTP on loopback.

Each honest phone has a live stream and fetches its view at every number, looks at pages, and one of
them moves a ship now and then. The rogue has a seat, too, and comes from the same address. It
floods the server with requests, connections that say nothing or drip, moves of a ship, large
bodies, wrong codes and streams. Its turns alternate with turns without it, in one run. Figures: the
95th percentile of the honest phones' requests with it over that without it, against the budget of
2.

    python -m benchmarks.crowd [SECONDS [ATTACK ...]]     a minute of all attacks by default

The processor time of the server is printed, too: other programs on this machine change it less.
"""

import contextlib
import itertools
import json
import math
import multiprocessing
import random
import socket
import struct
import sys
import threading
import time
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from http.client import HTTPConnection, HTTPException
from multiprocessing.connection import Connection

import numpy as np

from web import create_app
from web.auth.seats import Role
from web.data_folder import table_in_memory
from web.http.context import ServerContext
from web.http.server import serve
from web.scenes import demo_scene
from web.server.listeners import listen

PHONES = 40
SECONDS = 60.0
TURN_SECONDS = 8.0
BEGIN_SECONDS = 3.0
"""How long the phones come in before the first turn."""
SETTLING_SECONDS = 2.0
"""At the beginning of each turn, what was asked before is still being answered."""
LOOKS_EACH_SECOND = 0.5
"""How often each phone asks for something of its own accord."""
BUDGET = 2.0
_PATHS = ("/api/view", "/api/view", "/table", "/ships", "/log", "/static/css/tokens.css")
_FLOOD = ("/api/view", "/table", "/proof.png", "/calculator", "/openapi.json", "/api/rules")


@dataclass(frozen=True, slots=True)
class Asked:
    """One request of an honest phone."""

    at: float
    seconds: float
    status: int


@dataclass(slots=True)
class Browser:
    """A phone's way of asking: one connection, opened again when it was closed."""

    port: int
    cookie: str
    connection: HTTPConnection | None = None

    def ask(self, method: str, path: str, body: bytes | None = None) -> int:
        """The status of a request; 0 if none came."""
        for _ in range(2):
            if self.connection is None:
                self.connection = HTTPConnection("127.0.0.1", self.port, timeout=30)
            try:
                self.connection.request(method, path, body, self.headers(body))
                response = self.connection.getresponse()
                response.read()
            except (OSError, HTTPException):
                # As a browser does: a connection that was closed meanwhile is opened again.
                self.connection.close()
                self.connection = None
            else:
                return response.status
        return 0

    def headers(self, body: bytes | None) -> dict[str, str]:
        """What a page of ours sends."""
        sent = {"Cookie": f"dreyer={self.cookie}", "Origin": f"http://127.0.0.1:{self.port}"}
        if body is not None:
            sent["Content-Type"] = "image/png" if body[:1] == b"\x89" else "application/json"
        return sent


# The honest phones


def look(browser: Browser, number: int, end: float, asked: list[Asked]) -> None:
    """Ask for pages and views; the first phone moves a ship now and then."""
    chance = random.Random(number)  # noqa: S311  # No secret.
    while (now := time.monotonic()) < end:
        time.sleep(min(chance.expovariate(LOOKS_EACH_SECOND), end - now))
        method, path, body = "GET", chance.choice(_PATHS), None
        if number == 0:
            method, path, body = "POST", "/api/ships/Hood/place", _place(chance)
        began = time.monotonic()
        status = browser.ask(method, path, body)
        asked.append(Asked(began, time.monotonic() - began, status))


def follow(browser: Browser, end: float, asked: list[Asked]) -> None:
    """Follow the live stream, and fetch the view at every number."""
    while time.monotonic() < end:
        with contextlib.suppress(OSError, HTTPException):
            stream = HTTPConnection("127.0.0.1", browser.port, timeout=30)
            stream.request("GET", "/api/live", headers=browser.headers(None))
            response = stream.getresponse()
            if response.status != 200:
                asked.append(Asked(time.monotonic(), 0.0, response.status))
                time.sleep(1.0)
            event = b""
            while time.monotonic() < end and (line := response.readline()):
                if line.startswith(b"event: "):
                    event = line.split()[1]
                elif line.startswith(b"data: ") and event == b"seq":
                    began = time.monotonic()
                    status = browser.ask("GET", "/api/view")
                    asked.append(Asked(began, time.monotonic() - began, status))


def phones(port: int, cookies: Sequence[str], pipe: Connection) -> None:
    """All honest phones, in a process of their own."""
    pipe.send("ready")
    end = pipe.recv()[-1][1]
    asked: list[Asked] = []
    threads = [
        threading.Thread(target=partial(work, Browser(port, cookie)), daemon=True)
        for number, cookie in enumerate(cookies)
        for work in (
            partial(look, number=number, end=end, asked=asked),
            partial(follow, end=end, asked=asked),
        )
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(0.0, end + 15 - time.monotonic()))
    pipe.send(list(asked))


def _place(chance: random.Random) -> bytes:
    place = {"x": chance.uniform(1e3, 9e3), "y": chance.uniform(1e3, 9e3), "heading": 8}
    return json.dumps(place).encode()


# The rogue

Attack = Callable[[int, str, float], None]


def flood(port: int, cookie: str, end: float) -> None:
    """Everything that costs the server much, as fast as it comes."""
    browser = Browser(port, cookie)
    for path in itertools.cycle(_FLOOD):
        if time.monotonic() >= end:
            return
        browser.ask("GET", path)


def push(port: int, cookie: str, end: float) -> None:
    """Move a ship without end, so that all others fetch their views."""
    browser, chance = Browser(port, cookie), random.Random(7)  # noqa: S311
    while time.monotonic() < end:
        browser.ask("POST", "/api/ships/Bismarck/place", _place(chance))


def say_nothing(port: int, _: str, end: float) -> None:
    """Many connections that say nothing, or a byte now and then."""
    idle: list[socket.socket] = []
    while time.monotonic() < end:
        with contextlib.suppress(OSError):
            idle.append(socket.create_connection(("127.0.0.1", port), timeout=5))
        for each in idle[-400::7]:
            with contextlib.suppress(OSError):
                each.send(b"G")
        if len(idle) > 400:
            idle.pop(0).close()
        time.sleep(0.005)
    for each in idle:
        each.close()


def upload(port: int, cookie: str, end: float) -> None:
    """Photos of many pixels in few bytes, and large bodies that are none."""
    browser = Browser(port, cookie)
    for body in itertools.cycle((empty_png(7700), b"\x89" + bytes(8_000_000))):
        if time.monotonic() >= end:
            return
        browser.ask("POST", "/api/photo", body)


def guess(port: int, _: str, end: float) -> None:
    """Wrong codes, without a cookie."""
    body = json.dumps({"code": "AAAAAA", "name": "Eve", "pin": "0000"}).encode()
    browser = Browser(port, "")
    while time.monotonic() < end:
        browser.ask("POST", "/api/return", body)


def streams(port: int, cookie: str, end: float) -> None:
    """More and more live streams."""
    opened: list[HTTPConnection] = []
    while time.monotonic() < end:
        with contextlib.suppress(OSError, HTTPException):
            one = HTTPConnection("127.0.0.1", port, timeout=5)
            opened.append(one)
            one.request("GET", "/api/live", headers={"Cookie": f"dreyer={cookie}"})
            one.getresponse()
        if len(opened) > 30:
            opened.pop(0).close()
        time.sleep(0.02)
    for each in opened:
        each.close()


ATTACKS: dict[str, tuple[Attack, int]] = {
    "flood": (flood, 8),
    "push": (push, 2),
    "silence": (say_nothing, 1),
    "upload": (upload, 3),
    "guess": (guess, 2),
    "streams": (streams, 1),
}
"""Each attack, and by how many threads."""


def rogue(port: int, cookie: str, attacks: Sequence[str], pipe: Connection) -> None:
    """The attacks at once, in each of the rogue's turns; a process of its own."""
    pipe.send("ready")
    for begin, end in pipe.recv()[1::2]:
        time.sleep(max(0.0, begin - time.monotonic()))
        threads = [
            threading.Thread(target=attack, args=(port, cookie, end), daemon=True)
            for attack, count in (ATTACKS[name] for name in attacks)
            for _ in range(count)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(max(0.0, end + 5 - time.monotonic()))


def empty_png(side: int) -> bytes:
    """A black picture of so many pixels each way, in a few kilobytes."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        )

    head = struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
    rows = zlib.compress(bytes((side + 1) * side), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


# The run


@dataclass(slots=True)
class Figures:
    """What was measured in the turns without the rogue, or in those with it."""

    asked: list[Asked] = field(default_factory=list)
    seconds: float = 0.0
    processor_seconds: float = 0.0
    """Of the server."""


def run(seconds: float, attacks: Sequence[str]) -> tuple[Figures, Figures]:
    """The figures without the rogue, and with it."""
    server_context = ServerContext(table_in_memory(demo_scene))
    seats = server_context.session.seats

    def sit(number: int) -> str:
        side = ("british", "german")[number % 2]
        taken = seats.join(None, seats.code, f"Phone {number}", Role.PLAYER, side, "1234")
        return taken[1]

    cookies = [server_context.session.with_seats(lambda _, n=n: sit(n)) for n in range(PHONES + 1)]  # type: ignore[misc]
    spawn = multiprocessing.get_context("spawn")
    pipes, others = zip(*(spawn.Pipe() for _ in range(2)), strict=True)
    with (
        listen("127.0.0.1", 0) as door,
        serve(create_app(server_context=server_context), server_context, door),
    ):
        port = door.getsockname()[1]
        processes = [
            spawn.Process(target=phones, args=(port, cookies[1:], others[0])),
            spawn.Process(target=rogue, args=(port, cookies[0], attacks, others[1])),
        ]
        for process in processes:
            process.start()
        for pipe in pipes:
            pipe.recv()
        # What is made once, at the first request, is no rogue's doing.
        first_browser = Browser(port, cookies[0])
        for path in dict.fromkeys((*_PATHS, *_FLOOD)):
            first_browser.ask("GET", path)
        begin = time.monotonic() + BEGIN_SECONDS
        turns = [
            (begin + number * TURN_SECONDS, begin + (number + 1) * TURN_SECONDS)
            for number in range(2 * max(1, math.ceil(seconds / 2 / TURN_SECONDS)))
        ]
        for pipe in pipes:
            pipe.send(turns)
        found = Figures(), Figures()
        for number, (first, last) in enumerate(turns):
            time.sleep(max(0.0, first + SETTLING_SECONDS - time.monotonic()))
            began, used = time.monotonic(), time.process_time()
            time.sleep(max(0.0, last - began))
            found[number % 2].processor_seconds += time.process_time() - used
            found[number % 2].seconds += time.monotonic() - began
        asked: list[Asked] = pipes[0].recv()
        for process in processes:
            process.join(20)
            process.kill()
    for number, (first, last) in enumerate(turns):
        found[number % 2].asked.extend(
            each for each in asked if first + SETTLING_SECONDS <= each.at < last
        )
    return found


def main() -> None:
    """Print the figures against the budget."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else SECONDS
    attacks = sys.argv[2:] or list(ATTACKS)
    print(f"{PHONES} honest phones for {seconds:.0f} s, without a rogue and with one in turns")
    without, with_rogue = run(seconds, attacks)
    p95s = []
    for words, found in (("without the rogue", without), ("with the rogue", with_rogue)):
        asked = found.asked
        middle, p95, worst = np.percentile([each.seconds for each in asked], [50, 95, 100])
        failed = sum(not 200 <= each.status < 400 for each in asked)
        p95s.append(p95)
        print(
            f"{words:<20}median {middle * 1e3:6.0f} ms   p95 {p95 * 1e3:6.0f} ms   "
            f"worst {worst * 1e3:6.0f} ms   ({len(asked)} requests, {failed} failed)   "
            f"processor {found.processor_seconds / found.seconds:.2f} s a second"
        )
    print(f"p95 with the rogue over without: {p95s[1] / p95s[0]:.2f} (at most {BUDGET:.0f})")


if __name__ == "__main__":
    main()
