"""Fleets and divisions, the cost of commanders, and victory."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from combat.formations import Distance, Formation, FormationStatus
from combat.rulebooks.grand_fleets.card import Card
from combat.rulebooks.grand_fleets.command import in_command
from combat.rulebooks.grand_fleets.table_files import SIZES, figure
from combat.rulebooks.grand_fleets.vessel import CARDS
from combat.ships import ShipType
from combat.tables import TableSet
from combat.views import DraftFault
from tabletop.messages import Message, ShipRef

DRAW = "draw"


@dataclass(frozen=True, slots=True)
class Division:
    """Ships under one commander."""

    name: str
    ships: tuple[Card, ...]
    flagship: str

    @property
    def sizes(self) -> tuple[int, ...]:
        """The size classes of its ships as ranks from 0, without duplicates."""
        return tuple(sorted({SIZES.index(ship.size or "medium") for ship in self.ships}))


def division_points(points: int, quality: str, tables: TableSet) -> int:
    """The cost of a division with a chosen commander, rounded up."""
    percent = 100 + tables["command_quality"].integer(quality, "points_percent")
    return -(-points * percent // 100)


def points_for_leaving(points: int, tables: TableSet) -> int:
    """The enemy's points for a ship that leaves the table: half her points, rounded up."""
    return -(-points * figure(tables, "leaving the table, per cent of points") // 100)


def winner(points: Mapping[str, int], battle_size: str, tables: TableSet) -> str:
    """The winner in an End Phase, "draw" if both have won, and "" if nobody has yet."""
    threshold = tables["battle_sizes"].integer(battle_size, "threshold")
    reached = [side for side, scored in points.items() if scored >= threshold]
    return DRAW if len(reached) > 1 else "".join(reached)


def fleet_faults(
    ships: Sequence[Card], battle_size: str, tables: TableSet, *, year: int | None = None
) -> Iterator[DraftFault]:
    """The faults of a fleet: its points, its navies, ships of a later year."""
    rule = "Assembling the Fleet"
    limit = tables["battle_sizes"].integer(battle_size, "fleet_limit")
    total = sum(ship.victory_points or 0 for ship in ships)
    if total > limit:
        points = Message("grand_fleets.fault.points", points=total, limit=limit)
        yield DraftFault("points", points, rule)
    navies = sorted({ship.nation for ship in ships})
    if len(navies) > 1:
        yield DraftFault("nation", Message("grand_fleets.fault.navies", navies=tuple(navies)), rule)
    for ship in ships:
        if ship.victory_points is None:
            worth = Message("grand_fleets.fault.no_points", ship=ShipRef(ship.name))
            yield DraftFault(ship.name, worth, rule)
        if year is not None and ship.year is not None and ship.year > year:
            later = Message("grand_fleets.fault.year", ship=ShipRef(ship.name), year=ship.year)
            yield DraftFault(ship.name, later, rule)


def division_faults(divisions: Sequence[Division], tables: TableSet) -> Iterator[DraftFault]:
    """The faults of a fleet's divisions: their strength, sizes and flagships."""
    fewest = figure(tables, "fewest ships in a division")
    most = figure(tables, "most ships in a division")
    for division in divisions:
        name, count = division.name, len(division.ships)
        if count > most:
            many = Message("grand_fleets.fault.too_many", division=name, count=count, most=most)
            yield DraftFault(name, many, "Divisions")
        if count < fewest and not _cannot_be_mixed(division, divisions, fewest, most):
            few = Message("grand_fleets.fault.too_few", division=name, count=count, fewest=fewest)
            yield DraftFault(name, few, "Divisions")
        if not _may_sail_together(division.sizes):
            yield DraftFault(name, Message("grand_fleets.fault.sizes", division=name), "Divisions")
        flag = next((each for each in division.ships if each.name == division.flagship), None)
        if flag is None or SIZES.index(flag.size or "medium") != division.sizes[-1]:
            yield DraftFault(name, Message("grand_fleets.fault.flag", division=name), "Divisions")


def formation_statuses(
    formations: Sequence[Formation],
    ships: Mapping[str, ShipType],
    distance: Distance,
    tables: TableSet,
) -> tuple[FormationStatus, ...]:
    """Every division of a table: ships in command, points and faults."""
    cards = {name: ship for name, ship in ships.items() if isinstance(ship, Card)}
    divisions = [
        # On the table sister ships have their own names.
        Division(
            each.name,
            tuple(replace(cards[name], name=name) for name in each.ships if name in cards),
            each.flagship,
        )
        for each in formations
    ]
    fleets: dict[str, list[Division]] = {}
    for each, division in zip(formations, divisions, strict=True):
        if division.ships:
            # A side without a name is identified by the navy of its ships.
            fleets.setdefault(each.side or division.ships[0].nation, []).append(division)
    faults = [fault for fleet in fleets.values() for fault in division_faults(fleet, tables)]
    return tuple(
        FormationStatus(
            name=each.name,
            flagship=each.flagship,
            in_command=tuple(name for name in each.ships if name in linked),
            out_of_command=tuple(name for name in each.ships if name not in linked),
            points=_points(division.ships, len(each.ships)),
            faults=(
                *(fault for fault in faults if fault.field == each.name),
                *(
                    DraftFault(
                        each.name, Message("grand_fleets.fault.no_card", ship=ShipRef(name)), CARDS
                    )
                    for name in each.ships
                    if name not in cards
                ),
            ),
        )
        for each, division in zip(formations, divisions, strict=True)
        for linked in [in_command(each.flagship, each.ships, distance, tables, out=each.out)]
    )


def _points(cards: Sequence[Card], ships: int) -> int | None:
    known = [card.victory_points for card in cards if card.victory_points is not None]
    return sum(known) if len(known) == ships else None


def _cannot_be_mixed(weak: Division, divisions: Sequence[Division], fewest: int, most: int) -> bool:
    """Whether one or two ships of a size fit into no division."""
    sizes = [size for division in divisions for size in division.sizes]
    alone = all(sizes.count(size) == 1 for size in weak.sizes)
    partners = (
        other
        for other in divisions
        if other is not weak
        and fewest <= len(weak.ships) + len(other.ships) <= most
        and _may_sail_together(tuple(sorted({*weak.sizes, *other.sizes})))
    )
    return alone and next(partners, None) is None


def _may_sail_together(sizes: tuple[int, ...]) -> bool:
    return sizes[-1] - sizes[0] <= 1
