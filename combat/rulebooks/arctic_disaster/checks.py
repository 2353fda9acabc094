"""Rolls that do no damage: searches, submarines, disengagement and events."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from combat.dice import Dice
from combat.free_play import Attempt
from combat.modifiers import Modifier
from combat.previews import Forbidden
from combat.provenance import Provenance
from combat.rulebooks.arctic_disaster.actions import (
    LAST_ROUND,
    Disengagement,
    FirstMove,
    HitlerOrders,
    HomeFleet,
    NewFog,
    PlainCheck,
    Player,
    Search,
    Shadowing,
    SubmarineAttack,
    Victorious,
)
from combat.rulebooks.arctic_disaster.attack import (
    AttackOutcome,
    ResolvedAttack,
    check,
    modifier_line,
    tactical,
)
from combat.rulebooks.arctic_disaster.display import is_decided, on_display
from combat.rulebooks.arctic_disaster.strike import (
    COLUMN,
    NO_ATTACK,
    DamageRule,
    afloat,
    rolled_with,
    strike,
)
from combat.rulebooks.arctic_disaster.table_files import ROUNDS
from combat.rulebooks.arctic_disaster.vessel import Vessel
from combat.strength import Strength
from combat.tables import TableSet
from combat.ten_sided_dice import DICE, Throw, half_up, roll, strength_of, table_modifier, throw
from tabletop.messages import Message

_MOST_ATTACKS = 4
_ESCORTS = 4
_ONE_DIE = 1
_FOG = Message("arctic.modifier.fog")
_BOAT_SUNK = Message("arctic.note.boat_sunk")


CheckAction = Disengagement | NewFog | PlainCheck | HomeFleet | HitlerOrders


@dataclass(frozen=True, slots=True)
class SingleDieCheck:
    """One die that succeeds or not."""

    row: str
    yes: Message
    no: Message


CHECKS: Mapping[str, SingleDieCheck] = {
    "disengage": SingleDieCheck(
        "disengage", Message("arctic.note.combat_ends"), Message("arctic.note.combat_goes_on")
    ),
    "new-fog": SingleDieCheck(
        "new fog", Message("arctic.note.lost_from_sight"), Message("arctic.note.stays_detected")
    ),
    "shadow-in-fog": SingleDieCheck(
        "shadow in fog", Message("arctic.note.shadow_lost"), Message("arctic.note.shadow_holds")
    ),
    "grounding": SingleDieCheck(
        "grounding", Message("arctic.note.aground"), Message("arctic.note.gets_through")
    ),
    "home-fleet": SingleDieCheck(
        "Home Fleet", Message("arctic.note.may_enter"), Message("arctic.note.stays_out")
    ),
    "hitler": SingleDieCheck(
        "Hitler", Message("arctic.note.stays_at_sea"), Message("arctic.note.must_return")
    ),
}
_SEEN = {
    Victorious.NEAR: ("Victorious detected near", Message("arctic.modifier.victorious_near")),
    Victorious.FAR: ("Victorious detected far off", Message("arctic.modifier.victorious_far")),
    Victorious.SUNK: ("Victorious sunk", Message("arctic.modifier.victorious_sunk")),
}
"""The row of the table of modifiers, and its label."""
_SCATTERED = Message("arctic.modifier.scattered")


def _check_lines(action: CheckAction, tables: TableSet) -> Iterator[Modifier]:
    match action:
        case Disengagement():
            yield from _disengagement(action, tables)
        case NewFog(shadowed=True):
            yield modifier_line(
                tables, "new fog, convoy shadowed", Message("arctic.modifier.shadowed")
            )
        case HomeFleet():
            if action.tirpitz_at_sea:
                yield modifier_line(
                    tables, "Tirpitz detected at sea", Message("arctic.modifier.tirpitz_at_sea")
                )
            if action.scattered:
                yield modifier_line(tables, "Home Fleet, convoy scattered", _SCATTERED)
        case HitlerOrders():
            if action.victorious in _SEEN:
                yield modifier_line(tables, *_SEEN[action.victorious])
            if action.scattered:
                yield modifier_line(tables, "Hitler, convoy scattered", _SCATTERED)


def _disengagement(action: Disengagement, tables: TableSet) -> Iterator[Modifier]:
    fought = action.round - 1
    if fought + 1 >= LAST_ROUND:
        raise Forbidden(Message("arctic.refused.last_round"), "11.4.9")
    if fought:
        before = Message("arctic.modifier.rounds_before", rounds=fought)
        yield modifier_line(tables, "disengage, each round before", before, fought)
    if action.fog:
        yield modifier_line(tables, "disengage in fog", _FOG)


def check_strength(attack: Attempt[CheckAction, Vessel], tables: TableSet) -> Strength:
    """One die with its modifiers; none for a combat that ends by itself (11.4.9)."""
    plan = CHECKS[attack.action.kind]
    if _ends_by_itself(attack):
        reference = Message("arctic.reference.no_die", rule="11.4.9")
        return strength_of(0, reference, [], label=DICE)
    if isinstance(attack.action, Disengagement):
        _check_convoy(attack.of(attack.action))
    cell = tables["checks"].cell(plan.row, "least")
    lines = [*_check_lines(attack.action, tables)]
    return strength_of(_ONE_DIE, _one_die(cell.reference), lines, [cell], DICE)


def _check_convoy(attack: Attempt[Disengagement, Vessel]) -> None:
    """The convoy cannot disengage, with whatever stands by it (11.4.9)."""
    action = attack.action
    convoy = any(each.marks.convoy and not each.sunk for each in on_display(attack.fleet))
    if action.convoy_leaves or (convoy and action.leaver is Player.ALLIED):
        raise Forbidden(Message("arctic.refused.convoy_leaves"), "11.4.9")


def _ends_by_itself(attack: Attempt[CheckAction, Vessel]) -> bool:
    """Whether both sides want the combat to end, one is sunk, or its eighth round is fought."""
    action = attack.action
    if not isinstance(action, Disengagement):
        return False
    here = on_display(attack.fleet)
    return action.agreed or is_decided(here) or (bool(here) and action.round >= LAST_ROUND)


def run_check(attack: Attempt[CheckAction, Vessel], dice: Dice, tables: TableSet) -> ResolvedAttack:
    """Roll a check."""
    plan, found = CHECKS[attack.action.kind], check_strength(attack, tables)
    if not found.factor:
        return ResolvedAttack(AttackOutcome(hits=1, notes=frozenset([plan.yes])))
    passed, thrown = check(
        dice,
        tables,
        plan.row,
        Message("arctic.roll.die"),
        (plan.yes, plan.no),
        found.ledger.total,
    )
    return ResolvedAttack(
        AttackOutcome(hits=int(passed), notes=frozenset([thrown.words])), (thrown,)
    )


def movement_cost(attack: Attempt[Disengagement, Vessel], tables: TableSet) -> str:
    """The movement points that a combat costs the active force, by its rounds (7.6.4)."""
    row = next(row for row, last in ROUNDS.items() if attack.action.round <= last)
    points = tables["mp_penalty"].text(row, "points")
    if points == "all" or not attack.action.maximum_speed:
        return points
    return str(half_up(Fraction(3 * int(points), 2)))


def first_move_strength(_attack: Attempt[FirstMove, Vessel], _tables: TableSet) -> Strength:
    """One die for each side."""
    return strength_of(
        _ONE_DIE, Message("arctic.reference.each_side", rule="11.4.3"), [], label=DICE
    )


def run_first_move(
    _attack: Attempt[FirstMove, Vessel], dice: Dice, _tables: TableSet
) -> ResolvedAttack:
    """Roll for the side that decides who moves first."""
    active, other = Message("arctic.roll.active_player"), Message("arctic.roll.other_player")
    mine, theirs = roll(dice, active), roll(dice, other)
    if mine == theirs:
        note = Message("arctic.note.tie")
    elif mine > theirs:
        note = Message("arctic.note.active_decides")
    else:
        note = Message("arctic.note.other_decides")
    rolled = Message("arctic.answer.rolled")
    throws = tuple(
        Throw(who, "11.4.3", die, 0, "", Provenance.PRINTED, rolled)
        for who, die in ((active, mine), (other, theirs))
    )
    return ResolvedAttack(AttackOutcome(hits=int(mine > theirs), notes=frozenset([note])), throws)


def search_strength(attack: Attempt[Search, Vessel], tables: TableSet) -> Strength:
    """One die on the Search Table. Raises Forbidden if the searcher cannot reach."""
    searcher, ranges = attack.action.searcher, tables["search_ranges"]
    reach = ranges.text(searcher, "hexes")
    if reach != "any" and attack.action.distance_hexes > int(reach):
        rule = ranges.cell(searcher, "hexes").reference
        raise Forbidden(Message("arctic.refused.beyond_search", hexes=reach), rule)
    lines = list(tactical(attack.action.tactical))
    if searcher == "intelligence report":
        lines.append(modifier_line(tables, searcher, Message("arctic.modifier.intelligence")))
    if attack.action.fog:
        lines.append(modifier_line(tables, "search in fog", _FOG))
    if attack.action.ice:
        lines.append(modifier_line(tables, "search in partial ice", Message("arctic.modifier.ice")))
    return strength_of(_ONE_DIE, _one_die("10.2.1"), lines, label=DICE)


def run_search(attack: Attempt[Search, Vessel], dice: Dice, tables: TableSet) -> ResolvedAttack:
    """A search; the roll is hidden from the searching side."""
    found = search_strength(attack, tables)
    purpose = Message("arctic.roll.search")
    thrown = throw(dice, purpose, "10.2.1", tables["search"], "result", found.ledger.total)
    note = {
        "none": Message("arctic.note.nothing_found"),
        "detected": Message("arctic.note.force_found"),
        "accurate": Message("arctic.note.types_accurate"),
    }.get(
        thrown.result,
        Message(
            "arctic.note.types_found",
            error=Message(f"arctic.error.{thrown.result.replace(' ', '_')}"),
        ),
    )
    hit = thrown.result != "none"
    return ResolvedAttack(AttackOutcome(hits=int(hit), notes=frozenset([note])), (thrown,))


def shadow_strength(attack: Attempt[Shadowing, Vessel], tables: TableSet) -> Strength:
    """The die for shadowing the convoy, with a modifier for escorts."""
    sent = attack.action.detached
    lines = [*tactical(attack.action.tactical)]
    if sent:
        detached = Message("arctic.modifier.detached", escorts=sent)
        lines.insert(0, modifier_line(tables, "each escort detached", detached, sent))
    return strength_of(_ONE_DIE, _one_die("13.6"), lines, label=DICE)


def run_shadow(attack: Attempt[Shadowing, Vessel], dice: Dice, tables: TableSet) -> ResolvedAttack:
    """An attempt to shadow the convoy."""
    modifier, table = shadow_strength(attack, tables).ledger.total, tables["submarine_warfare"]
    thrown = throw(dice, Message("arctic.roll.shadow"), "13.6", table, "shadow", modifier)
    shadowed = thrown.result == "yes"
    if shadowed:
        words, note = Message("arctic.answer.shadowed"), Message("arctic.note.convoy_shadowed")
    else:
        words, note = Message("arctic.answer.not_shadowed"), Message("arctic.note.convoy_lost")
    thrown = replace(thrown, words=words)
    return ResolvedAttack(AttackOutcome(hits=int(shadowed), notes=frozenset([note])), (thrown,))


def submarine_strength(attack: Attempt[SubmarineAttack, Vessel], tables: TableSet) -> Strength:
    """The die for contact, and the column of the torpedo roll."""
    target, table, fleet = attack.victim, tables["submarines"], attack.action.submarine
    afloat(target)
    if attack.action.fog:
        raise Forbidden(Message("arctic.refused.submarine_in_fog"), "13.8")
    if attack.action.attacks_made >= _MOST_ATTACKS:
        raise Forbidden(Message("arctic.refused.attacks_made", most=_MOST_ATTACKS), "13.8")
    lines = [
        table_modifier(
            table, fleet, Message("arctic.modifier.submarine", fleet=fleet), column="contact"
        ),
        *tactical(attack.action.tactical),
    ]
    fours = attack.action.escorts // _ESCORTS
    if fours:
        label = Message("arctic.modifier.escorts", escorts=attack.action.escorts)
        lines.insert(0, modifier_line(tables, "each four escorts", label, fours))
    column = table.integer(fleet, "column")
    reference = Message("arctic.reference.column", rule="13.7")
    return strength_of(column, reference, lines, target.cells, COLUMN)


def run_submarine(
    attack: Attempt[SubmarineAttack, Vessel], dice: Dice, tables: TableSet
) -> ResolvedAttack:
    """Contact, torpedoes, and the escorts' counterattack (13.5, 13.7, 13.9)."""
    found, table = submarine_strength(attack, tables), tables["submarine_warfare"]
    purpose = Message("arctic.roll.contact")
    contact = throw(dice, purpose, "13.5", table, "attack", found.ledger.total)
    attacks = contact.result == "yes"
    contact = replace(
        contact, words=Message("arctic.answer.boat_attacks") if attacks else NO_ATTACK
    )
    if not attacks:
        return ResolvedAttack(AttackOutcome(notes=frozenset([NO_ATTACK])), (contact,))
    share = tables["multipliers"].fraction("submarine torpedoes", "factor")
    blow = DamageRule(str(found.factor), 0, share, "13.7")
    struck = rolled_with((contact,), strike(dice, blow, attack.victim, tables))
    if not attack.action.hunters:
        return struck
    sunk, answer = check(
        dice,
        tables,
        "counterattack",
        Message("arctic.roll.counterattack"),
        (_BOAT_SUNK, Message("arctic.answer.escapes")),
    )
    more = AttackOutcome(notes=frozenset([_BOAT_SUNK] if sunk else []))
    return ResolvedAttack(struck.outcome + more, (*struck.throws, answer))


def _one_die(rule: str) -> Message:
    return Message("combat.reference.one_die", rule=rule)
