"""One attack from a shot file: resolved, told, and forecast."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import TypeVar

from combat.dice import Dice
from combat.forecast import Forecast
from combat.modifiers import Ledger
from combat.provenance import Provenance
from combat.report import BatteryInfo, Condition, Facts, Line, Preview, Report, ShotFile, ShotKey
from combat.rulesets.chase_of_the_bismarck.asking import batteries_of, conditions_for, write_shot
from combat.rulesets.chase_of_the_bismarck.damage import NO_DAMAGE, Damage, Resolver, Throw
from combat.rulesets.chase_of_the_bismarck.odds import forecast_shots
from combat.rulesets.chase_of_the_bismarck.preview import preview_shot
from combat.rulesets.chase_of_the_bismarck.shot import (
    Forbidden,
    Shot,
    Weapon,
    cards_behind,
    dice_of,
    ledger_of,
)
from combat.rulesets.chase_of_the_bismarck.shotfile import SHOT_KEYS, read_shot
from combat.tables import TableSet
from tabletop.errors import DreyerError

Result = TypeVar("Result")
_LEFT = ("hull", "bow", "stern", "secondary", "evasion")
_RULES = {
    Weapon.GUNS: "10, step 2",
    Weapon.TORPEDOES: "10, step 3",
    Weapon.AIR: "9",
    Weapon.SUBMARINE: "11.1",
}


@dataclass(frozen=True, slots=True)
class Roll:
    """One die of an attack, the dice that followed from it, and the marks it made."""

    throws: tuple[Throw, ...]
    damage: Damage


@dataclass(frozen=True, slots=True)
class Attack:
    """An attack as it came out."""

    shot: Shot
    ledger: Ledger
    rolls: tuple[Roll, ...]
    damage: Damage
    provenance: Provenance


class ChaseFire:
    """What The Chase of the Bismarck can do with a shot file."""

    @property
    def shot_keys(self) -> tuple[ShotKey, ...]:
        """Every key that its shot files may have."""
        return SHOT_KEYS

    def resolve(self, file: ShotFile, dice: Dice, tables: TableSet) -> Report:
        """Resolve the attack in a shot file with these dice."""
        shot = read_shot(file.data, file.source, tables)
        attack = _naming(file, partial(resolve_attack, shot, dice, tables))
        return Report(as_document(attack), tuple(as_story(attack)))

    def forecast(self, files: Sequence[ShotFile], tables: TableSet) -> Forecast:
        """The exact odds of all the attacks in some shot files, at one target."""
        shots = [read_shot(file.data, file.source, tables) for file in files]
        for shot, file in zip(shots, files, strict=True):
            _naming(file, partial(dice_of, shot, tables))
            if shot.target != shots[0].target:
                raise DreyerError(
                    f"{file.source}: target: expected {shots[0].target.name} in the same state as "
                    f"in {files[0].source}, got {shot.target.name}"
                )
        return forecast_shots(shots, tables)

    def batteries(self, ship_type: str) -> tuple[BatteryInfo, ...]:
        """The batteries of a known ship, guns first; none for a ship it does not know."""
        return batteries_of(ship_type)

    def conditions(self, firer_type: str, target_type: str) -> tuple[Condition, ...]:
        """What a page may ask besides the facts."""
        return conditions_for(firer_type, target_type)

    def shot(self, facts: Facts) -> ShotFile:
        """The shot file of these facts; what is not said is as usual."""
        return write_shot(facts)

    def preview(self, file: ShotFile, tables: TableSet) -> Preview:
        """The attack in a shot file before any die is thrown; a forbidden one says why."""
        return preview_shot(read_shot(file.data, file.source, tables), tables)


def resolve_attack(shot: Shot, dice: Dice, tables: TableSet) -> Attack:
    """Roll every die of an attack, and after each what follows from it."""
    count, ledger = dice_of(shot, tables), ledger_of(shot, tables)
    total = NO_DAMAGE
    rolls: list[Roll] = []
    provenances = [cards_behind(shot, tables), *(line.provenance for line in ledger)]
    for number in range(1, count + 1):
        resolver = Resolver(dice, tables, shot.target.left("evasion", total))
        purpose = f"{shot.weapon}, die {number} of {count}"
        if shot.weapon is Weapon.GUNS:
            damage = resolver.gun(shot.range, ledger.total, purpose)
        else:
            hits = resolver.hits(ledger.total, purpose)
            damage = sum((resolver.marker() for _ in range(hits)), NO_DAMAGE)
        rolls.append(Roll(tuple(resolver.throws), damage))
        provenances += resolver.provenances
        total += damage
    return Attack(shot, ledger, tuple(rolls), total, Provenance.worst(provenances))


def _naming(file: ShotFile, play: Callable[[], Result]) -> Result:
    """Name the file in front of the reason why an attack is forbidden."""
    try:
        return play()
    except Forbidden as error:
        raise Forbidden(error.reason, error.rule, file.source) from None


def as_document(attack: Attack) -> dict[str, object]:
    """An attack with the keys that scripts rely on."""
    shot = attack.shot
    return {
        "weapon": shot.weapon,
        "range": shot.range if shot.weapon.of_a_ship else None,
        "dice_count": len(attack.rolls),
        "modifiers": [asdict(modifier) for modifier in attack.ledger],
        "modifier_total": attack.ledger.total,
        "dice": " ".join(str(throw.die) for roll in attack.rolls for throw in roll.throws),
        "hits": attack.damage.hits,
        "hit_results": [
            {
                "dice": " ".join(str(throw.die) for throw in roll.throws),
                "results": [throw.result for throw in roll.throws],
                "effect": str(roll.damage),
            }
            for roll in attack.rolls
            if roll.damage.hits
        ],
        "results": [roll.throws[0].result for roll in attack.rolls],
        "marks": asdict(attack.damage),
        "target_left": {part: shot.target.left(part, attack.damage) for part in _LEFT},
        "target_sunk": shot.target.sunk(attack.damage),
        # Any result but a miss, of gunfire only (10, step 2).
        "target_acquired": shot.weapon is Weapon.GUNS and attack.damage.hits > 0,
        "provenance": attack.provenance,
    }


def as_story(attack: Attack) -> Iterator[Line]:
    """An attack in words: who, the ledger, and each die with what it led to."""
    shot, rule = attack.shot, _RULES[attack.shot.weapon]
    if shot.firer is None:
        yield Line(f"A {shot.weapon} attack on {shot.target.name}", rule)
    else:
        yield Line(
            f"{shot.firer.name}, {shot.firer.position}, {shot.weapon}: {len(attack.rolls)} dice "
            f"at {shot.target.name}, {shot.target.position}, {shot.range} range",
            rule,
        )
    for modifier in attack.ledger:
        if modifier.value:
            yield Line(f"{modifier.value:+3d}  {modifier.label}", modifier.reference, 1)
    for roll in attack.rolls:
        first, *others = roll.throws
        yield Line(f"Roll {first.die} {attack.ledger.total:+d} = {_plain(first)}", rule, 1)
        for throw in others:
            yield Line(f"{throw.purpose}: {throw.die}, {_plain(throw)}", "", 2)
        if roll.damage.hits:
            yield Line(str(roll.damage), "", 2)
    left = ", ".join(f"{part} {shot.target.left(part, attack.damage)}" for part in _LEFT)
    fate = " and sinks" if shot.target.sunk(attack.damage) else ""
    yield Line(f"{shot.target.name} has left {left}{fate}", "2.4", 1)


def _plain(throw: Throw) -> str:
    """The terms of a table as people say them: "6: stern 1" for "6: stern:1"."""
    return re.sub(r":(?=[0-9])", " ", throw.result).replace("+", ", ").replace("_", " ")
