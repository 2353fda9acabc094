"""The keys that plots are written with: a key fits if, and only if, the plot is none the worse."""

import pytest

from combat.guided_play import PlottedRulebook
from combat.rulebooks.bismarck_advanced.guided_battle import AdvancedState
from combat.views import PlotKey
from tabletop.errors import DreyerError
from tests.combat.bismarck_advanced.guided_battle.driver import (
    BATTLE,
    RULESET,
    TABLES,
    check_plot,
    denmark_strait,
    line_up,
    plot_draft,
)

STATE = BATTLE.begin(BATTLE.schemas.setup.read(denmark_strait()))
CRUISER_STATE = BATTLE.begin(
    BATTLE.schemas.setup.read(
        line_up(("Norfolk", "british", 0, 0, 0), ("Bismarck", "german", 20_000, 0, 0))
    )
)


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
        ("3", "L l r R 1 2 C SC SF"),
        ("3l", "1 C SC SF ⅓ ⅔ 10° 14° 16° 20°"),
        ("3l⅓", "1 C SC SF ½ ⅔ 6° 9° 11° 15°"),
        ("3l12°", "1 C SC SF ⅓ ½ ⅔ 7° 11° 13° 17°"),
        ("3l7d", "1 C SC SF ⅓ ½ ⅔ 6° 6° 8° 12°"),
        ("3l30°", "1 C SC SF ⅓ ½ ⅔ 25° 29°"),
        ("5", "C SC SF"),
        ("5 SC", "C"),
        ("follow", "C SC SF"),
        ("x", ""),
    ],
)
def test_what_fits_at_the_end(notation: str, keys: str) -> None:
    assert fitting(notation) == keys.split()


def amounts(notation: str, at: int | None = None) -> list[PlotKey]:
    draft = plot_draft(None, "Norfolk", {"notation": notation, "speed": 8})
    keys = BATTLE.plot_keys(CRUISER_STATE, draft, len(notation) if at is None else at)
    return [key for key in keys if key.group == "amount"]


def test_what_fits_depends_on_the_place() -> None:
    assert "L" in fitting("3l", at=1)
    assert "L" not in fitting("3l")


def test_without_a_speed_only_the_signs_are_judged() -> None:
    assert "9" in fitting("", speed=None)
    assert "9" in fitting("", speed=99)
    assert "1" not in fitting("", speed=0)


def test_wider_arcs_are_offered_to_the_classes_that_have_them() -> None:
    keys = BATTLE.plot_keys(
        CRUISER_STATE, plot_draft("british", "Norfolk", {"notation": "R", "speed": 8}), 1
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


@pytest.mark.parametrize(
    "notation", ["", "3", "L", "l3", "l C", "l,", "2r⅓+", "x", "l46°", "follow"]
)
def test_amounts_have_keys_right_behind_a_short_turn_only(notation: str) -> None:
    assert not amounts(notation)


@pytest.mark.parametrize(
    ("notation", "texts", "chosen", "replaces"),
    [
        # A cruiser turns 45°, half of it by default; on the outer arc 30°.
        ("l", "⅓ ½ ⅔ 18° 22° 23° 27°", "½", 0),
        ("2r+", "⅓ ½ ⅔ 10° 14° 16° 20°", "½", 0),
        ("2r+⅓", "⅓ ½ ⅔ 6° 9° 11° 15°", "⅓", 1),
        ("l1/3", "⅓ ½ ⅔ 10° 14° 16° 20°", "⅓", 3),
        ("l9°", "⅓ ½ ⅔ 9° 9° 10° 14°", "9° 9°", 2),
        ("l 12 d ", "⅓ ½ ⅔ 9° 11° 13° 17°", "", 5),
    ],
)
def test_an_amount_takes_the_place_of_the_one_that_stands_there(
    notation: str, texts: str, chosen: str, replaces: int
) -> None:
    keys = amounts(notation)
    assert [key.text for key in keys] == texts.split()
    assert [key.text for key in keys if key.chosen] == chosen.split()
    assert {key.replaces for key in keys} == {replaces}
    assert [key.fits for key in keys] == [not key.chosen for key in keys]
    for key in keys:
        written = notation[: len(notation) - replaces] + key.text
        draft = plot_draft(None, "Norfolk", {"notation": written, "speed": 8})
        faults = check_plot(CRUISER_STATE, draft).faults
        assert {fault.message.code for fault in faults} <= {"advanced.plot.too_short"}


def test_edition_1_has_no_keys_for_amounts() -> None:
    found = RULESET.of_edition(1).battle
    assert found is not None
    draft = plot_draft("british", "Hood", {"notation": "3l", "speed": 9})
    rules = found(TABLES)
    assert isinstance(rules, PlottedRulebook)
    assert not [key for key in rules.plot_keys(STATE, draft, 2) if key.group == "amount"]


def test_nobody_writes_for_the_other_side() -> None:
    with pytest.raises(DreyerError, match=r"advanced\.order\.not_yours"):
        fitting("", side="german")
