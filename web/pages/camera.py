"""The pages of the eyes: the camera set-up, step by step, and the photo of the table."""

from typing import TYPE_CHECKING, Any, Final

from flask import Blueprint, redirect, render_template, request
from werkzeug.exceptions import NotFound

from calibration.camera import FEWEST_BOARD_VIEWS
from calibration.markers import SMALL, tag_bits
from tabletop.scale import Scale
from vision.frames import plugged_in
from web.camera.access import eyes_of
from web.camera.camera_thread import Eyes
from web.camera.marker_pages import sheet_for
from web.camera.measurement import markers_in_sight
from web.camera.photos import LARGEST_PHOTO_BYTES, Gone
from web.camera.settings import SetupStep
from web.camera.setup_view import (
    blank_markers,
    counters_shown,
    distance_shown,
    kinds_of,
    look,
    photo_marks,
    short,
    size_inches,
)
from web.camera.table_access import marker_order
from web.http import guard
from web.http.context import running

if TYPE_CHECKING:
    from flask import Flask
    from werkzeug.wrappers import Response

_LIVE: Final = (SetupStep.CAMERA, SetupStep.CORNERS, SetupStep.CHECK, SetupStep.DONE)
_DRAWN_TAGS: Final = 10

pages = Blueprint("setup", __name__)


def attach(app: "Flask") -> None:
    """Put the pages on an application."""
    app.register_blueprint(pages)
    app.jinja_env.globals["largest"] = LARGEST_PHOTO_BYTES


@pages.get("/setup")
def begin() -> "Response":
    """Where the set-up was left."""
    guard.must_host()
    return redirect(f"/setup/{eyes_of(running()).memory.setup.step}", code=303)


@pages.get("/setup/<step>")
def show(step: str) -> str:
    """One step."""
    guard.must_host()
    here = _step(step)
    eyes = eyes_of(running())
    eyes.memory.reach(here)
    return render_template(f"camera/setup/{here}.html", **_context(eyes, here))


@pages.get("/setup/<step>/live")
def live(step: str) -> str:
    """What of a step changes while one looks at it."""
    guard.must_host()
    here = _step(step)
    if here not in _LIVE:
        raise NotFound
    return render_template(
        f"camera/setup/{here}.html", **_context(eyes_of(running()), here), part=True
    )


@pages.get("/camera")
def camera() -> str:
    """The camera's own picture with what is seen in it, for everybody at the table."""
    guard.must_look()
    return render_template("camera/camera.html", step="view", look=look(eyes_of(running())))


@pages.get("/camera/live")
def camera_live() -> str:
    """The same, while one looks at it."""
    guard.must_look()
    return render_template(
        "camera/camera.html", step="view", look=look(eyes_of(running())), part=True
    )


@pages.get("/photo")
def photo() -> str:
    """Send a photo of the table."""
    guard.must_play()
    memory = eyes_of(running()).memory
    return render_template(
        "camera/photo/photo.html", reading=None, gone=False, size=size_inches(memory)
    )


@pages.get("/photo/go")
def photo_go() -> str:
    """The button that places the ticked ships."""
    guard.must_play()
    return render_template(
        "camera/photo/place_button_part.html", n=len(request.args.getlist("ships"))
    )


@pages.get("/photo/<token>")
def photo_found(token: str) -> "str | tuple[str, int]":
    """What was found in a photo."""
    guard.must_play()
    eyes = eyes_of(running())
    moment = running().session.moment
    size = size_inches(eyes.memory)
    try:
        reading = eyes.photos.read(token, moment.state)
        seen = eyes.photos.find(token)
    except Gone:
        return render_template("camera/photo/photo.html", reading=None, gone=True, size=size), 404
    sensed = {
        name
        for name, now in moment.ships.items()
        if now.source == "camera" and now.state in ("settled", "moving")
    }
    scale = Scale(moment.state.yards_per_inch)
    roll = eyes.memory.table.roll()
    return render_template(
        "camera/photo/photo.html",
        reading=reading,
        gone=False,
        size=size,
        marked=photo_marks(
            seen,
            {ship.marker: ship.name for ship in reading.ships},
            {ship.name: ship.side for ship in roll},
        ),
        sensed=sensed,
        roll=roll,
        inches=lambda yards: f"{scale.inches_from_yards(yards):.1f}",
    )


def _step(word: str) -> SetupStep:
    try:
        return SetupStep(word)
    except ValueError:
        raise NotFound from None


def _context(eyes: Eyes, step: SetupStep) -> dict[str, Any]:
    setup = eyes.memory.setup
    steps = list(SetupStep)
    before = steps[step.number - 2] if step is not SetupStep.PRINT else None
    kept = eyes.memory.calibration
    context: dict[str, Any] = {
        "step": step,
        "steps": steps,
        "reached": setup.step.number,
        "back": f"/setup/{before}" if before else "/host",
        "setup": setup,
        "size": size_inches(eyes.memory),
        "short": short,
        "is_demo": eyes.memory.is_demo,
        "look": None,
    }
    if step is SetupStep.PRINT:
        return context | _printing(eyes)
    context["look"] = look(eyes)
    if step is SetupStep.CAMERA:
        context["cameras"] = plugged_in()
    if step in (SetupStep.CHECK, SetupStep.DONE):
        context |= {
            "distance": distance_shown(eyes),
            "yards_per_inch": running().session.moment.state.yards_per_inch,
            "measured": "" if kept is None else kept.date,
            "markers": markers_in_sight(eyes),
            "blanks": blank_markers(eyes),
            "counters": counters_shown(eyes),
            "roll": eyes.memory.table.roll(),
            "kinds": kinds_of(eyes),
            "lens": "assumed" if kept is None else str(kept.lens.source),
            "boards": len(eyes.board),
            "boards_needed": FEWEST_BOARD_VIEWS,
        }
    return context


def _printing(eyes: Eyes) -> dict[str, Any]:
    roll, paper = eyes.memory.table.roll(), eyes.memory.setup.paper
    order = marker_order(roll, paper)
    ids = (*range(4), *SMALL.ship_ids)[:_DRAWN_TAGS]
    return {
        "pages": len(sheet_for(roll, paper).pages),
        "blanks": order.numbered,
        "names": list(order.ships),
        "tags": [tag_bits(SMALL, number).tolist() for number in ids],
    }
