"""Scenarios: every one that comes with a rulebook can be fought, and a wrong file is told why."""

from itertools import combinations, pairwise

import pytest

from combat.battle_setup import DirectionMethod, SetUpOrder, fit_on_table
from combat.guided_actions import Entrant, Opening, StartingConditions
from combat.rulebooks import get_ruleset
from combat.rulebooks.bismarck_advanced.fire.options import Options
from combat.scenarios import Scenario, all_scenarios, read_scenario, scenario_named
from combat.scene_file import read_scene
from tabletop.errors import DreyerError, UnknownName
from tabletop.messages import Message
from tabletop.scale import Scale
from tabletop.survey import survey
from tabletop.table import Model, Pose, Table
from tests.refusals import refused, said
from web.strings import words

KEYS = tuple(all_scenarios())


def columns_of(scenario: Scenario) -> dict[str, tuple[tuple[str, ...], ...]]:
    return {
        side: tuple(
            tuple(ship.name for ship in scenario.side(side) if ship.column == column)
            for column in sorted({ship.column for ship in scenario.side(side)})
        )
        for side in scenario.sides.keys
    }


def order_of(scenario: Scenario, range_die: int, direction_die: int) -> SetUpOrder:
    assert scenario.attacker is not None
    return SetUpOrder(
        columns_of(scenario),
        {ship.name: ship.type.name for ship in scenario.ships},
        scenario.attacker,
        scenario.visibility,
        scenario.night,
        range_die=range_die,
        direction_die=direction_die,
    )


def models_of(scenario: Scenario, poses: dict[str, Pose]) -> dict[str, Model]:
    ruleset = get_ruleset(scenario.ruleset)
    types, scale = {ship.name: ship.type for ship in scenario.ships}, Scale(scenario.yards_per_inch)
    return {
        name: Model(name, pose, ruleset.base_of(types[name], scale)) for name, pose in poses.items()
    }


def all_set_ups(scenario: Scenario) -> list[dict[str, Pose]]:
    """Where the ships may begin: as written, or for every throw of the dice."""
    if not scenario.by_dice:
        return [{ship.name: ship.pose for ship in scenario.ships if ship.pose is not None}]
    ruleset = get_ruleset(scenario.ruleset)
    assert ruleset.setting_up is not None
    size = scenario.yards_per_inch * scenario.width_inches
    deep = scenario.yards_per_inch * scenario.height_inches
    return [
        fit_on_table(
            ruleset.setting_up().set_up(order_of(scenario, one, other), ruleset.tables).poses,
            size,
            deep,
        )
        for one in range(1, 7)
        for other in range(1, 7)
    ]


def test_there_are_enough_and_each_tells_its_story() -> None:
    assert len(KEYS) >= 6
    assert {"denmark-strait", "final-battle", "north-cape", "river-plate"} <= set(KEYS)
    for scenario in all_scenarios().values():
        assert len(scenario.story) > 150
        assert scenario.victory
        assert scenario.audience
    orders = [scenario.order for scenario in all_scenarios().values()]
    assert all(one < other for one, other in pairwise(orders))


@pytest.mark.parametrize("key", KEYS)
def test_every_scenario_begins_on_the_table_with_no_ship_on_another(key: str) -> None:
    scenario = scenario_named(key)
    ruleset = get_ruleset(scenario.ruleset)
    assert ruleset.battle is not None
    width = scenario.yards_per_inch * scenario.width_inches
    height = scenario.yards_per_inch * scenario.height_inches
    for poses in all_set_ups(scenario):
        assert set(poses) == {ship.name for ship in scenario.ships}
        models = models_of(scenario, poses)
        seen = survey(Table(tuple(models.values()), scenario.smoke), ruleset.table_rules)
        for one, other in combinations(models, 2):
            apart = seen[one, other].range_yards
            assert apart > models[one].base.length_yards, (one, other, apart)
        for pose in poses.values():
            assert 0 <= pose.x_yards <= width
            assert 0 <= pose.y_yards <= height
    opening = Opening(
        title=scenario.title,
        sides=tuple(scenario.sides.keys),
        ships=tuple(
            Entrant(
                name=ship.name,
                type=ship.type.name,
                side=ship.side,
                pose=poses[ship.name],
                marks=ship.marks,
            )
            for ship in scenario.ships
        ),
        conditions=StartingConditions(visibility=scenario.visibility, night=scenario.night),
        divisions=scenario.divisions,
        limits=scenario.limits,
        table_yards=scenario.size_yards,
    )
    rulebook = ruleset.battle(ruleset.tables)
    setup = rulebook.set_up(opening)
    assert rulebook.schemas.setup.read(rulebook.schemas.setup.write(setup)) == setup
    # Commanders are rolled for before the first turn.
    first = 0 if scenario.divisions else 1
    assert rulebook.step(rulebook.begin(setup)).round_number == first


@pytest.mark.parametrize("key", KEYS)
def test_the_starting_range_is_that_of_the_nearest_enemies(key: str) -> None:
    scenario = scenario_named(key)
    if scenario.by_dice or scenario.divisions:
        # Fleets are placed in the first Movement Phase, wherever their models wait.
        return
    assert scenario.starting_range_yards is not None
    (poses,) = all_set_ups(scenario)
    models = models_of(scenario, poses)
    seen = survey(Table(tuple(models.values())), get_ruleset(scenario.ruleset).table_rules)
    nearest = min(
        seen[one.name, other.name].range_yards
        for one in scenario.side("british")
        for other in scenario.side("german")
    )
    assert nearest == pytest.approx(scenario.starting_range_yards, abs=300)


@pytest.mark.parametrize("key", [key for key in KEYS if scenario_named(key).by_dice])
def test_what_the_dice_set_up_is_legal(key: str) -> None:
    scenario = scenario_named(key)
    make_rules = get_ruleset(scenario.ruleset).setting_up
    tables = get_ruleset(scenario.ruleset).tables
    assert make_rules is not None
    rules = make_rules()
    for one in range(1, 7):
        for other in range(1, 7):
            order = order_of(scenario, one, other)
            found = rules.set_up(order, tables)
            assert found.range_yards is not None
            assert found.quadrant is not None
            models = models_of(scenario, fit_on_table(found.poses, 36_000, 24_000))
            assert not rules.check(order, models, found.range_yards, found.quadrant)


def test_dice_are_asked_for_one_by_one() -> None:
    scenario = next(each for each in all_scenarios().values() if each.by_dice)
    ruleset = get_ruleset(scenario.ruleset)
    make_rules = ruleset.setting_up
    assert make_rules is not None
    rules = make_rules()
    order = order_of(scenario, 1, 1)
    nothing = SetUpOrder(order.columns, order.types, order.attacker)
    found = rules.set_up(nothing, ruleset.tables)
    assert found.distance.wants_die
    assert found.direction.wants_die
    assert not found.poses
    shadowed = SetUpOrder(
        order.columns, order.types, order.attacker, coming=DirectionMethod.SHADOWING
    )
    found = rules.set_up(shadowed, ruleset.tables)
    assert found.distance.wants_die
    assert found.direction.answer == Message("advanced.setup.quadrant.stern")
    zones = SetUpOrder(order.columns, order.types, order.attacker, coming=DirectionMethod.ZONES)
    with pytest.raises(DreyerError, match=r"advanced\.setup\.zones_wanted"):
        rules.set_up(zones, ruleset.tables)


def test_a_ship_out_of_place_is_said_with_its_rule() -> None:
    scenario = scenario_named("tirpitz-sorties")
    make_rules = get_ruleset(scenario.ruleset).setting_up
    assert make_rules is not None
    rules = make_rules()
    order = order_of(scenario, 4, 3)
    found = rules.set_up(order, get_ruleset(scenario.ruleset).tables)
    assert found.range_yards is not None
    assert found.quadrant is not None
    poses = fit_on_table(found.poses, 36_000, 24_000)
    poses["Hood"] = poses["Hood"].moved(ahead_yards=6000)
    told = rules.check(order, models_of(scenario, poses), found.range_yards, found.quadrant)
    assert any("Hood" in words(line.text) and line.reference.startswith("55") for line in told)


def test_a_table_too_small_is_said() -> None:
    poses = {"Hood": Pose(0, 0, 0), "Bismarck": Pose(0, 26_000, 0)}
    with pytest.raises(DreyerError, match=r"combat\.setup\.table_too_small"):
        fit_on_table(poses, 20_000, 12_000)
    fitted = fit_on_table(poses, 36_000, 24_000)
    assert all(0 < pose.x_yards < 36_000 and 0 < pose.y_yards < 24_000 for pose in fitted.values())


def test_a_scenario_with_places_is_a_scene_too() -> None:
    ruleset = get_ruleset("bismarck-advanced")
    scene = read_scene(ruleset.scenario_files["north_cape.toml"], "north_cape.toml")
    assert scene.ships["Duke of York"].name == "King George V"


def test_a_scenario_may_number_its_hidden_ships() -> None:
    text = START + HOOD + "number = 7\n" + BISMARCK
    assert [ship.number for ship in read_scenario(text.encode(), "trial.toml").ships] == [7, None]
    assert read_scene(text.encode(), "trial.toml").ships["Hood"].name == "Hood"


START = 'title = "Trial"\n[scenario]\ndate = "d"\nstory = "s"\nvictory = "v"\naudience = "a"\n'
HOOD = '[[ship]]\nname = "Hood"\nx = 1\ny = 1\nheading = 0\n'
BISMARCK = '[[ship]]\nname = "Bismarck"\nx = 9000\ny = 9000\nheading = 0\n'
FIVE_SIDES = "".join(
    f'[[side]]\nkey = "{key}"\nletter = "{key[-1]}"\n' for key in ("s1", "s2", "s3", "s4", "s5")
) + "".join(
    f'[[ship]]\nname = "{name}"\nside = "s{number}"\nx = {number}000\ny = 1000\nheading = 0\n'
    for number, name in enumerate(("Hood", "Renown", "Repulse", "Bismarck", "Tirpitz"), start=1)
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (START + HOOD, "from 2 to 60"),
        (START + HOOD + HOOD, "a name"),
        (START + HOOD + BISMARCK.replace("Bismarck", "Renown"), "german has no ship"),
        (START + HOOD + BISMARCK.replace("9000", "99000"), "off the table"),
        (START + HOOD + '[[ship]]\nname = "Bismarck"\n', "Bismarck has no place"),
        (START + 'attacker = "german"\n' + HOOD + BISMARCK, "Hood has a place"),
        (START + HOOD + BISMARCK.replace("Bismarck", "Bismark"), "Bismarck"),
        (START + HOOD + '[[ship]]\nname = "Dunkerque"\nx = 5\ny = 5\nheading = 0\n', "side"),
        (START.replace("story", "storey") + HOOD + BISMARCK, "story"),
        (START + "visibility = 9\n" + HOOD + BISMARCK, "visibility"),
        (START + HOOD + "[ship.state]\nhull_lots = 1\n" + BISMARCK, "hull_lost"),
        (START + HOOD + "[ship.state]\nhull_lost = -1\n" + BISMARCK, "hull_lost"),
        (START + HOOD + "[ship.state]\nhull_lost = 99\n" + BISMARCK, "from 0 to 10, got 99"),
        (START + HOOD + "[ship.state]\nhull_lost = inf\n" + BISMARCK, "hull_lost"),
        (START + HOOD + "[ship.state]\nmovement_factors_lost = 99\n" + BISMARCK, "from 0 to 10"),
        (START + HOOD + "[ship.state]\nammunition.main = 99999\n" + BISMARCK, "from 0 to 720"),
        (START + HOOD + "state = 3\n" + BISMARCK, "ship.state"),
        (START + HOOD + "number = 0\n" + BISMARCK, "number"),
        (START + HOOD + "number = 7\n" + BISMARCK + "number = 7\n", "number"),
        (START + FIVE_SIDES, "at most 4 sides"),
        ("title = ", "not a TOML file"),
    ],
)
def test_a_wrong_file_is_told_in_one_line(text: str, words: str) -> None:
    with refused(DreyerError, match=words) as fault:
        read_scenario(text.encode(), "trial.toml")
    assert said(fault.value).startswith("trial.toml")
    assert "\n" not in said(fault.value)


def test_an_unknown_scenario_offers_the_nearest() -> None:
    with refused(UnknownName, match="denmark-strait"):
        scenario_named("denmark-strai")


OPTIONS = b"""
title = "Fog"
[scenario]
date = "1941"
story = "Two ships."
victory = "None."
audience = "Nobody."
visibility = "X"
[options]
fight_at_visibility_x = true
ammunition_by_turret = true
[[ship]]
name = "Hood"
x = 1000
y = 1000
heading = 0
[[ship]]
name = "Bismarck"
x = 9000
y = 9000
heading = 0
"""


def test_a_scenario_has_optional_rules_and_is_a_scene_all_the_same() -> None:
    scenario = read_scenario(OPTIONS, "fog.toml")
    assert scenario.visibility == "X"
    assert scenario.options == Options(fight_at_visibility_x=True, ammunition_by_turret=True)
    scene = read_scene(OPTIONS, "fog.toml")
    assert len(scene.table.models) == 2
    assert scene.options == scenario.options
    plain = (
        OPTIONS.replace(b"[options]\nfight_at_visibility_x = true\n", b"")
        .replace(b"ammunition_by_turret = true\n", b"")
        .replace(b'visibility = "X"', b"visibility = 8")
    )
    assert read_scenario(plain, "fog.toml").options is None


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (b"ammunition_by_turret", b"ammunition_by_turet", "'ammunition_by_turret'"),
        (b"ammunition_by_turret = true", b"ammunition_by_turret = 1", "fog.toml, [options]"),
        (b'visibility = "X"', b'visibility = "Y"', "fog.toml, [scenario]: visibility"),
    ],
)
def test_a_wrong_option_is_told_with_its_place(old: bytes, new: bytes, told: str) -> None:
    with pytest.raises(DreyerError) as wrong:
        read_scenario(OPTIONS.replace(old, new), "fog.toml")
    assert told in words(wrong.value)
