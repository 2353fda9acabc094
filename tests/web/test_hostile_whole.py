"""The whole description of the API against battles under way, as each kind of caller."""

import re
from dataclasses import dataclass
from typing import Any

import pytest
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, settings
from schemathesis.specs.openapi import checks

from tests.web import fleets
from tests.web.data_folders import begin, play
from tests.web.phones import Phone, host_of, seated
from web import create_app
from web.data_folder import table_in_memory
from web.http import context
from web.http.context import ServerContext
from web.live import Streams
from web.scenes import demo_scene

pytestmark = pytest.mark.soak

APP = create_app()
schema = schemathesis.openapi.from_wsgi("/openapi.json", APP)


def _fresh() -> Flask:
    """The application with a new table, whose streams end at once."""
    context.attach(
        APP, ServerContext(table_in_memory(demo_scene), streams=Streams(life_seconds=0.0))
    )
    return APP


def _advanced(app: Flask) -> dict[str, Phone]:
    """A battle of the Advanced Game: one side has plotted."""
    host = host_of(app)
    begin(host)
    phones = {"host": host, "player": seated(app), "umpire": seated(app, "Uma", role="umpire")}
    for ship in phones["player"].view()["battle"]["ships"]:
        if ship["yours"]:
            play(phones["player"], "plot", ship=ship["id"], speed=4, notation="2")
    return phones


def _fleets(app: Flask) -> dict[str, Phone]:
    """A battle of Grand Fleets."""
    ships = fleets.line_ahead("british", 2) + fleets.line_ahead("german", 2)
    host = fleets.begin(app, ships)
    return {"host": host, "player": seated(app), "umpire": seated(app, "Uma", role="umpire")}


STAGES = {"advanced": _advanced, "fleets": _fleets}


@dataclass
class Standing:
    """A caller at a table, and how many requests were sent to it."""

    phone: Phone
    asked: int = 0


_STANDING: dict[tuple[str, str, str], Standing] = {}
_ASKED_OF_ONE_TABLE = 10


@pytest.mark.parametrize("who", ["host", "player", "umpire"])
@pytest.mark.parametrize("stage", STAGES)
@schema.parametrize()
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
def test_the_api_is_as_described_in_battles(
    case: "schemathesis.Case[Any]", stage: str, who: str
) -> None:
    phone = _caller(case, stage, who)
    cookie = phone.client.get_cookie("dreyer", domain=phone.at.partition(":")[0])
    assert cookie is not None
    sent = {"Cookie": f"dreyer={cookie.value}", "Host": phone.at}
    made: Any = case.headers or {}
    if re.fullmatch(r"https?://[!-~]+", str(made.get("Origin", ""))):
        sent["Origin"] = f"http://{phone.at}"
    response = case.call(headers=sent)
    case.validate_response(response, excluded_checks=[checks.positive_data_acceptance])


def _caller(case: "schemathesis.Case[Any]", stage: str, who: str) -> Phone:
    """The caller at a table of this stage, which is laid anew after some requests."""
    key = (case.operation.label, stage, who)
    found = _STANDING.get(key)
    if found is None or found.asked >= _ASKED_OF_ONE_TABLE:
        _STANDING.clear()
        phone = STAGES[stage](_fresh())[who]
        found = _STANDING[key] = Standing(phone)
    found.asked += 1
    return found.phone
