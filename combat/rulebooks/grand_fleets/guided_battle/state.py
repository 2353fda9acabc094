"""The state of a guided battle: ships with their marks, places, and whose turn it is."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from combat.dice import Roll
from combat.free_play import FreeState
from combat.guided_play import StepKind
from combat.participants import Ship, ShipStatus
from combat.rulebooks.grand_fleets.actions import Gunfire, TorpedoAttack
from combat.rulebooks.grand_fleets.card import Card
from combat.rulebooks.grand_fleets.guided_battle.setup import FleetOptions
from combat.rulebooks.grand_fleets.table_files import Size
from combat.rulebooks.grand_fleets.vessel import Marks, Vessel
from tabletop.messages import NO_WORDS, Message
from tabletop.rulings import Figures
from tabletop.table import Base, Model, Pose


class Phase(StrEnum):
    """A phase of the sequence of play."""

    COMMANDERS = "commanders"
    INITIATIVE = "initiative"
    MOVEMENT = "movement"
    COMMAND = "command"
    COMBAT = "combat"
    ENDED = "ended"


STEP_KINDS: Final = {
    Phase.COMMANDERS: StepKind.COMMANDERS,
    Phase.INITIATIVE: StepKind.INITIATIVE,
    Phase.MOVEMENT: StepKind.SHIP_MOVES,
    Phase.COMMAND: StepKind.COMMAND,
    Phase.COMBAT: StepKind.COMBAT,
    Phase.ENDED: StepKind.ENDED,
}
RULES: Final = {
    Phase.COMMANDERS: "Divisions",
    Phase.INITIATIVE: "Sequence of Play",
    Phase.MOVEMENT: "The Movement Phase",
    Phase.COMMAND: "The Command Phase",
    Phase.COMBAT: "The Combat Phase",
    Phase.ENDED: "Victory!",
}
"""The heading of the book for each phase."""


class Edge(StrEnum):
    """An edge of the table, as the host sees it."""

    LEFT = "left"
    RIGHT = "right"
    NEAR = "near"
    FAR = "far"


@dataclass(frozen=True, slots=True)
class Division:
    """Ships under one commander."""

    name: str
    side: str
    ships: tuple[str, ...]
    flagship: str | None
    """None once nobody can take over the flag."""


@dataclass(frozen=True, slots=True)
class Slot:
    """Somebody's turn in a phase: a division's, or that of a ship out of command."""

    name: str
    side: str
    score: int = 0
    out_of_command: bool = False
    """Whether it is a ship out of command."""

    def is_tied_with(self, other: "Slot") -> bool:
        """Whether its player may choose which of the two acts first."""
        return (self.side, self.score, self.out_of_command) == (
            other.side,
            other.score,
            other.out_of_command,
        )


@dataclass(frozen=True, slots=True)
class QualityRoll:
    """What a division's commander is like (Divisions)."""

    division: str


@dataclass(frozen=True, slots=True)
class InitiativeRoll:
    """A division's initiative (Sequence of Play)."""

    division: str


@dataclass(frozen=True, slots=True)
class OrderRoll:
    """Who begins, where it is rolled for."""


@dataclass(frozen=True, slots=True)
class ReturnRoll:
    """A ship out of command tries to return (Returning to Command)."""

    ship: str


@dataclass(frozen=True, slots=True)
class FlagRoll:
    """What a new commander is like (Transferring the Flag)."""

    division: str
    ship: str


@dataclass(frozen=True, slots=True)
class ShotRoll:
    """A declared fire."""

    shot: Gunfire | TorpedoAttack
    title: Message


Task = QualityRoll | InitiativeRoll | OrderRoll | ReturnRoll | FlagRoll | ShotRoll
"""Something that dice are rolled for."""


@dataclass(frozen=True, slots=True)
class Agreed:
    """What the players have settled about a line of fire."""

    figures: Figures
    reason: str
    who: str


@dataclass(frozen=True, slots=True)
class FleetState:
    """A guided battle at one moment."""

    title: str
    sides: tuple[str, ...]
    battle_size: Size
    options: FleetOptions
    width_yards: float
    height_yards: float
    free: FreeState[Marks]
    """The ships with their marks, as free play has them; its round is the turn."""
    cards: Mapping[str, Card]
    bases: Mapping[str, Base]
    divisions: tuple[Division, ...]
    poses: Mapping[str, Pose]
    placed: frozenset[str] = frozenset()
    """The ships that have entered the game."""
    phase: Phase = Phase.COMMANDERS
    order: tuple[Slot, ...] = ()
    """Who has yet to act in this phase."""
    begun: str | None = None
    """The division whose turn it is and of which a ship has acted."""
    acted: frozenset[str] = frozenset()
    """The ships that have moved or fired in this phase."""
    ready: frozenset[str] = frozenset()
    """The sides that have done with the Command Phase."""
    measured: bool = False
    """Whether the markers of this Command Phase were placed."""
    tasks: tuple[Task, ...] = ()
    """What is to be rolled for, in order."""
    rolls: tuple[Roll, ...] = ()
    """The dice that have fallen for the first of them."""
    rolled: int = 0
    """How many rolls were made in the battle."""
    initiative: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    """Of this turn, by division."""
    vacant: tuple[str, ...] = ()
    """Divisions whose flagship is gone and that have no new one yet."""
    score: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    agreed: Mapping[tuple[str, str], Agreed] = field(default_factory=lambda: MappingProxyType({}))
    """By firer and target."""
    wants_to_end: frozenset[str] = frozenset()
    ending: Message = NO_WORDS
    own_cards: tuple[Card, ...] = ()
    """Cards that players had written when the battle began."""
    side_names: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """What the players call the sides."""

    def side_title(self, side: str) -> str:
        """What the players call a side."""
        return self.side_names.get(side) or side

    @property
    def turn(self) -> int:
        """The turn, from 1; 0 before the first."""
        return self.free.round_number

    @property
    def is_first_movement(self) -> bool:
        """Whether divisions are placed instead of moved (First Movement Phase)."""
        return self.phase is Phase.MOVEMENT and self.turn == 1

    def ship(self, name: str) -> Ship:
        """A ship by her name."""
        return self.free.ship(name)

    def vessel(self, name: str) -> Vessel:
        """A ship with her card and her marks."""
        return Vessel(name, self.cards[name], self.free.marks[name], name)

    def marks(self, name: str) -> Marks:
        """What is marked on a ship's card."""
        return self.free.marks[name]

    def in_action(self, name: str) -> bool:
        """Whether a ship still takes part."""
        return self.vessel(name).status is ShipStatus.IN_ACTION

    def in_command(self, name: str) -> bool:
        """Whether a ship has no OUT OF COMMAND marker."""
        return not self.marks(name).out_of_command

    def division(self, name: str) -> Division:
        """A division by its name."""
        return next(each for each in self.divisions if each.name == name)

    def division_of(self, ship: str) -> Division:
        """The division that a ship belongs to."""
        return next(each for each in self.divisions if ship in each.ships)

    def quality(self, division: Division) -> int:
        """The command modifier of a division."""
        return 0 if division.flagship is None else self.vessel(division.flagship).quality

    def other_side(self, side: str) -> str:
        """The enemy of a side."""
        return next(each for each in self.sides if each != side)

    def to_act(self, slot: Slot) -> tuple[str, ...]:
        """The ships of a turn that have yet to act."""
        ships = (slot.name,) if slot.out_of_command else self.division(slot.name).ships
        return tuple(
            ship
            for ship in ships
            if ship not in self.acted
            and self.in_action(ship)
            and (slot.out_of_command or self.in_command(ship))
        )

    @property
    def next_slots(self) -> tuple[Slot, ...]:
        """Whose turn it is; several where the player may choose between them."""
        if not self.order or self.tasks or self.vacant:
            return ()
        first = self.order[0]
        if self.begun is not None:
            return (first,)
        return tuple(slot for slot in self.order if slot.is_tied_with(first))

    def slot_of(self, ship: str) -> Slot | None:
        """The turn in which a ship may act now."""
        return next((slot for slot in self.next_slots if ship in self.to_act(slot)), None)

    def models(self) -> tuple[Model, ...]:
        """The models that are in play: sunk and departed ships stand in nobody's way."""
        return tuple(
            self.model(ship.id)
            for ship in self.free.ships
            if ship.id in self.placed and self.in_action(ship.id)
        )

    def model(self, ship: str, pose: Pose | None = None) -> Model:
        """A ship's model, where it stands or in another place."""
        return Model(ship, pose or self.poses[ship], self.bases[ship], self.cards[ship].size)

    def edge_of(self, side: str) -> Edge:
        """The edge of the table that a side has: a short one (Setting Up)."""
        first = side == self.sides[0]
        if self.width_yards >= self.height_yards:
            return Edge.LEFT if first else Edge.RIGHT
        return Edge.NEAR if first else Edge.FAR

    def depth_yards(self, side: str, pose: Pose) -> float:
        """How far a place is from a side's own edge."""
        match self.edge_of(side):
            case Edge.LEFT:
                return pose.x_yards
            case Edge.RIGHT:
                return self.width_yards - pose.x_yards
            case Edge.NEAR:
                return pose.y_yards
            case Edge.FAR:
                return self.height_yards - pose.y_yards

    def is_on_table(self, pose: Pose) -> bool:
        """Whether a place is on the table."""
        return 0 <= pose.x_yards <= self.width_yards and 0 <= pose.y_yards <= self.height_yards

    def with_marks(self, ship: str, **changes: object) -> "FleetState":
        """The same battle with other marks on a ship."""
        marks = self.vessel(ship).marked(**changes).marks
        return replace(self, free=self.free.with_marks(ship, lambda _: marks, lambda _: marks))

    def with_poses(self, poses: Mapping[str, Pose]) -> "FleetState":
        """The same battle with models elsewhere.

        What was settled about a line of fire does not outlast a move of either ship.
        """
        agreed = {pair: each for pair, each in self.agreed.items() if not set(pair) & set(poses)}
        return replace(
            self,
            poses=MappingProxyType({**self.poses, **poses}),
            agreed=MappingProxyType(agreed),
        )

    def with_division(self, division: Division) -> "FleetState":
        """The same battle with a division as it is now."""
        return replace(
            self,
            divisions=tuple(
                division if each.name == division.name else each for each in self.divisions
            ),
        )
