"""What the book's worked examples ask about the Battle Board; the cases are `examples.toml`."""

from collections.abc import Mapping

from combat.case_file import Kind
from combat.rulebooks.chase_of_the_bismarck.board import (
    LAST_ZONE,
    Counter,
    Position,
    allowance,
    move,
    range_of,
    start_zone,
    zones_between,
)
from combat.rulebooks.chase_of_the_bismarck.rulebook import ChaseRulebook
from combat.shot_cases import Named
from combat.verification import Figure
from tabletop.fields import Fields


def board_kinds(rulebook: ChaseRulebook, _named: Named) -> Mapping[str, Kind]:
    """Kinds of cases about the Battle Board, which are about no shot."""
    tables = rulebook.tables

    def start(given: Fields) -> Figure:
        """Sea zones between the sides and the range, after the attacker closed some zones."""
        level = given.integer("visibility", least=1, most=9)
        she = Counter("she", True, start_zone(level, True), Position.CLOSING, 32)
        they = Counter("they", False, start_zone(level, False), Position.OPENING, 30)
        closed = given.integer("closing", 0, least=0, most=LAST_ZONE)
        board = move((she, they), "she", Position.CLOSING, closed, tables)
        between = zones_between(*(ship.zone for ship in board))
        return [between, range_of(between, tables)]

    def moves(given: Fields) -> Figure:
        evasion = given.integer("evasion", least=0, most=40)
        rudder = given.flag("rudder_damaged", False)
        return allowance(Counter("she", True, 1, Position.CLOSING, evasion, rudder), tables)

    return {
        "start": (start, ("visibility", "closing")),
        "allowance": (moves, ("evasion", "rudder_damaged")),
    }
