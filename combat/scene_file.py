"""Scene files: a table with its scale and rulebook, as TOML."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Final, Protocol

from pydantic import Field

from combat.formations import Formation
from combat.guided_actions import BattleOptions, StartingConditions, StartingMarks
from combat.library import BUILT_IN, Library
from combat.participants import Side
from combat.rulebook_info import Ruleset
from combat.rulebooks import DEFAULT
from combat.ship_markers import ShipMarkers
from combat.ships import ShipType
from combat.sides import Sides, SideTable, read_sides
from tabletop.errors import DreyerError
from tabletop.messages import Message
from tabletop.places import DocumentPlace, PlaceLike, shorten
from tabletop.scale import Scale
from tabletop.schema import (
    Flag,
    Number,
    Schema,
    Text,
    Unit,
    Yards,
    bounds,
    file_document,
    one_of,
    wrong,
)
from tabletop.table import Base, Model, Pose, SmokeFront, Table

MOST_PIECES = 200
"""A limit on the work for one table, since every line is checked against every ship."""
Heading = Annotated[Number, Field(ge=-360, le=360), Unit("degrees")]
YardsPerInch = Annotated[Number, Field(ge=1, le=100_000), Unit("yards")]
PositionSigma = Annotated[Number, Field(ge=0, le=1000), Unit("mm")]
HeadingSigma = Annotated[Number, Field(ge=0, le=180), Unit("degrees")]
BaseInches = Annotated[Number, Field(ge=0.05, le=100), Unit("inches")]


class ShipInFile(Protocol):
    """What the ships of scenes and of scenarios state alike."""

    @property
    def name(self) -> str:
        """Her name."""
        ...

    @property
    def side(self) -> str | None:
        """Her side; None where it follows from her nation."""
        ...

    @property
    def division(self) -> str | None:
        """Her division, if she has one."""
        ...

    @property
    def flagship(self) -> bool:
        """Whether she is its flagship."""
        ...

    @property
    def base_length_inches(self) -> float | None:
        """The length of her base; None for that of her card or ruleset."""
        ...

    @property
    def base_width_inches(self) -> float | None:
        """Its width."""
        ...

    @property
    def bridge_offset_inches(self) -> float | None:
        """How far her bridge is ahead of its middle; None for the usual place."""
        ...


SCENARIO_KEYS: Final = ("column", "state", "number", "commander")
"""The keys of a ship that a scene may only have with a table `[scenario]`."""


@file_document
class _ShipTable:
    """A ship of a scene."""

    name: Text
    type: Text | None = None
    size: Text | None = None
    x: Yards
    y: Yards
    heading: Heading
    base_length_inches: BaseInches | None = None
    base_width_inches: BaseInches | None = None
    bridge_offset_inches: Annotated[Number, Unit("inches")] | None = None
    position_sigma_mm: PositionSigma = 0.0
    heading_sigma_deg: HeadingSigma = 0.0
    side: Text | None = None
    division: Text | None = None
    flagship: Flag = False
    marker: Text | None = None
    out_of_command: Flag = False
    wreck: Flag = False
    """Whether she has sunk here: only the mark stays, and stands in nobody's way."""
    column: object = None
    """This and the rest of `SCENARIO_KEYS` are read by `combat.scenarios`; a scenario is also a
    scene."""
    state: object = None
    number: object = None
    commander: object = None


@file_document
class SmokeTable:
    """A smoke front of a scene."""

    x1: Yards
    y1: Yards
    x2: Yards
    y2: Yards


@file_document
class SceneFile:
    """A scene file."""

    title: Text | None = None
    ruleset: Text = DEFAULT
    yards_per_inch: YardsPerInch | None = None
    side: tuple[SideTable, ...] = ()
    ship: Annotated[tuple[_ShipTable, ...], Field(max_length=MOST_PIECES)] = ()
    smoke: Annotated[tuple[SmokeTable, ...], Field(max_length=MOST_PIECES)] = ()
    options: dict[str, object] | None = None
    scenario: object = None
    """Read by `combat.scenarios`, as is `fleets`."""
    fleets: object = None
    camera: object = None
    """This and the following keys describe a rendered photo.

    `vision.synthetic.picture_settings` reads them.
    """
    table: object = None
    hand: object = None
    glare: object = None
    shadow: object = None
    counter: object = None


_SCENE_FILE: Final[Schema[SceneFile]] = Schema(SceneFile)


@dataclass(frozen=True, slots=True)
class Scene:
    """A table in yards with its scale, its ruleset and the types of its ships."""

    title: str
    """May be empty."""
    ruleset: Ruleset
    scale: Scale
    table: Table
    ships: Mapping[str, ShipType]
    """The types of the ships by model name, without models of unknown type."""
    formations: tuple[Formation, ...] = ()
    """The divisions of its ships, in the file's order."""
    markers: Mapping[str, ShipMarkers] = field(default_factory=dict)
    """The markers of the ships that have any, by the names of their models."""
    wrecks: tuple[Model, ...] = ()
    """Where ships have sunk; they are not on the table any more."""
    sides: Sides | None = None
    """The sides that the file declares; None if it declares none."""
    side_keys: Mapping[str, str] = field(default_factory=dict)
    """The declared side of each ship that names one, by the names of their models."""
    options: BattleOptions | None = None
    """The optional rules of a battle with it; None is the rulebook's usual game."""
    conditions: StartingConditions | None = None
    """The weather and the range of a scenario's battle."""
    marks: Mapping[str, StartingMarks] = field(default_factory=dict)
    """The marks with which a scenario's ships begin, by the names of their models."""

    def side_of(self, name: str) -> Side | None:
        """The declared side of a ship; None if it follows from her nation."""
        return self.sides[self.side_keys[name]] if self.sides and name in self.side_keys else None


def read_scene(data: bytes, source: str, library: Library = BUILT_IN) -> Scene:
    """Parse a scene file. Raises DreyerError with the source and the field."""
    file = _SCENE_FILE.read_toml(data, source)
    ruleset = library.get(file.ruleset, source)
    scale = Scale(file.yards_per_inch or ruleset.default_scale.yards_per_inch)
    types: dict[str, ShipType] = {}
    models: list[Model] = []
    wrecks: list[Model] = []
    markers: dict[str, ShipMarkers] = {}
    places: dict[str, DocumentPlace] = {}
    for number, ship in enumerate(file.ship, start=1):
        place = DocumentPlace(source).item("ship", number, ship.name)
        if ship.name in places:
            raise DreyerError(
                "tabletop.scene.same_name",
                place=place,
                name=shorten(ship.name),
                other=places[ship.name].inner,
            )
        places[ship.name] = place
        if file.scenario is None:
            _check_scenario_keys(ship, place)
        known = _known_ship(ship, ruleset, place, library)
        model = _model(ship, known, ruleset, scale, library, place)
        beside = _markers(ship, ruleset, place)
        if ship.wreck:
            wrecks.append(model)
            continue
        if known is not None:
            types[ship.name] = known
        if beside is not None:
            markers[ship.name] = beside
        models.append(model)
    if not models:
        raise DreyerError("tabletop.scene.empty", source=source)
    smoke = tuple(
        _smoke(front, DocumentPlace(source).item("smoke", number))
        for number, front in enumerate(file.smoke, start=1)
    )
    sides = read_sides(file.side, source) if file.side else None
    return Scene(
        title=file.title or "",
        ruleset=ruleset,
        scale=scale,
        table=Table(tuple(models), smoke),
        ships=types,
        formations=tuple(
            replace(
                each,
                out=tuple(
                    name for name in each.ships if name in markers and markers[name].out_of_command
                ),
            )
            for each in formations_of([ship for ship in file.ship if not ship.wreck], places)
        ),
        markers=markers,
        wrecks=tuple(wrecks),
        sides=sides,
        side_keys={
            ship.name: one_of(ship.side, sides.keys, places[ship.name], "side")
            for ship in file.ship
            if sides and ship.side is not None and not ship.wreck
        },
        options=read_options(file.options, ruleset, source),
    )


def read_options(
    options: Mapping[str, object] | None, ruleset: Ruleset, place: PlaceLike
) -> BattleOptions | None:
    """The table `[options]` of a scene or scenario; None where there is none."""
    if options is None:
        return None
    if ruleset.battle is None:
        raise wrong(place, "options", Message("combat.expected.guided"), ruleset.title)
    schemas = ruleset.battle(ruleset.tables).schemas
    return schemas.options.read(options, DocumentPlace.of(place).table("options"))


def formations_of(
    ships: Sequence[ShipInFile], places: Mapping[str, DocumentPlace]
) -> tuple[Formation, ...]:
    """The divisions that the ships of a file name, in its order."""
    divisions: dict[str, list[str]] = {}
    flags: dict[str, str] = {}
    sides: dict[str, str] = {}
    for ship in ships:
        name, division = ship.name, ship.division
        if division is None:
            if ship.flagship:
                raise wrong(places[name], "flagship", Message("combat.expected.in_division"), name)
            continue
        divisions.setdefault(division, []).append(name)
        if ship.side is not None:
            sides.setdefault(division, ship.side)
        if ship.flagship and division in flags:
            expected = Message("combat.expected.flagship", division=division, ship=flags[division])
            raise wrong(places[name], "flagship", expected, name)
        if ship.flagship:
            flags[division] = name
    return tuple(
        # Without a declared flagship it is the first ship of the division.
        Formation(name, flags.get(name, members[0]), tuple(members), sides.get(name, ""))
        for name, members in divisions.items()
    )


def _check_scenario_keys(ship: _ShipTable, place: DocumentPlace) -> None:
    """Refuse what only the beginning of a battle has, in a file that begins none."""
    for key in SCENARIO_KEYS:
        value = getattr(ship, key)
        if value is not None:
            raise wrong(place, key, Message("combat.expected.scenario"), value)


def _markers(ship: _ShipTable, ruleset: Ruleset, place: DocumentPlace) -> ShipMarkers | None:
    """The markers beside a model; None where there is none."""
    for key, marked in (("marker", ship.marker), ("out_of_command", ship.out_of_command)):
        if marked and ruleset.markers is None:
            raise wrong(place, key, Message("combat.expected.markers"), ruleset.title)
    if ruleset.markers is None or not (ship.marker or ship.out_of_command):
        return None
    speed = ""
    if ship.marker is not None:
        speed = one_of(ship.marker.casefold(), ruleset.markers.speeds, place, "marker")
    return ShipMarkers(speed, ship.out_of_command)


def _known_ship(
    ship: _ShipTable, ruleset: Ruleset, place: DocumentPlace, library: Library
) -> ShipType | None:
    """The ship type that `type` names, or else the one with the ship's own name, if any."""
    if ship.type is None:
        return library.find_ship(ruleset.name, ship.name)
    return library.named_ship(ruleset.name, ship.type, place.at("type"))


def _model(
    ship: _ShipTable,
    known: ShipType | None,
    ruleset: Ruleset,
    scale: Scale,
    library: Library,
    place: DocumentPlace,
) -> Model:
    if ship.size is not None:
        # A file may be used with several rulesets, so sizes of other rulebooks are accepted.
        order = ruleset.sizes.order if ruleset.sizes else library.known_sizes
        size: str | None = one_of(ship.size, order, place, "size")
    else:
        size = ruleset.size_of(known)
    return Model(
        name=ship.name,
        pose=Pose(
            x_yards=ship.x,
            y_yards=ship.y,
            heading_deg=ship.heading,
            position_sigma_yards=scale.yards_from_mm(ship.position_sigma_mm),
            heading_sigma_deg=ship.heading_sigma_deg,
        ),
        base=base_of(ship, ruleset.base_of(known, scale), scale, place),
        size=size,
    )


def base_of(ship: ShipInFile, usual: Base, scale: Scale, place: DocumentPlace) -> Base:
    """The base that a file gives a ship; what it leaves out is as on her card."""
    length_inches = ship.base_length_inches or scale.inches_from_yards(usual.length_yards)
    offset = ship.bridge_offset_inches
    if offset is not None and abs(offset) > length_inches:
        expected = bounds("number", least=-length_inches, most=length_inches, unit="inches")
        raise wrong(place, "bridge_offset_inches", expected, offset)
    inches = scale.yards_from_inches
    return Base(
        usual.length_yards if ship.base_length_inches is None else inches(ship.base_length_inches),
        usual.width_yards if ship.base_width_inches is None else inches(ship.base_width_inches),
        usual.bridge_offset_yards if offset is None else inches(offset),
    )


def _smoke(front: SmokeTable, place: DocumentPlace) -> SmokeFront:
    if (front.x1, front.y1) == (front.x2, front.y2):
        raise DreyerError("tabletop.scene.smoke", place=place)
    return SmokeFront(front.x1, front.y1, front.x2, front.y2)
