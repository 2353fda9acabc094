"""Fire resolved as the dice come in, one or many at a time (56.4, 56.8, 62).

The phase is first played through with dice that never fall, which shows who rolls, for what and
in which order. Then every roll is resolved by the very functions that the phase itself uses, each
as soon as its dice are there. When the last has fallen, `resolve_fire_phase` plays the whole phase
with them, and what it says counts.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Final

from combat.dice import Dice, DiceByRoll, DiceKind, FallenDice, RanOut, Roll, roll_once
from combat.rulebook import DiceWanted
from combat.rulebooks.bismarck_advanced.combat_tables import Card
from combat.rulebooks.bismarck_advanced.engagement.combat_phase import (
    FireOrder,
    PhaseReport,
    resolve_fire_phase,
    roll_fire_phase,
)
from combat.rulebooks.bismarck_advanced.engagement.engagement import Engagement
from combat.rulebooks.bismarck_advanced.fire.gunnery import FireReport, resolve_fire
from combat.rulebooks.bismarck_advanced.fire.jams import JamReport, jam_purpose
from combat.rulebooks.bismarck_advanced.fire.shot import Shot
from combat.rulebooks.bismarck_advanced.fire.torpedoes import TorpedoReport, resolve_salvo
from combat.rulebooks.bismarck_advanced.fleet.vessel import Vessel
from combat.rulebooks.bismarck_advanced.guns import Battery
from tabletop.errors import DreyerError
from tabletop.messages import NO_WORDS, Message, ShipRef
from tabletop.rules import TableRules

_STAND_IN: Final = {DiceKind.PAIR: (6, 6), DiceKind.DIE: (1,), DiceKind.TEN_SIDED: (9,)}
"""Stands in for dice that have not fallen: it jams no gun, and hits as little as can be."""


class PhaseDice(DiceByRoll):
    """The dice of a phase: those that have fallen, then more of a source while it has any.

    They note where they run out. From there on they give values that stand in for what is open.
    """

    def __init__(
        self,
        fallen: Sequence[Roll],
        source: Dice | None = None,
        *,
        label: Message = NO_WORDS,
        side: str | None = None,
    ) -> None:
        self._fallen, self._source = tuple(fallen), source
        self._label, self._side = label, side
        self.used = 0
        """How many of those that had fallen were read."""
        self.new: list[Roll] = []
        """What the source has given."""
        self.ran_out: tuple[DiceKind, Message] | None = None
        """What the first dice are for that are still open."""

    @property
    def count(self) -> int:
        """How many rolls were read: fallen before, and new."""
        return self.used + len(self.new)

    def roll(self, kind: DiceKind, purpose: Message) -> Roll:
        """The next roll, or one that stands in for it."""
        if self._label:
            purpose = Message("advanced.roll.labelled", label=self._label, purpose=purpose)
        if self.ran_out is None and self.used < len(self._fallen):
            self.used += 1
            return self._fallen[self.used - 1]
        if self.ran_out is None and self._source is not None:
            with suppress(RanOut):
                self.new.append(roll_once(self._source, kind, purpose, self._side))
                return self.new[-1]
        self.ran_out = self.ran_out or (kind, purpose)
        return Roll(_STAND_IN[kind], purpose)


@dataclass(frozen=True, slots=True)
class Resolution:
    """A combat phase under way: its dice so far, and what they have decided."""

    battle: Engagement
    """As it stands when the phase begins."""
    orders: tuple[FireOrder, ...]
    rolls: tuple[Roll, ...] = ()
    """Every roll so far."""
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
    """Rolls that belong to what is resolved to the end."""
    wanted: DiceWanted | None = None
    after: Engagement | None = None
    report: PhaseReport | None = None
    """Both are there once the last die has fallen."""


def begin_resolution(
    battle: Engagement, orders: Sequence[FireOrder], card: Card, rules: TableRules
) -> Resolution:
    """A combat phase before its first die; done at once where nothing is to be rolled."""
    return _advanced(_planned(Resolution(battle, tuple(orders)), card, rules), card, rules)


def with_dice(resolution: Resolution, dice: Dice, card: Card, rules: TableRules) -> Resolution:
    """The phase with as many more rolls as the dice have, or as it needs."""
    if len(resolution.jams) < len(resolution.jam_ships):
        resolution = _planned(resolution, card, rules, dice)
    return _advanced(resolution, card, rules, dice)


def with_fallen(
    resolution: Resolution, rolls: Sequence[Roll], card: Card, rules: TableRules
) -> Resolution:
    """The phase with rolls that were made already; BadDice where they do not fit it."""
    dice = FallenDice(rolls)
    resolution = with_dice(resolution, dice, card, rules)
    dice.finish()
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
        raise DreyerError(
            "advanced.order.rolled_already",
            firer=ShipRef(chosen.firer),
            target=ShipRef(chosen.target),
        )
    others = [each for each in resolution.orders if each != chosen and each not in done]
    ordered = begin_resolution(resolution.battle, (*done, chosen, *others), card, rules)
    return with_fallen(ordered, resolution.rolls, card, rules)


def _key(order: FireOrder) -> tuple[str, str, Battery]:
    return order.firer, order.target, order.battery


def _planned(
    resolution: Resolution, card: Card, rules: TableRules, source: Dice | None = None
) -> Resolution:
    """Who rolls for what: the phase played with the jams that are rolled, and no other dice."""
    rolls = list(resolution.rolls[: len(resolution.jam_ships)])
    for ship in resolution.jam_ships[len(rolls) :]:
        dice = PhaseDice((), source, side=resolution.battle[ship].side)
        dice.pair(jam_purpose(ship))
        rolls += dice.new
        if dice.ran_out:
            break
    report = roll_fire_phase(resolution.battle, resolution.orders, PhaseDice(rolls), card, rules)
    sheets = {ship.name: ship.vessel for ship in resolution.battle.combatants}
    sheets |= {jam.ship: jam.vessel_after for jam in report.jams}
    return replace(
        resolution,
        rolls=tuple(rolls),
        sheets=sheets,
        # A turret that is out sits this phase out, as the phase itself has it.
        marked={name: sheet.turrets_rested() for name, sheet in sheets.items()},
        jam_ships=tuple(jam.ship for jam in report.jams),
        jams=report.jams[: len(rolls)],
        planned=report.fires,
        salvos=report.torpedoes,
        used=len(rolls),
    )


def _advanced(
    resolution: Resolution, card: Card, rules: TableRules, source: Dice | None = None
) -> Resolution:
    """Resolve as much as the dice allow."""
    if len(resolution.jams) < len(resolution.jam_ships):
        ship = resolution.jam_ships[len(resolution.jams)]
        open_jams = len(resolution.jam_ships) - len(resolution.jams)
        return _wanting(resolution, (DiceKind.PAIR, jam_purpose(ship)), open_jams, ship)
    now = dict(resolution.marked)
    while len(resolution.fires) < len(resolution.planned):
        shot = resolution.planned[len(resolution.fires)].shot
        target, firer = shot.target.name, shot.firer.name
        side = resolution.battle[firer].side
        fallen = resolution.rolls[resolution.used :]
        dice = PhaseDice(fallen, source, label=label_of(shot), side=side)
        options = resolution.battle.options
        fire = resolve_fire(shot, dice, card, options=options, target_now=now[target])
        resolution = replace(resolution, rolls=(*resolution.rolls, *dice.new))
        if dice.ran_out:
            fallen_fire = _as_fallen(fire, dice.count)
            open_hits = max(1, fallen_fire.hits - len(fallen_fire.hit_reports))
            return _wanting(resolution, dice.ran_out, open_hits, firer, fallen_fire)
        now[target] = fire.target_after
        spent = fire.expenditure
        now[firer] = now[firer].spending(shot.battery, spent.spent, spent.by_turret)
        fires, used = (*resolution.fires, fire), resolution.used + dice.count
        resolution = replace(resolution, fires=fires, marked=dict(now), used=used, current=None)
    while len(resolution.torpedoes) < len(resolution.salvos):
        due = resolution.salvos[len(resolution.torpedoes)]
        launcher = due.salvo.launcher
        receiver = resolution.battle[due.reception.receiver or due.salvo.target]
        label, side = salvo_label(due), resolution.battle[launcher].side
        dice = PhaseDice(resolution.rolls[resolution.used :], source, label=label, side=side)
        report = resolve_salvo(
            due.salvo,
            due.reception,
            resolution.sheets[receiver.name],
            receiver.evolution,
            dice,
            card.tables,
            receiver_now=now[receiver.name],
        )
        resolution = replace(resolution, rolls=(*resolution.rolls, *dice.new))
        if dice.ran_out:
            return _wanting(resolution, dice.ran_out, 1, launcher)
        now[receiver.name] = report.receiver_after
        torpedoes, used = (*resolution.torpedoes, report), resolution.used + dice.count
        resolution = replace(resolution, torpedoes=torpedoes, marked=dict(now), used=used)
    return _finished(resolution, card, rules)


def _finished(resolution: Resolution, card: Card, rules: TableRules) -> Resolution:
    """The phase played as a whole with all its dice: what it says counts."""
    dice = PhaseDice(resolution.rolls)
    after, report = resolve_fire_phase(resolution.battle, resolution.orders, dice, card, rules)
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
    ran_out: tuple[DiceKind, Message],
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
    number, side = len(resolution.rolls) + 1, resolution.battle[roller].side
    wanted = DiceWanted(kind, purpose, side, number, here + fires + salvos)
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


def label_of(shot: Shot) -> Message:
    """A fire in a few words: who at whom, and with what if not the main guns."""
    firer, target = ShipRef(shot.firer.name), ShipRef(shot.target.name)
    if shot.battery is Battery.MAIN:
        return Message("advanced.label.fire", firer=firer, target=target)
    battery = Message(f"advanced.battery.{shot.battery}")
    return Message("advanced.label.fire_with", firer=firer, target=target, battery=battery)


def salvo_label(due: TorpedoReport) -> Message:
    """A salvo of torpedoes in a few words: whose, and whom it meets."""
    receiver = due.reception.receiver or due.salvo.target
    return Message(
        "advanced.label.torpedoes", ship=ShipRef(due.salvo.launcher), target=ShipRef(receiver)
    )
