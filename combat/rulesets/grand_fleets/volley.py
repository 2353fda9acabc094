"""An attack from the first die to the last damage check; damage takes effect at once."""

from dataclasses import asdict, dataclass
from typing import Final

from combat.attack_rules import Strength
from combat.dice import Dice, Pair
from combat.provenance import Provenance
from combat.report import Line, Report
from combat.rulesets.grand_fleets.action import Attack
from combat.rulesets.grand_fleets.card import TORPEDOES
from combat.rulesets.grand_fleets.damage import (
    CHECKS,
    ENGINES,
    Check,
    battery_names,
    check_series,
    checked,
    hurt,
    is_torpedo,
    series_due,
)
from combat.rulesets.grand_fleets.gunnery import MAKING, gun_strength, guns_of, hits_on
from combat.rulesets.grand_fleets.tabledata import TORPEDO_ROWS, row_of
from combat.rulesets.grand_fleets.torpedoes import (
    RULE,
    boxes_of,
    damage_dice,
    is_hit,
    launched_from,
    torpedo_strength,
    torpedoes_of,
)
from combat.rulesets.grand_fleets.vessel import Health, Vessel
from combat.tables import TableSet
from tabletop.arcs import Quadrant

_HITS_WHEN: Final = "Hits on"


@dataclass(frozen=True, slots=True)
class Hit:
    """A hit: the dice that made it, and the hull boxes it takes."""

    dice: str
    boxes: int


@dataclass(frozen=True, slots=True)
class Volley:
    """An attack as it came out."""

    attack: Attack
    strength: Strength
    hits_when: str
    thrown: tuple[str, ...]
    """The dice of the attack itself, in order."""
    hits: tuple[Hit, ...]
    series: tuple[tuple[Check, ...], ...]
    firer: Vessel
    target: Vessel

    @property
    def boxes(self) -> int:
        """Hull boxes that the hits take, whether or not so many are left."""
        return sum(hit.boxes for hit in self.hits)

    @property
    def dice(self) -> str:
        """Every die, as it would be typed in."""
        hits = [hit.dice for hit in self.hits] if self.attack.battery == TORPEDOES else []
        checks = [str(check.die) for series in self.series for check in series]
        return " ".join((*self.thrown, *hits, *checks))


def strength_of(attack: Attack, tables: TableSet) -> Strength:
    """What an attack is rolled with; Forbidden, with the rule, where it is not allowed."""
    if attack.battery == TORPEDOES:
        return torpedo_strength(attack, tables)
    return gun_strength(attack, tables)


def play_attack(attack: Attack, dice: Dice, tables: TableSet) -> Volley:
    """Roll an attack, check off the hull boxes, and make the damage checks that follow."""
    strength = strength_of(attack, tables)
    if attack.battery == TORPEDOES:
        words, thrown, hits = _torpedoes(attack, strength, dice, tables)
    else:
        words, thrown, hits = _gunfire(attack, strength, dice, tables)
    before = attack.target
    target = hurt(before, sum(hit.boxes for hit in hits))
    due = series_due(before, target)
    series: tuple[tuple[Check, ...], ...] = ()
    if attack.checks:
        for _ in range(due):
            # A torpedo that the first series has cost is not rolled for in the second.
            series += (check_series(target, dice, tables),)
            target = checked(target, series[-1])
    elif due:
        target = target.marked(checks_due=(target.marks.checks_due or 0) + due)
    return Volley(attack, strength, words, thrown, hits, series, _fired(attack), target)


def tell(volley: Volley) -> Report:
    """An attack as a document and as a story."""
    after = {"firer": volley.firer.marks.as_state, "target": volley.target.marks.as_state}
    return Report(_document(volley), tuple(_story(volley)), after)


def told_checks(ship: Vessel, series: tuple[Check, ...]) -> list[Line]:
    """A series of damage checks in words; all torpedoes in one line."""
    names = {ENGINES: "Engines", **battery_names(ship)}
    words = [
        f"{names[check.part]}: {check.die}, {_boxes(check.boxes) if check.boxes else 'no effect'}"
        for check in series
        if check.part in names
    ]
    torpedoes = [check for check in series if is_torpedo(check.part)]
    if torpedoes:
        lost = sum(check.boxes for check in torpedoes)
        rolled = " ".join(str(check.die) for check in torpedoes)
        words.append(f"Torpedoes: {rolled}, {lost or 'none'} of {len(torpedoes)} lost")
    return [Line(each, CHECKS, 2) for each in words]


def _gunfire(
    attack: Attack, strength: Strength, dice: Dice, tables: TableSet
) -> tuple[str, tuple[str, ...], tuple[Hit, ...]]:
    count, lowest = strength.factor, hits_on(attack, strength.ledger.total, tables)
    name = guns_of(attack).name
    rolls = [dice.die(f"{name}, die {number} of {count}") for number in range(1, count + 1)]
    hits = tuple(Hit(str(roll), 1) for roll in rolls if roll >= lowest)
    return f"{lowest} or more", tuple(map(str, rolls)), hits


def _torpedoes(
    attack: Attack, strength: Strength, dice: Dice, tables: TableSet
) -> tuple[str, tuple[str, ...], tuple[Hit, ...]]:
    modifier, damage = strength.ledger.total, torpedoes_of(attack).damage
    pairs = [
        dice.pair(f"torpedo {number} of {strength.factor}")
        for number in range(1, strength.factor + 1)
    ]
    rolls = [damage_dice(damage, dice) for pair in pairs if is_hit(sum_of(pair), modifier, tables)]
    hits = tuple(Hit(" ".join(map(str, roll)), boxes_of(roll, damage)) for roll in rolls)
    row = tables["torpedo_hits"].columns
    good = [total for total in row if is_hit(int(total), modifier, tables)]
    words = ", ".join(good) or f"nothing ({row_of(TORPEDO_ROWS, modifier)})"
    return words, tuple(map(str, pairs)), hits


def sum_of(pair: Pair) -> int:
    """Two dice added up."""
    return pair.coloured + pair.white


def _fired(attack: Attack) -> Vessel:
    """The firing ship afterwards: torpedoes are gone, and the turn is noted where it is known."""
    firer, marks = attack.firer, attack.firer.marks
    if attack.battery == TORPEDOES:
        launched = launched_from(attack)
        spent = {
            tube: marks.torpedoes_fired.get(tube, 0) + launched.get(tube, 0)
            for tube in {**marks.torpedoes_fired, **launched}
        }
        firer = firer.marked(torpedoes_fired=spent)
        if attack.turn:
            firer = firer.marked(torpedoed={**marks.torpedoed, attack.target.name: attack.turn})
    elif attack.turn:
        key = f"{attack.battery} {attack.lie.quadrant}"
        firer = firer.marked(fired={**marks.fired, key: attack.turn})
    return firer


def _document(volley: Volley) -> dict[str, object]:
    attack, target = volley.attack, volley.target
    sunk = target.health is Health.SUNK and attack.target.health is not Health.SUNK
    return {
        "battery": attack.battery,
        "range_yards": attack.lie.range_yards,
        "dice_count": volley.strength.factor,
        "modifiers": [asdict(modifier) for modifier in volley.strength.ledger],
        "modifier_total": volley.strength.ledger.total,
        "hits_when": volley.hits_when,
        "dice": volley.dice,
        "hits": len(volley.hits),
        "hit_results": [asdict(hit) for hit in volley.hits],
        "boxes": volley.boxes,
        "hull_left": target.hull_left,
        "health": target.health,
        "checks": [[asdict(check) for check in series] for series in volley.series],
        "checks_due": 0 if attack.checks else series_due(attack.target, target),
        "speed_lost": target.marks.speed_lost,
        "dice_lost": dict(target.marks.dice_lost),
        "torpedoes_lost": dict(target.marks.torpedoes_lost),
        "victory_points": target.card.victory_points if sunk else 0,
        "provenance": Provenance.worst((volley.strength.provenance, target.hull_provenance)),
    }


def _story(volley: Volley) -> list[Line]:
    attack, ledger = volley.attack, volley.strength.ledger
    torpedoes = attack.battery == TORPEDOES
    rule = RULE if torpedoes else MAKING
    weapon = torpedoes_of(attack).name if torpedoes else guns_of(attack).name
    count = volley.strength.factor
    if torpedoes:
        what = f"{count} torpedo{'es' * (count != 1)}"
    else:
        what = f"{count} {'die' if count == 1 else 'dice'}"
    lines = [
        Line(
            f"{attack.firer.name}, {weapon}: {what} at {attack.target.name}, "
            f"{attack.lie.range_yards:,} yards, {_arc_words(attack.lie.quadrant)} arc",
            rule,
        )
    ]
    lines += [
        Line(f"{line.value:+3d}  {line.label}", line.reference, 1) for line in ledger if line.value
    ]
    lines.append(Line(f"{ledger.total:+3d}  in all. {_HITS_WHEN} {volley.hits_when}", rule, 1))
    lines.append(Line(f"Rolled {' '.join(volley.thrown) or 'nothing: no dice are left'}", rule, 1))
    if torpedoes:
        lines += [Line(f"A hit: {hit.dice}, {_boxes(hit.boxes)}", RULE, 2) for hit in volley.hits]
    number = len(volley.hits)
    lines.append(
        Line(f"{number} hit{'s' * (number != 1)}, {_boxes(volley.boxes)} of the hull", rule, 1)
    )
    for series in volley.series:
        lines.append(Line(f"{attack.target.name} makes damage checks", CHECKS, 1))
        lines += told_checks(attack.target, series)
    lines.append(Line(_fate(volley), MAKING, 1))
    return lines


def _fate(volley: Volley) -> str:
    before, target = volley.attack.target, volley.target
    left = f"{target.name} has {target.hull_left} of {target.hull_boxes} hull boxes left"
    if target.health is Health.SUNK:
        points = target.card.victory_points
        scored = f", {points} victory points" if points else ""
        return f"{target.name} is sunk and leaves the game at once{scored}"
    if target.health is before.health:
        return left
    due = series_due(before, target) if not volley.attack.checks else 0
    owed = f"; {due} series of damage checks to roll" if due else ""
    return f"{left} and is {target.health}{owed}"


def _boxes(count: int) -> str:
    return f"{count} box{'es' * (count != 1)}"


def _arc_words(quadrant: Quadrant) -> str:
    return {Quadrant.BOW: "forward", Quadrant.STERN: "aft"}.get(quadrant, quadrant.value)
