"""A guided battle of Grand Fleets: the sequence of play, and what it refuses."""

from dataclasses import replace

import pytest

from combat.dice import DiceKind, OutOfDice, TypedDice
from combat.guided_actions import RollDice
from combat.previews import Forbidden
from combat.rulebooks.grand_fleets.guided_battle.actions import (
    CommandDone,
    Correct,
    DeclareFire,
    FireNext,
    LeaveTable,
    MoveShip,
    ShipValues,
    Shot,
    TakeFlag,
)
from combat.rulebooks.grand_fleets.guided_battle.state import Phase
from tabletop.errors import DreyerError
from tests.combat.grand_fleets.guided_battle.fleets import BATTLE, BLUE, Table


def second_turn() -> Table:
    """In the Movement Phase of turn 2; red moves first."""
    return Table().place_all().hold_all().dice("22 45")


def combat() -> Table:
    """In the Combat Phase of turn 2: Atlas has dropped out of command; blue fires first."""
    table = second_turn().ahead("Ares", 5000).ahead("Argo", 5000).ahead("Atlas", 2000)
    for ship in BLUE:
        table.ahead(ship, 5000)
    return table.play(CommandDone())


def test_out_of_command_by_measurement_fires_last() -> None:
    table = combat()
    assert table.state.phase is Phase.COMBAT
    assert [slot.name for slot in table.state.order] == ["Rear", "Van", "Atlas"]
    assert not table.state.in_command("Atlas")


def test_out_of_command_moves_first_and_returns_by_seven() -> None:
    table = combat().hold_all().dice("22 45")
    assert [slot.name for slot in table.state.order] == ["Atlas", "Van", "Rear"]
    table.ahead("Atlas", 5000).ahead("Ares", 2000).ahead("Argo", 2000)
    for ship in BLUE:
        table.ahead(ship, 3000)
    assert table.state.phase is Phase.COMMAND
    assert table.dice("34").state.in_command("Atlas")


def test_markers_set_themselves() -> None:
    state = combat().state
    assert [state.marks(ship).marker for ship in ("Ares", "Atlas")] == ["none", "slow"]


def test_refused_with_the_rule() -> None:
    table = second_turn().ahead("Ares", 3000)
    with pytest.raises(Forbidden) as twice:
        table.ahead("Ares", 1000)
    assert twice.value.reason.code == "grand_fleets.refused.acted_in_movement"
    assert twice.value.rule == "The Movement Phase"
    with pytest.raises(Forbidden) as far:
        table.ahead("Argo", 9000)
    assert far.value.reason.code == "grand_fleets.refused.too_far"
    with pytest.raises(Forbidden) as order:
        table.ahead("Boreas", 3000)
    assert order.value.reason.code == "grand_fleets.refused.not_yet"
    with pytest.raises(Forbidden) as flag:
        table.play(TakeFlag(ship="Argo"))
    assert flag.value.rule == "Transferring the Flag"
    pose = table.state.poses["Argo"].moved(ahead_yards=3000, right_yards=800)
    with pytest.raises(Forbidden) as slip:
        table.play(MoveShip(ship="Argo", pose=pose))
    assert slip.value.rule == "Stacking"


def test_fire_is_declared_then_rolled_and_undone_with_its_dice() -> None:
    table = combat()
    table.play(DeclareFire(ship="Boreas", shots=(Shot(battery="guns 1", target="Ares"),)))
    assert table.view.wanted is not None
    before = table.state
    table.dice("1 6 5")
    assert table.state.marks("Ares").hull_lost == 2
    after = table.state
    table.game = table.game.undo()
    assert table.state == before
    table.game = table.game.play(99, RollDice(), TypedDice(""))
    assert table.state == after


def broadside() -> Table:
    """Boreas has declared both batteries, at different targets."""
    shots = (Shot(battery="guns 1", target="Ares"), Shot(battery="torpedoes", target="Argo"))
    near = combat()
    for ship, target in (("Boreas", "Ares"),):
        pose = near.state.poses[target].moved(right_yards=3000.0)
        near.play(
            Correct(ship=ship, values=ShipValues(pose=replace(pose, heading_deg=90.0)), reason="x")
        )
    return near.play(DeclareFire(ship="Boreas", shots=shots))


def test_order_of_a_ships_fire_is_her_players() -> None:
    table = broadside()
    assert [(each.target, each.may_be_next) for each in table.view.declared] == [
        ("Ares", False),
        ("Argo", True),
    ]
    table.play(FireNext(ship="Boreas", battery="torpedoes", target="Argo"), side="blue")
    assert [each.target for each in table.view.declared] == ["Argo", "Ares"]
    wanted = table.view.wanted
    assert wanted is not None
    assert wanted.kind is DiceKind.PAIR
    with pytest.raises(DreyerError):
        table.play(FireNext(ship="Boreas", battery="guns 1", target="Ares"), side="red")
    with pytest.raises(Forbidden) as unknown:
        table.play(FireNext(ship="Boreas", battery="guns 2", target="Ares"))
    assert unknown.value.reason.code == "grand_fleets.refused.not_declared"
    table.dice("11")
    with pytest.raises(Forbidden) as begun:
        table.play(FireNext(ship="Boreas", battery="guns 1", target="Ares"))
    assert begun.value.reason.code == "grand_fleets.refused.dice_first"


def test_dice_stay_with_their_fire_when_the_order_changes() -> None:
    counted, dice = broadside(), 0
    while len(counted.view.declared) > 1:
        counted.dice("6")
        dice += 1
    table = broadside().dice(" ".join("6" * dice))
    hurt = table.state.marks("Ares").hull_lost
    assert hurt
    table.game = table.game.undo()
    table.play(FireNext(ship="Boreas", battery="torpedoes", target="Argo"))
    # The torpedoes take dice of their own; the guns have theirs again.
    with pytest.raises(OutOfDice):
        table.game.play(99, RollDice(), TypedDice(""))
    while table.view.declared and table.view.declared[0].battery == "torpedoes":
        table.game = table.game.play(99, RollDice(), TypedDice("11"))
    if table.view.declared:
        table.game = table.game.play(99, RollDice(), TypedDice(""))
    assert table.view.declared == ()
    assert table.state.marks("Ares").hull_lost == hurt


def test_every_action_and_event_is_written_and_read() -> None:
    table = combat()
    for played in table.game.played:
        schema = BATTLE.schemas.action
        assert schema.read(schema.write(played.action)) == played.action  # type: ignore[arg-type]
        assert len(BATTLE.write_events(played.events)) == len(played.events)


def test_saved_battles_know_the_die_of_a_tie_whatever_the_sides_are_called() -> None:
    tied = Table().place_all().hold_all().dice("22 13").state
    wanted = BATTLE.dice_wanted(tied)
    renamed = BATTLE.dice_wanted(replace(tied, side_names={"red": "The Reds"}))
    assert wanted is not None
    assert wanted.purpose == renamed.purpose  # type: ignore[union-attr]
    assert wanted.roll == renamed.roll  # type: ignore[union-attr]


def test_whoever_leaves_the_table_scores_half_and_is_gone() -> None:
    table = second_turn().play(LeaveTable(ship="Ares"))
    state = table.state
    assert not state.in_action("Ares")
    assert dict(state.score) == {"red": 0, "blue": 35}
    assert "Ares" not in [model.name for model in state.models()]
    assert table.view.divisions[0].heirs == ("Argo", "Atlas")
    # Both others may take over the flag of the flagship that left.
    (flag,) = table.view.flags
    assert (flag.division, flag.heirs) == ("Van", ("Argo", "Atlas"))
    table.play(TakeFlag(ship="Argo")).dice("45")
    assert table.state.division("Van").flagship == "Argo"
    assert [slot.name for slot in table.state.next_slots] == ["Van"]
