"""Fleets that are being set up, with divisions; all of it stands in the page's address."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from combat.guided_actions import (
    EnteredDivision,
    Entrant,
    FleetLimits,
    Opening,
    StartingConditions,
)
from combat.guided_play import BattleSize, CommanderQuality, GuidedRulebook, OrderedRulebook
from combat.optional_rules import OptionalRule
from combat.participants import Side
from combat.rulebook_info import Ruleset
from combat.ships import ShipType, numbered_name
from combat.sides import FEWEST_SIDES, Sides
from combat.views import DraftFault
from tabletop.errors import DreyerError
from tabletop.scale import Scale
from tabletop.table import Pose
from web.battle.setup.fields import (
    CONDITIONS,
    OPTION,
    choice,
    decimal_number,
    ticked,
    whole_number,
)
from web.games.guided_game import rulebook_of
from web.journal.fields import sides_data
from web.sides import SideView
from web.strings import text, words

if TYPE_CHECKING:
    from werkzeug.datastructures import MultiDict

MOST_OF_A_CARD: Final = 12
MOST_ON_A_SIDE: Final = 24
MOST_DIVISIONS: Final = 8
"""Of a side."""
_UNCHECKED: Final = "unchecked"
_NOWHERE: Final = Pose(0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class FleetShip:
    """A ship of a fleet that is being set up."""

    number: int
    """Among all ships; her fields in the address have it."""
    name: str
    type: ShipType
    side: str
    division: int
    """The number of her division on her side."""
    flagship: bool


@dataclass(frozen=True, slots=True)
class FleetDivisionDraft:
    """A division that is being set up."""

    side: str
    number: int
    name: str
    quality: str
    """Empty where it is rolled for."""
    ships: tuple[FleetShip, ...]

    @property
    def flagship(self) -> str:
        """The ship that is ticked; the first without any."""
        return next((ship.name for ship in self.ships if ship.flagship), self.ships[0].name)


@dataclass(frozen=True)
class FleetDraft:
    """What the host has chosen so far."""

    pairs: tuple[tuple[str, str], ...]
    """The address, as it came."""
    ruleset: Ruleset
    title: str
    table: Sides
    """The sides of the table that is to be laid."""
    sides: Sides
    """Between whom it may be fought."""
    ships: tuple[FleetShip, ...]
    names: dict[tuple[str, int], tuple[str, str]]
    """The name and the commander of each division, by side and number."""
    battle_size: str
    year: int | None
    checked: bool
    options: dict[str, bool]
    width_inches: float
    height_inches: float
    yards_per_inch: float

    @cached_property
    def rulebook(self) -> OrderedRulebook[object]:
        """Its rulebook."""
        return ordered_rulebook(self.ruleset)

    @property
    def battle_sizes(self) -> tuple[BattleSize, ...]:
        """The sizes to choose from."""
        return self.rulebook.battle_sizes()

    @property
    def qualities(self) -> tuple[CommanderQuality, ...]:
        """What commanders may be chosen to be."""
        return self.rulebook.commander_qualities()

    @property
    def optional_rules(self) -> tuple[OptionalRule, ...]:
        """The rules that may be chosen, and which of them are on."""
        return self.rulebook.optional_rules(self.rulebook.schemas.options.read(self.options))

    @property
    def present(self) -> tuple[Side, ...]:
        """The sides that have ships."""
        return tuple(s for s in self.sides if any(ship.side == s.key for ship in self.ships))

    @property
    def is_chosen(self) -> bool:
        """Whether two sides have ships."""
        return len(self.present) >= FEWEST_SIDES

    @property
    def divisions(self) -> tuple[FleetDivisionDraft, ...]:
        """The divisions that have ships."""
        return tuple(self._divisions())

    def _divisions(self) -> Iterator[FleetDivisionDraft]:
        for side in self.present:
            for number in range(1, MOST_DIVISIONS + 1):
                ships = tuple(
                    ship for ship in self.ships if (ship.side, ship.division) == (side.key, number)
                )
                if ships:
                    name, quality = self.names[side.key, number]
                    yield FleetDivisionDraft(side.key, number, name, quality, ships)

    def slots(self, side: str) -> range:
        """The numbers of the divisions that a side may use: one more than it has."""
        used = max((ship.division for ship in self.ships if ship.side == side), default=1)
        return range(1, min(used + 1, MOST_DIVISIONS) + 1)

    def points(self, side: str) -> int:
        """The points of a side's ships; those whose card says none count nothing."""
        return sum(
            self.rulebook.points_of(ship.type.name) or 0 for ship in self.ships if ship.side == side
        )

    @property
    def opening(self) -> Opening:
        """The battle as it would begin, its models not yet placed."""
        scale = Scale(self.yards_per_inch)
        return Opening(
            title=self.title or str(text("battles.untitled")),
            sides=tuple(side.key for side in self.present),
            ships=tuple(
                Entrant(name=ship.name, type=ship.type.name, side=ship.side, pose=_NOWHERE)
                for ship in self.ships
            ),
            side_names={side.key: SideView.of(side).name for side in self.present},
            conditions=StartingConditions(),
            divisions=self.entered,
            limits=self.limits,
            table_yards=(
                scale.yards_from_inches(self.width_inches),
                scale.yards_from_inches(self.height_inches),
            ),
        )

    @property
    def entered(self) -> tuple[EnteredDivision, ...]:
        """The divisions for the rulebook."""
        return tuple(
            EnteredDivision(
                name=each.name,
                side=each.side,
                flagship=each.flagship,
                ships=tuple(ship.name for ship in each.ships),
                quality=each.quality or None,
            )
            for each in self.divisions
        )

    @property
    def limits(self) -> FleetLimits:
        """What the fleets are held to."""
        return FleetLimits(battle_size=self.battle_size, year=self.year, checked=self.checked)

    @cached_property
    def faults(self) -> Mapping[str, tuple[DraftFault, ...]]:
        """What the rulebook has against the fleet of each side."""
        return self.rulebook.opening_faults(self.opening)

    @cached_property
    def heirs(self) -> Mapping[str, tuple[str, ...]]:
        """Who may take over the flag of each division first; nobody while it cannot begin."""
        return {} if self.fault else self.rulebook.heirs(self.opening)

    @property
    def fault(self) -> str:
        """Why it cannot begin whatever is checked; empty where it can."""
        try:
            _ = self.faults
        except DreyerError as error:
            return words(error)
        return ""

    @property
    def may_begin(self) -> bool:
        """Whether the battle may begin so."""
        return not self.fault and not (self.checked and any(self.faults.values()))

    def address(self, **changes: object) -> str:
        """The same page with some of it changed; None leaves out."""
        kept = [(key, value) for key, value in self.pairs if key not in changes]
        kept += [(key, str(value)) for key, value in changes.items() if value is not None]
        return f"/battles/new?{urlencode(kept)}"

    def body(self) -> dict[str, object]:
        """What beginning it sends."""
        places = self.rulebook.waiting_places(self.opening)
        return {
            "title": self.title or str(text("battles.untitled")),
            "ruleset": self.ruleset.name,
            "sides": sides_data(self.table),
            "ships": [
                {
                    "name": ship.name,
                    "type": ship.type.name,
                    "side": ship.side,
                    "place": {
                        "x": places[ship.name].x_yards,
                        "y": places[ship.name].y_yards,
                        "heading": places[ship.name].heading_deg,
                    },
                }
                for ship in self.ships
            ],
            "divisions": [
                {
                    "name": each.name,
                    "side": each.side,
                    "flagship": each.flagship,
                    "ships": list(each.ships),
                    **({} if each.quality is None else {"quality": each.quality}),
                }
                for each in self.entered
            ],
            "limits": {
                "battle_size": self.battle_size,
                "year": self.year,
                "checked": self.checked,
            },
            "options": {each.key: each.on for each in self.optional_rules},
            "width_inches": self.width_inches,
            "height_inches": self.height_inches,
            "yards_per_inch": self.yards_per_inch,
        }


def ordered_rulebook(ruleset: Ruleset) -> OrderedRulebook[object]:
    """The rulebook of a ruleset whose battles have divisions; DreyerError for another."""
    found: GuidedRulebook[object] = rulebook_of(ruleset)
    if not isinstance(found, OrderedRulebook):
        raise DreyerError("battle.order.not_ordered")
    return found


def read_fleet(args: "MultiDict[str, str]", table: Sides, ruleset: Ruleset) -> FleetDraft:
    """The draft of an address; what makes no sense is a DreyerError with its field."""
    rulebook = ordered_rulebook(ruleset)
    sides = table.fighting
    chosen = tuple(_chosen(args, sides, ruleset))
    title = " ".join(args.get("title", "").split())[:40]
    sizes = tuple(size.key for size in rulebook.battle_sizes())
    ticks = {
        each.key: (OPTION + each.key) in args if CONDITIONS in args else each.on
        for each in rulebook.optional_rules()
    }
    plain = FleetDraft(
        pairs=tuple(args.items(multi=True)),
        ruleset=ruleset,
        title=title or (str(text("battles.untitled")) if chosen else ""),
        table=table,
        sides=sides,
        ships=chosen,
        names={},
        battle_size=choice(args, "size", sizes, FleetLimits().battle_size),
        year=whole_number(args, "year", 1850, 1999),
        checked=not ticked(args, _UNCHECKED),
        options=ticks,
        width_inches=decimal_number(args, "width", 6, 400, 72.0),
        height_inches=decimal_number(args, "height", 6, 400, 48.0),
        yards_per_inch=decimal_number(
            args, "scale", 1, 100_000, ruleset.default_scale.yards_per_inch
        ),
    )
    return _with_divisions(args, plain, rulebook)


def _chosen(args: "MultiDict[str, str]", sides: Sides, ruleset: Ruleset) -> Iterator[FleetShip]:
    number = 0
    names: set[str] = set()
    for side in sides:
        on_side = 0
        for card in ruleset.ships:
            count = whole_number(args, f"count.{side.key}.{card.name}", 0, MOST_OF_A_CARD, 0) or 0
            for _ in range(count):
                name = " ".join(args.get(f"name.{number}", "").split())[:40]
                name = name or _free_name(card.name, names, alone=count == 1)
                names.add(name)
                yield FleetShip(number, name, card, side.key, 1, flagship=f"flag.{number}" in args)
                number += 1
                on_side += 1
        if on_side > MOST_ON_A_SIDE:
            raise DreyerError("battles.too_many_ships", side=side.title, most=MOST_ON_A_SIDE)


def _free_name(card: str, names: set[str], *, alone: bool) -> str:
    return card if alone and card not in names else numbered_name(card, names, first=1)


def _with_divisions(
    args: "MultiDict[str, str]", draft: FleetDraft, rulebook: OrderedRulebook[object]
) -> FleetDraft:
    """The draft with the divisions of the address, or with those that the rulebook proposes."""
    if not draft.is_chosen:
        return draft
    # Without divisions of its own the opening has those that the rulebook proposes.
    proposed: dict[str, int] = {}
    flags: set[str] = set()
    numbers: dict[str, int] = {}
    plain = Opening(
        title=draft.title,
        sides=tuple(side.key for side in draft.present),
        ships=tuple(
            Entrant(name=ship.name, type=ship.type.name, side=ship.side, pose=_NOWHERE)
            for ship in draft.ships
        ),
        conditions=StartingConditions(),
    )
    for division in rulebook.proposed_divisions(plain):
        numbers[division.side] = numbers.get(division.side, 0) + 1
        flags.add(division.flagship)
        for ship in division.ships:
            proposed[ship] = min(numbers[division.side], MOST_DIVISIONS)
    asked = any(key.startswith("division.") for key in args)
    ships = tuple(
        replace(
            ship,
            division=whole_number(
                args, f"division.{ship.number}", 1, MOST_DIVISIONS, proposed[ship.name]
            )
            or 1,
            flagship=ship.flagship if asked else ship.name in flags,
        )
        for ship in draft.ships
    )
    qualities = tuple(each.key for each in rulebook.commander_qualities())
    names = {
        (side.key, number): (
            " ".join(args.get(f"named.{side.key}.{number}", "").split())[:40]
            or str(text("battles.fleet.division", side=SideView.of(side).name, n=number)),
            choice(args, f"quality.{side.key}.{number}", ("", *qualities), ""),
        )
        for side in draft.present
        for number in range(1, MOST_DIVISIONS + 1)
    }
    return replace(draft, ships=ships, names=names)
