"""A scene file: one table written down, with the ruleset that judges it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from combat.formations import Formation
from combat.library import BUILT_IN, Library
from combat.participants import Side
from combat.rulebook_info import Ruleset
from combat.rulebooks import DEFAULT
from combat.ships import ShipType
from combat.sides import SIDE_KEYS, Sides, read_sides
from tabletop.documents import parse_toml
from tabletop.errors import DreyerError, shorten
from tabletop.fields import Fields
from tabletop.messages import Message
from tabletop.scale import Scale
from tabletop.table import Base, Model, Pose, SmokeFront, Table

FARTHEST_YARDS = 1_000_000.0
MOST_PIECES = 200
"""More ships than any table holds; every line is judged against every ship."""
_SCENE_KEYS = ("title", "ruleset", "yards_per_inch", "side", "ship", "smoke")
PICTURE_KEYS = ("camera", "table", "hand", "glare", "shadow", "counter")
"""Keys that only `dreyer render` reads: how the scene's photograph is taken."""
SCENARIO_KEYS = ("scenario",)
"""Keys that only `combat.scenarios` reads: a scenario with places is a scene as well."""
SCENARIO_SHIP_KEYS = ("side", "column", "state")
FORMATION_SHIP_KEYS = ("division", "flagship")
_SHIP_KEYS = (
    "name",
    "type",
    "size",
    "x",
    "y",
    "heading",
    "base_length_inches",
    "base_width_inches",
    "bridge_offset_inches",
    "position_sigma_mm",
    "heading_sigma_deg",
)
_SMOKE_KEYS = ("x1", "y1", "x2", "y2")


@dataclass(frozen=True, slots=True)
class Scene:
    """A table in yards, its scale and ruleset, and which of its ships the rulebooks know."""

    title: str
    """What to call it; may be empty."""
    ruleset: Ruleset
    scale: Scale
    table: Table
    ships: Mapping[str, ShipType]
    """The known ships, by the names of their models; a model of unknown type is not in it."""
    formations: tuple[Formation, ...] = ()
    """The divisions that its ships name, in the order in which they first come."""
    sides: Sides | None = None
    """The sides that the file declares; None where it declares none."""
    side_keys: Mapping[str, str] = field(default_factory=dict)
    """The declared side of each ship that names one, by the names of their models."""

    def side_of(self, name: str) -> Side | None:
        """The declared side of a ship; None where her nation says it."""
        return self.sides[self.side_keys[name]] if self.sides and name in self.side_keys else None


def read_scene(data: bytes, source: str, library: Library = BUILT_IN) -> Scene:
    """The scene in these bytes; every fault is one line that names the source and the field."""
    fields = Fields(parse_toml(data, source), source, (*_SCENE_KEYS, *PICTURE_KEYS, *SCENARIO_KEYS))
    ruleset = library.get(fields.text("ruleset", DEFAULT), source)
    scale = Scale(
        fields.number(
            "yards_per_inch",
            ruleset.default_scale.yards_per_inch,
            least=1,
            most=100_000,
            unit="yards",
        )
    )
    ship_tables = fields.tables("ship", (*_SHIP_KEYS, *SCENARIO_SHIP_KEYS, *FORMATION_SHIP_KEYS))
    smoke_tables = fields.tables("smoke", _SMOKE_KEYS)
    for kind, tables in (("ship", ship_tables), ("smoke", smoke_tables)):
        if len(tables) > MOST_PIECES:
            raise fields.wrong(
                kind, Message("combat.expected.tables", most=MOST_PIECES), len(tables)
            )
    types: dict[str, ShipType] = {}
    models: list[Model] = []
    places: dict[str, str] = {}
    for ship_fields in ship_tables:
        name = ship_fields.text("name")
        if name in places:
            raise DreyerError(
                "tabletop.scene.same_name",
                place=ship_fields.place,
                name=shorten(name),
                other=places[name],
            )
        places[name] = ship_fields.place.removeprefix(f"{source}, ")
        ship = _known_ship(ship_fields, ruleset, name, library)
        if ship is not None:
            types[name] = ship
        models.append(_read_model(ship_fields, name, ship, ruleset, scale, library))
    if not models:
        raise DreyerError("tabletop.scene.empty", source=source)
    smoke = tuple(_read_smoke(front) for front in smoke_tables)
    side_tables = fields.tables("side", SIDE_KEYS)
    sides = read_sides(side_tables, source) if side_tables else None
    return Scene(
        title=fields.text("title") if "title" in fields else "",
        ruleset=ruleset,
        scale=scale,
        table=Table(tuple(models), smoke),
        ships=types,
        formations=_formations(ship_tables),
        sides=sides,
        side_keys=_side_keys(ship_tables, sides) if sides else {},
    )


def _side_keys(ships: Sequence[Fields], sides: Sides) -> dict[str, str]:
    return {each.text("name"): each.choice("side", sides.keys) for each in ships if "side" in each}


def _formations(ships: Sequence[Fields]) -> tuple[Formation, ...]:
    divisions: dict[str, list[str]] = {}
    flags: dict[str, str] = {}
    sides: dict[str, str] = {}
    for fields in ships:
        name, leads = fields.text("name"), fields.flag("flagship", False)
        if "division" not in fields:
            if leads:
                raise fields.wrong("flagship", Message("combat.expected.in_division"), name)
            continue
        division = fields.text("division")
        divisions.setdefault(division, []).append(name)
        if "side" in fields:
            sides.setdefault(division, fields.text("side"))
        if leads and division in flags:
            expected = Message("combat.expected.flagship", division=division, ship=flags[division])
            raise fields.wrong("flagship", expected, name)
        if leads:
            flags[division] = name
    return tuple(
        # Who names no flagship means the first ship of the division.
        Formation(name, flags.get(name, members[0]), tuple(members), sides.get(name, ""))
        for name, members in divisions.items()
    )


def _known_ship(fields: Fields, ruleset: Ruleset, name: str, library: Library) -> ShipType | None:
    """The ship that `type` names, or the one that the name itself is, if it is one."""
    ships = library.known_ships(ruleset.name)
    if "type" in fields:
        return ships.named(fields.text("type"), f"{fields.place}: type")
    return ships.find(name)


def _read_model(
    fields: Fields,
    name: str,
    ship: ShipType | None,
    ruleset: Ruleset,
    scale: Scale,
    library: Library,
) -> Model:
    def coordinate(key: str) -> float:
        return fields.number(key, least=-FARTHEST_YARDS, most=FARTHEST_YARDS)

    def inches(key: str, default: float) -> float:
        return fields.number(key, default, least=0.05, most=100, unit="inches")

    length = inches("base_length_inches", ruleset.base_length_inches)
    bridge = fields.number("bridge_offset_inches", 0.0, least=-length, most=length, unit="inches")
    sigma_mm = fields.number("position_sigma_mm", 0.0, least=0, most=1000, unit="mm")
    if "size" in fields:
        # Another rulebook's sizes may stand in a file that is tried under several rulesets.
        order = ruleset.sizes.order if ruleset.sizes else library.known_sizes
        size: str | None = fields.choice("size", order)
    else:
        size = ruleset.size_of(ship)
    return Model(
        name=name,
        pose=Pose(
            x_yards=coordinate("x"),
            y_yards=coordinate("y"),
            heading_deg=fields.number("heading", least=-360, most=360, unit="degrees"),
            position_sigma_yards=scale.yards_from_mm(sigma_mm),
            heading_sigma_deg=fields.number(
                "heading_sigma_deg", 0.0, least=0, most=180, unit="degrees"
            ),
        ),
        base=Base(
            length_yards=scale.yards_from_inches(length),
            width_yards=scale.yards_from_inches(
                inches("base_width_inches", ruleset.base_width_inches)
            ),
            bridge_offset_yards=scale.yards_from_inches(bridge),
        ),
        size=size,
    )


def _read_smoke(fields: Fields) -> SmokeFront:
    x1, y1, x2, y2 = (
        fields.number(key, least=-FARTHEST_YARDS, most=FARTHEST_YARDS) for key in _SMOKE_KEYS
    )
    if (x1, y1) == (x2, y2):
        raise DreyerError("tabletop.scene.smoke", place=fields.place)
    return SmokeFront(x1, y1, x2, y2)
