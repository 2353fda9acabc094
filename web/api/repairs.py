"""The API of repairs between battles: at sea, in port, refuelling, turns that pass."""

from typing import Annotated, Final

from pydantic import Field

from combat.guided_play import EventKind
from tabletop.schema import Flag, Line, Whole, document
from web.actions.battle import Play, under_way
from web.api.models import Done
from web.api.route import Call, Needs, Routes
from web.journal.fields import Name

routes: Final = Routes()


@document
class ShipRepairRequest:
    """A repair of one ship; without a ship, turns that pass."""

    ship: Name | None = None
    section: Annotated[Line, Field(max_length=60)] = ""
    """As in the view's `repairs`: its part, followed by a space and the turret if it has one."""
    in_port: Flag = False
    refuel: Flag = False
    turns: Annotated[Whole, Field(ge=1, le=99)] = 1


@routes.route(
    "POST",
    "/api/battle/repair",
    "Repair or refuel a ship after the battle, or let turns pass",
    needs=Needs.PLAY,
    tag="battle",
)
def repair(call: Call, body: ShipRepairRequest) -> Done:
    """A repair at sea needs a die next; in port only that of a rudder does."""
    data: dict[str, object] = {"kind": EventKind.REPAIR, "turns": body.turns}
    if body.ship is None:
        data["next_turn"] = True
    else:
        part, _, turret = body.section.partition(" ")
        data |= {"ship": body.ship, "in_port": body.in_port, "refuel": body.refuel}
        data |= {"part": part} if part else {}
        data |= {"turret": turret} if turret else {}
    battle = under_way(call.session.action_context(call.caller))
    return call.act(Play(battle.rulebook.schemas.action.read(data)))
