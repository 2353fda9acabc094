"""`python -m benchmarks.powercut [CUTS]`: a real server killed at random moments under load.

Phones move ships, lay plots and repeat what was not answered with the same key, as the page does.
After every cut the server starts again on the same folder. In the end the journal must hold every
action that was acknowledged, and none twice.
"""

import http.client
import json
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

CUTS = 100
PHONES = 4
_START_SECONDS = 60.0
_LONGEST_LIFE_SECONDS = 0.8
_WAIT_SECONDS = 0.02


@dataclass(slots=True)
class Tally:
    """What the phones were told, and what was left of it."""

    acknowledged: set[float] = field(default_factory=set)
    """Actions by the place that a ship was moved to, which no other action has."""
    cuts: int = 0
    lost: list[float] = field(default_factory=list)
    twice: list[float] = field(default_factory=list)


class Server:
    """`dreyer serve` as a process of its own, on one folder and one port."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self.port = 0
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start it and wait until it answers."""
        self._process = subprocess.Popen(  # noqa: S603  # Our own command.
            [
                *(sys.executable, "-m", "web.cli", "serve", "--demo", "--no-camera"),
                *("--no-browser", "--port", str(self.port), "--data", str(self._data)),
            ],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        self.port = int(line.partition("127.0.0.1:")[2].partition("/")[0])

    def kill(self) -> None:
        """As a power cut would: no warning, no last words."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()


class Phone(threading.Thread):
    """Acts without end; what was not answered is sent again with the same key."""

    def __init__(self, server: Server, tally: Tally, lock: threading.Lock, seed: int) -> None:
        super().__init__(daemon=True)
        self._server, self._tally, self._lock = server, tally, lock
        self._chance = random.Random(seed)  # noqa: S311  # A load, not a secret.
        self._cookie = ""
        self.ended = threading.Event()

    def run(self) -> None:
        """One action after the other."""
        for path, body in self._actions():
            key = uuid.uuid4().hex
            while not self.ended.is_set():
                answer = self._send(path, body, key)
                if answer is None:
                    time.sleep(_WAIT_SECONDS)
                    continue
                if answer == http.HTTPStatus.OK:
                    with self._lock:
                        self._tally.acknowledged.add(body["x"])
                break
            if self.ended.is_set():
                return

    def _actions(self) -> Iterator[tuple[str, dict[str, Any]]]:
        ships = ("Hood", "Prince of Wales", "Bismarck", "Prinz Eugen")
        while True:
            ship = self._chance.choice(ships).replace(" ", "%20")
            x, y = self._chance.uniform(0, 36_000), self._chance.uniform(0, 24_000)
            yield f"/api/ships/{ship}/place", {"x": x, "y": y, "heading": 90.0}

    def _send(self, path: str, body: dict[str, Any], key: str) -> int | None:
        """The status, or None where no answer came."""
        here = f"127.0.0.1:{self._server.port}"
        try:
            with closing(http.client.HTTPConnection(here, timeout=5)) as line:
                if not self._cookie:
                    line.request("GET", "/", headers={"Host": here})
                    response = line.getresponse()
                    response.read()
                    self._cookie = (response.getheader("Set-Cookie") or "").partition(";")[0]
                headers = {
                    "Host": here,
                    "Origin": f"http://{here}",
                    "Content-Type": "application/json",
                    "Idempotency-Key": key,
                    "Cookie": self._cookie,
                }
                line.request("POST", path, json.dumps(body), headers)
                response = line.getresponse()
                response.read()
                return response.status
        except (OSError, http.client.HTTPException):
            return None


def run(cuts: int, seed: int = 1941) -> Tally:
    """Cut the power so many times, and compare the journal with what was acknowledged."""
    chance = random.Random(seed)  # noqa: S311  # A schedule, not a secret.
    tally, lock = Tally(), threading.Lock()
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        server = Server(data)
        server.start()
        phones = [Phone(server, tally, lock, seed + number) for number in range(PHONES)]
        for phone in phones:
            phone.start()
        for _ in range(cuts):
            time.sleep(chance.uniform(0.05, _LONGEST_LIFE_SECONDS))
            server.kill()
            tally.cuts += 1
            server.start()
        time.sleep(_LONGEST_LIFE_SECONDS)
        for phone in phones:
            phone.ended.set()
        for phone in phones:
            phone.join(10)
        server.kill()
        found = Counter(_places(data))
    tally.lost = sorted(tally.acknowledged - found.keys())
    tally.twice = sorted(key for key, count in found.items() if count > 1)
    return tally


def _places(data: Path) -> Iterator[float]:
    """Where ships were moved to, by every journal in the folder."""
    for path in sorted(data.rglob("*.db")):
        with closing(sqlite3.connect(path)) as base:
            rows = base.execute("SELECT data FROM journal WHERE kind = 'ships_placed'").fetchall()
        for (text,) in rows:
            yield from (ship["x"] for ship in json.loads(text)["ships"])


def main() -> None:
    """Print what was left after the cuts; exit 1 if anything was lost or done twice."""
    cuts = int(sys.argv[1]) if len(sys.argv) > 1 else CUTS
    tally = run(cuts)
    print(
        f"Power cut {tally.cuts} times under load: {len(tally.acknowledged):,} actions "
        f"acknowledged, {len(tally.lost)} lost, {len(tally.twice)} done twice"
    )
    if tally.lost or tally.twice:
        sys.exit(1)


if __name__ == "__main__":
    main()
