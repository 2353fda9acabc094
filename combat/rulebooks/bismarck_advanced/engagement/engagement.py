"""The state of a battle between two phases.

An `Engagement` is immutable. `movement_phase.move` and `combat_phase.resolve_fire_phase` return the
next one with a report; plots, designations and dice are arguments.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from combat.rulebooks.bismarck_advanced.fire.options import Options
from combat.rulebooks.bismarck_advanced.fire.sightlines import AgreedLine
from combat.rulebooks.bismarck_advanced.fire.torpedoes import Salvo
from combat.rulebooks.bismarck_advanced.fleet.vessel import Vessel
from combat.rulebooks.bismarck_advanced.guns import Battery
from combat.rulebooks.bismarck_advanced.movement.evolution import Evolution
from combat.rulebooks.bismarck_advanced.movement.smoke import Smoke
from combat.rulebooks.bismarck_advanced.movement.speed import RoundSpeed, SpeedRecord
from combat.rulebooks.bismarck_advanced.phases import CombatPhase, Segment
from combat.weather import Visibility
from tabletop.errors import UnknownName
from tabletop.messages import Message
from tabletop.movement import Path
from tabletop.table import Base, Model, Pose, Table


@dataclass(frozen=True, slots=True)
class FireRecord:
    """A gun type fired at a target in the previous combat phase, and whether it hit."""

    battery: Battery
    target: str
    hit: bool


@dataclass(frozen=True, slots=True)
class Combatant:
    """One ship in the battle: her sheet, her pose, and what the next phase needs."""

    vessel: Vessel
    side: str
    pose: Pose
    base: Base
    record: SpeedRecord
    moving: RoundSpeed | None = None
    """Her speed in the current round; None before its first plot."""
    track: Path | None = None
    """Her path in the previous segment, for ships that follow her."""
    evolution: Evolution = Evolution.STEADY
    fired: tuple[FireRecord, ...] = ()
    hit_last_segment: bool = False
    rounds_outside: int = 0
    """Consecutive rounds outside the starting range of every enemy (66)."""
    came_inside: bool = False
    """Whether a move of this round took her inside it."""
    withdrawn: bool = False

    @property
    def name(self) -> str:
        """The ship's name in this battle."""
        return self.vessel.name

    @property
    def in_action(self) -> bool:
        """Whether she is afloat and present."""
        return not (self.vessel.is_sunk or self.withdrawn)

    @property
    def speed(self) -> int:
        """Her speed in this round, 0 before any is chosen."""
        return self.moving.speed if self.moving else 0


@dataclass(frozen=True)
class Engagement:
    """The whole battle between two phases."""

    combatants: tuple[Combatant, ...]
    round_number: int = 1
    segment: Segment = Segment.INITIAL
    visibility: Visibility = 2
    night: bool = False
    starting_range_yards: float | None = None
    smoke: Smoke = field(default_factory=Smoke)
    salvos: tuple[Salvo, ...] = ()
    """Torpedoes in the water."""
    options: Options = field(default_factory=Options)
    agreed: tuple[AgreedLine, ...] = ()
    """The players' agreements about lines of fire in this segment."""
    allies: frozenset[frozenset[str]] = frozenset()
    """Pairs of allied sides."""
    order_of_fire: tuple[str, ...] = ()
    """The sides in the order in which their fire is resolved.

    If empty, the Allies' ships come first (62.3).
    """

    def __getitem__(self, name: str) -> Combatant:
        try:
            return self.by_name[name]
        except KeyError:
            raise UnknownName(Message("errors.where.battle"), "ship", name, self.by_name) from None

    @cached_property
    def by_name(self) -> Mapping[str, Combatant]:
        """All ships, including sunk and withdrawn ones."""
        return {combatant.vessel.name: combatant for combatant in self.combatants}

    @cached_property
    def phase(self) -> CombatPhase:
        """The combat phase that ends the current segment."""
        return CombatPhase.of(self.round_number, self.segment)

    @cached_property
    def in_action(self) -> tuple[Combatant, ...]:
        """The ships that are afloat and present."""
        return tuple(combatant for combatant in self.combatants if combatant.in_action)

    @property
    def is_over(self) -> bool:
        """56: the battle is over when no ship is left that has an enemy."""
        sides = {combatant.side for combatant in self.in_action}
        return all(self.are_friends(one, other) for one in sides for other in sides)

    @cached_property
    def table(self) -> Table:
        """The table with the smoke of the current segment."""
        models = tuple(Model(c.name, c.pose, c.base) for c in self.in_action)
        return Table(models, self.smoke.fronts_in(self.phase))

    def enemies_of(self, ship: Combatant) -> tuple[Combatant, ...]:
        """The ships in action of other sides, except her allies."""
        return tuple(
            other for other in self.in_action if not self.are_friends(other.side, ship.side)
        )

    def are_friends(self, one: str, other: str) -> bool:
        """Whether two sides are the same or allied."""
        return one == other or frozenset((one, other)) in self.allies

    def fires_after(self, ship: Combatant) -> int:
        """The position of a ship's fire in the order of resolution, lowest first (62.3)."""
        if ship.side in self.order_of_fire:
            return self.order_of_fire.index(ship.side)
        return int(not ship.vessel.warship.is_allied)

    def with_combatants(self, changed: Mapping[str, Combatant]) -> "Engagement":
        """The battle with some ships replaced."""
        if not changed:
            return self
        return replace(self, combatants=tuple(changed.get(c.name, c) for c in self.combatants))
