"""The exact odds of fire and torpedoes: hits, and what they do to the target.

The marks that one hit makes are found by playing `resolve_hit` through every fall of the dice on
a ship too large to lose anything to another hit. What many hits do then follows by arithmetic:
hull and superstructure as a walk over their boxes, turrets by counting, the rest one by one.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache, partial

import numpy as np

from combat.dice import LAST_INDEX
from combat.forecast import BranchingDice, Forecast, every_outcome
from combat.provenance import Provenance
from combat.rulebooks.bismarck_advanced.combat_tables import (
    HIGHEST_ROW,
    LOWEST_ROW,
    CombatTables,
    DamageRow,
    Location,
)
from combat.rulebooks.bismarck_advanced.fire import air_attacks, torpedo_damage
from combat.rulebooks.bismarck_advanced.fire.damage import Shell, resolve_hit
from combat.rulebooks.bismarck_advanced.fire.factor import columns, gunnery_factor
from combat.rulebooks.bismarck_advanced.fire.gunnery import shell_of
from combat.rulebooks.bismarck_advanced.fire.ledger import modifications
from combat.rulebooks.bismarck_advanced.fire.options import Options
from combat.rulebooks.bismarck_advanced.fire.shot import Shot, check_allowed
from combat.rulebooks.bismarck_advanced.fleet.vessel import (
    QUARTERS,
    LostTurrets,
    Vessel,
    shared_with_hull,
)
from combat.rulebooks.bismarck_advanced.fleet.warships import Warship
from combat.rulebooks.bismarck_advanced.guns import RangeGroup
from combat.rulebooks.bismarck_data.air_waves import Bomber, Wave
from combat.rulebooks.bismarck_data.air_waves import hit_odds as hit_odds_of_wave
from combat.tables import NotedTables, TableSet
from tabletop.angles import FloatArray
from tabletop.errors import DreyerError
from tabletop.messages import Message

_BOUNDLESS_BOXES = 1000
_NONE_LOST = LostTurrets()


@dataclass(frozen=True, slots=True)
class HitMarks:
    """The marks that one hit makes on a sheet, without regard to what is left to mark."""

    hull: int = 0
    superstructure: int = 0
    turret: int | None = None
    """The number of the main turret hit."""
    turret_quarters: int = 0
    turret_destroyed: bool = False
    secondary: str | None = None
    speed_lost: bool = False
    director: bool = False
    plot: bool = False
    rudder: bool = False
    conning_tower: bool = False
    sinks: bool = False
    """Sinks her outright, whatever her hull says: a torpedo may."""


MarkOdds = Mapping[HitMarks, float]


@dataclass(frozen=True, slots=True)
class HitEffects:
    """The possible marks of one hit with their probabilities, and their provenance."""

    marks: MarkOdds
    provenance: Provenance
    """The worst provenance of all cells that may be used."""


@dataclass(frozen=True, slots=True)
class AttackOdds:
    """One fire or salvo: how often it hits, and what each hit may do."""

    hits: Mapping[int, float]
    """The chance of each number of hits."""
    effects: HitEffects
    provenance: Provenance
    """The least certain of all that the number of hits rests on."""


def forecast_fire(
    shot: Shot, combat_tables: CombatTables, options: Options | None = None
) -> Forecast:
    """The exact odds of one fire."""
    return forecast_segment((shot,), combat_tables, options)


def forecast_segment(
    shots: Sequence[Shot], combat_tables: CombatTables, options: Options | None = None
) -> Forecast:
    """The exact odds of all fire at one target in a segment: several batteries, several ships."""
    if not shots or any(shot.target != shots[0].target for shot in shots):
        raise DreyerError("advanced.forecast.one_target")
    options = options or Options()
    return forecast_attacks(
        shots[0].target, [fire_odds(shot, combat_tables, options) for shot in shots]
    )


def fire_odds(shot: Shot, combat_tables: CombatTables, options: Options) -> AttackOdds:
    """The odds of one fire; Forbidden, with the rule, where it is not allowed."""
    check_allowed(shot)
    ledger, factor = modifications(shot, combat_tables, options), gunnery_factor(shot)
    read = _read_to_hit(factor, ledger.total, combat_tables, options)
    return AttackOdds(
        hit_odds_of(factor, ledger.total, combat_tables, options),
        hit_effects(shell_of(shot), shot.target.warship, combat_tables, shot.lost_before),
        Provenance.worst((read, *(modifier.provenance for modifier in ledger))),
    )


def forecast_attacks(target: Vessel, attacks: Sequence[AttackOdds]) -> Forecast:
    """The exact odds of everything that is done to one ship in a segment."""
    hull, turrets = HullWalk(target), TurretWalk(target)
    total_hits: dict[int, float] = {0: 1.0}
    never = dict.fromkeys(_EVENTS, 1.0)
    certainty: list[Provenance] = []
    for attack in attacks:
        hits, marks = attack.hits, attack.effects.marks
        certainty.append(attack.provenance)
        if max(hits):
            certainty.append(attack.effects.provenance)
        total_hits = _sums(total_hits, hits)
        hull.take(marks, hits)
        turrets.take(marks, hits)
        for name, happens in _EVENTS.items():
            chance = sum(odds for mark, odds in marks.items() if happens(mark, target))
            never[name] *= sum(odds * (1.0 - chance) ** number for number, odds in hits.items())
    outcomes = {
        "turret_lost": turrets.any_lost,
        "speed_lost": 1.0 - never.pop("speed_lost"),
        "sunk": _sunk(target, attacks, hull),
        **{_turret_lost(name): odds for name, odds in turrets.each_lost.items()},
        **{name: 1.0 - odds for name, odds in never.items()},
    }
    return Forecast(
        hits=total_hits,
        # Rounding must not give a probability above 1.
        outcomes={name: min(max(odds, 0.0), 1.0) for name, odds in outcomes.items()},
        expected_boxes={
            "hull": hull.expected_hull / QUARTERS,
            "superstructure": hull.expected_superstructure / QUARTERS,
        },
        boxes=hull.boxes,
        titles={
            _turret_lost(name): Message("advanced.forecast.turret_lost", turret=name)
            for name in turrets.each_lost
        },
        provenance=Provenance.worst(certainty),
    )


def _sunk(target: Vessel, attacks: Sequence[AttackOdds], hull: "HullWalk") -> float:
    """The chance that her hull is gone (64.8), or that a torpedo has sunk her outright (69.2)."""
    if not any(mark.sinks for attack in attacks for mark in attack.effects.marks):
        return hull.sunk
    # A walk without the hits that sink her: what is left of it are the ways to stay afloat.
    afloat = HullWalk(target)
    for attack in attacks:
        marks = {mark: odds for mark, odds in attack.effects.marks.items() if not mark.sinks}
        afloat.take(marks, attack.hits)
    return 1.0 - afloat.afloat


def _turret_lost(name: str) -> str:
    return f"turret_{name}_lost"


@lru_cache(maxsize=512)
def _read_to_hit(
    factor: int, total: int, combat_tables: CombatTables, options: Options
) -> Provenance:
    """The least certain of all cells of the Hit Table that a roll may use."""
    return Provenance.worst(
        combat_tables.hits_cell(column, roll + total).provenance
        for column in set(columns(factor, options))
        for roll in range(1, LAST_INDEX + 1)
    )


_EVENTS: Mapping[str, Callable[[HitMarks, Vessel], bool]] = {
    "secondary_lost": lambda mark, ship: (
        mark.secondary is not None and mark.secondary not in ship.secondaries_lost
    ),
    "speed_lost": lambda mark, ship: mark.speed_lost and ship.movement_factor > 0,
    "director_lost": lambda mark, ship: mark.director and not ship.director_destroyed,
    "plot_lost": lambda mark, ship: mark.plot and not ship.plot_destroyed,
    "rudder_damaged": lambda mark, _: mark.rudder,
    "conning_tower_damaged": lambda mark, _: mark.conning_tower,
}
"""The odds of outcomes that each hit may have independently."""


def _sums(first: Mapping[int, float], second: Mapping[int, float]) -> dict[int, float]:
    """The odds of the sum of two independent numbers."""
    sums: dict[int, float] = defaultdict(float)
    for one, chance in first.items():
        for other, odds in second.items():
            sums[one + other] += chance * odds
    return dict(sorted(sums.items()))


def hit_odds(shot: Shot, combat_tables: CombatTables, options: Options) -> dict[int, float]:
    """The probability of each number of hits, over the 36 rolls."""
    total = modifications(shot, combat_tables, options).total
    return dict(hit_odds_of(gunnery_factor(shot), total, combat_tables, options))


@lru_cache(maxsize=512)
def hit_odds_of(
    factor: int, total: int, combat_tables: CombatTables, options: Options
) -> Mapping[int, float]:
    """The probability of each number of hits, from the gunnery factor and the ledger's sum."""
    counts: Counter[int] = Counter()
    for roll in range(1, LAST_INDEX + 1):
        row = min(max(roll + total, LOWEST_ROW), HIGHEST_ROW)
        counts[sum(combat_tables.hits[row - 1][column] for column in columns(factor, options))] += 1
    return {hits: count / LAST_INDEX for hits, count in sorted(counts.items())}


@lru_cache(maxsize=512)
def hit_effects(
    shell: Shell,
    warship: Warship,
    combat_tables: CombatTables,
    lost_before: LostTurrets = _NONE_LOST,
) -> HitEffects:
    """The possible marks of one hit of this shell on this ship, with their probabilities.

    Turrets destroyed before this segment may protect her hull (64.43).
    """
    before = _boundless(warship)

    def play(row: DamageRow | None, dice: BranchingDice) -> tuple[HitMarks, Provenance]:
        after, report = resolve_hit(
            shell, before, dice, combat_tables, lost_before=lost_before, row=row
        )
        return _marks_between(before, after, report.location), report.provenance

    if warship.is_destroyer:
        return _effects([(partial(play, None), Fraction(1))])
    rows = _distinct_rows(combat_tables.damage_rows[shell.end_on], shell.band.group)
    return _effects((partial(play, row), chance) for row, chance in rows)


def _distinct_rows(
    rows: Sequence[DamageRow], group: RangeGroup
) -> Iterator[tuple[DamageRow, Fraction]]:
    """Rows of the Damage Table that differ in one group of ranges, and the chance of each."""
    alike: dict[tuple[object, ...], list[DamageRow]] = {}
    for row in reversed(rows):
        key = (row.location, row.armour[group], row.mark, row.provenance[group])
        alike.setdefault(key, []).append(row)
    for several in alike.values():
        yield several[0], Fraction(len(several), len(rows))


def torpedo_effects(warship: Warship, tables: TableSet) -> HitEffects:
    """What one torpedo marks on this ship, with the chance of each (69.2)."""
    before = _boundless(warship)

    def play(dice: BranchingDice) -> tuple[HitMarks, Provenance]:
        after, report = torpedo_damage.resolve_hit(before, dice, tables)
        return _marks_between(before, after, None), report.provenance

    return _effects([(play, Fraction(1))])


def wave_odds(target: Vessel, wave: Wave, tables: TableSet) -> AttackOdds:
    """The odds of a wave of bombers: who gets through and hits, and what each hit does (27.5)."""
    warship = target.warship
    if wave.bomber is Bomber.TORPEDO:
        effects = torpedo_effects(warship, tables)
    else:
        effects = bomb_effects(warship, tables)
    noted = NotedTables(tables)
    hits = hit_odds_of_wave(wave, warship.ship_class, noted)
    ledger = (line.provenance for line in air_attacks.air_ledger(wave, tables))
    return AttackOdds(hits, effects, Provenance.worst((*noted.read, *ledger)))


def bomb_effects(warship: Warship, tables: TableSet) -> HitEffects:
    """What one bomb marks on this ship, with the chance of each (27.55)."""
    before = _boundless(warship)

    def play(dice: BranchingDice) -> tuple[HitMarks, Provenance]:
        hit = Message("advanced.hit_number.only")
        after, report = air_attacks.resolve_bomb(before, dice, tables, hit=hit)
        return _marks_between(before, after, None), report.provenance

    return _effects([(play, Fraction(1))])


def _boundless(warship: Warship) -> Vessel:
    """A ship too large to lose anything to another hit."""
    return Vessel.fresh(
        replace(
            warship,
            hull_boxes=_BOUNDLESS_BOXES,
            superstructure_boxes=_BOUNDLESS_BOXES,
            turrets=tuple(replace(turret, boxes=_BOUNDLESS_BOXES) for turret in warship.turrets),
        )
    )


_Play = Callable[[BranchingDice], tuple[HitMarks, Provenance]]


def _effects(plays: Iterable[tuple[_Play, Fraction]]) -> HitEffects:
    """Every way that one hit may go, in one of several plays, each with its chance."""
    odds: dict[HitMarks, Fraction] = defaultdict(Fraction)
    certainty = set()
    for play, chance in plays:
        for outcome in every_outcome(play):
            marks, provenance = outcome.result
            odds[marks] += chance * outcome.probability
            certainty.add(provenance)
    return HitEffects(
        {marks: float(chance) for marks, chance in odds.items()}, Provenance.worst(certainty)
    )


def _marks_between(before: Vessel, after: Vessel, location: Location | None) -> HitMarks:
    struck = [
        number
        for number, (old, new) in enumerate(zip(before.turrets, after.turrets, strict=True))
        if new != old
    ]
    turret = struck[0] if struck else None
    state = None if turret is None else after.turrets[turret]
    return HitMarks(
        hull=after.hull_lost - before.hull_lost,
        superstructure=after.superstructure_lost - before.superstructure_lost,
        turret=turret,
        turret_quarters=0 if state is None or state.destroyed else state.lost_quarters,
        turret_destroyed=state is not None and state.destroyed,
        secondary=next(iter(after.secondaries_lost), None),
        speed_lost=after.movement_factor < before.movement_factor,
        director=after.director_destroyed,
        plot=after.plot_destroyed,
        rudder=location is Location.RUDDER and after != before,
        conning_tower=location is Location.CONNING_TOWER and after != before,
        sinks=after.sunk_outright,
    )


class HullWalk:
    """The odds of every state of hull and superstructure, updated hit by hit."""

    def __init__(self, target: Vessel) -> None:
        hull_left = target.hull_quarters - target.hull_lost
        room = target.warship.superstructure_boxes * QUARTERS - target.superstructure_lost
        self._odds: FloatArray = np.zeros((hull_left + 1, room + 1))
        self._odds[0, 0] = 1.0

    @property
    def sunk(self) -> float:
        """The probability that every hull box is marked (64.8)."""
        return float(self._odds[-1].sum())

    @property
    def afloat(self) -> float:
        """The chance that a box is left."""
        return float(self._odds[:-1].sum())

    @property
    def expected_hull(self) -> float:
        """The mean number of hull quarters marked."""
        return float(np.arange(len(self._odds)) @ self._odds.sum(axis=1))

    @property
    def expected_superstructure(self) -> float:
        """The mean number of superstructure quarters marked."""
        return float(self._odds.sum(axis=0) @ np.arange(self._odds.shape[1]))

    @property
    def boxes(self) -> dict[tuple[float, float], float]:
        """The joint odds of hull and superstructure boxes marked."""
        hull, superstructure = np.nonzero(self._odds)
        return {
            (row / QUARTERS, column / QUARTERS): float(self._odds[row, column])
            for row, column in zip(hull.tolist(), superstructure.tolist(), strict=True)
        }

    def take(self, marks: MarkOdds, hits: Mapping[int, float]) -> None:
        """Apply a number of hits with these odds."""
        both: dict[tuple[int, int], float] = defaultdict(float)
        for mark, chance in marks.items():
            both[mark.hull, mark.superstructure] += chance
        moves = [
            (chance, hull, self._overflow(superstructure))
            for (hull, superstructure), chance in both.items()
        ]
        now, total = self._odds, np.zeros_like(self._odds)
        for number in range(max(hits) + 1):
            if number:
                now = _one_hit(now, moves)
            total += hits.get(number, 0.0) * now
        self._odds = total

    def _overflow(self, quarters: int) -> list[tuple[int, int]]:
        """For each state of the superstructure, the next one and what overflows into the hull."""
        if not quarters:
            return []
        states = []
        room = self._odds.shape[1] - 1
        for taken in range(room + 1):
            here, hull = shared_with_hull(room - taken, quarters)
            states.append((taken + here, hull))
        return states


def _one_hit(odds: FloatArray, moves: list[tuple[float, int, list[tuple[int, int]]]]) -> FloatArray:
    after = np.zeros_like(odds)
    for chance, hull, overflow in moves:
        if not overflow:
            _add_shifted(after, odds * chance, hull)
        for column, (here, extra) in enumerate(overflow):
            _add_shifted(after[:, here], odds[:, column] * chance, hull + extra)
    return after


def _add_shifted(into: FloatArray, odds: FloatArray, by: int) -> None:
    """Add odds shifted by a number of quarters; what passes the end stays at the end."""
    if by == 0:
        into += odds
        return
    last = len(into) - 1
    kept = max(last - by, 0)
    into[last - kept : last] += odds[:kept] if by <= last else 0.0
    into[last] += odds[kept:].sum(axis=0)


class TurretWalk:
    """The odds of every state of the remaining turrets, updated hit by hit.

    A state is how much each has lost; a hit affects one turret at most. Lost turrets leave the
    walk, so its remaining sum is the probability that no turret is lost.
    """

    def __init__(self, target: Vessel) -> None:
        # A destroyer's guns have no boxes of their own: they depend on her hull (70.4).
        self._standing = [
            number
            for number, turret in enumerate(target.warship.turrets)
            if turret.boxes and not target.turrets[number].destroyed
        ]
        self._names = [target.warship.turrets[number].name for number in self._standing]
        left = [
            target.warship.turrets[number].boxes * QUARTERS - target.turrets[number].lost_quarters
            for number in self._standing
        ]
        self._all: FloatArray = np.zeros(left)
        self._each: list[FloatArray] = [np.zeros(quarters) for quarters in left]
        for odds in (self._all, *self._each):
            odds[(0,) * odds.ndim] = 1.0

    @property
    def any_lost(self) -> float:
        """The probability that at least one turret is lost."""
        return 1.0 - float(self._all.sum())

    @property
    def each_lost(self) -> dict[str, float]:
        """The probability of losing each remaining turret."""
        return {
            name: 1.0 - float(odds.sum())
            for name, odds in zip(self._names, self._each, strict=True)
        }

    def take(self, marks: MarkOdds, hits: Mapping[int, float]) -> None:
        """Apply a number of hits with these odds."""
        struck = [_strikes(marks, number) for number in self._standing]
        self._all = _struck(self._all, struck, hits)
        self._each = [
            _struck(odds, [one], hits) for odds, one in zip(self._each, struck, strict=True)
        ]


_Strikes = tuple[float, Mapping[int, float]]
"""The probability that a hit affects a turret, and of each number of quarters it then marks."""


def _strikes(marks: MarkOdds, turret: int) -> _Strikes:
    own = {mark: odds for mark, odds in marks.items() if mark.turret == turret}
    marked: dict[int, float] = defaultdict(float)
    for mark, odds in own.items():
        if not mark.turret_destroyed:
            marked[mark.turret_quarters] += odds
    return sum(own.values()), marked


def _struck(odds: FloatArray, struck: Sequence[_Strikes], hits: Mapping[int, float]) -> FloatArray:
    """The states after a number of hits, one axis for each turret that may be hit."""
    spared = 1.0 - sum(chance for chance, _ in struck)
    now, total = odds, np.zeros_like(odds)
    for number in range(max(hits) + 1):
        if number:
            after = spared * now
            for axis, (_, marked) in enumerate(struck):
                into, before = np.moveaxis(after, axis, 0), np.moveaxis(now, axis, 0)
                for quarters, chance in marked.items():
                    into[quarters:] += chance * before[: max(0, len(before) - quarters)]
            now = after
        total += hits.get(number, 0.0) * now
    return total
