"""The API's description of a battle: true to what the rulebook takes and to what is answered.

The battle here is played by a script that knows nothing but `/openapi.json`.
"""

import random
from typing import Any

import jsonschema_rs
import pytest
from flask import Flask

from combat.guided_play import EventKind, OrderedKind
from combat.ships import ShipClass
from tabletop.errors import BadField
from tabletop.schema import kind_of
from tests.web.data_folders import begin
from tests.web.phones import Phone, host_of, seated
from web.api.all_routes import all_routes
from web.api.openapi import document
from web.games.guided_game import guided_rulebook

RULES = guided_rulebook("bismarck-advanced")
FLEETS = guided_rulebook("grand-fleets")


def _shapes() -> list[dict[str, Any]]:
    """What each kind of action is sent as."""
    described = document(all_routes())
    content = described["paths"]["/api/battle/play"]["post"]["requestBody"]["content"]
    refs = [each["$ref"] for each in content["application/json"]["schema"]["oneOf"]]
    return [described["components"]["schemas"][ref.rpartition("/")[2]] for ref in refs]


def test_every_kind_of_action_is_described() -> None:
    kinds = [kind_of(each) for each in RULES.action_types]
    assert set(kinds) == set(EventKind)
    ordered = [kind_of(each) for each in FLEETS.action_types]
    assert set(OrderedKind) == set(ordered) - set(EventKind)
    described = [each["properties"]["kind"]["const"] for each in _shapes()]
    assert described == list(dict.fromkeys((*kinds, *ordered)))


def test_the_described_keys_are_the_actions_own() -> None:
    shapes = {
        each["properties"]["kind"]["const"]: set(each["properties"]["data"]["properties"])
        for each in _shapes()
    }
    assert shapes["plot"] == {"ship", "speed", "notation", "follows", "torpedo", "smoke_side"}
    assert shapes["designate"] == {"ship", "orders"}
    assert shapes["reduce"] == {"ship", "rates"}
    # Who settles a line and how dice came in is the server's to say; whose side, the seat's.
    for kind, keys in shapes.items():
        assert not keys & {"kind", "side", "who", "how"}, kind
    schemas = document(all_routes())["components"]["schemas"]
    assert set(schemas["Aim"]["properties"]) == {
        "target",
        "battery",
        "turrets",
        "guns",
        "held_back",
    }
    assert set(schemas["RateOfFire"]["properties"]) == {"target", "battery", "guns"}
    assert set(schemas["PoseDocument"]["properties"]) == {
        *("x", "y", "heading", "position_sigma", "heading_sigma")
    }


def _hold(answer: object, method: str, path: str) -> None:
    """Hold an answer to what /openapi.json says of it; a key too many is a fault as well."""
    described = document(all_routes())
    operation = described["paths"][path.partition("?")[0]][method]
    schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
    faults = jsonschema_rs.validator_for(
        {**schema, "components": described["components"]}
    ).iter_errors(answer)
    assert [fault.message for fault in faults] == []


class Script:
    """An outside script: it asks, looks into the view, and sends what the description names."""

    def __init__(self, phone: Phone, rng: random.Random) -> None:
        self._phone, self._rng = phone, rng

    def view(self) -> dict[str, Any]:
        found: dict[str, Any] = self.ask("/api/view")["battle"]
        return found

    def play(self, kind: str, **data: Any) -> None:
        if kind != "dice":
            RULES.schemas.action.read({"kind": kind, **data})
        answer = self._phone.post("/api/battle/play", {"kind": kind, "data": data})
        assert answer.status_code == 200, answer.get_json()

    def ask(self, path: str) -> dict[str, Any]:
        response = self._phone.get(path)
        assert response.status_code == 200, response.get_json()
        found: dict[str, Any] = response.get_json()
        _hold(found, "get", path)
        return found

    def own(self) -> list[dict[str, Any]]:
        return [s for s in self.view()["ships"] if s["yours"] and s["status"] == "in action"]

    def step(self) -> str:
        view = self.view()
        kind: str = view["step"]["kind"]
        waiting = view["step"]["waiting_for"]
        if waiting and view["you"] not in waiting:
            return kind
        if kind == "plot":
            self._plot()
        elif kind == "move":
            self.ask("/api/battle/move")
            self.play("move")
        elif kind == "designate":
            self._designate()
        elif kind == "reduce":
            self._reduce()
        elif kind == "resolve" and view["wanted"]["side"] in (None, view["you"]):
            figures = 2 if view["wanted"]["kind"] == "pair" else 1
            rolled = "".join(str(self._rng.randint(1, 6)) for _ in range(figures))
            self.play("dice", values=[rolled], **{"from": view["wanted"]["number"]})
        return kind

    def _plot(self) -> None:
        for ship in self.own():
            speed = ship["speeds"]["highest"]
            path = f"/api/battle/plot?ship={ship['id']}&speed={speed}"
            factors = self.ask(path)["plot"]["factors_allowed"]
            notation = f"{factors - 1}l⅔" if factors > 1 else str(factors)
            check = self.ask(f"{path}&notation={notation}")["plot"]
            assert check["faults"] == []
            assert len(check["factor_ends"]) == factors
            self.play("plot", ship=ship["id"], speed=speed, notation=notation)
        self.play("commit")

    def _designate(self) -> None:
        for ship in self.own():
            found = self.ask(f"/api/battle/fire?ship={ship['id']}")
            orders = [
                {"target": target["target"], "battery": battery["battery"]}
                for target in found["targets"][:1]
                for battery in target["batteries"]
                if battery["allowed"]
            ]
            draft = {"ship": ship["id"], "orders": orders}
            checked = self._phone.post("/api/battle/fire/check", draft).get_json()
            _hold(checked, "post", "/api/battle/fire/check")
            assert checked["fault"] is None
            self.play("designate", ship=ship["id"], orders=orders)
        self.play("commit")

    def _reduce(self) -> None:
        """One gun less of every turret that has another (67.41)."""
        for ship, fires in self.view()["rates"].items():
            rates = [
                {
                    "target": fire["target"],
                    "battery": fire["battery"],
                    "guns": {t["name"]: t["guns"] - 1 for t in fire["turrets"] if t["guns"] > 1},
                }
                for fire in fires
            ]
            draft = {"ship": ship, "rates": rates}
            checked = self._phone.post("/api/battle/rate/check", draft).get_json()
            _hold(checked, "post", "/api/battle/rate/check")
            assert checked["fault"] is None
            assert all(
                any(line["number"] == "held_back" for line in fire["ledger"])
                for fire, rate in zip(checked["fires"], rates, strict=True)
                if rate["guns"]
            )
            self.play("reduce", ship=ship, rates=rates)
        self.play("commit")


@pytest.mark.parametrize("hidden", [False, True])
def test_a_battle_is_played_by_the_description_alone(app: Flask, hidden: bool) -> None:
    host = host_of(app)
    listed = host.get("/api/battles/scenarios").get_json()
    _hold(listed, "get", "/api/battles/scenarios")
    begin(host, listed["scenarios"][0]["key"], hidden=hidden)
    rng = random.Random(6)
    sides = [
        Script(seated(app, name, side=side), rng)
        for name, side in (("Ann", "british"), ("Bert", "german"))
    ]
    kinds = set()
    for _ in range(400):
        kinds |= {side.step() for side in sides}
        if sides[0].view()["round"] == 2:
            break
    assert kinds == {"plot", "move", "designate", "reduce", "resolve"}
    for side in sides:
        side.ask("/api/battle/story")
        for ship in side.own():
            side.ask(f"/api/battle/sheet?ship={ship['id']}")
        side.play("end", reason="the evening is over")
    assert sides[0].view()["step"]["kind"] == "ended"


def test_a_ship_has_the_names_of_json(app: Flask) -> None:
    """Python says `ship_class` and `x_yards`; scripts have known these keys for long."""
    host = host_of(app)
    begin(host, host.get("/api/battles/scenarios").get_json()["scenarios"][0]["key"])
    ship = host.view()["battle"]["ships"][0]
    assert ship["class"] in set(ShipClass)
    assert ship["pose"].keys() == {"x", "y", "heading", "position_sigma", "heading_sigma"}
    assert ship["base"].keys() == {"length", "width", "bridge_offset"}
    described = document(all_routes())["components"]["schemas"]["PlottedShipView"]
    assert described["properties"].keys() == ship.keys()
    assert described["additionalProperties"] is False


def test_a_fault_is_placed_in_the_action_that_was_sent() -> None:
    route = next(each for each in all_routes() if each.path == "/api/battle/play")
    body = {"kind": "designate", "data": {"ship": "Hood", "orders": [{"battery": "main"}]}}
    with pytest.raises(BadField) as fault:
        route.body_schema.check(body)
    assert str(fault.value.place) == "designate, data, orders 1"
    assert fault.value.field == "target"
