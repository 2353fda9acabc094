"""`python -m benchmarks.powercut [CUTS]`: a real server killed at random moments under load.

A battle is under way. Phones move ships and captains write plots, commit, take it back, and all
repeat what was not answered with the same key, as the page does. After every cut the server starts
again on the same folder. In the end the journals must hold every action that was acknowledged, and
none twice; and the battle must open.
"""

import hashlib
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

    acknowledged: set[str] = field(default_factory=set)
    """Actions by a mark that no other has: where a ship was moved to, or what the request was."""
    cuts: int = 0
    lost: list[str] = field(default_factory=list)
    twice: list[str] = field(default_factory=list)
    opens: bool = False
    """Whether the battle could be gone on with in the end."""


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
            self._act(path, body)
            if self.ended.is_set():
                return

    def begin(self) -> None:
        """Come in and act once, before the power is cut for the first time."""
        self._act(*next(self._actions()))

    def _act(self, path: str, body: dict[str, Any]) -> None:
        key = uuid.uuid4().hex
        while not self.ended.is_set():
            answer = self._send(path, body, key)
            if answer is None:
                time.sleep(_WAIT_SECONDS)
                continue
            if answer == http.HTTPStatus.OK:
                with self._lock:
                    self._tally.acknowledged.add(self._mark(path, body, key))
            return

    def must(self, path: str, body: dict[str, Any]) -> None:
        """One action before the load begins."""
        status = self._send(path, body, uuid.uuid4().hex)
        if status != http.HTTPStatus.OK:
            raise RuntimeError(f"{path} was answered with {status}")

    def sees_a_battle(self) -> bool:
        """Whether the battle is still under way for this phone."""
        here = f"127.0.0.1:{self._server.port}"
        with closing(http.client.HTTPConnection(here, timeout=20)) as line:
            line.request("GET", "/api/view", headers={"Host": here, "Cookie": self._cookie})
            view = json.loads(line.getresponse().read())
        return bool(view.get("battle")) and view["battle"]["step"]["kind"] == "plot"

    def _actions(self) -> Iterator[tuple[str, dict[str, Any]]]:
        ships = ("Hood", "Prince of Wales", "Bismarck", "Prinz Eugen")
        while True:
            ship = self._chance.choice(ships).replace(" ", "%20")
            x, y = self._chance.uniform(0, 36_000), self._chance.uniform(0, 24_000)
            yield f"/api/ships/{ship}/place", {"x": x, "y": y, "heading": 90.0}

    def _mark(self, path: str, body: dict[str, Any], key: str) -> str:  # noqa: ARG002
        return repr(body["x"])

    def _come_in(self, line: http.client.HTTPConnection, here: str) -> None:
        """Get a cookie."""
        line.request("GET", "/", headers={"Host": here})
        response = line.getresponse()
        response.read()
        self._cookie = (response.getheader("Set-Cookie") or "").partition(";")[0]

    def _send(self, path: str, body: dict[str, Any], key: str) -> int | None:
        """The status, or None where no answer came."""
        here = f"127.0.0.1:{self._server.port}"
        try:
            with closing(http.client.HTTPConnection(here, timeout=5)) as line:
                if not self._cookie:
                    self._come_in(line, here)
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


class Captain(Phone):
    """Writes secret plots of her side without end, commits them, and takes that back."""

    def __init__(
        self, server: Server, tally: Tally, lock: threading.Lock, seed: int, side: str
    ) -> None:
        super().__init__(server, tally, lock, seed)
        self._side = side

    def _come_in(self, line: http.client.HTTPConnection, here: str) -> None:
        """Take a seat, or come back to it; the code is the host's, who sits at this machine."""
        super()._come_in(line, here)
        line.request("GET", "/api/view", headers={"Host": here, "Cookie": self._cookie})
        code = json.loads(line.getresponse().read())["join"]["code"]
        body = {"code": code, "name": self._side, "pin": "1941"}
        for path, more in (("/api/return", {}), ("/api/join", {"side": self._side})):
            headers = {
                "Host": here,
                "Origin": f"http://{here}",
                "Content-Type": "application/json",
            }
            line.request("POST", path, json.dumps({**body, **more}), headers)
            response = line.getresponse()
            response.read()
            if response.status == http.HTTPStatus.OK:
                self._cookie = (response.getheader("Set-Cookie") or "").partition(";")[0]
                return
        self._cookie = ""

    def _actions(self) -> Iterator[tuple[str, dict[str, Any]]]:
        ships = {"british": ("Hood", "Prince of Wales"), "german": ("Bismarck", "Prinz Eugen")}
        while True:
            for ship in ships[self._side]:
                notation = "".join(self._chance.choice("LR1") for _ in range(4))
                plot = {"ship": ship, "speed": 8, "notation": notation}
                yield "/api/battle/play", {"kind": "plot", "data": plot}
            # One side alone commits, so that the plots never open and the load never ends.
            if self._side == "british":
                yield "/api/battle/play", {"kind": "commit", "data": {}}
                yield "/api/battle/play", {"kind": "uncommit", "data": {}}

    def _mark(self, path: str, body: dict[str, Any], key: str) -> str:
        """As the server marks a request: it stands in the journal beside what was done."""
        said = f"{key}\nPOST {path}\n".encode() + json.dumps(body).encode()
        return hashlib.sha256(said).hexdigest()


def run(cuts: int, seed: int = 1941) -> Tally:
    """Cut the power so many times, and compare the journal with what was acknowledged."""
    chance = random.Random(seed)  # noqa: S311  # A schedule, not a secret.
    tally, lock = Tally(), threading.Lock()
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        server = Server(data)
        server.start()
        phones = [Phone(server, tally, lock, seed + number) for number in range(PHONES)]
        # The battle stands before the first cut.
        phones[0].must("/api/battle/begin", {})
        captains = [
            Captain(server, tally, lock, seed - number, side)
            for number, side in enumerate(("british", "german"), start=1)
        ]
        phones += captains
        for phone in phones:
            phone.begin()
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
        tally.opens = captains[0].sees_a_battle()
        server.kill()
        found = Counter(_marks(data))
    tally.lost = sorted(tally.acknowledged - found.keys())
    tally.twice = sorted(key for key, count in found.items() if count > 1)
    return tally


def _marks(data: Path) -> Iterator[str]:
    """The marks of all actions, by every journal in the folder."""
    for path in sorted(data.rglob("*.db")):
        with closing(sqlite3.connect(path)) as base:
            placed = base.execute("SELECT data FROM journal WHERE kind = 'ships_placed'").fetchall()
            played = base.execute("SELECT action FROM journal WHERE kind = 'battle'").fetchall()
        for (text,) in placed:
            yield from (repr(ship["x"]) for ship in json.loads(text)["ships"])
        yield from (action for (action,) in played if action)


def main() -> None:
    """Print what was left after the cuts; exit 1 if anything was lost or done twice."""
    cuts = int(sys.argv[1]) if len(sys.argv) > 1 else CUTS
    tally = run(cuts)
    print(
        f"Power cut {tally.cuts} times under load: {len(tally.acknowledged):,} actions "
        f"acknowledged, {len(tally.lost)} lost, {len(tally.twice)} done twice; "
        f"the battle {'goes on' if tally.opens else 'does not open'}"
    )
    if tally.lost or tally.twice or not tally.opens:
        sys.exit(1)


if __name__ == "__main__":
    main()
