"""The form of a card: the values of its fields, what is missing, and what is wrong.

The form is made from the fields that the rulebook declares. Nothing is stored while a player types:
the page's address has all values, and the card is made once everything is right.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from combat.cards import CardGroup, CardKey, CardRules, FieldKind, typed_text, typed_value
from combat.ships import ShipType
from tabletop.errors import BadField, DreyerError
from web.owner.cards.files import check_cards
from web.strings import sentence, text, words

TYPED: Final = "typed"
"""A parameter of the address of a form that was edited: an empty field is then intended."""
_SHIP: Final = "ship"
_SOURCE: Final = "card"
_LONGEST: Final = 200
_MOST_TICKS: Final = 40
Texts = Mapping[str, Sequence[str]]
"""The texts of the fields by id."""


@dataclass(frozen=True, slots=True)
class CardField:
    """One field of the form."""

    id: str
    key: CardKey
    texts: tuple[str, ...]
    wrong: bool = False

    @property
    def text(self) -> str:
        """Its text."""
        return self.texts[0] if self.texts else ""

    @property
    def value(self) -> object:
        """Its value as in a file; None if it is empty."""
        return typed_value(self.key, self.texts)


@dataclass(frozen=True, slots=True)
class CardPart:
    """The fields of the ship, or of one of her parts."""

    group: CardGroup
    number: int
    fields: tuple[CardField, ...]

    @property
    def id(self) -> str:
        """Its id in the page."""
        return _part_id(self.group, self.number)

    @property
    def title(self) -> str:
        """Its title; parts that a card may have several of are numbered."""
        title = words(self.group.title)
        return f"{title} {self.number}" if self.group.most > 1 else title

    @property
    def values(self) -> dict[str, object]:
        """Its values as in a file."""
        found = {field.key.name: field.value for field in self.fields}
        return {name: value for name, value in found.items() if value is not None}


@dataclass(frozen=True, slots=True)
class CardForm:
    """The form of a card."""

    rules: CardRules
    parts: tuple[CardPart, ...]
    card: ShipType | None = None
    """The card; None while something is missing or wrong."""
    wanting: tuple[str, ...] = ()
    """The titles of required fields that are empty."""
    fault: str = ""
    """The first error, in one sentence."""

    def of(self, group: CardGroup) -> tuple[CardPart, ...]:
        """The parts of a group."""
        return tuple(part for part in self.parts if part.group is group)

    @property
    def wrong(self) -> str:
        """The id of the field with the error."""
        fields = (field for part in self.parts for field in part.fields)
        return next((field.id for field in fields if field.wrong), "")

    @property
    def contents(self) -> list[tuple[str, dict[str, object]]]:
        """All values, for comparison."""
        return [(part.id, part.values) for part in self.parts]

    def may_add(self, group: CardGroup) -> bool:
        """Whether another part of a group may be added."""
        return len(self.of(group)) < group.most

    @property
    def text(self) -> str:
        """The card as TOML; empty while there is none."""
        return self.rules.write((self.card,)) if self.card else ""


def form_of(rules: CardRules, values: Mapping[str, object]) -> CardForm:
    """The form of an existing card, or of a new one."""
    texts: dict[str, Sequence[str]] = {}
    counts: dict[str, int] = {}
    for group in rules.groups:
        found = values.get(group.name, []) if group.name else [values]
        tables = found if isinstance(found, list) else [found]
        counts[group.name] = len(tables)
        for number, table in enumerate(tables, start=1):
            for key in group.keys:
                if isinstance(table, Mapping) and key.name in table:
                    texts[_field_id(group, number, key)] = _texts(key, table[key.name])
    return _checked(rules, counts, texts)


def typed_form(rules: CardRules, typed_texts: Texts) -> CardForm:
    """The form as typed, after a part was added or removed."""
    counts, texts = {"": 1}, dict(typed_texts)
    gone = _word(typed_texts, "remove")
    for group in rules.parts:
        word = _word(typed_texts, group.name)
        count = min(int(word), group.most) if word.isascii() and word.isdigit() else 0
        for number in range(1, count + 1):
            if gone == _part_id(group, number):
                texts = _without(texts, group, number, count)
                count -= 1
                break
        counts[group.name] = min(group.most, count + (_word(typed_texts, "add") == group.name))
    return _checked(rules, counts, texts)


def _without(texts: Texts, group: CardGroup, number: int, count: int) -> dict[str, Sequence[str]]:
    """The fields without one part; those after it are renumbered."""
    found = dict(texts)
    for at in range(number, count + 1):
        for key in group.keys:
            found[_field_id(group, at, key)] = texts.get(_field_id(group, at + 1, key), ())
    return found


def _checked(rules: CardRules, counts: Mapping[str, int], texts: Texts) -> CardForm:
    parts = tuple(
        CardPart(group, number, tuple(_fields(group, number, texts)))
        for group in rules.groups
        for number in range(1, counts[group.name] + 1)
    )
    wanting = tuple(
        _title(part, field)
        for part in parts
        for field in part.fields
        if field.key.required and field.value is None
    )
    if wanting:
        return CardForm(rules, parts, wanting=wanting)
    try:
        card = rules.make(_values(rules, parts), _SOURCE)
        check_cards([card], _SOURCE)
    except BadField as error:
        part, field = _at(parts, error)
        fault = text(
            "cards.fault.field", part=part.title, field=field.key.label,
            expected=error.expected, found=error.found,
        )  # fmt: skip
        return CardForm(rules, _marked(parts, field), fault=str(fault))
    except DreyerError as error:
        return CardForm(rules, parts, fault=sentence(words(error)))
    return CardForm(rules, parts, card)


def _title(part: CardPart, field: CardField) -> str:
    label = field.key.label
    if not part.group.name:
        return words(label)
    return str(text("cards.part_field", part=part.title, field=label))


def _fields(group: CardGroup, number: int, texts: Texts) -> Iterator[CardField]:
    for key in group.keys:
        name = _field_id(group, number, key)
        yield CardField(
            name, key, tuple(text[:_LONGEST] for text in texts.get(name, ())[:_MOST_TICKS])
        )


def _values(rules: CardRules, parts: Sequence[CardPart]) -> dict[str, object]:
    found = dict(parts[0].values)
    for group in rules.parts:
        tables = [part.values for part in parts if part.group is group]
        if tables:
            found[group.name] = tables if group.most > 1 else tables[0]
    return found


def _at(parts: Sequence[CardPart], error: BadField) -> tuple[CardPart, CardField]:
    """The field that an error is about; its place says the part."""
    at = error.place.path[0] if error.place.path else None
    for part in reversed(parts):
        name = part.group.name
        number = at.numbers[0] if at is not None and at.numbers else 1
        if not name or (at is not None and (at.name, number) == (name, part.number)):
            for field in part.fields:
                if field.key.name == error.key.name:
                    return part, field
    return parts[0], parts[0].fields[0]


def _marked(parts: Sequence[CardPart], wrong: CardField) -> tuple[CardPart, ...]:
    return tuple(
        CardPart(
            part.group,
            part.number,
            tuple(
                CardField(field.id, field.key, field.texts, field is wrong) for field in part.fields
            ),
        )
        for part in parts
    )


def _texts(key: CardKey, value: object) -> tuple[str, ...]:
    if key.kind is FieldKind.TEXTS and isinstance(value, list):
        return tuple(str(each) for each in value)
    return (typed_text(value),)


def _word(typed_texts: Texts, name: str) -> str:
    found = typed_texts.get(name, ())
    return found[0] if found else ""


def _part_id(group: CardGroup, number: int) -> str:
    return f"{group.name or _SHIP}-{number}"


def _field_id(group: CardGroup, number: int, key: CardKey) -> str:
    return f"{_part_id(group, number)}-{key.name}"
