"""Actions in free play: typed, rolled, taken back, carried on, kept over a restart."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from combat.rulebooks import get_ruleset
from tests.web.free.fights import ARCTIC, CHASE, FLEETS, Fight, fight_in, joins, opened
from tests.web.phones import Phone, running_in, seated, words_of

HUNDREDS = 450
Step = Callable[[Fight], object]
BEAM: dict[str, Any] = {"range_yards": 4000, "quadrant": "starboard", "aspect": "port"}


@pytest.fixture
def fight(app: Flask) -> Fight:
    return fight_in(app)


def norfolk_is_hit(fight: Fight) -> None:
    fight.must("main", "Z28", "Norfolk", "9")


# Dice


def test_typed_dice_give_what_rolled_dice_gave(fight: Fight) -> None:
    short = fight.act("main", "Z28", "Norfolk")
    assert short.status_code == 400
    assert "One more roll is needed: damage" in short.text
    fight.must("main", "Z28", "Norfolk", roll=True)
    rolled = fight.view()["played"][-1]
    fight.undo()
    fight.must("main", "Z28", "Norfolk", rolled["rolls"][0]["value"])
    typed = fight.view()["played"][-1]
    assert typed["events"] == rolled["events"]
    assert [roll["by_server"] for roll in rolled["rolls"]] == [True]
    assert [roll["by_server"] for roll in typed["rolls"]] == [False]


def test_typed_dice_come_first_and_the_rest_is_rolled(app: Flask) -> None:
    fight = fight_in(app, FLEETS)
    fight.must("guns 1", "Iron Duke", "Sample cruiser", "1", **BEAM, roll=True)
    rolls = fight.view()["played"][-1]["rolls"]
    assert rolls[0] | {"purpose": ""} == {
        "value": "1", "purpose": "", "side": "british", "by_server": False,
    }  # fmt: skip
    assert len(rolls) > 1
    assert all(roll["by_server"] for roll in rolls[1:])
    assert "the rest rolled by the app" in fight.page()


def test_a_roll_says_what_for_and_whose_it_is(fight: Fight) -> None:
    norfolk_is_hit(fight)
    (roll,) = fight.view()["played"][-1]["rolls"]
    assert roll == {"value": "9", "purpose": "damage", "side": "german", "by_server": False}


def test_a_client_does_not_say_who_rolled(fight: Fight) -> None:
    rolls = [{"value": "9", "purpose": "damage", "side": "german", "by_server": True}]
    action = {"kind": "main", "by": "Z28", "at": "Norfolk"}
    ships = [joins("Z28"), joins("Norfolk")]
    for body in (
        {"ruleset": ARCTIC, "ships": ships, "action": action, "rolls": rolls},
        {"ruleset": ARCTIC, "ships": ships, "action": action, "dice": rolls},
        {"ruleset": ARCTIC, "ships": ships, "action": {**action, "rolls": rolls}, "dice": ["9"]},
        {"ruleset": ARCTIC, "ships": ships, "action": {**action, "by_server": True}, "dice": []},
        {"ruleset": ARCTIC, "ships": ships, "action": action, "dice": ["9"], "by_server": True},
    ):
        assert fight.phone.post("/api/free", body).status_code == 400
    assert fight.now() is None


# Undo


def test_dice_are_not_rolled_again_by_a_step_back(fight: Fight) -> None:
    for _ in range(6):
        fight.must("search", roll=True)
    before = fight.dice()
    fight.undo(to=fight.view()["played"][2]["n"])
    for _ in range(4):
        fight.must("search", roll=True)
    assert fight.dice() == before


def test_kept_dice_are_used_up(fight: Fight) -> None:
    """They fall once for the action that they were taken back from, and not for the next."""
    norfolk_is_hit(fight)
    fight.undo()
    norfolk_is_hit(fight)
    again = fight.act("main", "Z28", "Norfolk")
    assert "One more roll is needed" in words_of(again)
    now = fight.now()
    assert now is not None
    assert now.game.taken_back == ()


def test_dice_stay_with_the_very_action(fight: Fight) -> None:
    norfolk_is_hit(fight)
    fight.undo()
    assert fight.act("main", "Z28", "Norfolk", range_areas=4).status_code == 400
    fight.must("main", "Z28", "Norfolk")
    assert fight.dice() == [["9"]]


def test_an_undo_takes_the_ships_that_joined_along(fight: Fight) -> None:
    norfolk_is_hit(fight)
    fight.must("main", "Z29", "Norfolk", "8")
    fight.undo()
    assert [ship["name"] for ship in fight.view()["ships"]] == ["Z28", "Norfolk"]
    fight.undo()
    assert fight.view()["ships"] == []
    assert "There is nothing to undo" in words_of(fight.undo())


def test_an_undo_goes_back_to_any_action(fight: Fight) -> None:
    for _ in range(4):
        fight.must("main", "Z28", "Norfolk", "9")
    first, second, *_ = (each["n"] for each in fight.view()["played"] if each["rolls"])
    assert fight.undo(to=second).status_code == 200
    assert [each["n"] for each in fight.view()["played"] if each["rolls"]] == [first]
    gone = fight.undo(to=second)
    assert (gone.status_code, "has already been undone" in words_of(gone)) == (400, True)
    assert fight.undo(to=1).status_code == 200
    assert fight.view()["played"] == []


def test_only_who_rolled_it_takes_it_back(app: Flask) -> None:
    ann, bob = (Fight(seated(app, name, side=side)) for name, side in
                (("Ann", "british"), ("Bob", "german")))  # fmt: skip
    ann.must("main", "Z28", "Norfolk", "9")
    refused = bob.undo()
    assert refused.status_code == 403
    assert "only Ann or an umpire" in refused.text
    bob.must("main", "Z28", "Norfolk", "9")
    assert "Bob rolled it" in words_of(ann.undo(to=1))
    umpire = Fight(seated(app, "Eve", role="umpire", side=None))
    assert umpire.undo(to=1).status_code == 200
    assert umpire.dice() == []


def test_an_onlooker_looks(app: Flask) -> None:
    onlooker = Fight(seated(app, "Olaf", role="onlooker", side=None))
    assert onlooker.act("main", "Z28", "Norfolk", "9").status_code == 403
    assert onlooker.end().status_code == 403
    assert "Nothing rolled yet" in onlooker.page()
    fight_in(app).must("main", "Z28", "Norfolk", "9")
    assert onlooker.view()["round"] == 1
    page = onlooker.page()
    assert "Norfolk" in page
    assert "Undo the last action" not in page
    assert "Roll for me" not in onlooker.calculator()


def test_nobody_without_a_seat_sees_it(app: Flask) -> None:
    assert Phone(app).get("/api/free").status_code == 401
    assert Phone(app).get("/fight").status_code == 303


# Marks, rounds, battles


def test_marks_are_carried_on(fight: Fight) -> None:
    norfolk_is_hit(fight)
    norfolk_is_hit(fight)
    assert fight.state("Norfolk")["damage"] == 2
    assert fight.state("Z28")["damage"] == 0


def test_marks_are_entered_by_hand_and_the_others_stay(fight: Fight) -> None:
    norfolk_is_hit(fight)
    fight.must("move", "Z28", marks={"Norfolk": {"move_lost": 1}})
    assert fight.state("Norfolk") == {
        "damage": 1, "move_lost": 1, "guns_lost": 0, "torpedoes_fired": False,
    }  # fmt: skip
    fight.corrected("Norfolk", damage=3)
    assert (fight.state("Norfolk")["damage"], fight.state("Norfolk")["move_lost"]) == (3, 1)
    fight.undo()
    assert fight.state("Norfolk")["damage"] == 1


def test_simultaneous_fire_is_fired_unhurt(fight: Fight) -> None:
    """Damage of a round counts for a ship's own fire from the next one on."""
    fight.must("main", "Z28", "Norfolk", "5")
    while fight.view()["ships"][0]["status"] == "in action":
        fight.must("main", "Norfolk", "Z28", "9", range_areas=0)
    # All fire of a gunnery segment is simultaneous: she may be fired at, and fires, to its end.
    fight.must("main", "Norfolk", "Z28", "9", range_areas=0)
    fight.must("main", "Z28", "Norfolk", "5")
    fight.next_round()
    assert "Z28 is sunk" in words_of(fight.act("main", "Norfolk", "Z28", "9"))
    assert "Z28 is sunk" in words_of(fight.act("main", "Z28", "Norfolk", "5"))


def test_rounds_and_clean_sheets(fight: Fight) -> None:
    assert fight.end().status_code == 400
    norfolk_is_hit(fight)
    fight.next_round()
    norfolk_is_hit(fight)
    now = fight.now()
    assert now is not None
    assert [number for _, number, _ in now.actions()] == [1, 2]
    assert fight.end().status_code == 200
    assert "Nothing rolled yet" in fight.page()
    words = [line["text"] for line in fight.phone.view()["log"]]
    assert "Round 2 begins" in words
    assert f"started a new fight, {get_ruleset(ARCTIC).title}" in words
    norfolk_is_hit(fight)
    assert fight.state("Norfolk")["damage"] == 1


def test_each_rulebook_has_its_own_battle(app: Flask) -> None:
    arctic, chase = fight_in(app), fight_in(app, CHASE)
    norfolk_is_hit(arctic)
    chase.must("guns", "Hood", "Bismarck", roll=True)
    assert len(arctic.dice()) == len(chase.dice()) == 1
    assert arctic.phone.get("/api/free").get_json()["battle"]["ruleset"] == CHASE
    assert "Fights using other rulebooks" in arctic.page()
    arctic.end()
    assert chase.dice()


def test_the_round_is_the_turn_of_a_rulebook_that_counts_them(app: Flask) -> None:
    """A battery fires once a turn, and all torpedoes of a turn run at one ship."""
    fight = fight_in(app, FLEETS)

    def launch(at: str) -> Any:
        if fight.now():
            fight.corrected("Iron Duke", hull_lost=0)
        return fight.act("torpedoes", "Sample destroyers", at, roll=True,
                         **BEAM, torpedoes=1)  # fmt: skip

    def fire() -> Any:
        return fight.act("guns 1", "Sample destroyers", "Iron Duke", roll=True, **BEAM)

    assert launch("Iron Duke").status_code == 200
    assert launch("Iron Duke").status_code == 200, "at the same ship"
    assert "one target" in words_of(launch("Sample battleship"))
    assert fire().status_code == 200
    assert "has already fired in turn 1" in words_of(fire())
    fight.next_round()
    assert fire().status_code == 200
    assert launch("Sample battleship").status_code == 200


# Battles that were stuck


def stuck(fight: Fight) -> None:
    """What version 0.1.0 could not go on from."""
    if fight.ruleset == ARCTIC:
        fight.must("main", "Z28", "Norfolk", "9")
        fight.must("torpedoes", "Norfolk", "Z28", "5", range_areas=1)
        return
    fight.must("guns", "Prinz Eugen", "Hood", "1 1 9 9 9 9 9")
    assert fight.state("Hood")["fire_control_damaged"] is True
    fight.must("guns", "Hood", "Prinz Eugen", roll=True)
    fight.corrected("Prinz Eugen", hull_lost=0)


@pytest.mark.parametrize("ruleset", [ARCTIC, CHASE])
def test_a_fight_that_was_stuck_goes_on(tmp_path: Path, ruleset: str) -> None:
    app, store = opened(tmp_path)
    fight = fight_in(app, ruleset)
    stuck(fight)
    kept = fight.view()
    flags = [value for ship in kept["ships"] for value in ship["state"].values() if value is True]
    assert flags, "a flag was set"
    for _ in range(3):
        assert fight.page()
        assert fight.calculator()
        fight.next_round()
    store.close()
    fight = fight_in(opened(tmp_path)[0], ruleset)
    assert fight.view()["ships"] == kept["ships"]
    assert fight.page()
    if ruleset == ARCTIC:
        assert "torpedoes" in words_of(fight.act("torpedoes", "Norfolk", "Z28", "5")).lower()
        fight.must("main", "Norfolk", "Z28", "5")
    else:
        fight.must("guns", "Hood", "Prinz Eugen", roll=True)
    while fight.view()["played"]:
        assert fight.undo().status_code == 200
        assert fight.page()
        assert fight.calculator()


def test_a_fight_outlives_the_server_at_any_moment(tmp_path: Path) -> None:
    """Opened again after every step: the same ships, marks, rounds, dice and undo."""
    app, store = opened(tmp_path)
    fight = fight_in(app)
    steps: list[Step] = [
        lambda fight: fight.must("main", "Z28", "Norfolk", "9"),
        lambda fight: fight.must("torpedoes", "Norfolk", "Z28", "5", range_areas=1),
        Fight.next_round,
        lambda fight: fight.must("main", "Norfolk", "Z28", roll=True),
        Fight.undo,
        lambda fight: fight.must("main", "Z29", "Norfolk", "7"),
        Fight.undo,
        Fight.undo,
        lambda fight: fight.must("search", roll=True),
    ]
    for step in steps:
        step(fight)
        kept, before = fight.view(), fight.now()
        store.close()
        app, store = opened(tmp_path)
        fight = fight_in(app)
        assert fight.view() == kept
        after = fight.now()
        assert before is not None
        assert after is not None
        assert after.game.played == before.game.played
        assert after.game.taken_back == before.game.taken_back


# Sisters


def test_two_ships_of_one_type_have_two_sheets(fight: Fight) -> None:
    fight.must("main", "Norfolk", "Z28", "9", range_areas=0)
    fight.must("main", "Norfolk", "Z28", "9", range_areas=0)
    fight.must("main", "Norfolk", "Z29", "9", range_areas=0)
    states = {ship["name"]: ship["state"]["damage"] for ship in fight.view()["ships"]}
    assert states == {"Norfolk": 0, "Z28": 2, "Z29": 1}
    fight.corrected("Z28", damage=0)
    assert (fight.state("Z28")["damage"], fight.state("Z29")["damage"]) == (0, 1)
    fight.must("torpedoes", "Z28", "Norfolk", "1", range_areas=1)
    fight.must("torpedoes", "Z29", "Norfolk", "1", range_areas=1)


def test_when_one_sinks_the_other_acts(fight: Fight) -> None:
    for ship in ("Z28", "Z29"):
        fight.must("main", ship, "Norfolk", "5")
    while fight.state("Z28")["damage"] < 2:
        fight.must("main", "Norfolk", "Z28", "9", range_areas=0)
    statuses = {ship["name"]: ship["status"] for ship in fight.view()["ships"]}
    assert statuses == {"Z28": "sunk", "Norfolk": "in action", "Z29": "in action"}
    fight.next_round()
    assert "sunk" in words_of(fight.act("main", "Z28", "Norfolk", "5"))
    fight.must("main", "Z29", "Norfolk", "5")


def test_a_battery_of_each_sister_fires_once_a_turn(app: Flask) -> None:
    fight = fight_in(app, FLEETS)
    for ship in ("Sample battleship", "Sample battleship 2"):
        fight.must("guns 1", ship, "Iron Duke", roll=True, **BEAM)
        fight.corrected("Iron Duke", hull_lost=0)
        again = fight.act("guns 1", ship, "Iron Duke", roll=True, **BEAM)
        assert "has already fired in turn 1" in words_of(again)


# Long battles


def test_hundreds_of_actions_in_one_battle(fight: Fight) -> None:
    for _ in range(HUNDREDS):
        fight.must("search", roll=True)
    fight.must("main", "Z28", "Norfolk", "9")
    assert len(fight.dice()) == HUNDREDS + 1
    began = time.process_time()
    assert fight.page().count("told-fire") == HUNDREDS + 1
    fight.calculator()
    fight.must("main", "Z28", "Norfolk", "9")
    assert fight.undo().status_code == 200
    assert time.process_time() - began < 6
    assert fight.state("Norfolk")["damage"] == 1


# What cannot be


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"ruleset": "artic-disaster"}, "did you mean"),
        ({"ruleset": 3}, "Ruleset: expected a line of text"),
        ({"action": None}, "Action: expected an object"),
        ({"action": {}}, "kind: expected one of main"),
        ({"action": {"kind": "maim"}}, "did you mean 'main'?"),
        ({"action": {"kind": ["main"]}}, "kind: expected one of"),
        ({"action": {"kind": "main", "at": "Norfolk"}}, "by: expected"),
        ({"action": {"kind": "main", "by": 3, "at": "Norfolk"}}, "by: expected a line of text"),
        ({"action": {"kind": "main", "by": "Z28", "at": "Nofolk"}}, "did you mean 'Norfolk'?"),
        ({"action": {"kind": "main", "by": "Z28", "at": "Z28"}}, "cannot act on herself"),
        ({"answers": {"rang_areas": 5}}, "nearest known key is 'range_areas'"),
        ({"answers": {"range_areas": "5"}}, "a whole number from 0 to 20, got the text '5'"),
        ({"answers": {"range_areas": 21}}, "a whole number from 0 to 20, got 21"),
        ({"answers": {"fog": 1}}, "true or false"),
        ({"answers": {"tactical": "3"}}, "tactical: expected one of"),
        ({"answers": {"ship": "Z28"}}, "unknown key 'ship'"),
        ({"ships": [{"name": "Z28"}]}, "Ships 1 'Z28': type: expected"),
        ({"ships": [{**joins("Z28"), "type": "German destroier"}]}, "did you mean"),
        ({"ships": [{**joins("Z28"), "name": " "}]}, "name: expected"),
        ({"ships": [{**joins("Z28"), "name": "Z\n28"}]}, "name: expected"),
        ({"ships": [{**joins("Z28"), "name": "Z" * 81}]}, "name: expected"),
        ({"ships": [joins("Z28")] * 5}, "from 0 to 4"),
        ({"marks": {"Norfolk": {"damage": 99}}}, "a whole number from 0 to 11, got 99"),
        ({"marks": {"Norfolk": {"damge": 1}}}, "nearest known key is 'damage'"),
        ({"marks": {"Norfolk": {"torpedoes_fired": 1}}}, "true or false, got 1"),
        ({"marks": {"Nobody": {"damage": 1}}}, "unknown ship 'Nobody'"),
        ({"marks": {"Norfolk": 3}}, "Marks: Norfolk: expected an object"),
        ({"dice": ["9", "9"]}, "too many"),
        ({"dice": []}, "One more roll is needed"),
        ({"dice": ["99"]}, "Dice: number 1"),
        ({"dice": ["x"]}, "Dice 1: expected one or two figures"),
        ({"dice": ["1"] * 1001}, "from 0 to 1,000"),
        ({"dice": [], "roll": "yes"}, "true or false"),
        ({"strange": 1}, "Unknown key 'strange'"),
        ({"action": {"kind": "next-round", "by": "Z28"}}, "unknown key 'by'"),
        ({"action": {"kind": "next-round"}}, "too many"),
        ({"action": {"kind": "set-marks", "ship": "Z28"}, "dice": []}, "marks: expected"),
        ({"action": {"kind": "set-marks", "ship": "Z28", "marks": 3}, "dice": []}, "marks"),
        ({"action": {"kind": "add-ship", "ship": joins("Z29")}, "dice": []}, "kind: expected"),
    ],
)
def test_what_cannot_be_is_said_and_changes_nothing(
    fight: Fight, change: dict[str, Any], words: str
) -> None:
    seq = fight.phone.view()["seq"]
    body: dict[str, Any] = {
        "ruleset": ARCTIC,
        "ships": [joins("Z28"), joins("Norfolk")],
        "action": {"kind": "main", "by": "Z28", "at": "Norfolk"},
        "dice": ["9"],
    }
    body["action"] |= change.get("answers", {})
    body |= {key: value for key, value in change.items() if key != "answers"}
    answer = fight.phone.post("/api/free", body)
    assert answer.status_code in (400, 404)
    said = words_of(answer)
    assert words in said
    assert "\n" not in said
    assert fight.now() is None
    assert fight.phone.view()["seq"] == seq


def test_a_name_belongs_to_one_ship(fight: Fight) -> None:
    norfolk_is_hit(fight)
    for ship in ({**joins("Z28"), "type": "Scheer"}, {**joins("Z28"), "side": "british"}):
        answer = fight.act("main", "Z28", "Norfolk", "9", ships=[ship])
        assert (answer.status_code, "as in the battle" in words_of(answer)) == (400, True)
    assert len(fight.dice()) == 1


@pytest.mark.parametrize("path", ["undo", "round", "end"])
@pytest.mark.parametrize("body", [{}, {"ruleset": "x"}, {"ruleset": ARCTIC, "more": 1}, []])
def test_other_requests_are_read_as_strictly(fight: Fight, path: str, body: object) -> None:
    answer = fight.phone.post(f"/api/free/{path}", body)
    assert answer.status_code in (400, 404)
    assert words_of(answer)
    assert fight.now() is None


# A guided battle


def test_during_a_guided_battle_nothing_is_written(app: Flask) -> None:
    fight = fight_in(app)
    norfolk_is_hit(fight)
    host = fight.phone
    assert host.post("/api/battle/begin", {}).status_code == 200
    seq = host.view()["seq"]
    for answer in (
        fight.act("main", "Z28", "Norfolk", "9"),
        fight.undo(),
        host.post("/api/free/round", {"ruleset": ARCTIC}),
        fight.end(),
    ):
        assert answer.status_code == 400
        assert "a guided battle is in progress" in words_of(answer).lower()
    assert host.view()["seq"] == seq
    assert len(fight.dice()) == 1
    page = fight.calculator(figures="9", firer="Z28", target="Norfolk")
    assert "you can try things out here" in page
    assert "data-act" not in page.partition("action-dice")[2]
    assert "1 point" in page, "what the dice would bring is told all the same"
    page = fight.page()
    assert "Norfolk" in page
    assert "POST /api/free" not in page


def test_a_request_that_is_sent_twice_counts_once(app: Flask) -> None:
    fight = fight_in(app)
    body = {
        "ruleset": ARCTIC,
        "ships": [joins("Z28"), joins("Norfolk")],
        "action": {"kind": "main", "by": "Z28", "at": "Norfolk"},
        "roll": True,
    }
    for _ in range(2):
        assert (
            fight.phone.send("POST", "/api/free", body, key="0123456789abcdef").status_code == 200
        )
    assert len(fight.dice()) == 1
    assert running_in(app).session.moment.free.server_context is not None


def test_marks_by_hand_leave_simultaneous_fire_as_it_is(fight: Fight) -> None:
    """What a ship suffered in this round does not count for her fire because she is corrected."""
    norfolk_is_hit(fight)
    fight.corrected("Norfolk", move_lost=1)
    fight.must("main", "Norfolk", "Z28", "1")
    (acted,) = (e for e in fight.view()["played"][-1]["events"] if e["kind"] == "acted")
    assert acted["factor"] == 8, "all her guns: the hit counts from the next round on (11.4.4)"
    fight.corrected("Norfolk", guns_lost=2)
    fight.must("main", "Norfolk", "Z28", "1")
    (acted,) = (e for e in fight.view()["played"][-1]["events"] if e["kind"] == "acted")
    assert acted["factor"] == 6, "what is entered counts at once"
    fight.next_round()
    fight.must("main", "Norfolk", "Z28", "1")
    (acted,) = (e for e in fight.view()["played"][-1]["events"] if e["kind"] == "acted")
    assert acted["factor"] == 4, "6 with one hit, and 2 less"
