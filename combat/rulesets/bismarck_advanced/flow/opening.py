"""The battle that a setup describes: sides, ships and their places, weather, hidden play (55)."""

from dataclasses import dataclass, replace
from typing import Final

from combat.rulesets.bismarck_advanced.beginning.hidden import Identity, numbered
from combat.rulesets.bismarck_advanced.engagement import Combatant, Engagement
from combat.rulesets.bismarck_advanced.firing.gunnery import Options
from combat.rulesets.bismarck_advanced.fleet.vessel import Vessel
from combat.rulesets.bismarck_advanced.fleet.warship_files import load_warships
from combat.rulesets.bismarck_advanced.flow.correcting import begun_sheet
from combat.rulesets.bismarck_advanced.flow.reading import FARTHEST_YARDS, opened, read_pose
from combat.rulesets.bismarck_advanced.flow.state import AdvancedState
from combat.rulesets.bismarck_advanced.flow.telling import tell, tell_segment
from combat.rulesets.bismarck_advanced.moving.smoke import LaidFront, Smoke
from combat.rulesets.bismarck_advanced.moving.speed import SpeedRecord
from combat.rulesets.bismarck_advanced.phases import CombatPhase
from combat.showing import Json
from tabletop.errors import DreyerError
from tabletop.fields import Fields
from tabletop.table import Base, SmokeFront, Table

SETUP_KEYS: Final = (
    "title",
    "sides",
    "ships",
    "visibility",
    "night",
    "starting_range_yards",
    "hidden",
    "options",
    "smoke",
)
SMOKE_KEYS: Final = ("x1", "y1", "x2", "y2")
SHIP_KEYS: Final = ("name", "type", "side", "pose", "base", "number", "state")
OPTION_KEYS: Final = (
    "radar_lost_with_superstructure",
    "factors_past_the_table_add_up",
    "ammunition_by_turret",
)
MOST_SHIPS: Final = 60
MOST_FRONTS: Final = 60
_MOST_NAME: Final = 40


@dataclass(frozen=True, slots=True)
class _Entrant:
    combatant: Combatant
    number: int | None


def begin(setup: Json, usual_base: Base) -> AdvancedState:
    """The battle at its first movement plot."""
    fields = opened(setup, "setup", SETUP_KEYS)
    options = fields.table("options", OPTION_KEYS)
    by_turret = options.flag("ammunition_by_turret", False)
    tables = fields.tables("ships", SHIP_KEYS)
    if not 2 <= len(tables) <= MOST_SHIPS:
        raise fields.wrong("ships", f"from 2 to {MOST_SHIPS} ships", len(tables))
    entrants = [_read_ship(each, usual_base, by_turret=by_turret) for each in tables]
    combatants = tuple(entrant.combatant for entrant in entrants)
    sides = _read_sides(fields, combatants)
    engagement = Engagement(
        combatants,
        visibility=fields.integer("visibility", 2, least=1, most=8),
        night=fields.flag("night", False),
        starting_range_yards=(
            fields.number("starting_range_yards", above=0, most=FARTHEST_YARDS, unit="yards")
            if "starting_range_yards" in fields
            else None
        ),
        options=Options(
            options.flag("radar_lost_with_superstructure", False),
            options.flag("factors_past_the_table_add_up", False),
        ),
    )
    engagement = replace(engagement, smoke=_smoke(fields, engagement.phase))
    # The table refuses two ships of one name.
    Table(engagement.table.models)
    identities = _identities(entrants) if fields.flag("hidden", False) else {}
    state = AdvancedState(
        title=fields.text("title", "Battle"),
        sides=sides,
        engagement=engagement,
        phase=engagement.phase,
        identities=identities,
    )
    weather = f"visibility {engagement.visibility}{', night' * engagement.night}"
    return state.telling(
        tell("begin", f"{state.title}: {weather}", "55"), tell_segment(state.phase)
    )


def _smoke(fields: Fields, phase: CombatPhase) -> Smoke:
    """Fronts that lie on the table already stand as long as any laid in the first move (67.653)."""
    fronts = fields.tables("smoke", SMOKE_KEYS)
    if len(fronts) > MOST_FRONTS:
        raise fields.wrong("smoke", f"at most {MOST_FRONTS} fronts", len(fronts))
    bound = FARTHEST_YARDS
    return Smoke(
        tuple(
            LaidFront(
                None,
                None,
                SmokeFront(
                    *(each.number(k, least=-bound, most=bound, unit="yards") for k in SMOKE_KEYS)
                ),
                phase,
            )
            for each in fronts
        )
    )


def _read_ship(fields: Fields, usual_base: Base, *, by_turret: bool) -> _Entrant:
    name = fields.text("name", most=_MOST_NAME)
    warship = load_warships().named(fields.text("type", name), fields.place)
    vessel = Vessel.fresh(warship, name, ammunition_by_turret=by_turret)
    if "state" in fields:
        vessel = begun_sheet(vessel, fields.value("state", "an object"))
    base = usual_base
    if "base" in fields:
        size = fields.table("base", ("length_yards", "width_yards"))
        base = Base(
            size.number("length_yards", above=0, most=20_000, unit="yards"),
            size.number("width_yards", above=0, most=20_000, unit="yards"),
        )
    combatant = Combatant(
        vessel=vessel,
        side=fields.text("side", most=_MOST_NAME),
        pose=read_pose(fields.value("pose", "x, y and heading"), f"{fields.place}, pose"),
        base=base,
        record=SpeedRecord(vessel.movement_factor),
    )
    number = fields.integer("number", least=1, most=999) if "number" in fields else None
    return _Entrant(combatant, number)


def _read_sides(fields: Fields, combatants: tuple[Combatant, ...]) -> tuple[str, ...]:
    present = tuple(dict.fromkeys(ship.side for ship in combatants))
    sides = fields.texts("sides") or present
    if len(set(sides)) != 2 or len(sides) != 2:
        raise fields.wrong("sides", "two sides", ", ".join(sides))
    for side in present:
        if side not in sides:
            raise fields.wrong("sides", f"the sides of the ships, {side!r} among them", sides)
    for side in sides:
        if side not in present:
            raise DreyerError(f"setup: {side!r} has no ship: a battle needs one on either side")
    return sides


def _identities(entrants: list[_Entrant]) -> dict[str, Identity]:
    """55.28, 67.11: all ships begin face down; their players have drawn the numbers by lot."""
    names = {entrant.combatant.name for entrant in entrants}
    numbers = {}
    for entrant in entrants:
        name, number = entrant.combatant.name, entrant.number
        if number is None:
            raise DreyerError(
                f"setup: {name} needs a number of her own in hidden play (61.6): draw one by lot"
            )
        numbers[name] = number
    identities = {identity.name: identity for identity in numbered(numbers)}
    for identity in identities.values():
        if identity.label in names:
            raise DreyerError(f"setup: a ship cannot be called {identity.label!r} in hidden play")
    return identities
