"""From what the table says to a shot file, and a fire shown before it is rolled."""

import pytest

from combat.report import Facts, FireRules, Takes
from combat.ruleset import Ruleset
from combat.rulesets import get_ruleset
from tabletop.arcs import Quadrant
from tabletop.errors import BadField, DreyerError, UnknownName


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return get_ruleset("bismarck-advanced")


@pytest.fixture(scope="module")
def fire(rules: Ruleset) -> FireRules:
    assert rules.fire is not None
    return rules.fire


def facts(**changes: object) -> Facts:
    plain = {
        "firer": "Mighty Hood",
        "firer_type": "Hood",
        "target": "Bismarck",
        "target_type": "Bismarck",
        "range_yards": 18_000.0,
        "quadrant": Quadrant.STARBOARD,
        "aspect": Quadrant.PORT,
    }
    return Facts(**{**plain, **changes})  # type: ignore[arg-type]


def test_batteries_are_those_with_guns_and_none_for_a_stranger(fire: FireRules) -> None:
    assert [(each.name, each.title, each.guns) for each in fire.batteries("Hood")] == [
        ("main", "Main", 8),
        ("secondary", "Secondary", 14),
    ]
    # Boxes without guns are there for damage only (60.3); a carrier may have no main guns.
    assert [each.name for each in fire.batteries("Hermione")] == ["main"]
    assert [each.name for each in fire.batteries("Victorious")] == ["secondary"]
    assert fire.batteries("Nemesis") == ()


def test_a_broadside_bears_with_all_turrets_and_sums_its_ledger(
    fire: FireRules, rules: Ruleset
) -> None:
    preview = fire.preview(fire.shot(facts()), rules.tables)
    assert (preview.guns_bearing, preview.guns) == (8, 8)
    assert preview.factor == 5
    assert preview.total == sum(modifier.value for modifier in preview.ledger) == 11
    assert preview.forbidden == ""


def test_ahead_only_the_bow_turrets_bear(fire: FireRules, rules: Ruleset) -> None:
    preview = fire.preview(fire.shot(facts(quadrant=Quadrant.BOW)), rules.tables)
    assert {mount.name: mount.bears for mount in preview.mounts} == {
        "A": True,
        "B": True,
        "X": False,
        "Y": False,
    }
    assert (preview.guns_bearing, preview.guns) == (4, 8)


@pytest.mark.parametrize(
    ("changes", "rule", "words"),
    [
        ({"range_yards": 28_001.0}, "61.5", "28,000"),
        ({"battery": "secondary", "quadrant": Quadrant.BOW}, "61.4", "bow"),
        ({"battery": "secondary", "range_yards": 26_000.0}, "62.42", "reach"),
    ],
)
def test_what_the_rules_forbid_says_why_and_by_which_rule(
    fire: FireRules, rules: Ruleset, changes: dict[str, object], rule: str, words: str
) -> None:
    preview = fire.preview(fire.shot(facts(**changes)), rules.tables)
    assert preview.rule == rule
    assert words in preview.forbidden
    assert preview.factor is None
    assert preview.ledger == ()


def test_the_preview_is_the_ledger_that_resolves_and_forecasts(
    fire: FireRules, rules: Ruleset
) -> None:
    """The same shot file gives the same modifiers by every way through the rules."""
    from combat.dice import TypedDice

    file = fire.shot(facts(range_yards=27_000.0, blocked=True, smoke=True))
    preview = fire.preview(file, rules.tables)
    report = fire.resolve(file, TypedDice("66"), rules.tables)
    assert report.document["modifier_total"] == preview.total
    assert report.document["gunnery_factor"] == preview.factor
    assert sum(fire.forecast([file], rules.tables).hits.values()) == pytest.approx(1.0)


def test_every_condition_can_be_asked_and_counts(fire: FireRules, rules: Ruleset) -> None:
    plain = fire.preview(fire.shot(facts()), rules.tables).total
    for condition in fire.conditions("Hood", "Bismarck"):
        answers = {
            Takes.FLAG: ("true",),
            Takes.NUMBER: (str(condition.least), str(condition.most)),
            Takes.CHOICE: tuple(value for value, _ in condition.choices),
        }[condition.takes]
        totals = [
            fire.preview(
                fire.shot(facts(conditions=((condition.name, answer),))), rules.tables
            ).total
            for answer in answers
        ]
        assert any(total != plain for total in totals), condition.name


def test_the_usual_condition_changes_nothing(fire: FireRules, rules: Ruleset) -> None:
    usual = tuple((each.name, each.usual) for each in fire.conditions("Hood", "Bismarck"))
    said = fire.preview(fire.shot(facts(conditions=usual)), rules.tables)
    assert said == fire.preview(fire.shot(facts()), rules.tables)


def test_what_does_not_fit_is_one_clear_line(fire: FireRules) -> None:
    with pytest.raises(UnknownName, match=r"visibility"):
        fire.shot(facts(conditions=(("conditions.visibilty", "3"),)))
    for answer in ("9", "-1", "two", "٣", ""):
        with pytest.raises(BadField, match="Visibility level: expected a whole number from 1 to 8"):
            fire.shot(facts(conditions=(("conditions.visibility", answer),)))
    with pytest.raises(BadField, match="Night: expected true or false"):
        fire.shot(facts(conditions=(("conditions.night", "yes"),)))
    with pytest.raises(UnknownName, match="Bismarck"):
        fire.shot(facts(target_type="Bismark"))


def test_a_name_with_any_sign_in_it_survives(fire: FireRules, rules: Ruleset) -> None:
    for name in ('H.M.S. "Hood"', "Köln\\n", "船 №1", "]]"):
        file = fire.shot(facts(firer=name, battery="secondary", quadrant=Quadrant.BOW))
        assert name in fire.preview(file, rules.tables).forbidden
    with pytest.raises(DreyerError, match="printable"):
        fire.preview(fire.shot(facts(firer="a\x7f")), rules.tables)
