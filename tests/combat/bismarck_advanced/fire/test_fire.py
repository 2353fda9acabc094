"""Any fire at all: it is resolved or refused, told the same way twice, and only ever does harm."""

import json
import random
from dataclasses import fields
from datetime import timedelta

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from combat.dice import RolledDice, TypedDice
from combat.rulebooks.bismarck_advanced.combat_tables import CombatTables
from combat.rulebooks.bismarck_advanced.fire.fire_report import document, fire_events, story
from combat.rulebooks.bismarck_advanced.fire.gunnery import FireReport, resolve_fire
from combat.rulebooks.bismarck_advanced.fire.shot import Crew
from combat.rulebooks.bismarck_advanced.fleet.vessel import QUARTERS, Vessel
from combat.rulebooks.bismarck_advanced.fleet.warship_files import load_warships
from combat.rulebooks.bismarck_advanced.fleet.warships import Warship
from combat.rulebooks.bismarck_advanced.guns import Battery
from combat.rulebooks.bismarck_advanced.movement.evolution import Evolution
from tabletop.arcs import Quadrant
from tabletop.errors import DreyerError
from tests.combat.bismarck_advanced.shot_files import RULESET, read_shot
from tests.combat.shot_runner import ShotRunner, Told
from web.strings import json_words, words

DESK = ShotRunner(RULESET)
CARD = CombatTables.of(RULESET.tables)
SHIPS = list(load_warships())
ANY_FIRE = settings(max_examples=70, deadline=timedelta(seconds=2))


def quarters(boxes: int) -> st.SearchStrategy[float]:
    return st.integers(0, boxes * QUARTERS).map(lambda count: count / QUARTERS)


@st.composite
def states(draw: st.DrawFn, ship: Warship) -> dict[str, object]:
    """Anything that may stand on a record sheet, sunk included."""
    turrets = [turret.name for turret in ship.turrets]
    secondaries = [turret.name for turret in ship.secondaries]
    state: dict[str, object] = {
        "hull_lost": draw(quarters(ship.hull_boxes)),
        "superstructure_lost": draw(quarters(ship.superstructure_boxes)),
        "turrets_lost": {t.name: draw(quarters(t.boxes)) for t in ship.turrets},
        "turrets_out": [name for name in turrets if draw(st.booleans()) and draw(st.booleans())],
        "secondaries_lost": [name for name in secondaries if draw(st.booleans())],
        "movement_factors_lost": draw(st.integers(0, ship.movement_factor)),
        "command_modifier": draw(st.integers(0, 6)),
    }
    for key in ("director_destroyed", "plot_destroyed", "radar_lost"):
        state[key] = draw(st.booleans())
    return {key: value for key, value in state.items() if draw(st.booleans())}


@st.composite
def shot_files(draw: st.DrawFn) -> str:
    """A well-formed shot file; whether the rules allow the fire is another matter."""
    lines = []
    for role in ("firer", "target"):
        ship = draw(st.sampled_from(SHIPS))
        speed = draw(st.integers(0, ship.movement_factor))
        lines += [f"[{role}]", f'name = "{ship.name}"', f"speed = {speed}", f"[{role}.state]"]
        lines += [f"{key} = {toml(value)}" for key, value in draw(states(ship)).items()]
    lines += [
        "[fire]",
        f"battery = {toml(draw(st.sampled_from(list(Battery))))}",
        f"range_yards = {draw(st.integers(0, 14_000) | st.integers(0, 29_000))}",
        f"quadrant = {toml(draw(st.sampled_from(list(Quadrant))))}",
        f"aspect = {toml(draw(st.sampled_from(list(Quadrant))))}",
        f"held_back = {toml(draw(st.booleans()))}",
    ]
    if draw(st.booleans()):
        lines.append(f"guns = {draw(st.integers(1, 9))}")
    flags = (
        "night", "first_fire_at_target", "hit_target_last_segment", "hit_last_segment",
        "under_fire", "several_targets", "several_firers", "firer_smoke_cover",
        "target_smoke_cover",
    )  # fmt: skip
    lines += ["[conditions]"]
    lines += [
        f"{flag} = {toml(not default)}"
        for flag, default in draw(
            st.lists(
                st.sampled_from([(flag, flag == "first_fire_at_target") for flag in flags]),
                max_size=4,
                unique=True,
            )
        )
    ]
    lines += [
        f"visibility = {draw(st.integers(1, 8))}",
        f"crew = {toml(draw(st.sampled_from(list(Crew))))}",
        f"target_evolution = {toml(draw(st.sampled_from(list(Evolution))))}",
        "[options]",
        f"radar_lost_with_superstructure = {toml(draw(st.booleans()))}",
        f"factors_past_the_table_add_up = {toml(draw(st.booleans()))}",
    ]
    return "\n".join(lines)


def toml(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {toml(item)}" for key, item in value.items()) + "}"
    return json.dumps(value)


def rolled(data: str, seed: int) -> Told:
    return DESK.resolve(data, RolledDice(random.Random(seed)))


def fired(data: str, seed: int) -> FireReport:
    shot, options = read_shot(data.encode(), "shot.toml")
    return resolve_fire(shot, RolledDice(random.Random(seed)), CARD, options=options)


@ANY_FIRE
@given(data=shot_files(), seed=st.integers(0, 2**32))
def test_the_same_dice_tell_the_same_story(data: str, seed: int) -> None:
    """Roll, write the dice down, type them in: the report is the same to the letter."""
    report, refusal = None, None
    try:
        report = rolled(data, seed)
    except DreyerError as refused:
        refusal = refused.message
    if report is None:
        assert refusal is not None
        assert "\n" not in words(refusal)
        with pytest.raises(DreyerError) as again:
            DESK.forecast([data])
        assert again.value.message == refusal
        return
    document = json.loads(json.dumps(report.document, allow_nan=False, default=json_words))
    dice = [document["dice"] or "", *(hit["dice"] for hit in document["hit_results"])]
    typed = TypedDice(" ".join(dice))
    assert DESK.resolve(data, typed) == report
    typed.finish()
    assert len(document["hit_results"]) == document["hits"]
    assert document["modifier_total"] == sum(line["value"] for line in document["modifiers"])
    assert all(words(line.text) for line in report.story)


@ANY_FIRE
@given(data=shot_files(), seed=st.integers(0, 2**32))
def test_damage_only_ever_grows_and_never_past_the_boxes(data: str, seed: int) -> None:
    try:
        report = fired(data, seed)
    except DreyerError:
        assume(False)
    before, after = report.shot.target, report.target_after
    within_the_boxes(after)
    assert after.hull_lost >= before.hull_lost
    assert after.superstructure_lost >= before.superstructure_lost
    assert after.secondaries_lost >= before.secondaries_lost
    assert after.movement_factor <= before.movement_factor
    assert after.command_modifier >= before.command_modifier
    for flag in ("director_destroyed", "plot_destroyed", "radar_lost", "is_sunk"):
        assert getattr(after, flag) >= getattr(before, flag), flag
    for old, new in zip(before.turrets, after.turrets, strict=True):
        assert new.lost_quarters >= old.lost_quarters
        assert new.destroyed >= old.destroyed
        assert new.out_for_phases >= old.out_for_phases
        assert new.out_for_battle >= old.out_for_battle
    assert (after.main_ammunition, after.secondary_ammunition) == (
        before.main_ammunition,
        before.secondary_ammunition,
    )
    if not report.hits:
        assert after == before


def within_the_boxes(ship: Vessel) -> None:
    assert 0 <= ship.hull_lost <= ship.hull_quarters
    assert 0 <= ship.superstructure_lost <= ship.warship.superstructure_boxes * QUARTERS
    assert ship.secondaries_lost <= {turret.name for turret in ship.warship.secondaries}
    for turret, state in zip(ship.warship.turrets, ship.turrets, strict=True):
        assert 0 <= state.lost_quarters <= turret.boxes * QUARTERS
        if turret.boxes:
            assert state.destroyed is (state.lost_quarters == turret.boxes * QUARTERS)


@ANY_FIRE
@given(data=shot_files(), seed=st.integers(0, 2**32))
def test_the_firer_only_loses_what_she_fires(data: str, seed: int) -> None:
    try:
        report = fired(data, seed)
    except DreyerError:
        assume(False)
    before, after, battery = report.shot.firer, report.firer_after, report.shot.battery
    changed = {
        field.name
        for field in fields(before)
        if getattr(before, field.name) != getattr(after, field.name)
    }
    assert changed <= {f"{battery}_ammunition", "turret_spent"}
    assert before.ammunition(battery) - after.ammunition(battery) == report.ammunition_spent > 0
    assert report.ammunition_left == after.ammunition(battery) >= 0
    assert report.hits <= report.gunnery_factor


EXAMPLE = """
[firer]
name = "Hood"
speed = 9
[target]
name = "Prinz Eugen"
speed = 9
[fire]
range_yards = 26000
quadrant = "bow"
aspect = "port"
"""


def test_the_worked_example_as_a_document() -> None:
    document = DESK.resolve(EXAMPLE, TypedDice("12")).document
    assert {key: value for key, value in document.items() if key != "modifiers"} == {
        "gunnery_factor": 1,
        "segment": "extreme",
        "modifier_total": 20,
        "dice": "12",
        "row": "44",
        "hits": 0,
        "hit_results": [],
        "ammunition": {"spent": 6, "remaining": 714},
        "provenance": "reconstructed",
    }


def test_the_worked_example_as_a_story() -> None:
    story = [words(line.text) for line in DESK.resolve(EXAMPLE, TypedDice("12")).story]
    assert story[0] == "Hood fires 4 main guns at Prinz Eugen, 26,000 yards, extreme range"
    assert "Gunnery factor 1" in story
    assert "Roll 12 +20: row 44, miss" in story
    assert story[-1] == "Ammunition: 6 spent, 714 left"
    values = [text.split()[1] for text in story if text.split()[1].startswith(("+", "-"))]
    assert values[:4] == ["+18", "+3", "-2", "+1"]


def test_a_story_tells_each_hit() -> None:
    data = EXAMPLE.replace("26000", "3000").replace('"Prinz Eugen"', '"Bismarck"')
    data += "guns = 1\n"
    shot, options = read_shot(data.encode(), "s")
    typed = TypedDice("21 14 24 1 12 65 5")
    report = resolve_fire(shot, typed, CARD, options=options)
    typed.finish()
    events = tuple(fire_events(report, "Hood", "Bismarck"))
    lines = [line.text for line in story(events)]
    told = [words(text) for text in lines if text.code == "advanced.fire.hit"]
    assert report.hits == len(told) == 4
    assert told[0] == "Hit 1: superstructure: 1 superstructure box"
    assert told[1] == (
        'Hit 2: secondary turret P1, 16" penetration against 4": '
        "secondary turret P1 destroyed (64.35)"
    )
    assert told[2].startswith('Hit 3: hull, 16" penetration against 16": 1 hull box')
    assert "no turns until repaired" in told[3]
    results = document(events)["hit_results"]
    assert isinstance(results, list)
    assert [hit["dice"] for hit in results] == ["14", "24 1", "12", "65 5"]
