"""The API of the host: sharing, seats, the code, the house rule, a new table."""

import math
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from flask import Response

from combat.rulebooks import get_ruleset
from tabletop.errors import DreyerError
from tabletop.table import Pose
from web.actions.context import Ground
from web.actions.pairs import SetPremeasure
from web.actions.sides import AddSide, ChangeSide, RemoveSide
from web.actions.table import NewShip, OpenTable, size_data
from web.api import models
from web.api.action_routes import acts
from web.api.route import Answer, Call, Needs, route
from web.auth.seats import Right
from web.faults import Fault, sentence
from web.http.join_link import joining
from web.server.network import qr_svg, wifi_text
from web.server.sharing import SHARED, CannotShare
from web.table.pieces import sides_data
from web.table.state import Event, Kind

_ALL = 1_000_000


@route(
    "POST",
    "/api/host/share",
    "Share the table on a network, or stop sharing",
    needs=Needs.HOST,
    body=models.Share,
    answer=models.SharedNow,
    faults=(409,),
    tag="host",
)
def share(call: Call, body: models.Share) -> Answer:
    """Phones can come in from now on, or no longer."""
    try:
        call.running.sharing.switch(body.on, body.address)
    except CannotShare as error:
        raise Fault(409, sentence(str(error)), field="address") from None
    call.session.keep(SHARED, (call.running.sharing.now.address or "") if body.on else "")
    now = joining(call.running)
    return {
        "seq": call.session.seq,
        "shared": now.shared,
        "address": now.address,
        "link": now.link,
        "networks": [asdict(network) for network in now.networks],
    }


@route(
    "GET",
    "/join-qr.svg",
    "The link that phones join by, as a QR code",
    needs=Needs.HOST,
    gives="image/svg+xml",
    tag="host",
)
def join_qr(call: Call) -> Answer:
    """The address in figures: phones need no name service to follow it."""
    link = joining(call.running).link
    return Response(qr_svg(link, title=link), mimetype="image/svg+xml")


@route(
    "POST",
    "/api/host/wifi",
    "A QR code by which phones join the Wi-Fi; nothing of it is kept",
    needs=Needs.HOST,
    body=models.Wifi,
    answer=models.Picture,
    tag="host",
)
def wifi_qr(call: Call, body: models.Wifi) -> Answer:  # noqa: ARG001
    """The network's name and password as phones read them."""
    data = wifi_text(body.name, body.password, hidden=body.hidden)
    return {"svg": qr_svg(data, title=body.name)}


@route(
    "POST",
    "/api/host/lock",
    "Let nobody new in, or let them in again",
    needs=Needs.HOST,
    body=models.Switch,
    answer=models.Done,
    tag="host",
)
def lock(call: Call, body: models.Switch) -> Answer:
    """Whoever has a seat still comes back with the PIN."""
    call.session.with_seats(lambda seats: seats.lock(body.on))
    return _done(call)


@route(
    "POST",
    "/api/host/code",
    "Renew the table's code",
    needs=Needs.HOST,
    body=models.Nothing,
    answer=models.NewCode,
    tag="host",
)
def renew_code(call: Call, body: models.Nothing) -> Answer:  # noqa: ARG001
    """The old one opens nothing any more."""
    code = call.session.with_seats(lambda seats: seats.renew_code())
    return {"seq": call.session.seq, "code": code}


@route(
    "POST",
    "/api/host/release",
    "Release a seat",
    needs=Needs.HOST,
    body=models.SeatId,
    answer=models.Done,
    faults=(404,),
    tag="host",
)
def release(call: Call, body: models.SeatId) -> Answer:
    """Its holder is out, and its name may be taken again."""
    try:
        call.session.with_seats(lambda seats: seats.release(body.seat))
    except DreyerError as error:
        raise Fault(404, sentence(str(error)), field="seat") from None
    return _done(call)


acts(
    "POST", "/api/host/premeasure", "Set the house rule about measuring before firing",
    SetPremeasure, body=models.PremeasureRule, faults=(), tag="host",
)  # fmt: skip


acts(
    "POST", "/api/sides", "Add a side to the table", AddSide, body=models.AddedSide, tag="host",
)  # fmt: skip
acts(
    "POST", "/api/sides/<path:key>", "Change a side's name, look or allies", ChangeSide,
    body=models.ChangedSide, tag="host",
)  # fmt: skip
acts(
    "DELETE", "/api/sides/<path:key>", "Remove a side that has no ships", RemoveSide, tag="host",
)  # fmt: skip


def new_table(
    yards_per_inch: float | None, ships: tuple[models.PlacedShip, ...], **named: Any
) -> OpenTable:
    """A new table; the one before stays in the journal."""
    scale = yards_per_inch or get_ruleset(named["ruleset"]).default_scale.yards_per_inch
    fleet = (NewShip(ship.name, ship.type, ship.side, pose=_pose(ship)) for ship in ships)
    return OpenTable(yards_per_inch=scale, ships=tuple(fleet), **named)


acts(
    "POST", "/api/host/table", "Lay a new table", new_table, needs=Needs.HOST,
    body=models.NewTable, tag="host",
)  # fmt: skip


@route(
    "POST",
    "/api/host/restart",
    "Lay the same table again, as it was at first",
    needs=Needs.HOST,
    body=models.Nothing,
    answer=models.Done,
    faults=(409,),
    tag="host",
)
def restart(call: Call, body: models.Nothing) -> Answer:  # noqa: ARG001
    """Every ship stands where she stood."""
    entries = call.session.log(most=_ALL)
    opened = next((e.event for e in reversed(entries) if e.event.kind is Kind.TABLE_OPENED), None)
    if opened is None:
        raise Fault(409, "No table has been laid yet: lay one first")
    return {"seq": call.session.act(call.caller, _LayAgain(opened), key=call.key)}


@dataclass(frozen=True, slots=True)
class _LayAgain:
    """The table as it was first laid, once more."""

    needs: ClassVar = Right.HOST
    opened: Event

    def events(self, ground: Ground) -> tuple[Event, ...]:
        """The house rule stays as it is now, and so does the size that was measured since."""
        data: dict[str, Any] = {**self.opened.data, "premeasure": ground.state.premeasure}
        sides = ground.state.sides
        if all(ship["side"] in sides for ship in data["ships"]):
            data["sides"] = sides_data(sides)
        laid, size = Event(Kind.TABLE_OPENED, data), size_data(ground.state)
        same = all(math.isclose(data[key], value) for key, value in size.items())
        return (laid,) if same else (laid, Event(Kind.TABLE_SIZED, size))


def _pose(ship: models.PlacedShip) -> Pose | None:
    given = (ship.x, ship.y, ship.heading)
    if ship.x is None or ship.y is None or ship.heading is None:
        if any(value is not None for value in given):
            raise Fault(400, f"{ship.name}: expected x, y and heading together, or none of them")
        return None
    return Pose(ship.x, ship.y, ship.heading % 360)


def _done(call: Call) -> Answer:
    return {"seq": call.session.seq}
