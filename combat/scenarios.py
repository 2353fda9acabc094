"""Scenarios: prepared battles for players to choose from.

A scenario file is a scene file with a table `[scenario]`: its story, its conditions and whom it
is for; a table `[options]` has the optional rules that it is played with. Its ships have places,
or none of them has and the rulebook's own dice set them up; then each side's columns are given
instead. Sides of its own stand in tables `[[side]]`; without them it
has the usual ones. Files without `[scenario]` are scenes and no scenarios.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Annotated, Final

from pydantic import Field

from combat.guided_actions import (
    BattleOptions,
    EnteredDivision,
    FleetLimits,
    HiddenNumber,
    StartingConditions,
    StartingMarks,
)
from combat.library import BUILT_IN, Library
from combat.rulebook_info import Ruleset
from combat.rulebooks import DEFAULT, NAMES, get_ruleset
from combat.scene_file import (
    BaseInches,
    Heading,
    HeadingSigma,
    PositionSigma,
    Scene,
    SmokeTable,
    YardsPerInch,
    base_of,
    formations_of,
    read_options,
    read_scene,
)
from combat.ships import ShipType
from combat.shot_file import found_in
from combat.sides import MOST_IN_BATTLE, Sides, SideTable, read_sides, usual
from combat.weather import StatedVisibility, Visibility
from tabletop.documents import parse_toml
from tabletop.errors import BadField, DreyerError, UnknownName
from tabletop.messages import Message
from tabletop.places import DocumentPlace
from tabletop.scale import Scale
from tabletop.schema import (
    FARTHEST_YARDS,
    Flag,
    Line,
    Number,
    Schema,
    Text,
    Unit,
    Whole,
    file_document,
    missing,
    one_of,
    shape_of,
    wrong,
)
from tabletop.table import Base, Pose, SmokeFront

MOST_SHIPS: Final = 60
_Words = Annotated[Line, Field(min_length=1, max_length=240)]
_Yards = Annotated[Number, Field(ge=0, le=FARTHEST_YARDS)]
_TableInches = Annotated[Number, Field(ge=6, le=400), Unit("inches")]


@file_document
class _ShipTable:
    """A ship of a scenario file."""

    name: Annotated[Line, Field(min_length=1, max_length=40)]
    type: Text | None = None
    side: str | None = None
    column: Annotated[Whole, Field(ge=1, le=4)] = 1
    x: _Yards | None = None
    y: _Yards | None = None
    heading: Heading | None = None
    position_sigma_mm: PositionSigma = 0.0
    heading_sigma_deg: HeadingSigma = 0.0
    base_length_inches: BaseInches | None = None
    base_width_inches: BaseInches | None = None
    bridge_offset_inches: Annotated[Number, Unit("inches")] | None = None
    division: Text | None = None
    flagship: Flag = False
    commander: Text | None = None
    """Of a flagship: what the commander of her division is like, where that is not rolled for."""
    state: dict[str, object] | None = None
    number: HiddenNumber | None = None


@file_document
class _Fleets:
    """The table `[fleets]`: what the fleets keep to, where a rulebook counts points."""

    battle_size: Text = "medium"
    year: Annotated[Whole, Field(ge=1850, le=1999)] | None = None
    checked: Flag = True


@file_document
class _About:
    """The table `[scenario]`."""

    date: Text
    story: Annotated[Line, Field(min_length=1, max_length=900)]
    victory: _Words
    audience: _Words
    what_if: Flag = False
    order: Annotated[Whole, Field(ge=0, le=999)] = 50
    visibility: StatedVisibility = 2
    night: Flag = False
    starting_range_yards: Annotated[Number, Field(gt=0, le=100_000), Unit("yards")] | None = None
    attacker: str | None = None
    width_inches: _TableInches = 72.0
    height_inches: _TableInches = 48.0


@file_document
class _ScenarioFile:
    """A scenario file."""

    title: Annotated[Line, Field(min_length=1, max_length=40)]
    ruleset: Text = DEFAULT
    yards_per_inch: YardsPerInch | None = None
    scenario: _About
    options: dict[str, object] | None = None
    fleets: _Fleets | None = None
    side: tuple[SideTable, ...] = ()
    ship: Annotated[tuple[_ShipTable, ...], Field(min_length=2, max_length=MOST_SHIPS)]
    smoke: tuple[SmokeTable, ...] = ()


_SCENARIO_FILE: Final[Schema[_ScenarioFile]] = Schema(_ScenarioFile)


@dataclass(frozen=True, slots=True)
class ScenarioShip:
    """A ship of a scenario; a ship without a pose is set up by dice."""

    name: str
    type: ShipType
    side: str
    pose: Pose | None = None
    column: int = 1
    marks: StartingMarks | None = None
    """None if she is undamaged."""
    base: Base | None = None
    """None for the rulebook's base."""
    number: int | None = None
    """The number of her marker in hidden play; None for a random one."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """A prepared battle."""

    key: str
    title: str
    ruleset: str
    date: str
    story: str
    victory: str
    audience: str
    """Who it is for, and how long it takes."""
    what_if: bool
    order: int
    """Its position in the list of scenarios."""
    yards_per_inch: float
    width_inches: float
    height_inches: float
    visibility: Visibility
    night: bool
    sides: Sides
    ships: tuple[ScenarioShip, ...]
    smoke: tuple[SmokeFront, ...] = ()
    starting_range_yards: float | None = None
    options: BattleOptions | None = None
    """None is the rulebook's usual game."""
    attacker: str | None = None
    """The attacking side, if the rulebook's dice set the battle up."""
    divisions: tuple[EnteredDivision, ...] = ()
    """Empty for those that the rulebook proposes, in a rulebook that has divisions."""
    limits: FleetLimits | None = None
    """None for the rulebook's limits."""

    @property
    def by_dice(self) -> bool:
        """Whether dice determine the ships' places."""
        return self.attacker is not None

    @property
    def conditions(self) -> StartingConditions:
        """The weather and the range that it begins with."""
        return StartingConditions(
            visibility=self.visibility,
            night=self.night,
            starting_range_yards=self.starting_range_yards,
        )

    @property
    def size_yards(self) -> tuple[float, float]:
        """The table's width and depth in yards."""
        at_sea = Scale(self.yards_per_inch).yards_from_inches
        return at_sea(self.width_inches), at_sea(self.height_inches)

    def side(self, side: str) -> tuple[ScenarioShip, ...]:
        """The ships of the side of this key."""
        return tuple(ship for ship in self.ships if ship.side == side)


@cache
def all_scenarios() -> Mapping[str, Scenario]:
    """Every scenario of every rulebook by key, in display order."""
    found = [
        read_scenario(data, file)
        for name in NAMES
        for file, data in get_ruleset(name).scenario_files.items()
        if is_scenario(data, file)
    ]
    return {each.key: each for each in sorted(found, key=lambda each: (each.order, each.key))}


def scenario_named(key: str) -> Scenario:
    """The scenario of this key. Raises UnknownName."""
    scenarios = all_scenarios()
    if key not in scenarios:
        raise UnknownName(Message("errors.where.scenarios"), "scenario", key, scenarios)
    return scenarios[key]


def is_scenario(data: bytes, source: str) -> bool:
    """Whether a file is a scenario and not just a scene."""
    return "scenario" in parse_toml(data, source)


def read_table(data: bytes, source: str, library: Library = BUILT_IN) -> Scene:
    """The table of a scene file or a scenario file, with what a scenario's battle begins with.

    Raises DreyerError with the source and the field.
    """
    scene = read_scene(data, source, library)
    if not is_scenario(data, source):
        return scene
    scenario = read_scenario(data, source, library)
    marks = {ship.name: ship.marks for ship in scenario.ships if ship.marks is not None}
    return replace(scene, conditions=scenario.conditions, marks=marks)


def read_scenario(data: bytes, source: str, library: Library = BUILT_IN) -> Scenario:
    """Parse a scenario file. Raises DreyerError with the source and the field."""
    file = _SCENARIO_FILE.read_toml(data, source)
    ruleset, about = library.get(file.ruleset, source), file.scenario
    scale = file.yards_per_inch or ruleset.default_scale.yards_per_inch
    sides = read_sides(file.side, source) if file.side else usual().sides.fighting
    if about.attacker is not None:
        one_of(about.attacker, sides.keys, DocumentPlace(source).table("scenario"), "attacker")
    ships = _ships(file.ship, ruleset, scale, sides, source)
    scenario = Scenario(
        key=source.removesuffix(".toml").replace("_", "-"),
        title=file.title,
        ruleset=ruleset.name,
        date=about.date,
        story=about.story,
        victory=about.victory,
        audience=about.audience,
        what_if=about.what_if,
        order=about.order,
        yards_per_inch=scale,
        width_inches=about.width_inches,
        height_inches=about.height_inches,
        visibility=about.visibility,
        night=about.night,
        options=read_options(file.options, ruleset, source),
        sides=sides,
        ships=ships,
        smoke=tuple(SmokeFront(each.x1, each.y1, each.x2, each.y2) for each in file.smoke),
        starting_range_yards=about.starting_range_yards,
        attacker=about.attacker,
        divisions=_divisions(file.ship, ships, source),
        limits=None
        if file.fleets is None
        else FleetLimits(
            battle_size=file.fleets.battle_size,
            year=file.fleets.year,
            checked=file.fleets.checked,
        ),
    )
    _check_conditions(scenario, ruleset, source)
    _check(scenario, source)
    return scenario


def _divisions(
    tables: Sequence[_ShipTable], ships: Sequence[ScenarioShip], source: str
) -> tuple[EnteredDivision, ...]:
    places = {
        table.name: DocumentPlace(source).item("ship", number, table.name)
        for number, table in enumerate(tables, start=1)
    }
    commanders = {table.name: table.commander for table in tables if table.commander is not None}
    formations = formations_of(tables, places)
    flagships = {formation.flagship for formation in formations}
    for name, quality in commanders.items():
        if name not in flagships:
            expected = Message("combat.expected.no_commander")
            raise wrong(places[name], "commander", expected, quality)
    side_of = {ship.name: ship.side for ship in ships}
    return tuple(
        EnteredDivision(
            name=each.name,
            side=side_of[each.flagship],
            flagship=each.flagship,
            ships=each.ships,
            quality=commanders.get(each.flagship),
        )
        for each in formations
    )


def _ships(
    tables: Sequence[_ShipTable], ruleset: Ruleset, scale: float, sides: Sides, source: str
) -> tuple[ScenarioShip, ...]:
    ships = tuple(
        _ship(each, ruleset, scale, sides, DocumentPlace(source).item("ship", number, each.name))
        for number, each in enumerate(tables, start=1)
    )
    fighting = {ship.side for ship in ships}
    if len(fighting) > MOST_IN_BATTLE:
        expected = Message("combat.expected.ships_of_sides", most=MOST_IN_BATTLE)
        raise wrong(source, "ship", expected, len(fighting))
    names = [ship.name.casefold() for ship in ships]
    if len(set(names)) < len(names):
        expected = Message("combat.expected.names")
        raise BadField(source, "ship", expected, Message("combat.found.name_twice"))
    return ships


def _ship(
    table: _ShipTable, ruleset: Ruleset, scale: float, sides: Sides, place: DocumentPlace
) -> ScenarioShip:
    ship = ruleset.ships.named(table.type or table.name, place.at("type"))
    own = usual().of_nation(ship.nation).key
    side = table.side if table.side is not None or own not in sides else own
    return ScenarioShip(
        name=table.name,
        type=ship,
        side=one_of(side, sides.keys, place, "side"),
        pose=_pose(table, scale, place),
        column=table.column,
        marks=None if table.state is None else _marks(table.state, ship, ruleset, place),
        base=_base(table, ship, ruleset, scale, place),
        number=table.number,
    )


def _base(
    table: _ShipTable, ship: ShipType, ruleset: Ruleset, scale: float, place: DocumentPlace
) -> Base | None:
    """The ship's base; None if the file states nothing of it."""
    stated = (table.base_length_inches, table.base_width_inches, table.bridge_offset_inches)
    if all(value is None for value in stated):
        return None
    return base_of(table, ruleset.base_of(ship, Scale(scale)), Scale(scale), place)


def _pose(table: _ShipTable, scale: float, place: DocumentPlace) -> Pose | None:
    """The ship's pose; None if dice determine it."""
    if table.x is None and table.y is None and table.heading is None:
        return None
    if table.x is None:
        raise missing(place, "x", shape_of(_Yards).expected)
    if table.y is None:
        raise missing(place, "y", shape_of(_Yards).expected)
    if table.heading is None:
        raise missing(place, "heading", shape_of(Heading).expected)
    return Pose(
        table.x,
        table.y,
        table.heading,
        Scale(scale).yards_from_mm(table.position_sigma_mm),
        table.heading_sigma_deg,
    )


def _marks(
    state: Mapping[str, object], ship: ShipType, ruleset: Ruleset, place: DocumentPlace
) -> StartingMarks:
    if ruleset.battle is None:
        raise wrong(place, "state", Message("combat.expected.guided"), ruleset.title)
    rulebook = ruleset.battle(ruleset.tables)
    marks = rulebook.schemas.marks.read(state, place.table("state"))
    with found_in(place):
        rulebook.condition(ship.name, marks)
    return marks


def _check_conditions(scenario: Scenario, ruleset: Ruleset, source: str) -> None:
    if ruleset.battle is None:
        return
    rulebook = ruleset.battle(ruleset.tables)
    with found_in(DocumentPlace(source).table("scenario")):
        rulebook.check_conditions(scenario.conditions, scenario.options)


def _check(scenario: Scenario, source: str) -> None:
    numbers = [ship.number for ship in scenario.ships if ship.number is not None]
    if len(set(numbers)) < len(numbers):
        raise BadField(
            source,
            "number",
            Message("combat.expected.own_number"),
            ", ".join(map(str, numbers)),
        )
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
