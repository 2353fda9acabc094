"""Whole battles in free play: every ship has her own card, turns are rounds, undo keeps dice."""

import random
from dataclasses import replace
from typing import Any

import pytest

from combat.actions import Action, AddShip, NextRound, SetMarks
from combat.dice import RolledDice, TypedDice
from combat.events import Rolled, Sunk
from combat.fight_file import play_fight
from combat.free_play import FreeState
from combat.game import Game
from combat.participants import UMPIRE, Seat, Ship, ShipStatus
from combat.previews import Forbidden
from combat.rulebooks.grand_fleets import load
from combat.rulebooks.grand_fleets.actions import (
    CommandCheck,
    CommandQuality,
    DamageCheck,
    Gunfire,
    Initiative,
    Leaving,
    Move,
    Order,
    TorpedoAttack,
)
from combat.rulebooks.grand_fleets.card import Tube
from combat.rulebooks.grand_fleets.card_file import read_card
from combat.rulebooks.grand_fleets.events import (
    ChecksDue,
    DamageChecked,
    Fired,
    HealthChanged,
    HullHit,
    HullMarked,
    Scored,
    TorpedoesFired,
)
from combat.rulebooks.grand_fleets.rulebook import GrandFleetsRulebook
from combat.rulebooks.grand_fleets.vessel import Health, Marks
from tabletop.arcs import Quadrant
from tabletop.errors import BadField, DreyerError
from tabletop.messages import Message
from tests.refusals import refused

RULES = load()
SHIPS = {
    "Alpha": "Sample battleship", "Bravo": "Sample battleship",
    "Xray": "Sample battleship", "Yankee": "Sample battleship",
    "Flotilla": "Sample destroyers", "Duke": "Iron Duke",
}  # fmt: skip
SIDES = {"Alpha": "blue", "Bravo": "blue", "Duke": "blue"}
MISSES = " ".join(["1"] * 20)
Battle = Game[FreeState[Marks]]


def rulebook() -> GrandFleetsRulebook:
    assert RULES.rulebook is not None
    made = RULES.rulebook(RULES.tables)
    assert isinstance(made, GrandFleetsRulebook)
    return made


RULEBOOK = rulebook()


@pytest.fixture
def battle() -> Battle:
    game: Battle = Game(RULEBOOK, FreeState())
    for name, kind in SHIPS.items():
        ship = Ship(name, name, SIDES.get(name, "red"), kind)
        game = game.play(0, AddShip(ship=ship), TypedDice(""))
    return game


def guns(by: str, at: str, battery: Any = "guns 1", **more: Any) -> Gunfire:
    said = {
        "range_yards": 9000, "quadrant": Quadrant.PORT, "aspect": Quadrant.STARBOARD, **more,
    }  # fmt: skip
    return Gunfire(kind=battery, by=by, at=at, **said)


def torpedoes(by: str, at: str, **more: Any) -> TorpedoAttack:
    said = {
        "range_yards": 4000, "quadrant": Quadrant.PORT, "aspect": Quadrant.STARBOARD, **more,
    }  # fmt: skip
    return TorpedoAttack(by=by, at=at, **said)


def play(game: Battle, action: Action, dice: str = "", **more: Any) -> Battle:
    n = game.played[-1].n + 1 if game.played else 1
    typed = TypedDice(dice)
    after = game.play(n, action, typed, **more)
    typed.finish()
    return after


def hits(count: int) -> str:
    return " ".join(["6"] * count + ["1"] * (20 - count))


def test_four_ships_of_one_type_are_four_ships(battle: Battle) -> None:
    battle = play(battle, guns("Alpha", "Xray"), hits(3))
    battle = play(battle, guns("Bravo", "Yankee"), hits(5))
    battle = play(battle, guns("Yankee", "Alpha"), hits(1))
    battle = play(battle, guns("Xray", "Bravo"), hits(2))
    lost = {name: battle.state.marks[name].hull_lost for name in SHIPS}
    assert lost == {"Alpha": 1, "Bravo": 2, "Xray": 3, "Yankee": 5, "Flotilla": 0, "Duke": 0}
    sheets = [RULEBOOK.sheet(battle.state, name) for name in ("Xray", "Yankee")]
    assert [sheet.ship for sheet in sheets] == ["Xray", "Yankee"]
    assert [sheet.parts[0].lost for sheet in sheets] == [3, 5]
    with pytest.raises(Forbidden, match=r"combat\.refused\.on_herself"):
        play(battle, guns("Alpha", "Alpha", "guns 2"))


def test_a_sunk_ship_leaves_her_sister_in_action(battle: Battle) -> None:
    battle = play(battle, guns("Alpha", "Xray"), hits(19))
    events = battle.played[-1].events
    assert [event.target for event in events if isinstance(event, Sunk)] == ["Xray"]
    assert [event.points for event in events if isinstance(event, Scored)] == [140]
    assert not [event for event in events if isinstance(event, DamageChecked)]
    assert RULEBOOK.status(battle.state, "Xray") is ShipStatus.SUNK
    assert RULEBOOK.status(battle.state, "Yankee") is ShipStatus.IN_ACTION
    with pytest.raises(Forbidden, match=r"grand_fleets\.refused\.sunk\(ship=Xray\)"):
        play(battle, guns("Xray", "Alpha"))
    battle = play(battle, guns("Yankee", "Alpha"), hits(1))
    assert battle.state.marks["Alpha"].hull_lost == 1


def test_damage_counts_at_once(battle: Battle) -> None:
    """Seven hits fill the first set; a 1 for the main guns costs two boxes: 10 dice are left."""
    battle = play(battle, guns("Alpha", "Xray"), f"{hits(7)} 6 1 6 6 6 6")
    assert battle.state.marks["Xray"].dice_lost == {"guns 1": 2}
    seen = RULEBOOK.check(battle.state, guns("Xray", "Alpha"))
    assert (seen.factor, seen.forbidden) == (10, None)
    assert RULEBOOK.check(battle.state, guns("Yankee", "Alpha")).factor == 20


def test_typed_events_tell_the_whole_attack(battle: Battle) -> None:
    battle = play(battle, guns("Alpha", "Xray"), f"{hits(7)} 1 3 6 6 6 6")
    events = battle.played[-1].events
    (fired,) = [event for event in events if isinstance(event, Fired)]
    assert (fired.ship, fired.target, fired.range_yards) == ("Alpha", "Xray", 9000)
    assert fired.hits_when == Message("grand_fleets.hits_on.at_least", lowest=5)
    (rolled,) = [event for event in events if isinstance(event, Rolled)]
    assert rolled.dice == hits(7)
    assert sum(event.boxes for event in events if isinstance(event, HullHit)) == 7
    (hull,) = [event for event in events if isinstance(event, HullMarked)]
    assert (hull.boxes, hull.left, hull.total, hull.health) == (7, 12, 19, Health.DAMAGED)
    (change,) = [event for event in events if isinstance(event, HealthChanged)]
    assert (change.before, change.after) == (Health.SOUND, Health.DAMAGED)
    checks = [event for event in events if isinstance(event, DamageChecked)]
    assert [(check.part, check.die, check.boxes) for check in checks[:2]] == [
        ("engines", 1, 2), ("guns 1", 3, 1),
    ]  # fmt: skip


def test_events_and_actions_are_read_as_they_were_written(battle: Battle) -> None:
    """A story and a document come from the stored events alone."""
    battle = play(battle, torpedoes("Flotilla", "Alpha", torpedoes=2), "66 11 5 1 1 1 1 1 1")
    battle = play(battle, Move(by="Duke", move_yards=2000, turned=True))
    battle = play(battle, SetMarks(ship="Duke", marks=Marks(torpedoed={"Xray": 1})))
    for played in battle.played[len(SHIPS) :]:
        actions, stored = RULEBOOK.action_schema().adapter, RULEBOOK.event_schema().adapter
        assert actions.validate_json(actions.dump_json(played.action)) == played.action
        again = tuple(stored.validate_json(stored.dump_json(each)) for each in played.events)
        assert again == played.events
        assert RULEBOOK.report_lines(again) == RULEBOOK.report_lines(played.events)
    with pytest.raises(ValueError, match="dice_lost"):
        actions.validate_python(
            {"kind": "set-marks", "ship": "Duke", "marks": {"dice_lost": {"main": 1}}}
        )


def test_a_battery_fires_once_a_round(battle: Battle) -> None:
    battle = play(battle, guns("Alpha", "Xray"), MISSES)
    assert battle.state.marks["Alpha"].fired == {"guns 1 port": 1}
    with pytest.raises(
        Forbidden, match=r"grand_fleets\.refused\.fired\(turn=1, .*rule=.The Combat Phase"
    ):
        play(battle, guns("Alpha", "Yankee"))
    assert RULEBOOK.check(battle.state, guns("Alpha", "Yankee")).rule == "The Combat Phase"
    battle = play(battle, guns("Bravo", "Xray"), MISSES)
    battle = play(battle, guns("Alpha", "Yankee", turn=0), MISSES)
    assert battle.state.marks["Alpha"].fired == {"guns 1 port": 1}, "turn 0: nobody counts"
    battle = play(battle, NextRound())
    battle = play(battle, guns("Alpha", "Yankee"), MISSES)
    assert battle.state.marks["Alpha"].fired == {"guns 1 port": 2}


def test_all_torpedoes_of_a_round_run_at_one_ship(battle: Battle) -> None:
    battle = play(battle, torpedoes("Flotilla", "Alpha", torpedoes=2), "11 11")
    events = battle.played[-1].events
    (fired,) = [event for event in events if isinstance(event, TorpedoesFired)]
    assert fired.launched == {Tube.EITHER: 2}
    assert battle.state.marks["Flotilla"].torpedoed == {"Alpha": 1}
    with pytest.raises(
        Forbidden, match=r"grand_fleets\.refused\.second_target\(.*target=Alpha, turn=1"
    ):
        play(battle, torpedoes("Flotilla", "Bravo", torpedoes=2))
    battle = play(battle, torpedoes("Flotilla", "Alpha", torpedoes=1), "11")
    battle = play(battle, NextRound())
    battle = play(battle, torpedoes("Flotilla", "Bravo", torpedoes=4), "11 11 11 11")
    assert battle.state.marks["Flotilla"].torpedoes_fired == {Tube.EITHER: 7}
    assert battle.state.marks["Flotilla"].torpedoed == {"Alpha": 1, "Bravo": 2}


def test_damage_checks_that_wait(battle: Battle) -> None:
    battle = play(battle, guns("Alpha", "Xray", checks=False), hits(14))
    assert battle.state.marks["Xray"].checks_due == 2
    (due,) = [event for event in battle.played[-1].events if isinstance(event, ChecksDue)]
    assert due.series == 2
    with refused(DreyerError, match="due"):
        play(
            play(battle, SetMarks(ship="Bravo", marks=Marks(checks_due=0))), DamageCheck(by="Bravo")
        )
    battle = play(battle, DamageCheck(by="Xray"), "1 1 6 6 6 6")
    assert battle.state.marks["Xray"] == Marks(
        hull_lost=14, speed_lost=2, dice_lost={"guns 1": 2}, checks_due=1
    )
    battle = play(battle, DamageCheck(by="Xray"), "6 6 6 6 1 6")
    marks = battle.state.marks["Xray"]
    assert (marks.checks_due, marks.torpedoes_lost) == (0, {Tube.PORT: 1})
    with pytest.raises(Forbidden, match=r"grand_fleets\.refused\.no_check_due\(ship=Xray\)"):
        play(battle, DamageCheck(by="Xray"))


def test_undo_keeps_the_dice(battle: Battle) -> None:
    seeded = RolledDice(random.Random(3))
    fire, launch = guns("Alpha", "Xray"), torpedoes("Flotilla", "Alpha")
    fought = battle.play(1, fire, seeded).play(2, launch, seeded).play(3, NextRound(), seeded)
    back = fought.undo(to=1)
    assert back.state.marks == battle.state.marks
    assert back.state.round_number == 1
    again = back.play(4, fire, TypedDice("")).play(5, launch, TypedDice(""))
    assert again.state.marks == fought.state.marks
    assert [each.events for each in again.played[-2:]] == [
        each.events for each in fought.played[-3:-1]
    ]
    typed = back.play(4, fire, TypedDice(hits(4)), anew=True)
    assert typed.state.marks["Xray"].hull_lost == 4
    # Another order is another roll: it has dice of its own.
    assert back.play(4, replace(fire, at="Yankee"), TypedDice(MISSES)).played[-1].rolls


def test_hundreds_of_rolls(battle: Battle) -> None:
    """A fight to the end: marks stay within the cards, and every ship's are her own."""
    chance = random.Random(1916)
    dice = RolledDice(chance)
    names = list(SHIPS)
    played = refused = 0
    for n in range(1, 2001):
        by, at = chance.sample(names, 2)
        lie = {
            "range_yards": chance.randrange(2000, 12000),
            "quadrant": chance.choice(list(Quadrant)),
            "aspect": chance.choice(list(Quadrant)),
            "checks": chance.random() < 0.7,
        }
        action: Action = chance.choice([
            guns(by, at, **lie), guns(by, at, **lie), torpedoes(by, at, **lie), DamageCheck(by=by),
            Move(by=by, move_yards=chance.randrange(0, 4001)), Initiative(by=by),
            CommandCheck(by=by), CommandQuality(kind="flag transfer", by=by), Order(), NextRound(),
        ])  # fmt: skip
        try:
            battle = battle.play(n, action, dice)
            played += 1
        except (Forbidden, BadField):
            refused += 1
        if n % 100 == 0:
            for sheet in (RULEBOOK.sheet(battle.state, name) for name in names):
                assert all(0 <= part.lost <= part.total for part in sheet.parts)
    assert played > 500
    assert refused > 100
    assert sum(RULEBOOK.status(battle.state, name) is ShipStatus.SUNK for name in names) >= 2
    start, rolls = battle.start, battle.played
    again: Battle = Game(RULEBOOK, start)
    for each in rolls:
        again = again.play(each.n, each.action, TypedDice(" ".join(r.value for r in each.rolls)))
    assert again.state == battle.state


def test_leaving_the_table(battle: Battle) -> None:
    battle = play(battle, Leaving(by="Duke"))
    assert RULEBOOK.status(battle.state, "Duke") is ShipStatus.WITHDRAWN
    with pytest.raises(Forbidden, match=r"grand_fleets\.refused\.left\(ship=Duke\)"):
        play(battle, Move(by="Duke", move_yards=1000))


def test_what_each_seat_may_do(battle: Battle) -> None:
    kinds = {offer.kind for offer in RULEBOOK.actions(battle.state, Seat("red"))}
    assert {"guns 1", "guns 2", "torpedoes", "damage check", "order"} <= kinds
    assert "guns 3" not in kinds
    assert {offer.kind for offer in RULEBOOK.actions(battle.state, UMPIRE)} == kinds


def test_a_battery_that_she_has_not(battle: Battle) -> None:
    with refused(BadField, match="a battery of Duke: guns 1, guns 2, got guns 3"):
        play(battle, guns("Duke", "Xray", "guns 3"))
    with refused(BadField, match="expected a battery of Duke, got torpedoes"):
        play(battle, torpedoes("Duke", "Xray"))


def test_players_own_cards_fight() -> None:
    text = """
[[ship]]
name = "My Ship"
class = "CA"
nation = "British"
size = "medium"
armour = [3, 1]
hull = [4, 4, 4]
[[ship.guns]]
name = '8"'
calibre = 8
forward = -2
aft = -2
range = [4, 9, 18]
penetration = 4
dice = [3, 2, 1]
"""
    made = load([read_card(text)]).rulebook
    assert made is not None
    mine = made(RULES.tables)
    document: dict[str, object] = {
        "ruleset": "grand-fleets",
        "ship": [{"name": "My Ship"}, {"name": "Alpha", "type": "Sample battleship"}],
        "action": [
            {
                "action": "guns 1", "by": "My Ship", "at": "Alpha", "dice": "6 6 6",
                "answers": {"range_yards": 9000, "quadrant": "port", "aspect": "port"},
            }
        ],
    }  # fmt: skip
    game = play_fight(mine, document, "fight.toml")
    hurt = game.state.marks["Alpha"]
    assert isinstance(hurt, Marks)
    assert hurt.hull_lost == 3
    with refused(DreyerError, match="unknown ship 'My Ship'"):
        play_fight(RULEBOOK, document, "fight.toml")


def fight(*actions: dict[str, object]) -> dict[str, object]:
    ships = [{"name": name, "type": "Sample battleship"} for name in ("A", "B")]
    return {"ruleset": "grand-fleets", "ship": ships, "action": list(actions)}


FIRE: dict[str, object] = {
    "action": "guns 1", "by": "A", "at": "B", "dice": MISSES,
    "answers": {"range_yards": 9000, "quadrant": "port", "aspect": "port"},
}  # fmt: skip


def test_fight_files() -> None:
    with refused(Forbidden, match=r"action 2: .* fired in turn 1"):
        play_fight(RULEBOOK, fight(FIRE, FIRE), "f.toml")
    game = play_fight(RULEBOOK, fight(FIRE, {"action": "next-round"}, FIRE), "f.toml")
    assert game.state.marks["A"].fired == {"guns 1 port": 2}
    game = play_fight(RULEBOOK, fight(FIRE, {"action": "undo"}, FIRE), "f.toml")
    assert len(game.played) == 1
    with refused(DreyerError, match=r"action 1, \[fire\]: .*of A: guns 1, guns 2"):
        play_fight(RULEBOOK, fight({**FIRE, "action": "guns 3"}), "f.toml")
