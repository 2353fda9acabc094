"""From a ship that moves before the camera to ten phones that show it, over real HTTP on loopback.

The camera is rendered beforehand: a ship is pushed along the demo's table and back, with rests
between. Server, camera thread and tracker run in this process as `dreyer serve` runs them; the
phones are another process, each with a live stream and a connection for its views. Measured from
the moment at which the camera has the picture, against the budget: 400 ms to the new, moving pose
(95th percentile of all phones and pictures), 1.5 s from rest to the settled pose.
"""

import contextlib
import json
import math
import multiprocessing
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from http.client import HTTPConnection, HTTPException
from multiprocessing.connection import Connection
from typing import Any

import numpy as np

from tabletop.messages import verbatim
from tabletop.scale import Scale
from vision.images import Image
from vision.sources.all_sources import Clock, Frame, FrameSource
from vision.sources.frame_source import Still
from vision.synthetic.renderer import CameraView, RenderedMarker, Renderer
from web import create_app
from web.camera.demo import demo_table
from web.camera.table_access import SessionTable
from web.camera.table_cameras import TableCameras
from web.data_folder import table_in_memory
from web.http.context import ServerContext
from web.http.server import serve
from web.scenes import demo_scene
from web.server.listeners import listen

PHONES = 10
FRAMES_PER_SECOND = 10.0
STEPS = 10
STEP_MM = 4.0
REST_FRAMES = 28
PUSHES = 6
MOVING_BUDGET_SECONDS = 0.4
SETTLED_BUDGET_SECONDS = 1.5
_NEAR_MM = 1.5
"""How near a shown pose must be to the true one to count as it."""
_VIEW = CameraView(blur_px=0.6, noise=2.0, vignette=0.1)


@dataclass(frozen=True, slots=True)
class Shown:
    """What one phone showed of the ship from one moment on."""

    phone: int
    seconds: float
    x_mm: float
    state: str


@dataclass(frozen=True, slots=True)
class Taken:
    """One picture of the camera: when, where the ship was, and whether she had just moved."""

    seconds: float
    x_mm: float
    moved: bool


class Recorded(Still):
    """The pictures of a ship pushed to and fro, at a camera's pace, with what was shown when."""

    def __init__(self, images: Sequence[Image], places_mm: Sequence[float]) -> None:
        self.name = verbatim("a recorded push")
        self.taken: list[Taken] = []
        self.over = threading.Event()
        self._images, self._places = images, places_mm
        self._script = [0] * 2 * REST_FRAMES
        for push in range(PUSHES):
            way = list(range(1, STEPS + 1)) if push % 2 == 0 else list(range(STEPS - 1, -1, -1))
            self._script += way + [way[-1]] * REST_FRAMES
        self._due = 0.0
        self._number = 0

    def read(self) -> Frame:
        """The next picture, when its time has come; the last for ever."""
        now = time.monotonic()
        if not self._due:
            self._due = now
        time.sleep(max(0.0, self._due - now))
        self._due = max(self._due, now) + 1 / FRAMES_PER_SECOND
        number = min(self._number, len(self._script) - 1)
        place, before = self._script[number], self._script[max(0, number - 1)]
        if self._number >= len(self._script):
            self.over.set()
        seconds = time.monotonic()
        self.taken.append(Taken(seconds, self._places[place], place != before))
        self._number += 1
        return Frame(self._images[place], seconds, self._number)


def rendered() -> tuple[list[Image], list[float], str]:
    """The pictures, where the pushed ship is in each, and her name."""
    scene = demo_table()
    first = scene.markers[0]
    renderer = Renderer(scene, _VIEW, stream=True)
    places = [first.x_mm + step * STEP_MM for step in range(STEPS + 1)]
    images = []
    for step, x_mm in enumerate(places):
        markers: tuple[RenderedMarker, ...] = (replace(first, x_mm=x_mm), *scene.markers[1:])
        images.append(renderer.frame(markers, scene.counters, scene.hands, step).image)
    return images, places, first.name


def phone(number: int, port: int, cookie: str, ship: str, mm: float, shown: list[Shown]) -> None:
    """One phone: its stream says that something changed, and it fetches its view."""
    sent = {"Cookie": f"dreyer={cookie}"}
    views = HTTPConnection("127.0.0.1", port, timeout=30)
    while True:
        stream = HTTPConnection("127.0.0.1", port, timeout=30)
        stream.request("GET", "/api/live", headers=sent)
        response = stream.getresponse()
        event = b""
        while line := response.readline():
            if line.startswith(b"event: "):
                event = line.split()[1]
            elif line.startswith(b"data: ") and event == b"bye":
                if line.split()[1] == b"ending":
                    return
            elif line.startswith(b"data: ") and event == b"seq":
                views.request("GET", "/api/view", headers=sent)
                view = json.loads(views.getresponse().read())
                now = time.monotonic()
                found = next(each for each in view["ships"] if each["name"] == ship)
                shown.append(Shown(number, now, found["x"] * mm, found["state"]))


def phone_until_the_end(*given: Any) -> None:
    """A phone whose server ends in the middle of an answer has nothing more to show."""
    with contextlib.suppress(OSError, HTTPException):
        phone(*given)


def phones(port: int, cookies: Sequence[str], ship: str, mm: float, pipe: Connection) -> None:
    """All phones, in a process of their own; what they showed goes back when the server ends."""
    shown: list[Shown] = []
    threads = [
        threading.Thread(target=partial(phone_until_the_end, number, port, cookie, ship, mm, shown))
        for number, cookie in enumerate(cookies)
    ]
    for thread in threads:
        thread.start()
    pipe.send("ready")
    for thread in threads:
        thread.join()
    pipe.send(shown)


def run() -> tuple[list[Taken], list[Shown]]:
    """One evening in half a minute."""
    images, places, ship = rendered()
    camera = Recorded(images, places)
    session = table_in_memory(demo_scene)

    def open_camera(_: str, __: Clock) -> FrameSource:
        return camera

    cameras = TableCameras(None, SessionTable(session), session.update_camera, opener=open_camera)
    camera_thread = cameras.first
    server_context = ServerContext(session, watched=cameras)
    cookies = [session.with_seats(lambda seats: seats.host_cookie(None)) for _ in range(PHONES)]
    mm = Scale(session.moment.state.yards_per_inch).mm_from_yards(1.0)
    here, there = multiprocessing.get_context("spawn").Pipe()
    with listen("127.0.0.1", 0) as door:
        with serve(create_app(server_context=server_context), server_context, door):
            port = door.getsockname()[1]
            process = multiprocessing.get_context("spawn").Process(
                target=phones, args=(port, cookies, ship, mm, there)
            )
            process.start()
            here.recv()
            camera_thread.start("recorded", keep=False)
            camera.over.wait(120)
            camera_thread.close()
        shown: list[Shown] = here.recv()
        process.join()
    return camera.taken, shown


def delays(taken: Sequence[Taken], shown: Sequence[Shown]) -> tuple[list[float], list[float]]:
    """Seconds to the moving pose, for each picture of movement and phone, and to the settled."""
    moving, settled = [], []
    own = [[each for each in shown if each.phone == number] for number in range(PHONES)]
    for index, picture in enumerate(taken):
        if not picture.moved:
            continue
        way = math.copysign(1.0, picture.x_mm - taken[index - 1].x_mm)
        rests = index + 1 < len(taken) and not taken[index + 1].moved
        for views in own:
            later = [each for each in views if each.seconds > picture.seconds]
            # A later pose on the way is as good: the phone is not behind.
            moving.append(
                next(
                    (
                        each.seconds - picture.seconds
                        for each in later
                        if way * (each.x_mm - picture.x_mm) >= -_NEAR_MM
                        and each.state in ("moving", "settled")
                    ),
                    math.inf,
                )
            )
            if rests:
                settled.append(
                    next(
                        (
                            each.seconds - picture.seconds
                            for each in later
                            if each.state == "settled" and abs(each.x_mm - picture.x_mm) < _NEAR_MM
                        ),
                        math.inf,
                    )
                )
    return moving, settled


def main() -> None:
    """Print both figures against their budgets."""
    print(
        f"From a ship moving before the camera to {PHONES} phones, HTTP on loopback "
        f"({FRAMES_PER_SECOND:.0f} pictures a second, {PUSHES} pushes); baseline: the budget"
    )
    moving, settled = delays(*run())
    for words, found, budget in (
        ("its new, moving pose", moving, MOVING_BUDGET_SECONDS),
        ("its settled pose, from rest", settled, SETTLED_BUDGET_SECONDS),
    ):
        middle, p95, worst = np.percentile(found, [50, 95, 100])
        print(
            f"{words:<30}median {middle * 1e3:6.0f} ms   p95 {p95 * 1e3:6.0f} ms"
            f"{p95 / budget:>7.2f}×   worst {worst * 1e3:6.0f} ms   ({len(found)} arrivals)"
        )


if __name__ == "__main__":
    main()
