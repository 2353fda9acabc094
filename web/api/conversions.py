"""The API of conversions, whose states POST /api/battles takes."""

from collections.abc import Mapping
from dataclasses import field
from typing import Annotated, Final

from pydantic import Field

from combat.conversions import Conversion, ConversionRules, GameLevel
from combat.guided_actions import StartingMarks
from combat.library import conversion_rules
from combat.participants import Ship
from combat.provenance import Provenance
from combat.rulebook_info import Ruleset
from combat.rulebooks import DEFAULT, get_ruleset
from combat.sides import usual
from tabletop.errors import BadField
from tabletop.messages import Message
from tabletop.places import shorten
from tabletop.schema import SideName, document
from web.actions.free_play import EnterShips
from web.api.models import Done
from web.api.route import Call, Needs, Routes
from web.checks.access import tables_of
from web.conversions.address import conversion_ruleset
from web.conversions.board import ships_for_board
from web.conversions.marks_file import address_of_file
from web.journal.fields import Name

routes: Final = Routes()

Mark = bool | int | float | str | tuple[str, ...] | Mapping[str, float]
MOST_SHIPS = 60
LARGEST_FILE_BYTES = 200_000
KINDS = ("application/octet-stream", "application/toml", "text/plain")


@document
class MarkedShip:
    """A ship and what is marked on her sheet."""

    name: Name
    type: Name = ""
    """Her type; by default her name."""
    side: SideName = ""
    """By default the side of her nation."""
    marks: Mapping[str, Mark] = field(default_factory=dict)
    """Marks of the Basic Game, to be converted to the Advanced Game."""
    beside: Mapping[str, Mark] = field(default_factory=dict)
    """Marks that were kept beside them."""
    state: Mapping[str, Mark] | None = None
    """Marks of the Advanced Game, to be converted to the Basic Game."""


Ships = Annotated[tuple[MarkedShip, ...], Field(min_length=1, max_length=MOST_SHIPS)]


@document
class ConversionRequest:
    """Ships, and the game that they are converted to."""

    to: GameLevel
    ships: Ships


@document
class LineAnswer:
    """One kind of mark, before and after."""

    what: str
    before: float
    after: float
    before_words: Message
    after_words: Message
    rule: str
    rounded: bool
    remark: Message
    provenance: Provenance


@document
class ShipAnswer:
    """A converted ship."""

    name: str
    type: str
    side: str
    sunk: bool
    marks: Mapping[str, object] | None
    """Null if she has no sheet in the Basic Game."""
    state: Mapping[str, object]
    beside: Mapping[str, object]
    lines: tuple[LineAnswer, ...]
    remark: Message


@document
class ConversionAnswer:
    """All converted ships."""

    ruleset: str
    to: GameLevel
    ships: tuple[ShipAnswer, ...]


@document
class PageAddress:
    """What the page shows now."""

    said: Annotated[str, Field(max_length=LARGEST_FILE_BYTES)] = ""
    """The part of its address behind the question mark."""


@document
class FileTaken:
    """A file that the page can show."""

    address: str
    """Where its ships are, with those that the page had."""
    ships: int


@routes.route(
    "POST",
    "/api/conversions/file",
    "The page of conversions with the ships of a file that dreyer convert reads (72)",
    needs=Needs.LOOK,
    takes=KINDS,
    largest_bytes=LARGEST_FILE_BYTES,
    faults=(404, 413, 415),
    tag="conversions",
)
def take_file(call: Call, body: bytes, query: PageAddress) -> FileTaken:
    """Nothing is kept: all of it stands in the address."""
    moment = call.session.moment
    tables = tables_of(conversion_ruleset(moment).name)
    found = address_of_file(body, query.said, moment, call.caller, tables)
    return FileTaken(address=found.address, ships=found.ships)


@routes.route(
    "POST",
    "/api/conversions",
    "Carry ships over between the Advanced Game and the Basic Game (72)",
    needs=Needs.LOOK,
    faults=(404,),
    tag="conversions",
)
def convert(call: Call, body: ConversionRequest) -> ConversionAnswer:  # noqa: ARG001
    """Nothing is stored."""
    ruleset, rules = _rules()
    names = [each.name for each in body.ships]
    again = next((name for name in names if names.count(name) > 1), None)
    if again is not None:
        raise BadField("ships", "name", Message("schema.new_name"), shorten(again))
    made = [_converted(ruleset, rules, each, body.to) for each in body.ships]
    return ConversionAnswer(
        ruleset=ruleset.name, to=body.to, ships=tuple(_answer(rules, each) for each in made)
    )


@routes.route(
    "POST",
    "/api/conversions/board",
    "Hand the ships of the page back to the fight on the battle board (72)",
    needs=Needs.PLAY,
    faults=(404,),
    tag="conversions",
)
def hand_back(call: Call, body: PageAddress) -> Done:
    """They join it with their marks; those that are in it get these marks."""
    moment = call.session.moment
    tables = tables_of(conversion_ruleset(moment).name)
    ruleset, ships = ships_for_board(body.said, moment, call.caller, tables)
    return call.act(EnterShips(ruleset, ships, call.server_context.owner_values))


def _rules() -> tuple[Ruleset, ConversionRules[object, StartingMarks]]:
    ruleset = get_ruleset(DEFAULT)
    return ruleset, conversion_rules(ruleset, tables_of(ruleset.name))


def _converted(
    ruleset: Ruleset,
    rules: ConversionRules[object, StartingMarks],
    entry: MarkedShip,
    to: GameLevel,
) -> Conversion[object, StartingMarks]:
    type_ = ruleset.ships.named(entry.type or entry.name, "ships")
    side = entry.side or usual().of_nation(type_.nation).key
    ship = Ship(entry.name, entry.name, side, type_.name)
    if to is GameLevel.BASIC:
        state = rules.read_state(entry.state or {}, entry.name)
        return rules.to_basic(ship, state, place=entry.name)
    marks = rules.read_marks(entry.marks, ship, entry.name)
    beside = rules.read_state(entry.beside, entry.name)
    return rules.to_advanced(ship, marks, beside, entry.name)


def _answer(
    rules: ConversionRules[object, StartingMarks], each: Conversion[object, StartingMarks]
) -> ShipAnswer:
    return ShipAnswer(
        name=each.ship.name,
        type=each.ship.type,
        side=each.ship.side,
        sunk=each.sunk,
        marks=None if each.marks is None else rules.marks_document(each.marks),
        state=rules.state_document(each.state, whole=True),
        beside=rules.state_document(each.beside, whole=False),
        lines=tuple(
            LineAnswer(
                what=line.part,
                before=line.before,
                after=line.after,
                before_words=line.before_words,
                after_words=line.after_words,
                rule=line.rule,
                rounded=line.rounded,
                remark=line.remark,
                provenance=line.provenance,
            )
            for line in each.lines
        ),
        remark=each.remark,
    )
