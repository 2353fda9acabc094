"""Shot files: one action and its ships, read, refused and described."""

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combat.dice import TypedDice
from combat.previews import Forbidden
from combat.rulebooks import get_ruleset
from combat.rulebooks.arctic_disaster.actions import (
    AirAttack,
    Aircraft,
    Gunfire,
    Marks,
    Search,
    Tactical,
)
from combat.shot_file import Answers, Shot, ShotForm, forecast_shots, resolve_shot
from tabletop.errors import BadField, DreyerError, UnknownName
from tabletop.places import DocumentPlace
from tests.combat.free_battles import rulebook_of
from tests.refusals import refused, said

RULEBOOK = rulebook_of(get_ruleset("arctic-disaster"))
FORM = ShotForm(RULEBOOK)
SHOT = """
ruleset = "arctic-disaster"
[firer]
name = "Tirpitz"
state = { damage = 1, torpedoes_fired = true }
[target]
name = "My London"
type = "London"
[fire]
battery = "secondary"
[conditions]
range_areas = 3
smoke = true
tactical = "-2"
"""


def read(text: str) -> Shot[Any]:
    return FORM.read(tomllib.loads(text), "shot.toml")


# Reading


def test_a_shot_is_a_battle_of_its_ships_and_an_action() -> None:
    shot = read(SHOT)
    assert shot.action == Gunfire(
        kind="secondary",
        by="Tirpitz",
        at="My London",
        range_areas=3,
        smoke=True,
        tactical=Tactical.MINUS,
    )
    assert [(ship.name, ship.type, ship.side) for ship in shot.state.ships] == [
        ("Tirpitz", "Tirpitz", "firer"),
        ("My London", "London", "target"),
    ]
    assert shot.state.marks["Tirpitz"] == Marks(damage=1, torpedoes_fired=True)
    assert shot.state.marks["My London"] == Marks()
    assert shot.source == DocumentPlace("shot.toml")


def test_what_is_not_said_is_as_usual() -> None:
    shot = read('firer.name = "Admiral Hipper"\ntarget.type = "London"')
    assert shot.action == Gunfire(kind="main", by="Admiral Hipper", at="London")
    assert shot.state.ship("Admiral Hipper").type == "Hipper"


def test_ships_that_take_no_part_are_not_there() -> None:
    shot = read(SHOT.replace("secondary", "search"))
    assert shot.state.ships == ()
    assert shot.action == Search(tactical=Tactical.MINUS)
    attacked = read(SHOT.replace("secondary", "air"))
    assert [ship.name for ship in attacked.state.ships] == ["My London"]
    assert attacked.action == AirAttack(
        at="My London", aircraft=Aircraft.JU_88, tactical=Tactical.MINUS
    )


def test_two_ships_of_one_class_may_meet_and_one_ship_not_herself() -> None:
    shot = read('firer.name = "Soviet destroyer"\ntarget.name = "Soviet destroyer"')
    assert len({ship.id for ship in shot.state.ships}) == 2
    assert {ship.name for ship in shot.state.ships} == {"Soviet destroyer"}
    with refused(DreyerError, match="another ship"):
        read('firer.name = "London"\ntarget.name = "London"')
    named = read('firer = { name = "A", type = "London" }\ntarget.name = "London"')
    assert [ship.id for ship in named.state.ships] == ["A", "London"]


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("conditions.fogg = true", DreyerError, r"\[conditions\]: unknown key 'fogg'.* is 'fog'"),
        ("weather.fog = true", DreyerError, "shot.toml: unknown key 'weather'"),
        ("conditions.fog = 1", BadField, r"\[conditions\]: fog: expected true or false, got 1"),
        ("conditions.range_areas = true", BadField, "range_areas: expected a whole number from 0"),
        ('fire.battery = "mane"', BadField, r"\[fire\]: battery: .* did you mean 'main'"),
        ('conditions.tactical = "3"', BadField, "tactical: expected one of 0, 2, -2, got the text"),
        ('target.name = "London"', BadField, r"\[firer\]: name: expected a ship, got nothing"),
        ('firer.name = "Lundon"', UnknownName, r"\[firer\]: unknown ship .* 'London'"),
        ('firer.nam = "London"', DreyerError, r"\[firer\]: unknown key 'nam'.* is 'name'"),
        ("firer.state.damage = 12", BadField, r"\[firer\], \[state\]: damage: .* 0 to 11, got 12"),
        ("firer.state.torpedoes_fired = 1", BadField, "torpedoes_fired: expected true or false"),
        ("firer.state.torpedo_fired = true", DreyerError, "is 'torpedoes_fired'"),
        ('fire.battery = "search"\ntarget.name = 3', BadField, r"\[target\]: name: .* got 3"),
        ('fire.battery = "search"\ntarget.state.damage = -1', BadField, r"damage: .* got -1"),
        ('fire.battery = "search"\nconditions.moved = 2', BadField, "moved: expected true or"),
        ("fire = 3", BadField, r"fire: expected a table, written \[fire\], got 3"),
    ],
)
def test_what_is_wrong_is_named(text: str, error: type[DreyerError], message: str) -> None:
    with refused(error, match=message) as found:
        read(text)
    assert said(found.value).startswith("shot.toml")
    assert "\n" not in said(found.value)


@given(
    st.recursive(
        st.one_of(st.booleans(), st.integers(-3, 50), st.text(max_size=4)),
        lambda inner: st.dictionaries(
            st.sampled_from(
                ["firer", "target", "fire", "conditions", "name", "type", "state", "damage", "fog"]
            ),
            inner,
            max_size=4,
        ),
        max_leaves=12,
    )
)
def test_any_document_is_read_or_refused_in_words(document: Any) -> None:
    if not isinstance(document, dict):
        return
    try:
        shot = FORM.read(document, "x")
    except DreyerError as error:
        assert said(error).startswith("x")  # noqa: PT017 - either is right
    else:
        assert isinstance(shot.action.kind, str)


# States, and answers without their tables


def test_a_state_of_which_nothing_is_said_is_none() -> None:
    assert FORM.read_marks({}, "x") is None
    assert FORM.read_marks({"damage": 2}, "x") == Marks(damage=2)


@given(
    st.builds(
        Marks,
        damage=st.integers(0, 11),
        move_lost=st.integers(0, 9),
        guns_lost=st.integers(0, 20),
        torpedoes_fired=st.booleans(),
    )
)
def test_a_state_is_read_as_it_was_written(marks: Marks) -> None:
    ship = read(SHOT).state.ship("Tirpitz")
    document = RULEBOOK.state_document(ship, marks)
    assert FORM.read_marks(document, "x") == marks


def test_answers_make_an_action() -> None:
    answers = {"range_areas": 2, "fog": True}
    more: Answers = {("conditions", "moved"): True}
    action = FORM.action("main", "a", "b", answers, "x", more)
    assert action == Gunfire(kind="main", by="a", at="b", range_areas=2, fog=True, moved=True)
    with refused(BadField, match="here: fog: expected true or false, got the text 'yes'"):
        FORM.action("main", "a", "b", {"fog": "yes"}, "here")


# Playing


def test_a_shot_is_resolved_and_forecast() -> None:
    shot = read(SHOT)
    outcome = resolve_shot(RULEBOOK, shot, TypedDice("5"))
    document = RULEBOOK.document(outcome.events)
    assert (document["battery"], document["dice"]) == ("secondary", "5")
    forecast = forecast_shots(RULEBOOK, [shot, shot])
    assert sum(forecast.hits.values()) == pytest.approx(1, abs=1e-12)


def test_a_shot_that_is_forbidden_names_its_file_and_rule() -> None:
    shot = read(SHOT.replace("secondary", "torpedoes"))
    for attempted in (
        lambda: resolve_shot(RULEBOOK, shot, TypedDice("5")),
        lambda: forecast_shots(RULEBOOK, [shot]),
    ):
        with refused(Forbidden, match=r"^shot\.toml: .* \(11\.4\.7\)$") as refusal:
            attempted()
        assert refusal.value.rule == "11.4.7"


def test_shots_that_are_forecast_together_have_one_target() -> None:
    other = read(SHOT.replace('"London"', '"Norfolk"'))
    with refused(DreyerError, match=r"target: expected My London of shot\.toml"):
        forecast_shots(RULEBOOK, [read(SHOT), other])


# Describing


def test_every_key_is_described_with_what_it_takes() -> None:
    keys = {key.name: key for key in FORM.describe()}
    assert list(keys)[:4] == ["ruleset", "edition", "firer.name", "firer.type"]
    assert said(keys["fire.battery"].default) == "main"
    assert {"main", "secondary", "torpedoes"} <= {*said(keys["fire.battery"].takes).split(", ")}
    areas = keys["conditions.range_areas"]
    assert (said(areas.default), said(areas.takes)) == ("5", "a whole number from 0 to 20")
    assert said(areas.meaning) == "range in areas (11.4.4); for main, secondary, torpedoes"
    for role in ("firer", "target"):
        spent = keys[f"{role}.state.torpedoes_fired"]
        assert (said(spent.takes), said(spent.default)) == ("true or false", "false")


def test_what_does_not_fit_the_ships_is_named_with_its_file() -> None:
    rulebook = rulebook_of(get_ruleset("grand-fleets"))
    form = ShotForm(rulebook)
    document: dict[str, Any] = {
        "firer": {"name": "Iron Duke"},
        "target": {"name": "Pensacola"},
        "fire": {"battery": "guns 3", "range_yards": 9000, "quadrant": "bow", "aspect": "bow"},
    }
    shot = form.read(document, "shot.toml")
    words = r"^shot\.toml, \[fire\]: battery: expected a battery of Iron Duke: guns 1, .*, got guns"
    with refused(BadField, match=words):
        resolve_shot(rulebook, shot, TypedDice("1"))
    with refused(BadField, match=words):
        forecast_shots(rulebook, [shot])
    del document["fire"]["quadrant"]
    with refused(BadField, match=r"\[fire\]: quadrant: expected one of bow, .* is missing"):
        form.read(document, "shot.toml")
