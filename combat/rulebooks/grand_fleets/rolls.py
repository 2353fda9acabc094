"""Rolls that are not attacks: damage checks, moves, initiative, command, order."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from combat.actions import Action
from combat.dice import Dice
from combat.events import Departed, Event, Rolled
from combat.free_play import Attempt, StrengthRule
from combat.modifiers import Ledger, Modifier
from combat.previews import Forbidden
from combat.provenance import Provenance
from combat.rulebooks.grand_fleets.actions import (
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
    CommandCheck,
    CommandQuality,
    DamageCheck,
    DivisionCost,
    Initiative,
    Leaving,
    Move,
    Order,
    Victory,
)
from combat.rulebooks.grand_fleets.attack import last_marker, quality_of_commander
from combat.rulebooks.grand_fleets.command import quality_of, returns, roll_off
from combat.rulebooks.grand_fleets.damage import (
    CHECKS,
    check_series,
    checked,
    is_torpedo,
    parts_checked,
)
from combat.rulebooks.grand_fleets.events import (
    CommanderRated,
    CommandReturned,
    DivisionPriced,
    FlagTaken,
    InitiativeRolled,
    Moved,
    OrderDecided,
    OutOfCommand,
    Scored,
    SpeedMarkerSet,
    VictoryJudged,
)
from combat.rulebooks.grand_fleets.fleet import DRAW, division_points, points_for_leaving, winner
from combat.rulebooks.grand_fleets.movement import check_move, limit_of, marker_after, provenance_of
from combat.rulebooks.grand_fleets.table_files import ledger_line
from combat.rulebooks.grand_fleets.terms import player_message
from combat.rulebooks.grand_fleets.vessel import CARDS, Health, Marks, Vessel
from combat.rulebooks.grand_fleets.volley import check_events, parts_event, sum_of
from combat.strength import Strength, rule_reference
from combat.tables import TableSet
from combat.ten_sided_dice import DICE
from tabletop.messages import Message

TWO_DICE: Final = 2
_POINTS: Final = Message("grand_fleets.factor.points")
_NO_LINES = Ledger(())
PLAYERS: Final = ("first player", "second player")


@dataclass(frozen=True, slots=True)
class RollOutcome:
    """The result of a roll: a short text, events, and the new marks."""

    result: Message
    events: tuple[Event, ...]
    spent: Callable[[Marks], Marks] | None = None


@dataclass(frozen=True, slots=True)
class Rules:
    """The functions of one kind of roll."""

    strength: StrengthRule[Vessel]
    play: Callable[[Attempt[Any, Vessel], Strength, Dice, TableSet], RollOutcome]


def roll_strength(roll: Attempt[Action, Vessel], tables: TableSet) -> Strength:
    """The strength of a roll. Raises Forbidden if it may not be made."""
    return ROLLS[roll.action.kind].strength(roll, tables)


def play_roll(roll: Attempt[Action, Vessel], dice: Dice, tables: TableSet) -> RollOutcome:
    """Make a roll."""
    rules = ROLLS[roll.action.kind]
    return rules.play(roll, rules.strength(roll, tables), dice, tables)


def low_message(player: str) -> Message:
    """The player whose die was lower."""
    return Message("grand_fleets.result.low", player=player_message(player))


def _rule(strength: Strength) -> str:
    return str(strength.reference["rule"])


def _with(reference: str, factor: int = TWO_DICE, ledger: Ledger = _NO_LINES) -> Strength:
    known = Provenance.worst(line.provenance for line in ledger)
    return Strength(factor, rule_reference(reference), ledger, known, factor_label=DICE)


def _commander(roll: Attempt[Initiative | CommandCheck, Vessel]) -> Ledger:
    quality = quality_of_commander(roll)
    label = Message("grand_fleets.modifier.commander", quality=quality)
    return Ledger((Modifier("command", quality, label, "Divisions", Provenance.PRINTED),))


def _two_dice(ship: Vessel, strength: Strength, dice: Dice, purpose: Message, rule: str) -> Rolled:
    pair, added = dice.pair(purpose), strength.ledger.total
    total = sum_of(pair) + added
    return Rolled(
        ship=ship.id,
        rule=rule,
        purpose=purpose,
        dice=str(pair),
        modifier=added,
        total=total,
        result=str(total),
        provenance=strength.provenance,
    )


def _damage_check(roll: Attempt[DamageCheck, Vessel], tables: TableSet) -> Strength:  # noqa: ARG001 - one signature
    ship = roll.actor
    ship.refuse_out_of_the_game(CHECKS)
    # In a battle her hull boxes are known: a series comes with every set of them that is full.
    unhurt = roll.round_number and ship.card.hull and ship.health is Health.SOUND
    if ship.marks.checks_due == 0 or (unhurt and not ship.marks.checks_due):
        raise Forbidden(Message("grand_fleets.refused.no_check_due", ship=ship.ref), CHECKS)
    return _with(CHECKS, len(parts_checked(ship)))


def _play_damage_check(
    roll: Attempt[DamageCheck, Vessel], _: Strength, dice: Dice, tables: TableSet
) -> RollOutcome:
    ship = roll.actor
    checks = check_series(ship, dice, tables)

    def after(marks: Marks) -> Marks:
        found = checked(replace(ship, marks=marks), checks).marks
        if marks.checks_due is None:
            return found
        return replace(found, checks_due=marks.checks_due - 1)

    marked = replace(ship, marks=after(ship.marks))
    speed = marked.marks.speed_lost - ship.marks.speed_lost
    guns = sum(marked.marks.dice_lost.values()) - sum(ship.marks.dice_lost.values())
    torpedoes = sum(check.boxes for check in checks if is_torpedo(check.part))
    return RollOutcome(
        Message("grand_fleets.result.checked", speed=speed, dice=guns, torpedoes=torpedoes),
        (*check_events(ship, checks, 1, ship.id, None), parts_event(marked, ship.id, None)),
        after,
    )


def _move(roll: Attempt[Move, Vessel], tables: TableSet) -> Strength:
    yards, turned, turn = roll.action.move_yards, roll.action.turned, roll.round_number
    if turn and roll.actor.marks.moved == turn:
        moved = Message("grand_fleets.refused.moved", ship=roll.actor.ref, turn=turn)
        raise Forbidden(moved, "The Movement Phase")
    limit = check_move(roll.actor, yards, last_marker(roll), tables, turned=turned)
    # Its ledger is in yards and modifies no dice, so the story shows it instead.
    rules = ", ".join(line.reference for line in limit.ledger if line.value)
    label = Message("grand_fleets.factor.yards")
    return Strength(limit.yards, rule_reference(rules), _NO_LINES, provenance_of(limit), label)


def _play_move(roll: Attempt[Move, Vessel], _: Strength, __: Dice, tables: TableSet) -> RollOutcome:
    ship, yards, turned = roll.actor, roll.action.move_yards, roll.action.turned
    marker = marker_after(yards, tables)
    limit = limit_of(ship, last_marker(roll), tables, turned=turned)
    moved = Moved(
        ship=ship.id,
        rule="The Movement Phase",
        yards=yards,
        turned=turned,
        limits=limit.ledger.modifiers,
    )
    return RollOutcome(
        Message(f"grand_fleets.result.marker_{marker}"),
        (moved, SpeedMarkerSet(ship=ship.id, rule="Speed Markers", marker=marker)),
        lambda marks: replace(marks, marker=marker, moved=roll.round_number),
    )


def _initiative(roll: Attempt[Initiative, Vessel], _: TableSet) -> Strength:
    roll.actor.refuse_out_of_the_game("Sequence of Play")
    return _with("Sequence of Play", ledger=_commander(roll))


def _play_initiative(
    roll: Attempt[Initiative, Vessel], strength: Strength, dice: Dice, _: TableSet
) -> RollOutcome:
    ship, rule = roll.actor, "Sequence of Play"
    rolled = _two_dice(ship, strength, dice, Message("grand_fleets.roll.initiative"), rule)
    score = rolled.total
    return RollOutcome(
        Message("grand_fleets.result.initiative", score=score),
        (rolled, InitiativeRolled(ship=ship.id, rule=rule, score=score)),
        lambda marks: replace(marks, initiative=score),
    )


def _command_check(roll: Attempt[CommandCheck, Vessel], _: TableSet) -> Strength:
    ship, rule = roll.actor, "Returning to Command"
    ship.refuse_out_of_the_game(rule)
    # A shot file that does not mention the marker means that she has it.
    if roll.round_number and not ship.marks.out_of_command:
        raise Forbidden(Message("grand_fleets.refused.in_command", ship=ship.ref), rule)
    return _with(rule, ledger=_commander(roll))


def _play_command(
    roll: Attempt[CommandCheck, Vessel], strength: Strength, dice: Dice, tables: TableSet
) -> RollOutcome:
    ship, rule = roll.actor, "Returning to Command"
    rolled = _two_dice(ship, strength, dice, Message("grand_fleets.roll.command"), rule)
    back = returns(rolled.total, tables)
    event = CommandReturned if back else OutOfCommand
    return RollOutcome(
        Message("grand_fleets.result.returned") if back else Message("grand_fleets.result.out"),
        (rolled, event(ship=ship.id, rule=rule)),
        lambda marks: replace(marks, out_of_command=not back),
    )


def _new_flag(roll: Attempt[CommandQuality, Vessel], tables: TableSet) -> Strength:
    ship, rule = roll.actor, "Transferring the Flag"
    ship.refuse_out_of_the_game(rule)
    if ship.marks.out_of_command:
        raise Forbidden(Message("grand_fleets.refused.out_of_command", ship=ship.ref), rule)
    cell = tables["figures"].cell("new flagship, added to the roll", "value")
    flag = Message("grand_fleets.modifier.new_flagship")
    return _with(cell.reference, TWO_DICE, Ledger((ledger_line("flag", cell, flag),)))


def _play_quality(
    roll: Attempt[CommandQuality, Vessel], strength: Strength, dice: Dice, tables: TableSet
) -> RollOutcome:
    ship, rule = roll.actor, _rule(strength)
    rolled = _two_dice(ship, strength, dice, Message("grand_fleets.roll.quality"), rule)
    quality = quality_of(rolled.total, tables)
    modifier = tables["command_quality"].integer(quality, "modifier")
    taken = (FlagTaken(ship=ship.id, rule=rule),) if roll.action.kind == NEW_FLAG else ()
    rated = CommanderRated(ship=ship.id, rule=rule, quality=quality, modifier=modifier)
    return RollOutcome(
        Message(f"grand_fleets.quality.{quality}"),
        (rolled, *taken, rated),
        lambda marks: replace(marks, command_quality=modifier),
    )


def _play_order(
    roll: Attempt[Order, Vessel],  # noqa: ARG001 - one signature
    strength: Strength,
    dice: Dice,
    _: TableSet,
) -> RollOutcome:
    rolls = roll_off(PLAYERS, dice, player_message)
    low, high = sorted(rolls, key=lambda side: rolls[side])
    words, rule = low_message(low), _rule(strength)
    rolled = Rolled(
        rule=rule,
        purpose=Message("grand_fleets.roll.who_begins"),
        dice=" ".join(map(str, rolls.values())),
        total=rolls[low],
        result="",
        words=words,
    )
    decided = OrderDecided(
        rule=rule,
        moves_first=low,
        fires_first=high,
        low=rolls[low],
        high=rolls[high],
    )
    return RollOutcome(words, (rolled, decided))


def _leave(roll: Attempt[Leaving, Vessel], tables: TableSet) -> Strength:
    ship, rule = roll.actor, "The Movement Phase"
    ship.refuse_out_of_the_game(rule)
    if ship.card.victory_points is None:
        raise Forbidden(Message("grand_fleets.refused.no_points", ship=ship.ref), CARDS)
    known = ship.card.provenance("victory_points")
    points = points_for_leaving(ship.card.victory_points, tables)
    return Strength(points, rule_reference(rule), _NO_LINES, known, _POINTS)


def _play_leave(
    roll: Attempt[Leaving, Vessel], strength: Strength, _: Dice, __: TableSet
) -> RollOutcome:
    ship, rule = roll.actor.id, _rule(strength)
    return RollOutcome(
        Message("grand_fleets.result.left"),
        (Departed(ship=ship, rule=rule), Scored(ship=ship, rule=rule, points=strength.factor)),
        lambda marks: replace(marks, left_table=True),
    )


def _play_victory(
    roll: Attempt[Victory, Vessel], _: Strength, __: Dice, tables: TableSet
) -> RollOutcome:
    action = roll.action
    points = (action.points_first, action.points_second)
    won = winner(dict(zip(PLAYERS, points, strict=True)), action.battle_size, tables)
    judged = VictoryJudged(
        rule="Victory!", winner=won, points=points, battle_size=action.battle_size
    )
    if not won:
        result = Message("grand_fleets.result.nobody")
    elif won == DRAW:
        result = Message("grand_fleets.result.draw")
    else:
        result = Message("grand_fleets.result.won", player=player_message(won))
    return RollOutcome(result, (judged,))


def _cost(roll: Attempt[DivisionCost, Vessel], tables: TableSet) -> Strength:
    points = division_points(roll.action.division_points, roll.action.chosen, tables)
    rule = rule_reference("Divisions")
    return Strength(points, rule, _NO_LINES, Provenance.PRINTED, _POINTS)


def _play_cost(
    roll: Attempt[DivisionCost, Vessel], strength: Strength, _: Dice, __: TableSet
) -> RollOutcome:
    priced = DivisionPriced(
        rule="Divisions",
        points=roll.action.division_points,
        chosen=roll.action.chosen,
        cost=strength.factor,
    )
    return RollOutcome(Message("grand_fleets.result.points", points=strength.factor), (priced,))


ROLLS: Final[Mapping[str, Rules]] = {
    DAMAGE_CHECK: Rules(_damage_check, _play_damage_check),
    MOVE: Rules(_move, _play_move),
    INITIATIVE: Rules(_initiative, _play_initiative),
    COMMAND_CHECK: Rules(_command_check, _play_command),
    QUALITY: Rules(lambda *_: _with("Divisions"), _play_quality),
    NEW_FLAG: Rules(_new_flag, _play_quality),
    LEAVE: Rules(_leave, _play_leave),
    ORDER: Rules(lambda *_: _with("The Movement Phase"), _play_order),
    COST: Rules(_cost, _play_cost),
    VICTORY: Rules(lambda *_: _with("Victory!", 0), _play_victory),
}
