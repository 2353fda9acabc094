"""What an umpire sets right in a guided battle of Grand Fleets, and what follows from it."""

import pytest

from combat.corrections import CorrectableValue
from combat.events import Event
from combat.previews import Forbidden
from combat.rulebooks.grand_fleets.card import Tube
from combat.rulebooks.grand_fleets.guided_battle.actions import (
    Conditions,
    Correct,
    DeclareFire,
    ShipValues,
    Shot,
)
from combat.rulebooks.grand_fleets.guided_battle.events import ValuesCorrected
from combat.rulebooks.grand_fleets.guided_battle.state import Phase
from tabletop.errors import BadField, DreyerError, UnknownName
from tests.combat.grand_fleets.guided_battle.fleets import BATTLE, Table
from tests.combat.grand_fleets.guided_battle.test_sequence import combat, second_turn


def correct(table: Table, ship: str, **values: object) -> Table:
    return table.play(Correct(ship=ship, values=ShipValues(**values), reason="seen"))  # type: ignore[arg-type]


def now(table: Table, ship: str | None) -> dict[str, CorrectableValue]:
    return {each.key: each for each in BATTLE.correctable(table.state, ship)}


def test_marks_are_set_and_told_with_what_they_were() -> None:
    table = correct(combat(), "Ares", hull_lost=3, dice_lost={"guns 1": 2}, marker="slow")
    marks = table.state.marks("Ares")
    assert (marks.hull_lost, marks.dice_lost, marks.marker) == (3, {"guns 1": 2}, "slow")
    (event,) = [e for e in table.game.played[-1].events if isinstance(e, ValuesCorrected)]
    assert {(str(each["before"]), str(each["now"])) for each in event.changes} >= {
        ("0", "3"),
        ("none", "slow"),
    }
    assert now(table, "Ares")["hull_lost"].now == "3"
    assert now(table, "Ares")["dice_lost"].now.startswith("guns 1: 2")


def test_rows_that_are_not_named_stay() -> None:
    table = correct(combat(), "Ares", torpedoes_fired={Tube.PORT: 1})
    table = correct(table, "Ares", torpedoes_fired={Tube.STARBOARD: 1})
    assert table.state.marks("Ares").torpedoes_fired == {Tube.PORT: 1, Tube.STARBOARD: 1}
    table = correct(table, "Ares", torpedoes_fired={Tube.PORT: 0})
    assert table.state.marks("Ares").torpedoes_fired == {Tube.STARBOARD: 1}


def test_points_follow_a_ship_that_is_sunk_floated_or_gone() -> None:
    table = combat()
    boxes = table.state.vessel("Argo").hull_boxes
    points = table.state.vessel("Argo").card.victory_points or 0
    assert correct(table, "Argo", hull_lost=boxes).state.score["blue"] == points
    assert not table.state.in_action("Argo")
    history = BATTLE.history(table_events(table))
    assert history.segments[-1].ships["Argo"].status.value == "sunk"
    assert correct(table, "Argo", hull_lost=boxes - 1).state.score["blue"] == 0
    assert table.state.in_action("Argo")
    assert correct(table, "Argo", left_table=True).state.score["blue"] == -(-points // 2)


def table_events(table: Table) -> list[Event]:
    return [*BATTLE.opening(table.game.start), *(e for p in table.game.played for e in p.events)]


def test_flag_is_taken_over_from_a_flagship_that_is_set_sunk() -> None:
    table = combat()
    correct(table, "Ares", hull_lost=table.state.vessel("Ares").hull_boxes)
    # Atlas is out of command: only Argo may, so she does and rolls for her commander.
    assert table.view.wanted is not None
    assert table.dice("44").state.division("Van").flagship == "Argo"


def test_ship_set_out_of_command_moves_alone_and_fires_last() -> None:
    table = correct(second_turn(), "Atlas", out_of_command=True)
    assert [slot.name for slot in table.state.order] == ["Atlas", "Van", "Rear"]
    fights = correct(combat(), "Bellona", out_of_command=True)
    assert [slot.name for slot in fights.state.order] == ["Rear", "Van", "Atlas", "Bellona"]
    fights.hold_all()
    assert fights.state.phase is not Phase.COMBAT


def test_model_set_elsewhere_is_measured_from_there() -> None:
    table = second_turn()
    pose = table.state.poses["Ares"].moved(ahead_yards=500)
    correct(table, "Ares", pose=pose)
    assert table.state.poses["Ares"] == pose
    assert table.ahead("Ares", 5000).state.poses["Ares"].x_yards == pose.x_yards + 5000


def test_score_and_options_of_the_battle() -> None:
    table = combat().play(
        Correct(conditions=Conditions(score={"red": 77}, extreme_range=True), reason="agreed")
    )
    assert dict(table.state.score) == {"red": 77, "blue": 0}
    assert table.state.options.extreme_range
    assert now(table, None)["score"].now == "red: 77, blue: 0"
    assert now(table, None)["extreme_range"].now == "yes"


def test_refused() -> None:
    table = combat()
    with pytest.raises(DreyerError, match="umpire"):
        table.play(Correct(ship="Ares", values=ShipValues(hull_lost=1), reason="x"), side="red")
    with pytest.raises(DreyerError, match="reason"):
        table.play(Correct(ship="Ares", values=ShipValues(hull_lost=1)))
    for values in ({"hull_lost": 99}, {"speed_lost": 9}, {"dice_lost": {"guns 1": 99}}):
        with pytest.raises(BadField):
            correct(table, "Ares", **values)
    with pytest.raises(UnknownName):
        correct(table, "Ares", dice_lost={"guns 6": 1})
    with pytest.raises(BadField):
        table.play(Correct(ship="Ares", reason="x"))


def test_refused_while_dice_of_a_fire_have_partly_fallen() -> None:
    table = combat()
    table.play(DeclareFire(ship="Boreas", shots=(Shot(battery="guns 1", target="Ares"),)))
    table.dice("1")
    with pytest.raises(Forbidden) as refused:
        correct(table, "Ares", hull_lost=1)
    assert refused.value.reason.code == "grand_fleets.refused.dice_first"
    assert correct(table.dice("6 5"), "Ares", hull_lost=0).state.marks("Ares").hull_lost == 0
