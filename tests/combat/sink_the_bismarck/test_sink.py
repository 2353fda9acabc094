"""Sink the Bismarck!: detection, speed and convoys, and an owner's Detection Table."""

from itertools import product

import pytest

from combat.free_play import FreeState
from combat.owner_values import Overlay
from combat.rulebooks.sink_the_bismarck import NAME, load
from combat.rulebooks.sink_the_bismarck.actions import HEXES
from combat.tables import TableSet
from combat.ten_sided_dice import DICE
from combat.verification import Case, verify
from tabletop.errors import DreyerError
from tabletop.messages import Message
from tests.combat.shot_runner import ShotRunner
from tests.refusals import refused
from web.free.calculator import calculate
from web.strings import words

RULES = load()
TABLES = RULES.tables
assert RULES.cases is not None
DESK = ShotRunner(RULES)
CASES = verify([(RULES.cases, TABLES)], words).cases


def card(least: int) -> TableSet:
    """An owner's Detection Table that detects from some modified die on."""
    owned = Overlay(NAME)
    for row in TABLES["detection"].rows:
        result = "detected" if int(row) >= least else "not detected"
        owned = owned.with_value("detection", row, "result", result)
    return TABLES.with_overlay(owned)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.what)
def test_the_engine_agrees_with_the_book(case: Case) -> None:
    assert case.got == case.expected


def test_there_are_enough_cases() -> None:
    assert len(CASES) >= 25


def test_no_row_of_the_detection_table_is_ours() -> None:
    assert {cell.value for cell in TABLES["detection"].cells.values()} == {"?"}
    report = DESK.resolve('conditions.visibility = "good"', "7")
    assert report.document["totals"] == [8]
    assert report.story[-1].text == Message("sink.story.read_yourself", total=8)
    forecast = DESK.forecast(['conditions.visibility = "good"'])
    assert Message("sink.outcome.detected") not in forecast.results
    assert forecast.hits == {0: 1.0}
    assert forecast.results[Message("sink.outcome.at_least", least=8)] == pytest.approx(0.4)


@pytest.mark.parametrize(
    ("text", "modifier"),
    [
        ("conditions = { ships = 5, carrier = true }", 4),
        ('conditions = { searcher = "recon", visibility = "good" }', 4),
        ("conditions = { night = true, ships = 3 }", -1),
    ],
)
def test_with_the_owners_card_the_odds_are_exact(text: str, modifier: int) -> None:
    for least in (3, 8, 12):
        found = ShotRunner(RULES, card(least)).forecast([text])
        twin = sum(die + modifier >= least for (die,) in product(range(1, 11))) / 10
        assert found.results[Message("sink.outcome.detected")] == pytest.approx(twin)
        assert found.hits[1] == pytest.approx(twin)


def test_with_the_owners_card_the_die_is_read() -> None:
    text, runner = "conditions.ships = 4", ShotRunner(RULES, card(8))
    assert runner.resolve(text, "7").document["hits"] == 1
    missed = runner.resolve(text, "6")
    assert missed.document["endings"] == ["not detected"]


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("conditions.shadowed = true", "4.0"),
        ('conditions.enemy = "convoy"', "9.9"),
        ('fire.battery = "convoy-attack"\nconditions.attacker = "dummy"', "9.9"),
        ('fire.battery = "convoy-attack"\nconditions.phase = "4"', "9.10"),
        ('fire.battery = "convoy-move"\nconditions.hexes = 2', "9.1"),
        ('fire.battery = "convoy-move"\nconditions.hexes = 0', "9.7"),
        ('fire.battery = "convoy-move"\nconditions.in_hex = 5', "9.5"),
        ('fire.battery = "convoy-entry"\nconditions.turn = 1', "9.4"),
    ],
)
def test_what_is_forbidden_names_its_rule(text: str, rule: str) -> None:
    preview = DESK.preview(text)
    assert preview.factor is None
    assert preview.rule == rule
    assert preview.forbidden


@pytest.mark.parametrize(
    ("text", "label"),
    [("", DICE), ('fire.battery = "convoy-move"\nconditions.hexes = 1', HEXES)],
)
def test_what_decides_has_its_own_name(text: str, label: Message) -> None:
    assert DESK.preview(text).factor_label == label


def test_a_convoy_whose_escorts_are_sunk_is_destroyed_in_phase_four() -> None:
    text = (
        'fire.battery = "convoy-attack"\n'
        'conditions = { escorted = true, escorts_sunk = true, phase = "4" }'
    )
    report = DESK.resolve(text, "")
    assert [line.reference for line in report.story[1:]] == ["9.10", "9.11"]


def test_a_dummy_convoy_is_gone_for_good() -> None:
    text = 'fire.battery = "convoy-attack"\nconditions.dummy_convoy = true'
    assert DESK.resolve(text, "").story[-1].reference == "9.9"


def test_ws_convoys_have_no_entry_hex_in_our_text() -> None:
    text = 'fire.battery = "convoy-entry"\nconditions.convoy = "WS"'
    assert DESK.resolve(text, "").story[-1].text == Message("sink.story.no_hex")


@pytest.mark.parametrize(
    ("lost", "hexes"), [(0, 4), (1, 3), (6, 3), (7, 2), (15, 2), (16, 1), (22, 1), (30, 0)]
)
def test_every_step_of_the_speed_table(lost: int, hexes: int) -> None:
    ship = f'firer = {{ name = "Bismarck", state = {{ evasion_lost = {lost} }} }}\n'
    text = ship + 'fire.battery = "speed"\nconditions.turn = 3'
    assert DESK.preview(text).factor == hexes


def test_speed_wants_a_ship() -> None:
    with refused(DreyerError, match=r"\[firer\]: name: expected a ship"):
        DESK.preview('fire.battery = "speed"')


def test_what_can_be_asked_of_whom() -> None:
    assert [each.kind for each in DESK.offers("Bismarck")] == ["speed"]
    names = [each.kind for each in DESK.offers("")]
    assert names == ["detection", "convoy-attack", "convoy-move", "convoy-entry"]
    assert DESK.offers("Victory") == ()


def test_a_page_asks_for_the_speed_of_a_damaged_ship() -> None:
    said = {"firer": "Hood", "battery": "speed", "firer.state.evasion_lost": "5"}
    calculation = calculate(RULES, DESK.rulebook, FreeState(), said)
    assert calculation.preview is not None
    assert calculation.preview.factor == 2


def test_the_record_sheet_shows_evasion_and_speed() -> None:
    sheet = DESK.sheet("Bismarck", "Bismarck", "german", {"evasion_lost": 10})
    [part] = sheet.parts
    assert (part.total, part.lost, part.details.hexes) == (30, 10, "2")
    assert words(sheet.glance) == "evasion 20 of 30 left"


def test_the_page_says_that_there_is_no_combat() -> None:
    assert any("no combat" in words for words in RULES.missing)
    assert any("enter your own card" in words for words in RULES.missing)
