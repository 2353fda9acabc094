"""The rules in force: what a battle, or the calculator, is played with, on one card.

Whatever the players have changed is marked: an option that is not as usual, a table cell with the
owner's value, another scale. Nothing on the card is secret.
"""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass

from combat.optional_rules import HouseDecision, OptionalRule, RuleValue
from combat.provenance import Provenance
from combat.rulebook_info import Ruleset
from combat.tables import Table, TableSet
from tabletop.messages import Message


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnerCell:
    """A table cell with the owner's value, and what stands there without it."""

    table: str
    title: str
    row: str
    column: str
    book: str
    book_provenance: Provenance
    own: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReconstructedCells:
    """The cells of a table whose printed values are lost, and which nobody has entered."""

    table: str
    title: str
    count: int
    of: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesInForce:
    """All that decides a result besides dice and ships."""

    ruleset: str
    title: str
    source: str
    edition: int
    latest_edition: int
    conditions: tuple[RuleValue, ...]
    """Scale, and what holds for the whole battle."""
    options: tuple[OptionalRule, ...]
    decisions: tuple[HouseDecision, ...]
    owner_cells: tuple[OwnerCell, ...]
    owner_cards: tuple[str, ...]
    """The ships whose cards are the players' own."""
    reconstructed: tuple[ReconstructedCells, ...]
    tables_checksum: str

    @property
    def changes(self) -> int:
        """How many things are not as this program has them by itself."""
        return (
            sum(each.changed for each in self.conditions)
            + sum(each.changed for each in self.options)
            + len(self.owner_cells)
            + len(self.owner_cards)
        )

    @property
    def checksum(self) -> str:
        """SHA-256 over rulebook, edition, options that are on, and tables.

        The same rules have the same checksum. Weather and places are a matter of the battle.
        """
        parts: list[object] = [
            self.ruleset,
            self.edition,
            sorted(each.key for each in self.options if each.on),
            self.tables_checksum,
        ]
        return hashlib.sha256(json.dumps(parts).encode("ascii")).hexdigest()


def rules_in_force(
    ruleset: Ruleset,
    tables: TableSet,
    *,
    latest_edition: int,
    options: tuple[OptionalRule, ...] = (),
    conditions: tuple[RuleValue, ...] = (),
    yards_per_inch: float | None = None,
) -> RulesInForce:
    """The rules of an edition with these tables, options and conditions.

    A ruleset has the players' own cards among its ships, where it comes out of their library.
    """
    return RulesInForce(
        ruleset=ruleset.name,
        title=ruleset.title,
        source=ruleset.source,
        edition=ruleset.edition,
        latest_edition=latest_edition,
        conditions=(*_scale(ruleset, yards_per_inch), *conditions),
        options=options,
        decisions=ruleset.decisions,
        owner_cells=tuple(owner_cells(tables, ruleset.tables)),
        owner_cards=tuple(_owner_cards(ruleset)),
        reconstructed=tuple(_reconstructed(table) for table in tables if _lost(table)),
        tables_checksum=tables.checksum,
    )


def usual_options(ruleset: Ruleset) -> tuple[OptionalRule, ...]:
    """The optional rules of a rulebook, as they are where nobody has chosen."""
    if ruleset.battle is not None:
        return ruleset.battle(ruleset.tables).optional_rules()
    return ruleset.rulebook(ruleset.tables).optional_rules if ruleset.rulebook else ()


def owner_cells(tables: TableSet, book: TableSet) -> Iterator[OwnerCell]:
    """Every cell with an owner's value, in the order of the tables."""
    for table in tables:
        for (row, column), cell in table.cells.items():
            if cell.provenance is Provenance.OWNER:
                without = book[table.name].cell(row, column)
                yield OwnerCell(
                    table=table.name,
                    title=table.title,
                    row=row,
                    column=column,
                    book=without.value,
                    book_provenance=without.provenance,
                    own=cell.value,
                )


def _scale(ruleset: Ruleset, yards_per_inch: float | None) -> Iterator[RuleValue]:
    usual = ruleset.default_scale.yards_per_inch
    if not ruleset.needs_table:
        return
    scale = usual if yards_per_inch is None else yards_per_inch
    yield RuleValue(
        key="scale",
        label=Message("combat.in_force.scale"),
        value=Message("combat.in_force.yards_per_inch", yards=scale),
        rule=ruleset.sources["scale"].reference.partition(":")[0],
        changed=scale != usual,
    )


def _owner_cards(ruleset: Ruleset) -> Iterator[str]:
    """The ships whose cards are not those that come with the rulebook."""
    if ruleset.cards is None:
        return
    for ship in ruleset.ships:
        if ruleset.cards.printed.find(ship.name) != ship:
            yield ship.name


def _lost(table: Table) -> int:
    return table.counts[Provenance.RECONSTRUCTED]


def _reconstructed(table: Table) -> ReconstructedCells:
    return ReconstructedCells(
        table=table.name, title=table.title, count=_lost(table), of=len(table.cells)
    )
