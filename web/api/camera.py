"""The API of the camera: its source, measuring the table, and its picture."""

import secrets
from dataclasses import fields, replace
from typing import Annotated, Final, Literal
from urllib.parse import urlencode

from flask import Response
from pydantic import Field

from calibration.calibration_file import HIGHEST_BASE_MM
from calibration.camera import FEWEST_BOARD_VIEWS
from calibration.marker_layout import LEAST_TAG_MM, MOST_ANCHORS, MOST_TAG_MM
from calibration.markers import Corner
from calibration.model_pieces import CodePlace, MarkerForm, MarkerPaint, ModelScale
from tabletop.errors import DreyerError
from tabletop.messages import Message
from tabletop.scale import inches_from_mm, mm_from_inches
from tabletop.schema import Flag, Line, Number, Whole, document
from web.actions.table import SizeTable
from web.api.models import Done, Nothing
from web.api.route import Call, Needs, Routes
from web.camera import measurement as camera_measure
from web.camera.marker_pages import marker_pdf, marker_set_for
from web.camera.settings import (
    LEAST_BAR_MM,
    LEAST_CAMERA_MM,
    LONGEST_SOURCE,
    MOST_BAR_MM,
    MOST_CAMERA_MM,
    SetupStep,
)
from web.camera.storage import DEMO
from web.camera.table_access import PrintChoice
from web.faults import Fault

routes: Final = Routes()

_TAG: Final = "camera"
_KINDS: Final = ("BB", "BC", "PB", "CV", "CA", "CL", "DD", "other")
"""Kinds of ships whose bases may have a separate height."""
MOST_DUMMIES: Final = 100
_Unit = Literal["inches", "mm"]
_Paper = Literal["a4", "letter"]
_Height = Annotated[Number, Field(ge=0, le=HIGHEST_BASE_MM)]
_Share = Annotated[Number, Field(ge=0, le=1)]
_Length = Annotated[Number, Field(gt=0, le=100_000)]


@document
class CameraSource:
    """A camera: a webcam's number or name, an http address, a file or folder, or "demo"."""

    source: Annotated[Line, Field(min_length=1, max_length=LONGEST_SOURCE)]


@document
class Edges:
    """The distances between the corner markers' centres."""

    width: _Length
    height: _Length
    unit: _Unit = "inches"


@document
class Heights:
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
    camera_height_mm: Annotated[Number, Field(ge=LEAST_CAMERA_MM, le=MOST_CAMERA_MM)] | None = None
    yards_per_inch: Annotated[Number, Field(ge=1, le=100_000)] | None = None


@document
class BarLength:
    """The measured length of the printed 100 mm bar."""

    mm: _Length


@document
class MarkerChoice:
    """The paper in the printer, and what to print on it."""

    paper: _Paper = "a4"
    form: MarkerForm = MarkerForm.COUNTER
    """A counter, a name plate, a base for a model, or a paper ship."""
    paint: MarkerPaint = MarkerPaint.WHITE
    scale: ModelScale = ModelScale.S2400
    code: CodePlace = CodePlace.BEHIND
    tag_mm: Annotated[Number, Field(ge=LEAST_TAG_MM, le=MOST_TAG_MM)] | None = None
    names: Literal["shown", "hidden"] = "shown"
    """Whether names are on the paper."""
    dummies: Annotated[Whole, Field(ge=0, le=MOST_DUMMIES)] = 0
    anchors: Annotated[Whole, Field(ge=0, le=MOST_ANCHORS)] = 0
    seed: Annotated[Whole, Field(ge=0, lt=2**32)] = 0
    """The deal of the numbers where names are hidden."""

    def to_print(self) -> PrintChoice:
        """The same for the layout."""
        return PrintChoice(
            self.paper, self.form, self.paint, self.scale, self.code, self.tag_mm,
            self.names == "hidden" or self.dummies > 0, self.dummies, self.anchors, self.seed,
        )  # fmt: skip


@document
class PictureQuery:
    """The picture: of which camera, with or without findings.

    The number only prevents caching.
    """

    plain: Flag = False
    camera: Annotated[Whole, Field(ge=1, le=2)] = 1
    n: Annotated[Whole, Field(ge=0)] | None = None


@document
class MarkerPagesUrl(Done):
    """The address of the marker pages."""

    url: str


@document
class CornerAnswer(Done):
    """Whether a marker was found at the place."""

    read: bool


@document
class DistanceAnswer(Done):
    """Our figure and the measured one."""

    ours_mm: float
    measured_mm: float
    off: float
    """The relative error of our figure."""
    good: bool
    correct: tuple[str, ...]
    """The probable causes."""


@document
class BoardViews(Done):
    """The number of pictures of the lens board, and how many are needed."""

    views: int
    needed: int


@document
class MeasurementNotes(Done):
    """The results in words."""

    notes: tuple[Message, ...]


@document
class CornerPosition:
    """A corner's place in the picture, as fractions of its width and height."""

    corner: Literal["near left", "near right", "far right", "far left"]
    x: _Share
    y: _Share


@document
class MeasuredDistance:
    """A distance between two markers' centres that was measured by hand."""

    first: Annotated[Line, Field(min_length=1, max_length=40)]
    second: Annotated[Line, Field(min_length=1, max_length=40)]
    measured: _Length
    unit: _Unit = "mm"


@document
class MarkerAssignment:
    """The ship of a marker; null makes it a number again."""

    marker: Annotated[Whole, Field(ge=0, le=1000)]
    ship: Annotated[Line, Field(min_length=1, max_length=60)] | None = None


@document
class PlainCounters:
    """Whether plain striped counters are on the table."""

    on: Flag


@document
class CounterName:
    """The ship of a plain counter, and the direction of her bow in the picture.

    Without one she points as nearly as possible to where she pointed when she was last seen.
    """

    key: Annotated[Whole, Field(ge=0, le=1_000_000)]
    ship: Annotated[Line, Field(min_length=1, max_length=60)]
    bow: Literal["left", "right", "up", "down"] | None = None


@document
class UnknownName:
    """The ship of a marker that is seen and not known."""

    key: Annotated[Whole, Field(ge=0, le=1_000_000)]
    ship: Annotated[Line, Field(min_length=1, max_length=60)]


@document
class WizardStep:
    """A step of the set-up."""

    step: Literal["print", "camera", "corners", "check", "done"]


@routes.route("POST", "/api/camera", "Look through this camera", needs=Needs.HOST, tag=_TAG)
def choose(call: Call, body: CameraSource) -> Done:
    """Takes effect at once; the camera's status tells whether pictures arrive."""
    camera_thread = call.server_context.camera_thread
    camera_thread.start(body.source)
    camera_thread.memory.save_step(SetupStep.CAMERA)
    return Done(seq=call.session.seq)


@routes.route(
    "DELETE", "/api/camera", "Look through no camera any more", needs=Needs.HOST, tag=_TAG
)
def drop(call: Call) -> Done:
    """Ships stay where they were last seen."""
    call.server_context.camera_thread.stop(forget=True)
    return Done(seq=call.session.seq)


@routes.route(
    "POST",
    "/api/camera/second",
    "Look through a second camera, too",
    needs=Needs.HOST,
    tag=_TAG,
)
def choose_second(call: Call, body: CameraSource) -> Done:
    """Ships are measured by both from then on; it must be another camera than the first."""
    context = call.server_context
    first = context.camera_thread.memory.setup.source
    if not first or body.source.strip() in (first, DEMO):
        raise Fault(400, Message("setup.fault.second_camera"), field="source")
    context.second_camera.start(body.source)
    return Done(seq=call.session.seq)


@routes.route(
    "DELETE",
    "/api/camera/second",
    "Look through the second camera no more",
    needs=Needs.HOST,
    tag=_TAG,
)
def drop_second(call: Call) -> Done:
    """The first camera goes on."""
    call.server_context.second_camera.stop(forget=True)
    return Done(seq=call.session.seq)


@routes.route(
    "POST",
    "/api/camera/step",
    "Go on in the camera set-up",
    needs=Needs.HOST,
    tag=_TAG,
)
def reach(call: Call, body: WizardStep) -> Done:
    """Stored, so that the set-up continues there."""
    call.server_context.camera_thread.memory.save_step(SetupStep(body.step))
    return Done(seq=call.session.seq)


@routes.route(
    "POST",
    "/api/camera/sheets",
    "Say that these marker pages are printed",
    needs=Needs.HOST,
    tag=_TAG,
)
def sheets(call: Call, body: MarkerChoice) -> MarkerPagesUrl:
    """The markers' ships stay as printed, even if ships are added later."""
    camera_thread = call.server_context.camera_thread
    if body.names == "hidden" or body.dummies:
        body = replace(body, seed=secrets.randbelow(2**32))
    camera_thread.memory.change(paper=body.paper)
    camera_thread.memory.save_marker_set(
        marker_set_for(camera_thread.memory.table.ships(), body.to_print())
    )
    usual = MarkerChoice()
    changed = {
        each.name: getattr(body, each.name)
        for each in fields(body)
        if each.name == "paper" or getattr(body, each.name) != getattr(usual, each.name)
    }
    return MarkerPagesUrl(seq=call.session.seq, url=f"/sheets.pdf?{urlencode(changed)}")


@routes.route(
    "GET",
    "/sheets.pdf",
    "The markers to print for this table",
    needs=Needs.HOST,
    gives="application/pdf",
    tag=_TAG,
)
def sheets_pdf(call: Call, query: MarkerChoice) -> Response:
    """Corners, anchors, the table's ships, blank markers, the 100 mm bar and the lens board."""
    pdf = marker_pdf(call.server_context.camera_thread.memory.table.ships(), query.to_print())
    answer = Response(pdf, mimetype="application/pdf")
    answer.headers["Content-Disposition"] = 'attachment; filename="dreyer-sheets.pdf"'
    return answer


@routes.route(
    "POST",
    "/api/camera/print_bar",
    "Say what the 100 mm bar measures",
    needs=Needs.HOST,
    tag=_TAG,
)
def print_bar(call: Call, body: BarLength) -> Done:
    """Corrects the markers' size."""
    if not LEAST_BAR_MM <= body.mm <= MOST_BAR_MM:
        raise Fault(
            400,
            Message("setup.fault.scale_bar", mm=body.mm),
            field="mm",
        )
    camera_thread = call.server_context.camera_thread
    camera_thread.memory.change(bar_mm=body.mm)
    camera_thread.memory.save_step(SetupStep.CAMERA)
    return Done(seq=call.session.seq)


@routes.route(
    "POST",
    "/api/camera/table",
    "Say how far apart the corner markers are",
    needs=Needs.HOST,
    tag=_TAG,
)
def table(call: Call, body: Edges) -> Done:
    """Sets the table's size; ships keep their places on it."""
    width, height = (
        each if body.unit == "inches" else inches_from_mm(each)
        for each in (body.width, body.height)
    )
    before, camera_thread = call.session.moment.state, call.server_context.camera_thread
    action = SizeTable(width_inches=width, height_inches=height)
    call.session.act(call.caller, action, key=call.key)
    if call.session.moment.state is not before:
        # Anchors were measured by the table's size.
        camera_thread.memory.change(distance=None, anchors={})
        camera_thread.retune()
    return Done(seq=call.session.seq)


@routes.route(
    "POST",
    "/api/camera/heights",
    "Say how high the markers are",
    needs=Needs.HOST,
    tag=_TAG,
)
def heights(call: Call, body: Heights) -> Done:
    """Heights by kind of base, the camera's own height, and the table's scale."""
    action = SizeTable(yards_per_inch=body.yards_per_inch)
    call.session.act(call.caller, action, key=call.key)
    given = {kind: getattr(body, kind) for kind in _KINDS}
    camera_thread = call.server_context.camera_thread
    camera_thread.memory.change(
        height_mm=body.all_mm,
        heights_mm={kind: mm for kind, mm in given.items() if mm is not None},
        camera_height_mm=body.camera_height_mm,
    )
    return Done(seq=call.session.seq)


@routes.route("POST", "/api/camera/corner", "Show where a corner is", needs=Needs.HOST, tag=_TAG)
def corner(call: Call, body: CornerPosition) -> CornerAnswer:
    """The place is refined by the picture; if that fails, the point is used as it is."""
    shown = camera_measure.show_corner(
        call.server_context.camera_thread, Corner(body.corner), body.x, body.y
    )
    return CornerAnswer(seq=call.session.seq, read=shown.found)


@routes.route(
    "DELETE", "/api/camera/corner", "Forget corners shown by hand", needs=Needs.HOST, tag=_TAG
)
def forget_corners(call: Call) -> Done:
    """Only the markers count again."""
    camera_measure.forget_corners(call.server_context.camera_thread)
    return Done(seq=call.session.seq)


@routes.route(
    "POST",
    "/api/camera/distance",
    "Compare a measured distance",
    needs=Needs.HOST,
    tag=_TAG,
)
def distance(call: Call, body: MeasuredDistance) -> DistanceAnswer:
    """Our figure, the difference, and the probable causes."""
    camera_thread = call.server_context.camera_thread
    measured_mm = mm_from_inches(body.measured) if body.unit == "inches" else body.measured
    found = camera_measure.known_distance(camera_thread, body.first, body.second, measured_mm)
    return DistanceAnswer(
        seq=call.session.seq,
        ours_mm=found.ours_mm,
        measured_mm=found.measured_mm,
        off=found.off,
        good=abs(found.off) <= camera_measure.GOOD_SHARE,
        correct=tuple(advice.what for advice in camera_measure.advice_on(camera_thread, found)),
    )


@routes.route(
    "POST",
    "/api/camera/board",
    "Take a picture of the lens board",
    needs=Needs.HOST,
    tag=_TAG,
)
def board(call: Call, body: Nothing) -> BoardViews:  # noqa: ARG001
    """With enough of them the lens can be measured."""
    camera_thread = call.server_context.camera_thread
    camera_thread.board.append(camera_measure.board_view(camera_thread, camera_thread.board))
    return BoardViews(
        seq=call.session.seq, views=len(camera_thread.board), needed=FEWEST_BOARD_VIEWS
    )


@routes.route(
    "DELETE", "/api/camera/board", "Drop pictures of the lens board", needs=Needs.HOST, tag=_TAG
)
def drop_board(call: Call) -> Done:
    """Discard the pictures."""
    call.server_context.camera_thread.board.clear()
    return Done(seq=call.session.seq)


@routes.route(
    "POST",
    "/api/camera/measure",
    "Measure the camera and keep it",
    needs=Needs.HOST,
    tag=_TAG,
)
def measure(call: Call, body: Nothing) -> MeasurementNotes:  # noqa: ARG001
    """From the newest picture, and from the pictures of the lens board."""
    camera_thread = call.server_context.camera_thread
    try:
        measured = camera_measure.measure(camera_thread, tuple(camera_thread.board))
    except DreyerError as error:
        raise Fault(400, error.message, field="camera_height_mm") from None
    return MeasurementNotes(seq=call.session.seq, notes=tuple(measured.notes))


@routes.route(
    "POST",
    "/api/camera/assign",
    "Let a marker stand for a ship",
    needs=Needs.PLAY,
    faults=(404,),
    tag=_TAG,
)
def assign(call: Call, body: MarkerAssignment) -> Done:
    """Assign a marker to a ship; a ship has one marker."""
    camera_measure.assign(call.server_context.camera_thread, body.marker, body.ship)
    return Done(seq=call.session.seq)


@routes.route(
    "POST",
    "/api/camera/plain",
    "Look for plain counters too, or not",
    needs=Needs.HOST,
    tag=_TAG,
)
def plain(call: Call, body: PlainCounters) -> Done:
    """Rectangles with a white stripe and no code, as large as the table's bases."""
    call.server_context.camera_thread.memory.change(plain=body.on)
    return Done(seq=call.session.seq)


@routes.route(
    "POST",
    "/api/camera/film",
    "Keep a photo of the table after every segment of a battle, or not",
    needs=Needs.HOST,
    tag=_TAG,
)
def film(call: Call, body: PlainCounters) -> Done:
    """Photos that were taken stay with their battle and are deleted with it."""
    call.server_context.camera_thread.memory.change(film=body.on)
    return Done(seq=call.session.seq)


@routes.route(
    "POST",
    "/api/camera/counter",
    "Say who a plain counter is",
    needs=Needs.PLAY,
    faults=(404,),
    tag=_TAG,
)
def counter(call: Call, body: CounterName) -> Done:
    """Assign a plain counter to a ship, which is tracked from then on."""
    bow = None if body.bow is None else camera_measure.Bow(body.bow)
    camera_measure.name_counter(call.server_context.camera_thread, body.key, body.ship, bow)
    return Done(seq=call.session.seq)


@routes.route(
    "POST",
    "/api/camera/unknown",
    "Say who a marker is of which a part is hidden",
    needs=Needs.PLAY,
    faults=(404,),
    tag=_TAG,
)
def unknown(call: Call, body: UnknownName) -> Done:
    """The ship is one that the marker may be; she is tracked from then on."""
    call.server_context.camera_thread.name_unknown(body.key, body.ship)
    return Done(seq=call.session.seq)


@routes.route(
    "GET",
    "/camera.jpg",
    "The camera's picture, with what was seen",
    needs=Needs.LOOK,
    gives="image/jpeg",
    faults=(404,),
    tag=_TAG,
)
def picture(call: Call, query: PictureQuery) -> Response:
    """The newest picture."""
    cameras = call.server_context.cameras
    looked_through = cameras.first if query.camera == 1 else cameras.second
    found = looked_through.jpeg(marked=not query.plain)
    if found is None:
        raise Fault(404, Message("setup.fault.no_picture"))
    answer = Response(found[1], mimetype="image/jpeg")
    answer.headers["X-Picture"] = str(found[0])
    return answer
