"""The API of photos: send one, see what was found, use it."""

from typing import Annotated, Final

from flask import Response
from pydantic import Field

from tabletop.messages import Message
from tabletop.schema import Line, document
from web.api.models import Done
from web.api.route import Call, Needs, Routes
from web.camera.photos import (
    BUSY_SECONDS,
    KINDS,
    LARGEST_PHOTO_BYTES,
    PhotoExpired,
    PhotosBusy,
)
from web.faults import Fault

routes: Final = Routes()

_ShipNames = Annotated[tuple[Annotated[Line, Field(max_length=60)], ...], Field(max_length=250)]
_Token = Annotated[Line, Field(min_length=8, max_length=40)]


@document
class PhotoUse:
    """The photo to use, and the ships; by default all."""

    token: _Token
    ships: _ShipNames | None = None


@document
class PhotoQuery:
    """The photo."""

    token: _Token


@document
class PhotoOrder:
    """The photos that a further one belongs to."""

    after: _Token | None = None


@document
class ShipFound:
    """A marker in a photo, in yards and degrees."""

    marker: int
    name: str
    x: float
    y: float
    heading: float
    sigma_yards: float
    usable: bool
    """Whether she is a ship of this table."""


@document
class PhotoAnswer:
    """The markers of a photo, and the addresses to see and use it."""

    token: str
    page: str
    picture: str
    corners_found: int
    found: tuple[ShipFound, ...]
    missing: tuple[str, ...]
    notes: tuple[Message, ...]
    problem: Message | None


@document
class PlacedShips(Done):
    """The ships that were placed."""

    placed: tuple[str, ...]


@routes.route(
    "POST",
    "/api/photo",
    "Look at a photo of the table",
    needs=Needs.PLAY,
    takes=KINDS,
    largest_bytes=LARGEST_PHOTO_BYTES,
    faults=(404, 413, 415, 429),
    tag="photo",
)
def send(call: Call, body: bytes, query: PhotoOrder) -> PhotoAnswer:
    """Nothing on the table changes yet; with `after`, it makes one table with earlier photos."""
    photos = call.server_context.camera_thread.photos
    try:
        sender = call.caller.seat.id if call.caller.seat else call.caller.token
        token = photos.take(body, sender, query.after)
    except PhotoExpired as error:
        raise Fault(404, error.message) from None
    except PhotosBusy as error:
        raise Fault(429, error.message, wait=BUSY_SECONDS) from None
    reading = photos.read(token, call.session.moment.state)
    return PhotoAnswer(
        token=token,
        page=f"/photo/{token}",
        picture=f"/photo.jpg?token={token}",
        corners_found=reading.corners,
        found=tuple(
            ShipFound(
                marker=ship.marker,
                name=ship.name,
                x=ship.pose.x_yards,
                y=ship.pose.y_yards,
                heading=ship.pose.heading_deg,
                sigma_yards=ship.pose.position_sigma_yards,
                usable=ship in reading.usable,
            )
            for ship in reading.ships
        ),
        missing=tuple(reading.missing),
        notes=tuple(reading.notes),
        problem=reading.problem or None,
    )


@routes.route(
    "GET",
    "/photo.jpg",
    "A photo that was sent",
    needs=Needs.LOOK,
    gives="image/jpeg",
    faults=(404,),
    tag="photo",
)
def picture(call: Call, query: PhotoQuery) -> Response:
    """The picture in the width of a phone."""
    try:
        data = call.server_context.camera_thread.photos.find(query.token).jpeg
    except PhotoExpired as error:
        raise Fault(404, error.message) from None
    return Response(data, mimetype="image/jpeg")


@routes.route(
    "POST",
    "/api/photo/use",
    "Put ships where a photo shows them",
    needs=Needs.PLAY,
    faults=(404,),
    tag="photo",
)
def use(call: Call, body: PhotoUse) -> PlacedShips:
    """The previous places stay in the log."""
    photos = call.server_context.camera_thread.photos
    try:
        action = photos.placing(body.token, call.session.moment.state, body.ships)
    except PhotoExpired as error:
        raise Fault(404, error.message) from None
    call.session.act(call.caller, action, key=call.key)
    return PlacedShips(seq=call.session.seq, placed=tuple(place.name for place in action.places))
