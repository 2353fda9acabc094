"""The conversions of rule 72 for commands and pages."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields, replace
from typing import Annotated, ClassVar, Final, get_type_hints

from pydantic import Field

from combat.conversions import (
    Conversion,
    ConversionFile,
    ConversionRules,
    FileKey,
    FileShip,
    GameLevel,
    HexRange,
    MarkKey,
)
from combat.participants import Ship
from combat.rulebooks.bismarck_advanced.basic_game.hit_record_pad import pad_of
from combat.rulebooks.bismarck_advanced.basic_game.marks import BasicMarks
from combat.rulebooks.bismarck_advanced.basic_game.sheet_conversion import (
    NOT_BESIDE,
    SheetConversion,
    beside_words,
    kept_beside,
)
from combat.rulebooks.bismarck_advanced.conversion import hexes_in_yards, range_in_hexes
from combat.rulebooks.bismarck_advanced.fleet.vessel import RudderFault, Vessel
from combat.rulebooks.bismarck_advanced.fleet.warships import Warship
from combat.rulebooks.bismarck_advanced.free_play.record_sheet import sheet_outside_battle
from combat.rulebooks.bismarck_advanced.free_play.ship_state import ShipState, vessel_with
from combat.rulebooks.bismarck_advanced.free_play.state_checks import check_state
from combat.rulebooks.bismarck_advanced.table_files import NAME
from combat.ships import ShipList
from combat.shot_file import found_in
from combat.tables import TableSet
from tabletop.errors import BadField, DreyerError, UnknownName
from tabletop.messages import NO_WORDS, Message, Value, verbatim
from tabletop.places import NOWHERE, DocumentPlace, PlaceLike
from tabletop.schema import Annotation, Number, Schema, Whole, describe_value, document, shape_of

MOST_HEXES: Final = 250
MOST_SHIPS: Final = 200
_MOST_COMMAND_MODIFIER: Final = 99
_BESIDE: Final = "beside"
_NO_MARKS: Final = ShipState()
_NONE: Final = Message("advanced.convert.key.none")


@document
class ShipEntry:
    """A ship of a conversion file."""

    name: Annotated[str, Field(min_length=1, max_length=40)]
    type: Annotated[str, Field(max_length=40)] = ""
    side: Annotated[str, Field(max_length=40)] = ""
    marks: BasicMarks | None = None
    beside: ShipState | None = None
    state: ShipState | None = None


@document
class FileDocument:
    """A conversion file."""

    ruleset: str = NAME
    to: GameLevel | None = None
    ship: Annotated[tuple[ShipEntry, ...], Field(max_length=MOST_SHIPS)] = ()
    hexes: tuple[Annotated[Whole, Field(ge=1, le=MOST_HEXES)], ...] = ()
    yards: tuple[Annotated[Number, Field(ge=0, le=1_000_000)], ...] = ()


class AdvancedConversions(ConversionRules[BasicMarks, ShipState]):
    """The conversions of rule 72 with the current tables."""

    board: ClassVar[str] = "bismarck-battle-board"

    def __init__(self, tables: TableSet, warships: ShipList[Warship]) -> None:
        self._tables = tables
        self._warships = warships
        self._marks: Schema[BasicMarks] = Schema(BasicMarks)
        self._state: Schema[ShipState] = Schema(ShipState)
        self._file: Schema[FileDocument] = Schema(FileDocument)

    # Reading

    def mark_keys(self, ship_type: str) -> tuple[MarkKey, ...]:
        """The marks that a ship can have on the pad; empty for a destroyer."""
        found = self._between(self._warships.named(ship_type, NAME))
        return found.mark_keys() if found else ()

    def beside_keys(self, ship_type: str) -> tuple[MarkKey, ...]:
        """Superstructure, fire control, conning tower and rudder."""
        warship = self._warships.named(ship_type, NAME)
        if warship.is_destroyer:
            return ()
        flags = ["director_destroyed", "plot_destroyed"]
        flags += ["radar_lost"] if warship.radar else []
        return (
            MarkKey(
                "superstructure_lost",
                Message("advanced.convert.kept.superstructure_lost"),
                "64.5",
                warship.superstructure_boxes,
                in_quarters=True,
            ),
            MarkKey(
                "command_modifier",
                Message("advanced.convert.kept.command_modifier"),
                "64.72",
                _MOST_COMMAND_MODIFIER,
            ),
            *(
                MarkKey(key, Message(f"advanced.convert.kept.{key}"), rule, 1, is_flag=True)
                for key, rule in zip(flags, ("64.71", "64.71", "64.5"), strict=False)
            ),
            *(
                MarkKey(
                    "rudder_faults",
                    Message(
                        "advanced.convert.beside.rudder",
                        faults=Message(f"advanced.rudder_fault.{fault}"),
                    ),
                    "64.72",
                    1,
                    is_flag=True,
                    value=fault,
                )
                for fault in RudderFault
            ),
        )

    def read_marks(
        self, document: Mapping[str, object], ship: Ship, place: PlaceLike
    ) -> BasicMarks:
        """Parse a ship's marks from a form or a request."""
        marks = self._marks.read_table(document, place)
        self._sheets(ship, place).check(marks, place)
        return marks

    def read_state(self, document: Mapping[str, object], place: PlaceLike) -> ShipState:
        """Parse marks of the Advanced Game from a document."""
        return self._state.read_table(document, place)

    def read_file(
        self, document: Mapping[str, object], source: str
    ) -> ConversionFile[BasicMarks, ShipState]:
        """Parse a conversion file; its direction is given by a key or follows from its ships."""
        read = self._file.read_table(document, source)
        ships: dict[str, FileShip[BasicMarks, ShipState]] = {}
        for number, entry in enumerate(read.ship, start=1):
            place = DocumentPlace(source).item("ship", number, entry.name)
            if entry.name in ships:
                raise BadField(
                    place, "name", Message("schema.new_name"), describe_value(entry.name)
                )
            warship = self._warships.named(entry.type or entry.name, place)
            side = entry.side or warship.nation.lower()
            ship = Ship(entry.name, entry.name, side, warship.name)
            ships[entry.name] = FileShip(ship, place, entry.marks, entry.beside, entry.state)
        direction = read.to or _direction(list(ships.values()))
        return ConversionFile(direction, tuple(ships.values()), read.hexes, read.yards)

    def file_keys(self) -> tuple[FileKey, ...]:
        """The keys of a conversion file."""
        state = tuple(each.name for each in fields(ShipState))
        beside = tuple(name for name in state if name not in NOT_BESIDE)
        return (
            _described(FileDocument, "ruleset", default=verbatim(NAME)),
            _described(FileDocument, "to", default=Message("advanced.convert.key.as_marked")),
            _described(FileDocument, "hexes", default=_NONE),
            _described(FileDocument, "yards", default=_NONE),
            _described(ShipEntry, "name", "ship.", Message("advanced.convert.key.required")),
            _described(ShipEntry, "type", "ship.", Message("advanced.convert.key.her_name")),
            _described(ShipEntry, "side", "ship.", Message("advanced.convert.key.her_nation")),
            *(
                FileKey(
                    f"ship.marks.{each.name}",
                    shape_of(_hint(BasicMarks, each.name)).expected,
                    verbatim(str(each.default).lower()),
                    Message(f"advanced.convert.mark.{each.name}"),
                )
                for each in fields(BasicMarks)
            ),
            _described(ShipEntry, "beside", "ship.", _NONE, keys=beside),
            _described(ShipEntry, "state", "ship.", _NONE, keys=state),
        )

    # Converting

    def to_advanced(
        self,
        ship: Ship,
        marks: BasicMarks,
        beside: ShipState | None = None,
        place: PlaceLike = "",
    ) -> Conversion[BasicMarks, ShipState]:
        """A ship's sheet in the Advanced Game from her marks on the pad."""
        sheets = self._sheets(ship, place)
        sheets.check(marks, DocumentPlace.of(place).table("marks") if place else place)
        kept = self._kept(beside, place)
        with _found_beside(place):
            vessel_with(kept, Vessel.fresh(sheets.warship))
            state, lines = sheets.to_advanced(marks, kept)
            # What follows from her marks on the pad fits her sheet.
            vessel = self._vessel(sheets.warship, ship, state)
        return Conversion(
            ship=ship,
            to=GameLevel.ADVANCED,
            marks=marks,
            state=state,
            beside=kept_beside(state),
            beside_words=beside_words(state),
            sunk=vessel.is_sunk,
            lines=lines,
            sheet=replace(sheet_outside_battle(vessel, ship.side), ship=ship.name),
            boxes=sheets.boxes(marks),
        )

    def to_basic(
        self, ship: Ship, state: ShipState, *, sunk: bool = False, place: PlaceLike = ""
    ) -> Conversion[BasicMarks, ShipState]:
        """A ship's marks on the pad from her sheet in the Advanced Game.

        A destroyer has no sheet there: she is part of a flotilla, and only her loss counts.
        """
        warship = self._warships.named(ship.type, place)
        with found_in(place):
            vessel = self._vessel(warship, ship, state)
        vessel = replace(vessel, sunk_outright=sunk or vessel.sunk_outright)
        sheets = self._between(warship)
        marks, lines = (
            sheets.to_basic(state, sunk=vessel.is_sunk) if sheets is not None else (None, ())
        )
        return Conversion(
            ship=ship,
            to=GameLevel.BASIC,
            marks=marks,
            state=state,
            beside=kept_beside(state),
            beside_words=beside_words(state),
            sunk=vessel.is_sunk,
            lines=lines,
            sheet=replace(sheet_outside_battle(vessel, ship.side), ship=ship.name),
            boxes=sheets.boxes(marks) if sheets is not None and marks is not None else (),
            remark=Message("advanced.convert.remark.destroyer") if marks is None else NO_WORDS,
        )

    def hexes_in_yards(self, hexes: int) -> HexRange:
        """The yards of a distance in hexes."""
        return hexes_in_yards(hexes, self._tables)

    def yards_in_hexes(self, range_yards: float) -> HexRange:
        """The distance in hexes on the battle board."""
        return range_in_hexes(range_yards, self._tables)

    # Writing

    def marks_document(self, marks: BasicMarks) -> dict[str, object]:
        """Marks on the pad as a document, all of them."""
        return self._marks.dump(marks)

    def state_document(self, state: ShipState, *, whole: bool) -> dict[str, object]:
        """Marks of the Advanced Game as a document: all of them, or only what is marked."""
        if not whole:
            return self._state.write(state)
        # None values are omitted, as in every document of a ship's state.
        return {key: value for key, value in self._state.dump(state).items() if value is not None}

    # Helpers

    def _between(self, warship: Warship) -> SheetConversion | None:
        pad = pad_of(warship, self._tables)
        return SheetConversion(warship, pad, self._tables) if pad else None

    def _sheets(self, ship: Ship, place: PlaceLike) -> SheetConversion:
        found = self._between(self._warships.named(ship.type, place))
        if found is None:
            raise DreyerError("advanced.convert.destroyer", ship=ship.name)
        return found

    def _kept(self, beside: ShipState | None, place: PlaceLike) -> ShipState:
        """The marks kept beside, unless they repeat what the pad's marks say."""
        if beside is None:
            return _NO_MARKS
        for name in NOT_BESIDE:
            value = getattr(beside, name)
            if value != getattr(_NO_MARKS, name):
                expected = Message("advanced.convert.only_beside")
                where = DocumentPlace.of(place).table(_BESIDE) if place else NOWHERE
                raise BadField(where, name, expected, describe_value(value))
        return beside

    @staticmethod
    def _vessel(warship: Warship, ship: Ship, state: ShipState) -> Vessel:
        """Her sheet with these marks; errors are placed in the table of a state."""
        check_state(state, warship)
        return vessel_with(state, Vessel.fresh(warship, ship.name))


@contextmanager
def _found_beside(place: PlaceLike) -> Iterator[None]:
    """Place errors in a ship's state in the table of the marks kept beside."""
    with found_in(place):
        try:
            yield
        except (BadField, UnknownName) as error:
            raise error.under(_BESIDE) from None


def _direction(ships: list[FileShip[BasicMarks, ShipState]]) -> GameLevel | None:
    """The direction that follows from the ships of a file."""
    if ships and all(each.state is None for each in ships):
        return GameLevel.ADVANCED
    if ships and all(each.marks is None for each in ships):
        return GameLevel.BASIC
    return None


def _described(
    type_: type, name: str, table: str = "", default: Message = NO_WORDS, **params: Value
) -> FileKey:
    expected = shape_of(_hint(type_, name)).expected
    if "keys" in params:
        expected = Message("schema.table", key=f"{table}{name}")
    return FileKey(
        f"{table}{name}",
        expected,
        default,
        Message(f"advanced.convert.key.{name}", **params),
    )


def _hint(type_: type, name: str) -> Annotation:
    return get_type_hints(type_, include_extras=True)[name]
