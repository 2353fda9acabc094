"""From an opening to a set-up, and from a set-up to the state before the first die."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final, cast

from combat.free_play import FreeState
from combat.guided_actions import (
    BattleOptions,
    BattleSetup,
    EnteredDivision,
    FleetLimits,
    Opening,
)
from combat.participants import Ship, Side
from combat.rulebooks.grand_fleets.card import Card
from combat.rulebooks.grand_fleets.command import heirs_of, successors
from combat.rulebooks.grand_fleets.fleet import (
    Division as FleetDivisionCards,
)
from combat.rulebooks.grand_fleets.fleet import (
    division_faults,
    division_points,
    fleet_faults,
)
from combat.rulebooks.grand_fleets.guided_battle.setup import (
    SETUP,
    FleetDivision,
    FleetOptions,
    FleetSetup,
    FleetShip,
    with_sides,
)
from combat.rulebooks.grand_fleets.guided_battle.state import Division, FleetState, QualityRoll
from combat.rulebooks.grand_fleets.owner_cards import card_of
from combat.rulebooks.grand_fleets.table_files import SIZES, Quality, Size, figure
from combat.rulebooks.grand_fleets.vessel import Marks, Vessel
from combat.ships import ShipList
from combat.tables import TableSet
from combat.views import DraftFault
from tabletop.errors import DreyerError
from tabletop.messages import Message, ShipRef
from tabletop.table import Base, Pose

PLAYERS = 2
_LANE_YARDS: Final = 1000.0
"""Between ships as they wait to be placed: bases in contact."""


def set_up(opening: Opening, cards: ShipList[Card], tables: TableSet) -> FleetSetup:
    """The set-up of an opening; divisions are proposed where none is named."""
    if opening.table_yards is None:
        raise DreyerError("grand_fleets.set_up.no_table")
    own = tuple(map(card_of, opening.cards))
    cards = with_own(cards, own)
    limits = opening.limits or FleetLimits()
    width, height = opening.table_yards
    divisions = opening.divisions or tuple(proposed_divisions(opening, cards, tables))
    ships = tuple(
        FleetShip(name=each.name, type=each.type, side=each.side, pose=each.pose, base=each.base)
        for each in opening.ships
    )
    if any(each.marks is not None for each in opening.ships):
        raise DreyerError("grand_fleets.set_up.marked")
    if opening.hidden:
        raise DreyerError("grand_fleets.set_up.hidden")
    found = FleetSetup(
        title=opening.title,
        sides=opening.sides,
        side_names=opening.side_names,
        ships=ships,
        divisions=tuple(
            FleetDivision(
                name=each.name,
                side=each.side,
                flagship=each.flagship,
                ships=each.ships,
                quality=cast("Quality | None", each.quality),
            )
            for each in divisions
        ),
        battle_size=cast("Size", limits.battle_size),
        year=limits.year,
        checked=limits.checked,
        options=FleetOptions() if opening.options is None else known_options(opening.options),
        width_yards=width,
        height_yards=height,
        cards=own,
    )
    # What was said as text is checked here.
    return SETUP.check(found)


def with_own(cards: ShipList[Card], own: Sequence[Card]) -> ShipList[Card]:
    """The rulebook's cards with those of players over them."""
    if not own:
        return cards
    mine = ShipList(own)
    return ShipList([*own, *(card for card in cards if mine.find(card.name) is None)])


def known_options(options: BattleOptions) -> FleetOptions:
    """The options, if they are of this rulebook."""
    if not isinstance(options, FleetOptions):
        raise DreyerError("grand_fleets.set_up.other_options")
    return options


def known_setup(setup: BattleSetup) -> FleetSetup:
    """The set-up, if it is one of this rulebook's."""
    if not isinstance(setup, FleetSetup):
        raise DreyerError("grand_fleets.set_up.other_rulebook")
    return with_sides(setup)


def begin(
    setup: FleetSetup, cards: ShipList[Card], base_of: Callable[[Card], Base], tables: TableSet
) -> FleetState:
    """The battle that a set-up describes, before its first die; DreyerError where it cannot be."""
    if len(setup.sides) != PLAYERS:
        raise DreyerError("grand_fleets.set_up.two_sides", n=len(setup.sides))
    by_name = _cards_of(setup, with_own(cards, setup.cards))
    _check_divisions_list(setup)
    if setup.checked:
        faults = tuple(
            fault.message
            for side in setup.sides
            for fault in side_faults(setup, side, by_name, tables)
        )
        if faults:
            raise DreyerError("grand_fleets.set_up.faults", faults=faults)
    _check_cards(by_name)
    free: FreeState[Marks] = FreeState(
        sides=tuple(Side(key, order_of_fire=n) for n, key in enumerate(setup.sides)),
        round_number=0,
    )
    for ship in setup.ships:
        entered = Ship(ship.name, ship.name, ship.side, by_name[ship.name].name)
        # Damage checks are rolled at once: none is ever due.
        free = free.with_ship(entered, Marks(checks_due=0))
    state = FleetState(
        title=setup.title,
        sides=setup.sides,
        side_names=setup.side_names,
        battle_size=setup.battle_size,
        options=setup.options,
        width_yards=setup.width_yards,
        height_yards=setup.height_yards,
        free=free,
        cards=MappingProxyType(by_name),
        bases=MappingProxyType(
            {ship.name: ship.base or base_of(by_name[ship.name]) for ship in setup.ships}
        ),
        divisions=tuple(
            Division(each.name, each.side, each.ships, each.flagship) for each in setup.divisions
        ),
        poses=MappingProxyType({ship.name: ship.pose for ship in setup.ships}),
        score=MappingProxyType(dict.fromkeys(setup.sides, 0)),
        tasks=tuple(QualityRoll(each.name) for each in setup.divisions if each.quality is None),
        own_cards=setup.cards,
    )
    for each in setup.divisions:
        if each.quality is not None:
            modifier = tables["command_quality"].integer(each.quality, "modifier")
            state = state.with_marks(each.flagship, command_quality=modifier)
    return state


def side_faults(
    setup: FleetSetup, side: str, cards: dict[str, Card], tables: TableSet
) -> Iterator[DraftFault]:
    """What is wrong with a fleet: points, years, navies, divisions, commanders."""
    divisions = [each for each in setup.divisions if each.side == side]
    fleet = [
        # Sisters have names of their own.
        replace(cards[ship.name], name=ship.name)
        for ship in setup.ships
        if ship.side == side
    ]
    yield from fleet_faults(fleet, setup.battle_size, tables, year=setup.year)
    chosen = [each for each in divisions if each.quality is not None]
    if chosen and len(chosen) < len(divisions):
        rule = Message("grand_fleets.fault.some_chosen", side=setup.side_names.get(side, side))
        yield DraftFault("quality", rule, "Divisions")
    if chosen:
        cost = sum(
            division_points(
                sum(cards[ship].victory_points or 0 for ship in each.ships),
                each.quality or "average",
                tables,
            )
            for each in divisions
        )
        limit = tables["battle_sizes"].integer(setup.battle_size, "fleet_limit")
        if cost > limit:
            told = Message("grand_fleets.fault.points", points=cost, limit=limit)
            yield DraftFault("points", told, "Divisions")
    yield from division_faults(
        [
            FleetDivisionCards(
                each.name,
                tuple(replace(cards[ship], name=ship) for ship in each.ships),
                each.flagship,
            )
            for each in divisions
        ],
        tables,
    )


def proposed_divisions(
    opening: Opening, cards: ShipList[Card], tables: TableSet
) -> Iterator[EnteredDivision]:
    """Divisions of ships of the same or neighbouring sizes, the largest first (Divisions)."""
    most = figure(tables, "most ships in a division")
    for side in opening.sides:
        fleet = [
            (ship.name, _size(cards.named(ship.type or ship.name, ship.name)))
            for ship in opening.ships
            if ship.side == side
        ]
        fleet.sort(key=lambda each: -each[1])
        groups: list[list[tuple[str, int]]] = []
        for ship in fleet:
            last = groups[-1] if groups else []
            if last and len(last) < most and last[0][1] - ship[1] <= 1:
                last.append(ship)
            else:
                groups.append([ship])
        for number, group in enumerate(groups, start=1):
            yield EnteredDivision(
                name=f"{opening.side_names.get(side, side)} {number}"[:40],
                side=side,
                flagship=group[0][0],
                ships=tuple(name for name, _ in group),
            )


def opening_faults(
    opening: Opening, cards: ShipList[Card], tables: TableSet
) -> dict[str, tuple[DraftFault, ...]]:
    """What is wrong with each side's fleet and divisions, whether or not they are checked."""
    setup = set_up(opening, cards, tables)
    by_name = _cards_of(setup, with_own(cards, setup.cards))
    _check_divisions_list(setup)
    return {side: tuple(side_faults(setup, side, by_name, tables)) for side in setup.sides}


def heirs(opening: Opening, cards: ShipList[Card], tables: TableSet) -> dict[str, tuple[str, ...]]:
    """By division: who may take over its flag first (Transferring the Flag)."""
    setup = set_up(opening, cards, tables)
    by_name = _cards_of(setup, with_own(cards, setup.cards))
    return {
        each.name: heirs_of({ship: by_name[ship] for ship in each.ships if ship != each.flagship})
        for each in setup.divisions
    }


def waiting_places(opening: Opening, cards: ShipList[Card], tables: TableSet) -> dict[str, Pose]:
    """Each division in lines ahead at its edge: as it may be placed in the first turn."""
    if opening.table_yards is None:
        raise DreyerError("grand_fleets.set_up.no_table")
    width, height = opening.table_yards
    cards = with_own(cards, tuple(map(card_of, opening.cards)))
    along, across = (width, height) if width >= height else (height, width)
    types = {ship.name: cards.named(ship.type or ship.name, ship.name) for ship in opening.ships}
    divisions = opening.divisions or tuple(proposed_divisions(opening, cards, tables))
    places: dict[str, Pose] = {}
    for first, side in zip((True, False), opening.sides, strict=False):
        mine = [each for each in divisions if each.side == side]
        for number, division in enumerate(mine, start=1):
            flagship = types.get(division.flagship)
            speed = flagship.speed[0].value if flagship and flagship.speed else 1
            rows = max(1, min(len(division.ships), speed))
            lane = across * number / (len(mine) + 1)
            names = (division.flagship, *(n for n in division.ships if n != division.flagship))
            for place, name in enumerate(names):
                column, row = divmod(place, rows)
                # Columns to both sides of the flagship's, by turns.
                aside = (column + 1) // 2 * (_LANE_YARDS if column % 2 else -_LANE_YARDS)
                depth = min(along / 4, (rows - row) * _LANE_YARDS - _LANE_YARDS / 2)
                forth = depth if first else along - depth
                at = min(max(lane + aside, 0.0), across)
                if width >= height:
                    places[name] = Pose(forth, at, 90.0 if first else 270.0)
                else:
                    places[name] = Pose(at, forth, 0.0 if first else 180.0)
    return places


def chain_of_command(state: FleetState, division: Division) -> tuple[str, ...]:
    """Who may take over the flag of a division (Transferring the Flag)."""
    vessels: Sequence[Vessel] = [
        state.vessel(ship) for ship in division.ships if ship != division.flagship
    ]
    return tuple(ship.name for ship in successors(vessels))


def _cards_of(setup: FleetSetup, cards: ShipList[Card]) -> dict[str, Card]:
    return {ship.name: cards.named(ship.type or ship.name, ship.name) for ship in setup.ships}


def _size(card: Card) -> int:
    return SIZES.index(card.size or "medium")


def _check_divisions_list(setup: FleetSetup) -> None:
    """Every ship is in one division of her own side, and each division has its flagship."""
    sides = {ship.name: ship.side for ship in setup.ships}
    if len(sides) < len(setup.ships):
        raise DreyerError("grand_fleets.set_up.same_name")
    named: list[str] = [ship for each in setup.divisions for ship in each.ships]
    for name in sides:
        if named.count(name) != 1:
            raise DreyerError("grand_fleets.set_up.one_division", ship=ShipRef(name))
    names = [each.name for each in setup.divisions]
    for each in setup.divisions:
        if names.count(each.name) > 1 or each.name in sides:
            raise DreyerError("grand_fleets.set_up.division_name", division=each.name)
        strange = [ship for ship in each.ships if sides.get(ship) != each.side]
        if strange or each.flagship not in each.ships:
            raise DreyerError("grand_fleets.set_up.division_ships", division=each.name)


def _check_cards(cards: dict[str, Card]) -> None:
    """What no battle can be played without."""
    for name, card in cards.items():
        missing = [
            key
            for key, value in (
                ("hull", card.hull), ("speed", card.speed), ("points", card.victory_points),
            )
            if not value
        ]  # fmt: skip
        if missing:
            raise DreyerError(
                "grand_fleets.set_up.incomplete_card",
                ship=ShipRef(name),
                missing=tuple(Message(f"grand_fleets.card_part.{key}") for key in missing),
            )
