"""The book's worked examples, and figures that its rules state, replayed through the engine.

The cases are data: `examples.toml` asks about rolls, `board.toml` about the Battle Board.
"""

from collections.abc import Iterator, Mapping
from importlib.resources import files

from combat.case_file import Kind, replay_cases
from combat.rulesets.chase_of_the_bismarck.board import (
    LAST_ZONE,
    Counter,
    Position,
    allowance,
    move,
    range_of,
    start_zone,
    zones_between,
)
from combat.rulesets.chase_of_the_bismarck.rulebook import ChaseRulebook
from combat.rulesets.chase_of_the_bismarck.tabledata import NAME, load_ships
from combat.shot_cases import replay_shots
from combat.tables import TableSet
from combat.verify import Case, Figure
from tabletop.fields import Fields


def replayed(tables: TableSet) -> Iterator[Case]:
    """Replay every case that comes with the ruleset, with these tables."""
    folder = files(__package__)
    rulebook = ChaseRulebook(tables, load_ships())
    yield from replay_shots((folder / "examples.toml").read_bytes(), rulebook)

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

    kinds: Mapping[str, Kind] = {
        "start": (start, ("visibility", "closing")),
        "allowance": (moves, ("evasion", "rudder_damaged")),
    }
    data = (folder / "board.toml").read_bytes()
    yield from replay_cases(NAME, data, f"{NAME}/board.toml", kinds)
