"""Fire resolved as the dice come in, one or many at a time (56.4, 56.8, 62).

The phase is first played through with dice that never fall, which shows who rolls, for what and
in which order. Then every roll is resolved by the very functions that the phase itself uses, each
as soon as its dice are there. When the last has fallen, `resolve_fire_phase` plays the whole phase
with them, and what it says counts.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from combat.battle import DiceKind, DiceWanted
from combat.dice import BadDice, Pair, TypedDice
from combat.rulesets.bismarck_advanced.bands import Battery
from combat.rulesets.bismarck_advanced.card import Card
from combat.rulesets.bismarck_advanced.engagement import Engagement
from combat.rulesets.bismarck_advanced.firing.combat_phase import (
    FireOrder,
    PhaseReport,
    resolve_fire_phase,
    roll_fire_phase,
)
from combat.rulesets.bismarck_advanced.firing.gunnery import FireReport, resolve_fire
from combat.rulesets.bismarck_advanced.firing.jams import JamReport
from combat.rulesets.bismarck_advanced.firing.shot import Shot
from combat.rulesets.bismarck_advanced.firing.torpedoes import TorpedoReport, resolve_salvo
from combat.rulesets.bismarck_advanced.fleet.vessel import Vessel
from tabletop.errors import DreyerError
from tabletop.rules import TableRules

_NO_JAM = Pair(6, 6)
"""Stands in for a pair that has not fallen: it jams no gun, and hits as little as can be."""


class OpenDice(TypedDice):
    """Typed dice that note where they run out, and stand in for what has not fallen yet."""

    def __init__(self, values: Sequence[str], label: str = "", first: int = 1) -> None:
        super().__init__(" ".join(values))
        self._values = tuple(values)
        self._label, self._first = label, first
        self.used = 0
        self.ran_out: tuple[DiceKind, str] | None = None

    def pair(self, purpose: str) -> Pair:
        """The next two dice."""
        return super().pair(purpose) if self._has_fallen(DiceKind.PAIR, purpose) else _NO_JAM

    def die(self, purpose: str) -> int:
        """The next die."""
        return super().die(purpose) if self._has_fallen(DiceKind.DIE, purpose) else 1

    def _has_fallen(self, kind: DiceKind, purpose: str) -> bool:
        purpose = f"{self._label}: {purpose}" if self._label else purpose
        if self.used >= len(self._values):
            self.ran_out = self.ran_out or (kind, purpose)
            return False
        value = self._values[self.used]
        if len(value) != (2 if kind is DiceKind.PAIR else 1):
            words = "a pair, two digits" if kind is DiceKind.PAIR else "one die, one digit"
            raise BadDice(
                f"dice: number {self._first + self.used} is for {purpose}: expected {words} "
                f"from 1 to 6, got {value}"
            )
        self.used += 1
        return True


@dataclass(frozen=True, slots=True)
class Resolution:
    """A combat phase under way: its dice so far, and what they have decided."""

    battle: Engagement
    """As it stands when the phase begins."""
    orders: tuple[FireOrder, ...]
    dice: tuple[str, ...] = ()
    jam_ships: tuple[str, ...] = ()
    """Who rolls for jams, before any fire (71.2)."""
    jams: tuple[JamReport, ...] = ()
    planned: tuple[FireReport, ...] = ()
    """Every fire in the order of resolution (62.3), as it would go without luck."""
    salvos: tuple[TorpedoReport, ...] = ()
    """Torpedoes due, likewise: their salvo and reception are what counts."""
    fires: tuple[FireReport, ...] = ()
    """Those resolved to the end."""
    torpedoes: tuple[TorpedoReport, ...] = ()
    current: FireReport | None = None
    """The fire whose dice are wanted, with the hits that are resolved so far."""
    sheets: Mapping[str, Vessel] = field(default_factory=dict)
    """Every ship as she fires: with this phase's lasting jams (71.4)."""
    marked: Mapping[str, Vessel] = field(default_factory=dict)
    """Every ship with the marks of all that is resolved so far."""
    used: int = 0
    """Dice that belong to what is resolved to the end."""
    wanted: DiceWanted | None = None
    after: Engagement | None = None
    report: PhaseReport | None = None
    """Both are there once the last die has fallen."""


def begin_resolution(
    battle: Engagement, orders: Sequence[FireOrder], card: Card, rules: TableRules
) -> Resolution:
    """A combat phase before its first die; done at once where nothing is to be rolled."""
    return _advanced(_planned(Resolution(battle, tuple(orders)), card, rules), card, rules)


def with_dice(
    resolution: Resolution, values: Sequence[str], card: Card, rules: TableRules
) -> Resolution:
    """The phase with more dice; BadDice where they do not fit, or where there are too many."""
    jams_open = len(resolution.jams) < len(resolution.jam_ships)
    wanted = resolution.wanted
    resolution = replace(resolution, dice=(*resolution.dice, *values))
    if wanted is not None and len(values) >= max(2, wanted.at_least):
        # These may well be all: then the phase itself is quicker than step by step. Where they do
        # not fit, the steps know better what each was for.
        with suppress(BadDice):
            finished = _finished(resolution, card, rules)
            if finished is not None and finished.used == len(finished.dice):
                return finished
    if jams_open:
        resolution = _planned(resolution, card, rules)
    resolution = _advanced(resolution, card, rules)
    if resolution.report is not None and resolution.used < len(resolution.dice):
        extra = " ".join(resolution.dice[resolution.used :])
        raise BadDice(f"dice: too many: everything is resolved without {extra}; leave it out")
    return resolution


def rolled_next(
    resolution: Resolution, chosen: FireOrder, card: Card, rules: TableRules
) -> Resolution:
    """The phase with one fire drawn forward: each side rolls in the order it likes (62.3).

    The Allies still come before the Germans, and a fire whose dice have begun to fall is ended.
    """
    begun = [fire.shot for fire in resolution.fires]
    if resolution.current is not None and resolution.current.dice is not None:
        begun.append(resolution.current.shot)
    keys = {(shot.firer.name, shot.target.name, shot.battery) for shot in begun}
    done = [each for each in resolution.orders if _key(each) in keys]
    if chosen in done:
        raise DreyerError(f"{chosen.firer} at {chosen.target} is being rolled already (62.3)")
    others = [each for each in resolution.orders if each != chosen and each not in done]
    ordered = begin_resolution(resolution.battle, (*done, chosen, *others), card, rules)
    return with_dice(ordered, resolution.dice, card, rules) if resolution.dice else ordered


def _key(order: FireOrder) -> tuple[str, str, Battery]:
    return order.firer, order.target, order.battery


def _planned(resolution: Resolution, card: Card, rules: TableRules) -> Resolution:
    """Who rolls for what: the phase played with the jams that are rolled, and no other dice."""
    rolled = resolution.dice[: len(resolution.jam_ships)]
    dice = OpenDice(rolled)
    report = roll_fire_phase(resolution.battle, resolution.orders, dice, card, rules)
    sheets = {ship.name: ship.vessel for ship in resolution.battle.combatants}
    sheets |= {jam.ship: jam.vessel_after for jam in report.jams}
    return replace(
        resolution,
        sheets=sheets,
        # A turret that is out sits this phase out, as the phase itself has it.
        marked={name: sheet.turrets_rested() for name, sheet in sheets.items()},
        jam_ships=tuple(jam.ship for jam in report.jams),
        jams=report.jams[: len(rolled)],
        planned=report.fires,
        salvos=report.torpedoes,
        used=len(rolled),
    )


def _advanced(resolution: Resolution, card: Card, rules: TableRules) -> Resolution:
    """Resolve as much as the dice allow."""
    if len(resolution.jams) < len(resolution.jam_ships):
        ship = resolution.jam_ships[len(resolution.jams)]
        open_jams = len(resolution.jam_ships) - len(resolution.jams)
        return _wanting(resolution, (DiceKind.PAIR, f"the jams of {ship}"), open_jams, ship)
    now = dict(resolution.marked)
    while len(resolution.fires) < len(resolution.planned):
        shot = resolution.planned[len(resolution.fires)].shot
        target, firer = shot.target.name, shot.firer.name
        dice = OpenDice(resolution.dice[resolution.used :], label_of(shot), resolution.used + 1)
        options = resolution.battle.options
        fire = resolve_fire(shot, dice, card, options=options, target_now=now[target])
        if dice.ran_out:
            fallen = _as_fallen(fire, dice.used)
            open_hits = max(1, fallen.hits - len(fallen.hit_reports))
            return _wanting(resolution, dice.ran_out, open_hits, firer, fallen)
        now[target] = fire.target_after
        spent = fire.expenditure
        now[firer] = now[firer].spending(shot.battery, spent.spent, spent.by_turret)
        fires, used = (*resolution.fires, fire), resolution.used + dice.used
        resolution = replace(resolution, fires=fires, marked=dict(now), used=used, current=None)
    while len(resolution.torpedoes) < len(resolution.salvos):
        due = resolution.salvos[len(resolution.torpedoes)]
        receiver = resolution.battle[due.reception.receiver or due.salvo.target]
        label = f"{due.salvo.launcher}'s torpedoes at {receiver.name}"
        dice = OpenDice(resolution.dice[resolution.used :], label, resolution.used + 1)
        report = resolve_salvo(
            due.salvo,
            due.reception,
            resolution.sheets[receiver.name],
            receiver.evolution,
            dice,
            card.tables,
            receiver_now=now[receiver.name],
        )
        if dice.ran_out:
            return _wanting(resolution, dice.ran_out, 1, due.salvo.launcher)
        now[receiver.name] = report.receiver_after
        torpedoes, used = (*resolution.torpedoes, report), resolution.used + dice.used
        resolution = replace(resolution, torpedoes=torpedoes, marked=dict(now), used=used)
    # Everything has fallen that was wanted, so the phase itself cannot ask for more.
    return _finished(resolution, card, rules) or resolution


def _finished(resolution: Resolution, card: Card, rules: TableRules) -> Resolution | None:
    """The phase played with all its dice; None where they do not suffice."""
    dice = OpenDice(resolution.dice)
    after, report = resolve_fire_phase(resolution.battle, resolution.orders, dice, card, rules)
    if dice.ran_out:
        return None
    return replace(
        resolution,
        jams=report.jams,
        fires=report.fires,
        torpedoes=report.torpedoes,
        wanted=None,
        current=None,
        after=after,
        report=report,
        used=dice.used,
    )


def _wanting(
    resolution: Resolution,
    ran_out: tuple[DiceKind, str],
    here: int,
    roller: str,
    current: FireReport | None = None,
) -> Resolution:
    """The phase waiting for dice, with the least number of rolls that are still to come."""
    kind, purpose = ran_out
    begun = len(resolution.fires) + (current is not None)
    fires = sum(fire.dice is not None for fire in resolution.planned[begun:])
    # While torpedoes are rolled for, no fire is left, and the present salvo counts as here.
    salvos = len(resolution.salvos) - len(resolution.torpedoes)
    if begun == len(resolution.planned) and current is None and salvos:
        salvos -= len(resolution.jams) == len(resolution.jam_ships)
    number, side = len(resolution.dice) + 1, resolution.battle[roller].side
    wanted = DiceWanted(kind, purpose, number, here + fires + salvos, side)
    return replace(resolution, wanted=wanted, current=current)


def _as_fallen(fire: FireReport, fallen: int) -> FireReport:
    """A fire without the hits whose dice have not all fallen."""
    if not fallen:
        return replace(fire, dice=None, row=None, hits=0, hit_reports=())
    used, whole = 1, 0
    for hit in fire.hit_reports:
        used += len(hit.dice)
        if used > fallen:
            break
        whole += 1
    return replace(fire, hit_reports=fire.hit_reports[:whole])


def label_of(shot: Shot) -> str:
    """A fire in a few words: who at whom, and with what if not the main guns."""
    guns = "" if shot.battery is Battery.MAIN else f" ({shot.battery})"
    return f"{shot.firer.name}{guns} at {shot.target.name}"
