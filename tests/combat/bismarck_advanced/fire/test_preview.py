"""What players are asked of a fire, and a fire shown before it is rolled."""

import re
from dataclasses import replace
from typing import Any

import pytest

from combat.dice import TypedDice
from combat.free_play import FreeState
from combat.participants import Ship
from combat.previews import Preview
from combat.questions import OPTIONS, Question, read_answer
from combat.rulebooks.bismarck_advanced.free_play.actions import Fire
from tabletop.arcs import Quadrant
from tabletop.errors import BadField, DreyerError, UnknownName
from tabletop.messages import Message, ShipRef
from tabletop.schema import Takes
from tests.combat.bismarck_advanced.shot_files import RULEBOOK, RULESET
from tests.combat.free_battles import add
from tests.combat.shot_runner import ShotRunner
from tests.refusals import refused
from web.strings import words

HOOD = Ship("Mighty Hood", "Mighty Hood", "british", "Hood")
BISMARCK = Ship("Bismarck", "Bismarck", "german", "Bismarck")
PLAIN = Fire(
    kind="main",
    by=HOOD.id,
    at=BISMARCK.id,
    range_yards=18_000.0,
    quadrant=Quadrant.STARBOARD,
    aspect=Quadrant.PORT,
)


def battle(firer: Ship = HOOD) -> FreeState[Any]:
    return add(RULEBOOK, add(RULEBOOK, FreeState(), firer), BISMARCK)


def preview(**changes: Any) -> Preview:
    return RULEBOOK.check(battle(), replace(PLAIN, **changes))


def asked() -> dict[str, Question]:
    info = RULEBOOK.info_by_kind["main"]
    found = RULEBOOK.questions_for(info, HOOD, BISMARCK)
    return {each.name: each for each in found if each.by_page}


def test_offers_are_what_a_ship_has_and_none_for_a_stranger() -> None:
    assert [(each.kind, each.title, each.strength) for each in RULEBOOK.offers("Hood")] == [
        ("main", Message("advanced.battery_title.main"), 8),
        ("secondary", Message("advanced.battery_title.secondary"), 14),
        ("torpedoes", Message("advanced.action.torpedoes"), 2),
    ]
    # 71.1: three ships are prone to jams.
    assert [(each.kind, each.strength) for each in RULEBOOK.offers("Tirpitz")] == [
        ("main", 8),
        ("secondary", 12),
        ("jams", 0),
    ]
    # Boxes without guns are there for damage only (60.3); a carrier may have no main guns.
    assert [each.kind for each in RULEBOOK.offers("Hermione")] == ["main"]
    assert [each.kind for each in RULEBOOK.offers("Victorious")] == ["secondary"]
    assert RULEBOOK.offers("Nemesis") == ()


def test_a_broadside_bears_with_all_turrets_and_sums_its_ledger() -> None:
    seen = preview()
    assert (seen.guns_bearing, seen.guns) == (8, 8)
    assert seen.factor == 5
    assert seen.total == sum(modifier.value for modifier in seen.ledger) == 11
    assert seen.forbidden is None


def test_ahead_only_the_bow_turrets_bear() -> None:
    seen = preview(quadrant=Quadrant.BOW)
    assert {mount.name: mount.bears for mount in seen.mounts} == {
        "A": True,
        "B": True,
        "X": False,
        "Y": False,
    }
    assert (seen.guns_bearing, seen.guns) == (4, 8)


@pytest.mark.parametrize(
    ("changes", "rule", "why"),
    [
        ({"range_yards": 28_001.0}, "61.5", "beyond_all_guns"),
        ({"kind": "secondary", "quadrant": Quadrant.BOW}, "61.4", "no_gun_bears"),
        ({"kind": "secondary", "range_yards": 26_000.0}, "62.42", "beyond_reach"),
    ],
)
def test_what_the_rules_forbid_says_why_and_by_which_rule(
    changes: dict[str, object], rule: str, why: str
) -> None:
    seen = preview(**changes)
    assert seen.rule == rule
    assert seen.forbidden is not None
    assert seen.forbidden.code == f"advanced.forbidden.{why}"
    assert seen.factor is None
    assert seen.ledger == ()


def test_the_preview_is_the_ledger_that_resolves_and_forecasts() -> None:
    """The same fire has the same modifiers by every way through the rules."""
    state = battle()
    fire = replace(PLAIN, range_yards=27_000.0, blocked=True, smoke=True)
    seen = RULEBOOK.check(state, fire)
    events = RULEBOOK.play(state, fire, TypedDice("66")).events
    document = RULEBOOK.document(events)
    assert document["modifier_total"] == seen.total
    assert document["gunnery_factor"] == seen.factor
    assert sum(RULEBOOK.forecast(state, [fire]).hits.values()) == pytest.approx(1.0)


def test_every_condition_can_be_asked_and_counts() -> None:
    plain = preview().total
    for name, question in asked().items():
        if question.table == OPTIONS:  # They change what is hit or spent, not the sum.
            continue
        if question.takes is Takes.NUMBER:
            answers: tuple[str, ...] = (str(int(question.least)), str(int(question.most)))
        elif question.takes is Takes.CHOICE:
            answers = tuple(value for value, _ in question.choices)
        else:
            assert question.takes is Takes.FLAG
            answers = ("true",)
        totals = [preview(**{name: read_answer(question, text, "x")}).total for text in answers]
        assert any(total != plain for total in totals), name


def test_the_usual_condition_changes_nothing() -> None:
    usual = {name: read_answer(each, each.default_text, "x") for name, each in asked().items()}
    assert preview(**usual) == preview()


def test_what_does_not_fit_is_one_clear_line() -> None:
    runner = ShotRunner(RULESET)
    ships = {"firer": {"name": "Hood", "speed": 9}, "target": {"name": "Bismarck", "speed": 9}}
    with pytest.raises(DreyerError) as unknown:
        runner.preview({**ships, "conditions": {"visibilty": 3}})
    assert re.search(r"unknown key .*'visibility'", words(unknown.value))
    for answer in ("9", "-1", "two", "٣", ""):
        with pytest.raises(BadField) as wrong:
            read_answer(asked()["visibility"], answer, "x")
        assert wrong.value.field == "visibility"
        assert wrong.value.expected == Message(
            "schema.between", what=Message("schema.whole"), least=1, most=8
        )
    with pytest.raises(BadField) as wrong:
        read_answer(asked()["night"], "yes", "x")
    assert (wrong.value.field, wrong.value.expected) == ("night", Message("schema.flag"))
    with pytest.raises(UnknownName, match="Bismarck"):
        runner.preview({**ships, "target": {"name": "Bismarck", "type": "Bismark", "speed": 9}})


def test_a_name_with_any_sign_in_it_survives() -> None:
    for name in ('H.M.S. "Hood"', "Köln\\n", "船 №1", "]]"):
        state = battle(Ship(name, name, "british", "Hood"))
        fire = replace(PLAIN, by=name, kind="secondary", quadrant=Quadrant.BOW)
        forbidden = RULEBOOK.check(state, fire).forbidden
        assert forbidden is not None
        assert forbidden["ship"] == ShipRef(name)
        assert name in words(forbidden)
    unprintable = {"name": "a\x7f", "type": "Hood", "speed": 9}
    with refused(DreyerError, match="printable"):
        ShotRunner(RULESET).preview(
            {"firer": unprintable, "target": {"name": "Bismarck", "speed": 9}}
        )
