"""Attacks and rolls from shot files: documents, marks, refusals, previews, what a page asks."""

from collections.abc import Mapping
from typing import Any

import pytest

from combat.dice import BadDice
from combat.previews import Forbidden
from combat.provenance import Provenance
from combat.questions import questions
from combat.rulebooks.grand_fleets import load
from combat.rulebooks.grand_fleets.card_file import read_card
from tabletop.arcs import Quadrant
from tabletop.errors import BadField, DreyerError, UnknownName
from tabletop.messages import Message, ShipRef
from tabletop.schema import Takes
from tests.combat.shot_runner import ShotRunner, Told, outcomes_in_words
from tests.refusals import refused
from web.strings import words
from web.table.free_battle import whole_yards

RULES = load()
TABLES = RULES.tables
DESK = ShotRunner(RULES)


def shot(more: str = "", firer: str = "Iron Duke", target: str = "Sample battleship") -> str:
    lines = {
        "firer.name": f'"{firer}"', "target.name": f'"{target}"', "fire.range_yards": "9000",
        "fire.quadrant": '"port"', "fire.aspect": '"starboard"',
    }  # fmt: skip
    for line in more.splitlines():
        key, _, value = line.partition(" = ")
        lines[key] = value
    return "".join(f"{key} = {value}\n" for key, value in lines.items())


def roll(battery: str, more: str = "", firer: str = "Iron Duke") -> str:
    return f'firer.name = "{firer}"\nfire.battery = "{battery}"\n{more}'


def report(file: str, rolls: str) -> Told:
    found = DESK.resolve(file, rolls)
    assert found.story[0].text
    return found


def document(file: str, rolls: str) -> Mapping[str, Any]:
    return report(file, rolls).document


MISSES = " ".join(["1"] * 21)


def test_the_ledger_in_the_books_order() -> None:
    found = document(
        shot('fire.quadrant = "bow"\nfire.range_yards = 22000\ntarget.state.marker = "fast"',
             target="Sample light cruiser"), "5 6",
    )  # fmt: skip
    ledger = {line["number"]: line["value"] for line in found["modifiers"]}
    assert ledger == {"armour": 0, "range": -2, "arc": -3, "size": -1, "speed": -1}
    assert list(ledger) == ["armour", "range", "arc", "size", "speed"]
    # −7 is one past the seventh box, 3: two dice.
    assert (found["modifier_total"], found["dice_count"]) == (-7, 2)


@pytest.mark.parametrize(
    ("more", "total", "count"),
    [
        ("", 0, 21),
        ("fire.range_yards = 5000", 1, 21),
        ("fire.range_yards = 22000", -2, 10),
        ('fire.quadrant = "stern"', -3, 7),
        ('fire.quadrant = "stern"\nfire.range_yards = 22000', -5, 4),
        ('firer.state.dice_lost = { "guns 1" = 2 }', 0, 10),
        ('firer.state.dice_lost = { "guns 1" = 6 }', 0, 3),
        ('firer.state.dice_lost = { "guns 1" = 6 }\nfire.quadrant = "bow"', -3, 0),
        ('conditions.marker = "fast"', -1, 15),
        ('conditions.marker = "fast"\ntarget.state.marker = "stop"', -1, 15),
        ('target.state.marker = "stop"', 2, 21),
        ('firer.state.marker = "fast"', 0, 21),
    ],
)
def test_attack_dice(more: str, total: int, count: int) -> None:
    seen = DESK.preview(shot(more))
    assert (seen.total, seen.factor) == (total, count)
    assert seen.battery == "guns 1"
    assert not seen.forbidden


def test_end_armour_counts_from_ahead_and_astern() -> None:
    at_duke = [
        DESK.preview(shot(f'fire.aspect = "{aspect}"', "Sample cruiser", "Iron Duke")).total
        for aspect in Quadrant
    ]
    assert at_duke == [0, -2, 0, -2], "8-inch, penetration 2, at sides of 4 and ends of 2"


def test_hits_check_off_hull_boxes() -> None:
    found = report(shot(), "5 6 4 " + " ".join(["1"] * 18))
    assert found.document["hits"] == 2
    assert found.document["hit_results"] == [
        {"dice": "5", "boxes": 1}, {"dice": "6", "boxes": 1},
    ]  # fmt: skip
    assert found.marked == {"firer": {}, "target": {"hull_lost": 2}}
    assert found.document["provenance"] == Provenance.RECONSTRUCTED, "an invented target"


def test_damage_checks_follow_at_once_and_twice() -> None:
    """Hull 7, 6, 6: fourteen hits fill two sets; engines, two batteries, anti-air each time, and
    a die for each torpedo on board: two at first, one after the loss of the other."""
    found = report(shot(), " ".join(["6"] * 14 + ["1"] * 7) + " 1 3 6 2 3 2 5 1 6 6 3")
    assert found.document["health"] == "crippled"
    assert found.marked["target"] == {
        "hull_lost": 14, "speed_lost": 3, "dice_lost": {"guns 1": 3, "anti_air": 2},
        "torpedoes_lost": {"S": 1},
    }  # fmt: skip
    assert found.document["dice"].endswith("1 3 6 2 3 2 5 1 6 6 3")


def test_damage_checks_may_wait() -> None:
    found = report(shot("conditions.checks = false"), " ".join(["6"] * 7 + ["1"] * 14))
    assert found.marked["target"] == {"hull_lost": 7, "checks_due": 1}
    assert found.story[-1].text.code == "grand_fleets.story.health_and_checks"
    assert found.story[-1].text["series"] == 1
    due = report(roll("damage check", "firer.state.checks_due = 1\n"), "6 6 6")
    assert due.marked["firer"] == {"checks_due": 0}


def test_a_sunk_ship_makes_no_checks_and_gives_points() -> None:
    found = report(shot(), " ".join(["6"] * 19 + ["1"] * 2))
    assert found.document["health"] == "sunk"
    assert found.document["victory_points"] == 140
    assert found.marked["target"] == {"hull_lost": 19}
    assert found.story[-1].text.code == "grand_fleets.story.sunk_for"
    assert found.story[-1].text["points"] == 140


@pytest.mark.parametrize(
    ("file", "rule", "said"),
    [
        (shot("fire.range_yards = 22001"), "Range", "does not reach 22,001 yards"),
        (shot("fire.blocked = true"), "Line of Fire", "is in the line of fire"),
        (shot("firer.state.hull_lost = 18"), "Making an Attack", "Iron Duke is sunk"),
        (shot("target.state.hull_lost = 19"), "Making an Attack", "Sample battleship is sunk"),
        (shot('firer.state.dice_lost = { "guns 1" = 7 }'), "Damage Checks", "checked off"),
        (shot(target="Pensacola"), "Ship Data Cards", "Pensacola has no armour; enter it"),
        (shot("fire.range_yards = 24001", "Sample battleship", "Iron Duke"), "Range",
         "extreme range is an optional rule"),
        (shot("fire.range_yards = 36001\nconditions.extreme = true", "Sample battleship",
              "Iron Duke"), "Range", "does not reach"),
        (shot("fire.range_yards = 22001\nconditions.extreme = true"), "Range", "does not reach"),
        (shot('fire.battery = "torpedoes"\nfire.range_yards = 8001', "Sample battleship",
              "Iron Duke"), "Torpedoes", "do not reach 8,001 yards"),
        (shot('fire.battery = "torpedoes"\nfire.range_yards = 900\nfire.torpedoes = 2',
              "Sample battleship", "Iron Duke"), "Torpedoes", "1 of Sample battleship bear"),
        (shot('fire.battery = "torpedoes"\nfirer.state.torpedoes_fired = { P = 1 }',
              "Sample battleship", "Iron Duke"), "Torpedoes", "no torpedo left for her port arc"),
    ],
)  # fmt: skip
def test_forbidden_fire(file: str, rule: str, said: str) -> None:
    seen = DESK.preview(file)
    assert seen.rule == rule
    assert seen.forbidden is not None
    assert said in words(seen.forbidden)
    assert seen.factor is None
    with pytest.raises(Forbidden, match=r"^errors\.forbidden_in.*source='x\.toml'"):
        DESK.resolve(file, "")
    with pytest.raises(Forbidden):
        DESK.forecast([file])


def test_extreme_range_is_long_range_that_hits_on_six() -> None:
    near = 'conditions.extreme = true\ntarget.state.marker = "stop"\n'
    file = shot(near + "fire.range_yards = 24001", "Sample battleship", "Iron Duke")
    found = document(file, " ".join(["5"] * 19 + ["6"]))
    assert (found["modifier_total"], found["dice_count"], found["hits"]) == (0, 20, 1)


TUBES = 'fire.battery = "torpedoes"\nfire.range_yards = 4000\nconditions.turn = 2\n'


def test_torpedoes_leave_their_boxes_and_one_target_a_turn() -> None:
    file = shot(TUBES + "fire.torpedoes = 2", "Sample cruiser", "Iron Duke")
    found = report(file, "11 12")
    assert found.marked["firer"] == {"torpedoes_fired": {"P": 2}, "torpedoed": {"Iron Duke": 2}}
    again = shot(TUBES + "firer.state.torpedoes_fired = { P = 2 }", "Sample cruiser", "Iron Duke")
    assert DESK.preview(again).factor == 1
    other = shot(TUBES + "firer.state.torpedoed = { Hood = 2 }", "Sample cruiser", "Iron Duke")
    assert DESK.preview(other).forbidden == Message(
        "grand_fleets.refused.second_target",
        ship=ShipRef("Sample cruiser"),
        target=ShipRef("Hood"),
        turn=2,
    )
    later = shot(TUBES + "firer.state.torpedoed = { Hood = 1 }", "Sample cruiser", "Iron Duke")
    assert DESK.preview(later).factor == 3


def test_two_of_one_name_meet() -> None:
    """The target keeps her name: marks and other shots at her know her by it."""
    sisters = "Sample cruiser", "Sample cruiser"
    found = report(shot(TUBES + "fire.torpedoes = 1", *sisters), "11")
    assert found.marked["firer"]["torpedoed"] == {"Sample cruiser": 2}
    assert found.marked["target"] == {}
    again = shot(TUBES + 'firer.state.torpedoed = { "Sample cruiser" = 2 }', *sisters)
    assert DESK.preview(again).factor == 3
    together = DESK.forecast([shot("", *sisters), shot("", target="Sample cruiser")])
    assert sum(together.hits.values()) == pytest.approx(1.0)


def test_torpedo_mounts_say_what_bears() -> None:
    seen = DESK.preview(shot(TUBES, "Sample cruiser", "Iron Duke"))
    assert [(each.name, each.guns, each.bears) for each in seen.mounts] == [
        ("P", 3, True), ("S", 3, False),
    ]  # fmt: skip
    assert (seen.guns_bearing, seen.guns) == (3, 6)


def test_a_torpedo_rolls_on_after_every_six() -> None:
    file = shot(TUBES + "fire.torpedoes = 1", "Sample cruiser", "Iron Duke")
    found = document(file, "66 6 6 1 6 6 6 6 6 6")
    # +1 each: 7 + 7 + 2 = 16 of 18 boxes: crippled, two series of three checks.
    assert (found["boxes"], found["hull_left"], found["health"]) == (16, 2, "crippled")


def test_a_battery_fires_once_a_turn_where_turns_are_counted() -> None:
    fired = report(shot("conditions.turn = 4"), MISSES)
    assert fired.marked["firer"] == {"fired": {"guns 1 port": 4}}
    again = shot('conditions.turn = 4\nfirer.state.fired = { "guns 1 port" = 4 }')
    assert DESK.preview(again).rule == "The Combat Phase"
    later = shot('conditions.turn = 5\nfirer.state.fired = { "guns 1 port" = 4 }')
    assert not DESK.preview(later).forbidden
    assert not DESK.preview(shot('firer.state.fired = { "guns 1 port" = 4 }')).forbidden


@pytest.mark.parametrize(
    ("fired", "quadrant", "allowed"),
    [("port", "starboard", True), ("starboard", "port", True), ("port", "port", False),
     ("bow", "port", False), ("port", "bow", False)],
)  # fmt: skip
def test_two_targets_on_two_sides(fired: str, quadrant: str, allowed: bool) -> None:
    more = (
        f'fire.battery = "guns 2"\nfire.quadrant = "{quadrant}"\nconditions.turn = 1\n'
        f'conditions.split = true\nfirer.state.fired = {{ "guns 2 {fired}" = 1 }}'
    )
    assert (not DESK.preview(shot(more)).forbidden) == allowed


def test_moves_set_the_marker() -> None:
    found = report(roll("move", "conditions.move_yards = 2000\nconditions.turned = true\n"), "")
    assert found.marked["firer"] == {"marker": "slow"}
    assert found.document["limit_yards"] == 2000
    with pytest.raises(Forbidden, match=r"too_far\(most=2000, .*yards=2500\), rule='Turning'"):
        report(roll("move", "conditions.move_yards = 2500\nconditions.turned = true\n"), "")
    held = roll("move", 'conditions.move_yards = 3000\nconditions.last_marker = "stop"\n')
    assert DESK.preview(held).rule == "Stopping"


def test_the_flag_and_command() -> None:
    assert report(roll("flag transfer"), "66").marked["firer"] == {"command_quality": 2}
    assert report(roll("flag transfer"), "11").marked["firer"] == {"command_quality": -2}
    lost = "firer.state.out_of_command = true\n"
    assert report(roll("command check", lost), "34").marked["firer"] == {}
    assert report(roll("command check", lost), "33").marked["firer"] == {"out_of_command": True}
    score = report(roll("initiative", "firer.state.command_quality = -1\n"), "65")
    assert score.document["score"] == 10
    first = document('fire.battery = "order"', "3 3 5 2")
    assert (first["moves_first"], first["fires_first"]) == ("second player", "first player")


def test_leaving_the_table() -> None:
    left = report(roll("leave the table"), "")
    assert left.document["victory_points"] == 65
    assert left.marked["firer"] == {"left_table": True}
    gone = "firer.state.left_table = true\n"
    left_table = Message("grand_fleets.refused.left", ship=ShipRef("Iron Duke"))
    assert DESK.preview(roll("leave the table", gone)).forbidden == left_table
    assert DESK.preview(shot(gone)).forbidden == left_table
    assert DESK.preview(roll("leave the table", firer="Pensacola")).forbidden == Message(
        "grand_fleets.refused.no_points", ship=ShipRef("Pensacola")
    )


@pytest.mark.parametrize(
    ("points", "said"),
    [((359, 0), "nobody has won yet"), ((360, 0), "the first player has won"),
     ((0, 400), "the second player has won"), ((360, 360), "a draw")],
)  # fmt: skip
def test_who_has_won(points: tuple[int, int], said: str) -> None:
    asked = f"conditions.points_first = {points[0]}\nconditions.points_second = {points[1]}\n"
    file = f'fire.battery = "victory"\n{asked}'
    assert document(file, "")["result"] == said
    assert outcomes_in_words(DESK.forecast([file])) == {said: 1.0}


@pytest.mark.parametrize(
    ("file", "error", "pattern"),
    [
        (shot(firer="Hood"), UnknownName, "unknown ship 'Hood'"),
        (shot('fire.battery = "guns 3"'), BadField, "a battery of Iron Duke: guns 1, guns 2"),
        (shot('fire.battery = "torpedoes"'), BadField, r"\[fire\]: battery: expected a batt"),
        (shot('fire.battery = "cannons"'), BadField, "battery"),
        (shot("fire.range_yards = -1"), BadField, "range_yards: expected a whole number"),
        ('firer.name = "Iron Duke"\ntarget.name = "Pensacola"', BadField,
         r"\[fire\]: range_yards: expected"),
        (shot(target="Iron Duke"), BadField, "name: expected another ship than the firer"),
        ('firer.name = "Iron Duke"\ntarget.name = "Pensacola"\nfire.range_yards = 1', BadField,
         r"\[fire\]: quadrant: expected one of bow"),
        ('firer.name = "Iron Duke"', BadField, r"\[target\]: name"),
        (shot('conditions.weather = "fair"'), DreyerError, "unknown key 'weather'"),
        (shot("firer.state.dice_lost = { main = 1 }"), DreyerError, "unknown key 'main'"),
        (shot("firer.state.torpedoes_fired = { Q = 1 }"), DreyerError, "unknown key 'Q'"),
        (shot("firer.state.torpedoes_fired = { P = true }"), BadField,
         "P: expected a whole number from 0 to 999, got true"),
        (shot("firer.state.torpedoed = { Hood = -1 }"), BadField, "Hood: expected a whole number"),
        (shot('firer.state.fired = { "guns 1 left" = 1 }'), DreyerError, "'guns 1 port'"),
    ],
)  # fmt: skip
def test_wrong_files(file: str, error: type[DreyerError], pattern: str) -> None:
    with refused(error, match=pattern) as raised:
        DESK.preview(file)
    assert "\n" not in str(raised.value)


def test_dice_that_do_not_fit() -> None:
    with refused(BadDice, match=r"too few: 1 given, number 2 is for 13.5.* die 2 of 21"):
        report(shot(), "5")
    with refused(BadDice, match="too many"):
        report(shot(), MISSES + " 1")


def test_what_a_ship_can_do() -> None:
    names = [(each.kind, each.info.by_ship, each.info.at_ship) for each in DESK.offers("Iron Duke")]
    assert names[:2] == [("guns 1", True, True), ("guns 2", True, True)]
    assert names[2:] == [
        (name, True, False)
        for name in ("damage check", "move", "initiative", "command check", "command quality",
                     "flag transfer", "leave the table")
    ]  # fmt: skip
    assert "torpedoes" in [each.kind for each in DESK.offers("Sample cruiser")]
    assert "move" not in [each.kind for each in DESK.offers("Pensacola")]
    assert DESK.offers("Hood") == ()
    assert [each.kind for each in DESK.offers("")] == ["order", "victory", "division cost"]
    assert not any(each.info.by_ship or each.info.at_ship for each in DESK.offers(""))


def test_what_a_page_asks() -> None:
    asked = DESK.asked("Iron Duke", "Pensacola")
    # A page has what is said of a fire before all other conditions.
    assert sorted(asked, key=lambda name: not name.startswith("fire.")) == [
        "fire.torpedoes", "conditions.marker", "conditions.extreme", "conditions.split",
        "conditions.checks", "conditions.move_yards", "conditions.turned",
        "conditions.last_marker", "conditions.quality", "conditions.battle_size",
        "conditions.points_first", "conditions.points_second", "conditions.chosen",
        "conditions.division_points",
    ]  # fmt: skip
    assert list(asked["fire.torpedoes"]) == ["torpedoes"]
    for name, kinds in asked.items():
        assert len(kinds) < len(DESK.rulebook.infos), f"{name} does not matter to every roll"
        for each in kinds.values():
            assert each.takes is Takes.CHOICE or name != "conditions.marker"
            assert each.default_text in dict(each.choices) or each.takes is not Takes.CHOICE
    marks = [each.key for each in questions(DESK.rulebook.state_type) if each.by_page]
    assert marks == ["out_of_command"], "a marker that players place by hand"


def measured(yards: float, **fire: object) -> dict[str, object]:
    line = {"range_yards": whole_yards(yards), "quadrant": "port", "aspect": "bow"}
    return {
        "firer": {"name": "Duke", "type": "Iron Duke"},
        "target": {"name": "Enemy", "type": "Sample battleship"},
        "fire": {**line, **fire},
    }


@pytest.mark.parametrize(
    ("yards", "total"), [(5000.0, 1), (5000.0000001, 1), (5000.4, 0), (4999.6, 1), (11000.001, -2)]
)
def test_a_measured_line_of_fire(yards: float, total: int) -> None:
    assert DESK.preview(measured(yards)).total == total


def test_marks_and_answers_together() -> None:
    enemy = {"hull_lost": 3, "dice_lost": {"guns 1": 1}}
    file = {
        **measured(5000.4, blocked=False),
        "target": {"name": "Enemy", "type": "Sample battleship", "state": enemy},
        "conditions": {"marker": "slow"},
    }
    assert DESK.preview(file).total == 1
    found = DESK.resolve(file, "4 " + " ".join(["1"] * 20))
    assert found.marked["target"] == {"hull_lost": 4, "dice_lost": {"guns 1": 1}}
    assert DESK.preview(measured(5000.4, blocked=True)).rule == "Line of Fire"
    assert DESK.preview(measured(5000.4, battery="damage check")).factor == 3
    assert DESK.offers("")[0].kind == "order", "the first that is nobody's"
    assert DESK.preview({"fire": {"battery": "order"}}).battery == "order"


def test_a_card_without_hull_boxes_cannot_be_fired_at() -> None:
    text = '[[ship]]\nname = "Hulk"\nclass = "CV"\nnation = "British"\nsize = "large"\n'
    runner = ShotRunner(load([read_card(text)]))
    no_hull = Message("grand_fleets.refused.no_hull", ship=ShipRef("Hulk"))
    assert runner.preview(shot(target="Hulk")).forbidden == no_hull
    assert next(each.kind for each in runner.offers("Hulk")) == "damage check"


def test_a_sunk_ship_checks_nothing() -> None:
    file = roll("damage check", "firer.state.hull_lost = 18\n")
    sunk = Message("grand_fleets.refused.sunk", ship=ShipRef("Iron Duke"))
    assert DESK.preview(file).forbidden == sunk


def test_every_ship_can_try_everything_at_every_other() -> None:
    for firer in RULES.ships:
        for target in RULES.ships:
            for offer in DESK.offers(firer.name):
                file = {
                    "firer": {"name": "A", "type": firer.name},
                    "target": {"name": "B", "type": target.name},
                    "fire": {
                        "battery": offer.kind,
                        "range_yards": 4000,
                        "quadrant": "port",
                        "aspect": "stern",
                    },
                }
                seen = DESK.preview(file)
                if not seen.forbidden:
                    found = DESK.forecast([file])
                    assert sum(found.hits.values()) == pytest.approx(1.0)
