"""The Battle Board from shot files: the start, moves, shifts, and whom a submarine finds."""

from collections.abc import Mapping
from typing import Any

import pytest

from combat.previews import Forbidden
from combat.rulebooks.chase_of_the_bismarck import load
from tabletop.messages import Message
from tests.combat.shot_runner import ShotRunner

CHASE = load()
DESK = ShotRunner(CHASE)


def played(text: str, rolls: str = "") -> Mapping[str, Any]:
    document = DESK.resolve(text, rolls).document
    assert DESK.preview(text).factor == document["gunnery_factor"]
    assert sum(DESK.forecast([text]).hits.values()) == pytest.approx(1)
    return document


def move(more: str, ship: str = "Prinz Eugen") -> str:
    return f'fire.battery = "move"\nfirer.name = "{ship}"\n{more}'


@pytest.mark.parametrize(
    ("level", "between", "reach"),
    [(1, 7, "extreme"), (3, 7, "extreme"), (4, 5, "long"), (6, 5, "long"), (7, 3, "medium"),
     (9, 3, "medium")],
)  # fmt: skip
def test_visibility_decides_where_a_combat_starts(level: int, between: int, reach: str) -> None:
    found = played(f'fire.battery = "start"\nconditions.visibility = {level}')
    assert (found["zone"], found["enemy_zone"]) == (level, level)
    assert (found["zones_between"], found["range"]) == (between, reach)


def test_prinz_eugen_closes_as_in_the_example() -> None:
    found = played(move('firer.position = "closing"\nconditions.zones = 4'))
    assert (found["gunnery_factor"], found["zone"]) == (4, 13)
    assert (found["zones_between"], found["range"]) == (1, "short")
    assert found["endings"] == [
        "Prinz Eugen stands in movement zone 13, closing",
        "1 sea zone between: short range",
    ]


def test_who_would_leave_the_board_shifts_all_ships() -> None:
    away = 'conditions.new_position = "breaking-off"\nconditions.zone = 2\nconditions.zones = 4\n'
    found = played(move(f"{away}conditions.enemy_zone = 9"))
    # Three zones beyond her own edge: she stands in zone 1, the enemy three nearer to his own.
    assert (found["zone"], found["enemy_zone"], found["shifted"]) == (1, 6, 3)
    assert "all ships are shifted 3 movement zones to keep her on the board" in found["endings"]


def test_a_shift_pushes_the_enemy_off_or_costs_him_his_move() -> None:
    away = (
        'conditions.new_position = "breaking-off"\nconditions.zone = 2\nconditions.zones = 4\n'
        "conditions.enemy_zone = 2\n"
    )
    gone = played(move(f"{away}conditions.enemy_moved = true"))
    assert (gone["enemy_zone"], gone["zones_between"], gone["range"]) == (None, None, None)
    waits = played(move(away))
    assert (waits["enemy_zone"], waits["zones_between"]) == (1, 7)
    assert any("must close and has 2 zones less" in line for line in waits["endings"])
    lame = played(move(f"{away}conditions.enemy_evasion = 19"))
    assert lame["enemy_zone"] is None


@pytest.mark.parametrize(
    ("more", "reason", "rule"),
    [
        (
            "conditions.zones = 4\nfirer.state.evasion_lost = 5",
            r"chase\.refused\.too_far\(most=3",
            "10, Movement Table",
        ),
        (
            'conditions.zones = 1\nconditions.new_position = "opening"',
            r"chase\.refused\.opening",
            "10, step 4",
        ),
        ("firer.state.rudder_damaged = true", r"chase\.refused\.rudder", "10, step 4"),
        (
            "conditions.zones = 3\nconditions.held_up = 2",
            r"chase\.refused\.too_far\(most=2",
            "10, Movement Table",
        ),
        (
            'conditions.held_up = 1\nconditions.new_position = "breaking-off"',
            r"chase\.refused\.must_close",
            "10, step 4",
        ),
        ("firer.state.hull_lost = 5", r"chase\.refused\.sunk", "2.4"),
    ],
)
def test_moves_that_are_not_allowed(more: str, reason: str, rule: str) -> None:
    file = move(more)
    with pytest.raises(Forbidden, match=reason) as caught:
        DESK.resolve(file, "")
    assert caught.value.rule == rule
    assert DESK.preview(file).rule == rule


def looked(*present: str) -> str:
    flags = "".join(f"conditions.{each} = true\n" for each in present)
    return f'fire.battery = "submarine target"\n{flags}'


CAPITAL, CRUISER, DESTROYERS = "capital_ships", "cruisers", "destroyers"


@pytest.mark.parametrize(
    ("rolls", "present", "name"),
    [
        ("7", (CAPITAL, DESTROYERS), "destroyers"),  # The first example of 11.1.
        ("2", (CAPITAL, CRUISER, DESTROYERS), "capital ship"),
        ("3", (CAPITAL, CRUISER, DESTROYERS), "cruiser"),
        ("5", (CAPITAL, DESTROYERS), "destroyers"),
        ("6 9 4", (CAPITAL, CRUISER), "cruiser"),
        ("", (CRUISER,), "cruiser"),
    ],
)
def test_whom_a_submarine_finds(rolls: str, present: tuple[str, ...], name: str) -> None:
    assert played(looked(*present), rolls)["outcome"] == [name]


@pytest.mark.parametrize(
    ("present", "expected"),
    [
        ((CAPITAL, CRUISER, DESTROYERS), [0.3, 0.3, 0.4]), ((CAPITAL, CRUISER), [0.5, 0.5]),
        ((CAPITAL, DESTROYERS), [0.3, 0.7]), ((CRUISER, DESTROYERS), [0.3, 0.7]),
        ((DESTROYERS,), [1.0]),
    ],
)  # fmt: skip
def test_the_odds_of_whom_it_finds(present: tuple[str, ...], expected: list[float]) -> None:
    outcomes = DESK.forecast([looked(*present)]).results
    assert list(outcomes.values()) == pytest.approx(expected)


def test_nobody_is_found_where_nobody_is() -> None:
    with pytest.raises(Forbidden, match=r"chase\.refused\.nobody"):
        DESK.forecast([looked()])


def test_three_markers_a_round_are_all_however_they_are_shared() -> None:
    text = (
        'firer.name = "Prinz Eugen"\ntarget.name = "Norfolk"\nfire.battery = "torpedoes"\n'
        "fire.zones_between = 1\nfire.torpedoes = 2\n"
    )
    played(f"{text}fire.torpedoes_elsewhere = 1\nconditions.visibility = 9", "8 9")
    with pytest.raises(Forbidden, match=r"chase\.refused\.most_torpedoes\(most=3"):
        played(f"{text}fire.torpedoes_elsewhere = 2", "9 9")


def test_an_acquired_target_is_kept_until_another_is_fired_at() -> None:
    aimed = 'firer.name = "Norfolk"\nfire.zones_between = 3\nconditions.visibility = 3\n'
    kept = f"{aimed}firer.state.acquired = {{ Bismarck = 1 }}\n"
    file = f'{kept}target.name = "Bismarck"'
    same = DESK.resolve(file, "9 9 9 9")
    preview = DESK.preview(file)
    assert preview.ledger[0].label == Message("chase.row.target_acquired")
    assert "firer" not in same.changed, "she keeps the mark that she has"
    other = f'{kept}target.name = "Prinz Eugen"'
    assert DESK.resolve(other, "9 9 9 9").marks["firer"]["acquired"] == {}
