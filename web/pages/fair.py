"""The page "Is it fair?": many battles of a scenario between captains, and what they say."""

from typing import Final

from flask import render_template, request

from combat.captain.all_captains import DEFAULT, captain_names
from combat.scenarios import all_scenarios, read_scenario
from web.battle.balance_page import balance_view
from web.http import guard
from web.http.addresses import Pages

routes: Final = Pages(__name__)


@routes.get("/fair")
def fair() -> str:
    """The choice of a scenario, and the latest report."""
    guard.must_host()
    scenarios = all_scenarios()
    plan = guard.server_context().session.moment.state.plan
    asked = request.args.get("scenario", "")
    on_table = plan.scenario if plan is not None else None
    wanted = (asked, on_table or "", next(iter(scenarios)))
    chosen = next(key for key in wanted if key in scenarios)
    return render_template(
        "balance/fair.html",
        scenarios=scenarios.values(),
        chosen=chosen,
        captains=captain_names(scenarios[chosen].ruleset),
        usual=DEFAULT,
        **_report(),
    )


@routes.get("/fair/part")
def fair_part() -> str:
    """How far the battles are, and what they say so far."""
    guard.must_host()
    return render_template("balance/fair_part.html", **_report())


def _report() -> dict[str, object]:
    fairness = guard.server_context().fairness
    now, report = fairness.now, fairness.report()
    view = None
    if now is not None and report is not None:
        view = balance_view(report, read_scenario(now.plan.file, now.plan.source).sides)
    return {"now": now, "view": view}
