"""Reads and writes data cards: every value declared once, checked once, and none without a source.

[[ship]]                       one card, keys as in CARD_KEYS["ship"]
source = "printed: where"      of all its values; [ship.sources] of single ones
[[ship.guns]]                  a battery, heaviest first; it may have `sources` of its own
[ship.torpedoes], [ship.anti_air]
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Any, Final

import tomli_w

from combat.cards import CardKey, Kind
from combat.provenance import Provenance, Source
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
from tabletop.documents import parse_toml
from tabletop.errors import DreyerError
from tabletop.fields import Fields
from tabletop.messages import Message, verbatim


def gap_message(name: str) -> Message:
    """What players call a part of a card that is not known."""
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
        CardKey("name", Kind.TEXT, required=True),
        CardKey("sisters", Kind.TEXT, usual=""),
        CardKey("class", Kind.CHOICE, choices=_CLASSES, required=True),
        CardKey("nation", Kind.TEXT, required=True),
        CardKey("size", Kind.CHOICE, choices=_SIZES, required=True),
        CardKey("year", Kind.NUMBER, 1850, 1999),
        CardKey("victory_points", Kind.NUMBER, 1, 999),
        CardKey("flag", Kind.NUMBER, -2, 2),
        CardKey("armour", Kind.RATINGS, 0, 20, 2, 2, usual=()),
        CardKey("speed", Kind.RATINGS, 0, 20, 1, 5, usual=(), order="falls"),
        CardKey("hull", Kind.NUMBERS, 0, 99, 3, 3, usual=()),
        CardKey("gaps", Kind.TEXTS, choices=_GAPS, usual=()),
        CardKey("sample", Kind.FLAG, usual=False),
    ),
    "guns": (
        CardKey("name", Kind.TEXT, required=True),
        CardKey("calibre", Kind.DECIMAL, 1, 20, required=True),
        CardKey("turrets", Kind.FLAG, usual=False),
        CardKey("forward", Kind.END, -20, 0, required=True),
        CardKey("aft", Kind.END, -20, 0, required=True),
        CardKey("range", Kind.DECIMALS, 0, 60, 3, 3, required=True,
            order="rises",
        ),
        CardKey("extreme", Kind.FLAG, usual=False),
        CardKey("penetration", Kind.RATING, 0, 20, required=True),
        CardKey("dice", Kind.NUMBERS, 1, 99, 1, 20, required=True, order="falls"
        ),
    ),
    "torpedoes": (
        CardKey("name", Kind.TEXT, required=True),
        CardKey("range", Kind.DECIMALS, 0, 60, 3, 3, required=True,
            order="rises",
        ),
        CardKey("damage", Kind.NUMBER, -5, 9, required=True),
        CardKey("tubes", Kind.TUBES, 0, 0, 1, 40,
                required=True),
    ),
    "anti_air": (
        CardKey("name", Kind.TEXT, required=True),
        CardKey("dice", Kind.NUMBERS, 1, 99, 1, 20, required=True,
                order="falls"),
        CardKey("dual_purpose", Kind.NUMBER, -20, 20),
    ),
}  # fmt: skip
CARD_KEYS: Final[Mapping[str, tuple[CardKey, ...]]] = {
    table: tuple(
        replace(key, label=Message(f"grand_fleets.card.{table}.{key.name}")) for key in keys
    )
    for table, keys in _CARD_KEYS.items()
}
"""Every field of a card by the table it stands in; `guns` may stand there several times."""

_PARTS: Final[Mapping[str, type[Guns | Torpedoes | AntiAir]]] = {
    "guns": Guns,
    "torpedoes": Torpedoes,
    "anti_air": AntiAir,
}
_SHIP_NAMES: Final = tuple(key.name for key in CARD_KEYS["ship"])
_KNOWN: Final = (*_SHIP_NAMES, *_PARTS, "source", "sources")


@cache
def load_cards() -> ShipList[Card]:
    """The cards that come with the ruleset; each of them says where it is from."""
    return ShipList(
        card
        for name, data in sorted(ship_files(files(__package__)).items())
        for card in read_cards(data, name, owner=False)
    )


def read_card(text: str, source: str = "card") -> Card:
    """The one card of a text that a player wrote; every value counts as the owner's own."""
    cards = read_cards(text.encode("utf-8", "replace"), source)
    if len(cards) != 1:
        raise DreyerError("cards.fault.not_one_card", source=source, cards=len(cards))
    return cards[0]


def read_cards(data: bytes, source: str, *, owner: bool = True) -> tuple[Card, ...]:
    """All the cards of a file; without `owner` each must say where its values come from."""
    document = Fields(parse_toml(data, source), source, ("ship",))
    return tuple(_card(fields, owner=owner) for fields in document.tables("ship", _KNOWN))


def card_from(values: Mapping[str, object], source: str = "card") -> Card:
    """An owner's card from the values of a form, laid out as a `[[ship]]` table is."""
    return _card(Fields(values, source, _KNOWN), owner=True)


def card_values(card: Card) -> dict[str, object]:
    """The values of a card for a form or a file; `card_from` takes them back."""
    values = _part_values(card, "ship", card.sources)
    if card.source != OWNER:
        values["source"] = _source_text(card.source)
    if card.guns:
        values["guns"] = [_part_values(guns, "guns", guns.sources) for guns in card.guns]
    for name, part in (("torpedoes", card.torpedoes), ("anti_air", card.anti_air)):
        if part is not None:
            values[name] = _part_values(part, name, part.sources)
    return values


def write_cards(cards: Iterable[Card]) -> str:
    """Cards as text that `read_cards` reads again."""
    return tomli_w.dumps({"ship": [card_values(card) for card in cards]})


def _card(fields: Fields, *, owner: bool) -> Card:
    values = _read(fields, "ship")
    ship_class = ShipClass(values.pop("class"))
    batteries = fields.tables("guns", _known("guns"))
    if len(batteries) > MOST_BATTERIES:
        expected = Message("grand_fleets.expected.batteries", most=MOST_BATTERIES)
        raise fields.wrong("guns", expected, len(batteries))
    if values["hull"] and not sum(values["hull"]):
        raise fields.wrong("hull", Message("grand_fleets.expected.a_box"), list(values["hull"]))
    return Card(
        **values,
        ship_class=ship_class,
        # An invented ship stands for as many as players want.
        several=values["sample"],
        guns=tuple(_part(battery, "guns") for battery in batteries),
        torpedoes=_lone_part(fields, "torpedoes"),
        anti_air=_lone_part(fields, "anti_air"),
        source=OWNER if owner and "source" not in fields else _source(fields, "source"),
        sources=_sources(fields, _SHIP_NAMES),
    )


def _known(group: str) -> tuple[str, ...]:
    return (*(key.name for key in CARD_KEYS[group]), "sources")


def _lone_part(fields: Fields, group: str) -> Any:
    return _part(fields.table(group, _known(group)), group) if group in fields else None


def _part(fields: Fields, group: str) -> Any:
    return _PARTS[group](**_read(fields, group), sources=_sources(fields, _known(group)))


def _read(fields: Fields, group: str) -> dict[str, Any]:
    return {
        key.name: _value(fields, key) if key.required or key.name in fields else key.usual
        for key in CARD_KEYS[group]
    }


def _value(fields: Fields, key: CardKey) -> Any:
    name = key.name
    match key.kind:
        case Kind.TEXT:
            return fields.text(name)
        case Kind.TEXTS:
            return tuple(_one_of(fields, key, text) for text in fields.texts(name))
        case Kind.FLAG:
            return fields.flag(name)
        case Kind.CHOICE:
            return fields.choice(name, key.values)
        case Kind.NUMBER:
            return fields.integer(name, least=key.least, most=key.most)
        case Kind.DECIMAL:
            return fields.number(name, least=key.least, most=key.most)
        case Kind.RATING:
            return _rating(fields, key, fields.value(name, _expected(key)))
        case Kind.END:
            value = fields.value(name, _expected(key))
            return None if value == "-" else _whole(fields, key, value)
    read = {
        Kind.NUMBERS: _whole, Kind.DECIMALS: _decimal, Kind.RATINGS: _rating, Kind.TUBES: _tube,
    }[key.kind]  # fmt: skip
    written = fields.values(name, None)
    if not key.fewest <= len(written) <= key.longest:
        raise fields.wrong(name, _expected(key), list(written))
    values = tuple(read(fields, key, value) for value in written)
    plain: list[Any] = [each.value if isinstance(each, Rating) else each for each in values]
    if key.order and plain != sorted(plain, reverse=key.order == "falls"):
        raise fields.wrong(name, Message(f"grand_fleets.expected.{key.order}"), list(written))
    return values


def _expected(key: CardKey) -> Message:
    """What a field takes, for an error message."""
    if key.kind is Kind.TEXTS:
        return Message("schema.list_of", what=Message("schema.names", choices=key.values))
    count = Message("schema.from_to", least=key.fewest, most=key.longest)
    if key.fewest == key.longest:
        count = verbatim(str(key.fewest))
    return Message(f"grand_fleets.expected.{key.kind}", least=key.least, most=key.most, count=count)


def _one_of(fields: Fields, key: CardKey, text: str) -> str:
    if text not in key.values:
        raise fields.wrong(key.name, _expected(key), text)
    return text


def _whole(fields: Fields, key: CardKey, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not key.least <= value <= key.most:
        raise fields.wrong(key.name, _expected(key), value)
    return value


def _decimal(fields: Fields, key: CardKey, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise fields.wrong(key.name, _expected(key), value)
    if not key.least < value <= key.most:
        raise fields.wrong(key.name, _expected(key), value)
    return float(value)


def _rating(fields: Fields, key: CardKey, value: object) -> Rating:
    text = str(value).strip() if isinstance(value, str) else value
    mark = text[-1] if isinstance(text, str) and text[-1:] in ("+", "-") else ""
    if isinstance(text, str):
        digits = text.removesuffix(mark) if mark else text
        text = int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= 2 else value
    return Rating(_whole(fields, key, text), mark)


def _tube(fields: Fields, key: CardKey, value: object) -> TubeBox:
    text = value if isinstance(value, str) else ""
    letters, torpedoes = (text[:-1], 2) if text.endswith("2") else (text, 1)
    if letters not in list(Tube):
        raise fields.wrong(key.name, _expected(key), value)
    return TubeBox(Tube(letters), torpedoes)


def _sources(fields: Fields, known: tuple[str, ...]) -> dict[str, Source]:
    table = fields.table("sources", known)
    return {name: _source(table, name) for name in known if name in table}


def _source(fields: Fields, key: str) -> Source:
    """A provenance and a reference on one line, such as "printed: the card of Iron Duke"."""
    text = fields.text(key, most=400)
    provenance, _, reference = text.partition(":")
    if provenance not in list(Provenance) or not reference.strip():
        raise fields.wrong(key, Message("combat.expected.source", known=tuple(Provenance)), text)
    return Source(Provenance(provenance), reference.strip())


def _source_text(source: Source) -> str:
    return f"{source.provenance}: {source.reference}"


def _part_values(part: object, group: str, sources: Mapping[str, Source]) -> dict[str, object]:
    """The values of a part of a card that are not as usual, and where they come from."""
    found: dict[str, object] = {}
    for key in CARD_KEYS[group]:
        value = getattr(part, "ship_class" if key.name == "class" else key.name)
        if key.kind is Kind.END:
            value = "-" if value is None else value
        if value is not None and value != key.usual:
            found[key.name] = _plain(value)
    if sources:
        found["sources"] = {key: _source_text(source) for key, source in sources.items()}
    return found


def _plain(value: object) -> object:
    """A value as a file has it."""
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    if isinstance(value, Rating | TubeBox):
        return int(str(value)) if str(value).isdigit() else str(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return str(value) if isinstance(value, str) else value
