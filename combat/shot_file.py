"""Shot files: one action and the ships that take part in it, as a TOML or JSON document.

    ruleset, edition, [firer] name, type, [firer.state], [target] …, [fire] battery …,
    [conditions] …

The keys are those of the rulebook's actions and marks (`combat.questions`). A file may have keys
that its action does not use. `ShotForm.describe` lists all keys.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Generic

from typing_extensions import TypeVar

from combat.actions import Action, ActionInfo, AddShip
from combat.dice import Dice, TypedDice
from combat.forecast import Forecast
from combat.free_play import FreeRulebook, FreeState
from combat.participants import Ship
from combat.previews import REQUIRED, Forbidden, ShotKey
from combat.questions import OPTIONS, Question, keys_document, questions, read_keys, values_in
from combat.rulebook import Outcome
from tabletop.errors import BadField, DreyerError, UnknownName
from tabletop.messages import NO_WORDS, Message, verbatim
from tabletop.places import DocumentPlace, PlaceLike
from tabletop.schema import (
    Schema,
    Takes,
    Text,
    missing,
    one_of,
    optional_keys,
    present_values,
    wrong,
)

M = TypeVar("M")
S = TypeVar("S", default=M)
KIND = "battery"
"""The key of [fire] for the kind of the action."""
Answers = dict[tuple[str, str], object]
"""Checked values by their table and key."""
_ROLES = ("firer", "target")
_AS_ON_CARD = Message("schema.shot.as_on_card")
_ORDER = ("firer", "target", "fire", "conditions", "options")


@contextmanager
def found_in(place: PlaceLike) -> Iterator[None]:
    """Add a place to errors that are raised in the block."""
    try:
        yield
    except (BadField, UnknownName) as error:
        raise (error.within(DocumentPlace.of(place)) if place else error) from None


@dataclass(frozen=True, slots=True)
class Shot(Generic[M]):
    """A battle of the ships in a shot file, and the action to play in it."""

    state: FreeState[M]
    action: Action
    source: DocumentPlace
    """Where it stands, for messages."""


class ShotForm(Generic[M, S]):
    """The keys of a rulebook's shot files."""

    def __init__(self, rulebook: FreeRulebook[M, S]) -> None:
        self._rulebook = rulebook
        self._asked: dict[tuple[str, str], Question] = {}
        self._kinds: dict[tuple[str, str], list[str]] = {}
        self._rules: dict[tuple[str, str], dict[str, None]] = {}
        for info in rulebook.infos:
            for each in questions(info.type):
                if not each.by_file:
                    continue
                place = each.table, each.key
                self._asked.setdefault(place, each)
                self._kinds.setdefault(place, []).append(info.kind)
                self._rules.setdefault(place, {}).update({each.rule: None} if each.rule else {})
        self._marks = questions(rulebook.state_type)
        self._schemas_by_kind: dict[str, Schema[object]] = {}

    # Reading

    def read(self, document: Mapping[str, object], place: PlaceLike) -> Shot[M]:
        """The shot in a document."""
        place = DocumentPlace.of(place)
        tables: dict[str, object] = present_values(self._file.read_table(document, place))
        answers: Answers = {
            (table, key): value
            for table in self.tables
            if table in tables
            for key, value in present_values(tables[table]).items()
            if (table, key) in self._asked
        }
        infos = self._rulebook.info_by_kind
        written = getattr(tables.get("fire"), KIND, None) or next(iter(infos))
        info = infos[one_of(written, infos, place.table("fire"), KIND)]
        ships: dict[str, Ship] = {}
        marks: dict[str, object] = {}
        for role in _ROLES:
            found = present_values(tables[role]) if role in tables else {}
            marks[role] = self.marks_from(found.get("state"))
            if info.by_ship if role == "firer" else info.at_ship:
                ships[role] = self._ship(found, role, ships.get("firer"), place.table(role))
        firer, target = ships.get("firer"), ships.get("target")
        if firer and target and firer.id == target.id:
            # The target keeps her id, so that she has the same id in several shots at her.
            firer = ships["firer"] = replace(firer, id=f"{firer.name} 2")
        # A single shot has no rounds.
        state: FreeState[M] = FreeState(round_number=0)
        for role, ship in ships.items():
            state = self.add(state, ship, marks[role], place.table(role))
        types = {role: self._rulebook.ship_type(ship) for role, ship in ships.items()}
        for each in questions(info.type):
            if each.required_in_file and (each.table, each.key) not in answers:
                put = self._rulebook.question(each, types.get("firer"), types.get("target"))
                raise missing(place.table(each.table), each.key, put.expected)
        by, at = firer.id if firer else None, target.id if target else None
        action = self._action(info, by, at, answers, place.table("fire"))
        with found_in(place):
            self._rulebook.attempt(state, action)
        return Shot(state, action, place)

    def action(
        self,
        kind: str,
        by: str | None,
        at: str | None,
        answers: Mapping[str, object],
        place: PlaceLike,
        more: Answers | None = None,
    ) -> Action:
        """An action from answers without their tables, and from further checked answers."""
        schema = self._answers_schema(kind)
        read: dict[str, object] = present_values(schema.read_table(answers, place))
        found = dict(more or {})
        for table, key in self._asked:
            own = present_values(read[table]) if table in _ROLES and table in read else {}
            known = own if table in _ROLES else read
            if key in known:
                found[table, key] = known[key]
        return self._action(self._rulebook.info_by_kind[kind], by, at, found, place)

    @property
    def ship_keys(self) -> tuple[str, ...]:
        """The keys that [firer] or [target] has besides a ship's name, type and state."""
        return tuple(dict.fromkeys(key for role in _ROLES for key in self._asked_in(role)))

    def ship_answers(self, table: Mapping[str, object], role: str, place: PlaceLike) -> Answers:
        """The answers of one role from a ship's table, which may have the keys of both roles."""
        asked = self._asked_in(role)
        own = {key: value for key, value in table.items() if key in asked}
        read = present_values(self._role_schemas[role].read_table(own, place))
        return {(role, key): value for key, value in read.items()}

    @property
    def shared_tables(self) -> dict[str, object]:
        """The tables of a fight file that hold for all its actions: its options."""
        own = self._asked_in(OPTIONS)
        return {OPTIONS: optional_keys(OPTIONS, own)} if own else {}

    def shared_answers(self, tables: Mapping[str, object]) -> Answers:
        """What those tables say, for every action that does not say it itself."""
        found = present_values(tables[OPTIONS]) if OPTIONS in tables else {}
        return {(OPTIONS, key): value for key, value in found.items()}

    def read_marks(self, table: Mapping[str, object], place: PlaceLike) -> object:
        """A ship's state, with the keys of [firer.state]; None if nothing is stated."""
        found = read_keys(self._rulebook.state_type, table, place)
        return self._rulebook.state_type(**found) if found else None

    def marks_from(self, document: object) -> object:
        """A ship's state from a `marks_document`; None if nothing is stated."""
        type_ = self._rulebook.state_type
        found = {} if document is None else values_in(document, type_)
        return type_(**found) if found else None

    @property
    def marks_document(self) -> type:
        """The table [firer.state] or [target.state]."""
        return keys_document(self._rulebook.state_type)

    def add(
        self, state: FreeState[M], ship: Ship, marks: object, place: PlaceLike = ""
    ) -> FreeState[M]:
        """The battle with another ship, whose table is at this place in the file."""
        action = AddShip(ship=ship, marks=marks)
        with found_in(place):
            return self._rulebook.play(state, action, TypedDice("")).state

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables that a shot file may have."""
        used = {table for table, _ in self._asked}
        return tuple(table for table in _ORDER if table in used or table != "options")

    # Documents

    @cached_property
    def _file(self) -> Schema[object]:
        """The schema of a shot file."""
        tables = {table: optional_keys(table, self._keys_of(table)) for table in self.tables}
        return Schema(optional_keys("shot", {"ruleset": object, "edition": object, **tables}))

    def _answers_schema(self, kind: str) -> Schema[object]:
        """The schema of the keys of [fire], [conditions] and [options] without their tables.

        A key that several actions have is read as this kind of action has it.
        """
        if kind not in self._schemas_by_kind:
            own = {
                key: question.annotation
                for (table, key), question in self._asked.items()
                if table not in _ROLES
            }
            for each in questions(self._rulebook.info_by_kind[kind].type):
                if each.by_file and each.table not in _ROLES:
                    own[each.key] = each.annotation
            roles = {role: optional_keys(role, self._asked_in(role)) for role in _ROLES}
            self._schemas_by_kind[kind] = Schema(optional_keys("answers", own | roles))
        return self._schemas_by_kind[kind]

    @cached_property
    def _role_schemas(self) -> dict[str, Schema[object]]:
        return {role: Schema(optional_keys(role, self._asked_in(role))) for role in _ROLES}

    def _keys_of(self, table: str) -> dict[str, object]:
        """The annotations of a table's keys."""
        own = self._asked_in(table)
        if table in _ROLES:
            return {"name": Text, "type": Text, **own, "state": self.marks_document}
        return {KIND: str, **own} if table == "fire" else own

    def _asked_in(self, table: str) -> dict[str, object]:
        return {
            key: question.annotation for (own, key), question in self._asked.items() if own == table
        }

    # Describing

    def describe(self) -> Iterator[ShotKey]:
        """The description of every key, in the usual order of files."""
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
                cited = replace(question, rule="; ".join(self._rules[own, key]))
                shown = _described(cited, table, without, () if every else tuple(kinds))
                # A file that names no action means the first one.
                usual = self._rulebook.infos[0].kind in kinds
                if usual and (question.required or question.required_in_file):
                    shown = replace(shown, default=REQUIRED)
                yield shown

    # Parts

    def _action(
        self,
        info: ActionInfo,
        by: str | None,
        at: str | None,
        answers: Answers,
        place: PlaceLike,
    ) -> Action:
        values: dict[str, object] = {}
        if info.by_ship:
            values["by"] = by
        if info.at_ship:
            values["at"] = at
        for each in questions(info.type):
            found = answers.get((each.table, each.key), each.default)
            if found is None and each.required:
                raise missing(place, each.key, each.expected)
            values[each.name] = found
        return info.make(values)

    def _always(self, role: str) -> bool:
        """Whether a ship of this role takes part in every action."""
        infos = self._rulebook.infos
        return all(info.by_ship if role == "firer" else info.at_ship for info in infos)

    def _ship(
        self, table: Mapping[str, object], role: str, other: Ship | None, place: PlaceLike
    ) -> Ship:
        if "name" not in table and (self._always(role) or "type" not in table):
            raise missing(place, "name", Message("schema.ship"))
        written, type_ = table.get("name"), table.get("type")
        card = self._rulebook.ship_types.named(str(type_ or written), place)
        name = str(written or card.name)
        # Two ships may share a name if their types differ or if the type is a class of ships.
        if other and (other.name, other.type) == (name, card.name) and not card.several:
            raise wrong(place, "name", Message("schema.shot.another_ship"), name)
        return Ship(name, name, role, card.name)


def _described(question: Question, table: str, without: Message, kinds: tuple[str, ...]) -> ShotKey:
    meaning = question.meaning or question.label
    if question.rule:
        meaning = Message("schema.shot.with_rule", meaning=meaning, rule=question.rule)
    if kinds:
        meaning = Message("schema.shot.for_kinds", meaning=meaning, kinds=kinds)
    listed = question.takes in (Takes.COUNTS, Takes.AMOUNTS, Takes.TEXTS)
    default = NO_WORDS if listed else verbatim(question.default_text)
    name = f"{table}.{question.key}"
    return ShotKey(name, question.listed, default or question.without or without, meaning)


def resolve_shot(rulebook: FreeRulebook[M, S], shot: Shot[M], dice: Dice) -> Outcome[FreeState[M]]:
    """Play a shot. Errors name its file."""
    with _named(shot):
        return rulebook.play(shot.state, shot.action, dice)


def forecast_shots(rulebook: FreeRulebook[M, S], shots: Sequence[Shot[M]]) -> Forecast:
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
def _named(shot: Shot[M]) -> Iterator[None]:
    try:
        with found_in(shot.source):
            yield
    except Forbidden as error:
        raise Forbidden(error.reason, error.rule, shot.source) from None
