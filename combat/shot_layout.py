"""The keys of a rulebook's shot files, declared once.

From one list of conditions a file is described, read and written, and a page knows what to ask.
A key is a `Condition` whose name is its own; the layout puts its table in front of it.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, cast

from combat.report import Condition, Facts, ShotFile, ShotKey, States, Takes
from tabletop.errors import BadField, UnknownName
from tabletop.fields import Fields, parse_toml

_NAMES = ("name", "type")
_ORDER = ("fire", "conditions", "firer", "target", "firer.state", "target.state")
_MOST_COUNT = 999
_LONGEST_NUMBER = 6


@dataclass(frozen=True, slots=True)
class Said:
    """What a shot file says, by its dotted keys, with the usual answer where it is silent."""

    values: Mapping[str, object]
    place: str

    def flag(self, name: str) -> bool:
        """Whether it is so."""
        return bool(self.values[name])

    def number(self, name: str, otherwise: int = 0) -> int:
        """A whole number; `otherwise` where neither the file nor the layout says any."""
        value = self.values[name]
        return otherwise if value is None else cast("int", value)

    def word(self, name: str) -> str:
        """One of the choices, or a name; empty where there is none."""
        return str(self.values[name] or "")

    def counts(self, name: str) -> dict[str, int]:
        """Whole numbers by name."""
        return dict(cast("Mapping[str, int]", self.values[name] or {}))


class Layout:
    """What a rulebook's shot files may say of the two ships, their marks and the attack."""

    def __init__(
        self,
        ruleset: str,
        *,
        ship: Sequence[Condition] = (),
        state: Sequence[Condition] = (),
        fire: Sequence[Condition] = (),
        conditions: Sequence[Condition] = (),
    ) -> None:
        self.ruleset = ruleset
        self._tables: Mapping[str, Sequence[Condition]] = {
            "firer": ship,
            "firer.state": state,
            "target": ship,
            "target.state": state,
            "fire": fire,
            "conditions": conditions,
        }
        self._keys = {each.name: each for each in self._dotted()}

    @property
    def keys(self) -> tuple[ShotKey, ...]:
        """Every key, in the order in which people write them."""
        return tuple(self._described())

    def asked(self, firer: str = "", target: str = "") -> tuple[Condition, ...]:
        """What a page asks, with the ships' own names for "firer" and "target" where known."""
        names = {"firer": firer or "firer", "target": target or "target"}
        asked = [
            replace(each, label=f"{names[role]}: {each.label}") if role in names else each
            for each in self._keys.values()
            if each.asked
            for role in [each.name.partition(".")[0]]
        ]
        # First what is new in every attack; marks come last, since a fight remembers them.
        return tuple(sorted(asked, key=lambda each: _ORDER.index(_table_of(each.name))))

    def read(self, file: ShotFile) -> Said:
        """What a file says."""
        known = ("ruleset", *dict.fromkeys(table.partition(".")[0] for table in self._tables))
        return self.read_fields(Fields(parse_toml(file.data, file.source), file.source, known))

    def read_fields(self, document: Fields) -> Said:
        """What an opened table says that is laid out as a shot file is."""
        values: dict[str, object] = {}
        for role in ("firer", "target"):
            fields = document.table(role, (*self._names(role), *_NAMES, "state"))
            name = fields.text("name", "") if "name" in fields else ""
            values[f"{role}.name"] = name
            values[f"{role}.type"] = fields.text("type") if "type" in fields else name
            values |= self._read(role, fields)
            marks = f"{role}.state"
            values |= self._read(marks, fields.table("state", self._names(marks)))
        for table in ("fire", "conditions"):
            values |= self._read(table, document.table(table, self._names(table)))
        return Said(values, document.place)

    def write(
        self,
        facts: Facts,
        more: Mapping[str, object] | None = None,
        states: States | None = None,
    ) -> ShotFile:
        """The shot file of some facts, with more keys that the rulebook takes from them."""
        source = " at ".join(name for name in (facts.firer, facts.target) if name) or self.ruleset
        lines: dict[str, object] = {"ruleset": self.ruleset}
        for role, name, kind in (
            ("firer", facts.firer, facts.firer_type),
            ("target", facts.target, facts.target_type),
        ):
            if name:
                lines |= {f"{role}.name": name, f"{role}.type": kind or name}
            for key, value in (states or {}).get(role, {}).items():
                lines[f"{role}.state.{key}"] = value
        lines |= more or {}
        for name, text in facts.conditions:
            if name not in self._keys:
                raise UnknownName(source, "condition", name, self._keys)
            lines[name] = answered(self._keys[name], text, source)
        written = "".join(f"{key} = {toml_value(value)}\n" for key, value in lines.items())
        return ShotFile(written.encode("utf-8"), source)

    def _dotted(self) -> Iterator[Condition]:
        for table, keys in self._tables.items():
            for key in keys:
                yield replace(key, name=f"{table}.{key.name}")

    def _names(self, table: str) -> tuple[str, ...]:
        return tuple(key.name for key in self._tables[table])

    def _described(self) -> Iterator[ShotKey]:
        yield ShotKey("ruleset", "text", "required", f'the rulebook, "{self.ruleset}"')
        for table, keys in self._tables.items():
            if table in ("firer", "target"):
                meaning = "a known ship, or any name with type"
                yield ShotKey(f"{table}.name", "text", "required where she takes part", meaning)
                yield ShotKey(f"{table}.type", "text", "the name", "a ship that is known")
            for key in keys:
                usual = key.usual or _WITHOUT[table.partition(".")[0]]
                meaning = f"{key.label} ({key.reference})" if key.reference else key.label
                if key.batteries:
                    meaning += f"; for {', '.join(key.batteries)}"
                yield ShotKey(f"{table}.{key.name}", _expected(key), usual, meaning)

    def _read(self, table: str, fields: Fields) -> dict[str, object]:
        return {f"{table}.{key.name}": _value(fields, key) for key in self._tables[table]}


_WITHOUT: Final = {
    **dict.fromkeys(("firer", "target"), "as on her card"),
    **dict.fromkeys(("fire", "conditions"), "required where it matters"),
}
"""What a key without a usual value is where a file does not say it, by its table."""


def _table_of(name: str) -> str:
    return name.rpartition(".")[0]


def answered(condition: Condition, text: str, source: str) -> object:
    """An answer typed on a page as a value for a shot file."""
    if condition.takes is Takes.FLAG and text in ("true", "false"):
        return text == "true"
    if condition.takes is Takes.CHOICE and text in dict(condition.choices):
        return text
    number_typed = text.isascii() and text.lstrip("-").isdigit() and len(text) <= _LONGEST_NUMBER
    if condition.takes is Takes.NUMBER and number_typed:
        number = int(text)
        if condition.least <= number <= condition.most:
            return number
    raise BadField(source, condition.label, _expected(condition), repr(text[:40]))


def _value(fields: Fields, key: Condition) -> object:
    if key.name not in fields and key.usual == "":
        return None
    if key.takes is Takes.FLAG:
        return fields.flag(key.name, key.usual == "true")
    if key.takes is Takes.CHOICE:
        return fields.choice(key.name, [value for value, _ in key.choices], key.usual)
    if key.takes is Takes.NUMBER:
        usual = int(key.usual or key.least)
        return fields.integer(key.name, usual, least=key.least, most=key.most)
    value = fields.value(key.name, _expected(key))
    if not isinstance(value, Mapping):
        raise fields.wrong(key.name, _expected(key), value)
    names = [name for name, _ in key.choices] or list(value)
    counts = fields.table(key.name, names)
    return {name: counts.integer(name, least=0, most=_MOST_COUNT) for name in value}


def _expected(key: Condition) -> str:
    return {
        Takes.FLAG: "true or false",
        Takes.NUMBER: f"a whole number from {key.least} to {key.most}",
        Takes.CHOICE: ", ".join(value for value, _ in key.choices),
        Takes.COUNTS: "a table of whole numbers by name",
    }[key.takes]


def toml_value(value: object) -> str:
    """A value as it stands behind a key of a TOML file."""
    if isinstance(value, Mapping):
        return (
            "{"
            + ", ".join(f"{toml_value(key)} = {toml_value(each)}" for key, each in value.items())
            + "}"
        )
    if isinstance(value, list | tuple):
        return "[" + ", ".join(toml_value(each) for each in value) + "]"
    # The scalars of JSON are those of TOML, but for the one control character that it lets pass.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
