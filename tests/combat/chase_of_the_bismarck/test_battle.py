"""Battles in free play: rounds, flags, sisters, undo, and marks that name other ships."""

import random
from collections.abc import Sequence
from typing import Any

import pytest

from combat.actions import Action, AddShip, NextRound, SetMarks
from combat.dice import RolledDice, TypedDice
from combat.events import Acted, Departed, Event, Sunk
from combat.fight_file import play_fight
from combat.free_play import FreeState
from combat.game import Game
from combat.participants import Ship, ShipStatus
from combat.previews import Forbidden
from combat.rulebooks.chase_of_the_bismarck import load
from combat.rulebooks.chase_of_the_bismarck.actions import (
    Abort,
    AirAttack,
    Gunfire,
    Marks,
    Movement,
    Reinforcement,
    SubmarineAttack,
    Torpedoes,
)
from combat.rulebooks.chase_of_the_bismarck.board import Position
from combat.rulebooks.chase_of_the_bismarck.events import (
    FireControlOut,
    RadarOut,
    RudderOut,
    TargetAcquired,
)
from combat.rulebooks.chase_of_the_bismarck.rulebook import ChaseRulebook
from tabletop.documents import parse_toml
from tabletop.errors import BadField
from tabletop.messages import Message, ShipRef
from tests.combat.shot_runner import in_words
from tests.refusals import refused

CHASE = load()
RULEBOOK = ChaseRulebook(CHASE.tables, CHASE.ships)
Battle = Game[FreeState[Marks]]
NO_DICE = TypedDice("")
FLOTILLA = "German Destroyer Flotilla"


def battle(*ships: Ship) -> Battle:
    game: Battle = Game(RULEBOOK, FreeState())
    for ship in ships:
        game = play(game, AddShip(ship=ship))
    return game


def ship(name: str, kind: str = "", side: str = "british", key: str = "") -> Ship:
    return Ship(key or name, name, side, kind or name)


def play(game: Battle, action: Action, dice: str = "") -> Battle:
    rolls = TypedDice(dice)
    after = game.play(len(game.played) + 1, action, rolls)
    rolls.finish()
    return after


def happened(game: Battle) -> Sequence[Event]:
    return game.played[-1].events


def modifiers(game: Battle, action: Action) -> list[int | str]:
    preview = RULEBOOK.check(game.state, action)
    assert not preview.forbidden
    return [line.number for line in preview.ledger]


NORFOLK, BISMARCK = ship("Norfolk"), ship("Bismarck", side="german")
AT_BISMARCK = Gunfire(by="Norfolk", at="Bismarck", visibility=3)
"""Norfolk's four factors, less 1 for radar and 1 more for a cruiser at a battleship: nothing."""
AT_NORFOLK = Gunfire(by="Bismarck", at="Norfolk", visibility=3)
BOMBED = AirAttack(at="Bismarck", visibility=9, night=True)
"""Only a natural nought hits, and once."""


@pytest.mark.parametrize(
    ("action", "dice", "flag", "event"),
    [
        (AT_BISMARCK, "1 1 9 9 9", "fire_control_damaged", FireControlOut),
        (AT_BISMARCK, "2 4 9 9 9", "radar_damaged", RadarOut),
        (BOMBED, "0 6", "rudder_damaged", RudderOut),
    ],
)
def test_a_flag_that_is_hit_twice_stays_a_flag_and_she_goes_on_acting(
    action: Action, dice: str, flag: str, event: type[Event]
) -> None:
    game = play(battle(NORFOLK, BISMARCK), action, dice)
    assert any(isinstance(each, event) for each in happened(game))
    assert getattr(game.state.marks["Bismarck"], flag) is True
    assert getattr(game.state.firing["Bismarck"], flag) is False, "fire is simultaneous"
    whole = modifiers(game, AT_NORFOLK)
    game = play(game, NextRound())
    # Norfolk has acquired her by now, which takes 1 from every die.
    game = play(game, action, dice if action is BOMBED else f"{int(dice[0]) + 1}{dice[1:]}")
    assert getattr(game.state.marks["Bismarck"], flag) is True
    assert not any(isinstance(each, event) for each in happened(game)), "it was out already"
    game = play(game, NextRound())
    expected = {
        "fire_control_damaged": [*whole[:3], "fire control damaged", *whole[3:]],
        "radar_damaged": whole[1:],
        "rudder_damaged": whole,
    }
    assert modifiers(game, AT_NORFOLK) == expected[flag]
    game = game.play(99, AT_NORFOLK, RolledDice(random.Random(1)))
    (acted,) = (each for each in happened(game) if isinstance(each, Acted))
    assert [line.number for line in acted.modifiers] == expected[flag]


def test_a_ship_without_a_rudder_moves_no_more() -> None:
    game = play(battle(BISMARCK), BOMBED, "0 6")
    move = Movement(by="Bismarck", zones=1)
    # Movement comes after the fire: she moves with all her damage, in this very round.
    with pytest.raises(Forbidden, match=r"chase\.refused\.rudder"):
        play(game, move)


def test_two_sisters_are_two_ships() -> None:
    first = ship("Flotilla", FLOTILLA, "german", "z1")
    second = ship("Flotilla", FLOTILLA, "german", "z2")
    game = battle(NORFOLK, first, second)
    game = play(game, SetMarks(ship="z1", marks=Marks(hull_lost=1)))
    game = play(game, Gunfire(by="Norfolk", at="z1", visibility=3), "5 5 1 1 5")
    assert any(isinstance(each, Sunk) and each.target == "z1" for each in happened(game))
    assert RULEBOOK.status(game.state, "z1") is ShipStatus.SUNK
    assert RULEBOOK.status(game.state, "z2") is ShipStatus.IN_ACTION
    assert game.state.marks["z2"] == Marks()
    launch = {key: Torpedoes(by=key, at="Norfolk", zones_between=1) for key in ("z1", "z2")}
    game = play(play(game, launch["z1"], "9"), launch["z2"], "9")
    assert [game.state.marks[key].torpedoes_used for key in ("z1", "z2")] == [1, 1]
    game = play(game, NextRound())
    assert RULEBOOK.check(game.state, launch["z1"]).rule == "2.4"
    assert not RULEBOOK.check(game.state, launch["z2"]).forbidden
    with pytest.raises(Forbidden, match=r"combat\.refused\.on_herself"):
        play(game, Gunfire(by="z2", at="z2"))


def test_acquired_targets_are_told_apart_by_their_ids() -> None:
    sisters = [ship("Flotilla", FLOTILLA, "german", key) for key in ("z1", "z2")]
    at = {key: Gunfire(by="Norfolk", at=key, visibility=9) for key in ("z1", "z2")}
    game = play(battle(NORFOLK, *sisters), at["z1"], "2 9 9 9")
    assert any(isinstance(each, TargetAcquired) for each in happened(game))
    assert game.state.marks["Norfolk"].acquired == {"z1"}
    assert "target acquired" not in modifiers(game, at["z1"]), "from the next round on"
    game = play(game, NextRound())
    assert modifiers(game, at["z1"])[0] == "target acquired"
    assert "target acquired" not in modifiers(game, at["z2"])
    kept = play(game, at["z1"], "9 9 9 9")
    assert kept.state.marks["Norfolk"].acquired == {"z1"}
    assert not any(isinstance(each, TargetAcquired) for each in happened(kept))
    lost = play(game, at["z2"], "9 9 9 9")
    assert lost.state.marks["Norfolk"].acquired == frozenset()
    assert modifiers(lost, at["z1"])[0] == "target acquired", "until the round ends"
    assert "target acquired" not in modifiers(play(lost, NextRound()), at["z1"])


def test_torpedoes_that_are_used_are_gone_in_the_same_round() -> None:
    game = battle(NORFOLK, BISMARCK)
    launch = Torpedoes(by="Norfolk", at="Bismarck", zones_between=1, torpedoes=3, visibility=9)
    game = play(game, launch, "9 9 9")
    assert game.state.marks["Norfolk"].torpedoes_used == 3
    assert RULEBOOK.check(game.state, launch).forbidden == Message(
        "chase.refused.torpedoes_left", ship=ShipRef("Norfolk"), left=1, wanted=3
    )


def test_who_aborts_is_gone_and_does_not_come_back() -> None:
    abort = Abort(by="Norfolk", firer_position=Position.BREAKING_OFF, zones_between=6)
    game = play(battle(NORFOLK, BISMARCK), abort, "9")
    assert RULEBOOK.status(game.state, "Norfolk") is ShipStatus.IN_ACTION
    game = play(game, abort, "0")
    assert any(isinstance(each, Departed) and each.ship == "Norfolk" for each in happened(game))
    assert RULEBOOK.status(game.state, "Norfolk") is ShipStatus.WITHDRAWN
    for action in (AT_BISMARCK, AT_NORFOLK, Reinforcement(by="Norfolk")):
        assert RULEBOOK.check(game.state, action).rule == "10, step 6"
    assert RULEBOOK.status(game.undo().state, "Norfolk") is ShipStatus.IN_ACTION


def test_undo_brings_everything_back_and_keeps_the_dice() -> None:
    before = play(battle(NORFOLK, BISMARCK), AT_NORFOLK, "9 9 9 9 9 9 9 9 9 9")
    game = before.play(50, AT_BISMARCK, RolledDice(random.Random(3)))
    back = game.undo()
    assert back.state == before.state
    # Another action in between has dice of its own; the kept ones wait for theirs.
    between = play(back, BOMBED, "9")
    again = between.play(52, AT_BISMARCK, NO_DICE)
    assert again.played[-1].rolls == game.played[-1].rolls
    assert [each.value for each in again.played[-1].rolls] == [
        each.dice for each in happened(game) if hasattr(each, "dice")
    ]
    assert again.state.marks["Norfolk"] == game.state.marks["Norfolk"]
    assert game.undo(to=1).state == FreeState()


def anything(rng: random.Random, ids: Sequence[str]) -> Action:
    by, at = rng.sample(ids, 2)
    position, other = rng.choices(list(Position), k=2)
    level, zones = rng.randint(1, 9), rng.randint(0, 7)
    kind = rng.randrange(7)
    actions: list[Action] = [
        Gunfire(
            by=by,
            at=at,
            visibility=level,
            zones_between=zones,
            firer_position=position,
            target_position=other,
        ),
        Torpedoes(
            by=by,
            at=at,
            visibility=level,
            zones_between=min(zones, 3),
            firer_position=position,
            target_position=other,
        ),
        AirAttack(at=at, visibility=level, night=level > 5),
        SubmarineAttack(at=at, visibility=level),
        Movement(by=by, zones=rng.randint(0, 4), firer_position=position),
        Abort(by=by, zones_between=7, enemy_evasion=40, firer_position=position),
        NextRound(),
    ]
    return actions[kind]


def test_hundreds_of_rolls_with_undo_anywhere() -> None:
    ids = ["Bismarck", "Norfolk", "z1", "z2"]
    sisters = [ship("Flotilla", FLOTILLA, "german", key) for key in ("z1", "z2")]
    game, rng, rolls = battle(NORFOLK, BISMARCK, *sisters), random.Random(5), 0
    adapter, events = RULEBOOK.action_schema().adapter, RULEBOOK.event_schema().adapter
    for n in range(100, 800):
        action = anything(rng, ids)
        if not isinstance(action, NextRound) and RULEBOOK.check(game.state, action).forbidden:
            # Whoever is out of it is made whole again, so that the battle goes on.
            marks = Marks(fuel_lost=99)
            action = SetMarks(ship=rng.choice(ids), marks=marks)
        assert adapter.validate_json(adapter.dump_json(action)) == action
        game = game.play(n, action, RolledDice(rng))
        last = game.played[-1]
        rolls += len(last.rolls)
        stored = [events.validate_json(events.dump_json(each)) for each in last.events]
        assert tuple(stored) == last.events
        if any(isinstance(each, Acted) for each in stored):
            assert RULEBOOK.story(stored) == RULEBOOK.story(last.events)
        for key in ids:
            written = SetMarks(ship=key, marks=game.state.marks[key])
            assert adapter.validate_json(adapter.dump_json(written)) == written
        if rng.random() < 0.1:
            state = game.state
            game = game.undo().play(n, action, NO_DICE if last.rolls else RolledDice(rng))
            assert game.state == state
    assert rolls > 800
    assert all(0 <= part.lost <= part.total for key in ids for part in sheet_parts(game, key))


def sheet_parts(game: Battle, key: str) -> Sequence[Any]:
    return RULEBOOK.sheet(game.state, key).parts


def test_marks_beyond_a_card_are_refused() -> None:
    with refused(BadField, match="hull_lost: expected a whole number from 0 to 4, got 5"):
        play(battle(NORFOLK), SetMarks(ship="Norfolk", marks=Marks(hull_lost=5)))


def test_marks_are_written_as_a_shot_file_has_them() -> None:
    marks = Marks(acquired=frozenset(["z2", "z1"]), rudder_damaged=True)
    document = RULEBOOK.state_document(NORFOLK, marks)
    assert document["acquired"] == {"z1": 1, "z2": 1}
    assert document["rudder_damaged"] is True


def test_a_fight_file_is_played_with_the_ships_positions() -> None:
    text = """
        ruleset = "chase-of-the-bismarck"
        [[ship]]
        name = "Prinz Eugen"
        position = "closing"
        [[ship]]
        name = "Norfolk"
        position = "breaking-off"
        [[action]]
        action = "guns"
        by = "Prinz Eugen"
        at = "Norfolk"
        dice = "9 5 2"
        answers = { visibility = 9, zones_between = 3 }
        [[action]]
        action = "next-round"
        [[action]]
        action = "guns"
        by = "Prinz Eugen"
        at = "Norfolk"
        dice = "7 7 8 3 5"
        answers = { visibility = 9, zones_between = 1, target = { position = "opening" } }
    """
    game = play_fight(RULEBOOK, parse_toml(text.encode(), "fight.toml"), "fight.toml")
    first, second = (in_words(RULEBOOK.document(each.events)) for each in game.played if each.rolls)
    assert first["results"] == ["13: miss", "9: miss", "6: stern 1"]
    assert second["results"] == ["9: miss", "9: miss", "10: miss", "5: hull 1", "7: stern 1"]
    assert game.state.marks["Norfolk"] == Marks(hull_lost=1, stern_lost=2)
    assert game.state.marks["Prinz Eugen"].acquired == {"Norfolk"}
