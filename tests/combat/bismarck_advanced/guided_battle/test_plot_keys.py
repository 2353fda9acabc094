"""The keys that plots are written with: a key fits if, and only if, the plot is none the worse."""

import pytest

from combat.rulebooks.bismarck_advanced.guided_battle import AdvancedState
from tabletop.errors import DreyerError
from tests.combat.bismarck_advanced.guided_battle.driver import (
    BATTLE,
    check_plot,
    denmark_strait,
    line_up,
    plot_draft,
)

STATE = BATTLE.begin(BATTLE.schemas.setup.read(denmark_strait()))


def fitting(
    notation: str,
    *,
    ship: str = "Hood",
    side: str | None = "british",
    speed: int | None = 9,
    at: int | None = None,
    state: AdvancedState = STATE,
) -> list[str]:
    draft = {"notation": notation} | ({} if speed is None else {"speed": speed})
    place = len(notation) if at is None else at
    return [
        key.text
        for key in BATTLE.plot_keys(state, plot_draft(side, ship, draft), place)
        if key.fits
    ]


@pytest.mark.parametrize(
    ("notation", "keys"),
    [
        ("", "L l r R 1 2 3 4 5 follow C SC SF"),
        ("3", "L l r R C SC SF"),
        ("3l", "1 C SC SF"),
        ("5", "C SC SF"),
        ("5 SC", "C"),
        ("follow", "C SC SF"),
        ("x", ""),
    ],
)
def test_what_fits_at_the_end(notation: str, keys: str) -> None:
    assert fitting(notation) == keys.split()


def test_what_fits_depends_on_the_place() -> None:
    assert "L" in fitting("3l", at=1)
    assert "L" not in fitting("3l")


def test_without_a_speed_only_the_signs_are_judged() -> None:
    assert "9" in fitting("", speed=None)
    assert "9" in fitting("", speed=99)
    assert "1" not in fitting("", speed=0)


def test_wider_arcs_are_offered_to_the_classes_that_have_them() -> None:
    setup = line_up(("Norfolk", "british", 0, 0, 0), ("Bismarck", "german", 20_000, 0, 0))
    state = BATTLE.begin(BATTLE.schemas.setup.read(setup))
    keys = BATTLE.plot_keys(
        state, plot_draft("british", "Norfolk", {"notation": "R", "speed": 8}), 1
    )
    marks = [key for key in keys if key.group == "mark"]
    assert marks
    assert all(key.fits and key.words.code == "advanced.plot_key.arc" for key in marks)
    bare = plot_draft(None, "Hood", {"notation": ""})
    assert not [key for key in BATTLE.plot_keys(STATE, bare, 0) if key.group == "mark"]


def test_every_key_that_fits_can_be_written() -> None:
    for key in fitting("2L"):
        check = check_plot(
            STATE, plot_draft("british", "Hood", {"speed": 9, "notation": f"2L{key}"})
        )
        assert not [
            fault
            for fault in check.faults
            if fault.field == "notation" and fault.position != len(f"2L{key}")
        ]


def test_nobody_writes_for_the_other_side() -> None:
    with pytest.raises(DreyerError, match=r"advanced\.order\.not_yours"):
        fitting("", side="german")
