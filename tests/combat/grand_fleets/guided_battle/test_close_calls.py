"""Close calls of a guided battle: at the ends of range bands, and at the command distance."""

from dataclasses import replace

import pytest

from combat.rulebooks.grand_fleets.guided_battle.actions import CommandDone, MoveShip, SetCommand
from combat.rulebooks.grand_fleets.guided_battle.setup import FleetOptions
from combat.rulebooks.grand_fleets.guided_battle.state import FleetState, Phase
from combat.views import TargetOption
from tabletop.closecall import CloseCallKind
from tabletop.table import Pose
from tests.combat.grand_fleets.guided_battle.fleets import BATTLE, BLUE, Table, opening


def facing(range_yards: float, sigma_yards: float, *, extreme: bool = False) -> TargetOption:
    """Two battleships' broadsides: the bands of their main guns end at 6, 12 and 24 kyd."""
    start = replace(opening(type_="Sample battleship"), options=FleetOptions(extreme_range=extreme))
    state: FleetState = replace(Table(start).place_all().state, phase=Phase.COMBAT)
    poses = {
        "Ares": Pose(1000, 1000, 0, sigma_yards),
        "Boreas": Pose(1000 + range_yards, 1000, 0, sigma_yards),
    }
    state = replace(state, poses={**state.poses, **poses})
    return next(
        each for each in BATTLE.fire_options(state, "red", "Ares") if each.target == "Boreas"
    )


def ends(option: TargetOption, battery: str) -> list[float]:
    return [
        end.yards
        for call in option.close_calls
        if call.what is CloseCallKind.RANGE
        for end in call.ends
        if end.action == battery
    ]


@pytest.mark.parametrize(
    ("yards", "sigma", "found"),
    [
        # 22 yards at both ends are 31 yards of the range; 2 σ are 62.
        (12_001, 22, [12_000]),
        (11_990, 22, [12_000]),
        (12_100, 22, []),
        (12_001, 0, []),
        (12_000, 0, []),
        (6_010, 10, [6_000]),
        (24_001, 22, [24_000]),
    ],
)
def test_a_range_near_the_end_of_a_band_is_a_close_call(
    yards: float, sigma: float, found: list[float]
) -> None:
    assert ends(facing(yards, sigma), "guns 1") == found


def test_extreme_range_is_a_limit_only_with_its_option() -> None:
    table_is_30_kyd = 28_000
    assert ends(facing(table_is_30_kyd, 22), "guns 1") == []
    with_option = facing(24_001, 22, extreme=True)
    main = next(each for each in with_option.batteries if each.battery == "guns 1")
    assert main.allowed
    assert ends(with_option, "guns 1") == [24_000]


def second_command_phase(gap_yards: float, sigma_yards: float) -> Table:
    """Turn 2: Atlas ends so far behind Argo."""
    table = Table().place_all().hold_all().dice("22 45")
    table.ahead("Ares", 4000).ahead("Argo", 4000)
    end = table.state.poses["Argo"].moved(ahead_yards=-gap_yards)
    table.play(MoveShip(ship="Atlas", pose=replace(end, position_sigma_yards=sigma_yards)))
    for ship in BLUE:
        table.ahead(ship, 4000)
    assert table.state.phase is Phase.COMMAND
    return table


@pytest.mark.parametrize(
    ("gap", "sigma", "stays", "doubtful"),
    [
        (990, 0, True, False),
        (1040, 0, True, True),
        (1060, 0, False, False),
        (1060, 22, True, True),
        (1150, 22, False, False),
    ],
)
def test_the_command_distance(gap: float, sigma: float, stays: bool, doubtful: bool) -> None:
    table = second_command_phase(gap, sigma)
    assert table.state.in_command("Atlas") is stays
    told = [
        event.ship for event in table.game.played[-1].events if event.kind == "command-doubtful"
    ]
    assert told == (["Atlas"] if doubtful else [])
    if doubtful:
        table.play(SetCommand(ship="Atlas")).play(CommandDone())
        assert table.state.order[-1].name == "Atlas"
