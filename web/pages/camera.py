"""The pages of the camera: the set-up, step by step, and photos of the table."""

import math
from typing import TYPE_CHECKING, Final

from flask import redirect, render_template, request
from werkzeug.exceptions import NotFound

from calibration.camera import FEWEST_BOARD_VIEWS
from calibration.code_size import advice_before_printing
from calibration.marker_layout import MOST_ANCHORS
from calibration.markers import SMALL, tag_bits
from calibration.model_pieces import MarkerForm, MarkerPaint, ModelScale
from tabletop.scale import Scale
from vision.sources.all_sources import plugged_in
from web.camera.camera_thread import CameraThread
from web.camera.marker_pages import marker_set_for
from web.camera.measurement import markers_in_sight
from web.camera.photos import LARGEST_PHOTO_BYTES, PhotoExpired
from web.camera.settings import SetupStep
from web.camera.setup_view import (
    blank_markers,
    camera_picture,
    distance_comparison,
    kinds_of,
    photo_marks,
    short,
    size_inches,
    unnamed_counters,
)
from web.camera.table_access import PrintChoice, marker_order
from web.http import guard
from web.http.addresses import Pages
from web.http.context import server_context

if TYPE_CHECKING:
    from werkzeug.wrappers import Response

_LIVE: Final = (SetupStep.CAMERA, SetupStep.CORNERS, SetupStep.CHECK, SetupStep.DONE)
_DRAWN_TAGS: Final = 10

routes: Final = Pages(__name__)


@routes.get("/setup")
def begin() -> "Response":
    """The step where the set-up was left."""
    guard.must_host()
    return redirect(f"/setup/{server_context().camera_thread.memory.setup.step}", code=303)


@routes.get("/setup/<step>")
def show(step: str) -> str:
    """One step."""
    guard.must_host()
    here = _step(step)
    camera_thread = server_context().camera_thread
    camera_thread.memory.save_step(here)
    return render_template(f"camera/setup/{here}.html", **_context(camera_thread, here))


@routes.get("/setup/<step>/live")
def live(step: str) -> str:
    """The part of a step that changes."""
    guard.must_host()
    here = _step(step)
    if here not in _LIVE:
        raise NotFound
    return render_template(
        f"camera/setup/{here}.html", **_context(server_context().camera_thread, here), part=True
    )


@routes.get("/camera")
def camera() -> str:
    """The camera's picture with what is seen in it, for everybody at the table."""
    guard.must_look()
    return render_template(
        "camera/camera.html", step="view", look=camera_picture(server_context().camera_thread)
    )


@routes.get("/camera/live")
def camera_live() -> str:
    """The part of the camera's page that changes."""
    guard.must_look()
    return render_template(
        "camera/camera.html",
        step="view",
        look=camera_picture(server_context().camera_thread),
        part=True,
    )


@routes.get("/photo")
def photo() -> str:
    """Send a photo of the table."""
    guard.must_play()
    return _photo_page(reading=None, gone=False)


@routes.get("/photo/go")
def photo_go() -> str:
    """The button that places the selected ships."""
    guard.must_play()
    return render_template(
        "camera/photo/place_button_part.html", n=len(request.args.getlist("ships"))
    )


@routes.get("/photo/<token>")
def photo_found(token: str) -> "str | tuple[str, int]":
    """What was found in a photo."""
    guard.must_play()
    camera_thread = server_context().camera_thread
    moment = server_context().session.moment
    try:
        reading = camera_thread.photos.read(token, moment.state)
        seen = camera_thread.photos.find(token)
    except PhotoExpired:
        return _photo_page(reading=None, gone=True), 404
    sensed = {name for name, now in moment.ships.items() if now.is_sensed}
    scale = Scale(moment.state.yards_per_inch)
    roll = camera_thread.memory.table.ships()
    return _photo_page(
        reading=reading,
        gone=False,
        adds=request.args.get("add") == "1" or reading.photos > 1,
        marked=photo_marks(
            seen,
            {ship.marker: ship.name for ship in reading.ships},
            {ship.name: ship.side for ship in roll},
        ),
        sensed=sensed,
        roll=roll,
        inches=lambda yards: f"{scale.inches_from_yards(yards):.1f}",
    )


def _photo_page(**values: object) -> str:
    return render_template(
        "camera/photo/photo.html",
        size=size_inches(server_context().camera_thread.memory),
        largest=LARGEST_PHOTO_BYTES,
        largest_megabytes=LARGEST_PHOTO_BYTES // 1_000_000,
        **values,
    )


def _step(word: str) -> SetupStep:
    try:
        return SetupStep(word)
    except ValueError:
        raise NotFound from None


def _context(camera_thread: CameraThread, step: SetupStep) -> dict[str, object]:
    setup = camera_thread.memory.setup
    steps = list(SetupStep)
    before = steps[step.number - 2] if step is not SetupStep.PRINT else None
    kept = camera_thread.memory.calibration
    context: dict[str, object] = {
        "step": step,
        "steps": steps,
        "reached": setup.step.number,
        "back": f"/setup/{before}" if before else "/host",
        "setup": setup,
        "size": size_inches(camera_thread.memory),
        "short": short,
        "is_demo": camera_thread.memory.is_demo,
        "look": None,
    }
    if step is SetupStep.PRINT:
        return context | _printing(camera_thread)
    context["look"] = camera_picture(camera_thread, server_context().second_camera)
    if step is SetupStep.CAMERA:
        context["cameras"] = plugged_in()
        context["second"] = camera_picture(server_context().second_camera)
    if step in (SetupStep.CHECK, SetupStep.DONE):
        context |= {
            "distance": distance_comparison(camera_thread),
            "yards_per_inch": server_context().session.moment.state.yards_per_inch,
            "measured": "" if kept is None else kept.date,
            "markers": markers_in_sight(camera_thread),
            "blanks": blank_markers(camera_thread),
            "counters": unnamed_counters(camera_thread),
            "unknown": camera_thread.status().unknown,
            "roll": camera_thread.memory.table.ships(),
            "kinds": kinds_of(camera_thread),
            "lens": "assumed" if kept is None else str(kept.lens.source),
            "boards": len(camera_thread.board),
            "boards_needed": FEWEST_BOARD_VIEWS,
        }
    return context


def _printing(camera_thread: CameraThread) -> dict[str, object]:
    roll, paper = camera_thread.memory.table.ships(), camera_thread.memory.setup.paper
    choice = PrintChoice(paper)
    order = marker_order(roll, choice)
    table = camera_thread.memory.size
    ids = (*range(4), *SMALL.ship_ids)[:_DRAWN_TAGS]
    return {
        "pages": len(marker_set_for(roll, choice).pages),
        "blanks": order.numbered,
        "forms": [*MarkerForm],
        "paints": [*MarkerPaint],
        "scales": [*ModelScale],
        "most_anchors": MOST_ANCHORS,
        "advised_mm": [
            (title, math.ceil(advice_before_printing(width, table.width_mm).good_mm))
            for title, width in (("1080p", 1920), ("4K", 3840))
        ],
        "names": list(order.ships),
        "tags": [tag_bits(SMALL, number).tolist() for number in ids],
    }
