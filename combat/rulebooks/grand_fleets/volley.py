"""An attack from the first die to the last damage check; damage takes effect at once."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Final, cast

from combat.dice import FACES, Dice, Pair
from combat.event_reports import acted_with
from combat.events import Event, Rolled, Sunk
from combat.free_play import Result
from combat.rulebooks.grand_fleets.attack import AnyAttack, GunAttack, TorpedoLaunch
from combat.rulebooks.grand_fleets.damage import (
    CHECKS,
    ENGINES,
    CheckedPart,
    battery_names,
    check_series,
    checked,
    series_due,
    with_hull_damage,
)
from combat.rulebooks.grand_fleets.events import (
    ChecksDue,
    DamageChecked,
    Fired,
    HealthChanged,
    HullHit,
    HullMarked,
    PartsMarked,
    Scored,
    TorpedoesFired,
)
from combat.rulebooks.grand_fleets.gunnery import MAKING, gun_strength, guns_of, hits_on
from combat.rulebooks.grand_fleets.table_files import TORPEDO_ROWS, row_of
from combat.rulebooks.grand_fleets.torpedoes import (
    RULE,
    boxes_of,
    damage_dice,
    is_hit,
    launched_from,
    torpedo_strength,
    torpedoes_of,
)
from combat.rulebooks.grand_fleets.vessel import Health, Marks, Vessel, firing_arc
from combat.strength import Strength
from combat.tables import TableSet
from tabletop.messages import NO_WORDS, Message, verbatim

DIE: Final = range(1, FACES + 1)


def torpedoes_title(weapon: str) -> Message:
    """The title of a card's torpedoes."""
    return Message("grand_fleets.action.torpedoes_of", weapon=weapon)


@dataclass(frozen=True, slots=True)
class Hit:
    """A hit: its dice, and its hull boxes."""

    dice: str
    boxes: int


@dataclass(frozen=True, slots=True)
class Salvo:
    """The dice of an attack itself, before any damage check."""

    hits_when: Message
    thrown: tuple[str, ...]
    """In order, as a player types them."""
    hits: tuple[Hit, ...]

    @property
    def boxes(self) -> int:
        """The hull boxes of the hits, even if fewer are left."""
        return sum(hit.boxes for hit in self.hits)


@dataclass(frozen=True, slots=True)
class Damage:
    """The effect of an attack on its target."""

    boxes: int
    series: tuple[tuple[CheckedPart, ...], ...] = ()
    due: int = 0
    """Series of checks that are still to be rolled."""

    def on(self, ship: Vessel) -> Vessel:
        """A ship after this damage."""
        after = with_hull_damage(ship, self.boxes)
        for checks in self.series:
            after = checked(after, checks)
        if self.due:
            after = after.marked(checks_due=(ship.marks.checks_due or 0) + self.due)
        return after


def strength_of(attack: AnyAttack, tables: TableSet) -> Strength:
    """The strength of an attack. Raises Forbidden, with the rule."""
    if isinstance(attack, TorpedoLaunch):
        return torpedo_strength(attack, tables)
    return gun_strength(attack, tables)


def weapon_of(attack: AnyAttack) -> str:
    """The card's name for the weapon. Raises if it has no such battery."""
    if isinstance(attack, TorpedoLaunch):
        return torpedoes_of(attack).name
    return guns_of(attack).name


def play_attack(attack: AnyAttack, dice: Dice, tables: TableSet) -> Result[Marks]:
    """Roll an attack, check off the hull boxes, and make the damage checks that follow."""
    strength = strength_of(attack, tables)
    if isinstance(attack, TorpedoLaunch):
        salvo = _torpedoes(attack, strength, dice, tables)
    else:
        salvo = _gunfire(attack, strength, dice, tables)
    before = attack.target
    target = with_hull_damage(before, salvo.boxes)
    due = series_due(before, target)
    damage = Damage(salvo.boxes, due=0 if attack.action.checks else due)
    for _ in range(due if attack.action.checks else 0):
        # A torpedo lost in the first series has no die in the second.
        checks = check_series(damage.on(before), dice, tables)
        damage = replace(damage, series=(*damage.series, checks))
    return Result(
        tuple(_events(attack, strength, salvo, damage)),
        spent=lambda marks: fired_marks(attack, marks),
        suffered=lambda marks: damage.on(replace(before, marks=marks)).marks,
    )


def check_events(
    ship: Vessel, series: tuple[CheckedPart, ...], number: int, by: str | None, at: str | None
) -> Iterator[Event]:
    """A series of damage checks, die by die."""
    names: dict[str, Message] = {ENGINES: Message("grand_fleets.part.engines_title")}
    names |= {part: verbatim(name) for part, name in battery_names(ship).items()}
    for check in series:
        yield DamageChecked(
            ship=by,
            target=at,
            rule=CHECKS,
            series=number,
            part=check.part,
            name=names.get(check.part, NO_WORDS),
            die=check.die,
            boxes=check.boxes,
        )


def parts_event(ship: Vessel, by: str | None, at: str | None) -> PartsMarked:
    """The losses of a ship by damage checks so far."""
    return PartsMarked(
        ship=by,
        target=at,
        rule=CHECKS,
        speed_lost=ship.marks.speed_lost,
        dice_lost=dict(ship.marks.dice_lost),
        torpedoes_lost=dict(ship.marks.torpedoes_lost),
    )


def hit_chance(hits_when: Message) -> float:
    """The chance of a hit of each die of a `Salvo`, or of each of its torpedoes."""
    found = dict(hits_when.params)
    if "lowest" in found:
        return max(0, FACES + 1 - cast("int", found["lowest"])) / FACES
    totals = set(map(int, cast("tuple[str, ...]", found.get("totals", ()))))
    return sum(sum(pair) in totals for pair in product(DIE, repeat=2)) / FACES**2


def sum_of(pair: Pair) -> int:
    """Two dice added up."""
    return pair.coloured + pair.white


def _gunfire(attack: GunAttack, strength: Strength, dice: Dice, tables: TableSet) -> Salvo:
    count, lowest = strength.factor, hits_on(attack, strength.ledger.total, tables)
    name = guns_of(attack).name
    rolls = [
        dice.die(Message("grand_fleets.roll.gun", weapon=name, number=number, count=count))
        for number in range(1, count + 1)
    ]
    hits = tuple(Hit(str(roll), 1) for roll in rolls if roll >= lowest)
    return Salvo(
        Message("grand_fleets.hits_on.at_least", lowest=lowest), tuple(map(str, rolls)), hits
    )


def _torpedoes(attack: TorpedoLaunch, strength: Strength, dice: Dice, tables: TableSet) -> Salvo:
    modifier, damage = strength.ledger.total, torpedoes_of(attack).damage
    pairs = [
        dice.pair(Message("grand_fleets.roll.torpedo", number=number, count=strength.factor))
        for number in range(1, strength.factor + 1)
    ]
    rolls = [damage_dice(damage, dice) for pair in pairs if is_hit(sum_of(pair), modifier, tables)]
    hits = tuple(Hit(" ".join(map(str, roll)), boxes_of(roll, damage)) for roll in rolls)
    row = tables["torpedo_hits"].columns
    good = [total for total in row if is_hit(int(total), modifier, tables)]
    hits_when = (
        Message("grand_fleets.hits_on.totals", totals=tuple(good))
        if good
        else Message("grand_fleets.hits_on.nothing", row=row_of(TORPEDO_ROWS, modifier))
    )
    return Salvo(hits_when, tuple(map(str, pairs)), hits)


def fired_marks(attack: AnyAttack, marks: Marks) -> Marks:
    """The firing ship's marks: fired torpedoes, and the turn if known."""
    if isinstance(attack, TorpedoLaunch):
        launched = launched_from(attack)
        spent = {
            tube: marks.torpedoes_fired.get(tube, 0) + launched.get(tube, 0)
            for tube in {**marks.torpedoes_fired, **launched}
        }
        marks = replace(marks, torpedoes_fired=spent)
        if attack.turn:
            marks = replace(marks, torpedoed={**marks.torpedoed, attack.target.id: attack.turn})
    elif attack.turn:
        arc = firing_arc(attack.action.kind, attack.action.quadrant)
        marks = replace(marks, fired={**marks.fired, arc: attack.turn})
    return marks


def _events(attack: AnyAttack, strength: Strength, salvo: Salvo, damage: Damage) -> Iterator[Event]:
    by, at, weapon = attack.firer.id, attack.target.id, weapon_of(attack)
    launch = attack if isinstance(attack, TorpedoLaunch) else None
    rule = RULE if launch else MAKING
    yield acted_with(
        strength,
        action=attack.action.kind,
        title=torpedoes_title(weapon) if launch else verbatim(weapon),
        rule=rule,
        ship=by,
        target=at,
    )
    yield Fired(
        ship=by,
        target=at,
        rule=rule,
        weapon=weapon,
        range_yards=attack.action.range_yards,
        quadrant=attack.action.quadrant,
        hits_when=salvo.hits_when,
    )
    if launch:
        yield TorpedoesFired(ship=by, target=at, rule=rule, launched=launched_from(launch))
    number = len(salvo.hits)
    yield Rolled(
        ship=by,
        target=at,
        rule=rule,
        purpose=verbatim(weapon),
        dice=" ".join(salvo.thrown),
        total=number,
        result="",
        words=Message("grand_fleets.result.hits", n=number),
        provenance=strength.provenance,
    )
    for hit in salvo.hits:
        yield HullHit(ship=by, target=at, rule=rule, dice=hit.dice, boxes=hit.boxes)
    yield from _damage_events(attack, damage)


def _damage_events(attack: AnyAttack, damage: Damage) -> Iterator[Event]:
    """The events of the effect on the target."""
    by, at = attack.firer.id, attack.target.id
    before, after = attack.target, damage.on(attack.target)
    for number, series in enumerate(damage.series, start=1):
        yield from check_events(before, series, number, by, at)
    yield HullMarked(
        ship=by,
        target=at,
        rule=MAKING,
        boxes=damage.boxes,
        left=after.hull_left,
        total=after.hull_boxes,
        health=after.health,
        provenance=after.hull_provenance,
    )
    yield parts_event(after, by, at)
    if after.health is not before.health:
        yield HealthChanged(
            ship=by, target=at, rule=MAKING, before=before.health, after=after.health
        )
    if damage.due:
        yield ChecksDue(ship=by, target=at, rule=CHECKS, series=damage.due)
    if after.health is Health.SUNK:
        yield Sunk(ship=by, target=at, rule=MAKING)
        if after.card.victory_points is not None:
            points = after.card.victory_points
            yield Scored(ship=by, target=at, rule="Victory!", points=points)
