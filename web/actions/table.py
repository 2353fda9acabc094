"""What callers can do to a table: each action checks itself and says which events it makes.

An action never changes anything; `web.session` writes its events and applies them.
"""

import math
from dataclasses import dataclass
from typing import ClassVar

from pydantic import with_config

from combat.library import Library
from combat.participants import SPECTATOR
from combat.scene_file import MOST_PIECES
from combat.ships import ShipType
from combat.sides import Sides, checked, usual
from tabletop.errors import DreyerError, UnknownName
from tabletop.messages import Message, ShipRef
from tabletop.places import NamedDocument
from tabletop.scale import Scale, Unit
from tabletop.schema import CONFIG, Whole
from tabletop.table import Base, Model, Pose, SmokeFront
from web.actions.context import (
    NO_CHANGE,
    ActionContext,
    Change,
    Degrees,
    Distance,
    Reason,
    check_limits,
    checked_reason,
    event_change,
    piece_of,
)
from web.auth.seats import Right
from web.journal.battle_plan import BattlePlan
from web.journal.events import (
    Origin,
    ShipAdded,
    ShipFacts,
    ShipFollows,
    ShipLifted,
    ShipRemoved,
    ShipSided,
    ShipsPlaced,
    SmokeCleared,
    SmokeLaid,
    TableOpened,
    TableSized,
)
from web.journal.fields import PlacedShip, SideKey
from web.sides import side_of
from web.table.state import TableState

LONGEST_SHIP_NAME = 40
_LEAST_TABLE_INCHES, _MOST_TABLE_INCHES = 6.0, 400.0
_SIDEWAYS_ROOM = 0.02


@dataclass(frozen=True, slots=True)
class NewShip:
    """A ship to be put on a new table."""

    name: str
    type: str | None = None
    side: str | None = None
    size: str | None = None
    pose: Pose | None = None
    base: tuple[float, float, float] | None = None
    """Length, width and bridge offset in yards; as her card or the ruleset has it without."""

    @classmethod
    def from_model(cls, model: Model, ship: ShipType | None) -> "NewShip":
        """A ship as a scene has her."""
        base = model.base
        return cls(
            name=model.name,
            type=ship.name if ship else None,
            size=model.size,
            pose=model.pose,
            base=(base.length_yards, base.width_yards, base.bridge_offset_yards),
        )


@dataclass(frozen=True, slots=True)
class OpenTable:
    """Lay a new table; the one before stays in the journal."""

    needs: ClassVar = Right.HOST
    title: str
    ruleset: str
    yards_per_inch: float
    width_inches: float
    height_inches: float
    ships: tuple[NewShip, ...] = ()
    smoke: tuple[SmokeFront, ...] = ()
    plan: BattlePlan | None = None
    """How the battle is meant to begin; kept with the table and shown where one begins it."""
    sides: Sides | None = None
    """As they are now, where None."""
    demo: bool = False
    """Whether it is the demo battle."""

    def change(self, context: ActionContext) -> Change:
        """The new table."""
        ruleset = context.moment.library.get(self.ruleset)
        scale = Scale(check_limits(Message("table.figure.scale"), self.yards_per_inch, 1, 100_000))
        names = [ship.name.casefold() for ship in self.ships]
        if len(names) > MOST_PIECES:
            raise DreyerError("table.fault.too_many_ships", most_pieces=MOST_PIECES)
        if len(set(names)) < len(names):
            raise DreyerError("table.fault.same_name")
        if self.plan is not None and self.plan.marks and ruleset.battle is None:
            raise DreyerError("errors.not_guided", found=ruleset.title)
        least, most = _LEAST_TABLE_INCHES, _MOST_TABLE_INCHES
        sides = checked(self.sides, NamedDocument.TABLE) if self.sides else context.state.sides
        opened = TableOpened(
            title=" ".join(self.title.split())[:LONGEST_SHIP_NAME],
            ruleset=ruleset.name,
            yards_per_inch=scale.yards_per_inch,
            width_yards=scale.yards_from_inches(
                check_limits(Message("table.figure.width"), self.width_inches, least, most)
            ),
            height_yards=scale.yards_from_inches(
                check_limits(Message("table.figure.depth"), self.height_inches, least, most)
            ),
            ships=tuple(
                _ship_facts(ship, ruleset.name, scale, context.moment.library, sides)
                for ship in self.ships
            ),
            smoke=self.smoke,
            premeasure=context.state.premeasure,
            plan=self.plan,
            sides=sides if sides != usual().sides else None,
            demo=self.demo,
        )
        return event_change(opened)


@dataclass(frozen=True, slots=True)
class SizeTable:
    """Give the table another size or scale; what is left out stays as it is."""

    needs: ClassVar = Right.HOST
    width_inches: float | None = None
    height_inches: float | None = None
    yards_per_inch: float | None = None

    def change(self, context: ActionContext) -> Change:
        """The new size, unless it is the one that the table has."""
        state = context.state
        if not state.is_open:
            raise DreyerError("table.fault.not_laid")
        least, most, inch = _LEAST_TABLE_INCHES, _MOST_TABLE_INCHES, state.yards_per_inch
        wanted = self.yards_per_inch or inch
        on_table = Scale(inch).inches_from_yards
        width = self.width_inches or on_table(state.width_yards)
        height = self.height_inches or on_table(state.height_yards)
        scale = Scale(check_limits(Message("table.figure.scale"), wanted, 1, 100_000))
        after = TableSized(
            yards_per_inch=scale.yards_per_inch,
            width_yards=scale.yards_from_inches(
                check_limits(Message("table.figure.width"), width, least, most)
            ),
            height_yards=scale.yards_from_inches(
                check_limits(Message("table.figure.depth"), height, least, most)
            ),
        )
        if same_size(size_of(state), after):
            return NO_CHANGE
        if context.battle is not None and not math.isclose(wanted, inch):
            raise DreyerError(
                "table.fault.scale_fixed",
                inch=inch,
            )
        return event_change(after)


def size_of(table: TableState | TableOpened) -> TableSized:
    """A table's scale and size."""
    return TableSized(
        yards_per_inch=table.yards_per_inch,
        width_yards=table.width_yards,
        height_yards=table.height_yards,
    )


def same_size(one: TableSized, other: TableSized) -> bool:
    """Whether two sizes are the same but for rounding."""
    return all(
        math.isclose(a, b, rel_tol=1e-6)
        for a, b in (
            (one.yards_per_inch, other.yards_per_inch),
            (one.width_yards, other.width_yards),
            (one.height_yards, other.height_yards),
        )
    )


@dataclass(frozen=True, slots=True)
class AddShip:
    """One more ship for this table, not yet placed."""

    needs: ClassVar = Right.PLAY
    ship: NewShip

    def change(self, context: ActionContext) -> Change:
        """The ship, unless her name is taken."""
        state = context.state
        if any(name.casefold() == self.ship.name.casefold() for name in state.pieces):
            raise DreyerError(
                "table.fault.name_taken",
                ship=self.ship.name,
            )
        if len(state.pieces) >= MOST_PIECES:
            raise DreyerError("table.fault.no_room", most_pieces=MOST_PIECES)
        scale = Scale(state.yards_per_inch)
        facts = _ship_facts(self.ship, state.ruleset, scale, context.moment.library, state.sides)
        return event_change(
            ShipAdded(
                name=facts.name,
                type=facts.type,
                side=facts.side,
                size=facts.size,
                length_yards=facts.length_yards,
                width_yards=facts.width_yards,
                bridge_yards=facts.bridge_yards,
                pose=facts.pose,
            )
        )


@with_config(CONFIG)
@dataclass(frozen=True, slots=True)
class RemoveShip:
    """Take a ship out of this table for good."""

    needs: ClassVar = Right.PLAY
    name: str

    def change(self, context: ActionContext) -> Change:
        """She is gone; another side's ship in a battle only if that side agrees."""
        piece = piece_of(context, self.name)
        battle = context.battle
        if battle and piece.name in battle.rulebook.models(battle.state, SPECTATOR).values():
            context.must_agree((piece.side,), Message("consent.remove", ship=ShipRef(piece.name)))
        return event_change(ShipRemoved(name=piece.name))


@with_config(CONFIG)
@dataclass(frozen=True, slots=True)
class ChooseSide:
    """Put a ship on another side of this table."""

    needs: ClassVar = Right.PLAY
    name: str
    side: SideKey

    def change(self, context: ActionContext) -> Change:
        """She fights for it from now on, unless a battle is under way."""
        piece, sides = piece_of(context, self.name), context.state.sides
        if self.side not in sides:
            raise UnknownName(self.name, "side", self.side, sides.keys)
        if context.battle is not None and not context.battle.is_over:
            raise DreyerError("table.fault.sides_fixed")
        if piece.side == self.side:
            return NO_CHANGE
        side_name = sides[self.side].name or None
        return event_change(ShipSided(name=piece.name, side=self.side, side_name=side_name))


@dataclass(frozen=True, slots=True)
class ShipPose:
    """Where one ship is to stand."""

    name: str
    pose: Pose


@dataclass(frozen=True, slots=True)
class PlaceShips:
    """Put ships down by hand, or as a photo shows them."""

    needs: ClassVar = Right.PLAY
    places: tuple[ShipPose, ...]
    reason: str = ""
    origin: Origin = Origin.HAND

    def change(self, context: ActionContext) -> Change:
        """The new places; one that the camera sees is overridden only with a reason."""
        reason = checked_reason(self.reason)
        for place in self.places:
            piece_of(context, place.name)
            _on_table(context.state, place.pose.x_yards, place.pose.y_yards)
            if place.name in context.sensed and not reason and self.origin is Origin.HAND:
                raise DreyerError(
                    "table.fault.seen_elsewhere",
                    place=place.name,
                )
        if not self.places:
            return NO_CHANGE
        ships = tuple(PlacedShip(name=place.name, pose=place.pose) for place in self.places)
        return event_change(ShipsPlaced(ships=ships, origin=self.origin, reason=reason))


@with_config(CONFIG)
@dataclass(frozen=True, slots=True)
class PlaceByHand:
    """Put one ship down by hand, in any unit."""

    needs: ClassVar = Right.PLAY
    name: str
    x: Distance
    y: Distance
    heading: Degrees
    reason: Reason = ""
    """Asked for where the camera sees her elsewhere."""
    unit: Unit = Unit.YARDS

    def change(self, context: ActionContext) -> Change:
        """Where she stands from now on."""
        x, y = (context.in_yards(value, self.unit) for value in (self.x, self.y))
        place = ShipPose(self.name, Pose(x, y, self.heading % 360))
        return PlaceShips((place,), self.reason).change(context)


@with_config(CONFIG)
@dataclass(frozen=True, slots=True)
class FollowCamera:
    """Let the camera move a ship again."""

    needs: ClassVar = Right.PLAY
    name: str

    def change(self, context: ActionContext) -> Change:
        """She follows."""
        return event_change(ShipFollows(name=piece_of(context, self.name).name))


@with_config(CONFIG)
@dataclass(frozen=True, slots=True)
class LiftShip:
    """Take a ship off the table; she stays in the list."""

    needs: ClassVar = Right.PLAY
    name: str

    def change(self, context: ActionContext) -> Change:
        """She is off the table."""
        return event_change(ShipLifted(name=piece_of(context, self.name).name))


@with_config(CONFIG)
@dataclass(frozen=True, slots=True)
class LaySmoke:
    """A smoke front between two points."""

    needs: ClassVar = Right.PLAY
    x1: Distance
    y1: Distance
    x2: Distance
    y2: Distance
    unit: Unit = Unit.YARDS

    def change(self, context: ActionContext) -> Change:
        """The front, with a number of its own."""
        _must_be_ours(context)
        state, ends = context.state, (self.x1, self.y1, self.x2, self.y2)
        x1, y1, x2, y2 = (context.in_yards(end, self.unit) for end in ends)
        if len(state.smoke) >= MOST_PIECES:
            raise DreyerError(
                "table.fault.too_much_smoke",
                most_pieces=MOST_PIECES,
            )
        _on_table(state, x1, y1)
        _on_table(state, x2, y2)
        if math.hypot(x2 - x1, y2 - y1) < 1:
            raise DreyerError("table.fault.smoke_ends")
        number = 1 + max((front.id for front in state.smoke), default=0)
        return event_change(SmokeLaid(id=number, x1=x1, y1=y1, x2=x2, y2=y2))


@with_config(CONFIG)
@dataclass(frozen=True, slots=True)
class ClearSmoke:
    """Take a smoke front away."""

    needs: ClassVar = Right.PLAY
    id: Whole

    def change(self, context: ActionContext) -> Change:
        """It has drifted off."""
        _must_be_ours(context)
        if all(front.id != self.id for front in context.state.smoke):
            raise DreyerError("table.fault.smoke_gone")
        return event_change(SmokeCleared(id=self.id))


def _must_be_ours(context: ActionContext) -> None:
    if context.battle is not None:
        raise DreyerError(
            "table.fault.smoke_in_battle",
        )


def _ship_facts(
    ship: NewShip, ruleset_name: str, scale: Scale, library: Library, sides: Sides
) -> ShipFacts:
    name = " ".join(ship.name.split())
    if not name or len(name) > LONGEST_SHIP_NAME or not name.isprintable():
        raise DreyerError("table.fault.ship_name_length", longest_ship_name=LONGEST_SHIP_NAME)
    ruleset = library.get(ruleset_name)
    known = (
        library.named_ship(ruleset_name, ship.type, "type")
        if ship.type
        else library.find_ship(ruleset_name, name)
    )
    side = ship.side or side_of(known).key
    if side not in sides:
        raise UnknownName(name, "side", side, sides.keys)
    base = ruleset.base_of(known, scale) if ship.base is None else Base(*ship.base)
    return ShipFacts(
        name=name,
        type=known.name if known else None,
        side=side,
        size=ship.size or ruleset.size_of(known),
        length_yards=base.length_yards,
        width_yards=base.width_yards,
        bridge_yards=base.bridge_offset_yards,
        pose=ship.pose,
    )


def _on_table(state: TableState, x_yards: float, y_yards: float) -> None:
    for axis, value, most in (
        ("x", x_yards, state.width_yards),
        ("y", y_yards, state.height_yards),
    ):
        room = _SIDEWAYS_ROOM * most
        if not -room <= value <= most + room:
            raise DreyerError(
                "table.fault.off_table",
                axis=axis,
                value=value,
                most=most,
            )
