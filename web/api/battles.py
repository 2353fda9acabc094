"""The API of the stored battles: begin, resume, export, import, delete, set aside."""

from dataclasses import asdict
from typing import Any

from flask import Response

from combat.guided_actions import StartingConditions
from combat.rulebooks import DEFAULT
from combat.scenarios import Scenario, all_scenarios, scenario_named
from combat.sides import Sides, usual
from tabletop.errors import DreyerError
from tabletop.table import Pose
from web.actions.battle_start import Plan, PlannedShip, actions_for, plan_of, table_sides
from web.api.battle import owner_values
from web.api.models import Done
from web.api.route import Answer, Call, Needs, route
from web.battle import battles_models as models
from web.camera.storage import DEMO
from web.data_folder import is_demo
from web.files import LARGEST_BATTLE_BYTES
from web.http.context import Running
from web.table.moment import CameraStatus
from web.table.pieces import read_sides

_TAG = "battles"


@route("GET", "/api/battles", "The battles that are kept", needs=Needs.LOOK, tag=_TAG)
def listed(call: Call) -> Answer:
    """The one on the table first."""
    return {
        "battles": [
            {
                "id": each.id,
                "open": each.is_open,
                "fault": each.fault,
                **(asdict(each.summary) if each.summary else {}),
            }
            for each in call.running.battles.kept()
        ]
    }


@route(
    "GET",
    "/api/battles/scenarios",
    "The scenarios that can be begun",
    needs=Needs.LOOK,
    answer=models.Scenarios,
    tag=_TAG,
)
def scenarios(call: Call) -> Answer:  # noqa: ARG001
    """In the order of the page."""
    ordered = sorted(all_scenarios().values(), key=lambda each: each.order)
    return models.Scenarios(scenarios=[_summary(each) for each in ordered])


def _table_sides(scenario: Scenario | None) -> Sides:
    return table_sides(scenario.sides) if scenario else usual().sides


def _summary(scenario: Scenario) -> models.Summary:
    return models.Summary(
        key=scenario.key,
        title=scenario.title,
        date=scenario.date,
        what_if=scenario.what_if,
        by_dice=scenario.by_dice,
        visibility=scenario.visibility,
        night=scenario.night,
        starting_range_yards=scenario.starting_range_yards,
        ships=[
            {"name": ship.name, "type": ship.type.name, "side": ship.side}
            for ship in scenario.ships
        ],
    )


@route(
    "POST",
    "/api/battles/scenario",
    "Begin a scenario",
    needs=Needs.HOST,
    body=models.ScenarioChoice,
    answer=models.Begun,
    faults=(404,),
    tag=_TAG,
)
def scenario(call: Call, body: models.ScenarioChoice) -> Answer:
    """On a table of its own; the battle before is kept."""
    plan = plan_of(scenario_named(body.scenario), hidden=body.hidden, begins=not body.lay_only)
    return _begin(call, plan)


@route(
    "POST",
    "/api/battles",
    "Begin a battle with ships of one's own choice",
    needs=Needs.HOST,
    body=models.NewBattle,
    answer=models.Begun,
    faults=(404,),
    tag=_TAG,
)
def begin(call: Call, body: models.NewBattle) -> Answer:
    """On a table of its own; the battle before is kept."""
    chosen = scenario_named(body.scenario) if body.scenario else None
    marks = {ship.name: ship.marks for ship in chosen.ships} if chosen else {}
    if any(int(number) >= len(body.ships) for number in body.places):
        raise DreyerError("battles.plan.fewer_ships")
    plan = Plan(
        title=body.title,
        ruleset=chosen.ruleset if chosen else DEFAULT,
        yards_per_inch=body.yards_per_inch,
        width_inches=body.width_inches,
        height_inches=body.height_inches,
        ships=tuple(
            PlannedShip(
                ship.name,
                ship.type,
                ship.side,
                _pose(body.places.get(str(number), ship.place)),
                marks.get(ship.name),
            )
            for number, ship in enumerate(body.ships)
        ),
        conditions=StartingConditions(
            visibility=body.visibility,
            night=body.night,
            starting_range_yards=body.starting_range_yards,
        ),
        hidden=body.hidden,
        begins=not body.lay_only,
        scenario=chosen.key if chosen else None,
        said=body.said,
        sides=(
            read_sides(side.model_dump() for side in body.sides)
            if body.sides is not None
            else _table_sides(chosen)
        ),
    )
    return _begin(call, plan)


@route(
    "POST",
    "/api/battles/kept/<id_>/resume",
    "Go on with a battle that is kept",
    needs=Needs.HOST,
    body=models.Nothing,
    answer=Done,
    faults=(404,),
    tag=_TAG,
)
def resume(call: Call, body: models.Nothing, id_: str) -> Answer:  # noqa: ARG001
    """Seats, code and phones stay; the battle before is kept."""
    call.running.battles.resume(call.caller, id_)
    _settle_camera(call.running)
    return {"seq": call.session.seq}


@route(
    "DELETE",
    "/api/battles/kept/<id_>",
    "Delete a battle for good",
    needs=Needs.HOST,
    answer=Done,
    faults=(404,),
    tag=_TAG,
)
def remove(call: Call, id_: str) -> Answer:
    """Never the one on the table."""
    call.running.battles.remove(call.caller, id_)
    return _told(call)


@route(
    "POST",
    "/api/battles/kept/<id_>/aside",
    "Set a battle aside that cannot be opened",
    needs=Needs.HOST,
    body=models.Nothing,
    faults=(404,),
    tag=_TAG,
)
def set_aside(call: Call, body: models.Nothing, id_: str) -> Answer:  # noqa: ARG001
    """Its file stays as it is, in a folder of its own."""
    path = call.running.battles.set_aside(call.caller, id_)
    return {**_told(call), "file": path.name}


@route(
    "GET",
    "/api/battles/kept/<id_>/export",
    "A battle as one file",
    operation="export",
    needs=Needs.PLAY,
    gives="application/json",
    faults=(404,),
    tag=_TAG,
)
def export(call: Call, id_: str) -> Answer:
    """As far as the caller may know it; the one on the table for players, any for the host."""
    name, data = call.running.battles.export(call.caller, id_)
    answer = Response(data, mimetype="application/json")
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


@route(
    "POST",
    "/api/battles/import",
    "Keep a battle from a file",
    operation="import",
    needs=Needs.HOST,
    takes=("application/octet-stream",),
    largest_bytes=LARGEST_BATTLE_BYTES,
    answer=models.Begun,
    faults=(413,),
    tag=_TAG,
)
def take_in(call: Call, body: bytes) -> Answer:
    """Checked and played through before it is kept; it is not laid yet."""
    id_ = call.running.battles.take_in(call.caller, body)
    return {**_told(call), "id": id_}


def _begin(call: Call, plan: Plan) -> Answer:
    actions = actions_for(plan, owner_values(call, plan.ruleset))
    id_ = call.running.battles.begin(call.caller, plan.title, actions)
    _settle_camera(call.running)
    return {"seq": call.session.seq, "id": id_}


def _told(call: Call) -> dict[str, Any]:
    """Everyone's list of battles is drawn anew."""
    call.session.with_seats(lambda _: None)
    return {"seq": call.session.seq}


def _pose(place: models.Place | None) -> Pose | None:
    return Pose(place.x, place.y, place.heading % 360) if place else None


def _settle_camera(running: Running) -> None:
    """The rendered demo table shows the demo alone: it must not move another battle's ships."""
    eyes, session = running.eyes, running.session
    if eyes is None or eyes.memory.setup.source != DEMO:
        return
    if is_demo(session) and session.moment.battle is None:
        return
    eyes.stop()
    session.see(CameraStatus(), ())
