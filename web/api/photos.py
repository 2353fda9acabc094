"""The API of photos: send one, look at what was found, use it."""

from typing import Annotated

from flask import Response
from pydantic import Field

from web.api.reading import Line
from web.api.route import Answer, Call, Model, Needs, Query, route
from web.camera.access import eyes_of
from web.camera.photos import KINDS, LARGEST_PHOTO_BYTES, Gone
from web.faults import Fault

_Token = Annotated[Line, Field(min_length=8, max_length=40)]


class Use(Model):
    """Which photo's places to take, and of which ships; without names, of all."""

    token: _Token
    ships: Annotated[list[Annotated[Line, Field(max_length=60)]], Field(max_length=250)] | None = (
        None
    )


class PhotoQuery(Query):
    """Which photo."""

    token: _Token


@route(
    "POST", "/api/photo", "Look at a photo of the table", needs=Needs.PLAY,
    takes=KINDS, largest_bytes=LARGEST_PHOTO_BYTES, faults=(413, 415), tag="photo",
)  # fmt: skip
def send(call: Call, body: bytes) -> Answer:
    """Nothing on the table changes yet."""
    photos = eyes_of(call.running).photos
    token = photos.take(body)
    reading = photos.read(token, call.session.moment.state)
    return {
        "token": token,
        "page": f"/photo/{token}",
        "picture": f"/photo.jpg?token={token}",
        "corners_found": reading.corners,
        "found": [
            {
                "marker": ship.marker,
                "name": ship.name,
                "x": ship.pose.x_yards,
                "y": ship.pose.y_yards,
                "heading": ship.pose.heading_deg,
                "sigma_yards": ship.pose.position_sigma_yards,
                "usable": ship in reading.usable,
            }
            for ship in reading.ships
        ],
        "missing": list(reading.missing),
        "notes": list(reading.notes),
        "problem": reading.problem or None,
    }


@route(
    "GET", "/photo.jpg", "A photo that was sent", needs=Needs.LOOK, query=PhotoQuery,
    gives="image/jpeg", faults=(404,), tag="photo",
)  # fmt: skip
def picture(call: Call, query: PhotoQuery) -> Answer:
    """The picture, no wider than a phone shows it."""
    try:
        data = eyes_of(call.running).photos.find(query.token).jpeg
    except Gone as error:
        raise Fault(404, str(error)) from None
    return Response(data, mimetype="image/jpeg")


@route(
    "POST", "/api/photo/use", "Put ships where a photo shows them", needs=Needs.PLAY, body=Use,
    faults=(404,), tag="photo",
)  # fmt: skip
def use(call: Call, body: Use) -> Answer:
    """The table as it was stays in the log."""
    photos = eyes_of(call.running).photos
    try:
        action = photos.placing(body.token, call.session.moment.state, body.ships)
    except Gone as error:
        raise Fault(404, str(error)) from None
    call.session.act(call.caller, action, key=call.key)
    return {"seq": call.session.seq, "placed": [place.name for place in action.places]}
