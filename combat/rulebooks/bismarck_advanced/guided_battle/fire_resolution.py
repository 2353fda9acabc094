"""Fire resolved as the dice come in, one or many at a time (56.4, 56.8, 62).

The phase is first planned, which shows who rolls, for what and in which order. Once the jams are
rolled it waits for the rates of fire (67.41), where any may be reduced. Then every roll is
resolved by the very functions that `resolve_fire_phase` uses, each as soon as its dice are there,
and when the last has fallen the phase is concluded as there.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Final

from combat.dice import Dice, DiceByRoll, DiceKind, OutOfDice, ReplayedDice, Roll, roll_once
from combat.rulebook import DiceWanted
from combat.rulebooks.bismarck_advanced.combat_tables import CombatTables
from combat.rulebooks.bismarck_advanced.engagement.combat_phase import (
    Arrival,
    Fallen,
    FireOrder,
    PhasePlan,
    PhaseReport,
    conclude_fire_phase,
    plan_fire_phase,
    resolve_arrival,
    resolve_shot,
)
from combat.rulebooks.bismarck_advanced.engagement.engagement import Engagement
from combat.rulebooks.bismarck_advanced.fire.factor import gunnery_factor
from combat.rulebooks.bismarck_advanced.fire.gunnery import FireReport
from combat.rulebooks.bismarck_advanced.fire.jams import JamReport, jam_purpose
from combat.rulebooks.bismarck_advanced.fire.shot import Shot
from combat.rulebooks.bismarck_advanced.fire.torpedoes import Salvo, TorpedoReport
from combat.rulebooks.bismarck_advanced.fleet.vessel import Vessel
from combat.rulebooks.bismarck_advanced.guns import Battery
from tabletop.errors import DreyerError
from tabletop.messages import NO_WORDS, Message, ShipRef
from tabletop.rules import TableRules

_STAND_IN: Final = {DiceKind.PAIR: (6, 6), DiceKind.DIE: (1,), DiceKind.TEN_SIDED: (9,)}
"""Stands in for dice that have not fallen: it jams no gun, and hits as little as can be."""
TORPEDO_LABEL: Final = "advanced.label.torpedoes"
"""The code of a message that says whom torpedoes meet, which is sealed to others (69.4)."""


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
            with suppress(OutOfDice):
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
    rates_settled: bool = True
    """Whether it is said with how many guns each turret fires, or is not asked any more (67.41)."""
    rolls: tuple[Roll, ...] = ()
    """Every roll so far."""
    jam_ships: tuple[str, ...] = ()
    """Who rolls for jams, before any fire (71.2)."""
    jams: tuple[JamReport, ...] = ()
    plan: PhasePlan | None = None
    """Who fires at whom; None once the last die has fallen."""
    fires: tuple[FireReport, ...] = ()
    """Those resolved to the end."""
    torpedoes: tuple[TorpedoReport, ...] = ()
    current: FireReport | None = None
    """The fire whose dice are wanted, with the hits that are resolved so far."""
    marked: Mapping[str, Vessel] = field(default_factory=dict)
    """Every ship with the marks of all that is resolved so far; empty once it is over."""
    used: int = 0
    """Rolls that belong to what is resolved to the end."""
    wanted: DiceWanted | None = None
    after: Engagement | None = None
    report: PhaseReport | None = None
    """Both are there once the last die has fallen."""

    @property
    def shots(self) -> tuple[Shot, ...]:
        """Every fire in the order of resolution (62.3)."""
        return self.plan.shots if self.plan is not None else ()

    @property
    def arrivals(self) -> tuple[Arrival, ...]:
        """The salvos of torpedoes that are due, in their order."""
        return self.plan.arrivals if self.plan is not None else ()

    @property
    def waits_for_rates(self) -> bool:
        """Whether the jams are rolled and some rate of fire may yet be reduced (67.41, 71.2)."""
        jams_open = len(self.jams) < len(self.jam_ships)
        return not self.rates_settled and not jams_open and any(map(is_reducible, self.shots))


def is_reducible(shot: Shot) -> bool:
    """67.41: whether a turret of a fire may fire with fewer guns; one fires at the least."""
    return any(turret.guns > 1 for turret in shot.ready)


def begin_resolution(
    battle: Engagement,
    orders: Sequence[FireOrder],
    combat_tables: CombatTables,
    rules: TableRules,
    *,
    rates_settled: bool,
) -> Resolution:
    """A combat phase before its first die; done at once where nothing is to be rolled."""
    begun = Resolution(battle, tuple(orders), rates_settled)
    return _advanced(_planned(begun, combat_tables, rules), combat_tables)


def with_rates(
    resolution: Resolution,
    orders: Sequence[FireOrder],
    combat_tables: CombatTables,
    rules: TableRules,
) -> Resolution:
    """The phase after its jams, with the rates of fire that the orders have now (67.41)."""
    settled = begin_resolution(resolution.battle, orders, combat_tables, rules, rates_settled=True)
    return with_fallen(settled, resolution.rolls, combat_tables, rules)


def with_dice(
    resolution: Resolution, dice: Dice, combat_tables: CombatTables, rules: TableRules
) -> Resolution:
    """The phase with as many more rolls as the dice have, or as it needs."""
    if len(resolution.jams) < len(resolution.jam_ships):
        resolution = _planned(resolution, combat_tables, rules, dice)
    return _advanced(resolution, combat_tables, dice)


def with_fallen(
    resolution: Resolution, rolls: Sequence[Roll], combat_tables: CombatTables, rules: TableRules
) -> Resolution:
    """The phase with rolls that were made already; BadDice where they do not fit it."""
    dice = ReplayedDice(rolls)
    resolution = with_dice(resolution, dice, combat_tables, rules)
    dice.finish()
    return resolution


def rolled_next(
    resolution: Resolution, chosen: FireOrder, combat_tables: CombatTables, rules: TableRules
) -> Resolution:
    """The phase with one fire drawn forward: each side rolls in the order it likes (62.3).

    The Allies still come before the Germans, and a fire whose dice have begun to fall is ended.
    """
    begun = [fire.shot for fire in resolution.fires]
    if resolution.current is not None and resolution.current.dice is not None:
        begun.append(resolution.current.shot)
    keys = {(shot.firer.name, shot.target.name, shot.battery) for shot in begun}
    done = [each for each in resolution.orders if each.key in keys]
    if chosen in done:
        raise DreyerError(
            "advanced.order.rolled_already",
            firer=ShipRef(chosen.firer),
            target=ShipRef(chosen.target),
        )
    others = [each for each in resolution.orders if each != chosen and each not in done]
    ordered = begin_resolution(
        resolution.battle,
        (*done, chosen, *others),
        combat_tables,
        rules,
        rates_settled=resolution.rates_settled,
    )
    return with_fallen(ordered, resolution.rolls, combat_tables, rules)


def _planned(
    resolution: Resolution,
    combat_tables: CombatTables,
    rules: TableRules,
    source: Dice | None = None,
) -> Resolution:
    """Who rolls for what: the phase played with the jams that are rolled, and no other dice."""
    rolls = list(resolution.rolls[: len(resolution.jam_ships)])
    for ship in resolution.jam_ships[len(rolls) :]:
        dice = PhaseDice((), source, side=resolution.battle[ship].side)
        dice.pair(jam_purpose(ship))
        rolls += dice.new
        if dice.ran_out:
            break
    plan = plan_fire_phase(
        resolution.battle, resolution.orders, PhaseDice(rolls), combat_tables, rules
    )
    return replace(
        resolution,
        rolls=tuple(rolls),
        plan=plan,
        marked=plan.marks,
        jam_ships=tuple(jam.ship for jam in plan.jams),
        jams=plan.jams[: len(rolls)],
        used=len(rolls),
    )


def _advanced(
    resolution: Resolution, combat_tables: CombatTables, source: Dice | None = None
) -> Resolution:
    """Resolve as much as the dice allow."""
    plan = resolution.plan
    if plan is None:
        return resolution
    if len(resolution.jams) < len(resolution.jam_ships):
        ship = resolution.jam_ships[len(resolution.jams)]
        open_jams = len(resolution.jam_ships) - len(resolution.jams)
        return _wanting(resolution, (DiceKind.PAIR, jam_purpose(ship)), open_jams, ship)
    if resolution.waits_for_rates:
        return replace(resolution, wanted=None)
    resolution = replace(resolution, rates_settled=True)
    now, rolls, used = dict(resolution.marked), list(resolution.rolls), resolution.used
    fires, torpedoes = list(resolution.fires), list(resolution.torpedoes)

    def so_far(marked: Mapping[str, Vessel]) -> Resolution:
        return replace(
            resolution,
            rolls=tuple(rolls),
            fires=tuple(fires),
            torpedoes=tuple(torpedoes),
            marked=marked,
            used=used,
            current=None,
        )

    for shot in plan.shots[len(fires) :]:
        firer, before = shot.firer.name, dict(now)
        side = resolution.battle[firer].side
        dice = PhaseDice(rolls[used:], source, label=label_of(shot), side=side)
        fire = resolve_shot(shot, plan.battle, now, dice, combat_tables)
        rolls += dice.new
        if dice.ran_out:
            fallen = _as_fallen(fire, dice.count)
            open_hits = max(1, fallen.hits - len(fallen.hit_reports))
            return _wanting(so_far(before), dice.ran_out, open_hits, firer, fallen)
        fires.append(fire)
        used += dice.count
    for arrival in plan.arrivals[len(torpedoes) :]:
        launcher, before = arrival.salvo.launcher, dict(now)
        side = resolution.battle[launcher].side
        label = salvo_label(arrival.salvo, arrival.receiver)
        dice = PhaseDice(rolls[used:], source, label=label, side=side)
        salvo = resolve_arrival(arrival, plan.battle, now, dice, combat_tables)
        rolls += dice.new
        if dice.ran_out:
            return _wanting(so_far(before), dice.ran_out, 1, launcher)
        torpedoes.append(salvo)
        used += dice.count
    ended = Fallen(plan.battle, now, plan.jams, tuple(fires), tuple(torpedoes))
    after, report = conclude_fire_phase(ended)
    return replace(so_far({}), plan=None, wanted=None, after=after, report=report)


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
    fires = sum(gunnery_factor(shot) > 0 for shot in resolution.shots[begun:])
    # While torpedoes are rolled for, no fire is left, and the present salvo counts as here.
    salvos = len(resolution.arrivals) - len(resolution.torpedoes)
    if begun == len(resolution.shots) and current is None and salvos:
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


def salvo_label(salvo: Salvo, receiver: str) -> Message:
    """A salvo of torpedoes in a few words: whose, and whom it meets."""
    return Message(TORPEDO_LABEL, ship=ShipRef(salvo.launcher), target=ShipRef(receiver))
