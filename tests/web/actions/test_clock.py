"""A clock that goes back, as that of a small machine without a network does."""

from typing import Any

import pytest

from tests.web.data_folders import begin, play, plot
from tests.web.phones import fresh_app, host_of, seated
from web.data_folder import THE_SERVER
from web.http.context import ServerContext
from web.journal.store import Store
from web.scenes import demo_scene, opening
from web.session import Session

FLEETS = {"british": ("Hood", "Prince of Wales"), "german": ("Bismarck", "Prinz Eugen")}


def moved(step_seconds: float) -> dict[str, Any]:
    """Where the battle has Hood after a model was set by hand beside her plot."""
    now = 1_000_000.0
    session = Session(Store(None), clock=lambda: now)
    session.act(THE_SERVER, opening(demo_scene()))
    app = fresh_app(ServerContext(session))
    host = host_of(app)
    begin(host, "denmark-strait")
    people = {side: seated(app, side, side=side) for side in FLEETS}
    umpire = seated(app, "Uma", role="umpire", side=None)
    for side, ships in FLEETS.items():
        for ship in ships:
            plot(people[side], ship)
        play(people[side], "commit")
    now += step_seconds
    before = next(each for each in host.view()["ships"] if each["name"] == "Hood")
    place = {"x": before["x"] - 300, "y": before["y"] - 120, "heading": before["heading"]}
    assert people["british"].post("/api/ships/Hood/place", place).status_code == 200
    answer = umpire.post("/api/battle/play", {"kind": "move", "data": {"accept_all": True}})
    assert answer.status_code == 200, answer.text
    after = next(each for each in host.view()["ships"] if each["name"] == "Hood")
    return {key: after[key] for key in ("x", "y", "heading")} | {"placed": place}


@pytest.mark.parametrize("step_seconds", [5.0, -3600.0, -90_000.0])
def test_a_model_set_by_hand_counts_whatever_the_clock_says(step_seconds: float) -> None:
    found = moved(step_seconds)
    placed = found["placed"]
    assert (found["x"], found["y"]) == (placed["x"], placed["y"])
