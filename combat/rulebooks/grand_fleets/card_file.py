"""Reads and writes data cards: every value declared once, checked once, and none without a source.

[[ship]]                       one card, keys as in CARD_KEYS["ship"]
source = "printed: where"      of all its values; [ship.sources] of single ones
[[ship.guns]]                  a battery, heaviest first; it may have `sources` of its own
[ship.torpedoes], [ship.anti_air]
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field, make_dataclass, replace
from functools import cache, partial
from importlib.resources import files
from typing import Annotated, Any, Final, Literal

import tomli_w
from pydantic import BeforeValidator, Field, with_config

from combat.cards import CardKey, FieldKind
from combat.provenance import Source, SourceLine
from combat.rulebook_info import ship_files
from combat.rulebooks.grand_fleets.card import (
    MOST_BATTERIES,
    OWNER,
    AntiAir,
    Card,
    Guns,
    Rating,
    Torpedoes,
    Tube,
    TubeBox,
)
from combat.rulebooks.grand_fleets.table_files import SIZES
from combat.rulebooks.grand_fleets.terms import size_message
from combat.ships import ShipClass, ShipList
from tabletop.errors import DreyerError
from tabletop.messages import Message, verbatim
from tabletop.places import DocumentPlace
from tabletop.schema import (
    FILE_CONFIG,
    CheckFailed,
    Expected,
    Flag,
    LongText,
    Number,
    Schema,
    Text,
    Whole,
    bounds,
    file_document,
    missing,
    shape_of,
    wrong,
)


def gap_message(name: str) -> Message:
    """The title of an unknown part of a card."""
    return Message(f"grand_fleets.card.gap.{name}")


_GAPS: Final = tuple(
    (name, gap_message(name))
    for name in (
        "victory_points", "year", "armour", "speed", "hull", "guns", "torpedoes", "anti_air",
    )
)  # fmt: skip
_CLASSES: Final = tuple((each.value, Message(f"sheet.class_{each}")) for each in ShipClass)
_SIZES: Final = tuple((size, size_message(size)) for size in SIZES)
_CARD_KEYS: Final[Mapping[str, tuple[CardKey, ...]]] = {
    "ship": (
        CardKey("name", FieldKind.TEXT, required=True),
        CardKey("sisters", FieldKind.TEXT, usual=""),
        CardKey("class", FieldKind.CHOICE, choices=_CLASSES, required=True),
        CardKey("nation", FieldKind.TEXT, required=True),
        CardKey("size", FieldKind.CHOICE, choices=_SIZES, required=True),
        CardKey("year", FieldKind.NUMBER, 1850, 1999),
        CardKey("victory_points", FieldKind.NUMBER, 1, 999),
        CardKey("flag", FieldKind.NUMBER, -2, 2),
        CardKey("armour", FieldKind.RATINGS, 0, 20, 2, 2, usual=()),
        CardKey("speed", FieldKind.RATINGS, 0, 20, 1, 5, usual=(), order="falls"),
        CardKey("hull", FieldKind.NUMBERS, 0, 99, 3, 3, usual=()),
        CardKey("base_length_inches", FieldKind.DECIMAL, 0.1, 20),
        CardKey("base_width_inches", FieldKind.DECIMAL, 0.1, 10),
        CardKey("bridge_offset_inches", FieldKind.DECIMAL, -10, 10, usual=0.0),
        CardKey("gaps", FieldKind.TEXTS, choices=_GAPS, usual=()),
        CardKey("sample", FieldKind.FLAG, usual=False),
    ),
    "guns": (
        CardKey("name", FieldKind.TEXT, required=True),
        CardKey("calibre", FieldKind.DECIMAL, 1, 20, required=True),
        CardKey("turrets", FieldKind.FLAG, usual=False),
        CardKey("forward", FieldKind.END, -20, 0, required=True),
        CardKey("aft", FieldKind.END, -20, 0, required=True),
        CardKey("range", FieldKind.DECIMALS, 0, 60, 3, 3, required=True,
            order="rises",
        ),
        CardKey("extreme", FieldKind.FLAG, usual=False),
        CardKey("penetration", FieldKind.RATING, 0, 20, required=True),
        CardKey("dice", FieldKind.NUMBERS, 1, 99, 1, 20, required=True, order="falls"
        ),
    ),
    "torpedoes": (
        CardKey("name", FieldKind.TEXT, required=True),
        CardKey("range", FieldKind.DECIMALS, 0, 60, 3, 3, required=True,
            order="rises",
        ),
        CardKey("damage", FieldKind.NUMBER, -5, 9, required=True),
        CardKey("tubes", FieldKind.TUBES, 0, 0, 1, 40,
                required=True),
    ),
    "anti_air": (
        CardKey("name", FieldKind.TEXT, required=True),
        CardKey("dice", FieldKind.NUMBERS, 1, 99, 1, 20, required=True,
                order="falls"),
        CardKey("dual_purpose", FieldKind.NUMBER, -20, 20),
    ),
}  # fmt: skip
CARD_KEYS: Final[Mapping[str, tuple[CardKey, ...]]] = {
    table: tuple(
        replace(key, label=Message(f"grand_fleets.card.{table}.{key.name}")) for key in keys
    )
    for table, keys in _CARD_KEYS.items()
}
"""Every field of a card by its table; `guns` may occur several times."""

_PARTS: Final[Mapping[str, type[Guns | Torpedoes | AntiAir]]] = {
    "guns": Guns,
    "torpedoes": Torpedoes,
    "anti_air": AntiAir,
}


@file_document
class _CardsFile:
    """A file of cards."""

    ship: tuple[dict[str, object], ...] = ()


_CARDS_FILE: Final[Schema[_CardsFile]] = Schema(_CardsFile)


@cache
def load_cards() -> ShipList[Card]:
    """The cards of the ruleset, all with sources."""
    return ShipList(
        card
        for name, data in sorted(ship_files(files(__package__)).items())
        for card in read_cards(data, name, owner=False)
    )


def read_card(text: str, source: str = "card") -> Card:
    """The card of a text that a player wrote; every value counts as the owner's."""
    cards = read_cards(text.encode("utf-8", "replace"), source)
    if len(cards) != 1:
        raise DreyerError("cards.fault.not_one_card", source=source, cards=len(cards))
    return cards[0]


def read_cards(data: bytes, source: str, *, owner: bool = True) -> tuple[Card, ...]:
    """All cards of a file; without `owner` every value needs a source."""
    found = []
    for number, table in enumerate(_CARDS_FILE.read_toml(data, source).ship, start=1):
        name = table.get("name")
        place = DocumentPlace(source).item("ship", number, name if isinstance(name, str) else None)
        found.append(_card(table, place, owner=owner))
    return tuple(found)


def card_from(values: Mapping[str, object], source: str = "card") -> Card:
    """An owner's card from the values of a form, structured as a `[[ship]]` table."""
    return _card(values, DocumentPlace(source), owner=True)


def card_values(card: Card) -> dict[str, object]:
    """The values of a card for a form or a file: the inverse of `card_from`."""
    values = _part_values(card, "ship", card.sources)
    if card.source != OWNER:
        values["source"] = str(card.source)
    if card.guns:
        values["guns"] = [_part_values(guns, "guns", guns.sources) for guns in card.guns]
    for name, part in (("torpedoes", card.torpedoes), ("anti_air", card.anti_air)):
        if part is not None:
            values[name] = _part_values(part, name, part.sources)
    return values


def write_cards(cards: Iterable[Card]) -> str:
    """Cards as text that `read_cards` can read."""
    return tomli_w.dumps({"ship": [card_values(card) for card in cards]})


def _card(table: Mapping[str, object], place: DocumentPlace, *, owner: bool) -> Card:
    card = _schema().read_table(table, place)
    if len(card.guns) > MOST_BATTERIES:
        expected = Message("grand_fleets.expected.batteries", most=MOST_BATTERIES)
        raise wrong(place, "guns", expected, len(card.guns))
    if card.hull and not sum(card.hull):
        raise wrong(place, "hull", Message("grand_fleets.expected.a_box"), card.hull)
    length = card.base_length_inches
    if length is not None and abs(card.bridge_offset_inches) > length / 2:
        on_base = bounds("number", least=-length / 2, most=length / 2, unit="inches")
        raise wrong(place, "bridge_offset_inches", on_base, card.bridge_offset_inches)
    if not owner and card.source is None:
        raise missing(place, "source", shape_of(LongText).expected)
    return Card(
        **_values(card, "ship"),
        # An invented ship may be used several times.
        several=card.sample,
        guns=tuple(_part(battery, "guns") for battery in card.guns),
        torpedoes=_part(card.torpedoes, "torpedoes"),
        anti_air=_part(card.anti_air, "anti_air"),
        source=card.source or OWNER,
        sources=card.sources,
    )


def _part(document: Any, group: str) -> Any:
    if document is None:
        return None
    return _PARTS[group](**_values(document, group), sources=document.sources)


def _values(document: Any, group: str) -> dict[str, Any]:
    return {_field(key): getattr(document, _field(key)) for key in CARD_KEYS[group]}


def _field(key: CardKey) -> str:
    return "ship_class" if key.name == "class" else key.name


# Documents, made from the declared keys


@cache
def _schema() -> Schema[Any]:
    """The schema of a card."""
    guns = _document("guns", {})
    parts: dict[str, tuple[Any, Any]] = {
        "guns": (tuple[guns, ...], ()),  # type: ignore[valid-type]
        "torpedoes": (_document("torpedoes", {}) | None, None),
        "anti_air": (_document("anti_air", {}) | None, None),
        "source": (SourceLine | None, None),
    }
    return Schema(_document("ship", parts))


def _document(group: str, more: Mapping[str, tuple[Any, Any]]) -> type[Any]:
    """A document class of a group's keys, further keys with defaults, and single sources."""
    literal: Any = Literal
    name: Any = literal[tuple(key.name for key in CARD_KEYS[group])]
    sourced: Any = Mapping[name, SourceLine]
    fields: list[Any] = []
    for key in CARD_KEYS[group]:
        hint = _annotation(key)
        fields.append(
            (_field(key), hint)
            if key.required
            else (
                _field(key),
                hint if key.usual is not None else hint | None,
                field(default=key.usual),
            )
        )
    fields += [(name, hint, field(default=usual)) for name, (hint, usual) in more.items()]
    fields.append(("sources", sourced, field(default_factory=dict)))
    made = make_dataclass(group, fields, frozen=True, slots=True, kw_only=True)
    return with_config(FILE_CONFIG)(made)


def _annotation(key: CardKey) -> Any:
    """The type annotation of a key."""
    literal: Any = Literal
    if key.name == "class":
        return Annotated[ShipClass, Field(alias="class")]
    match key.kind:
        case FieldKind.TEXT:
            return Text
        case FieldKind.FLAG:
            return Flag
        case FieldKind.CHOICE:
            return literal[key.values]
        case FieldKind.NUMBER:
            return Annotated[Whole, Field(ge=key.least, le=key.most)]
        case FieldKind.DECIMAL:
            return Annotated[Number, Field(ge=key.least, le=key.most)]
    read = partial(_read_list if key.kind in _ITEMS else _ALONE[key.kind], key)
    return Annotated[Any, BeforeValidator(read), Expected(_expected(key))]


def _read_list(key: CardKey, written: object) -> tuple[Any, ...]:
    if not isinstance(written, list | tuple):
        raise CheckFailed(_expected(key))
    if key.longest and not key.fewest <= len(written) <= key.longest:
        raise CheckFailed(_expected(key))
    values = tuple(_ITEMS[key.kind](key, value) for value in written)
    plain: list[Any] = [each.value if isinstance(each, Rating) else each for each in values]
    if key.order and plain != sorted(plain, reverse=key.order == "falls"):
        raise CheckFailed(Message(f"grand_fleets.expected.{key.order}"))
    return values


def _expected(key: CardKey) -> Message:
    """The description of a valid value, for an error message."""
    if key.kind is FieldKind.TEXTS:
        return Message("schema.list_of", what=Message("schema.names", choices=key.values))
    count = Message("schema.from_to", least=key.fewest, most=key.longest)
    if key.fewest == key.longest:
        count = verbatim(str(key.fewest))
    return Message(f"grand_fleets.expected.{key.kind}", least=key.least, most=key.most, count=count)


def _one_of(key: CardKey, value: object) -> str:
    if not isinstance(value, str) or value not in key.values:
        raise ValueError
    return value


def _whole(key: CardKey, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not key.least <= value <= key.most:
        raise ValueError
    return value


def _end(key: CardKey, value: object) -> int | None:
    return None if value == "-" else _whole(key, value)


def _decimal(key: CardKey, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError  # noqa: TRY004 - a fault of the file
    if not key.least < value <= key.most:
        raise ValueError
    return float(value)


def _rating(key: CardKey, value: object) -> Rating:
    text = str(value).strip() if isinstance(value, str) else value
    mark = text[-1] if isinstance(text, str) and text[-1:] in ("+", "-") else ""
    if isinstance(text, str):
        digits = text.removesuffix(mark) if mark else text
        text = int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= 2 else value
    return Rating(_whole(key, text), mark)


def _tube(_key: CardKey, value: object) -> TubeBox:
    text = value if isinstance(value, str) else ""
    letters, torpedoes = (text[:-1], 2) if text.endswith("2") else (text, 1)
    if letters not in list(Tube):
        raise ValueError
    return TubeBox(Tube(letters), torpedoes)


_ALONE: Final[Mapping[FieldKind, Callable[[CardKey, object], Any]]] = {
    FieldKind.RATING: _rating,
    FieldKind.END: _end,
}
_ITEMS: Final[Mapping[FieldKind, Callable[[CardKey, object], Any]]] = {
    FieldKind.TEXTS: _one_of,
    FieldKind.NUMBERS: _whole,
    FieldKind.DECIMALS: _decimal,
    FieldKind.RATINGS: _rating,
    FieldKind.TUBES: _tube,
}
"""The parser of each value of a list."""


def _part_values(part: object, group: str, sources: Mapping[str, Source]) -> dict[str, object]:
    """The values of a part of a card that differ from the defaults, and their sources."""
    found: dict[str, object] = {}
    for key in CARD_KEYS[group]:
        value = getattr(part, _field(key))
        if key.kind is FieldKind.END:
            value = "-" if value is None else value
        if value is not None and value != key.usual:
            found[key.name] = _plain(value)
    if sources:
        found["sources"] = {key: str(source) for key, source in sources.items()}
    return found


def _plain(value: object) -> object:
    """A value as in a file."""
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    if isinstance(value, Rating | TubeBox):
        return int(str(value)) if str(value).isdigit() else str(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return str(value) if isinstance(value, str) else value
