"""The API of the host: sharing, seats, the code, the house rule, a new table."""

from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, Final

from flask import Response
from pydantic import Field

from combat.rulebooks import get_ruleset
from tabletop.errors import DreyerError
from tabletop.messages import Message
from tabletop.schema import Flag, Line, Number, Secret, document
from tabletop.table import Pose
from web.actions.context import ActionContext, Change, Degrees, Distance, event_change
from web.actions.pairs import SetPremeasure
from web.actions.sides import AddSide, ChangeSide, RemoveSide
from web.actions.table import NewShip, OpenTable, same_size, size_of
from web.api.models import Done, Nothing
from web.api.route import Call, Needs, Routes
from web.auth.seats import Right
from web.faults import Fault
from web.journal.events import TableOpened
from web.journal.fields import Name, SideKey
from web.server.network import Network, qr_svg, wifi_text
from web.server.sharing import SHARED, CannotShare

routes: Final = Routes()

_ALL = 1_000_000


Inches = Annotated[Number, Field(gt=0, le=400)]


@document
class SharingRequest:
    """Whether to share, and on which of this machine's addresses."""

    on: Flag
    address: Annotated[str, Field(max_length=45)] | None = None


@document
class SharingAnswer(Done):
    """The state of sharing."""

    shared: bool
    address: str
    link: str
    networks: tuple[Network, ...]


@document
class Wifi:
    """A Wi-Fi network for a QR code; nothing of it is stored."""

    name: Annotated[Line, Field(min_length=1, max_length=32)]
    password: Annotated[Line, Field(max_length=63), Secret()] = ""
    hidden: Flag = False


@document
class SvgPicture:
    """A picture as SVG."""

    svg: str


@document
class Switch:
    """On or off."""

    on: Flag


@document
class SeatId:
    """One seat."""

    seat: Annotated[str, Field(min_length=1, max_length=12)]


@document
class NewCode(Done):
    """The new code."""

    code: str


@routes.route(
    "POST",
    "/api/host/share",
    "Share the table on a network, or stop sharing",
    needs=Needs.HOST,
    faults=(409,),
    tag="host",
)
def share(call: Call, body: SharingRequest) -> SharingAnswer:
    """Switches sharing on or off."""
    try:
        call.server_context.sharing.switch(body.on, body.address)
    except CannotShare as error:
        raise Fault(409, error.message, field="address") from None
    call.session.save_setting(
        SHARED, (call.server_context.sharing.now.address or "") if body.on else ""
    )
    now = call.server_context.join_link
    return SharingAnswer(
        seq=call.session.seq,
        shared=now.shared,
        address=now.address,
        link=now.link,
        networks=now.networks,
    )


@routes.route(
    "GET",
    "/join-qr.svg",
    "The link that phones join by, as a QR code",
    needs=Needs.HOST,
    gives="image/svg+xml",
    tag="host",
)
def join_qr(call: Call) -> Response:
    """With the numeric address, which needs no name service."""
    link = call.server_context.join_link.link
    return Response(qr_svg(link, title=link), mimetype="image/svg+xml")


@routes.route(
    "POST",
    "/api/host/wifi",
    "A QR code by which phones join the Wi-Fi; nothing of it is kept",
    needs=Needs.HOST,
    tag="host",
)
def wifi_qr(call: Call, body: Wifi) -> SvgPicture:  # noqa: ARG001
    """The network's name and password in the format for phones."""
    data = wifi_text(body.name, body.password, hidden=body.hidden)
    return SvgPicture(svg=qr_svg(data, title=body.name))


@routes.route(
    "POST",
    "/api/host/lock",
    "Let nobody new in, or let them in again",
    needs=Needs.HOST,
    tag="host",
)
def lock(call: Call, body: Switch) -> Done:
    """Existing seats can still be taken again with their PIN."""
    call.session.with_seats(lambda seats: seats.lock(body.on))
    return Done(seq=call.session.seq)


@routes.route(
    "POST",
    "/api/host/code",
    "Renew the table's code",
    needs=Needs.HOST,
    tag="host",
)
def renew_code(call: Call, body: Nothing) -> NewCode:  # noqa: ARG001
    """The old code is no longer valid."""
    code = call.session.with_seats(lambda seats: seats.renew_code())
    return NewCode(seq=call.session.seq, code=code)


@routes.route(
    "POST",
    "/api/host/release",
    "Release a seat",
    needs=Needs.HOST,
    faults=(404,),
    tag="host",
)
def release(call: Call, body: SeatId) -> Done:
    """Its holder loses access, and its name may be used again."""
    try:
        call.session.with_seats(lambda seats: seats.release(body.seat))
    except DreyerError as error:
        raise Fault(404, error.message, field="seat") from None
    return Done(seq=call.session.seq)


routes.action(
    "POST",
    "/api/host/premeasure",
    "Set the house rule about measuring before firing",
    SetPremeasure,
    faults=(),
    tag="host",
)
routes.action("POST", "/api/sides", "Add a side to the table", AddSide, tag="host")
routes.action(
    "POST",
    "/api/sides/<path:key>",
    "Change a side's name, look or allies",
    ChangeSide,
    tag="host",
)
routes.action(
    "DELETE",
    "/api/sides/<path:key>",
    "Remove a side that has no ships",
    RemoveSide,
    tag="host",
)


@document
class NewTableShip:
    """A ship of a new table, placed or not; a known type gives class, size and base."""

    name: Name
    type: Name | None = None
    side: SideKey | None = None
    x: Distance | None = None
    y: Distance | None = None
    heading: Degrees | None = None


@document
class NewTable:
    """A table to be laid."""

    title: Name
    ruleset: Annotated[str, Field(min_length=1, max_length=40)]
    yards_per_inch: Annotated[Number, Field(gt=0, le=100_000)] | None = None
    """By default the ruleset's scale."""
    width_inches: Inches
    height_inches: Inches
    ships: Annotated[tuple[NewTableShip, ...], Field(max_length=200)] = ()


@routes.route(
    "POST", "/api/host/table", "Lay a new table", needs=Needs.HOST, faults=(404,), tag="host"
)
def new_table(call: Call, body: NewTable) -> Done:
    """The previous table stays in the journal."""
    scale = body.yards_per_inch or get_ruleset(body.ruleset).default_scale.yards_per_inch
    action = OpenTable(
        title=body.title,
        ruleset=body.ruleset,
        yards_per_inch=scale,
        width_inches=body.width_inches,
        height_inches=body.height_inches,
        ships=tuple(
            NewShip(ship.name, ship.type, ship.side, pose=_pose(ship)) for ship in body.ships
        ),
    )
    return call.act(action)


@routes.route(
    "POST",
    "/api/host/restart",
    "Lay the same table again, as it was at first",
    needs=Needs.HOST,
    faults=(409,),
    tag="host",
)
def restart(call: Call, body: Nothing) -> Done:  # noqa: ARG001
    """Every ship returns to her first place."""
    entries = call.session.log(most=_ALL)
    found = (entry.event for entry in reversed(entries))
    opened = next((event for event in found if isinstance(event, TableOpened)), None)
    if opened is None:
        raise Fault(409, Message("table.fault.not_laid"))
    return call.act(_RestartTable(opened))


@dataclass(frozen=True, slots=True)
class _RestartTable:
    """The table as it was first opened."""

    needs: ClassVar = Right.HOST
    opened: TableOpened

    def change(self, context: ActionContext) -> Change:
        """The house rule stays as it is now, and so does the measured size."""
        laid = replace(self.opened, premeasure=context.state.premeasure)
        sides = context.state.sides
        if all(ship.side in sides for ship in laid.ships):
            laid = replace(laid, sides=sides)
        size = size_of(context.state)
        return event_change(laid) if same_size(size_of(laid), size) else event_change(laid, size)


def _pose(ship: NewTableShip) -> Pose | None:
    given = (ship.x, ship.y, ship.heading)
    if ship.x is None or ship.y is None or ship.heading is None:
        if any(value is not None for value in given):
            raise Fault(400, Message("table.fault.half_pose", ship=ship.name))
        return None
    return Pose(ship.x, ship.y, ship.heading % 360)
