"""A warship with the marks on her hit record sheet (64.1).

Damage is counted in quarters of a box (64.33). A `Vessel` is immutable; marking damage returns a
new one, so that all fire of a segment can use the same state (62.2).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from combat.rulebooks.bismarck_advanced.fleet.warships import SecondaryTurret, Warship
from combat.rulebooks.bismarck_advanced.guns import Battery
from tabletop.errors import UnknownName

QUARTERS = 4
"""Quarters per box."""


def boxes_marked(quarters: int) -> int:
    """The number of boxes with marks."""
    return -(-quarters // QUARTERS)


def shared_with_hull(room: int, quarters: int) -> tuple[int, int]:
    """What a hit marks on the superstructure that has so much room, and on the hull (64.5)."""
    here = min(room, quarters)
    return here, quarters - here


class RudderFault(StrEnum):
    """A lasting fault of the rudder, until it is repaired (64.72, 68.1)."""

    NO_PORT = "no_port"
    NO_STARBOARD = "no_starboard"
    NO_TURNS = "no_turns"
    HARD_TO_PORT = "hard_to_port"
    HARD_TO_STARBOARD = "hard_to_starboard"


@dataclass(frozen=True, slots=True)
class TurretState:
    """The state of one main turret."""

    lost_quarters: int = 0
    destroyed: bool = False
    out_for_phases: int = 0
    """Combat phases, from the next one, in which it cannot fire."""
    out_for_battle: bool = False
    jammed_guns: int = 0
    """Guns jammed until the end of the battle (71.4)."""
    solid_boxes: int = 0
    """Solid boxes, which can no longer be repaired at sea (40.3)."""

    @property
    def boxes_marked(self) -> int:
        """The number of its boxes with marks."""
        return boxes_marked(self.lost_quarters)

    @property
    def can_fire(self) -> bool:
        """Whether any gun of the turret can fire."""
        return not (self.destroyed or self.out_for_phases or self.out_for_battle)


@dataclass(frozen=True, slots=True)
class LostTurrets:
    """The turrets of a ship that are destroyed."""

    main: frozenset[int] = frozenset()
    """Their numbers."""
    secondary: frozenset[str] = frozenset()
    """Their names."""


@dataclass(frozen=True, slots=True)
class Vessel:
    """One ship in a battle: her chart and the marks on her sheet."""

    warship: Warship
    name: str
    turrets: tuple[TurretState, ...]
    """In the order of the warship's main turrets."""
    main_ammunition: int
    secondary_ammunition: int
    hull_lost: int = 0
    superstructure_lost: int = 0
    secondaries_lost: frozenset[str] = frozenset()
    director_destroyed: bool = False
    plot_destroyed: bool = False
    radar_lost: bool = False
    movement_factors_lost: int = 0
    helm: frozenset[RudderFault] = frozenset()
    steady_for_phases: int = 0
    """Movement phases, from the next one, in which she may not turn."""
    held_speed_rounds: int = 0
    """Rounds, the present one included, in which she may not change her speed."""
    command_modifier: int = 0
    """The modifier of her fire from conning tower damage."""
    torpedoes_fired: bool = False
    rounds_of_fire: int = 0
    """Rounds since she first fired, which tire her crew."""
    ammunition_by_turret: bool = False
    """65.6, optional: each turret of a gun type has an equal share."""
    turret_spent: Mapping[str, int] = field(default_factory=dict, hash=False)
    """The ammunition used by each turret, if counted by turret."""
    sunk_outright: bool = False
    """Sunk by a torpedo, regardless of her hull."""
    solid_hull_boxes: int = 0
    """Solid hull boxes, which can no longer be repaired at sea (40.3)."""
    solid_secondaries: frozenset[str] = frozenset()
    """Lost secondary turrets that can no longer be repaired at sea (40.3)."""
    solid_helm: frozenset[RudderFault] = frozenset()
    """Rudder faults that can no longer be repaired at sea (40.3)."""

    @classmethod
    def fresh(
        cls, warship: Warship, name: str | None = None, *, ammunition_by_turret: bool = False
    ) -> "Vessel":
        """An undamaged ship with full magazines."""
        return cls(
            warship=warship,
            name=name or warship.name,
            turrets=tuple(TurretState() for _ in warship.turrets),
            main_ammunition=warship.ammunition[Battery.MAIN] or 0,
            secondary_ammunition=warship.ammunition[Battery.SECONDARY] or 0,
            ammunition_by_turret=ammunition_by_turret,
        )

    @property
    def lost_turrets(self) -> LostTurrets:
        """Her turrets that are destroyed."""
        main = (number for number, state in enumerate(self.turrets) if state.destroyed)
        return LostTurrets(frozenset(main), self.secondaries_lost)

    @property
    def hull_quarters(self) -> int:
        """All the quarters of her hull, marked or not."""
        return self.warship.hull_boxes * QUARTERS

    @property
    def is_sunk(self) -> bool:
        """64.8: sunk once every hull box is marked."""
        return self.sunk_outright or self.hull_lost >= self.hull_quarters

    @property
    def movement_factor(self) -> int:
        """Her movement factor after damage (58.2); a destroyer's depends on her box."""
        factor = self.warship.movement_factor
        if self.warship.is_destroyer:
            # 70.5: reduced by the same fraction as her box, rounded down (72.3).
            factor = factor * (QUARTERS - min(self.hull_lost, QUARTERS)) // QUARTERS
        return max(0, factor - self.movement_factors_lost)

    def slowed(self, factors: int) -> "Vessel":
        """The ship with some movement factors lost, at most all of them."""
        lost = min(self.movement_factors_lost + factors, self.warship.movement_factor)
        return replace(self, movement_factors_lost=lost)

    @property
    def has_radar(self) -> bool:
        """Whether she had radar and still has it."""
        return self.warship.radar and not self.radar_lost

    @property
    def hull_third(self) -> int:
        """0, 1 or 2: the third of her hull with the left-most unmarked quarter (64.6).

        A remainder of boxes goes to the first third.
        """
        third, rest = divmod(self.warship.hull_boxes, 3)
        box = self.hull_lost // QUARTERS
        if box < third + rest:
            return 0
        return 1 if box < third + rest + third else 2

    def ammunition(self, battery: Battery) -> int:
        """The remaining ammunition of a gun type."""
        return self.main_ammunition if battery is Battery.MAIN else self.secondary_ammunition

    def turret_ammunition(self, battery: Battery, turret: str) -> int:
        """A turret's remaining ammunition: all that is left, or the rest of its share (65.6)."""
        left = self.ammunition(battery)
        if not self.ammunition_by_turret:
            return left
        share = (self.warship.ammunition[battery] or 0) // len(self.warship.mounts(battery))
        return min(left, share - self.turret_spent.get(turret, 0))

    def counting_by_turret(self, by_turret: bool) -> "Vessel":
        """The same ship with ammunition counted by turret from now on, or no longer (65.6).

        Each turret gets an equal share of what is left, rounded down.
        """
        changed = replace(self, ammunition_by_turret=by_turret, turret_spent={})
        return changed.with_equal_shares() if by_turret else changed

    def with_equal_shares(self) -> "Vessel":
        """The same ship with what she has spent counted by turret, in equal parts (65.6).

        What is counted for a turret already stays so.
        """
        spent = {}
        for battery in Battery:
            mounts = self.warship.mounts(battery)
            before = {mount.name: self.turret_spent.get(mount.name, 0) for mount in mounts}
            for name, count in before.items():
                full = (self.warship.ammunition[battery] or 0) // len(mounts)
                share = min(full, (self.ammunition(battery) + sum(before.values())) // len(mounts))
                spent[name] = min(full, full - share + count)
        return replace(self, turret_spent={name: count for name, count in spent.items() if count})

    def spending(self, battery: Battery, spent: int, by_turret: Mapping[str, int]) -> "Vessel":
        """The ship after her guns used some ammunition, with each turret's part."""
        left = self.with_ammunition(battery, max(0, self.ammunition(battery) - spent))
        if not by_turret:
            return left
        each = {name: self.turret_spent.get(name, 0) + part for name, part in by_turret.items()}
        return replace(left, turret_spent={**self.turret_spent, **each})

    def turret_number(self, name: str) -> int:
        """The index of a main turret."""
        names = [turret.name for turret in self.warship.turrets]
        if name not in names:
            raise UnknownName(self.name, "turret", name, names)
        return names.index(name)

    def secondary_lost(self, turret: SecondaryTurret) -> bool:
        """Whether a secondary turret is destroyed."""
        return turret.name in self.secondaries_lost

    def with_turret(self, number: int, state: TurretState) -> "Vessel":
        """The ship with another state of one turret."""
        turrets = (*self.turrets[:number], state, *self.turrets[number + 1 :])
        return replace(self, turrets=turrets)

    def with_ammunition(self, battery: Battery, left: int) -> "Vessel":
        """The ship with another amount of ammunition for a gun type."""
        if battery is Battery.MAIN:
            return replace(self, main_ammunition=left)
        return replace(self, secondary_ammunition=left)

    def hull_marked(self, quarters: int) -> "Vessel":
        """Mark hull boxes, from left to right, none skipped (64.3, 64.34)."""
        return replace(self, hull_lost=min(self.hull_lost + quarters, self.hull_quarters))

    def superstructure_marked(self, quarters: int) -> "Vessel":
        """Mark superstructure boxes; what does not fit is marked on the hull (64.5)."""
        room = self.warship.superstructure_boxes * QUARTERS - self.superstructure_lost
        here, hull = shared_with_hull(room, quarters)
        marked = replace(self, superstructure_lost=self.superstructure_lost + here)
        return marked.hull_marked(hull) if hull else marked

    def turret_marked(self, number: int, quarters: int) -> "Vessel":
        """Mark a main turret's boxes; it is destroyed with the last of them (64.32)."""
        state = self.turrets[number]
        boxes = self.warship.turrets[number].boxes * QUARTERS
        lost = min(state.lost_quarters + quarters, boxes)
        # A destroyer's guns have no boxes (70.2), so this cannot destroy them.
        destroyed = state.destroyed or 0 < boxes == lost
        return self.with_turret(number, replace(state, lost_quarters=lost, destroyed=destroyed))

    def solid_where_marked(self) -> "Vessel":
        """The ship without solid marks where she is no longer marked (40.3)."""
        return replace(
            self,
            turrets=tuple(
                replace(
                    state, solid_boxes=min(state.solid_boxes, boxes_marked(state.lost_quarters))
                )
                for state in self.turrets
            ),
            solid_hull_boxes=min(self.solid_hull_boxes, boxes_marked(self.hull_lost)),
            solid_secondaries=self.solid_secondaries & self.secondaries_lost,
            solid_helm=self.solid_helm & self.helm,
        )

    def turret_out(self, number: int, phases: int) -> "Vessel":
        """Put a main turret out of action for some combat phases."""
        state = self.turrets[number]
        out = max(state.out_for_phases, phases)
        return self.with_turret(number, replace(state, out_for_phases=out))

    def turrets_rested(self) -> "Vessel":
        """The ship after a phase: turrets out of action have one phase less to wait."""
        if not any(state.out_for_phases for state in self.turrets):
            return self
        return replace(
            self,
            turrets=tuple(
                replace(state, out_for_phases=max(0, state.out_for_phases - 1))
                for state in self.turrets
            ),
        )

    def turret_destroyed(self, number: int) -> "Vessel":
        """Destroy a main turret: all its boxes at once."""
        boxes = self.warship.turrets[number].boxes * QUARTERS
        state = replace(self.turrets[number], lost_quarters=boxes, destroyed=True)
        return self.with_turret(number, state)
