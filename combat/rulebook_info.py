"""What every rulebook provides, and the reading of its table settings.

The list of rulebooks itself is in `combat.rulebooks`.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from importlib.abc import Traversable
from typing import Annotated, ClassVar, Final, Literal

from pydantic import ConfigDict, Field

from combat.battle_setup import SetUpRules
from combat.cards import CardRules
from combat.conversions import ConversionRules
from combat.formations import FormationRules
from combat.free_play import FreeRulebook
from combat.guided_actions import StartingMarks
from combat.guided_play import GuidedRulebook
from combat.optional_rules import HouseDecision
from combat.previews import RangeBand
from combat.provenance import Source, SourcedTable
from combat.ships import ShipClass, ShipList, ShipType, read_ships
from combat.tables import TableSet
from combat.verification import CaseProvider
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


@dataclass(frozen=True, slots=True)
class SegmentInfo(RangeBand):
    """A range segment of the table, and where its limit comes from."""

    source: Source


@dataclass(frozen=True, slots=True)
class Sizes:
    """The size classes of a rulebook, smallest first, and the size of a ship that states none."""

    order: tuple[str, ...]
    default: str
    by_class: Mapping[ShipClass, str]


@dataclass(frozen=True, slots=True)
class Phase:
    """A phase of a round or turn, and what is rolled for in it."""

    __pydantic_config__: ClassVar[ConfigDict] = FILE_CONFIG

    title: Text
    reference: Text
    rolls: tuple[str, ...] = ()
    """Kinds of actions; those of the ships that can do them."""


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
    """One rulebook: how it measures the table, the ships it knows, its tables and its fire."""

    name: str
    title: str
    default_scale: Scale
    base_length_inches: float
    base_width_inches: float
    segments: tuple[SegmentInfo, ...]
    sizes: Sizes | None
    table_rules: TableRules
    sources: Mapping[str, Source]
    """Where each group of table settings comes from: scale, base, arcs, sight, measure, sizes."""
    ships: ShipList[ShipType]
    tables: TableSet
    """The tables that come with it, without any owner's values; empty where it has none."""
    rulebook: Callable[[TableSet], FreeRulebook[object]] | None = None
    """Its rules in free play, with a set of its tables."""
    cards: CardRules | None = None
    """How players write its ships' cards, where those are theirs to enter."""
    with_cards: Callable[[Iterable[ShipType]], "Ruleset"] | None = None
    """The whole rulebook with players' cards over those that come with it."""
    simultaneous: bool = False
    """Whether all fire of a round is as if at one moment: who fires does so unhurt by it."""
    phases: tuple[Phase, ...] = ()
    """Its sequence of play: the phases of a round or turn, in order."""
    battle: Callable[[TableSet], GuidedRulebook[object]] | None = None
    """The same by its sequence of play, where it can guide a whole battle."""
    setting_up: SetUpRules | None = None
    """How it sets a battle up by its dice, where it does."""
    formations: FormationRules | None = None
    """What it says of ships that sail together, where it has a rule for them."""
    conversions: Callable[[TableSet], ConversionRules[object, StartingMarks]] | None = None
    """How its ships are carried over from a simpler game and back, where there is one."""
    scenario_files: Mapping[str, bytes] = field(default_factory=dict)
    """Its scenarios as files, by name; `combat.scenarios` reads them."""
    cases: CaseProvider | None = None
    """Its worked examples, replayed with a set of its tables; None where it has none yet."""
    source: str = ""
    """The printed game: title, publisher, and the chapters that are meant."""
    needs_table: bool = True
    """Whether a fight needs positions on a measured table."""
    missing: tuple[str, ...] = ()
    """What the printed game has and this does not, or has only rebuilt; in words for players."""
    decision_entries: tuple[DecisionEntry, ...] = ()
    """What was decided where its book is silent, lost or contradicts itself, in any edition."""
    edition: int = 1
    """The edition of these rules and tables; it grows when one of them changes."""
    earlier: Mapping[int, "Ruleset"] = field(default_factory=dict)
    """The editions before it, for the battles that were begun with them."""

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
        """Whether nothing of the printed game's combat is missing or rebuilt."""
        return not self.missing

    def of_edition(self, edition: int) -> "Ruleset":
        """The rulebook as a battle has it that was begun with this edition."""
        if edition == self.edition:
            return self
        if edition in self.earlier:
            return self.earlier[edition]
        raise DreyerError("combat.rulebook.no_edition", rulebook=self.title, edition=edition)

    def size_of(self, ship: ShipType | None) -> str | None:
        """The size class of a known ship: her own, or that of her class."""
        if ship is None or self.sizes is None:
            return None
        return ship.size or self.sizes.by_class.get(ship.ship_class)


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

    A rulebook that says more of its ships than their class and size reads them itself.
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
        tables=TableSet(name, ()),
        source=file.source,
        needs_table=file.needs_table,
        simultaneous=file.simultaneous,
        missing=file.missing,
        decision_entries=file.decision,
        phases=file.phase,
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
