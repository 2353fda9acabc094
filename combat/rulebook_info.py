"""What every rulebook provides, and the reading of its table settings.

The list of rulebooks itself is in `combat.rulebooks`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.abc import Traversable
from typing import Any

from combat.battle_setup import SetUpRules
from combat.cards import CardRules
from combat.conversions import ConversionRules
from combat.formations import FormationRules
from combat.free_play import FreeRulebook
from combat.guided_play import GuidedRulebook
from combat.previews import RangeBand
from combat.provenance import SOURCE_KEYS, Source
from combat.ships import ShipClass, ShipList, ShipType, read_ships
from combat.tables import TableSet
from combat.verification import CaseProvider
from tabletop.arcs import Arcs
from tabletop.documents import parse_toml
from tabletop.errors import DreyerError
from tabletop.fields import Fields
from tabletop.messages import verbatim
from tabletop.rules import RangeSegment, TableRules
from tabletop.scale import Scale
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

    title: str
    reference: str
    rolls: tuple[str, ...] = ()
    """Kinds of actions; those of the ships that can do them."""


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
    rulebook: Callable[[TableSet], FreeRulebook[Any]] | None = None
    """Its rules in free play, with a set of its tables."""
    cards: CardRules[Any] | None = None
    """How players write its ships' cards, where those are theirs to enter."""
    simultaneous: bool = False
    """Whether all fire of a round is as if at one moment: who fires does so unhurt by it."""
    phases: tuple[Phase, ...] = ()
    """Its sequence of play: the phases of a round or turn, in order."""
    battle: Callable[[TableSet], GuidedRulebook[Any]] | None = None
    """The same by its sequence of play, where it can guide a whole battle."""
    setting_up: SetUpRules | None = None
    """How it sets a battle up by its dice, where it does."""
    formations: FormationRules | None = None
    """What it says of ships that sail together, where it has a rule for them."""
    conversions: Callable[[TableSet], ConversionRules[Any, Any]] | None = None
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
    edition: int = 1
    """The edition of these rules and tables; it grows when one of them changes."""
    earlier: Mapping[int, "Ruleset"] = field(default_factory=dict)
    """The editions before it, for the battles that were begun with them."""

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


def load_ruleset(
    name: str, folder: Traversable, ships: ShipList[ShipType] | None = None
) -> Ruleset:
    """A ruleset from the data files in its folder: `table.toml` and `ships/*.toml`.

    A rulebook that says more of its ships than their class and size reads them itself.
    """
    source = f"{name}/table.toml"
    keys = (
        *("title", "source", "needs_table", "simultaneous", "missing"),
        *("scale", "base", "measure", "arcs", "sight", "sizes", "segment", "phase"),
    )
    document = parse_toml((folder / "table.toml").read_bytes(), source)
    fields = Fields(document, source, keys)

    scale = fields.table("scale", ("yards_per_inch", *SOURCE_KEYS))
    base = fields.table("base", ("length_inches", "width_inches", *SOURCE_KEYS))
    measure = fields.table("measure", ("from", "contact_range_yards", *SOURCE_KEYS))
    arcs = fields.table("arcs", ("bow_half_width_deg", "stern_half_width_deg", *SOURCE_KEYS))
    sight = fields.table("sight", ("whole_line_range_yards", "near_reach_yards", *SOURCE_KEYS))
    groups = {"scale": scale, "base": base, "measure": measure, "arcs": arcs, "sight": sight}
    sizes = None
    if "sizes" in fields:
        groups["sizes"] = fields.table("sizes", ("order", "default", "by_class", *SOURCE_KEYS))
        sizes = _read_sizes(groups["sizes"])
    segments = tuple(
        SegmentInfo(
            name=segment.text("name"),
            title=verbatim(segment.text("title")),
            upper_yards=segment.number("upper_yards", above=0),
            source=Source.read(segment),
        )
        for segment in fields.tables("segment", ("name", "title", "upper_yards", *SOURCE_KEYS))
    )
    if ships is None:
        ships = read_ships(ship_files(folder), sizes.order if sizes else ())
    endless = float("inf")
    return Ruleset(
        name=name,
        title=fields.text("title"),
        default_scale=Scale(scale.number("yards_per_inch", above=0)),
        base_length_inches=base.number("length_inches", above=0),
        base_width_inches=base.number("width_inches", above=0),
        segments=segments,
        sizes=sizes,
        table_rules=TableRules(
            arcs=Arcs(arcs.number("bow_half_width_deg"), arcs.number("stern_half_width_deg")),
            sight=SightRule(
                whole_line_range_yards=_number_or(sight, "whole_line_range_yards", endless),
                near_reach_yards=_number_or(sight, "near_reach_yards", endless),
                sizes=sizes.order if sizes else (),
                default_size=sizes.default if sizes else "",
            ),
            segments=tuple(RangeSegment(info.name, info.upper_yards) for info in segments),
            measure_from_bridge=measure.choice("from", ("centre", "bridge")) == "bridge",
            contact_range_yards=(
                measure.number("contact_range_yards", above=0)
                if "contact_range_yards" in measure
                else None
            ),
        ),
        sources={group: Source.read(table) for group, table in groups.items()},
        ships=ships,
        tables=TableSet(name, ()),
        source=fields.text("source", most=160),
        needs_table=fields.flag("needs_table"),
        simultaneous=fields.flag("simultaneous", False),
        missing=fields.texts("missing"),
        phases=tuple(
            Phase(
                title=phase.text("title"),
                reference=phase.text("reference"),
                rolls=phase.texts("rolls") if "rolls" in phase else (),
            )
            for phase in fields.tables("phase", ("title", "reference", "rolls"))
        ),
        scenario_files=_toml_files(folder / "scenarios"),
    )


def _number_or(fields: Fields, key: str, otherwise: float) -> float:
    return fields.number(key, above=0) if key in fields else otherwise


def _read_sizes(fields: Fields) -> Sizes:
    order = fields.texts("order")
    by_class = fields.table("by_class", list(ShipClass))
    return Sizes(
        order=order,
        default=fields.choice("default", order),
        by_class={
            ship_class: by_class.choice(ship_class, order)
            for ship_class in ShipClass
            if ship_class in by_class
        },
    )


def ship_files(folder: Traversable) -> dict[str, bytes]:
    """The ship files of a ruleset's folder, by name: every `ships/*.toml`."""
    return _toml_files(folder / "ships")


def _toml_files(folder: Traversable) -> dict[str, bytes]:
    files = folder.iterdir() if folder.is_dir() else ()
    return {file.name: file.read_bytes() for file in files if file.name.endswith(".toml")}
