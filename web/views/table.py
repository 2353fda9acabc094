"""The view of the table for one caller, from which every page is made.

State, log, stream and export all use it, so that secrets are filtered in one place.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from typing import ClassVar, Final

from pydantic import ConfigDict

from combat.guided_play import OrderedView
from combat.participants import SPECTATOR, ShipStatus
from combat.ship_conditions import ShipCondition
from combat.sides import Sides
from combat.views import OrderedShipView
from tabletop.messages import Message
from web.auth.seats import Caller, Right, Role, Seat
from web.drawing.silhouettes import silhouette_of
from web.journal.events import Premeasure
from web.server.network import Network
from web.session import Session
from web.sides import SideView
from web.strings import text, words
from web.table.log import LogLine
from web.table.moment import (
    CameraStatus,
    Fate,
    Moment,
    RangeRing,
    ShipNow,
    ShipNowState,
    ShipSource,
)
from web.table.pieces import Couple, Declaration
from web.views.battle import CallerView, battle_view, seat_seen
from web.views.fog import is_foggy, log_seen, seen_moment, sees_all
from web.views.happenings import happened
from web.views.turn import TurnCall, turn_call

LOG_LINES: Final = 40


class Measure(StrEnum):
    """Whether a caller may measure."""

    YES = "yes"
    DECLARE = "declare"
    """Only after declaring fire."""
    NO = "no"


@dataclass(frozen=True, slots=True)
class JoinLink:
    """The address for phones; only for the host."""

    shared: bool
    address: str
    """The numeric address with the port; this machine's own while the table is not shared."""
    link: str
    """The content of the QR code."""
    networks: tuple[Network, ...] = ()


@dataclass(frozen=True, slots=True)
class JoinView(JoinLink):
    """The address for phones, with the table's code."""

    code: str = ""
    locked: bool = False


@dataclass(frozen=True, slots=True)
class Picture:
    """The camera's newest picture: its number, and how old it is."""

    number: int = 0
    """0 without one."""
    age_seconds: float | None = None


@dataclass(frozen=True, slots=True)
class MayView:
    """What a caller may do."""

    place: bool
    decide: bool
    host: bool
    measure: Measure
    """yes, declare or no."""


@dataclass(frozen=True, slots=True)
class YouView:
    """The caller."""

    host: bool
    seat: str | None
    name: str
    role: Role | None
    side: str | None
    may: MayView


@dataclass(frozen=True, slots=True)
class TableInfo:
    """The table itself."""

    title: str
    ruleset: str
    ruleset_title: str
    width_yards: float
    height_yards: float
    yards_per_inch: float


@dataclass(frozen=True, slots=True)
class PieceView:
    """One ship of the table's list; she has no place while she is not on the table."""

    name: str
    type: str | None
    side: str
    silhouette: str
    placed: bool
    x: float | None
    y: float | None
    heading: float | None
    sigma_yards: float | None
    heading_sigma_deg: float | None
    length_yards: float
    width_yards: float
    source: ShipSource
    """camera, hand or photo."""
    state: ShipNowState
    """settled, moving, stale, by_hand or unseen."""
    follows: bool
    """Whether the camera determines her place."""
    age_seconds: float
    note: str
    needs_reason: bool = False
    """Whether she is moved by hand only with a reason, since the camera sees her elsewhere."""
    marks: tuple[str, ...] = ()
    """The flag, or that she may take it over, and the markers beside her in a battle with them."""
    conditions: tuple[ShipCondition, ...] = ()
    """What everybody can see of her damage in a battle."""
    fate: ShipStatus | None = None
    """Sunk or withdrawn, where she takes no part in the battle any more and is not shown."""


@dataclass(frozen=True, slots=True)
class WreckView:
    """The mark where a ship sank."""

    name: str
    side: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class BearingView:
    """A contact in fog of war: something is there, on this bearing from a ship."""

    ship: str
    """The ship that notices it, and where she is."""
    x: float
    y: float
    bearing: float
    """In degrees, clockwise from north."""


@dataclass(frozen=True, slots=True)
class FrontView:
    """A smoke front; a front of a battle has no id and cannot be removed by hand."""

    id: int | None
    x1: float
    y1: float
    x2: float
    y2: float


@dataclass(frozen=True, slots=True)
class CameraView(CameraStatus):
    """The camera's condition, and what it sees."""

    ships_seen: int = 0
    picture: int = 0
    """The number of its newest picture; 0 without one."""
    picture_age_seconds: float | None = None


@dataclass(frozen=True, slots=True)
class DeclaredView:
    """A pair whose fire is declared, so that everyone may measure it."""

    firer: str
    target: str
    by: str


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat, and whether its phone is connected."""

    id: str
    name: str
    role: Role
    side: str | None
    here: bool


@dataclass(frozen=True, slots=True)
class NewcomerView:
    """Somebody who asks for a seat during a battle."""

    id: str
    name: str
    role: Role
    side: str | None
    agreed: tuple[str, ...]
    """The sides that have agreed."""


@dataclass(frozen=True, slots=True)
class ProposalView:
    """An act that waits for the consent of sides."""

    id: str
    who: str
    about: Message
    sides: tuple[str, ...]
    """The sides that are asked."""
    agreed: tuple[str, ...]
    yours: bool


@dataclass(frozen=True, slots=True)
class BattleTablesView:
    """The tables of the running battle."""

    checksum: str
    same: bool
    """Whether they are the table's current ones."""


@dataclass(frozen=True, slots=True)
class TablesView:
    """The tables in use, for everyone to compare."""

    checksum: str
    owner: int
    """The number of the owner's values."""
    fault: bool
    """Whether the file of the owner's values cannot be read."""
    revision: int
    """A number that grows with every change of a value or a card."""
    battle: BattleTablesView | None
    """None without a running battle."""


@dataclass(frozen=True, slots=True)
class TableView:
    """The table as the caller may see it."""

    # Its description, and that of all within, is closed and has the words of these fields.
    __pydantic_config__: ClassVar = ConfigDict(extra="forbid", use_attribute_docstrings=True)

    seq: int
    """The number that /api/live announces."""
    you: YouView
    table: TableInfo
    sides: tuple[SideView, ...]
    ships: tuple[PieceView, ...]
    wrecks: tuple[WreckView, ...]
    """Where ships sank in the battle; they stand in nobody's way."""
    fog: bool
    """Whether the caller is shown only what a side's ships see."""
    contacts: tuple[BearingView, ...]
    """What the caller's ships have noticed without seeing it."""
    smoke: tuple[FrontView, ...]
    rings: tuple[RangeRing, ...]
    """None if measuring is restricted, because rings would show distances."""
    scale_bar: bool
    rings_about: str | None
    quadrant_lines_deg: tuple[float, ...]
    """Clockwise from the bow."""
    camera: CameraView
    premeasure: Premeasure
    declared: tuple[DeclaredView, ...]
    battle: CallerView | None
    """None without a running battle."""
    turn: TurnCall | None
    """Whether the battle waits for the caller; None without a running battle."""
    happened: int
    """The number of the newest action that every screen shows; see /api/battle/happenings."""
    tables: TablesView | None
    """The tables in use; None before a table is opened."""
    seats: tuple[SeatView, ...]
    newcomers: tuple[NewcomerView, ...]
    """Those who ask for a seat; only for those who may let them in."""
    proposals: tuple[ProposalView, ...]
    """Acts that wait for consent; only for those who asked and those who answer."""
    join: JoinView | None
    """The address for phones; only for the host."""
    log: tuple[LogLine, ...]


def view_for(
    session: Session,
    caller: Caller,
    joining: JoinLink | None = None,
    tables: TablesView | None = None,
    picture: Picture | None = None,
) -> TableView:
    """The table as this caller may see it."""
    caller.must_be_known()
    moment, all_seen = seen_moment(session.moment, caller), sees_all(session.moment, caller)
    state = moment.state
    now = session.now()
    measure, marks = may_measure(moment, caller), _marks(moment)
    return TableView(
        seq=moment.seq,
        you=_you(caller, measure),
        table=TableInfo(
            title=state.title,
            ruleset=state.ruleset,
            ruleset_title=moment.ruleset.title if moment.ruleset else "",
            width_yards=state.width_yards,
            height_yards=state.height_yards,
            yards_per_inch=state.yards_per_inch,
        ),
        sides=tuple(SideView.of(side) for side in state.sides),
        ships=tuple(
            replace(
                _ship(ship, state.sides, now, moment.fates.get(name), marks.get(name, ())),
                conditions=moment.conditions.get(name, ()),
            )
            for name, ship in moment.ships.items()
        ),
        wrecks=tuple(
            WreckView(name, moment.ships[name].piece.side, fate.pose.x_yards, fate.pose.y_yards)
            for name, fate in moment.fates.items()
            if fate.status is ShipStatus.SUNK and name in moment.ships
        ),
        fog=not all_seen,
        contacts=contacts_seen(moment, caller),
        smoke=_smoke(moment),
        # Rings and a scale bar show distances, so they are left out where measuring is restricted.
        rings=moment.rings if measure is Measure.YES else (),
        scale_bar=measure is Measure.YES,
        rings_about=looks_first(moment, caller),
        quadrant_lines_deg=moment.quadrant_lines_deg,
        camera=_camera(moment, picture or Picture()) if all_seen else CameraView(),
        premeasure=state.premeasure,
        declared=tuple(
            DeclaredView(firer, target, declared.who)
            for (firer, target), declared in standing_declarations(moment).items()
        ),
        battle=battle_view(moment.battle, caller) if moment.battle else None,
        turn=turn_call(session, caller),
        happened=happened(moment),
        tables=tables,
        seats=tuple(_seat(seat, session) for seat in session.seats),
        newcomers=newcomers_for(session, caller),
        proposals=proposals_for(session, caller),
        join=_joining(session, joining) if caller.host and joining else None,
        log=log_seen(session, caller, most=LOG_LINES),
    )


def contacts_seen(moment: Moment, caller: Caller) -> tuple[BearingView, ...]:
    """The contacts of a caller's ships."""
    battle = moment.battle
    if battle is None or not is_foggy(moment):
        return ()
    seat = seat_seen(battle, caller)
    models = battle.rulebook.models(battle.state, seat)
    found = ((models[each.observer], each) for each in battle.plotted_view(seat).contacts)
    poses = moment.poses
    return tuple(
        BearingView(name, poses[name].x_yards, poses[name].y_yards, each.bearing_deg)
        for name, each in found
        if name in poses
    )


def newcomers_for(session: Session, caller: Caller) -> tuple[NewcomerView, ...]:
    """Those who ask for a seat, for a caller who may let them in."""
    if not caller.may_play:
        return ()
    return tuple(
        NewcomerView(
            each.id, each.seat.name, each.seat.role, each.seat.side, tuple(sorted(each.agreed))
        )
        for each in session.seats.newcomers
    )


def proposals_for(session: Session, caller: Caller) -> tuple[ProposalView, ...]:
    """The acts that wait for consent, for a caller who asked or who may answer."""
    side = caller.seat.side if caller.seat else None
    decides = caller.is_umpire or (caller.host and caller.seat is None)
    return tuple(
        ProposalView(
            each.id,
            each.caller.name,
            each.about,
            tuple(sorted(each.sides)),
            tuple(sorted(each.agreed)),
            each.caller.token == caller.token,
        )
        for each in session.proposals
        if decides or side in each.sides or each.caller.token == caller.token
    )


def looks_first(moment: Moment, caller: Caller) -> str | None:
    """The ship that is selected at first: the caller's own, if any."""
    own = caller.seat.side if caller.seat else None
    mine = (name for name in moment.in_play if moment.ships[name].piece.side == own)
    return next(mine, None) or next(iter(moment.in_play), None)


def may_measure(moment: Moment, caller: Caller) -> Measure:
    """Whether a caller may measure any pair."""
    rule = moment.state.premeasure
    if rule is Premeasure.OPEN or caller.is_umpire:
        return Measure.YES
    return Measure.DECLARE if rule is Premeasure.DECLARE else Measure.NO


def may_measure_pair(moment: Moment, caller: Caller, firer: str, target: str) -> Measure:
    """Whether a caller may measure a pair; everyone may measure a declared one."""
    rule = may_measure(moment, caller)
    declared = standing_declarations(moment)
    is_declared = (firer, target) in declared or (target, firer) in declared
    return Measure.YES if is_declared else rule


def standing_declarations(moment: Moment) -> Mapping[Couple, Declaration]:
    """The declarations whose ships have not moved since."""
    return {
        pair: declared
        for pair, declared in moment.state.declared.items()
        if moment.stands(declared.standing, pair)
    }


def _you(caller: Caller, measure: Measure) -> YouView:
    seat = caller.seat
    return YouView(
        host=caller.host,
        seat=seat.id if seat else None,
        name=caller.name,
        role=seat.role if seat else None,
        side=seat.side if seat else None,
        may=MayView(
            place=caller.has(Right.PLAY),
            decide=caller.has(Right.PLAY),
            host=caller.host,
            measure=measure,
        ),
    )


def _marks(moment: Moment) -> dict[str, tuple[str, ...]]:
    """The flag, its heirs and the markers beside each model, in a battle that has them."""
    if moment.battle is None:
        return {}
    view = moment.battle.view(SPECTATOR)
    if not isinstance(view, OrderedView):
        return {}
    models = moment.battle.rulebook.models(moment.battle.state, SPECTATOR)
    heirs = {heir for division in view.divisions for heir in division.heirs}
    return {
        models[ship.id]: tuple(_marks_of(ship, is_heir=ship.id in heirs)) for ship in view.ships
    }


def _marks_of(ship: OrderedShipView, *, is_heir: bool) -> Iterator[str]:
    if ship.flagship:
        yield str(text("chart.flagship"))
    elif is_heir:
        yield str(text("chart.heir"))
    if ship.marker:
        yield words(ship.marker)
    if not ship.in_command:
        yield str(text("survey.out_of_command_short"))


def _ship(
    now: ShipNow, sides: Sides, clock: float, fate: Fate | None, marks: tuple[str, ...]
) -> PieceView:
    piece, pose = now.piece, now.pose if fate is None else None
    placement = piece.placement if now.source is not ShipSource.CAMERA else None
    note = ""
    if placement is not None and placement.reason:
        note = str(text("events.moved_by_hand", who=placement.who, reason=placement.reason))
    return PieceView(
        name=piece.name,
        type=piece.type,
        side=piece.side,
        silhouette=silhouette_of(now.ship, sides[piece.side]),
        placed=pose is not None,
        x=pose.x_yards if pose else None,
        y=pose.y_yards if pose else None,
        heading=pose.heading_deg if pose else None,
        sigma_yards=pose.position_sigma_yards if pose else None,
        heading_sigma_deg=pose.heading_sigma_deg if pose else None,
        length_yards=piece.length_yards,
        width_yards=piece.width_yards,
        source=now.source,
        state=now.state,
        follows=piece.follows,
        age_seconds=(
            max(0.0, clock - now.seen_at)
            if now.state is ShipNowState.STALE and now.seen_at
            else 0.0
        ),
        note=note,
        needs_reason=now.is_sensed,
        marks=marks if fate is None else (),
        fate=fate.status if fate is not None else None,
    )


def _smoke(moment: Moment) -> tuple[FrontView, ...]:
    """All smoke fronts; those of a battle cannot be removed by hand."""
    numbers = [None] * len(moment.smoke) if moment.battle else [f.id for f in moment.state.smoke]
    return tuple(
        FrontView(number, front.x1_yards, front.y1_yards, front.x2_yards, front.y2_yards)
        for number, front in zip(numbers, moment.smoke, strict=True)
    )


def _camera(moment: Moment, picture: Picture) -> CameraView:
    seen = (ship.is_sensed for ship in moment.ships.values())
    return CameraView(
        **{each.name: getattr(moment.camera, each.name) for each in fields(moment.camera)},
        ships_seen=sum(seen),
        picture=picture.number,
        picture_age_seconds=picture.age_seconds,
    )


def _seat(seat: Seat, session: Session) -> SeatView:
    return SeatView(seat.id, seat.name, seat.role, seat.side, session.is_present(seat.id))


def _joining(session: Session, joining: JoinLink) -> JoinView:
    return JoinView(
        shared=joining.shared,
        address=joining.address,
        link=joining.link,
        networks=joining.networks,
        code=session.seats.code,
        locked=session.seats.locked,
    )


def sides_to_join(moment: Moment) -> tuple[tuple[SideView, tuple[str, ...]], ...]:
    """The sides that a player can choose, with their ships.

    The side of other nations is left out while it has no ships.
    """
    sides = moment.state.sides
    ships = {
        side.key: tuple(
            now.piece.name for now in moment.ships.values() if now.piece.side == side.key
        )
        for side in sides
    }
    fighting = sides.fighting.keys
    return tuple(
        (SideView.of(side), ships[side.key])
        for side in sides
        if ships[side.key] or side.key in fighting
    )
