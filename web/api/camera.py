"""The API of the camera: which one, how the table is measured through it, and its picture."""

from typing import Annotated, Final, Literal

from flask import Response
from pydantic import Field

from calibration.calibration_file import HIGHEST_BASE_MM
from calibration.camera import FEWEST_BOARD_VIEWS
from calibration.markers import Corner
from tabletop.errors import DreyerError
from tabletop.messages import Message
from tabletop.scale import inches_from_mm, mm_from_inches
from web.actions.table import SizeTable
from web.api.reading import Line
from web.api.route import Answer, Call, Model, Needs, Query, route
from web.camera import measurement as camera_measure
from web.camera.access import eyes_of
from web.camera.marker_pages import marker_pdf, sheet_for
from web.camera.settings import (
    LEAST_BAR_MM,
    LEAST_CAMERA_MM,
    LONGEST_SOURCE,
    MOST_BAR_MM,
    MOST_CAMERA_MM,
    SetupStep,
)
from web.faults import Fault

_TAG: Final = "camera"
_Unit = Literal["inches", "mm"]
_Paper = Literal["a4", "letter"]
_Height = Annotated[float, Field(ge=0, le=HIGHEST_BASE_MM)]
_Share = Annotated[float, Field(ge=0, le=1)]
_Length = Annotated[float, Field(gt=0, le=100_000)]


class Nothing(Model):
    """No answer is needed."""


class Source(Model):
    """A camera: a webcam's number or name, an http address, a file or folder, or "demo"."""

    source: Annotated[Line, Field(min_length=1, max_length=LONGEST_SOURCE)]


class Edges(Model):
    """The distances between the corner markers' centres."""

    width: _Length
    height: _Length
    unit: _Unit = "inches"


class Heights(Model):
    """How high markers are above the table, in mm, and how far the camera is; the scale."""

    all_mm: _Height
    BB: _Height | None = None
    BC: _Height | None = None
    PB: _Height | None = None
    CV: _Height | None = None
    CA: _Height | None = None
    CL: _Height | None = None
    DD: _Height | None = None
    other: _Height | None = None
    camera_height_mm: Annotated[float, Field(ge=LEAST_CAMERA_MM, le=MOST_CAMERA_MM)] | None = None
    yards_per_inch: Annotated[float, Field(ge=1, le=100_000)] | None = None


class Bar(Model):
    """What the printed 100 mm bar measures."""

    mm: _Length


class PaperChoice(Model):
    """The paper in the printer."""

    paper: _Paper = "a4"


class PaperQuery(Query):
    """The same, in an address."""

    paper: _Paper = "a4"


class PictureQuery(Query):
    """Which picture: with or without what was seen; the number only keeps old copies away."""

    plain: bool = False
    n: Annotated[int, Field(ge=0)] | None = None


class Shown(Model):
    """A corner's place in the picture, as shares of its width and height."""

    corner: Literal["near left", "near right", "far right", "far left"]
    x: _Share
    y: _Share


class Distance(Model):
    """A distance between two markers' centres that somebody measured."""

    first: Annotated[Line, Field(min_length=1, max_length=40)]
    second: Annotated[Line, Field(min_length=1, max_length=40)]
    measured: _Length
    unit: _Unit = "mm"


class Assigned(Model):
    """The ship that a marker stands for; none makes it a number again."""

    marker: Annotated[int, Field(ge=0, le=1000)]
    ship: Annotated[Line, Field(min_length=1, max_length=60)] | None = None


class Plain(Model):
    """Whether plain striped counters are on the table."""

    on: bool


class CounterName(Model):
    """Who a plain counter is, and where her bow points in the picture."""

    key: Annotated[int, Field(ge=0, le=1_000_000)]
    ship: Annotated[Line, Field(min_length=1, max_length=60)]
    bow: Literal["left", "right", "up", "down"]


class Reached(Model):
    """A step of the wizard."""

    step: Literal["print", "camera", "corners", "check", "done"]


@route(
    "POST", "/api/camera", "Look through this camera", needs=Needs.HOST, body=Source, tag=_TAG
)  # fmt: skip
def choose(call: Call, body: Source) -> Answer:
    """From now on; whether a picture comes is told by its state."""
    eyes = eyes_of(call.running)
    eyes.start(body.source)
    eyes.memory.reach(SetupStep.CAMERA)
    return {"seq": call.session.seq}


@route("DELETE", "/api/camera", "Look through no camera any more", needs=Needs.HOST, tag=_TAG)
def drop(call: Call) -> Answer:
    """Ships stay where they were last seen."""
    eyes_of(call.running).stop(forget=True)
    return {"seq": call.session.seq}


@route(
    "POST", "/api/camera/step", "Go on in the camera set-up", needs=Needs.HOST, body=Reached,
    tag=_TAG,
)  # fmt: skip
def reach(call: Call, body: Reached) -> Answer:
    """Remembered, so that the set-up goes on there."""
    eyes_of(call.running).memory.reach(SetupStep(body.step))
    return {"seq": call.session.seq}


@route(
    "POST", "/api/camera/sheets", "Say that these sheets are printed", needs=Needs.HOST,
    body=PaperChoice, tag=_TAG,
)  # fmt: skip
def sheets(call: Call, body: PaperChoice) -> Answer:
    """Which marker is whose stays as it is on this paper, whatever ships come later."""
    eyes = eyes_of(call.running)
    eyes.memory.change(paper=body.paper)
    eyes.memory.keep_sheet(sheet_for(eyes.memory.table.roll(), body.paper))
    return {"seq": call.session.seq, "url": f"/sheets.pdf?paper={body.paper}"}


@route(
    "GET", "/sheets.pdf", "The markers to print for this table", needs=Needs.HOST,
    query=PaperQuery, gives="application/pdf", tag=_TAG,
)  # fmt: skip
def sheets_pdf(call: Call, query: PaperQuery) -> Answer:
    """Corners, the table's ships, blank numbered markers, the 100 mm bar and the lens board."""
    pdf = marker_pdf(eyes_of(call.running).memory.table.roll(), query.paper)
    answer = Response(pdf, mimetype="application/pdf")
    answer.headers["Content-Disposition"] = 'attachment; filename="dreyer-sheets.pdf"'
    return answer


@route(
    "POST", "/api/camera/print_bar", "Say what the 100 mm bar measures", needs=Needs.HOST,
    body=Bar, tag=_TAG,
)  # fmt: skip
def print_bar(call: Call, body: Bar) -> Answer:
    """The markers' size is corrected by it."""
    if not LEAST_BAR_MM <= body.mm <= MOST_BAR_MM:
        raise Fault(
            400,
            Message("setup.fault.scale_bar", mm=body.mm),
            field="mm",
        )
    eyes = eyes_of(call.running)
    eyes.memory.change(bar_mm=body.mm)
    eyes.memory.reach(SetupStep.CAMERA)
    return {"seq": call.session.seq}


@route(
    "POST", "/api/camera/table", "Say how far apart the corner markers are", needs=Needs.HOST,
    body=Edges, tag=_TAG,
)  # fmt: skip
def table(call: Call, body: Edges) -> Answer:
    """The table gets this size; ships stay where they stand on it."""
    width, height = (
        each if body.unit == "inches" else inches_from_mm(each)
        for each in (body.width, body.height)
    )
    before, eyes = call.session.moment.state, eyes_of(call.running)
    action = SizeTable(width_inches=width, height_inches=height)
    call.session.act(call.caller, action, key=call.key)
    if call.session.moment.state is not before:
        eyes.memory.change(distance=None)
        eyes.retune()
    return {"seq": call.session.seq}


@route(
    "POST", "/api/camera/heights", "Say how high the markers are", needs=Needs.HOST, body=Heights,
    tag=_TAG,
)  # fmt: skip
def heights(call: Call, body: Heights) -> Answer:
    """Heights by kind of base, the camera's own height, and the table's scale."""
    action = SizeTable(yards_per_inch=body.yards_per_inch)
    call.session.act(call.caller, action, key=call.key)
    given = body.model_dump(exclude={"all_mm", "camera_height_mm", "yards_per_inch"})
    eyes = eyes_of(call.running)
    eyes.memory.change(
        height_mm=body.all_mm,
        heights_mm={kind: mm for kind, mm in given.items() if mm is not None},
        camera_height_mm=body.camera_height_mm,
    )
    return {"seq": call.session.seq}


@route(
    "POST", "/api/camera/corner", "Show where a corner is", needs=Needs.HOST, body=Shown, tag=_TAG
)  # fmt: skip
def corner(call: Call, body: Shown) -> Answer:
    """The place is looked at more closely; failing that, the point is taken as it is."""
    shown = camera_measure.show_corner(eyes_of(call.running), Corner(body.corner), body.x, body.y)
    return {"seq": call.session.seq, "read": shown.found}


@route("DELETE", "/api/camera/corner", "Forget corners shown by hand", needs=Needs.HOST, tag=_TAG)
def forget_corners(call: Call) -> Answer:
    """The markers alone count again."""
    camera_measure.forget_corners(eyes_of(call.running))
    return {"seq": call.session.seq}


@route(
    "POST", "/api/camera/distance", "Compare a measured distance", needs=Needs.HOST,
    body=Distance, tag=_TAG,
)  # fmt: skip
def distance(call: Call, body: Distance) -> Answer:
    """Our figure, the difference, and what is most likely wrong."""
    eyes = eyes_of(call.running)
    measured_mm = mm_from_inches(body.measured) if body.unit == "inches" else body.measured
    found = camera_measure.known_distance(eyes, body.first, body.second, measured_mm)
    return {
        "seq": call.session.seq,
        "ours_mm": found.ours_mm,
        "measured_mm": found.measured_mm,
        "off": found.off,
        "good": abs(found.off) <= camera_measure.GOOD_SHARE,
        "correct": [advice.what for advice in camera_measure.advice_on(eyes, found)],
    }


@route(
    "POST", "/api/camera/board", "Take a picture of the lens board", needs=Needs.HOST,
    body=Nothing, tag=_TAG,
)  # fmt: skip
def board(call: Call, body: Nothing) -> Answer:  # noqa: ARG001
    """After enough of them the lens can be measured."""
    eyes = eyes_of(call.running)
    eyes.board.append(camera_measure.board_view(eyes, eyes.board))
    return {
        "seq": call.session.seq,
        "views": len(eyes.board),
        "needed": FEWEST_BOARD_VIEWS,
    }


@route("DELETE", "/api/camera/board", "Drop pictures of the lens board", needs=Needs.HOST, tag=_TAG)
def drop_board(call: Call) -> Answer:
    """Begin again."""
    eyes_of(call.running).board.clear()
    return {"seq": call.session.seq}


@route(
    "POST", "/api/camera/measure", "Measure the camera and keep it", needs=Needs.HOST,
    body=Nothing, tag=_TAG,
)  # fmt: skip
def measure(call: Call, body: Nothing) -> Answer:  # noqa: ARG001
    """From the newest picture, and from the pictures of the lens board."""
    eyes = eyes_of(call.running)
    try:
        measured = camera_measure.measure(eyes, tuple(eyes.board))
    except DreyerError as error:
        raise Fault(400, error.message, field="camera_height_mm") from None
    return {"seq": call.session.seq, "notes": list(measured.notes)}


@route(
    "POST", "/api/camera/assign", "Let a marker stand for a ship", needs=Needs.PLAY,
    body=Assigned, faults=(404,), tag=_TAG,
)  # fmt: skip
def assign(call: Call, body: Assigned) -> Answer:
    """A blank marker becomes a ship; a ship has one marker."""
    camera_measure.assign(eyes_of(call.running), body.marker, body.ship)
    return {"seq": call.session.seq}


@route(
    "POST", "/api/camera/plain", "Look for plain counters too, or not", needs=Needs.HOST,
    body=Plain, tag=_TAG,
)  # fmt: skip
def plain(call: Call, body: Plain) -> Answer:
    """Rectangles with a white stripe and no code, as large as the table's bases."""
    eyes_of(call.running).memory.change(plain=body.on)
    return {"seq": call.session.seq}


@route(
    "POST", "/api/camera/counter", "Say who a plain counter is", needs=Needs.PLAY,
    body=CounterName, faults=(404,), tag=_TAG,
)  # fmt: skip
def counter(call: Call, body: CounterName) -> Answer:
    """She is followed from now on."""
    bow = camera_measure.Bow(body.bow)
    camera_measure.name_counter(eyes_of(call.running), body.key, body.ship, bow)
    return {"seq": call.session.seq}


@route(
    "GET", "/camera.jpg", "The camera's picture, with what was seen", needs=Needs.LOOK,
    query=PictureQuery, gives="image/jpeg", faults=(404,), tag=_TAG,
)  # fmt: skip
def picture(call: Call, query: PictureQuery) -> Answer:
    """The newest one."""
    found = eyes_of(call.running).jpeg(marked=not query.plain)
    if found is None:
        raise Fault(404, Message("setup.fault.no_picture"))
    answer = Response(found[1], mimetype="image/jpeg")
    answer.headers["X-Picture"] = str(found[0])
    return answer
