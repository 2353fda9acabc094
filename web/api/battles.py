"""The API of the stored battles: begin, resume, export, import, delete, set aside."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Annotated, Final

from flask import Response
from pydantic import Field

from combat.guided_actions import (
    BattleOptions,
    EnteredDivision,
    FleetLimits,
    HiddenNumber,
    StartingConditions,
    StartingMarks,
)
from combat.rulebooks import DEFAULT
from combat.scenarios import Scenario, all_scenarios, read_table, scenario_named
from combat.sides import MOST_SIDES, Sides, usual
from combat.weather import StatedVisibility, Visibility
from tabletop.errors import DreyerError
from tabletop.schema import Flag, Line, Number, document
from tabletop.table import Base, Pose
from web.actions.battle_start import Plan, PlannedShip, actions_for, plan_of, table_sides
from web.api.battle import OptionsDocument, StateDocument, read_options, read_state
from web.api.models import Done, Nothing
from web.api.route import Call, Needs, Routes
from web.archive.imports import check_is_scenario
from web.archive.previous import PreviousBattle
from web.archive.scenario_file import LARGEST_BYTES, scenario_file
from web.camera.storage import DEMO
from web.files import LARGEST_BATTLE_BYTES
from web.games.guided_game import guided_rulebook
from web.http.context import ServerContext
from web.journal.battle_plan import MOST_DIVISIONS
from web.journal.fields import DeclaredSide, Name, SideKey, sides_of
from web.scenes import opening
from web.strings import text, words
from web.table.moment import CameraStatus

routes: Final = Routes()

_TAG = "battles"


YardsOnTable = Annotated[Number, Field(ge=0, le=1_000_000)]
Heading = Annotated[Number, Field(ge=-360, le=720)]
Inches = Annotated[Number, Field(ge=6, le=400)]


@document
class ShipPlace:
    """A ship's place."""

    x: YardsOnTable
    y: YardsOnTable
    heading: Heading


@document
class NewBattleShip:
    """A ship that takes part; without a place she is placed by hand."""

    name: Name
    type: Name
    side: SideKey
    place: ShipPlace | None = None
    state: StateDocument | None = None
    """What she begins with; fresh, as the scenario or as the battle before has her, if left out."""
    number: HiddenNumber | None = None
    """Her number in hidden play (61.6); dealt by lot if left out."""


@document
class ScenarioChoice:
    """A scenario as it is written down."""

    scenario: Name
    """By its key, as GET /api/battles/scenarios lists them."""
    options: OptionsDocument | None = None
    """As the scenario has them, if left out."""
    hidden: Flag = False
    """Whether ships begin hidden, as numbers (67.1)."""
    numbers: Mapping[Name, HiddenNumber] = field(default_factory=dict)
    """In hidden play: the numbers of ships by name (61.6); others are random."""
    lay_only: Flag = False
    """Whether to only set up the table and begin later with POST /api/battle/begin."""


@document
class NewBattle:
    """A battle with chosen ships."""

    title: Name
    ruleset: Annotated[Line, Field(max_length=80)] = DEFAULT
    """That of the scenario or of the battle before, if there is one."""
    scenario: Name | None = None
    """The scenario that the ships come from, for its story and their states."""
    after: Annotated[Line, Field(max_length=80)] | None = None
    """The id of a battle that has ended.

    Its ships begin in their state after it, repairs included; others are undamaged.
    """
    sides: (
        Annotated[tuple[DeclaredSide, ...], Field(min_length=2, max_length=MOST_SIDES)] | None
    ) = None
    """The table's sides; by default those of the scenario, or the usual ones."""
    ships: Annotated[tuple[NewBattleShip, ...], Field(min_length=2, max_length=60)]
    places: Mapping[Annotated[str, Field(pattern=r"^\d{1,2}$")], ShipPlace] = field(
        default_factory=dict
    )
    """Places by the ships' index in the list, which replace those of the ships."""
    width_inches: Inches = 72.0
    height_inches: Inches = 48.0
    yards_per_inch: Annotated[Number, Field(ge=1, le=100_000)] = 500.0
    visibility: StatedVisibility | None = None
    """As the scenario or the battle before has it, if left out; 2 without either."""
    night: Flag | None = None
    """Likewise; by day without either."""
    options: OptionsDocument | None = None
    """Likewise; the rulebook's usual game without either."""
    divisions: Annotated[tuple[EnteredDivision, ...] | None, Field(max_length=MOST_DIVISIONS)] = (
        None
    )
    """In a rulebook that has divisions: as the scenario has them, or proposed, if left out."""
    limits: FleetLimits | None = None
    """In a rulebook that counts points: as the scenario has them, or the usual ones."""
    starting_range_yards: Annotated[Number, Field(gt=0, le=100_000)] | None = None
    hidden: Flag = False
    """Ships begin face down, as numbers (67.1)."""
    numbers: Mapping[Annotated[str, Field(pattern=r"^\d{1,2}$")], HiddenNumber] = field(
        default_factory=dict
    )
    """Numbers by the ships' place in the list, counted from 0; over those of the ships."""
    lay_only: Flag = False
    said: Annotated[Line, Field(max_length=200)] = ""


@document
class BattleId(Done):
    """The number of the newest change, and the battle's id."""

    id: str


@document
class ScenarioEntrant:
    """A ship of a scenario."""

    name: str
    type: str
    side: str


@document
class ScenarioSummary:
    """A scenario that can be begun."""

    key: str
    title: str
    date: str
    what_if: bool
    by_dice: bool
    """Set up by dice (55): its places come from the page or from a script, as POST /api/battles."""
    visibility: Visibility
    night: bool
    starting_range_yards: float | None
    options: OptionsDocument | None
    """The optional rules that it is played with; null is the rulebook's usual game."""
    ships: tuple[ScenarioEntrant, ...]


@document
class Scenarios:
    """Every scenario, in display order."""

    scenarios: tuple[ScenarioSummary, ...]


@document
class BattleSummary:
    """A battle of the list, at the last entry of its journal."""

    id: str
    open: bool
    fault: str
    n: int
    title: str
    seconds: float
    begun: bool
    ended: bool
    round: int
    step: str
    ships: int
    campaign: str
    """The title of the first battle of its series; empty if it follows none."""
    number: int


@document
class UnreadableBattle:
    """A battle of the list that cannot be opened, and the reason."""

    id: str
    open: bool
    fault: str


@document
class BattleList:
    """The stored battles."""

    battles: tuple[BattleSummary | UnreadableBattle, ...]


@document
class SetAsideFile(Done):
    """The file that was set aside."""

    file: str


@document
class SalvagedBattle(Done):
    """The battle that was made of the readable entries of a damaged one."""

    id: str
    entries: int


@routes.route("GET", "/api/battles", "The battles that are kept", needs=Needs.LOOK, tag=_TAG)
def listed(call: Call) -> BattleList:
    """The open battle first."""
    return BattleList(
        battles=tuple(
            UnreadableBattle(id=each.id, open=each.is_open, fault=each.fault)
            if each.summary is None
            else BattleSummary(
                id=each.id, open=each.is_open, fault=each.fault, **asdict(each.summary)
            )
            for each in call.server_context.battles.stored_battles()
        )
    )


@routes.route(
    "GET",
    "/api/battles/scenarios",
    "The scenarios that can be begun",
    needs=Needs.LOOK,
    tag=_TAG,
)
def scenarios(call: Call) -> Scenarios:  # noqa: ARG001
    """In display order."""
    ordered = sorted(all_scenarios().values(), key=lambda each: each.order)
    return Scenarios(scenarios=tuple(_summary(each) for each in ordered))


def _table_sides(scenario: Scenario | None) -> Sides:
    return table_sides(scenario.sides) if scenario else usual().sides


def _summary(scenario: Scenario) -> ScenarioSummary:
    return ScenarioSummary(
        key=scenario.key,
        title=scenario.title,
        date=scenario.date,
        what_if=scenario.what_if,
        by_dice=scenario.by_dice,
        visibility=scenario.visibility,
        night=scenario.night,
        starting_range_yards=scenario.starting_range_yards,
        options=(
            None
            if scenario.options is None
            else guided_rulebook(scenario.ruleset).schemas.options.write(scenario.options)
        ),
        ships=tuple(
            ScenarioEntrant(name=ship.name, type=ship.type.name, side=ship.side)
            for ship in scenario.ships
        ),
    )


@routes.route(
    "POST",
    "/api/battles/scenario",
    "Begin a scenario",
    needs=Needs.HOST,
    faults=(404,),
    tag=_TAG,
)
def scenario(call: Call, body: ScenarioChoice) -> BattleId:
    """On a table of its own; the battle before is kept."""
    return begin_scenario(call, body)


def begin_scenario(call: Call, body: ScenarioChoice) -> BattleId:
    """Begin a scenario as chosen; its battle is the one on the table from then on."""
    chosen = scenario_named(body.scenario)
    plan = plan_of(
        chosen,
        options=read_options(chosen.ruleset, body.options),
        hidden=body.hidden,
        begins=not body.lay_only,
        numbers=body.numbers,
    )
    return begin_plan(call, plan)


@routes.route(
    "POST",
    "/api/battles",
    "Begin a battle with ships of one's own choice",
    needs=Needs.HOST,
    faults=(404,),
    tag=_TAG,
)
def begin(call: Call, body: NewBattle) -> BattleId:
    """On a new table; the previous battle is stored."""
    chosen = scenario_named(body.scenario) if body.scenario else None
    before = call.server_context.battles.previous(call.caller, body.after) if body.after else None
    if chosen and before:
        raise DreyerError("battles.plan.scenario_and_after")
    ruleset = chosen.ruleset if chosen else before.ruleset if before else body.ruleset
    usual: Scenario | PreviousBattle | _UsualGame = chosen or before or _UsualGame()
    if any(int(number) >= len(body.ships) for number in (*body.places, *body.numbers)):
        raise DreyerError("battles.plan.fewer_ships")
    plan = Plan(
        title=body.title,
        ruleset=ruleset,
        yards_per_inch=body.yards_per_inch,
        width_inches=body.width_inches,
        height_inches=body.height_inches,
        ships=tuple(
            PlannedShip(
                ship.name,
                ship.type,
                ship.side,
                _pose(body.places.get(str(number), ship.place)),
                _marks(ship, ruleset, chosen, before),
                _base(ship, chosen),
                body.numbers.get(str(number), _number(ship, chosen if body.hidden else None)),
            )
            for number, ship in enumerate(body.ships)
        ),
        conditions=StartingConditions(
            visibility=usual.visibility if body.visibility is None else body.visibility,
            night=usual.night if body.night is None else body.night,
            starting_range_yards=body.starting_range_yards,
        ),
        options=read_options(ruleset, body.options) or usual.options,
        hidden=body.hidden,
        begins=not body.lay_only,
        scenario=chosen.key if chosen else None,
        said=body.said,
        sides=(
            sides_of(body.sides)
            if body.sides is not None
            else before.sides
            if before
            else _table_sides(chosen)
        ),
        follows=before.follows if before else None,
        divisions=_divisions(body, chosen),
        limits=body.limits or (chosen.limits if chosen else None),
    )
    return begin_plan(call, plan)


def _divisions(body: NewBattle, chosen: Scenario | None) -> tuple[EnteredDivision, ...]:
    """Those of the request, or of a scenario whose ships all take part."""
    if body.divisions is not None or chosen is None:
        return body.divisions or ()
    same = {ship.name for ship in body.ships} == {ship.name for ship in chosen.ships}
    return chosen.divisions if same else ()


@dataclass(frozen=True, slots=True)
class _UsualGame:
    """What a battle begins with that comes from no scenario and follows no other battle."""

    visibility: Visibility = 2
    night: bool = False
    options: BattleOptions | None = None


def _marks(
    ship: NewBattleShip, ruleset: str, chosen: Scenario | None, before: PreviousBattle | None
) -> StartingMarks | None:
    # A sunk ship is refused even if a state is given.
    carried = before.carried(ship.name, ship.type) if before else None
    if ship.state is not None:
        return read_state(ruleset, ship.name, ship.type, ship.state)
    if chosen is not None:
        return next((each.marks for each in chosen.ships if each.name == ship.name), None)
    return carried


def _base(ship: NewBattleShip, chosen: Scenario | None) -> Base | None:
    """Her base as the scenario has it."""
    found = (each.base for each in chosen.ships if each.name == ship.name) if chosen else iter(())
    return next(found, None)


def _number(ship: NewBattleShip, chosen: Scenario | None) -> int | None:
    if ship.number is not None or chosen is None:
        return ship.number
    return next((each.number for each in chosen.ships if each.name == ship.name), None)


@document
class SurvivorEntry:
    """A ship of a battle that has ended."""

    name: str
    type: str
    side: str
    goes_on: bool
    why: str
    rule: str
    state: StateDocument | None
    """Her state at the start of the next battle; null if she is undamaged or does not continue."""


@document
class Survivors:
    """The ships of a battle that has ended, and the number of the next one."""

    id: str
    title: str
    campaign: str
    number: int
    ships: tuple[SurvivorEntry, ...]


@routes.route(
    "GET",
    "/api/battles/kept/<id_>/survivors",
    "What the ships of a battle that has ended bring to the next",
    needs=Needs.HOST,
    faults=(404,),
    tag=_TAG,
)
def survivors(call: Call, id_: str) -> Survivors:
    """Begin the next battle by POST /api/battles with `after`."""
    found = call.server_context.battles.previous(call.caller, id_)
    rulebook = guided_rulebook(found.ruleset)
    return Survivors(
        id=found.id,
        title=found.title,
        campaign=found.follows.campaign,
        number=found.follows.number,
        ships=tuple(
            SurvivorEntry(
                name=each.name,
                type=each.type,
                side=each.side,
                goes_on=each.goes_on,
                why=words(each.why),
                rule=each.rule,
                state=None if each.marks is None else rulebook.schemas.marks.write(each.marks),
            )
            for each in found.survivors
        ),
    )


@routes.route(
    "POST",
    "/api/battles/kept/<id_>/resume",
    "Go on with a battle that is kept",
    needs=Needs.HOST,
    faults=(404,),
    tag=_TAG,
)
def resume(call: Call, body: Nothing, id_: str) -> Done:  # noqa: ARG001
    """Seats, code and phones stay; the previous battle is stored."""
    call.server_context.battles.resume(call.caller, id_)
    _settle_camera(call.server_context)
    call.server_context.captains.resume()
    return Done(seq=call.session.seq)


@routes.route(
    "DELETE",
    "/api/battles/kept/<id_>",
    "Delete a battle for good",
    needs=Needs.HOST,
    faults=(404,),
    tag=_TAG,
)
def remove(call: Call, id_: str) -> Done:
    """The open battle cannot be deleted."""
    call.server_context.battles.remove(call.caller, id_)
    return Done(seq=_announced(call))


@routes.route(
    "POST",
    "/api/battles/kept/<id_>/aside",
    "Set a battle aside that cannot be opened",
    needs=Needs.HOST,
    faults=(404,),
    tag=_TAG,
)
def set_aside(call: Call, body: Nothing, id_: str) -> SetAsideFile:  # noqa: ARG001
    """Its file is moved to a separate folder, unchanged."""
    path = call.server_context.battles.set_aside(call.caller, id_)
    return SetAsideFile(seq=_announced(call), file=path.name)


@routes.route(
    "POST",
    "/api/battles/kept/<id_>/salvage",
    "Keep the readable part of a damaged battle as a battle of its own",
    needs=Needs.HOST,
    faults=(404,),
    tag=_TAG,
)
def salvage(call: Call, body: Nothing, id_: str) -> SalvagedBattle:  # noqa: ARG001
    """The damaged file is set aside, unchanged."""
    new, entries = call.server_context.battles.salvage(call.caller, id_)
    return SalvagedBattle(seq=_announced(call), id=new, entries=entries)


@routes.route(
    "GET",
    "/api/battles/kept/<id_>/export",
    "A battle as one file",
    operation="export",
    needs=Needs.PLAY,
    gives="application/json",
    faults=(404,),
    tag=_TAG,
)
def export(call: Call, id_: str) -> Response:
    """Limited to what the caller may know; players may export the open battle, the host any."""
    name, data = call.server_context.battles.export(call.caller, id_)
    answer = Response(data, mimetype="application/json")
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


@routes.route(
    "POST",
    "/api/battles/import",
    "Keep a battle from a file",
    operation="import",
    needs=Needs.HOST,
    takes=("application/octet-stream",),
    largest_bytes=LARGEST_BATTLE_BYTES,
    faults=(413,),
    tag=_TAG,
)
def import_battle(call: Call, body: bytes) -> BattleId:
    """Checked and replayed before it is stored; it is not opened."""
    id_ = call.server_context.battles.import_battle(call.caller, body)
    return BattleId(seq=_announced(call), id=id_)


@routes.route(
    "GET",
    "/api/battles/own-scenario",
    "The table as it stands, as a scenario file to keep or to share",
    needs=Needs.PLAY,
    gives="application/toml",
    tag=_TAG,
)
def own_scenario(call: Call) -> Response:
    """It has what everybody at the table sees, and nothing that is hidden."""
    name, data = scenario_file(call.session.moment)
    answer = Response(data, mimetype="application/toml")
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


@routes.route(
    "POST",
    "/api/battles/own-scenario",
    "Lay out the table of a scenario file",
    needs=Needs.HOST,
    takes=("application/octet-stream",),
    largest_bytes=LARGEST_BYTES,
    faults=(413,),
    tag=_TAG,
)
def lay_own_scenario(call: Call, body: bytes) -> BattleId:
    """The file is checked first; the battle that is on the table is kept."""
    check_is_scenario(body)
    scene = read_table(body, str(text("battles.own_file")), call.session.library.now)
    id_ = call.server_context.battles.begin(call.caller, scene.title, (opening(scene),))
    _settle_camera(call.server_context)
    return BattleId(seq=call.session.seq, id=id_)


def begin_plan(call: Call, plan: Plan) -> BattleId:
    """Lay a table for a plan, and begin its battle where it says so."""
    actions = actions_for(plan, call.server_context.owner_values(plan.ruleset))
    id_ = call.server_context.battles.begin(call.caller, plan.title, actions)
    _settle_camera(call.server_context)
    return BattleId(seq=call.session.seq, id=id_)


def _announced(call: Call) -> int:
    """Notify everyone that the list of battles has changed; returns the number of the change."""
    return call.session.announce()


def _pose(place: ShipPlace | None) -> Pose | None:
    return Pose(place.x, place.y, place.heading % 360) if place else None


def _settle_camera(server_context: ServerContext) -> None:
    """Stop the demo camera for another battle, whose ships it must not move."""
    camera_thread, session = server_context.camera_thread, server_context.session
    if camera_thread.memory.setup.source != DEMO:
        return
    if session.moment.state.demo and session.moment.battle is None:
        return
    camera_thread.stop()
    session.update_camera(CameraStatus(), ())
