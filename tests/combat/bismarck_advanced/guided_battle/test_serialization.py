"""Actions as journals and requests have them: read, written and read again."""

import json
import random
import re
from typing import Any

import pytest

from combat.dice import RolledDice, TypedDice
from combat.guided_actions import Commit, Move, RollDice, Settle
from combat.rulebooks.bismarck_advanced.guided_battle.actions import Correct, RollNext
from tabletop.errors import DreyerError
from tabletop.table import Pose
from tests.combat.bismarck_advanced.guided_battle.driver import BATTLE, event, firing
from web.strings import words

POSE = {"x": 1, "y": 2.5, "heading": 400}
STORED: list[tuple[dict[str, Any], object]] = [
    (event("commit", None, side="british"), Commit(for_side="british")),
    (event("commit", "british", side="german"), Commit(side="british", for_side="german")),
    (event("move", "german", accept=True), Move(side="german", accept_all=True)),
    (event("move", None, accept=False, poses=None), Move()),
    (event("move", None, poses={"Hood": POSE}), Move(poses={"Hood": Pose(1.0, 2.5, 40.0)})),
    (
        event("rule", "british", next={"firer": "Hood", "target": "Ship 3"}, reason="x", who="Ann"),
        RollNext(side="british", firer="Hood", target="Ship 3", reason="x"),
    ),
    (
        event("rule", None, firer="Hood", target="Ship 3", reason=" a  b ", who="Ann"),
        Settle(firer="Hood", target="Ship 3", reason="a b", who="Ann"),
    ),
    (event("dice", None, **{"from": 3}), RollDice(first=3)),
]


@pytest.mark.parametrize(("document", "action"), STORED, ids=str)
def test_requests_are_read_and_actions_written(document: dict[str, Any], action: Any) -> None:
    assert BATTLE.read_version_1(document["kind"], document["data"], document["side"]) == action
    written = json.loads(json.dumps(BATTLE.schemas.action.write(action)))
    assert (written["kind"], written.get("side")) == (action.kind, document["side"])
    assert BATTLE.schemas.action.read(written) == action


def test_conditions_are_corrected_without_a_ship() -> None:
    action = BATTLE.read_version_1("correct", {"values": {"visibility": 3}, "reason": "fog"}, None)
    assert isinstance(action, Correct)
    assert action.conditions is not None
    assert (action.values, action.conditions.visibility) == (None, 3)
    written = {"kind": "correct", "conditions": {"visibility": 3}, "reason": "fog"}
    assert BATTLE.schemas.action.write(action) == written


@pytest.mark.parametrize(
    ("kind", "data", "said"),
    [
        ("plot", {"ship": "Hood", "sped": 8}, "plot: unknown key 'sped'; .* 'speed'"),
        ("plot", {"speed": 100, "ship": "Hood"}, "from 0 to 99, got 100"),
        ("plot", {"speed": 8}, "plot: ship: expected .* nothing"),
        ("designate", {"ship": "Hood", "orders": [{"targt": "B"}]}, "orders 1: .* 'target'"),
        ("designate", {"ship": "Hood", "orders": [{"target": "B", "battery": "mian"}]}, "'main'"),
        ("correct", {"ship": "Hood", "values": {"hul_lost": 1}}, "correct, values: .* 'hull_lost'"),
        ("move", {"poses": {"Hood": {"x": 0, "y": 0, "hdg": 0}}}, "poses, Hood: unknown key 'hdg'"),
        ("dice", {"frm": 1}, "'from'"),
        ("dance", {}, "kind: expected one of plot, "),
    ],
)
def test_what_is_wrong_is_said_with_its_place(kind: str, data: dict[str, Any], said: str) -> None:
    with pytest.raises(DreyerError) as refused:
        BATTLE.read_version_1(kind, data, "british")
    assert re.search(said, words(refused.value))
    assert "\n" not in words(refused.value)


def test_each_roll_knows_its_fire_what_for_and_whose_it_is() -> None:
    state = firing().state
    wanted = BATTLE.dice_wanted(state)
    assert wanted is not None
    first, second = BATTLE.play(state, RollDice(), TypedDice("11 34")).rolls
    assert (first.value, first.purpose, first.side) == ("11", wanted.purpose, wanted.side)
    assert (second.value, second.by_server) == ("34", False)
    assert second.purpose != first.purpose
    rolled = BATTLE.play(state, RollDice(), RolledDice(random.Random(1))).rolls
    assert all(roll.by_server for roll in rolled)
