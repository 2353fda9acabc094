"""The API of captains: sides that the program plays, and plots that it proposes."""

import random
from dataclasses import replace
from typing import Final

from combat.balance.battle import starting_poses
from combat.balance.plan import fighting_sides
from combat.captain.all_captains import DEFAULT, captain_names
from combat.scenarios import Scenario, scenario_named
from tabletop.errors import UnknownName
from tabletop.messages import Message
from tabletop.schema import document
from web import admission
from web.actions.battle_start import plan_of
from web.api.battles import BattleId, begin_plan
from web.api.models import Done, Nothing
from web.api.route import Call, Needs, Routes
from web.auth.attempts import network_of
from web.auth.seats import Forbidden, Role, SeatOrigin
from web.captains import may_give
from web.http import guard
from web.journal.events import Left
from web.journal.fields import Name, SideKey
from web.server.network import is_this_machine
from web.strings import text

routes: Final = Routes()
_TAG: Final = "captains"


@document
class CaptainOfSide:
    """Who plays a side."""

    side: SideKey
    captain: Name | None = None
    """The captain's name, such as "steady"; null gives the side back to people."""


@document
class SoloChoice:
    """A scenario that one person plays against the program."""

    scenario: Name
    side: SideKey | None = None
    """The side of the person; the scenario's first, if left out."""
    captain: Name = DEFAULT


@routes.route(
    "POST",
    "/api/battle/captain",
    "Let a captain play a side, or give it back to people",
    needs=Needs.PLAY,
    faults=(404,),
    tag=_TAG,
)
def appoint(call: Call, body: CaptainOfSide) -> Done:
    """The host and an umpire for any side; players for their own, and for one without people."""
    seated = {seat.side for seat in call.session.seats}
    if not may_give(body.side, call.caller, seated):
        raise Forbidden("captain.fault.not_yours")
    captains = call.server_context.captains
    if body.captain is None:
        return Done(seq=captains.dismiss(call.caller, body.side))
    return Done(seq=captains.appoint(call.caller, body.side, body.captain))


@routes.route(
    "POST",
    "/api/battle/captain/go-on",
    "Let the captains go on after somebody has gone back",
    needs=Needs.PLAY,
    tag=_TAG,
)
def go_on(call: Call, body: Nothing) -> Done:  # noqa: ARG001
    """They wait for the next step of a player otherwise."""
    return Done(seq=call.server_context.captains.go_on())


@routes.route(
    "POST",
    "/api/battle/captain/plots",
    "Let a captain write the plots of one's own side, to be looked at",
    needs=Needs.PLAY,
    tag=_TAG,
)
def plots(call: Call, body: Nothing) -> Done:  # noqa: ARG001
    """They are drafts like any other: to be changed, and committed by the player alone."""
    return Done(seq=call.server_context.captains.propose(call.caller))


@routes.route(
    "POST",
    "/api/battles/solo",
    "Begin a scenario as one of its sides, against captains of the program",
    needs=Needs.HOST,
    faults=(404,),
    tag=_TAG,
)
def solo(call: Call, body: SoloChoice) -> BattleId:
    """On a table of its own; the host takes a seat on the side, the captains all others."""
    scenario = scenario_named(body.scenario)
    sides, known = fighting_sides(scenario), captain_names(scenario.ruleset)
    side = body.side or sides[0]
    if side not in sides:
        raise UnknownName(Message("errors.where.scenarios"), "side", side, sides)
    if body.captain not in known:
        raise UnknownName(Message("errors.where.captains"), "captain", body.captain, known)
    begun = begin_plan(call, plan_of(_placed(scenario, call.server_context.chance)))
    _sit(call, side)
    for other in sides:
        if other != side:
            call.server_context.captains.appoint(guard.caller(), other, body.captain)
    return begun


def _placed(scenario: Scenario, chance: random.Random) -> Scenario:
    """A scenario whose ships have places: those of its file, or as the dice fall."""
    if not scenario.by_dice:
        return scenario
    poses = starting_poses(scenario, scenario.conditions, chance)
    ships = tuple(replace(ship, pose=poses[ship.name]) for ship in scenario.ships)
    return replace(scenario, ships=ships, attacker=None)


def _sit(call: Call, side: str) -> None:
    """The host's seat on a side; another seat of the host's is left."""
    caller = guard.caller()
    if caller.seat is not None:
        if caller.seat.role is Role.PLAYER and caller.seat.side == side:
            return
        call.session.with_seats(lambda seats: seats.leave(caller))
        call.session.append_event(caller, Left())
    peer = guard.client_address()
    origin = SeatOrigin(network_of(peer), is_this_machine(peer))
    cookie = guard.cookie() or ""
    seat = call.session.with_seats(
        lambda seats: seats.join_host(
            cookie, lambda n: str(text("captain.player", n=n)), origin, Role.PLAYER, side
        )
    )
    call.session.append_event(guard.caller(), admission.joined(call.session, seat))
