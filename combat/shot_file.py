"""Shot files: one action and the ships that take part in it, as a TOML or JSON document.

    ruleset, edition, [firer] name, type, [firer.state], [target] …, [fire] battery …,
    [conditions] …

The keys are those of the rulebook's actions and marks (`combat.questions`). A key may stand in a
file whether or not the action at hand uses it. `describe` lists them all.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from combat.actions import Action, ActionInfo, AddShip
from combat.dice import Dice, TypedDice
from combat.forecast import Forecast
from combat.free_play import FreeRulebook, FreeState
from combat.participants import Ship
from combat.previews import REQUIRED, Forbidden, ShotKey
from combat.questions import Question, questions, read_value
from combat.rulebook import Outcome
from tabletop.errors import BadField, DreyerError, UnknownName
from tabletop.fields import Fields
from tabletop.messages import NO_WORDS, Message, verbatim
from tabletop.schema import Takes

M = TypeVar("M")
KIND = "battery"
"""The key of [fire] that says which action it is."""
Answers = dict[tuple[str, str], object]
"""Checked values by their table and key."""
_ROLES = ("firer", "target")
_AS_ON_CARD = Message("schema.shot.as_on_card")
_ORDER = ("firer", "target", "fire", "conditions", "options")


@contextmanager
def found_in(place: str) -> Iterator[None]:
    """Say where a value stands that a rulebook refuses for these ships."""
    try:
        yield
    except (BadField, UnknownName) as error:
        raise (error.within(place) if place else error) from None


@dataclass(frozen=True, slots=True)
class Shot(Generic[M]):
    """A battle of the ships in a shot file, and the action to play in it."""

    state: FreeState[M]
    action: Action
    source: str
    """What to call the file in messages."""


class ShotForm(Generic[M]):
    """The keys of a rulebook's shot files."""

    def __init__(self, rulebook: FreeRulebook[M]) -> None:
        self._rulebook = rulebook
        self._asked: dict[tuple[str, str], Question] = {}
        self._kinds: dict[tuple[str, str], list[str]] = {}
        for info in rulebook.infos:
            for each in questions(info.type):
                if not each.by_file:
                    continue
                place = each.table, each.key
                self._asked.setdefault(place, each)
                self._kinds.setdefault(place, []).append(info.kind)
        self._marks = questions(rulebook.state_type)

    # Reading

    def read(self, document: Mapping[str, object], place: str) -> Shot[M]:
        """The shot in a document."""
        return self.read_fields(Fields(document, place, ("ruleset", "edition", *self.tables)))

    def read_fields(self, document: Fields) -> Shot[M]:
        """The shot in an opened table that is laid out as a shot file is."""
        answers = self._answers(document)
        fire = document.table("fire", self._known("fire"))
        infos = self._rulebook.info_by_kind
        info = infos[fire.choice(KIND, infos, next(iter(infos)))]
        ships: dict[str, Ship] = {}
        marks: dict[str, Any] = {}
        for role in _ROLES:
            fields = document.table(role, self._known(role))
            marks[role] = self.read_marks(fields.table("state", self.mark_keys))
            if info.by_ship if role == "firer" else info.at_ship:
                ships[role] = self._ship(fields, role, ships.get("firer"))
            else:
                _check_names(fields)
        firer, target = ships.get("firer"), ships.get("target")
        if firer and target and firer.id == target.id:
            # The target keeps her id: she has it in the shots of all who fire at her.
            firer = ships["firer"] = replace(firer, id=f"{firer.name} 2")
        # Nobody counts the rounds of a single shot.
        state: FreeState[M] = FreeState(round_number=0)
        for role, ship in ships.items():
            state = self.add(state, ship, marks[role], f"{document.place}, [{role}]")
        types = {role: self._rulebook.ship_type(ship) for role, ship in ships.items()}
        for each in questions(info.type):
            if each.required_in_file and (each.table, each.key) not in answers:
                table = document.table(each.table, self._known(each.table))
                put = self._rulebook.question(each, types.get("firer"), types.get("target"))
                raise table.missing(each.key, put.expected)
        by, at = firer.id if firer else None, target.id if target else None
        action = self._action(info, by, at, answers, fire)
        with found_in(document.place):
            self._rulebook.attempt(state, action)
        return Shot(state, action, document.place)

    def action(
        self, kind: str, by: str | None, at: str | None, answers: Fields, more: Answers
    ) -> Action:
        """An action from answers without their tables, and from more that is known already."""
        found = dict(more)
        for place, question in self._asked.items():
            table, key = place
            if table in _ROLES:
                own = answers.table(table, self._ship_keys(table))
                if key in own:
                    value = own.value(key, question.expected)
                    found[place] = read_value(question, value, own.place)
            elif key in answers:
                value = answers.value(key, question.expected)
                found[place] = read_value(question, value, answers.place)
        return self._action(self._rulebook.info_by_kind[kind], by, at, found, answers)

    @property
    def answer_keys(self) -> tuple[str, ...]:
        """The keys of [fire], [conditions] and [options], without their tables."""
        own = (key for table, key in self._asked if table not in _ROLES)
        return (*dict.fromkeys(own), *_ROLES)

    @property
    def ship_keys(self) -> tuple[str, ...]:
        """The keys that [firer] or [target] has besides a ship's name, type and state."""
        return tuple(dict.fromkeys(key for role in _ROLES for key in self._ship_keys(role)))

    def ship_answers(self, fields: Fields, role: str) -> Answers:
        """The keys of [firer] or [target] in an opened table of a ship."""
        found: Answers = {}
        for key in self._ship_keys(role):
            if key in fields:
                question = self._asked[role, key]
                value = fields.value(key, question.expected)
                found[role, key] = read_value(question, value, fields.place)
        return found

    @property
    def mark_keys(self) -> tuple[str, ...]:
        """The keys of [firer.state] and [target.state]."""
        return tuple(each.key for each in self._marks)

    def read_marks(self, fields: Fields) -> Any:
        """A ship's state, with the keys of [firer.state]; None where nothing is stated."""
        found = {
            each.name: read_value(each, fields.value(each.key, each.expected), fields.place)
            for each in self._marks
            if each.key in fields
        }
        return self._rulebook.state_type(**found) if found else None

    def add(self, state: FreeState[M], ship: Ship, marks: Any, place: str = "") -> FreeState[M]:
        """A battle with one more ship, whose table stands at this place."""
        action = AddShip(ship=ship, marks=marks)
        with found_in(place):
            return self._rulebook.play(state, action, TypedDice("")).state

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables that a shot file may have."""
        used = {table for table, _ in self._asked}
        return tuple(table for table in _ORDER if table in used or table != "options")

    # Describing

    def describe(self) -> Iterator[ShotKey]:
        """Every key, in the order in which people write them."""
        name = self._rulebook.name
        text = Message("schema.shot.text")
        without = verbatim(name) if self._rulebook.usual_in_files else REQUIRED
        yield ShotKey("ruleset", text, without, Message("schema.shot.ruleset", name=name))
        editions = tuple(map(str, self._rulebook.editions))
        if len(editions) > 1:
            takes = Message("schema.names", choices=editions)
            meaning = Message("schema.shot.edition")
            yield ShotKey("edition", takes, verbatim(editions[-1]), meaning)
        for role in _ROLES:
            without = REQUIRED if self._always(role) else Message("schema.shot.required_if_used")
            yield ShotKey(f"{role}.name", text, without, Message("schema.shot.name"))
            without = Message("schema.shot.type_default")
            yield ShotKey(f"{role}.type", text, without, Message("schema.shot.type"))
            yield from self._described_table(role)
            for each in self._marks:
                yield _described(each, f"{role}.state", _AS_ON_CARD, ())
        kinds = tuple(self._rulebook.info_by_kind)
        takes = Message("schema.names", choices=kinds)
        meaning = Message("schema.shot.kind")
        yield ShotKey(f"fire.{KIND}", takes, verbatim(kinds[0]), meaning)
        for table in ("fire", "conditions", "options"):
            yield from self._described_table(table)

    def _described_table(self, table: str) -> Iterator[ShotKey]:
        without = _AS_ON_CARD if table in _ROLES else Message("schema.shot.required_if_matters")
        for (own, key), question in self._asked.items():
            if own == table:
                kinds = self._kinds[own, key]
                every = len(kinds) == len(self._rulebook.infos)
                required = every and (question.required or question.required_in_file)
                told = _described(question, table, without, () if every else tuple(kinds))
                yield replace(told, default=REQUIRED) if required else told

    # Parts

    def _action(
        self, info: ActionInfo, by: str | None, at: str | None, answers: Answers, place: Fields
    ) -> Action:
        values: dict[str, Any] = {"kind": info.kind}
        if info.by_ship:
            values["by"] = by
        if info.at_ship:
            values["at"] = at
        for each in questions(info.type):
            found = answers.get((each.table, each.key), each.default)
            if found is None and each.required:
                raise place.missing(each.key, each.expected)
            values[each.name] = found
        return info.type(**values)

    def _answers(self, document: Fields) -> Answers:
        """Every value of the file, checked, whether or not the action uses it."""
        found: Answers = {}
        for table in self.tables:
            opened = document.table(table, self._known(table))
            for (own, key), question in self._asked.items():
                if own == table and key in opened:
                    value = opened.value(key, question.expected)
                    found[own, key] = read_value(question, value, opened.place)
        return found

    def _known(self, table: str) -> tuple[str, ...]:
        own = tuple(key for each, key in self._asked if each == table)
        if table in _ROLES:
            return ("name", "type", *own, "state")
        return (KIND, *own) if table == "fire" else own

    def _always(self, role: str) -> bool:
        """Whether a ship of this role takes part in every action."""
        infos = self._rulebook.infos
        return all(info.by_ship if role == "firer" else info.at_ship for info in infos)

    def _ship_keys(self, role: str) -> tuple[str, ...]:
        return tuple(key for each, key in self._asked if each == role)

    def _ship(self, fields: Fields, role: str, other: Ship | None) -> Ship:
        if "name" not in fields and (self._always(role) or "type" not in fields):
            raise fields.missing("name", Message("schema.ship"))
        kind = fields.text("type") if "type" in fields else fields.text("name")
        card = self._rulebook.ship_types.named(kind, fields.place)
        name = fields.text("name") if "name" in fields else card.name
        # Two ships of one name may be of one class, or of two types.
        if other and (other.name, other.type) == (name, card.name) and not card.several:
            raise fields.wrong("name", Message("schema.shot.another_ship"), name)
        return Ship(name, name, role, card.name)


def _check_names(fields: Fields) -> None:
    """The name and the type of a ship that takes no part must be texts all the same."""
    for key in ("name", "type"):
        if key in fields:
            fields.text(key)


def _described(question: Question, table: str, without: Message, kinds: tuple[str, ...]) -> ShotKey:
    meaning = question.label
    if question.rule:
        meaning = Message("schema.shot.with_rule", meaning=meaning, rule=question.rule)
    if kinds:
        meaning = Message("schema.shot.for_kinds", meaning=meaning, kinds=kinds)
    listed = question.takes in (Takes.COUNTS, Takes.AMOUNTS, Takes.TEXTS)
    default = NO_WORDS if listed else verbatim(question.default_text)
    name = f"{table}.{question.key}"
    return ShotKey(name, question.listed, default or question.without or without, meaning)


def resolve_shot(rulebook: FreeRulebook[M], shot: Shot[M], dice: Dice) -> Outcome[FreeState[M]]:
    """Play a shot; where it is forbidden, or does not fit its ships, the error names the file."""
    with _named(shot):
        return rulebook.play(shot.state, shot.action, dice)


def forecast_shots(rulebook: FreeRulebook[M], shots: Sequence[Shot[M]]) -> Forecast:
    """The exact odds of some shots at one target."""
    attempts = []
    for shot in shots:
        with _named(shot):
            attempt = rulebook.attempt(shot.state, shot.action)
            rulebook.strength(attempt)
        attempts.append(attempt)
        first = attempts[0]
        if attempt.at != first.at:
            name = first.at.ship.name if first.at else "nobody"
            raise DreyerError(
                "schema.shot.other_target",
                source=shot.source,
                name=name,
                other=shots[0].source,
            )
    return rulebook.odds(attempts)


@contextmanager
def _named(shot: Shot[Any]) -> Iterator[None]:
    try:
        with found_in(shot.source):
            yield
    except Forbidden as error:
        raise Forbidden(error.reason, error.rule, shot.source) from None
