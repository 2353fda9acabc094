"""Each rule with a figure computed by hand, what is forbidden, marks, sheets, and a whole fight."""

import random
from pathlib import Path

import pytest

from combat.dice import RolledDice
from combat.participants import Ship
from combat.record_sheets import RecordSheet
from combat.rulebooks.arctic_disaster import load
from combat.rulebooks.arctic_disaster.actions import Marks
from tabletop.errors import DreyerError
from tabletop.messages import Message, ShipRef
from tests.combat.shot_runner import ShotRunner, texts
from tests.refusals import refused
from web.strings import words

RULES = load()
TABLES = RULES.tables
DESK = ShotRunner(RULES)
assert RULES.rulebook is not None
RULEBOOK = RULES.rulebook(TABLES)
GOLDEN = Path(__file__).parent / "golden_fight.txt"


LONDON = 'target.name = "London"\nconditions.range_areas = 1\n'


@pytest.mark.parametrize(
    ("text", "dice", "damage"),
    [
        # Tirpitz, column 12, no modifier at one area: 6 is two points, starred.
        ('firer.name = "Tirpitz"\n' + LONDON, "5", 1),
        ('firer.name = "Tirpitz"\n' + LONDON, "6 1", 2),
        ('firer.name = "Tirpitz"\n' + LONDON, "6 9", 3),
        ('firer.name = "Tirpitz"\n' + LONDON, "0 0", 6),
        # A destroyer against her, column 5: two points become one, and still strike hard.
        ('firer = { name = "Z-24", type = "German destroyer" }\n' + LONDON, "9 1", 1),
        # Her secondary battery of 7 is light: one point stays one, two become one.
        ('firer.name = "Tirpitz"\nfire.battery = "secondary"\n' + LONDON, "8 1", 1),
        # Torpedoes: one point, doubled.
        ('firer = { name = "Z-24", type = "German destroyer" }\nfire.battery = "torpedoes"\n'
         + LONDON, "6", 2),
        # A cruiser's guns at a battleship: three points become two.
        ('firer.name = "Wichita"\ntarget.name = "Tirpitz"\nconditions.range_areas = 1', "9 1", 2),
    ],
)  # fmt: skip
def test_points_of_a_blow(text: str, dice: str, damage: int) -> None:
    assert DESK.resolve(text, dice).document["damage"] == damage


def test_the_marks_afterwards_carry_a_fight_on() -> None:
    report = DESK.resolve('firer.name = "Tirpitz"\n' + LONDON, "6 8")
    marks = {"damage": 2, "move_lost": 0, "guns_lost": 2, "torpedoes_fired": False}
    assert report.marks["target"] == marks
    assert report.changed == {"target"}
    after = {"name": "London", "state": report.marks["target"]}
    preview = DESK.preview({"firer": after, "target": {"name": "Hipper"}})
    # Half of 8 factors after two hits of four, less the two of the critical hit.
    assert preview.factor == 2


def test_torpedoes_are_gone_once_fired() -> None:
    text = 'firer.name = "Hipper"\nfire.battery = "torpedoes"\n' + LONDON
    report = DESK.resolve(text, "1")
    assert report.marks["firer"]["torpedoes_fired"] is True
    assert report.document["hits"] == 0


def test_an_air_unit_that_loses_a_step_attacks_with_its_reduced_side() -> None:
    # Column 12: 8 takes 3 and a step; Ju-88 reduced is column 2, 10 - 3 - 1 = 6 misses there.
    report = DESK.resolve('target.name = "Victorious"\nfire.battery = "air"', "8 0")
    assert report.document["totals"] == [8, 6]
    assert report.document["endings"] == ["air unit loses a step"]


def test_an_air_unit_that_is_destroyed_does_not_attack() -> None:
    report = DESK.resolve('target.name = "Victorious"\nfire.battery = "air"', "0")
    assert report.document["endings"] == ["air unit destroyed"]


def test_aircraft_meet_no_fire_from_a_target_that_holds_it() -> None:
    text = 'target.name = "Victorious"\nfire.battery = "air"\nconditions.target_fires = false'
    assert DESK.resolve(text, "7").document["totals"] == [6]


def test_a_story_tells_each_step_with_its_rule() -> None:
    report = DESK.resolve('firer.name = "Tirpitz"\nconditions.moved = true\n' + LONDON, "7 6")
    assert [(words(line.text), line.reference) for line in report.story] == [
        ("Tirpitz: main battery at London", "11.4.4"),
        (" -1  the firer moved", "11.4.9 example"),
        ("damage: 7 -1 = 6, 2 points", "11.4.4"),
        ("critical hit: 6, movement less 1", "12.2"),
        ("London has movement 1 left", "12.2"),
        ("London takes 2: 2 of 4 left", "12.0"),
    ]


def test_a_critical_hit_alone_says_what_it_leaves() -> None:
    asked = 'fire.battery = "critical"\ntarget.name = "London"\n'
    london = ShipRef("London")
    assert DESK.resolve(asked, "6").story[-1].text == Message(
        "arctic.story.movement_left", ship=london, left=3
    )
    assert DESK.resolve(asked, "8").story[-1].text == Message(
        "arctic.story.gunnery_left", ship=london, left=6
    )


def test_a_carrier_half_gone_flies_no_more() -> None:
    asked = 'fire.battery = "critical"\ntarget = { name = "Victorious", state = { damage = 2 } }\n'
    told = DESK.resolve(asked, "9").story
    assert told[-1].text == Message("arctic.story.flies_no_more", ship=ShipRef("Victorious"))
    assert told[-1].reference == "12.1"


DESTROYER = 'firer = { name = "Z-24", type = "German destroyer" }\n'
SCHEER = 'target.name = "Scheer"\n'


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ('firer.name = "London"\ntarget.name = "Scheer"\nconditions.range_areas = 16', "11.4.4"),
        ('firer.name = "London"\nfire.battery = "secondary"\n' + SCHEER, "11.4.4"),
        ('firer = { name = "London", state = { damage = 4 } }\n' + SCHEER, "12.0"),
        ('firer.name = "London"\ntarget = { name = "Scheer", state = { damage = 9 } }', "12.0"),
        (DESTROYER + 'fire.battery = "torpedoes"\ntarget.name = "London"\n'
         "conditions.range_areas = 8", "11.4.7"),
        ('firer.name = "Wichita"\nfire.battery = "torpedoes"\n' + SCHEER, "11.4.7"),
        ('firer = { name = "Somali", type = "British destroyer" }\nfire.battery = "torpedoes"\n'
         + SCHEER + "conditions = { range_areas = 9, fog = true }", "11.4.5"),
        ('firer = { name = "P615", type = "Escort submarine" }\nfire.battery = "torpedoes"\n'
         + SCHEER + "conditions = { range_areas = 2, screen = 4 }", "13.10"),
        ('fire.battery = "air"\ntarget.name = "Victorious"\n'
         'conditions = { aircraft = "He-111", support_1 = 4, support_2 = 4, support_3 = 4 }',
         "11.1, step 5"),
        ('fire.battery = "air"\ntarget.name = "Victorious"\n'
         'conditions = { aircraft = "Albacore of 817 Squadron", steps_lost = 1 }', "11.1"),
        ('fire.battery = "submarine"\ntarget.name = "London"\nconditions.fog = true', "13.8"),
        ('fire.battery = "disengage"\nconditions.round = 8', "11.4.9"),
        ('fire.battery = "search"\nconditions = { searcher = "other ship", distance_hexes = 1 }',
         "10.0"),
        ('firer.name = "London"\nfire.battery = "move"\nconditions.smoke_laid = true', "11.4.6"),
        ('firer = { name = "Gem", type = "ASW trawler" }\nfire.battery = "antiaircraft"\n'
         "conditions.supports_another = true", "11.1, step 5"),
    ],
)  # fmt: skip
def test_what_is_forbidden_names_its_rule(text: str, rule: str) -> None:
    preview = DESK.preview(text)
    assert preview.factor is None
    assert preview.rule == rule


@pytest.mark.parametrize(
    ("text", "areas"),
    [
        ('firer.name = "London"\n', 4),
        ('firer = { name = "London", state = { damage = 2 } }\n', 2),
        ('firer = { name = "London", state = { move_lost = 3 } }\nconditions.marker = 2\n', 0),
        (DESTROYER + "conditions.smoke_laid = true\n", 0),
    ],
)
def test_movement_in_areas(text: str, areas: int) -> None:
    assert DESK.preview(text + 'fire.battery = "move"').factor == areas


def test_washington_fires_beyond_sight_in_fog() -> None:
    text = 'firer.name = "Washington"\n' + SCHEER + "conditions = { range_areas = 13, fog = true }"
    assert [line.value for line in DESK.preview(text).ledger] == [-5, 0, -2]


def test_what_each_ship_can_do() -> None:
    names = {ship: [each.kind for each in DESK.offers(ship)] for ship in ("Tirpitz", "Tanker")}
    assert names["Tirpitz"] == [
        "main", "secondary", "torpedoes", "antiaircraft", "support", "deploy", "move",
        "main-target", "secondary-target",
    ]  # fmt: skip
    assert names["Tanker"] == ["antiaircraft", "support", "deploy", "move"]
    assert DESK.offers("Victory") == ()
    assert not any(each.info.by_ship for each in DESK.offers(""))


def test_every_question_is_asked_of_a_battery_that_there_is() -> None:
    known = {each.kind for each in (*DESK.offers("Tirpitz"), *DESK.offers(""))}
    for name, kinds in DESK.asked("Tirpitz", "London").items():
        assert set(kinds) <= known, name


def test_every_battery_can_be_forecast_as_it_comes() -> None:
    for offer in (*DESK.offers("Tirpitz"), *DESK.offers("")):
        shot: dict[str, object] = {
            "fire": {"battery": offer.kind},
            "conditions": {"range_areas": 3},
        }
        if offer.info.by_ship:
            shot["firer"] = {"name": "Tirpitz"}
        if offer.info.at_ship:
            # A ship fires at aircraft for her own side alone.
            shot["target"] = {"name": "Scheer" if offer.kind == "support" else "London"}
        assert DESK.preview(shot).forbidden is None
        assert sum(DESK.forecast([shot]).hits.values()) == pytest.approx(1)
        DESK.resolve(shot, RolledDice(random.Random(1)))


@pytest.mark.parametrize("name", ["firer", "target"])
def test_a_shot_without_its_ships_says_so(name: str) -> None:
    other = {"firer": "target", "target": "firer"}[name]
    with refused(DreyerError, match=rf"\[{name}\]: name: expected a ship, got nothing"):
        DESK.preview(f'{other}.name = "London"')


def test_an_unknown_ship_is_an_error_that_offers_the_nearest() -> None:
    with refused(DreyerError, match="did you mean 'London'"):
        DESK.preview('firer.name = "Tirpitz"\ntarget.name = "Londn"')


def sheet_of(name: str, ship_type: str, side: str, marks: Marks) -> RecordSheet:
    return RULEBOOK.record_sheet(Ship(name, name, side, ship_type), marks)


def test_the_record_sheet() -> None:
    sheet = sheet_of("Victorious", "Victorious", "allied", Marks(damage=3))
    parts = {part.key: (part.total, part.lost) for part in sheet.parts}
    assert parts == {
        "hull": (6, 3), "speed": (4, 2), "main": (4, 2), "antiaircraft": (12, 6),
        "aircraft": (1, 1),
    }  # fmt: skip
    assert (sheet.ship_class, sheet.status) == ("CV", "in action")
    spent = sheet_of("Norfolk", "Norfolk", "british", Marks(torpedoes_fired=True))
    assert spent.trouble == 0, "torpedoes that were fired are no damage"
    sunk = sheet_of("Z-24", "German destroyer", "german", Marks(damage=2))
    assert (sunk.status, sunk.trouble, words(sunk.glance)) == ("sunk", 1.0, "sunk")


def fight(seed: int) -> list[str]:
    """Cruisers and destroyers, round by round, until somebody sinks; gunnery is simultaneous."""
    dice = RolledDice(random.Random(seed))
    ships = {
        "Lützow": "Lützow",
        "Z-24": "German destroyer",
        "London": "London",
        "Rowan": "American destroyer",
    }
    marks: dict[str, dict[str, object]] = {ship: {} for ship in ships}
    lines: list[str] = []
    for combat_round in range(1, 9):
        before = dict(marks)
        for firer, target, battery, areas in (
            ("Lützow", "London", "main", 9 - combat_round),
            ("Z-24", "Rowan", "main", 9 - combat_round),
            ("London", "Lützow", "main", 9 - combat_round),
            ("Rowan", "Lützow", "torpedoes" if combat_round == 6 else "main", 9 - combat_round),
        ):
            shot = {
                "firer": {"name": firer, "type": ships[firer], "state": before[firer]},
                "target": {"name": target, "type": ships[target], "state": marks[target]},
                "fire": {"battery": battery},
                "conditions": {"range_areas": areas},
            }
            preview = DESK.preview(shot)
            if preview.forbidden:
                lines.append(f"{combat_round} {firer}: {words(preview.forbidden)} ({preview.rule})")
                continue
            report = DESK.resolve(shot, dice)
            marks[target] = dict(report.marks["target"])
            lines.append(f"{combat_round} " + " | ".join(texts(report.story)))
    return lines


def test_a_fight_goes_as_it_went() -> None:
    assert fight(1942) == GOLDEN.read_text("utf-8").splitlines()
