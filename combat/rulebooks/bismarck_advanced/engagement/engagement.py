"""A battle between two phases: who is where, in what state, and what the next phase must know.

An `Engagement` is a value. `movement_phase.move` and `combat_phase.resolve_fire_phase` each give
the next one together with a report; plots, designations and dice come in from outside.
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
    """That a gun type fired at a target in the previous combat phase, and whether it hit."""

    battery: Battery
    target: str
    hit: bool


@dataclass(frozen=True, slots=True)
class Combatant:
    """One ship in the battle: her sheet, her place, and what the next phase must remember."""

    vessel: Vessel
    side: str
    pose: Pose
    base: Base
    record: SpeedRecord
    moving: RoundSpeed | None = None
    """Her speed in the round being played; None before its first plot."""
    track: Path | None = None
    """The way she came in the segment before, for those who follow her."""
    evolution: Evolution = Evolution.STEADY
    fired: tuple[FireRecord, ...] = ()
    hit_last_segment: bool = False
    rounds_outside: int = 0
    """Rounds on end outside the starting range of every enemy (66)."""
    came_inside: bool = False
    """Whether a move of this round brought her inside it."""
    withdrawn: bool = False

    @property
    def name(self) -> str:
        """The ship's name in this battle."""
        return self.vessel.name

    @property
    def in_action(self) -> bool:
        """Whether she is still afloat and present."""
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
    """What the players have settled about single lines of fire of this segment."""
    allies: frozenset[frozenset[str]] = frozenset()
    """Pairs of sides that fight together."""
    order_of_fire: tuple[str, ...] = ()
    """The sides in the order in which their fire is resolved; without it the Allies' ships come
    before the others (62.3)."""

    def __getitem__(self, name: str) -> Combatant:
        try:
            return self.by_name[name]
        except KeyError:
            raise UnknownName(Message("errors.where.battle"), "ship", name, self.by_name) from None

    @cached_property
    def by_name(self) -> Mapping[str, Combatant]:
        """All ships, sunk and withdrawn ones among them."""
        return {combatant.vessel.name: combatant for combatant in self.combatants}

    @cached_property
    def phase(self) -> CombatPhase:
        """The combat phase that ends the present segment."""
        return CombatPhase.of(self.round_number, self.segment)

    @cached_property
    def in_action(self) -> tuple[Combatant, ...]:
        """The ships still afloat and present."""
        return tuple(combatant for combatant in self.combatants if combatant.in_action)

    @property
    def is_over(self) -> bool:
        """56: over when nobody is left who has an enemy."""
        sides = {combatant.side for combatant in self.in_action}
        return all(self.are_friends(one, other) for one in sides for other in sides)

    @cached_property
    def table(self) -> Table:
        """The table as it stands, with the smoke of the present segment."""
        models = tuple(Model(c.name, c.pose, c.base) for c in self.in_action)
        return Table(models, self.smoke.fronts_in(self.phase))

    def enemies_of(self, ship: Combatant) -> tuple[Combatant, ...]:
        """The ships in action on the sides that are not hers nor her allies'."""
        return tuple(
            other for other in self.in_action if not self.are_friends(other.side, ship.side)
        )

    def are_friends(self, one: str, other: str) -> bool:
        """Whether two sides are one, or fight together."""
        return one == other or frozenset((one, other)) in self.allies

    def fires_after(self, ship: Combatant) -> int:
        """The place of a ship's fire in the order of resolution: the lowest comes first (62.3)."""
        if ship.side in self.order_of_fire:
            return self.order_of_fire.index(ship.side)
        return int(not ship.vessel.warship.is_allied)

    def with_combatants(self, changed: Mapping[str, Combatant]) -> "Engagement":
        """The same battle with some ships changed."""
        return replace(self, combatants=tuple(changed.get(c.name, c) for c in self.combatants))
