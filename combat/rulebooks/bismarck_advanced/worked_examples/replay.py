"""What a replay of a worked example works with; the kinds are in `replay_fire`, `replay_battle`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from combat.modifiers import Ledger
from combat.rulebooks.bismarck_advanced.combat_tables import Card
from combat.rulebooks.bismarck_advanced.editions import CURRENT, Edition
from combat.rulebooks.bismarck_advanced.fire.ledger import modifications
from combat.rulebooks.bismarck_advanced.fire.options import Options
from combat.rulebooks.bismarck_advanced.fire.shot import Shot, check_allowed
from combat.rulebooks.bismarck_advanced.fleet.warship_files import load_warships
from combat.rulebooks.bismarck_advanced.fleet.warships import Warship
from combat.tables import TableSet
from combat.verification import Figure
from tabletop.errors import UnknownName
from tabletop.fields import Fields
from tabletop.rules import TableRules

NOTHING = "none"
"""The figure where nothing comes of it."""
_MOST = 1_000


@dataclass(frozen=True, slots=True)
class Engine:
    """What a replay works with: the tables, the table's measures, and the shots of the file."""

    tables: TableSet
    rules: TableRules
    shots: Mapping[str, Shot]
    options: Mapping[str, Options]
    """The optional rules of each shot."""
    edition: Edition = CURRENT

    @property
    def card(self) -> Card:
        """The tables as the rules read them."""
        return Card.of(self.tables, self.edition)

    def ledger(self, given: Fields) -> Ledger:
        """Every modification of the shot that a case names."""
        return modifications(self.shot(given), self.card, self.options[given.text("shot")])

    def shot(self, given: Fields) -> Shot:
        """The shot that a case names."""
        name = given.text("shot")
        if name not in self.shots:
            raise UnknownName(given.place, "shot", name, tuple(self.shots))
        return self.shots[name]

    def allowed_shot(self, given: Fields) -> Shot:
        """The shot that a case names, once the rules have let it pass."""
        shot = self.shot(given)
        check_allowed(shot)
        return shot


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of case: the keys that it may be given, and its way through the engine."""

    keys: tuple[str, ...]
    replay: Callable[[Fields, Engine], Figure]


def warship(given: Fields) -> Warship:
    """The ship that a case names."""
    return load_warships().named(given.text("ship"), given.place)


def number(given: Fields, key: str, default: int | None = None) -> int:
    """A whole number that a case gives."""
    if default is None:
        return given.integer(key, least=0, most=_MOST)
    return given.integer(key, default, least=0, most=_MOST)


def exact(number: Fraction) -> int | float:
    """A fraction as a book prints it: whole if it is whole."""
    return int(number) if number.denominator == 1 else float(number)
