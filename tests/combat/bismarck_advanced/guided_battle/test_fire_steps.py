"""Designating and resolving fire, die by die."""

import json
import random
import re
from typing import Any

import pytest

from combat.dice import RolledDice, TypedDice
from combat.guided_actions import RollDice
from combat.guided_play import StepKind
from combat.participants import Seat
from combat.rulebooks.bismarck_advanced.engagement.combat_phase import resolve_fire_phase
from combat.rulebooks.bismarck_advanced.guided_battle.fire_resolution import with_dice, without_shot
from tabletop.errors import DreyerError
from tabletop.messages import Message, ShipRef
from tests.combat.bismarck_advanced.guided_battle.driver import (
    BATTLE,
    CARD,
    RULES,
    Game,
    check_fire,
    denmark_strait,
    fire_draft,
    fire_of,
    firing,
    moved,
    near,
    resolution_of,
)
from tests.plain import plain
from web.strings import words


class TestFire:
    def test_options(self) -> None:
        game = moved()
        first, second = BATTLE.fire_options(game.state, "british", "Hood")
        assert (first.target, second.target) == ("Bismarck", "Prinz Eugen")
        assert (first.segment, first.quadrant, first.aspect) == ("medium_low", "starboard", "port")
        main, secondary = first.batteries
        assert main.allowed
        assert main.guns_bearing == 8
        assert main.forecast is not None
        assert sum(main.forecast.hits.values()) == pytest.approx(1)
        assert main.modifier_total == sum(line.value for line in main.ledger)
        assert main.cost is not None
        assert main.cost <= main.ammunition
        off_side = [mount for mount in secondary.mounts if not mount.bears]
        assert {mount.reference for mount in off_side} <= {"61.4"}
        json.dumps(plain((first, second)))

    def test_why_a_turret_cannot_fire(self) -> None:
        setup = near()
        setup["ships"][0]["state"] = {
            "turrets_lost": {"A": 3},
            "turrets_out": ["B"],
            "jammed_guns": {"X": 2},
            "ammunition": {"secondary": 0},
        }
        game = Game.begin(setup)
        game.do("correct", None, ship="Hood", values={"turrets_out": ["B"]}, reason="again")
        game.move_all()
        option = BATTLE.fire_options(game.state, "british", "Hood")[0]
        main, secondary = option.batteries
        reasons = {mount.name: mount.why_not for mount in main.mounts if not mount.bears}
        assert reasons == {
            "A": Message("advanced.mount.destroyed"),
            "B": Message("advanced.mount.out", phases=1),
            "X": Message("advanced.mount.jammed"),
        }
        assert not secondary.allowed
        assert secondary.reference == "65.5"

    @pytest.mark.parametrize(
        ("orders", "said"),
        [
            ([{"target": "Norfolk"}], "are on the same side"),
            ([{"target": "Bismarck", "turrets": ["Q"]}], "no main turret 'Q'"),
            ([{"target": "Bismarck", "guns": 7}], "67.41"),
            ([{"target": "Bismarck", "held_back": True}], "67.41"),
            ([{"target": "Bismarck"}, {"target": "Prinz Eugen"}], "61.2"),
            (
                [
                    {"target": "Bismarck", "turrets": ["A"]},
                    {"target": "Bismarck", "turrets": ["B"]},
                ],
                "62.42",
            ),
            ([{"target": "Nobody"}], "unknown ship 'Nobody'"),
            ([{"battery": "main"}], "target"),
            ([{"target": "Bismarck", "battery": "torpedo"}], "main, secondary"),
        ],
    )
    def test_forbidden(self, orders: list[dict[str, Any]], said: str) -> None:
        game = moved()
        with pytest.raises(DreyerError) as refused:
            game.do("designate", "british", ship="Hood", orders=orders)
        assert said in words(refused.value)
        assert not game.state.fires

    def test_a_draft_shows_its_ledger_and_odds(self) -> None:
        game = moved()
        split = [
            {"target": "Bismarck", "turrets": ["A", "B"]},
            {"target": "Prinz Eugen", "turrets": ["X", "Y"]},
        ]
        checked = check_fire(game.state, fire_draft("british", "Hood", {"orders": split}))
        assert checked.fault is None
        for fire in checked.fires:
            labels = [line.label for line in fire.ledger if line.value]
            assert Message("advanced.modifier.several_targets") in labels
        wrong = {"orders": [{"target": "Bismarck", "turrets": ["Q"]}]}
        fault = check_fire(game.state, fire_draft("british", "Hood", wrong)).fault
        assert fault is not None
        assert fault.reference == "60.2"

    def test_a_fire_unfolds_as_its_dice_fall(self) -> None:
        game = firing()
        before = resolution_of(game.state, "german")
        assert before.current is not None
        assert fire_of(before.current).dice is None
        assert not before.current.complete
        assert before.ahead == (
            Message("advanced.label.fire", firer=ShipRef("Bismarck"), target=ShipRef("Hood")),
        )
        game.do("dice", "british", values=["11"])
        rolled = fire_of(resolution_of(game.state, "german").current)
        assert rolled.dice == "11"
        assert rolled.hits > 0
        assert rolled.hit_results == ()
        game.do("dice", "british", values=["24"])
        game.roll(random.Random(3))
        assert game.state.kind is StepKind.MARK
        fires = [e for e in game.story(Seat("british")) if e.kind == "fire"]
        assert [entry.ships for entry in fires] == [("Hood", "Bismarck"), ("Bismarck", "Hood")]
        assert fires[0].children
        assert len(fire_of(fires[0]).hit_results) == fire_of(fires[0]).hits

    def test_jams_come_first(self) -> None:
        game = Game.begin(denmark_strait())
        game.move_all()
        orders = [{"target": "Prinz Eugen"}]
        game.do("designate", "british", ship="Prince of Wales", orders=orders)
        game.commit()
        wanted = BATTLE.dice_wanted(game.state)
        assert wanted is not None
        jams = Message("advanced.roll.jams", ship=ShipRef("Prince of Wales"))
        assert (without_shot(wanted.purpose), wanted.at_least) == (jams, 1)
        game.do("dice", "british", values=["11"])
        resolution = resolution_of(game.state, "german")
        jam = resolution.done[0].line.text
        assert jam.code == "advanced.story.jam"
        assert jam["result"] == Message("advanced.jam.lasting", n=1, turret="A")
        game.fire_as_designated()
        resolution = resolution_of(game.state, "german")
        assert fire_of(resolution.done[-1]).guns < 10
        assert game.state.engagement["Prince of Wales"].vessel.turrets[0].jammed_guns == 1

    @pytest.mark.parametrize(
        ("values", "said"),
        [
            ([], "none given"),
            (["7"], "number 1 is .* expected a pair, got 7"),
            (["xx"], "number 1 is 'xx'"),
            (["5"], "Hood at Bismarck: the hit roll: expected a pair"),
            (["11"] * 40, "expected one die|too many"),
            (["11", "5"], "number 2 is for Hood at Bismarck: the location of hit 1"),
            ("11", "a list of texts"),
        ],
    )
    def test_dice_that_do_not_fit(self, values: object, said: str) -> None:
        game = firing()
        with pytest.raises(DreyerError) as refused:
            game.do("dice", "british", values=values)
        assert re.search(said, words(refused.value))
        assert game.state.resolution is not None
        assert game.state.resolution.rolls == ()

    def test_two_phones_do_not_enter_the_same_die(self) -> None:
        game = firing()
        game.do("dice", "british", values=["66"], **{"from": 1})
        with pytest.raises(DreyerError, match=r"advanced\.order\.other_roll\(given=1, wanted=2\)"):
            game.do("dice", "german", values=["66"], **{"from": 1})

    def test_the_rest_is_rolled_in_one_event(self) -> None:
        game = firing()
        game.do("dice", "british", values=["11"])
        outcome = BATTLE.play(game.state, RollDice(side="british"), RolledDice(random.Random(6)))
        assert outcome.state.kind is StepKind.MARK
        assert {roll.by_server for roll in outcome.rolls} == {True}

    @pytest.mark.parametrize("seed", range(5))
    def test_however_the_dice_come_in(self, seed: int) -> None:
        game = firing()
        begun = game.state
        source = random.Random(seed)
        game.roll(source)
        dice = [value for each in game.events if each["kind"] == "dice"
                for value in each["data"]["values"]]  # fmt: skip
        assert begun.resolution is not None
        whole = with_dice(begun.resolution, TypedDice(" ".join(dice)), CARD, RULES)
        assert whole.after == game.state.engagement
        battle, orders = begun.resolution.battle, begun.resolution.orders
        typed = TypedDice(" ".join(dice))
        at_once = resolve_fire_phase(battle, orders, typed, CARD, RULES)
        assert at_once == (whole.after, whole.report)
        cut = source.randrange(1, len(dice)) if len(dice) > 1 else 0
        if cut:
            first, second = (TypedDice(" ".join(part)) for part in (dice[:cut], dice[cut:]))
            parts = with_dice(begun.resolution, first, CARD, RULES)
            assert parts.wanted is not None
            assert with_dice(parts, second, CARD, RULES).report == whole.report

    def test_sheets_change_when_all_is_resolved(self) -> None:
        """62.2: damage does not take effect until all gunfire is resolved."""
        game = firing()
        fresh = BATTLE.sheet(game.state, "Bismarck", Seat("british"))
        while (wanted := BATTLE.dice_wanted(game.state)) is not None:
            assert BATTLE.sheet(game.state, "Bismarck", Seat("british")) == fresh
            game.do("dice", None, values=["11" if wanted.kind == "pair" else "3"])
        assert BATTLE.sheet(game.state, "Bismarck", Seat("british")) != fresh
