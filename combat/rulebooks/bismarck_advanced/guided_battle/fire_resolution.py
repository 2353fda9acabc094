"""Fire resolved as the dice come in, one or many at a time (56.4, 56.8, 62).

The phase is first planned, which shows who rolls, for what and in which order. Once the jams are
rolled it waits for the rates of fire (67.41), where any may be reduced. Then every roll is
resolved by the very functions that `resolve_fire_phase` uses, each as soon as its dice are there,
and when the last has fallen the phase is concluded as there.

All fire of a segment is simultaneous (62.2), so that every jam and fire may be rolled at any time,
by several people at once; the order of 62.3 is that in which they are told. Only hits on one ship
are marked one fire after the other, as her sheet has it when they fall: while the damage of a fire
is rolled, another at the same target waits after its roll to hit. Torpedoes come last.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Final

from combat.dice import (
    BadDice,
    Dice,
    DiceByRoll,
    DiceKind,
    OutOfDice,
    ReplayedDice,
    Roll,
    roll_once,
)
from combat.dice_wanted import DiceReach, DiceWanted, short_id
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
from combat.rulebooks.bismarck_advanced.fire.gunnery import FireReport, shell_of
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
MOST_HULL_BOXES: Final = 3
"""The most hull boxes of a hit on a special table, each of the shell's size (63.7)."""
TORPEDO_LABEL: Final = "advanced.label.torpedoes"
"""The code of a message that says whom torpedoes meet, which is sealed to others (69.4)."""


class PhaseDice(DiceByRoll):
    """The dice of one fire: those that have fallen, then more of a source while it has any.

    They note where they run out. From there on they give values that stand in for what is open.
    """

    def __init__(
        self,
        fallen: Sequence[Roll],
        source: Dice | None = None,
        *,
        label: Message = NO_WORDS,
        shot: str = "",
        side: str | None = None,
        most: int | None = None,
    ) -> None:
        self._fallen, self._source = tuple(fallen), source
        self._label, self._shot, self._side, self._most = label, shot, side, most
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

    @property
    def is_held(self) -> bool:
        """Whether no more dice may fall now, though some are open."""
        return self.ran_out is not None and self._most is not None and self.count >= self._most

    def roll(self, kind: DiceKind, purpose: Message) -> Roll:
        """The next roll, or one that stands in for it."""
        if self._label:
            purpose = labelled(self._label, purpose, self._shot)
        if self.ran_out is None and (self._most is None or self.count < self._most):
            if self.used < len(self._fallen):
                self.used += 1
                return self._fallen[self.used - 1]
            if self._source is not None:
                with suppress(OutOfDice):
                    self.new.append(roll_once(self._source, kind, purpose, self._side))
                    return self.new[-1]
        self.ran_out = self.ran_out or (kind, purpose)
        return Roll(_STAND_IN[kind], purpose)


def labelled(label: Message, purpose: Message, shot: str) -> Message:
    """The purpose of a roll with the fire that it is for.

    `shot` tells the very shot from others of the same ships, and is not read by people.
    """
    return Message("advanced.roll.labelled", label=label, purpose=purpose, shot=shot)


def without_shot(purpose: Message) -> Message:
    """The same purpose without what tells the very shot."""
    params = {key: value for key, value in purpose.params if key != "shot"}
    return Message(purpose.code, **params)


@dataclass(frozen=True, slots=True)
class FallenRoll:
    """A roll of the phase, and what it was for."""

    item: str
    """The key of a jam, a fire or a salvo."""
    roll: Roll


@dataclass(frozen=True, slots=True)
class OpenItem:
    """A jam, a fire or a salvo that is not resolved to the end."""

    key: str
    name: str
    """What others know it by, who may not be told its ships."""
    label: Message
    ships: tuple[str, ...]
    """Whose it is, and whom it is meant for."""
    side: str
    begun: bool
    """Whether dice of it have fallen."""
    wanted: DiceWanted | None
    """Its next dice; None while hits of another fire at its target are rolled for, or where it
    needs none."""
    fire: FireReport | None = None
    """What has come of a fire so far."""
    needs_dice: bool = True


@dataclass(frozen=True, slots=True)
class Resolution:
    """A combat phase under way: its dice so far, and what they have decided."""

    battle: Engagement
    """As it stands when the phase begins."""
    orders: tuple[FireOrder, ...]
    rates_settled: bool = True
    """Whether it is said with how many guns each turret fires, or is not asked any more (67.41)."""
    hidden: frozenset[str] = frozenset()
    """Ships of which nobody may be told whether a roll can hit: it depends on their class."""
    fallen: tuple[FallenRoll, ...] = ()
    """Every roll so far, in the order in which they fell."""
    jam_ships: tuple[str, ...] = ()
    """Who rolls for jams, before any fire (71.2)."""
    jams: tuple[JamReport, ...] = ()
    """Those that are rolled, in the order in which they fell."""
    plan: PhasePlan | None = None
    """Who fires at whom; None once the last die has fallen."""
    fires: tuple[FireReport, ...] = ()
    """Those resolved to the end, in the order in which they were."""
    torpedoes: tuple[TorpedoReport, ...] = ()
    marked: Mapping[str, Vessel] = field(default_factory=dict)
    """Every ship with the marks of all that is resolved so far; empty once it is over."""
    open: tuple[OpenItem, ...] = ()
    """What may be rolled now, in the order in which it is told (62.3)."""
    after: Engagement | None = None
    report: PhaseReport | None = None
    """Both are there once the last die has fallen."""

    @property
    def rolls(self) -> tuple[Roll, ...]:
        """Every roll so far."""
        return tuple(each.roll for each in self.fallen)

    @property
    def wanted(self) -> DiceWanted | None:
        """The next dice in the order of 62.3."""
        return next(iter(self.all_wanted), None)

    @property
    def all_wanted(self) -> tuple[DiceWanted, ...]:
        """The next dice of everything that may be rolled now."""
        return tuple(item.wanted for item in self.open if item.wanted is not None)

    @property
    def current(self) -> FireReport | None:
        """What has come so far of the first fire that is open."""
        return self.open[0].fire if self.open else None

    @property
    def shots(self) -> tuple[Shot, ...]:
        """Every fire in the order of 62.3."""
        return self.plan.shots if self.plan is not None else ()

    @property
    def arrivals(self) -> tuple[Arrival, ...]:
        """The salvos of torpedoes that are due, in their order."""
        return self.plan.arrivals if self.plan is not None else ()

    @property
    def open_shots(self) -> tuple[Shot, ...]:
        """The fires that are not resolved to the end, in the order of 62.3."""
        done = {shot_key(fire.shot) for fire in self.fires}
        return tuple(shot for shot in self.shots if shot_key(shot) not in done)

    @property
    def open_arrivals(self) -> tuple[Arrival, ...]:
        """The salvos that are not resolved to the end."""
        done = [each.salvo for each in self.torpedoes]
        return tuple(each for each in self.arrivals if each.salvo not in done)

    @property
    def waits_for_rates(self) -> bool:
        """Whether the jams are rolled and some rate of fire may yet be reduced (67.41, 71.2)."""
        jams_open = len(self.jams) < len(self.jam_ships)
        return not self.rates_settled and not jams_open and any(map(is_reducible, self.shots))

    def rolls_of(self, item: str) -> tuple[Roll, ...]:
        """The rolls of a jam, a fire or a salvo, by its key."""
        return tuple(each.roll for each in self.fallen if each.item == item)


def is_reducible(shot: Shot) -> bool:
    """67.41: whether a turret of a fire may fire with fewer guns; one fires at the least."""
    return any(turret.guns > 1 for turret in shot.ready)


def jam_key(ship: str) -> str:
    """The key of a ship's roll for jams."""
    return f"jam/{ship}"


def shot_key(shot: Shot) -> str:
    """The key of a fire."""
    return f"fire/{shot.firer.name}/{shot.target.name}/{shot.battery}"


def salvo_key(salvo: Salvo, arrivals: Sequence[Arrival]) -> str:
    """The key of one of the salvos that arrive."""
    return f"salvo/{next(n for n, each in enumerate(arrivals) if each.salvo == salvo)}"


_ALL: Final = DiceReach()


def begin_resolution(
    battle: Engagement,
    orders: Sequence[FireOrder],
    combat_tables: CombatTables,
    rules: TableRules,
    *,
    rates_settled: bool,
    hidden: frozenset[str],
) -> Resolution:
    """A combat phase before its first die; done at once where nothing is to be rolled."""
    begun = Resolution(battle, tuple(orders), rates_settled, hidden)
    return _advanced(_planned(begun, combat_tables, rules), combat_tables)


def with_rates(
    resolution: Resolution,
    orders: Sequence[FireOrder],
    combat_tables: CombatTables,
    rules: TableRules,
) -> Resolution:
    """The phase after its jams, with the rates of fire that the orders have now (67.41)."""
    settled = begin_resolution(
        resolution.battle,
        orders,
        combat_tables,
        rules,
        rates_settled=True,
        hidden=resolution.hidden,
    )
    return with_fallen(settled, resolution.fallen, combat_tables, rules)


def with_dice(
    resolution: Resolution,
    dice: Dice,
    combat_tables: CombatTables,
    rules: TableRules,
    reach: DiceReach = _ALL,
) -> Resolution:
    """The phase with as many more rolls as the dice have, or as they may be used for."""
    if reach.roll is not None:
        begins = next((each for each in resolution.open if _is_roll(each, reach.roll)), None)
        if begins is None:
            raise BadDice("dice.roll_gone")
        first = begins.key
    else:
        usable = (each for each in resolution.open if reach.includes(each.side))
        first = next((each.key for each in usable if each.wanted is not None), "")
        if not first:
            raise BadDice("dice.none_of_yours")
    if len(resolution.jams) < len(resolution.jam_ships):
        resolution = _with_jams(resolution, dice, combat_tables, rules, reach, first)
        if reach.only:
            return _advanced(resolution, combat_tables)
    return _advanced(resolution, combat_tables, dice, reach, first)


def with_fallen(
    resolution: Resolution,
    fallen: Sequence[FallenRoll],
    combat_tables: CombatTables,
    rules: TableRules,
) -> Resolution:
    """The phase with rolls that were made already; BadDice where they do not fit it."""
    for each in fallen:
        item = next((open_ for open_ in resolution.open if open_.key == each.item), None)
        if item is None or item.wanted is None:
            raise BadDice("dice.fell_for_nothing", extra=each.roll.value)
        reach = DiceReach(item.wanted.roll, only=True)
        dice = ReplayedDice([each.roll])
        resolution = with_dice(resolution, dice, combat_tables, rules, reach)
        dice.finish()
    return resolution


def rolled_next(
    resolution: Resolution, chosen: FireOrder, combat_tables: CombatTables, rules: TableRules
) -> Resolution:
    """The phase with one fire drawn forward: each side rolls in the order it likes (62.3).

    The Allies still come before the Germans, and a fire whose dice have begun to fall is ended.
    """
    open_keys = [shot_key(shot) for shot in resolution.open_shots]
    begun = {each.item for each in resolution.fallen}
    keys = {
        (shot.firer.name, shot.target.name, shot.battery)
        for shot in resolution.shots
        if shot_key(shot) not in open_keys or shot_key(shot) in begun
    }
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
        hidden=resolution.hidden,
    )
    return with_fallen(ordered, resolution.fallen, combat_tables, rules)


def _is_roll(item: OpenItem, roll: str) -> bool:
    return item.wanted is not None and item.wanted.roll == roll


class _JamDice(DiceByRoll):
    """The dice of jams by ship; those that are open jam no gun."""

    def __init__(self, fallen: Mapping[str, Roll]) -> None:
        self._fallen = {jam_purpose(ship): roll for ship, roll in fallen.items()}

    def roll(self, kind: DiceKind, purpose: Message) -> Roll:
        """The roll of the ship that the purpose names."""
        return self._fallen.get(purpose) or Roll(_STAND_IN[kind], purpose)


def _planned(resolution: Resolution, combat_tables: CombatTables, rules: TableRules) -> Resolution:
    """Who rolls for what: the phase played with the jams that are rolled, and no other dice."""
    fallen = {
        ship: rolls[0]
        for ship in resolution.jam_ships
        if (rolls := resolution.rolls_of(jam_key(ship)))
    }
    plan = plan_fire_phase(
        resolution.battle,
        resolution.orders,
        _JamDice(fallen),
        combat_tables,
        rules,
        spare_dice=combat_tables.edition.futile_roll_takes_no_dice,
    )
    by_ship = {jam.ship: jam for jam in plan.jams}
    told = [each.item for each in resolution.fallen]
    rolled = sorted(fallen, key=lambda ship: told.index(jam_key(ship)))
    return replace(
        resolution,
        plan=plan,
        marked=plan.marks,
        jam_ships=tuple(by_ship),
        jams=tuple(by_ship[ship] for ship in rolled),
    )


def _with_jams(
    resolution: Resolution,
    source: Dice,
    combat_tables: CombatTables,
    rules: TableRules,
    reach: DiceReach,
    first: str,
) -> Resolution:
    """The phase with more rolls for jams, as far as the dice go."""
    rolled = list(resolution.fallen)
    for item in _first_to_front(resolution.open, first, reach):
        if item.wanted is None:
            continue
        try:
            roll = roll_once(source, item.wanted.kind, item.wanted.purpose, item.side)
        except OutOfDice:
            break
        rolled.append(FallenRoll(item.key, roll))
    return _planned(replace(resolution, fallen=tuple(rolled)), combat_tables, rules)


def _first_to_front(items: Sequence[OpenItem], first: str, reach: DiceReach) -> Iterator[OpenItem]:
    """The items that dice may be used for, in the order in which they are."""
    yield from (item for item in items if item.key == first)
    if not reach.only:
        yield from (item for item in items if item.key != first and reach.includes(item.side))


def _advanced(
    resolution: Resolution,
    combat_tables: CombatTables,
    source: Dice | None = None,
    reach: DiceReach = _ALL,
    first: str = "",
) -> Resolution:
    """Resolve as much as the dice allow."""
    if resolution.plan is None:
        return resolution
    if len(resolution.jams) < len(resolution.jam_ships):
        return replace(resolution, open=tuple(_open_jams(resolution)))
    if resolution.waits_for_rates:
        return replace(resolution, open=())
    work = _Work(replace(resolution, rates_settled=True), resolution.plan, combat_tables)
    work.finish_without_dice()
    if source is not None:
        work.roll(source, reach, first)
    return work.result()


def _open_jams(resolution: Resolution) -> Iterator[OpenItem]:
    rolled = {jam.ship for jam in resolution.jams}
    number = len(resolution.fallen) + 1
    for ship in resolution.jam_ships:
        if ship in rolled:
            continue
        side, key = resolution.battle[ship].side, jam_key(ship)
        guns = [
            (order.target, order.battery, order.turrets)
            for order in resolution.orders
            if order.firer == ship
        ]
        purpose = Message("advanced.roll.jams", ship=ShipRef(ship), shot=short_id(*guns))
        roll = _roll_id(resolution.battle, key, purpose, ())
        wanted = DiceWanted(DiceKind.PAIR, purpose, side, number, 1, roll)
        name = short_id(resolution.battle.phase, key)
        yield OpenItem(key, name, purpose, (ship,), side, False, wanted)


@dataclass(frozen=True, slots=True)
class _Attempt:
    """A fire or a salvo played with the dice that it has."""

    dice: PhaseDice
    report: FireReport | TorpedoReport
    now: dict[str, Vessel]


class _Work:
    """The fires and salvos of a phase while dice are used on them."""

    def __init__(
        self, resolution: Resolution, plan: PhasePlan, combat_tables: CombatTables
    ) -> None:
        self._resolution, self._plan, self._combat_tables = resolution, plan, combat_tables

    def finish_without_dice(self) -> None:
        """Resolve what has had all its dice, and what needs none when its side comes to it."""
        finished = True
        while finished:
            before, sides = len(self._items()), set[str]()
            for item in self._items():
                begun = self._resolution.rolls_of(key_of(item, self._plan))
                if begun or self._side(item) not in sides:
                    self._roll_for(item, None)
                sides.add(self._side(item))
            finished = len(self._items()) < before

    def roll(self, source: Dice, reach: DiceReach, first: str) -> None:
        """Use the dice of a source, beginning with the item of a key, as far as they reach."""
        rolled = True
        while rolled:
            before = len(self._resolution.fallen)
            items = {key_of(item, self._plan): item for item in self._items()}
            for key in [first, *(key for key in items if key != first)]:
                if key not in items or (reach.only and key != first):
                    continue
                if key == first or reach.includes(self._side(items[key])):
                    self._roll_for(items[key], source)
            rolled = len(self._resolution.fallen) > before

    def result(self) -> Resolution:
        """The phase as it stands now, concluded where nothing is open."""
        self.finish_without_dice()
        resolution = self._resolution
        items = self._items()
        if items:
            return replace(resolution, open=tuple(map(self._open, items)))
        fires = resolution.fires
        order = [shot_key(shot) for shot in self._plan.shots]
        told = sorted(fires, key=lambda fire: order.index(shot_key(fire.shot)))
        ended = Fallen(
            self._plan.battle,
            resolution.marked,
            self._plan.jams,
            tuple(told),
            resolution.torpedoes,
        )
        after, report = conclude_fire_phase(ended)
        return replace(resolution, plan=None, marked={}, open=(), after=after, report=report)

    def _items(self) -> tuple[Shot | Arrival, ...]:
        """What is open: torpedoes only when no fire is (69.4)."""
        return self._resolution.open_shots or self._resolution.open_arrivals

    def _roll_for(self, item: Shot | Arrival, source: Dice | None) -> None:
        """Use dice on an item; it is done when it wants no more."""
        attempt = self._attempt(item, source)
        key = key_of(item, self._plan)
        new = tuple(FallenRoll(key, roll) for roll in attempt.dice.new)
        resolution = replace(self._resolution, fallen=(*self._resolution.fallen, *new))
        if attempt.dice.ran_out is None:
            if isinstance(attempt.report, FireReport):
                fires = (*resolution.fires, attempt.report)
                resolution = replace(resolution, fires=fires, marked=attempt.now)
            else:
                torpedoes = (*resolution.torpedoes, attempt.report)
                resolution = replace(resolution, torpedoes=torpedoes, marked=attempt.now)
        self._resolution = resolution

    def _attempt(self, item: Shot | Arrival, source: Dice | None = None) -> _Attempt:
        now = dict(self._resolution.marked)
        combat_tables, battle = self._combat_tables, self._plan.battle
        key = key_of(item, self._plan)
        dice = PhaseDice(
            self._resolution.rolls_of(key),
            source,
            label=_label(item),
            shot=self._shot_id(item),
            side=self._side(item),
            most=1 if self._waits(item) else None,
        )
        report: FireReport | TorpedoReport
        known = _target(item) not in self._resolution.hidden
        if isinstance(item, Shot):
            spare_dice = known and combat_tables.edition.hopeless_fire_takes_no_dice
            report = resolve_shot(item, battle, now, dice, combat_tables, spare_dice=spare_dice)
        else:
            spare_dice = known and combat_tables.edition.futile_roll_takes_no_dice
            report = resolve_arrival(item, battle, now, dice, combat_tables, spare_dice=spare_dice)
        return _Attempt(dice, report, now)

    def _waits(self, item: Shot | Arrival) -> bool:
        """Whether hits of another open fire at the same target are to be rolled for first."""
        key = key_of(item, self._plan)
        begun = list(dict.fromkeys(each.item for each in self._resolution.fallen))
        rivals = {
            key_of(each, self._plan) for each in self._items() if _target(each) == _target(item)
        }
        rolled = [each for each in begun if each in rivals]
        return bool(rolled) and rolled[0] != key

    def _open(self, item: Shot | Arrival) -> OpenItem:
        attempt = self._attempt(item)
        key, side, dice = key_of(item, self._plan), self._side(item), attempt.dice
        fire = attempt.report if isinstance(attempt.report, FireReport) else None
        if fire is not None:
            fire = _as_fallen(fire, dice.count)
        name = short_id(self._plan.battle.phase, key)
        ships = (item.firer.name if isinstance(item, Shot) else item.salvo.launcher, _target(item))
        found = OpenItem(key, name, _label(item), ships, side, bool(dice.count), None, fire)
        if dice.ran_out is None:
            return replace(found, needs_dice=False)
        if dice.is_held:
            return found
        kind, purpose = dice.ran_out
        left = self._least_hits_left(fire) if fire is not None else 1
        # Whom torpedoes meet is sealed to others (69.4), who see by what their roll is known.
        known = purpose["purpose"] if isinstance(item, Arrival) else purpose
        roll = _roll_id(self._plan.battle, key, known, self._resolution.rolls_of(key))
        number = len(self._resolution.fallen) + 1
        return replace(found, wanted=DiceWanted(kind, purpose, side, number, left, roll))

    def _least_hits_left(self, fire: FireReport) -> int:
        """How many hits of a fire are rolled for yet at the least: none once the target is sunk."""
        left = max(1, fire.hits - len(fire.hit_reports))
        if not self._combat_tables.edition.futile_roll_takes_no_dice:
            return left
        target = self._resolution.marked[fire.shot.target.name]
        shell = self._combat_tables.shell_quarters(shell_of(fire.shot).gun)
        quarters = target.hull_quarters - target.hull_lost
        return min(left, max(1, -(-quarters // (shell * MOST_HULL_BOXES)) - len(fire.hit_reports)))

    def _side(self, item: Shot | Arrival) -> str:
        name = item.firer.name if isinstance(item, Shot) else item.salvo.launcher
        return self._plan.battle[name].side

    def _shot_id(self, item: Shot | Arrival) -> str:
        """What tells this very shot from others of the same ships in the same segment.

        It is the ship's own order and how the two ships move, not what others do.
        """
        if isinstance(item, Arrival):
            return short_id(item.salvo.torpedoes, item.salvo.hexes, item.salvo.due)
        line, conditions = item.sightline, item.conditions
        guns = [(turret.name, item.rate_of(turret)) for turret in item.ready]
        moved = (
            item.firer_speed,
            item.target_speed,
            conditions.firer_evolution,
            conditions.target_evolution,
        )
        seen = (line.band, line.quadrant, line.aspect, line.blocked, line.smoke)
        return short_id(guns, item.guns_firing, conditions.several_targets, moved, seen)


def key_of(item: Shot | Arrival, plan: PhasePlan) -> str:
    """The key of a fire or a salvo."""
    return shot_key(item) if isinstance(item, Shot) else salvo_key(item.salvo, plan.arrivals)


def _label(item: Shot | Arrival) -> Message:
    if isinstance(item, Shot):
        return label_of(item)
    return salvo_label(item.salvo, item.receiver)


def _target(item: Shot | Arrival) -> str:
    return item.target.name if isinstance(item, Shot) else item.receiver


def _roll_id(battle: Engagement, key: str, purpose: object, before: Sequence[Roll]) -> str:
    """What a roll is known by: its fire, what it is for, and the dice before it."""
    return short_id(battle.phase, key, purpose, *(roll.faces for roll in before))


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
