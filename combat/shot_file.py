"""Shot files: one action and the ships that take part in it, as a TOML or JSON document.

    ruleset, [firer] name, type, [firer.state], [target] …, [fire] battery …, [conditions] …

The keys are those of the rulebook's actions and marks (`combat.form`). A key may stand in a file
whether or not the action at hand uses it. `describe` lists them all.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from combat.actions import Action, ActionInfo, AddShip
from combat.dice import TypedDice
from combat.form import Question, Takes, questions, read_value
from combat.free_play import FreeRulebook, FreeState
from combat.participants import Ship
from combat.report import Forbidden, ShotKey
from tabletop.fields import Fields

M = TypeVar("M")
KIND = "battery"
"""The key of [fire] that says which action it is."""
Answers = dict[tuple[str, str], object]
"""Checked values by their table and key."""
_ROLES = ("firer", "target")
_ORDER = ("firer", "target", "fire", "conditions", "options")


@dataclass(frozen=True, slots=True)
class Shot(Generic[M]):
    """A battle of the ships in a shot file, and the action to play in it."""

    state: FreeState[M]
    action: Action


class ShotForm(Generic[M]):
    """The keys of a rulebook's shot files."""

    def __init__(self, rulebook: FreeRulebook[M]) -> None:
        self._rulebook = rulebook
        self._asked: dict[tuple[str, str], Question] = {}
        self._kinds: dict[tuple[str, str], list[str]] = {}
        for info in rulebook.infos:
            for each in questions(info.type):
                place = each.table, each.key
                self._asked.setdefault(place, each)
                self._kinds.setdefault(place, []).append(info.kind)
        self._marks = questions(rulebook.state_type)

    # Reading

    def read(self, document: Mapping[str, object], place: str) -> Shot[M]:
        """The shot in a document."""
        return self.read_fields(Fields(document, place, ("ruleset", *self.tables)))

    def read_fields(self, document: Fields) -> Shot[M]:
        """The shot in an opened table that is laid out as a shot file is."""
        answers = self._answers(document)
        fire = document.table("fire", self._known("fire"))
        infos = self._rulebook.info_by_kind
        info = infos[fire.choice(KIND, infos, next(iter(infos)))]
        state: FreeState[M] = FreeState()
        ids: dict[str, str] = {}
        for role in _ROLES:
            fields = document.table(role, self._known(role))
            marks = self.read_marks(fields.table("state", self.mark_keys))
            if info.by_ship if role == "firer" else info.at_ship:
                ship = self._ship(fields, role, state)
                state = self.add(state, ship, marks)
                ids[role] = ship.id
        return Shot(state, self._action(info, ids.get("firer"), ids.get("target"), answers, fire))

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

    def add(self, state: FreeState[M], ship: Ship, marks: Any) -> FreeState[M]:
        """A battle with one more ship."""
        action = AddShip(ship=ship, marks=marks)
        return self._rulebook.play(state, action, TypedDice("")).state

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables that a shot file may have."""
        used = {table for table, _ in self._asked}
        return tuple(table for table in _ORDER if table in used or table != "options")

    # Describing

    def describe(self) -> Iterator[ShotKey]:
        """Every key, in the order in which people write them."""
        yield ShotKey("ruleset", "text", "required", f'the rulebook, "{self._rulebook.name}"')
        for role in _ROLES:
            meaning = "a known ship, or any name with type"
            yield ShotKey(f"{role}.name", "text", "required where she takes part", meaning)
            yield ShotKey(f"{role}.type", "text", "the name", "a ship that is known")
            yield from self._described_table(role)
            for each in self._marks:
                yield _described(each, f"{role}.state", "as on her card", ())
        kinds = tuple(self._rulebook.info_by_kind)
        yield ShotKey(f"fire.{KIND}", ", ".join(kinds), kinds[0], "what is rolled for")
        for table in ("fire", "conditions", "options"):
            yield from self._described_table(table)

    def _described_table(self, table: str) -> Iterator[ShotKey]:
        without = "as on her card" if table in _ROLES else "required where it matters"
        for (own, key), question in self._asked.items():
            if own == table:
                kinds = self._kinds[own, key]
                every = len(kinds) == len(self._rulebook.infos)
                yield _described(question, table, without, () if every else tuple(kinds))

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

    def _ship_keys(self, role: str) -> tuple[str, ...]:
        return tuple(key for each, key in self._asked if each == role)

    def _ship(self, fields: Fields, role: str, state: FreeState[M]) -> Ship:
        if "name" not in fields and "type" not in fields:
            raise fields.missing("name", "a ship")
        kind = fields.text("type") if "type" in fields else fields.text("name")
        card = self._rulebook.ship_types.named(kind, fields.place)
        name = fields.text("name") if "name" in fields else card.name
        taken = {ship.name: ship for ship in state.ships}
        if name not in taken:
            return Ship(name, name, role, card.name)
        if taken[name].type == card.name and not card.several:
            raise Forbidden(f"{name} cannot act on herself: name another ship", "", fields.place)
        # Two ships of one class, or of one name and two types.
        return Ship(f"{name} 2", name, role, card.name)


def _described(question: Question, table: str, without: str, kinds: tuple[str, ...]) -> ShotKey:
    meaning = f"{question.label} ({question.rule})" if question.rule else question.label
    if kinds:
        meaning += f"; for {', '.join(kinds)}"
    default = "" if question.takes in (Takes.COUNTS, Takes.TEXTS) else question.default_text
    name = f"{table}.{question.key}"
    return ShotKey(name, question.expected, default or question.without or without, meaning)
