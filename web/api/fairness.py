"""The API of "Is it fair?": many battles of a scenario between captains, for the host."""

from typing import Annotated, Final

from pydantic import Field

from combat.balance.plan import Sweep, plan_of
from combat.captain.all_captains import DEFAULT
from combat.rulebooks import get_ruleset
from combat.scenarios import scenario_named
from tabletop.schema import Line, Whole, document
from web.api.models import Nothing
from web.api.route import Call, Needs, Routes
from web.journal.fields import Name

routes: Final = Routes()
_TAG: Final = "captains"


@document
class FairnessChoice:
    """Which battles are to be fought."""

    scenario: Name
    captain: Name = DEFAULT
    """Of all sides."""
    battles: Annotated[Whole, Field(ge=1, le=2000)] = 40
    """How many; with `vary`, for each value."""
    seed: Annotated[Whole, Field(ge=0, le=2**31)] = 1
    vary: Annotated[Line, Field(max_length=80)] = ""
    """As `dreyer balance --vary` takes it; empty varies nothing."""


@routes.route(
    "POST",
    "/api/fair",
    "Fight a scenario many times between captains",
    needs=Needs.HOST,
    faults=(404,),
    tag=_TAG,
)
def start(call: Call, body: FairnessChoice) -> Nothing:
    """In processes of their own; the page says how far they are, and what came of them."""
    scenario = scenario_named(body.scenario)
    source = f"{scenario.key.replace('-', '_')}.toml"
    plan = plan_of(
        get_ruleset(scenario.ruleset).scenario_files[source],
        source,
        battles=body.battles,
        seed=body.seed,
        captains=(body.captain,),
        sweep=Sweep.read(body.vary) if body.vary else None,
    )
    call.server_context.fairness.start(plan)
    return Nothing()


@routes.route("POST", "/api/fair/stop", "Stop fighting", needs=Needs.HOST, tag=_TAG)
def stop(call: Call, body: Nothing) -> Nothing:
    """What has been fought stays."""
    call.server_context.fairness.stop()
    return body
