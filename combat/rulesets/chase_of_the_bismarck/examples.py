"""The book's worked examples, and figures that its rules state, replayed through the engine.

The cases are data, `examples.toml`: attacks by name, and what the engine is asked about them.
"""

from collections.abc import Callable, Iterator, Mapping
from importlib.resources import files

from combat.rulesets.chase_of_the_bismarck.board import (
    Counter,
    aborts,
    allowance,
    enters,
    move,
    range_of,
    start_zone,
    zones_between,
)
from combat.rulesets.chase_of_the_bismarck.fire import as_document, resolve_attack
from combat.rulesets.chase_of_the_bismarck.shot import (
    Forbidden,
    Position,
    Shot,
    dice_of,
    ledger_of,
)
from combat.rulesets.chase_of_the_bismarck.shotfile import SHOT_TABLES, shot_of
from combat.rulesets.chase_of_the_bismarck.tabledata import NAME
from combat.rulesets.chase_of_the_bismarck.ten_sided import TenSidedDice
from combat.tables import TableSet
from combat.verify import Case, CaseSource, Figure
from tabletop.fields import Fields, parse_toml

_SOURCE = f"{NAME}/examples.toml"
_CASE_KEYS = ("rule", "source", "what", "kind", "given", "expected", "book_conflict")
_LONGEST_WORDS = 300


class _Engine:
    """The tables and the named attacks that cases ask about; each method is a kind of case."""

    def __init__(self, tables: TableSet, shots: Mapping[str, Shot]) -> None:
        self.tables = tables
        self.shots = shots

    def _shot(self, given: Fields) -> Shot:
        return self.shots[given.choice("shot", self.shots)]

    def dice(self, given: Fields) -> Figure:
        """How many dice an attack rolls."""
        return dice_of(self._shot(given), self.tables)

    def modifiers(self, given: Fields) -> Figure:
        """Every modifier of an attack that is not nought, in order."""
        return [line.value for line in ledger_of(self._shot(given), self.tables) if line.value]

    def resolve(self, given: Fields) -> Figure:
        """What a document of the resolved attack says under one of its keys."""
        dice = TenSidedDice(given.text("dice"))
        document: object = as_document(resolve_attack(self._shot(given), dice, self.tables))
        dice.finish()
        for key in given.text("show").split("."):
            document = document[key] if isinstance(document, Mapping) else None
        return _figure(document)

    def start(self, given: Fields) -> Figure:
        """Sea zones between the sides and the range, after the attacker closed some zones."""
        level = given.integer("visibility", least=1, most=9)
        board: tuple[Counter, ...] = _opponents(
            given, start_zone(level, True), start_zone(level, False)
        )
        closed = given.integer("closing", 0, least=0, most=9)
        if closed:
            board = move(board, "attacker", Position.CLOSING, closed, self.tables)
        between = zones_between(*(ship.zone for ship in board))
        return [between, range_of(between, self.tables)]

    def allowance(self, given: Fields) -> Figure:
        """Movement zones of a ship."""
        return allowance(_opponents(given, 1, 27)[0], self.tables)

    def abort(self, given: Fields) -> Figure:
        """Whether the attacker leaves the combat."""
        ship, enemy = _opponents(given, 1, given.integer("enemy_zone", 27, least=1, most=27))
        dice = TenSidedDice(given.text("dice"))
        return "success" if aborts(ship, [enemy], dice, self.tables) else "failure"

    def reinforcement(self, given: Fields) -> Figure:
        """Whether a ship enters in a round."""
        combat_round = given.integer("round", least=1, most=99)
        dice = TenSidedDice(given.text("dice"))
        return "enters" if enters("she", combat_round, dice, self.tables) else "stays out"


_GIVEN: Mapping[str, tuple[str, ...]] = {
    "dice": ("shot",),
    "modifiers": ("shot",),
    "resolve": ("shot", "dice", "show"),
    "start": ("visibility", "closing", "evasion"),
    "allowance": ("evasion", "rudder_damaged"),
    "abort": ("position", "evasion", "enemy_zone", "dice"),
    "reinforcement": ("round", "dice"),
}
"""The kinds of cases, and what each is given."""


def replayed(tables: TableSet) -> Iterator[Case]:
    """Replay every case that comes with the ruleset, with these tables."""
    document = parse_toml((files(__package__) / "examples.toml").read_bytes(), _SOURCE)
    fields = Fields(document, _SOURCE, ("shot", "case"))
    written = document.get("shot", {})
    names = tuple(written) if isinstance(written, dict) else ()
    shots = fields.table("shot", names)
    engine = _Engine(
        tables, {name: shot_of(shots.table(name, SHOT_TABLES), tables) for name in names}
    )
    for case in fields.tables("case", _CASE_KEYS):
        kind = case.choice("kind", _GIVEN)
        replay: Callable[[Fields], Figure] = getattr(engine, kind)
        try:
            got = replay(case.table("given", _GIVEN[kind]))
        except Forbidden as refusal:
            got = f"refused: {refusal.rule}"
        conflict = "book_conflict" in case
        yield Case(
            ruleset=NAME,
            rule=case.text("rule"),
            source=CaseSource(case.choice("source", list(CaseSource))),
            what=case.text("what", most=_LONGEST_WORDS),
            expected=_figure(case.value("expected", "the book's figure")),
            got=got,
            book_conflict=case.text("book_conflict", most=_LONGEST_WORDS) if conflict else None,
        )


def _opponents(given: Fields, zone: int, enemy_zone: int) -> tuple[Counter, Counter]:
    """An attacker as given, and a defender of an evasion rating of 30 who lies across her way."""
    position = Position.CLOSING
    if "position" in given:
        position = Position(given.choice("position", list(Position)))
    evasion = given.integer("evasion", 32, least=0, most=40)
    rudder = "rudder_damaged" in given and given.flag("rudder_damaged")
    ship = Counter("attacker", True, zone, position, evasion, rudder)
    return ship, Counter("defender", False, enemy_zone, Position.OPENING, 30)


def _figure(value: object) -> Figure:
    if isinstance(value, list):
        return [_figure(each) for each in value]
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, int | float) else str(value)
