"""The rolls that are no attack: damage checks, moves, initiative, command, who begins."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Final

from combat.attack_rules import Strength
from combat.dice import Dice
from combat.modifiers import Ledger, Modifier
from combat.provenance import Provenance
from combat.report import Forbidden, Line, Report
from combat.rulesets.grand_fleets.action import (
    COMMAND_CHECK,
    COST,
    DAMAGE_CHECK,
    INITIATIVE,
    LEAVE,
    MOVE,
    NEW_FLAG,
    ORDER,
    QUALITY,
    VICTORY,
    Roll,
)
from combat.rulesets.grand_fleets.command import quality_of, returns, roll_off
from combat.rulesets.grand_fleets.damage import (
    CHECKS,
    check_series,
    checked,
    is_torpedo,
    parts_checked,
)
from combat.rulesets.grand_fleets.fleet import DRAW, division_points, points_for_leaving, winner
from combat.rulesets.grand_fleets.movement import check_move, limit_of, marker_after, provenance_of
from combat.rulesets.grand_fleets.tabledata import ledger_line
from combat.rulesets.grand_fleets.vessel import CARDS, Vessel
from combat.rulesets.grand_fleets.volley import sum_of, told_checks
from combat.tables import TableSet

TWO_DICE: Final = 2
_NO_LINES = Ledger(())
_PLAYERS: Final = ("first player", "second player")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a roll: in a word or two, in words, and on the card."""

    result: str
    dice: str
    lines: tuple[Line, ...]
    ship: Vessel | None = None
    """The ship afterwards."""
    details: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Rules:
    """How one kind of roll is prepared and played."""

    strength: Callable[[Roll, TableSet], Strength]
    play: Callable[[Roll, Strength, Dice, TableSet], Outcome]


def roll_strength(roll: Roll, tables: TableSet) -> Strength:
    """What a roll is made with; Forbidden where it may not be made."""
    return ROLLS[roll.battery].strength(roll, tables)


def play_roll(roll: Roll, dice: Dice, tables: TableSet) -> Outcome:
    """Make a roll."""
    rules = ROLLS[roll.battery]
    return rules.play(roll, rules.strength(roll, tables), dice, tables)


def tell_roll(roll: Roll, outcome: Outcome, strength: Strength) -> Report:
    """A roll as a document and as a story."""
    document = {
        "battery": roll.battery,
        "dice_count": strength.factor,
        "modifiers": [asdict(modifier) for modifier in strength.ledger],
        "modifier_total": strength.ledger.total,
        "dice": outcome.dice,
        "result": outcome.result,
        "provenance": strength.provenance,
        **outcome.details,
    }
    after = {"firer": outcome.ship.marks.as_state} if outcome.ship else {}
    return Report(document, outcome.lines, after)


def _ship(roll: Roll) -> Vessel:
    if roll.ship is None:
        raise Forbidden(f"{roll.battery} needs a ship", "Sequence of Play")
    return roll.ship


def _with(reference: str, factor: int = TWO_DICE, ledger: Ledger = _NO_LINES) -> Strength:
    known = Provenance.worst(line.provenance for line in ledger)
    return Strength(factor, reference, ledger, known, factor_label="Dice")


def _commander(roll: Roll) -> Ledger:
    label = f"Commander's quality {roll.quality:+d}"
    return Ledger((Modifier("command", roll.quality, label, "Divisions", Provenance.PRINTED),))


def _two_dice(strength: Strength, dice: Dice, purpose: str) -> tuple[int, str]:
    pair = dice.pair(purpose)
    return sum_of(pair) + strength.ledger.total, str(pair)


def _damage_check(roll: Roll, tables: TableSet) -> Strength:  # noqa: ARG001 - one signature
    ship = _ship(roll)
    if ship.out_of_the_game:
        raise Forbidden(f"{ship.name} {ship.out_of_the_game}", CHECKS)
    if ship.marks.checks_due == 0:
        raise Forbidden(f"no damage check of {ship.name} is due", CHECKS)
    return _with(CHECKS, len(parts_checked(ship)))


def _play_damage_check(roll: Roll, _: Strength, dice: Dice, tables: TableSet) -> Outcome:
    ship = _ship(roll)
    checks = check_series(ship, dice, tables)
    after = checked(ship, checks)
    if ship.marks.checks_due is not None:
        after = after.marked(checks_due=ship.marks.checks_due - 1)
    speed = after.marks.speed_lost - ship.marks.speed_lost
    guns = sum(after.marks.dice_lost.values()) - sum(ship.marks.dice_lost.values())
    torpedoes = sum(check.boxes for check in checks if is_torpedo(check.part))
    return Outcome(
        f"speed boxes {speed}, dice boxes {guns}, torpedoes {torpedoes}",
        " ".join(str(check.die) for check in checks),
        (Line(f"{ship.name} makes damage checks", CHECKS), *told_checks(ship, checks)),
        after,
        {"checks": [asdict(check) for check in checks], "speed_lost": after.marks.speed_lost,
         "dice_lost": dict(after.marks.dice_lost),
         "torpedoes_lost": dict(after.marks.torpedoes_lost)},
    )  # fmt: skip


def _move(roll: Roll, tables: TableSet) -> Strength:
    limit = check_move(_ship(roll), roll.move_yards, roll.last_marker, tables, turned=roll.turned)
    # Its ledger is of yards, and nothing is added to any dice: the story tells it instead.
    rules = ", ".join(line.reference for line in limit.ledger if line.value)
    return Strength(limit.yards, rules, _NO_LINES, provenance_of(limit), "Yards at most")


def _play_move(roll: Roll, strength: Strength, _: Dice, tables: TableSet) -> Outcome:
    ship = _ship(roll)
    marker = marker_after(roll.move_yards, tables)
    words = "no speed marker" if marker == "none" else f"{marker.upper()} marker"
    turn = ", turning" if roll.turned else ""
    limit = limit_of(ship, roll.last_marker, tables, turned=roll.turned)
    lines = (
        Line(f"{ship.name} moves {roll.move_yards:,} yards{turn}", "The Movement Phase"),
        *(Line(f"{line.value:+,d}  {line.label}", line.reference, 1) for line in limit.ledger),
        Line(
            f"She gets {'no' if marker == 'none' else 'a'} {words.removeprefix('no ')}",
            "Speed Markers",
            1,
        ),
    )
    details = {"marker": marker, "limit_yards": strength.factor}
    return Outcome(words, "", lines, ship.marked(marker=marker), details)


def _play_initiative(roll: Roll, strength: Strength, dice: Dice, _: TableSet) -> Outcome:
    ship = _ship(roll)
    score, rolled = _two_dice(strength, dice, "initiative")
    added = f" {roll.quality:+d}" if roll.quality else ""
    words = f"Initiative of the division of {ship.name}: {rolled[0]} + {rolled[1]}{added} = {score}"
    lines = (Line(words, "Sequence of Play"),)
    after = ship.marked(initiative=score)
    return Outcome(f"initiative {score}", rolled, lines, after, {"score": score})


def _play_command(roll: Roll, strength: Strength, dice: Dice, tables: TableSet) -> Outcome:
    ship = _ship(roll)
    total, rolled = _two_dice(strength, dice, "return to command")
    back = returns(total, tables)
    words = "returns to command" if back else "stays out of command"
    lines = (Line(f"{ship.name} {words}: {total}", "Returning to Command"),)
    after = ship.marked(out_of_command=not back)
    return Outcome(words, rolled, lines, after, {"total": total, "in_command": back})


def _new_flag(roll: Roll, tables: TableSet) -> Strength:  # noqa: ARG001 - one signature
    cell = tables["figures"].cell("new flagship, added to the roll", "value")
    return _with(cell.reference, TWO_DICE, Ledger((ledger_line("flag", cell, "New flagship"),)))


def _play_quality(roll: Roll, strength: Strength, dice: Dice, tables: TableSet) -> Outcome:
    ship = _ship(roll)
    total, rolled = _two_dice(strength, dice, "command quality")
    quality = quality_of(total, tables)
    modifier = tables["command_quality"].integer(quality, "modifier")
    words = f"The commander on board {ship.name} is {quality} ({modifier:+d}): {total}"
    lines = (Line(words, strength.reference),)
    after = ship.marked(command_quality=modifier)
    return Outcome(quality, rolled, lines, after, {"total": total, "quality": modifier})


def _play_order(roll: Roll, _: Strength, dice: Dice, __: TableSet) -> Outcome:  # noqa: ARG001
    rolls = roll_off(_PLAYERS, dice)
    low, high = sorted(rolls, key=lambda side: rolls[side])
    lines = (
        Line(f"The {low} moves first: {rolls[low]} against {rolls[high]}", "The Movement Phase"),
        Line(f"The {high} fires first, where the roll is for combat", "The Combat Phase"),
    )
    rolled = " ".join(map(str, rolls.values()))
    return Outcome(f"{low} low", rolled, lines, details={"moves_first": low, "fires_first": high})


def _leave(roll: Roll, tables: TableSet) -> Strength:
    ship, rule = _ship(roll), "The Movement Phase"
    if ship.out_of_the_game:
        raise Forbidden(f"{ship.name} {ship.out_of_the_game}", rule)
    if ship.card.victory_points is None:
        raise Forbidden(f"the card of {ship.name} has no victory points; enter them", CARDS)
    known = ship.card.provenance("victory_points")
    points = points_for_leaving(ship.card.victory_points, tables)
    return Strength(points, rule, _NO_LINES, known, "Points")


def _play_leave(roll: Roll, strength: Strength, _: Dice, __: TableSet) -> Outcome:
    ship, points = _ship(roll), strength.factor
    words = f"{ship.name} leaves the table and the game; the enemy scores {points} points"
    after = ship.marked(left_table=True)
    details = {"victory_points": points}
    return Outcome("left the table", "", (Line(words, strength.reference),), after, details)


def _play_victory(roll: Roll, _: Strength, __: Dice, tables: TableSet) -> Outcome:
    points = dict(zip(_PLAYERS, roll.points, strict=True))
    won = winner(points, roll.battle_size, tables)
    score = f"{roll.points[0]} to {roll.points[1]} in a {roll.battle_size} battle"
    words = {"": "nobody has won yet", DRAW: "a draw"}.get(won, f"the {won} has won")
    return Outcome(words, "", (Line(f"{score}: {words}", "Victory!"),), details={"winner": won})


def _cost(roll: Roll, tables: TableSet) -> Strength:
    points = division_points(roll.division_points, roll.chosen, tables)
    return Strength(points, "Divisions", _NO_LINES, Provenance.PRINTED, "Points")


def _play_cost(roll: Roll, strength: Strength, _: Dice, __: TableSet) -> Outcome:
    words = (
        f"A division of {roll.division_points} points costs {strength.factor} under a commander "
        f"who is {roll.chosen}"
    )
    details = {"points": strength.factor}
    return Outcome(f"{strength.factor} points", "", (Line(words, "Divisions"),), details=details)


ROLLS: Final[Mapping[str, Rules]] = {
    DAMAGE_CHECK: Rules(_damage_check, _play_damage_check),
    MOVE: Rules(_move, _play_move),
    INITIATIVE: Rules(
        lambda roll, _: _with("Sequence of Play", ledger=_commander(roll)), _play_initiative
    ),
    COMMAND_CHECK: Rules(
        lambda roll, _: _with("Returning to Command", ledger=_commander(roll)), _play_command
    ),
    QUALITY: Rules(lambda *_: _with("Divisions"), _play_quality),
    NEW_FLAG: Rules(_new_flag, _play_quality),
    LEAVE: Rules(_leave, _play_leave),
    ORDER: Rules(lambda *_: _with("The Movement Phase"), _play_order),
    COST: Rules(_cost, _play_cost),
    VICTORY: Rules(lambda *_: _with("Victory!", 0), _play_victory),
}
