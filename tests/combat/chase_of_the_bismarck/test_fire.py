"""Attacks from shot files: typed dice, refusals, documents, previews and what a page asks."""

from collections.abc import Mapping
from typing import Any

import pytest

from combat.dice import BadDice
from combat.free_play import FreeState
from combat.owner_values import Overlay
from combat.previews import Forbidden
from combat.provenance import Provenance
from combat.questions import read_answer
from combat.rulebooks.chase_of_the_bismarck import NAME, load
from combat.ten_sided_dice import DICE
from tabletop.errors import BadField, DreyerError, UnknownName
from tabletop.messages import Message, ShipRef
from tabletop.schema import Takes
from tests.combat.shot_runner import ShotRunner
from tests.refusals import refused
from web.free.calculator import Calculation, calculate
from web.strings import words

CHASE = load()
TABLES = CHASE.tables
DESK = ShotRunner(CHASE)


def shot(firer: str = "Norfolk", target: str = "Bismarck", more: str = "") -> str:
    return f'firer.name = "{firer}"\ntarget.name = "{target}"\n{more}'


def resolve(file: str, rolls: str) -> Mapping[str, Any]:
    report = DESK.resolve(file, rolls)
    assert report.story[0].text
    return report.document


NEAR = "fire.zones_between = 3\nconditions.visibility = 3\n"
"""Norfolk's four factors, less 1 for radar and 1 more for a cruiser at a battleship: nothing."""


@pytest.mark.parametrize(
    ("rolls", "message"),
    [
        ("9 9 9", r"too few: 3 given, number 4 is for guns, die 4 of 4 \(one ten-sided die\)"),
        ("9 9 9 9 5", r"too many: 5 given, 4 needed .*leave out 5"),
        ("1 9 9 9", r"too few: .*number 5 is for guns, die 3 of 4"),
        ("1", r"too few: 1 given, number 2 is for special damage"),
        ("9 10 9 9", "number 2 is '10'"),
        ("9 x", "number 2 is 'x'"),
    ],
)
def test_dice_that_do_not_fit(rolls: str, message: str) -> None:
    with refused(BadDice, match=message):
        resolve(shot(more=NEAR), rolls)


@pytest.mark.parametrize(
    ("rolls", "marks"),
    [
        ("9 9 9 9", {}),
        ("0 0 9 9 9", {"hull": 2, "evasion": 5}),
        ("1 0 0 9 9 9", {"sunk": 1}),
        ("1 0 2 9 9 9 9", {"hull": 3, "evasion": 2}),
        ("1 1 9 9 9", {"fire_control": 1}),
        ("2 4 9 9 9", {"radar": 1}),
        ("2 7 9 9 9 9", {"fuel": 5}),
        ("2 7 1 9 9 9", {"fuel": 1}),
        ("2 7 0 9 9 9", {}),
        ("3 4 4 5 6", {"hull": 2, "evasion": 3, "bow": 1, "stern": 1}),
        ("7 9 9 9", {"secondary": 1}),
    ],
)
def test_what_each_result_does(rolls: str, marks: dict[str, int]) -> None:
    document = resolve(shot(more=NEAR), rolls)
    made = {part: count for part, count in document["marks"].items() if count and part != "hits"}
    assert made == marks
    assert document["dice"] == rolls
    assert document["target_acquired"] is (document["hits"] > 0)
    assert document["target_sunk"] is bool(marks.get("sunk"))


def test_evasion_at_nothing_draws_no_chit() -> None:
    still = NEAR + "target.state.evasion_lost = 28\n"
    document = resolve(shot(more=still), "0 0 0 9 9")
    assert document["target_left"]["evasion"] == 0
    assert document["marks"]["hull"] == 4


def test_a_result_names_the_least_certain_value_it_rests_on() -> None:
    file = shot("Norfolk", "Prinz Eugen", NEAR)
    assert resolve(file, "9 9 9 9")["provenance"] == Provenance.DERIVED
    assert resolve(file, "3 1 9 9 9")["provenance"] == Provenance.RECONSTRUCTED


@pytest.mark.parametrize(
    ("file", "reason"),
    [
        (
            shot("New York", more="fire.zones_between = 7"),
            r"errors\.forbidden_in\(reason=chase\.refused\.extreme\(ship=New York\), "
            r"rule=.10, step 2., source=.x.toml",
        ),
        (
            shot("Rodney", more='firer.position = "breaking-off"'),
            r"chase\.refused\.no_armament.*Position Table",
        ),
        (shot("Ark Royal", more="fire.zones_between = 4"), r"chase\.refused\.no_armament"),
        (
            shot(more='fire.battery = "torpedoes"\nfire.zones_between = 4'),
            r"chase\.refused\.torpedo_range",
        ),
        (
            shot("Bismarck", "Hood", 'fire.battery = "torpedoes"\nfire.zones_between = 1'),
            r"chase\.refused\.torpedoes_left\(left=0",
        ),
    ],
)
def test_the_rules_forbid(file: str, reason: str) -> None:
    for ask in (lambda: resolve(file, "0"), lambda: DESK.forecast([file])):
        with pytest.raises(Forbidden, match=reason):
            ask()
    preview = DESK.preview(file)
    assert preview.factor is None
    assert preview.forbidden
    assert preview.rule.startswith("10")


@pytest.mark.parametrize(
    ("more", "error"),
    [
        ("conditions.visibility = 10", BadField),
        ("fire.zones_between = 8", BadField),
        ("target.state.hull_lost = 13", BadField),
        ("fire.torpedoes = 4", BadField),
        ('firer.position = "running"', BadField),
        ("fire.rnage = 1", DreyerError),
        ("conditions.nigth = true", DreyerError),
        ('firer.type = "Modoc"', UnknownName),
    ],
)
def test_a_wrong_shot_file_is_one_clear_line(more: str, error: type[DreyerError]) -> None:
    with pytest.raises(error) as caught:
        DESK.preview(shot(more=more))
    assert words(caught.value).startswith("x.toml")
    assert "\n" not in words(caught.value)


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ('target.name = "Hood"', "firer"),
        ('firer.name = "Hood"', "target"),
        ('fire.battery = "air"', "target"),
        ('fire.battery = "abort"', "firer"),
    ],
)
def test_whoever_takes_part_must_be_named(text: str, missing: str) -> None:
    file = text
    for ask in (lambda: DESK.preview(file), lambda: resolve(file, "0")):
        with refused(BadField, match=rf"x.toml, \[{missing}\]: name: expected a ship"):
            ask()


def test_torpedoes_that_are_gone_are_told_and_marked() -> None:
    file = shot("Norfolk", "Bismarck", 'fire = { battery = "torpedoes", torpedoes = 3 }')
    report = DESK.resolve(file, "9 9 9")
    assert report.marks["firer"]["torpedoes_used"] == 3
    assert Message("chase.story.torpedoes_left", ship=ShipRef("Norfolk"), left=1) in [
        line.text for line in report.story
    ]


def test_radar_with_a_star_lasts_one_round() -> None:
    starred = TABLES.with_overlay(
        Overlay(NAME).with_value("ship_cards", "Bismarck", "radar", "II*")
    )
    totals = [
        ShotRunner(CHASE, starred)
        .preview(
            shot("Bismarck", "Hood", f"conditions = {{ first_round = {first}, visibility = 3 }}")
        )
        .total
        for first in ("true", "false")
    ]
    assert totals == [-1, 0]


def page(said: Mapping[str, str]) -> Calculation:
    """The calculator for these answers."""
    ships = {"firer": "Prinz Eugen", "target": "Norfolk"}
    return calculate(CHASE, DESK.rulebook, FreeState(), {**ships, **said})


def test_a_page_asks_and_is_answered() -> None:
    assert [(b.kind, b.strength) for b in DESK.offers("prinz eugen")] == [
        ("guns", 6), ("torpedoes", 12), ("move", 0), ("abort", 0), ("reinforcement", 0),
        ("convoy hunt", 0), ("convoy attack", 0), ("repair", 0), ("refuel", 0),
    ]  # fmt: skip
    assert DESK.offers("Iron Duke") == ()
    preview = page({"firer.position": "closing"}).preview
    assert preview is not None
    assert (preview.factor, preview.guns, preview.guns_bearing, preview.total) == (3, 6, 3, 1)
    launched = page({"battery": "torpedoes", "fire.torpedoes": "3"}).preview
    assert launched is not None
    assert launched.factor == 3
    for name, kinds in DESK.asked("Prinz Eugen", "Norfolk").items():
        for question in kinds.values():
            usual = page({name: question.default_text})
            assert usual.preview == page({}).preview
            assert not usual.faults
            if question.takes is Takes.CHOICE:
                assert question.default_text in dict(question.choices)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("conditions.visibility", "X"),
        ("conditions.visibility", "12"),
        ("firer.position", "running\nname = 1"),
        ("conditions.target_acquired", "1"),
    ],
)
def test_a_wrong_answer_is_an_error(name: str, text: str) -> None:
    question = DESK.asked("Prinz Eugen", "Norfolk")[name]["guns"]
    with pytest.raises(BadField):
        read_answer(question, text, "x")
    wrong = page({name: text})
    assert wrong.faults
    assert wrong.preview == page({}).preview


def test_every_key_is_described() -> None:
    names = [key.name for key in DESK.form.describe()]
    assert len(names) == len(set(names))
    assert {"firer.position", "fire.zones_between", "target.state.rudder_damaged"} <= set(names)


def test_guns_are_counted_in_dice() -> None:
    assert DESK.preview(shot()).factor_label == DICE
