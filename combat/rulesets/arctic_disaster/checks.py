"""What is not a blow: searches, submarines, disengagement, and the dice of the events."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from combat.attack_rules import Strength
from combat.dice import Dice
from combat.modifiers import Modifier
from combat.one_die import Throw, half_up, line_of, roll, strength_of, throw
from combat.provenance import Provenance
from combat.report import Forbidden
from combat.rulesets.arctic_disaster.asking import LAST_ROUND, Battery
from combat.rulesets.arctic_disaster.rolling import Attack, Outcome, Rolled, check, listed
from combat.rulesets.arctic_disaster.strike import Blow, afloat, rolled_with, strike
from combat.rulesets.arctic_disaster.tabledata import ROUNDS
from combat.tables import TableSet

_MOST_ATTACKS = 4
_ESCORTS = 4
_ONE_DIE = 1


@dataclass(frozen=True, slots=True)
class Check:
    """One die that succeeds or not."""

    row: str
    yes: str
    no: str
    lines: Callable[[Attack, TableSet], Iterator[Modifier]]


def _no_lines(_attack: Attack, _tables: TableSet) -> Iterator[Modifier]:
    return iter(())


def _disengaging(attack: Attack, tables: TableSet) -> Iterator[Modifier]:
    fought = attack.number("round") - 1
    if attack.flag("convoy_leaves"):
        raise Forbidden("the convoy cannot disengage", "11.4.9")
    if fought + 1 >= LAST_ROUND:
        raise Forbidden("the eighth round ends the combat without a die", "11.4.9")
    if fought:
        yield listed(tables, "disengage, each round before", f"{fought} rounds before", fought)
    if attack.flag("fog"):
        yield listed(tables, "disengage in fog", "fog")


def _fog(attack: Attack, tables: TableSet) -> Iterator[Modifier]:
    if attack.flag("shadowed"):
        yield listed(tables, "new fog, convoy shadowed", "PQ-17 is shadowed")


def _home_fleet(attack: Attack, tables: TableSet) -> Iterator[Modifier]:
    if attack.flag("tirpitz_at_sea"):
        yield listed(tables, "Tirpitz detected at sea", "Tirpitz is detected at sea")
    if attack.flag("scattered"):
        yield listed(tables, "Home Fleet, convoy scattered", "PQ-17 has scattered")


def _hitler(attack: Attack, tables: TableSet) -> Iterator[Modifier]:
    where = {"near": "detected near", "far": "detected far off", "sunk": "sunk"}
    if attack.word("victorious") in where:
        words = f"Victorious {where[attack.word('victorious')]}"
        yield listed(tables, words, words)
    if attack.flag("scattered"):
        yield listed(tables, "Hitler, convoy scattered", "PQ-17 has scattered")


CHECKS: Mapping[Battery, Check] = {
    Battery.DISENGAGE: Check("disengage", "the combat ends", "the combat goes on", _disengaging),
    Battery.NEW_FOG: Check("new fog", "the force is lost from sight", "it stays detected", _fog),
    Battery.SHADOW_IN_FOG: Check(
        "shadow in fog", "the shadow is lost", "the shadow holds", _no_lines
    ),
    Battery.GROUNDING: Check("grounding", "she runs aground", "she gets through", _no_lines),
    Battery.HOME_FLEET: Check(
        "Home Fleet", "it may enter the Barents Sea", "it stays out", _home_fleet
    ),
    Battery.HITLER: Check("Hitler", "Tirpitz stays at sea", "Tirpitz must return", _hitler),
}


def check_strength(attack: Attack, tables: TableSet) -> Strength:
    """One die with its modifiers."""
    plan = CHECKS[attack.battery]
    cell = tables["checks"].cell(plan.row, "least")
    reference = f"{cell.reference}: one die"
    return strength_of(_ONE_DIE, reference, [*plan.lines(attack, tables)], [cell], "Dice")


def run_check(attack: Attack, dice: Dice, tables: TableSet) -> Rolled:
    """Roll it."""
    plan, found = CHECKS[attack.battery], check_strength(attack, tables)
    passed, thrown = check(dice, tables, plan.row, "die", (plan.yes, plan.no), found.ledger.total)
    return Rolled(Outcome(hits=int(passed), words=frozenset([thrown.result])), (thrown,))


def movement_cost(attack: Attack, tables: TableSet) -> str:
    """The movement points that a combat of so many rounds costs the active force (7.6.4)."""
    row = next(row for row, last in ROUNDS.items() if attack.number("round") <= last)
    points = tables["mp_penalty"].text(row, "points")
    if points == "all" or not attack.flag("maximum_speed"):
        return points
    return str(half_up(Fraction(3 * int(points), 2)))


def first_move_strength(_attack: Attack, _tables: TableSet) -> Strength:
    """A die for each side."""
    return strength_of(_ONE_DIE, "11.4.3: a die for each side", [], label="Dice")


def run_first_move(_attack: Attack, dice: Dice, _tables: TableSet) -> Rolled:
    """Who decides which side moves first."""
    mine, theirs = roll(dice, "active player"), roll(dice, "other player")
    words = "the active player decides" if mine > theirs else "the other player decides"
    words = "a tie: roll again" if mine == theirs else words
    throws = tuple(
        Throw(who, "11.4.3", die, 0, "rolled", Provenance.PRINTED)
        for who, die in (("active player", mine), ("other player", theirs))
    )
    return Rolled(Outcome(hits=int(mine > theirs), words=frozenset([words])), throws)


def move_strength(attack: Attack, _tables: TableSet) -> Strength:
    """The areas that a ship may enter in this round."""
    ship = attack.ship
    afloat(ship)
    if not attack.flag("smoke_laid"):
        areas = max(0, ship.move - attack.number("marker"))
        return strength_of(areas, "11.4.3: areas she may enter", [], ship.cells, "Areas")
    if ship.unit not in ("DD", "TB"):
        raise Forbidden(f"a {ship.unit} lays no smoke", "11.4.6")
    return strength_of(0, "11.4.6: laying smoke takes all her movement", [], ship.cells, "Areas")


def run_move(attack: Attack, _dice: Dice, tables: TableSet) -> Rolled:
    """No die: what she may do."""
    areas = move_strength(attack, tables).factor
    words = "she lays smoke in one area" if attack.flag("smoke_laid") else f"up to {areas} areas"
    return Rolled(Outcome(words=frozenset([words])))


def search_strength(attack: Attack, tables: TableSet) -> Strength:
    """One die on the Search Table, where the searcher reaches so far."""
    searcher, ranges = attack.word("searcher"), tables["search_ranges"]
    reach = ranges.text(searcher, "hexes")
    if reach != "any" and attack.number("distance_hexes") > int(reach):
        rule = ranges.cell(searcher, "hexes").reference
        raise Forbidden(f"beyond the search range of {reach} hexes", rule)
    lines = list(attack.tactical())
    if searcher == "intelligence report":
        lines.append(listed(tables, searcher, searcher))
    for flag, words in (("fog", "search in fog"), ("ice", "search in partial ice")):
        if attack.flag(flag):
            lines.append(listed(tables, words, words.removeprefix("search in ")))
    return strength_of(_ONE_DIE, "10.2.1: one die", lines, label="Dice")


def run_search(attack: Attack, dice: Dice, tables: TableSet) -> Rolled:
    """Search; the side that is searched for rolls in secret."""
    found = search_strength(attack, tables)
    thrown = throw(dice, "search", "10.2.1", tables["search"], "result", found.ledger.total)
    words = {
        "none": "nothing is found", "detected": "an active force is there",
        "accurate": "ships by type, accurate",
    }.get(thrown.result, f"ships by type, {thrown.result}")  # fmt: skip
    hit = thrown.result != "none"
    return Rolled(Outcome(hits=int(hit), words=frozenset([words])), (thrown,))


def shadow_strength(attack: Attack, tables: TableSet) -> Strength:
    """A die to shadow the convoy, less the escorts sent after the boat."""
    sent = attack.number("detached")
    lines = [*attack.tactical()]
    if sent:
        lines.insert(0, listed(tables, "each escort detached", f"{sent} escorts detached", sent))
    return strength_of(_ONE_DIE, "13.6: one die", lines, label="Dice")


def run_shadow(attack: Attack, dice: Dice, tables: TableSet) -> Rolled:
    """Try to shadow the convoy."""
    modifier, table = shadow_strength(attack, tables).ledger.total, tables["submarine_warfare"]
    thrown = throw(dice, "shadow", "13.6", table, "shadow", modifier)
    shadowed = thrown.result == "yes"
    words = "PQ-17 is shadowed and detected" if shadowed else "the boat loses the convoy"
    thrown = replace(thrown, words="shadowed" if shadowed else "not shadowed")
    return Rolled(Outcome(hits=int(shadowed), words=frozenset([words])), (thrown,))


def submarine_strength(attack: Attack, tables: TableSet) -> Strength:
    """The die for contact, and the column that the torpedoes are rolled on."""
    target, table, fleet = attack.victim, tables["submarines"], attack.word("submarine")
    afloat(target)
    if attack.flag("fog"):
        raise Forbidden("submarines do not attack in fog", "13.8")
    if attack.number("attacks_made") >= _MOST_ATTACKS:
        raise Forbidden(f"the boat has made its {_MOST_ATTACKS} attacks", "13.8")
    lines = [line_of(table, fleet, f"{fleet} submarine", column="contact"), *attack.tactical()]
    fours = attack.number("escorts") // _ESCORTS
    if fours:
        label = f"{attack.number('escorts')} escorts"
        lines.insert(0, listed(tables, "each four escorts", label, fours))
    column = table.integer(fleet, "column")
    return strength_of(column, "13.7: column of the Damage Table", lines, target.cells, "Column")


def run_submarine(attack: Attack, dice: Dice, tables: TableSet) -> Rolled:
    """Contact, torpedoes, and the escorts' counterattack (13.5, 13.7, 13.9)."""
    found, table = submarine_strength(attack, tables), tables["submarine_warfare"]
    contact = throw(dice, "contact", "13.5", table, "attack", found.ledger.total)
    attacks = contact.result == "yes"
    contact = replace(contact, words="the boat attacks" if attacks else "no attack")
    if not attacks:
        return Rolled(Outcome(words=frozenset(["no attack"])), (contact,))
    share = tables["multipliers"].fraction("submarine torpedoes", "factor")
    blow = Blow(str(found.factor), 0, share, "13.7")
    struck = rolled_with((contact,), strike(dice, blow, attack.victim, tables))
    if not attack.flag("hunters"):
        return struck
    sunk, answer = check(
        dice, tables, "counterattack", "counterattack", ("submarine sunk", "it escapes")
    )
    more = Outcome(words=frozenset(["submarine sunk"] if sunk else []))
    return Rolled(struck.outcome + more, (*struck.throws, answer))
