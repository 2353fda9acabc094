"""What callers can do to a table: each action checks itself and says which events it makes.

An action never changes anything; `web.session` writes its events and applies them.
"""

import math
from dataclasses import dataclass
from typing import ClassVar

from pydantic import with_config

from combat.library import Library
from combat.scene_file import MOST_PIECES
from combat.ships import ShipType
from combat.sides import Sides, checked, usual
from tabletop.errors import DreyerError, UnknownName
from tabletop.messages import Message
from tabletop.scale import Scale, Unit
from tabletop.schema import CONFIG, Whole
from tabletop.table import Model, Pose, SmokeFront
from web.actions.context import Ground, checked_reason, piece_of, within
from web.actions.field_types import Degrees, Distance, Reason, SideKey
from web.auth.seats import Right
from web.journal.entries import Event, Kind
from web.sides import side_of
from web.table.battle_plan import BattlePlan, plan_data
from web.table.pieces import Origin, pose_data, sides_data
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
    """Length, width and bridge offset in yards; the ruleset's own base without."""

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

    def events(self, ground: Ground) -> tuple[Event, ...]:
        """The new table."""
        ruleset = ground.library.get(self.ruleset)
        scale = Scale(within(Message("table.figure.scale"), self.yards_per_inch, 1, 100_000))
        names = [ship.name.casefold() for ship in self.ships]
        if len(names) > MOST_PIECES:
            raise DreyerError("table.fault.too_many_ships", most_pieces=MOST_PIECES)
        if len(set(names)) < len(names):
            raise DreyerError("table.fault.same_name")
        least, most = _LEAST_TABLE_INCHES, _MOST_TABLE_INCHES
        sides = checked(self.sides, "this table") if self.sides else ground.state.sides
        data = {
            "title": " ".join(self.title.split())[:LONGEST_SHIP_NAME],
            "ruleset": ruleset.name,
            "yards_per_inch": scale.yards_per_inch,
            "width_yards": scale.yards_from_inches(
                within(Message("table.figure.width"), self.width_inches, least, most)
            ),
            "height_yards": scale.yards_from_inches(
                within(Message("table.figure.depth"), self.height_inches, least, most)
            ),
            "ships": [
                _ship_data(ship, ruleset.name, scale, ground.library, sides) for ship in self.ships
            ],
            "smoke": [
                [front.x1_yards, front.y1_yards, front.x2_yards, front.y2_yards]
                for front in self.smoke
            ],
            "premeasure": ground.state.premeasure,
            **({"plan": plan_data(self.plan, ruleset.name)} if self.plan else {}),
            **({"sides": sides_data(sides)} if sides != usual().sides else {}),
        }
        return (Event(Kind.TABLE_OPENED, data),)


@dataclass(frozen=True, slots=True)
class SizeTable:
    """Give the table another size or scale; what is left out stays as it is."""

    needs: ClassVar = Right.HOST
    width_inches: float | None = None
    height_inches: float | None = None
    yards_per_inch: float | None = None

    def events(self, ground: Ground) -> tuple[Event, ...]:
        """The new size, unless it is the one that the table has."""
        state = ground.state
        if not state.is_open:
            raise DreyerError("table.fault.not_laid")
        least, most, inch = _LEAST_TABLE_INCHES, _MOST_TABLE_INCHES, state.yards_per_inch
        wanted = self.yards_per_inch or inch
        on_table = Scale(inch).inches_from_yards
        width = self.width_inches or on_table(state.width_yards)
        height = self.height_inches or on_table(state.height_yards)
        scale = Scale(within(Message("table.figure.scale"), wanted, 1, 100_000))
        after = {
            "yards_per_inch": scale.yards_per_inch,
            "width_yards": scale.yards_from_inches(
                within(Message("table.figure.width"), width, least, most)
            ),
            "height_yards": scale.yards_from_inches(
                within(Message("table.figure.depth"), height, least, most)
            ),
        }
        before = size_data(state)
        if all(math.isclose(before[key], after[key], rel_tol=1e-6) for key in after):
            return ()
        if ground.battle is not None and not math.isclose(wanted, inch):
            raise DreyerError(
                "table.fault.scale_fixed",
                inch=inch,
            )
        return (Event(Kind.TABLE_SIZED, after),)


def size_data(state: TableState) -> dict[str, float]:
    """A table's scale and size as its journal has them."""
    return {
        "yards_per_inch": state.yards_per_inch,
        "width_yards": state.width_yards,
        "height_yards": state.height_yards,
    }


@dataclass(frozen=True, slots=True)
class AddShip:
    """One more ship for this table, not yet placed."""

    needs: ClassVar = Right.PLAY
    ship: NewShip

    def events(self, ground: Ground) -> tuple[Event, ...]:
        """The ship, unless her name is taken."""
        state = ground.state
        if any(name.casefold() == self.ship.name.casefold() for name in state.pieces):
            raise DreyerError(
                "table.fault.name_taken",
                ship=self.ship.name,
            )
        if len(state.pieces) >= MOST_PIECES:
            raise DreyerError("table.fault.no_room", most_pieces=MOST_PIECES)
        scale = Scale(state.yards_per_inch)
        data = _ship_data(self.ship, state.ruleset, scale, ground.library, state.sides)
        return (Event(Kind.SHIP_ADDED, data),)


@with_config(CONFIG)
@dataclass(frozen=True, slots=True)
class RemoveShip:
    """Take a ship out of this table for good."""

    needs: ClassVar = Right.PLAY
    name: str

    def events(self, ground: Ground) -> tuple[Event, ...]:
        """She is gone."""
        return (Event(Kind.SHIP_REMOVED, {"name": piece_of(ground, self.name).name}),)


@with_config(CONFIG)
@dataclass(frozen=True, slots=True)
class ChooseSide:
    """Put a ship on another side of this table."""

    needs: ClassVar = Right.PLAY
    name: str
    side: SideKey

    def events(self, ground: Ground) -> tuple[Event, ...]:
        """She fights for it from now on, unless a battle is under way."""
        piece, sides = piece_of(ground, self.name), ground.state.sides
        if self.side not in sides:
            raise UnknownName(self.name, "side", self.side, sides.keys)
        if ground.battle is not None and not ground.battle.is_over:
            raise DreyerError("table.fault.sides_fixed")
        if piece.side == self.side:
            return ()
        named = {"side_name": sides[self.side].name} if sides[self.side].name else {}
        return (Event(Kind.SHIP_SIDED, {"name": piece.name, "side": self.side, **named}),)


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

    def events(self, ground: Ground) -> tuple[Event, ...]:
        """The new places; one that the camera sees is overridden only with a reason."""
        reason = checked_reason(self.reason)
        for place in self.places:
            piece_of(ground, place.name)
            _on_table(ground.state, place.pose.x_yards, place.pose.y_yards)
            if place.name in ground.sensed and not reason and self.origin is Origin.HAND:
                raise DreyerError(
                    "table.fault.seen_elsewhere",
                    place=place.name,
                )
        ships = [{"name": place.name, **pose_data(place.pose)} for place in self.places]
        data = {"ships": ships, "origin": self.origin, "reason": reason}
        return (Event(Kind.SHIPS_PLACED, data),) if ships else ()


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

    def events(self, ground: Ground) -> tuple[Event, ...]:
        """Where she stands from now on."""
        x, y = (ground.in_yards(value, self.unit) for value in (self.x, self.y))
        place = ShipPose(self.name, Pose(x, y, self.heading % 360))
        return PlaceShips((place,), self.reason).events(ground)


@with_config(CONFIG)
@dataclass(frozen=True, slots=True)
class FollowCamera:
    """Let the camera move a ship again."""

    needs: ClassVar = Right.PLAY
    name: str

    def events(self, ground: Ground) -> tuple[Event, ...]:
        """She follows."""
        return (Event(Kind.SHIP_FOLLOWS, {"name": piece_of(ground, self.name).name}),)


@with_config(CONFIG)
@dataclass(frozen=True, slots=True)
class LiftShip:
    """Take a ship off the table; she stays in the list."""

    needs: ClassVar = Right.PLAY
    name: str

    def events(self, ground: Ground) -> tuple[Event, ...]:
        """She is off the table."""
        return (Event(Kind.SHIP_LIFTED, {"name": piece_of(ground, self.name).name}),)


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

    def events(self, ground: Ground) -> tuple[Event, ...]:
        """The front, with a number of its own."""
        _must_be_ours(ground)
        state, ends = ground.state, (self.x1, self.y1, self.x2, self.y2)
        x1, y1, x2, y2 = (ground.in_yards(end, self.unit) for end in ends)
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
        data = {"id": number, "x1": x1, "y1": y1, "x2": x2, "y2": y2}
        return (Event(Kind.SMOKE_LAID, data),)


@with_config(CONFIG)
@dataclass(frozen=True, slots=True)
class ClearSmoke:
    """Take a smoke front away."""

    needs: ClassVar = Right.PLAY
    id: Whole

    def events(self, ground: Ground) -> tuple[Event, ...]:
        """It has drifted off."""
        _must_be_ours(ground)
        if all(front.id != self.id for front in ground.state.smoke):
            raise DreyerError("table.fault.smoke_gone")
        return (Event(Kind.SMOKE_CLEARED, {"id": self.id}),)


def _must_be_ours(ground: Ground) -> None:
    if ground.battle is not None:
        raise DreyerError(
            "table.fault.smoke_in_battle",
        )


def _ship_data(
    ship: NewShip, ruleset_name: str, scale: Scale, library: Library, sides: Sides
) -> dict[str, object]:
    name = " ".join(ship.name.split())
    if not name or len(name) > LONGEST_SHIP_NAME or not name.isprintable():
        raise DreyerError("table.fault.ship_name_length", longest_ship_name=LONGEST_SHIP_NAME)
    ruleset, ships = library.get(ruleset_name), library.known_ships(ruleset_name)
    known = ships.named(ship.type, "type") if ship.type else ships.find(name)
    side = ship.side or side_of(known).key
    if side not in sides:
        raise UnknownName(name, "side", side, sides.keys)
    length, width, bridge = ship.base or (
        scale.yards_from_inches(ruleset.base_length_inches),
        scale.yards_from_inches(ruleset.base_width_inches),
        0.0,
    )
    return {
        "name": name,
        "type": known.name if known else None,
        "side": side,
        "size": ship.size or ruleset.size_of(known),
        "length_yards": length,
        "width_yards": width,
        "bridge_yards": bridge,
        "pose": pose_data(ship.pose) if ship.pose else None,
    }


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
