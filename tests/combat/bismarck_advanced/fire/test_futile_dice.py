"""No die is rolled that cannot change anything, and without it everything is as likely as with it.

Every die of a hit, a torpedo, a bomb and a roll for jams is tried with all its faces, on ships with
all sorts of damage. What becomes of a ship that is sunk does not matter (64.8).
"""

import random
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial

import pytest

from combat.dice import FACES, LAST_INDEX, Choice, Pair, TypedDice
from combat.rulebooks.bismarck_advanced.fire import torpedo_damage
from combat.rulebooks.bismarck_advanced.fire.air_attacks import resolve_bomb, resolve_wave
from combat.rulebooks.bismarck_advanced.fire.damage import HitReport, Shell, resolve_hit
from combat.rulebooks.bismarck_advanced.fire.events import NoEffect, NoEffectReason
from combat.rulebooks.bismarck_advanced.fire.jams import roll_jams
from combat.rulebooks.bismarck_advanced.fire.torpedoes import cells_read, sure_hits
from combat.rulebooks.bismarck_advanced.fleet.vessel import (
    QUARTERS,
    LostTurrets,
    RudderFault,
    Vessel,
)
from combat.rulebooks.bismarck_advanced.fleet.warship_files import load_warships
from combat.rulebooks.bismarck_advanced.guns import GunType, RangeBand
from combat.rulebooks.bismarck_data.air_waves import Bomber, Wave
from tabletop.arcs import Quadrant
from tabletop.messages import Message, verbatim
from tests.combat.bismarck_advanced.hits import BLANK, BOW, EXTREME, PORT, E, Z
from tests.combat.bismarck_advanced.sheets import CARD, TABLES, fresh

SUNK = "sunk"
WARSHIPS = tuple(load_warships())
Play = Callable[["Tried"], Hashable]


class _Open(Exception):
    def __init__(self, faces: int, purpose: Message) -> None:
        self.faces, self.purpose = faces, purpose.code


class Tried:
    """Dice that show given faces, and stop at the first that is not given."""

    by_server = True

    def __init__(self, faces: Sequence[int]) -> None:
        self._faces, self._used = faces, 0

    def pair(self, purpose: Message) -> Pair:
        return Pair.of_index(self._next(LAST_INDEX, purpose) + 1)

    def die(self, purpose: Message) -> int:
        return self._next(FACES, purpose) + 1

    def ten_sided(self, purpose: Message) -> int:
        raise AssertionError(purpose)

    def choice(self, count: int, purpose: Message) -> Choice:
        if count == 1:
            return Choice(0, ())
        index = self._next(count, purpose)
        return Choice(index, (index + 1,))

    def _next(self, faces: int, purpose: Message) -> int:
        if self._used == len(self._faces):
            raise _Open(faces, purpose)
        self._used += 1
        return self._faces[self._used - 1]


@dataclass
class Tree:
    """All that may come of something rolled for."""

    play: Play
    futile: list[str] = field(default_factory=list)
    """What dice are for that lead to the same whatever they show."""

    def chances(self, faces: tuple[int, ...] = ()) -> dict[Hashable, Fraction]:
        """How likely each outcome is, after the first dice."""
        try:
            return {self.play(Tried(faces)): Fraction(1)}
        except _Open as open_:
            opened = open_
            ways = [self.chances((*faces, face)) for face in range(opened.faces)]
        if all(way == ways[0] for way in ways):
            self.futile.append(opened.purpose)
        found: Counter[Hashable] = Counter()
        for way in ways:
            for outcome, chance in way.items():
                found[outcome] += chance / len(ways)  # type: ignore[assignment]
        return dict(found)  # type: ignore[arg-type]


def told(vessel: Vessel) -> Hashable:
    """What counts of a ship: nothing more once she is sunk, nor of a turret jammed for good."""
    if vessel.is_sunk:
        return SUNK
    turrets = (replace(each, out_for_phases=0) if each.out_for_battle else each
               for each in vessel.turrets)  # fmt: skip
    return replace(vessel, turrets=tuple(turrets))


def of_shell(shell: Shell, ship: Vessel, lost: LostTurrets, spare: bool, dice: Tried) -> Hashable:
    after, _ = resolve_hit(shell, ship, dice, CARD, lost_before=lost, spare_dice=spare)
    return told(after)


def hurt(source: random.Random, ship: Vessel) -> Vessel:
    """A ship with much damage of all sorts, perhaps sunk."""
    for number in range(len(ship.turrets)):
        if source.random() < 0.6:
            ship = ship.turret_destroyed(number)
        elif source.random() < 0.3:
            state = replace(ship.turrets[number], out_for_battle=True)
            ship = ship.with_turret(number, state)
    names = [turret.name for turret in ship.warship.secondaries]
    faults = [fault for fault in RudderFault if source.random() < 0.6]
    return replace(
        ship.slowed(source.choice((0, 3, 99))),
        hull_lost=source.choice((0, ship.hull_quarters - 1, ship.hull_quarters - 5))
        if source.random() < 0.9
        else ship.hull_quarters,
        secondaries_lost=frozenset(name for name in names if source.random() < 0.7),
        director_destroyed=source.random() < 0.5,
        plot_destroyed=source.random() < 0.5,
        steady_for_phases=source.choice((0, 1)),
        helm=frozenset(faults),
    )


def shells(seeds: range) -> Iterator[tuple[Shell, Vessel, LostTurrets]]:
    for seed in seeds:
        source = random.Random(seed)
        ship = hurt(source, Vessel.fresh(source.choice(WARSHIPS)))
        lost = ship.lost_turrets if source.random() < 0.5 else LostTurrets()
        gun, band = source.choice(list(GunType)), source.choice(list(RangeBand))
        yield Shell(gun, band, source.choice(list(Quadrant))), ship, lost


def check_shells(seeds: range) -> int:
    """How many dice the editions before would have rolled for nothing."""
    spared = 0
    for shell, ship, lost in shells(seeds):
        with_all = Tree(partial(of_shell, shell, ship, lost, False))
        without = Tree(partial(of_shell, shell, ship, lost, True))
        assert without.chances() == with_all.chances(), (shell, ship)
        assert without.futile == [], (shell, ship)
        spared += len(with_all.futile)
    return spared


def test_no_die_of_a_hit_is_futile() -> None:
    assert check_shells(range(25)) > 25


@pytest.mark.soak
def test_no_die_of_a_hit_is_futile_on_many_ships() -> None:
    check_shells(range(25, 2_000))


@pytest.mark.parametrize("seed", range(12))
def test_no_die_of_a_torpedo_or_a_bomb_is_futile(seed: int) -> None:
    source = random.Random(seed)
    ship = hurt(source, Vessel.fresh(source.choice(WARSHIPS)))

    def torpedo(dice: Tried, *, spare: bool) -> Hashable:
        return told(torpedo_damage.resolve_hit(ship, dice, TABLES, spare_dice=spare)[0])

    def bomb(dice: Tried, *, spare: bool) -> Hashable:
        return told(resolve_bomb(ship, dice, TABLES, hit=verbatim(""), spare_dice=spare)[0])

    for play in (torpedo, bomb):
        without = Tree(partial(play, spare=True))
        assert without.chances() == Tree(partial(play, spare=False)).chances()
        assert without.futile == []


def test_nothing_is_rolled_for_planes_after_she_sank() -> None:
    ship = fresh("Köln")
    ship = replace(ship, hull_lost=ship.hull_quarters - 1)
    wave = Wave(Bomber.DIVE, 9, antiaircraft=0, visibility=1)
    report = resolve_wave(ship, wave, TypedDice("1 "), TABLES, spare_dice=True)
    assert len(report.runs) == 1
    assert report.on(ship).is_sunk
    assert [damage.die for damage in report.damage] == [None]


def test_losses_that_every_roll_makes_alike_are_not_rolled_for() -> None:
    wave = Wave(Bomber.TORPEDO, 2, antiaircraft=3, visibility=6)
    dice = TypedDice("6")
    report = resolve_wave(fresh("Bismarck"), wave, dice, TABLES, spare_dice=True)
    dice.finish()
    # Four fifths of three planes are stopped, and in such weather none is lost.
    assert (report.passage.stopped, report.passage.lost, report.passage.through) == (2, 0, 0)


def test_who_cannot_jam_does_not_roll() -> None:
    ship = fresh("Prince of Wales")
    state = replace(ship.turrets[0], jammed_guns=ship.warship.turrets[0].guns)
    jammed = ship.with_turret(0, state)
    # Every gun of turret A is jammed for the battle, and those of B do not fire (71.2, 71.4).
    assert roll_jams(jammed, {"A"}, TypedDice(""), TABLES, spare_dice=True) is None
    for vessel, turrets in ((ship, {"A"}), (jammed, {"A", "B"})):
        assert roll_jams(vessel, turrets, TypedDice("66"), TABLES, spare_dice=True) is not None


def test_torpedoes_that_every_roll_makes_alike_are_not_rolled_for() -> None:
    assert sure_hits("one 2", -9, TABLES) == 0
    assert sure_hits("one 3", 30, TABLES) == 1
    assert sure_hits("one 4", 0, TABLES) is None
    assert {cell.value for cell in cells_read("one 3", 30, TABLES)} == {"1"}


def reasons(report: HitReport) -> list[NoEffectReason]:
    return [each.why for each in report.results if isinstance(each, NoEffect)]


def hit(ship: Vessel, dice: str, shell: Shell) -> tuple[Vessel, HitReport]:
    typed = TypedDice(dice)
    after, report = resolve_hit(shell, ship, typed, CARD, spare_dice=True)
    typed.finish()
    return after, report


def test_a_hit_on_a_sunk_ship_says_so() -> None:
    hood = fresh("Hood")
    sunk = replace(hood, hull_lost=hood.hull_quarters)
    after, report = hit(sunk, "", Shell(E, BLANK, PORT))
    assert after == sunk
    assert report.dice == ()
    assert reasons(report) == [NoEffectReason.SUNK_ALREADY]
    assert report.reference == "64.8"
    boat = fresh("Destroyer")
    boat = replace(boat, hull_lost=QUARTERS)
    assert reasons(hit(boat, "", Shell(E, BLANK, PORT))[1]) == [NoEffectReason.SUNK_ALREADY]


def roll_for(location: str, *, end_on: bool) -> str:
    rows = CARD.damage_rows[end_on]
    return str(Pair.of_index(1 + next(n for n, row in enumerate(rows) if row.location == location)))


@pytest.mark.parametrize("aspect", [PORT, BOW])
def test_which_secondary_turret_has_held_is_not_asked(aspect: Quadrant) -> None:
    shell = Shell(Z, EXTREME, aspect)
    _, report = hit(fresh("Bismarck"), roll_for("secondary", end_on=shell.end_on), shell)
    assert reasons(report) == [NoEffectReason.ARMOUR_HELD]
    assert report.place == Message("advanced.place.secondary")


def test_which_of_the_lost_turrets_is_struck_is_not_asked() -> None:
    bismarck, shell = fresh("Bismarck"), Shell(E, BLANK, PORT)
    names = frozenset(turret.name for turret in bismarck.warship.secondaries)
    gone = replace(bismarck, secondaries_lost=names)
    _, report = hit(gone, roll_for("secondary", end_on=False), shell)
    assert reasons(report) == [NoEffectReason.SECONDARIES_GONE]
    for number in range(len(bismarck.turrets)):
        bismarck = bismarck.turret_destroyed(number)
    _, report = hit(bismarck, roll_for("bow_turret", end_on=False), shell)
    assert reasons(report) == [NoEffectReason.TURRETS_GONE]
    assert report.place == Message("advanced.place.bow_turret")


def test_a_stopped_ship_loses_no_speed_by_a_die() -> None:
    stopped = fresh("Bismarck").slowed(99)
    _, report = hit(stopped, roll_for("speed", end_on=False), Shell(E, BLANK, PORT))
    assert reasons(report) == [NoEffectReason.STOPPED_ALREADY]
