"""What is not a blow: searches, submarines, disengagement, and the dice of the events."""

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
    Movement,
    NewFog,
    PlainCheck,
    Search,
    Shadowing,
    SubmarineAttack,
    Victorious,
)
from combat.rulebooks.arctic_disaster.attack import (
    Outcome,
    Resolved,
    check,
    listed,
    tactical,
)
from combat.rulebooks.arctic_disaster.strike import Blow, afloat, rolled_with, strike
from combat.rulebooks.arctic_disaster.table_files import ROUNDS
from combat.rulebooks.arctic_disaster.vessel import Vessel
from combat.strength import Strength
from combat.tables import TableSet
from combat.ten_sided_dice import Throw, half_up, roll, strength_of, table_modifier, throw

_MOST_ATTACKS = 4
_ESCORTS = 4
_ONE_DIE = 1


CheckAction = Disengagement | NewFog | PlainCheck | HomeFleet | HitlerOrders


@dataclass(frozen=True, slots=True)
class Check:
    """One die that succeeds or not."""

    row: str
    yes: str
    no: str


CHECKS: Mapping[str, Check] = {
    "disengage": Check("disengage", "the combat ends", "the combat goes on"),
    "new-fog": Check("new fog", "the force is lost from sight", "it stays detected"),
    "shadow-in-fog": Check("shadow in fog", "the shadow is lost", "the shadow holds"),
    "grounding": Check("grounding", "she runs aground", "she gets through"),
    "home-fleet": Check("Home Fleet", "it may enter the Barents Sea", "it stays out"),
    "hitler": Check("Hitler", "Tirpitz stays at sea", "Tirpitz must return"),
}
_SEEN = {
    Victorious.NEAR: "Victorious detected near",
    Victorious.FAR: "Victorious detected far off",
    Victorious.SUNK: "Victorious sunk",
}


def _check_lines(action: CheckAction, tables: TableSet) -> Iterator[Modifier]:
    match action:
        case Disengagement():
            yield from _disengagement(action, tables)
        case NewFog(shadowed=True):
            yield listed(tables, "new fog, convoy shadowed", "PQ-17 is shadowed")
        case HomeFleet():
            if action.tirpitz_at_sea:
                yield listed(tables, "Tirpitz detected at sea", "Tirpitz is detected at sea")
            if action.scattered:
                yield listed(tables, "Home Fleet, convoy scattered", "PQ-17 has scattered")
        case HitlerOrders():
            if action.victorious in _SEEN:
                words = _SEEN[action.victorious]
                yield listed(tables, words, words)
            if action.scattered:
                yield listed(tables, "Hitler, convoy scattered", "PQ-17 has scattered")


def _disengagement(action: Disengagement, tables: TableSet) -> Iterator[Modifier]:
    fought = action.round - 1
    if action.convoy_leaves:
        raise Forbidden("the convoy cannot disengage", "11.4.9")
    if fought + 1 >= LAST_ROUND:
        raise Forbidden("the eighth round ends the combat without a die", "11.4.9")
    if fought:
        yield listed(tables, "disengage, each round before", f"{fought} rounds before", fought)
    if action.fog:
        yield listed(tables, "disengage in fog", "fog")


def check_strength(attack: Attempt[CheckAction, Vessel], tables: TableSet) -> Strength:
    """One die with its modifiers."""
    plan = CHECKS[attack.action.kind]
    cell = tables["checks"].cell(plan.row, "least")
    reference = f"{cell.reference}: one die"
    lines = [*_check_lines(attack.action, tables)]
    return strength_of(_ONE_DIE, reference, lines, [cell], "Dice")


def run_check(attack: Attempt[CheckAction, Vessel], dice: Dice, tables: TableSet) -> Resolved:
    """Roll it."""
    plan, found = CHECKS[attack.action.kind], check_strength(attack, tables)
    passed, thrown = check(dice, tables, plan.row, "die", (plan.yes, plan.no), found.ledger.total)
    return Resolved(Outcome(hits=int(passed), words=frozenset([thrown.result])), (thrown,))


def movement_cost(attack: Attempt[Disengagement, Vessel], tables: TableSet) -> str:
    """The movement points that a combat of so many rounds costs the active force (7.6.4)."""
    row = next(row for row, last in ROUNDS.items() if attack.action.round <= last)
    points = tables["mp_penalty"].text(row, "points")
    if points == "all" or not attack.action.maximum_speed:
        return points
    return str(half_up(Fraction(3 * int(points), 2)))


def first_move_strength(_attack: Attempt[FirstMove, Vessel], _tables: TableSet) -> Strength:
    """A die for each side."""
    return strength_of(_ONE_DIE, "11.4.3: a die for each side", [], label="Dice")


def run_first_move(_attack: Attempt[FirstMove, Vessel], dice: Dice, _tables: TableSet) -> Resolved:
    """Who decides which side moves first."""
    mine, theirs = roll(dice, "active player"), roll(dice, "other player")
    words = "the active player decides" if mine > theirs else "the other player decides"
    words = "a tie: roll again" if mine == theirs else words
    throws = tuple(
        Throw(who, "11.4.3", die, 0, "rolled", Provenance.PRINTED)
        for who, die in (("active player", mine), ("other player", theirs))
    )
    return Resolved(Outcome(hits=int(mine > theirs), words=frozenset([words])), throws)


def move_strength(attack: Attempt[Movement, Vessel], _tables: TableSet) -> Strength:
    """The areas that a ship may enter in this round."""
    ship = attack.actor
    afloat(ship)
    if not attack.action.smoke_laid:
        areas = max(0, ship.move - attack.action.marker)
        return strength_of(areas, "11.4.3: areas she may enter", [], ship.cells, "Areas")
    if ship.unit not in ("DD", "TB"):
        raise Forbidden(f"a {ship.unit} lays no smoke", "11.4.6")
    return strength_of(0, "11.4.6: laying smoke takes all her movement", [], ship.cells, "Areas")


def run_move(attack: Attempt[Movement, Vessel], _dice: Dice, tables: TableSet) -> Resolved:
    """No die: what she may do."""
    areas = move_strength(attack, tables).factor
    words = "she lays smoke in one area" if attack.action.smoke_laid else f"up to {areas} areas"
    return Resolved(Outcome(words=frozenset([words])))


def search_strength(attack: Attempt[Search, Vessel], tables: TableSet) -> Strength:
    """One die on the Search Table, where the searcher reaches so far."""
    searcher, ranges = attack.action.searcher, tables["search_ranges"]
    reach = ranges.text(searcher, "hexes")
    if reach != "any" and attack.action.distance_hexes > int(reach):
        rule = ranges.cell(searcher, "hexes").reference
        raise Forbidden(f"beyond the search range of {reach} hexes", rule)
    lines = list(tactical(attack.action.tactical))
    if searcher == "intelligence report":
        lines.append(listed(tables, searcher, searcher))
    if attack.action.fog:
        lines.append(listed(tables, "search in fog", "fog"))
    if attack.action.ice:
        lines.append(listed(tables, "search in partial ice", "partial ice"))
    return strength_of(_ONE_DIE, "10.2.1: one die", lines, label="Dice")


def run_search(attack: Attempt[Search, Vessel], dice: Dice, tables: TableSet) -> Resolved:
    """Search; the side that is searched for rolls in secret."""
    found = search_strength(attack, tables)
    thrown = throw(dice, "search", "10.2.1", tables["search"], "result", found.ledger.total)
    words = {
        "none": "nothing is found", "detected": "an active force is there",
        "accurate": "ships by type, accurate",
    }.get(thrown.result, f"ships by type, {thrown.result}")  # fmt: skip
    hit = thrown.result != "none"
    return Resolved(Outcome(hits=int(hit), words=frozenset([words])), (thrown,))


def shadow_strength(attack: Attempt[Shadowing, Vessel], tables: TableSet) -> Strength:
    """A die to shadow the convoy, less the escorts sent after the boat."""
    sent = attack.action.detached
    lines = [*tactical(attack.action.tactical)]
    if sent:
        lines.insert(0, listed(tables, "each escort detached", f"{sent} escorts detached", sent))
    return strength_of(_ONE_DIE, "13.6: one die", lines, label="Dice")


def run_shadow(attack: Attempt[Shadowing, Vessel], dice: Dice, tables: TableSet) -> Resolved:
    """Try to shadow the convoy."""
    modifier, table = shadow_strength(attack, tables).ledger.total, tables["submarine_warfare"]
    thrown = throw(dice, "shadow", "13.6", table, "shadow", modifier)
    shadowed = thrown.result == "yes"
    words = "PQ-17 is shadowed and detected" if shadowed else "the boat loses the convoy"
    thrown = replace(thrown, words="shadowed" if shadowed else "not shadowed")
    return Resolved(Outcome(hits=int(shadowed), words=frozenset([words])), (thrown,))


def submarine_strength(attack: Attempt[SubmarineAttack, Vessel], tables: TableSet) -> Strength:
    """The die for contact, and the column that the torpedoes are rolled on."""
    target, table, fleet = attack.victim, tables["submarines"], attack.action.submarine
    afloat(target)
    if attack.action.fog:
        raise Forbidden("submarines do not attack in fog", "13.8")
    if attack.action.attacks_made >= _MOST_ATTACKS:
        raise Forbidden(f"the boat has made its {_MOST_ATTACKS} attacks", "13.8")
    lines = [
        table_modifier(table, fleet, f"{fleet} submarine", column="contact"),
        *tactical(attack.action.tactical),
    ]
    fours = attack.action.escorts // _ESCORTS
    if fours:
        label = f"{attack.action.escorts} escorts"
        lines.insert(0, listed(tables, "each four escorts", label, fours))
    column = table.integer(fleet, "column")
    return strength_of(column, "13.7: column of the Damage Table", lines, target.cells, "Column")


def run_submarine(
    attack: Attempt[SubmarineAttack, Vessel], dice: Dice, tables: TableSet
) -> Resolved:
    """Contact, torpedoes, and the escorts' counterattack (13.5, 13.7, 13.9)."""
    found, table = submarine_strength(attack, tables), tables["submarine_warfare"]
    contact = throw(dice, "contact", "13.5", table, "attack", found.ledger.total)
    attacks = contact.result == "yes"
    contact = replace(contact, words="the boat attacks" if attacks else "no attack")
    if not attacks:
        return Resolved(Outcome(words=frozenset(["no attack"])), (contact,))
    share = tables["multipliers"].fraction("submarine torpedoes", "factor")
    blow = Blow(str(found.factor), 0, share, "13.7")
    struck = rolled_with((contact,), strike(dice, blow, attack.victim, tables))
    if not attack.action.hunters:
        return struck
    sunk, answer = check(
        dice, tables, "counterattack", "counterattack", ("submarine sunk", "it escapes")
    )
    more = Outcome(words=frozenset(["submarine sunk"] if sunk else []))
    return Resolved(struck.outcome + more, (*struck.throws, answer))
