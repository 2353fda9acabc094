"""The description of a rulebook (`Ruleset`), and loading it from its folder.

The list of rulebooks is in `combat.rulebooks`.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from importlib.abc import Traversable
from typing import TYPE_CHECKING, Annotated, ClassVar, Final, Literal

from pydantic import ConfigDict, Field

from combat.glossary import Glossary, load_glossary
from combat.optional_rules import HouseDecision
from combat.previews import RangeBand
from combat.provenance import Source, SourcedTable
from combat.ships import ModelBase, ShipClass, ShipList, ShipType, read_ships
from combat.tables import TableSet
from tabletop.arcs import Arcs
from tabletop.errors import DreyerError
from tabletop.messages import Message, verbatim
from tabletop.places import DocumentPlace
from tabletop.rules import RangeSegment, TableRules
from tabletop.scale import Scale
from tabletop.schema import (
    FILE_CONFIG,
    Flag,
    Line,
    Number,
    Positive,
    Schema,
    Text,
    file_document,
    one_of,
)
from tabletop.sight import SightRule
from tabletop.table import Base

if TYPE_CHECKING:
    from combat.battle_setup import SetUpRules
    from combat.cards import CardRules
    from combat.conversions import ConversionRules
    from combat.formations import FormationRules
    from combat.free_play import FreeRulebook
    from combat.guided_actions import StartingMarks
    from combat.guided_play import GuidedRulebook
    from combat.ship_markers import MarkerRules
    from combat.verification import CaseProvider


@dataclass(frozen=True, slots=True)
class SegmentInfo(RangeBand):
    """A range segment of the table, with the source of its limit."""

    source: Source


@dataclass(frozen=True, slots=True)
class Sizes:
    """The size classes of a rulebook, smallest first, and the default size."""

    order: tuple[str, ...]
    default: str
    by_class: Mapping[ShipClass, str]


@dataclass(frozen=True, slots=True)
class Phase:
    """A phase of a round or turn, with its actions."""

    __pydantic_config__: ClassVar[ConfigDict] = FILE_CONFIG

    title: Text
    reference: Text
    rolls: tuple[str, ...] = ()
    """The kinds of the actions that are rolled in it."""


@dataclass(frozen=True, slots=True)
class DecisionEntry:
    """A decision of this program, as a rulebook's file lists it."""

    __pydantic_config__: ClassVar[ConfigDict] = FILE_CONFIG

    code: Text
    """Of its words in the rulebook's string table."""
    rule: Text
    editions: tuple[int, ...] = ()
    """The editions that have it; all of them, where none is named."""


@dataclass(frozen=True, slots=True)
class Ruleset:
    """One rulebook: its measuring rules, ships, tables and rules of play."""

    name: str
    title: str
    default_scale: Scale
    base_length_inches: float
    base_width_inches: float
    segments: tuple[SegmentInfo, ...]
    sizes: Sizes | None
    table_rules: TableRules
    sources: Mapping[str, Source]
    """The source of each group of table settings: scale, base, arcs, sight, measure, sizes."""
    ships: ShipList[ShipType]
    load_tables: Callable[[], TableSet]
    """Gives `tables`, which are read when they are first asked for."""
    rulebook: "Callable[[TableSet], FreeRulebook[object]] | None" = None
    """Makes its rules for free play with given tables."""
    cards: "CardRules | None" = None
    """The rules for ships' cards that players enter, if it has such cards."""
    with_cards: Callable[[Iterable[ShipType]], "Ruleset"] | None = None
    """The whole rulebook with players' cards over those that come with it."""
    simultaneous: bool = False
    """Whether fire is simultaneous: damage affects a ship's own fire only in the next round."""
    phases: tuple[Phase, ...] = ()
    """Its sequence of play: the phases of a round or turn, in order."""
    battle: "Callable[[TableSet], GuidedRulebook[object]] | None" = None
    """Makes its rules for guided play with given tables, if it supports guided play."""
    setting_up: "Callable[[], SetUpRules] | None" = None
    """Gives its rules for setting up a battle by dice, if it has any."""
    formations: "FormationRules | None" = None
    """Its rules for formations, if it has any."""
    markers: "MarkerRules | None" = None
    """Its markers beside models, if it has any."""
    conversions: "Callable[[TableSet], ConversionRules[object, StartingMarks]] | None" = None
    """Makes its conversion to and from a simpler game, if there is one."""
    scenario_files: Mapping[str, bytes] = field(default_factory=dict)
    """Its scenario files by name; `combat.scenarios` reads them."""
    cases: "CaseProvider | None" = None
    """Its worked examples, replayed with given tables; None if it has none."""
    source: str = ""
    """The printed game: title, publisher and chapters."""
    needs_table: bool = True
    """Whether it needs positions on a measured table."""
    missing: tuple[str, ...] = ()
    """What the printed game has and this does not, or has only rebuilt; in words for players."""
    decision_entries: tuple[DecisionEntry, ...] = ()
    """What was decided where its book is silent, lost or contradicts itself, in any edition."""
    glossary: Glossary = field(default_factory=Glossary)
    """The terms that pages explain."""
    edition: int = 1
    """The edition of these rules and tables, which grows when one of them changes."""
    earlier: Mapping[int, "Ruleset"] = field(default_factory=dict)
    """The earlier editions, for battles that were begun with them."""

    @property
    def tables(self) -> TableSet:
        """Its tables without any owner's values; may be empty."""
        return self.load_tables()

    @property
    def decisions(self) -> tuple[HouseDecision, ...]:
        """What was decided where its book is silent, lost or contradicts itself."""
        return tuple(
            HouseDecision(text=Message(each.code), rule=each.rule)
            for each in self.decision_entries
            if not each.editions or self.edition in each.editions
        )

    @property
    def complete(self) -> bool:
        """Whether nothing is missing or reconstructed."""
        return not self.missing

    def of_edition(self, edition: int) -> "Ruleset":
        """The rulebook in an edition. Raises DreyerError if there is no such edition."""
        if edition == self.edition:
            return self
        if edition in self.earlier:
            return self.earlier[edition]
        raise DreyerError("combat.rulebook.no_edition", rulebook=self.title, edition=edition)

    def size_of(self, ship: ShipType | None) -> str | None:
        """The size class of a ship's type: her own, or that of her class."""
        if ship is None or self.sizes is None:
            return None
        return ship.size or self.sizes.by_class.get(ship.ship_class)

    def base_of(self, ship: ShipType | None, scale: Scale) -> Base:
        """The base of a ship's model: as her card has it, otherwise the usual one."""
        own = ModelBase() if ship is None else ship.base
        return Base(
            scale.yards_from_inches(own.length_inches or self.base_length_inches),
            scale.yards_from_inches(own.width_inches or self.base_width_inches),
            scale.yards_from_inches(own.bridge_offset_inches),
        )


@file_document
class _Scale(SourcedTable):
    yards_per_inch: Positive


@file_document
class _Base(SourcedTable):
    length_inches: Positive
    width_inches: Positive


@file_document
class _Measure(SourcedTable):
    from_: Annotated[Literal["centre", "bridge"], Field(alias="from")]
    contact_range_yards: Positive | None = None


@file_document
class _Arcs(SourcedTable):
    bow_half_width_deg: Number
    stern_half_width_deg: Number


@file_document
class _Sight(SourcedTable):
    whole_line_range_yards: Positive = float("inf")
    near_reach_yards: Positive = float("inf")


@file_document
class _Sizes(SourcedTable):
    order: tuple[str, ...]
    default: str
    by_class: Mapping[ShipClass, str] = field(default_factory=dict)


@file_document
class _Segment(SourcedTable):
    name: Text
    title: Text
    upper_yards: Positive


@file_document
class _TableFile:
    """The file `table.toml` of a rulebook."""

    title: Text
    source: Annotated[Line, Field(min_length=1, max_length=160)]
    needs_table: Flag
    simultaneous: Flag = False
    missing: tuple[str, ...] = ()
    decision: tuple[DecisionEntry, ...] = ()
    scale: _Scale
    base: _Base
    measure: _Measure
    arcs: _Arcs
    sight: _Sight
    sizes: _Sizes | None = None
    segment: tuple[_Segment, ...] = ()
    phase: tuple[Phase, ...] = ()


_TABLE_FILE: Final[Schema[_TableFile]] = Schema(_TableFile)


def load_ruleset(
    name: str, folder: Traversable, ships: ShipList[ShipType] | None = None
) -> Ruleset:
    """A ruleset from the data files in its folder: `table.toml` and `ships/*.toml`.

    `ships` replaces the ship files, for rulebooks whose ships have more data.
    """
    place = f"{name}/table.toml"
    file = _TABLE_FILE.read_toml((folder / "table.toml").read_bytes(), place)
    groups: dict[str, SourcedTable] = {
        "scale": file.scale,
        "base": file.base,
        "measure": file.measure,
        "arcs": file.arcs,
        "sight": file.sight,
    }
    sizes = None
    if file.sizes is not None:
        groups["sizes"] = file.sizes
        sizes = _checked_sizes(file.sizes, DocumentPlace(place).table("sizes"))
    no_tables = TableSet(name, ())
    segments = tuple(
        SegmentInfo(
            name=segment.name,
            title=verbatim(segment.title),
            upper_yards=segment.upper_yards,
            source=segment.source,
        )
        for segment in file.segment
    )
    if ships is None:
        ships = read_ships(ship_files(folder), sizes.order if sizes else ())
    return Ruleset(
        name=name,
        title=file.title,
        default_scale=Scale(file.scale.yards_per_inch),
        base_length_inches=file.base.length_inches,
        base_width_inches=file.base.width_inches,
        segments=segments,
        sizes=sizes,
        table_rules=TableRules(
            arcs=Arcs(file.arcs.bow_half_width_deg, file.arcs.stern_half_width_deg),
            sight=SightRule(
                whole_line_range_yards=file.sight.whole_line_range_yards,
                near_reach_yards=file.sight.near_reach_yards,
                sizes=sizes.order if sizes else (),
                default_size=sizes.default if sizes else "",
            ),
            segments=tuple(RangeSegment(info.name, info.upper_yards) for info in segments),
            measure_from_bridge=file.measure.from_ == "bridge",
            contact_range_yards=file.measure.contact_range_yards,
        ),
        sources={group: table.source for group, table in groups.items()},
        ships=ships,
        load_tables=lambda: no_tables,
        source=file.source,
        needs_table=file.needs_table,
        simultaneous=file.simultaneous,
        missing=file.missing,
        decision_entries=file.decision,
        phases=file.phase,
        glossary=load_glossary(name, folder),
        scenario_files=_toml_files(folder / "scenarios"),
    )


def _checked_sizes(sizes: _Sizes, place: DocumentPlace) -> Sizes:
    one_of(sizes.default, sizes.order, place, "default")
    for ship_class, size in sizes.by_class.items():
        one_of(size, sizes.order, place.table("by_class"), ship_class)
    return Sizes(sizes.order, sizes.default, sizes.by_class)


def ship_files(folder: Traversable) -> dict[str, bytes]:
    """The ship files of a ruleset's folder, by name: every `ships/*.toml`."""
    return _toml_files(folder / "ships")


def _toml_files(folder: Traversable) -> dict[str, bytes]:
    files = folder.iterdir() if folder.is_dir() else ()
    return {file.name: file.read_bytes() for file in files if file.name.endswith(".toml")}
