"""Scenarios: a battle to begin with, written down for players to choose from.

A scenario file is a scene file with a table `[scenario]`: its story, its conditions and whom it
is for. Its ships have places, or none of them has and the rulebook's own dice set them up; then
each side's columns are given instead. Sides of its own stand in tables `[[side]]`; without them it
has the usual ones. Files without `[scenario]` are scenes and no scenarios.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from combat.guided_actions import StartingMarks
from combat.rulebooks import DEFAULT, NAMES, get_ruleset
from combat.scene_file import FARTHEST_YARDS, SCENARIO_SHIP_KEYS
from combat.ships import ShipType
from combat.sides import MOST_IN_BATTLE, SIDE_KEYS, Sides, read_sides, usual
from tabletop.documents import parse_toml
from tabletop.errors import DreyerError, UnknownName
from tabletop.fields import Fields
from tabletop.messages import Message
from tabletop.scale import Scale
from tabletop.table import Pose, SmokeFront

MOST_SHIPS: Final = 60
_KEYS: Final = ("title", "ruleset", "yards_per_inch", "side", "ship", "smoke", "scenario")
_SCENARIO_KEYS: Final = (
    *("date", "story", "victory", "audience", "what_if", "order"),
    *("visibility", "night", "starting_range_yards", "attacker"),
    *("width_inches", "height_inches"),
)
_SHIP_KEYS: Final = (
    *("name", "type", "x", "y", "heading", "position_sigma_mm", "heading_sigma_deg"),
    *SCENARIO_SHIP_KEYS,
)
_MOST_STORY: Final = 900
_MOST_LINE: Final = 240


@dataclass(frozen=True, slots=True)
class ScenarioShip:
    """A ship of a scenario; without a pose the dice set her up."""

    name: str
    type: ShipType
    side: str
    pose: Pose | None = None
    column: int = 1
    marks: StartingMarks | None = None
    """Of her sheet, where she is not fresh."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """A battle to begin with."""

    key: str
    title: str
    ruleset: str
    date: str
    story: str
    victory: str
    audience: str
    """Whom it is for, and how long it takes."""
    what_if: bool
    order: int
    """Where it stands among the others."""
    yards_per_inch: float
    width_inches: float
    height_inches: float
    visibility: int
    night: bool
    sides: Sides
    ships: tuple[ScenarioShip, ...]
    smoke: tuple[SmokeFront, ...] = ()
    starting_range_yards: float | None = None
    attacker: str | None = None
    """Set where the rulebook's dice set it up."""

    @property
    def by_dice(self) -> bool:
        """Whether the ships have no places yet."""
        return self.attacker is not None

    @property
    def size_yards(self) -> tuple[float, float]:
        """The table's width and depth at sea."""
        at_sea = Scale(self.yards_per_inch).yards_from_inches
        return at_sea(self.width_inches), at_sea(self.height_inches)

    def side(self, side: str) -> tuple[ScenarioShip, ...]:
        """The ships of the side of this key."""
        return tuple(ship for ship in self.ships if ship.side == side)


@cache
def all_scenarios() -> Mapping[str, Scenario]:
    """Every scenario of every rulebook, by key, in the order in which they are shown."""
    found = [
        read_scenario(data, file)
        for name in NAMES
        for file, data in get_ruleset(name).scenario_files.items()
        if is_scenario(data, file)
    ]
    return {each.key: each for each in sorted(found, key=lambda each: (each.order, each.key))}


def scenario_named(key: str) -> Scenario:
    """The scenario of this key; an unknown one is an error that offers the nearest."""
    scenarios = all_scenarios()
    if key not in scenarios:
        raise UnknownName(Message("errors.where.scenarios"), "scenario", key, scenarios)
    return scenarios[key]


def is_scenario(data: bytes, source: str) -> bool:
    """Whether a file is a scenario and not just a scene."""
    return "scenario" in parse_toml(data, source)


def read_scenario(data: bytes, source: str) -> Scenario:
    """The scenario in these bytes; every fault is one line that names the source and the field."""
    fields = Fields(parse_toml(data, source), source, _KEYS)
    ruleset = get_ruleset(fields.text("ruleset", DEFAULT), source)
    about = fields.table("scenario", _SCENARIO_KEYS)
    scale = fields.number(
        "yards_per_inch", ruleset.default_scale.yards_per_inch, least=1, most=100_000, unit="yards"
    )
    sides = _read_sides(fields, source)
    ships = _read_ships(fields, ruleset.name, scale, sides)
    scenario = Scenario(
        key=source.removesuffix(".toml").replace("_", "-"),
        title=fields.text("title", most=40),
        ruleset=ruleset.name,
        date=about.text("date"),
        story=about.text("story", most=_MOST_STORY),
        victory=about.text("victory", most=_MOST_LINE),
        audience=about.text("audience", most=_MOST_LINE),
        what_if=about.flag("what_if", False),
        order=about.integer("order", 50, least=0, most=999),
        yards_per_inch=scale,
        width_inches=about.number("width_inches", 72.0, least=6, most=400, unit="inches"),
        height_inches=about.number("height_inches", 48.0, least=6, most=400, unit="inches"),
        visibility=about.integer("visibility", 2, least=1, most=8),
        night=about.flag("night", False),
        sides=sides,
        ships=ships,
        smoke=tuple(
            SmokeFront(*(front.number(key) for key in ("x1", "y1", "x2", "y2")))
            for front in fields.tables("smoke", ("x1", "y1", "x2", "y2"))
        ),
        starting_range_yards=(
            about.number("starting_range_yards", above=0, most=100_000, unit="yards")
            if "starting_range_yards" in about
            else None
        ),
        attacker=about.choice("attacker", sides.keys) if "attacker" in about else None,
    )
    _check(scenario, source)
    return scenario


def _read_sides(fields: Fields, source: str) -> Sides:
    tables = fields.tables("side", SIDE_KEYS)
    return read_sides(tables, source) if tables else usual().sides.fighting


def _read_ships(
    fields: Fields, ruleset: str, scale: float, sides: Sides
) -> tuple[ScenarioShip, ...]:
    tables = fields.tables("ship", _SHIP_KEYS)
    if not 2 <= len(tables) <= MOST_SHIPS:
        raise fields.wrong("ship", f"from 2 to {MOST_SHIPS} tables", len(tables))
    ships = tuple(_read_ship(each, ruleset, scale, sides) for each in tables)
    fighting = {ship.side for ship in ships}
    if len(fighting) > MOST_IN_BATTLE:
        raise fields.wrong("ship", f"ships of at most {MOST_IN_BATTLE} sides", len(fighting))
    names = [ship.name.casefold() for ship in ships]
    if len(set(names)) < len(names):
        raise fields.wrong("ship", "a name of its own for each", "a name twice")
    return ships


def _read_ship(fields: Fields, ruleset: str, scale: float, sides: Sides) -> ScenarioShip:
    name = fields.text("name", most=40)
    ship = get_ruleset(ruleset).ships.named(fields.text("type", name), f"{fields.place}: type")
    own = usual().of_nation(ship.nation).key
    pose = None
    if any(key in fields for key in ("x", "y", "heading")):
        millimetres = fields.number("position_sigma_mm", 0.0, least=0, most=1000, unit="mm")
        pose = Pose(
            fields.number("x", least=0, most=FARTHEST_YARDS),
            fields.number("y", least=0, most=FARTHEST_YARDS),
            fields.number("heading", least=-360, most=360, unit="degrees"),
            Scale(scale).yards_from_mm(millimetres),
            fields.number("heading_sigma_deg", 0.0, least=0, most=180, unit="degrees"),
        )
    return ScenarioShip(
        name=name,
        type=ship,
        side=(
            fields.choice("side", sides.keys, own)
            if own in sides
            else fields.choice("side", sides.keys)
        ),
        pose=pose,
        column=fields.integer("column", 1, least=1, most=4),
        marks=_read_marks(fields, ruleset) if "state" in fields else None,
    )


def _read_marks(fields: Fields, ruleset: str) -> StartingMarks:
    state, found = fields.value("state", "a table"), get_ruleset(ruleset)
    if not isinstance(state, dict):
        raise fields.wrong("state", "a table, written [ship.state]", state)
    if found.battle is None:
        raise fields.wrong("state", "a rulebook with a guided battle for it", found.title)
    return found.battle(found.tables).read_marks(state, f"{fields.place}, [state]")


def _check(scenario: Scenario, source: str) -> None:
    for side in scenario.sides:
        if not scenario.side(side.key):
            raise DreyerError("schema.scenario.no_ship", source=source, side=side.title)
    placed = [ship for ship in scenario.ships if ship.pose is not None]
    if scenario.by_dice and placed:
        raise DreyerError("schema.scenario.place_and_attacker", source=source, ship=placed[0].name)
    if not scenario.by_dice and len(placed) < len(scenario.ships):
        missing = next(ship.name for ship in scenario.ships if ship.pose is None)
        raise DreyerError("schema.scenario.no_place", source=source, ship=missing)
    most_x, most_y = scenario.size_yards
    for ship in placed:
        assert ship.pose is not None  # noqa: S101  # Those without were left out above.
        if not (ship.pose.x_yards <= most_x and ship.pose.y_yards <= most_y):
            raise DreyerError(
                "schema.scenario.off_table",
                source=source,
                ship=ship.name,
                width=most_x,
                height=most_y,
            )
