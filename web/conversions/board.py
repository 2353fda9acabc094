"""Ships between a fight on the battle board and the page of conversions (72)."""

from collections.abc import Iterator
from urllib.parse import parse_qsl, urlencode

from werkzeug.datastructures import MultiDict

from combat.conversions import ConversionRules, GameLevel, marks_in_state
from combat.guided_actions import StartingMarks
from combat.library import conversion_rules
from combat.participants import Ship, ShipStatus
from combat.rulebook_info import Ruleset
from combat.tables import TableSet
from web.auth.seats import Caller
from web.conversions.address import (
    SHIP,
    Pairs,
    besides_of,
    conversion_ruleset,
    read_conversion_choice,
)
from web.games.free_game import FreeGame
from web.table.moment import Moment


def address_of_fight(now: FreeGame, ruleset: Ruleset, tables: TableSet) -> str:
    """The page of conversions with the ships of a fight, to be carried to the Advanced Game.

    Empty if the fight is none of the simpler game, or no ship of it could be carried over.
    """
    rules = conversion_rules(ruleset, tables)
    if now.record.ruleset != rules.board:
        return ""
    pairs = [pair for each in _afloat(now) for pair in _pairs_of(now, ruleset, rules, each)]
    if not pairs:
        return ""
    return f"/convert?{urlencode([('to', GameLevel.ADVANCED.value), *pairs])}"


def _afloat(now: FreeGame) -> Iterator[Ship]:
    for ship in now.state.ships:
        if now.rulebook.status(now.state, ship.id) is not ShipStatus.SUNK:
            yield ship


def _pairs_of(
    now: FreeGame,
    ruleset: Ruleset,
    rules: ConversionRules[object, StartingMarks],
    ship: Ship,
) -> Pairs:
    """A ship's part of the address; none for a flotilla, which has no sheet there."""
    type_ = ruleset.ships.find(ship.type)
    if type_ is None or not rules.mark_keys(type_.name):
        return []
    state = now.rulebook.state_document(ship, now.state.marks[ship.id])
    marks = marks_in_state(rules, ship, state)
    typed = [
        (f"{key}:{ship.name}", str(value).lower() if isinstance(value, bool) else str(value))
        for key, value in marks.items()
    ]
    return [(SHIP, ship.name), *besides_of(ship, type_), *typed]


def ships_for_board(
    said: str, moment: Moment, caller: Caller, tables: TableSet
) -> tuple[str, tuple[tuple[Ship, dict[str, object]], ...]]:
    """The rulebook that plays the simpler game, and the ships of a page that are handed back to it.

    Each comes with all the marks that the simpler game has for her.
    """
    ruleset = conversion_ruleset(moment)
    args = MultiDict([*parse_qsl(said), ("to", GameLevel.BASIC.value)])
    chosen = read_conversion_choice(args, moment, caller, tables)
    rules = conversion_rules(ruleset, tables)
    found = tuple(
        (each.ship, rules.marks_document(each.marks))
        for each in chosen.conversions
        if each.marks is not None
    )
    return rules.board, found
