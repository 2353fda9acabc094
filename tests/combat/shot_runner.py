"""Shot files asked of a rulebook's engine, for tests."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from combat.actions import ActionOffer
from combat.dice import Dice, TypedDice
from combat.forecast import Forecast
from combat.participants import Ship
from combat.previews import Line, Preview
from combat.questions import Question
from combat.record_sheets import RecordSheet
from combat.rulebook_info import Ruleset
from combat.shot_file import Shot, ShotForm, forecast_shots, found_in, resolve_shot
from combat.tables import TableSet
from tabletop.documents import parse_toml
from tabletop.messages import Message
from web.strings import words

SOURCE = "x.toml"
"""What every shot file is called in messages."""
Document = Mapping[str, object]
"""A shot file that has been parsed."""


@dataclass(frozen=True, slots=True)
class Told:
    """What came of a shot."""

    document: Mapping[str, Any]
    story: tuple[Line, ...]
    marks: Mapping[str, Mapping[str, Any]]
    """All that is marked on the ships of the shot afterwards, by role."""
    marked: Mapping[str, Mapping[str, Any]]
    """Of this, what is otherwise on a fresh ship."""
    changed: frozenset[str]
    """The roles of the ships whose marks are others than before."""


def in_words(document: Any) -> Any:
    """A document as it is printed."""
    if isinstance(document, Message):
        return words(document)
    if isinstance(document, Mapping):
        return {key: in_words(value) for key, value in document.items()}
    return [in_words(each) for each in document] if isinstance(document, list) else document


def texts(story: Sequence[Line]) -> list[str]:
    """The lines of a story in words."""
    return [words(line.text) for line in story]


def outcomes_in_words(forecast: Forecast) -> dict[str, float]:
    """All that may come of a roll, as `dreyer forecast` prints it."""
    return {words(each): share for each, share in forecast.results.items()} | dict(
        forecast.outcomes
    )


class ShotRunner:
    """Answers shot files, as TOML text or parsed, by the rules of one ruleset."""

    def __init__(self, ruleset: Ruleset, tables: TableSet | None = None) -> None:
        assert ruleset.rulebook is not None
        self.rulebook = ruleset.rulebook(ruleset.tables if tables is None else tables)
        self.form = ShotForm(self.rulebook)

    def read(self, shot: str | Document) -> Shot[Any]:
        document = parse_toml(shot.encode(), SOURCE) if isinstance(shot, str) else shot
        return self.form.read(document, SOURCE)

    def resolve(self, shot: str | Document, dice: str | Dice) -> Told:
        """What came of it; dice that are typed must be as many as it takes."""
        rolls = TypedDice(dice) if isinstance(dice, str) else dice
        opened = self.read(shot)
        before = opened.state
        outcome = resolve_shot(self.rulebook, opened, rolls)
        if isinstance(rolls, TypedDice):
            rolls.finish()
        after = outcome.state.marks
        marks = {s.side: self.rulebook.state_document(s, after[s.id]) for s in before.ships}
        return Told(
            in_words(self.rulebook.document(outcome.events)),
            self.rulebook.story(outcome.events),
            marks,
            {ship.side: self._marked(ship, marks[ship.side]) for ship in before.ships},
            frozenset(s.side for s in before.ships if after[s.id] != before.marks[s.id]),
        )

    def preview(self, shot: str | Document) -> Preview:
        opened = self.read(shot)
        return self.rulebook.check(opened.state, opened.action)

    def forecast(self, shots: Sequence[str | Document]) -> Forecast:
        return forecast_shots(self.rulebook, [self.read(shot) for shot in shots])

    def offers(self, ship_type: str) -> tuple[ActionOffer, ...]:
        return self.rulebook.offers(ship_type)

    def asked(self, by: str, at: str) -> dict[str, dict[str, Question]]:
        """What pages ask of ships of these types: by table and key, then by kind of action."""
        ships = [Ship(name, name, "", name) for name in (by, at)]
        found: dict[str, dict[str, Question]] = {}
        for info in self.rulebook.infos:
            for each in self.rulebook.questions_for(info, *ships):
                if each.by_page:
                    found.setdefault(f"{each.table}.{each.key}", {})[info.kind] = each
        return found

    def sheet(
        self, name: str, ship_type: str, side: str, state: Mapping[str, object]
    ) -> RecordSheet:
        """The record sheet of a ship with marks as [firer.state] has them."""
        ship = Ship(name, name, side, self.rulebook.ship_types.named(ship_type, name).name)
        written = self.form.read_marks(state, name)
        if written is None:
            return self.rulebook.record_sheet(ship, self.rulebook.fresh(ship))
        with found_in(name):
            return self.rulebook.record_sheet(ship, self.rulebook.marks_from(ship, written))

    def _marked(self, ship: Ship, marks: Mapping[str, Any]) -> dict[str, Any]:
        fresh = self.rulebook.state_document(ship, self.rulebook.fresh(ship))
        return {key: value for key, value in marks.items() if value != fresh.get(key)}
