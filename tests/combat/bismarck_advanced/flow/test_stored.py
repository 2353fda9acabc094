"""Actions as journals and requests have them: read, written and read again."""

import json
from typing import Any

import pytest

from combat.battle import with_rolls
from combat.battle_actions import (
    Commit,
    DiceSource,
    EnterDice,
    Move,
    RolledBy,
    Settle,
)
from combat.rulesets.bismarck_advanced.flow.actions import Correct, RollNext
from tabletop.errors import BadField, DreyerError
from tabletop.table import Pose
from tests.combat.bismarck_advanced.flow.driver import BATTLE, TABLES, event, firing

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
    (
        event("dice", None, values=["11", "5"], how="rolled", **{"from": 3}),
        EnterDice(values=("11", "5"), how=DiceSource.ROLLED, first=3),
    ),
]


@pytest.mark.parametrize(("document", "action"), STORED, ids=str)
def test_the_stored_shape_is_read_and_written(document: dict[str, Any], action: Any) -> None:
    assert BATTLE.read_action(document) == action
    written = json.loads(json.dumps(BATTLE.write_action(action)))
    assert written.keys() == {"kind", "side", "data"}
    assert (written["kind"], written["side"]) == (document["kind"], document["side"])
    assert BATTLE.read_action(written) == action


def test_conditions_are_corrected_without_a_ship() -> None:
    stored = event("correct", None, values={"visibility": 3}, reason="fog")
    action = BATTLE.read_action(stored)
    assert isinstance(action, Correct)
    assert action.conditions is not None
    assert (action.values, action.conditions.visibility) == (None, 3)
    assert BATTLE.write_action(action) == stored


@pytest.mark.parametrize(
    ("kind", "data", "words"),
    [
        ("plot", {"ship": "Hood", "sped": 8}, "plot: unknown key 'sped'; .* 'speed'"),
        ("plot", {"speed": 100, "ship": "Hood"}, "from 0 to 99, got 100"),
        ("plot", {"speed": 8}, "plot: ship: expected .* nothing"),
        ("designate", {"ship": "Hood", "orders": [{"targt": "B"}]}, "orders 1: .* 'target'"),
        ("designate", {"ship": "Hood", "orders": [{"target": "B", "battery": "mian"}]}, "'main'"),
        ("correct", {"ship": "Hood", "values": {"hul_lost": 1}}, "correct, values: .* 'hull_lost'"),
        ("move", {"poses": {"Hood": {"x": 0, "y": 0, "hdg": 0}}}, "poses, Hood: unknown key 'hdg'"),
        ("dice", {"values": ["1"], "frm": 1}, "'from'"),
        ("dance", {}, "kind: expected one of plot, "),
    ],
)
def test_what_is_wrong_is_said_with_its_place(kind: str, data: dict[str, Any], words: str) -> None:
    with pytest.raises(DreyerError, match=words) as refused:
        BATTLE.read_request(kind, data, "british")
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "said", [{"how": "rolled"}, {"how": "kept"}, {"rolls": [{"value": "1", "purpose": "x"}]}]
)
def test_only_the_server_says_how_dice_came_in(said: dict[str, Any]) -> None:
    with pytest.raises(BadField, match=next(iter(said))):
        BATTLE.read_request("dice", {"values": ["1"], **said}, "british")


def test_each_roll_knows_its_fire_what_for_and_whose_it_is() -> None:
    state = firing().state
    entered = EnterDice(values=("11", "34"), how=DiceSource.ROLLED)
    first, second = with_rolls(BATTLE, state, entered, TABLES).rolls
    wanted = BATTLE.wanted(state)
    assert wanted is not None
    assert (first.value, first.purpose, first.side) == ("11", wanted.purpose, wanted.side)
    assert (second.value, second.by) == ("34", RolledBy.SERVER)
    assert second.purpose != first.purpose
    known = with_rolls(BATTLE, state, entered, TABLES)
    assert BATTLE.read_action(BATTLE.write_action(known)) == known
