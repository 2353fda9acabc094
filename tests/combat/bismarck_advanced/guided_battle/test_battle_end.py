"""Leaving, ending, repairing, correcting, and the sheets that show it."""

import json
import random
import re
from dataclasses import replace
from typing import Any

import pytest

from combat.guided_play import StepKind
from combat.participants import SPECTATOR, Seat
from combat.record_sheets import SheetPart
from combat.rulebooks.bismarck_advanced.fleet.warship_files import load_warships
from tabletop.errors import DreyerError
from tabletop.messages import Message, ShipRef, SideRef
from tests.combat.bismarck_advanced.guided_battle.driver import (
    BATTLE,
    Game,
    check_plot,
    line_up,
    plot_draft,
)
from tests.plain import plain
from web.strings import words

FAR = 40_000


def duel(distance: float = 11_000, **changes: object) -> dict[str, Any]:
    return line_up(("Hood", "british", 0, 0, 0), ("Bismarck", "german", distance, 0, 0), **changes)


def parts(game: Game, ship: str) -> dict[str, SheetPart]:
    return {part.key: part for part in BATTLE.sheet(game.state, ship, SPECTATOR).parts}


class TestLeaving:
    def test_a_ship_out_of_reach_for_more_than_three_rounds_may_withdraw(self) -> None:
        game = Game.begin(duel(FAR, starting_range_yards=26_000))
        for _ in range(6):
            game.move_all("4", 8)
            game.hold_fire()
        with pytest.raises(DreyerError, match=r"advanced\.withdraw\.not_yet") as refused:
            game.do("withdraw", "british", ship="Hood")
        assert words(refused.value).startswith("Hood cannot withdraw: 3 rounds in a row ")
        assert refused.value.message["rule"] == "66"
        for _ in range(2):
            game.move_all("4", 8)
            game.hold_fire()
        ships = BATTLE.view(game.state, Seat("british")).ships
        assert ships[0].withdrawal is not None
        assert ships[0].withdrawal.may_withdraw
        game.plot_all()
        game.do("withdraw", "british", ship="Hood")
        assert game.state.kind is StepKind.ENDED
        assert (
            words(game.state.ending)
            == "All British ships are sunk or out of the battle: German victory"
        )

    def test_plans_for_a_ship_that_leaves_are_dropped_without_a_word(self) -> None:
        """Else the other side could learn from an error whom torpedoes were meant for."""
        setup = line_up(
            ("Norfolk", "british", 0, 0, 0),
            ("Bismarck", "german", 5_000, 0, 0),
            ("Prinz Eugen", "german", 5_000, 2_000, 0),
        )
        game = Game.begin(setup)
        game.do("correct", None, ship="Bismarck", values={"rounds_outside": 4}, reason="test")
        game.plot_all()
        aimed = {"speed": 8, "notation": "4", "torpedo": "Bismarck"}
        game.do("plot", "british", ship="Norfolk", **aimed)
        game.do("commit", "british")
        game.do("withdraw", "german", ship="Bismarck")
        assert not game.state.committed
        assert set(game.state.plots) == {"Prinz Eugen"}
        game.do("commit", "german")
        with pytest.raises(DreyerError, match=r"advanced\.draft\.missing\(ship=Norfolk\)"):
            game.do("commit", "british")

    def test_a_commitment_is_taken_back_first(self) -> None:
        game = Game.begin(duel(FAR))
        game.plot_all()
        game.do("commit", "british")
        with pytest.raises(DreyerError, match=r"advanced\.withdraw\.not_now"):
            game.do("withdraw", "british", ship="Hood")


class TestEnding:
    def test_both_sides_agree(self) -> None:
        game = Game.begin(duel())
        game.do("end", "british", reason="it is dark")
        assert BATTLE.view(game.state, Seat("german")).wants_to_end == ("british",)
        game.do("end", "british", agree=False)
        game.do("end", "german")
        assert not game.state.ending
        game.do("end", "british", reason="it is dark")
        assert game.state.kind is StepKind.ENDED
        assert BATTLE.step(game.state).title == Message("advanced.step.ended")
        assert all(mark.progress == "done" for mark in BATTLE.sequence(game.state))
        with pytest.raises(DreyerError, match=r"advanced\.end\.already"):
            game.do("end")
        with pytest.raises(DreyerError, match=r"advanced\.not_now\.ended"):
            game.do("commit", "british")

    def test_the_last_ship_sunk_ends_it(self) -> None:
        setup = duel(3_000)
        setup["ships"][0]["state"] = {"hull_lost": 9.75}
        game = Game.begin(setup)
        game.move_all()
        game.do("designate", "german", ship="Bismarck", orders=[{"target": "Hood"}])
        game.commit()
        source = random.Random(0)
        game.do("dice", None, values=["11"])
        game.roll(source)
        assert game.state.engagement["Hood"].vessel.is_sunk
        assert BATTLE.view(game.state, Seat("british")).ships[0].status == "sunk"
        game.do("mark", "german")
        game.do("mark", "british")
        assert game.state.ending.code == "advanced.end.victory"
        assert game.state.ending["victors"] == Message("advanced.end.side", side=SideRef("german"))

    def test_lasting_jams_end_with_the_battle(self) -> None:
        game = Game.begin(duel())
        game.do("correct", None, ship="Hood", values={"jammed_guns": {"A": 1}}, reason="test")
        game.do("end")
        assert game.state.engagement["Hood"].vessel.turrets[0].jammed_guns == 0


class TestRepairs:
    def damaged(self) -> Game:
        setup = duel()
        setup["ships"][0]["state"] = {"hull_lost": 4.5, "helm": ["no_port"]}
        game = Game.begin(setup)
        with pytest.raises(DreyerError, match=r"advanced\.repair_order\.not_now"):
            game.do("repair", "british", ship="Hood", part="hull")
        game.do("end")
        return game

    def test_one_section_a_turn_by_a_die(self) -> None:
        game = self.damaged()
        own, other = (BATTLE.view(game.state, Seat(side)).repairs for side in ("british", "german"))
        assert own is not None
        assert [prospect.part for prospect in own.ships["Hood"].prospects] == ["hull", "rudder"]
        assert other is not None
        assert other.ships.keys() == {"Bismarck"}
        game.do("repair", "british", ship="Hood", part="rudder")
        wanted = BATTLE.dice_wanted(game.state)
        assert wanted is not None
        assert (wanted.kind, wanted.purpose) == (
            "die",
            Message(
                "advanced.roll.repair",
                ship=ShipRef("Hood"),
                section=Message("advanced.section.rudder"),
            ),
        )
        game.do("dice", "british", values=["3"])
        assert not game.state.engagement["Hood"].vessel.helm
        with pytest.raises(DreyerError, match=r"advanced\.repair_order\.tried"):
            game.do("repair", "british", ship="Hood", part="hull")
        game.do("repair", None, next_turn=True)
        game.do("repair", "british", ship="Hood", part="hull")
        game.do("dice", "british", values=["6"])
        assert "repair" in [entry.kind for entry in game.story(Seat("german"))]

    @pytest.mark.parametrize(
        ("side", "data", "said"),
        [
            ("german", {"ship": "Hood", "part": "hull"}, r"advanced\.repair_order\.not_yours"),
            ("british", {"ship": "Hood", "part": "secondary"}, r"advanced\.repair\.undamaged"),
            ("british", {"ship": "Hood", "part": "turret"}, r"advanced\.repair\.turret_by_name"),
            ("british", {"ship": "Hood", "part": "masts"}, "hull, turret"),
            ("british", {"ship": "Hood", "part": "hull", "moved_two_zones": True}, "40.6"),
        ],
    )
    def test_refused(self, side: str, data: dict[str, Any], said: str) -> None:
        game = self.damaged()
        with pytest.raises(DreyerError) as refused:
            game.do("repair", side, **data)
        assert re.search(said, f"{refused.value} {words(refused.value)}")
        with pytest.raises(DreyerError, match=r"advanced\.repair_order\.none_named"):
            game.do("dice", side, values=["1"])


class TestCorrections:
    def test_any_value_with_a_reason_in_the_log(self) -> None:
        game = Game.begin(duel())
        values = {
            "hull_lost": 2.25,
            "superstructure_lost": 1,
            "turrets_lost": {"A": 1.5},
            "secondaries_lost": [],
            "director_destroyed": True,
            "movement_factors_lost": 3,
            "ammunition": {"main": 100},
            "pose": {"x": 500, "y": 0, "heading": 90},
            "rounds_outside": 2,
            "evolution": "weaving",
        }
        game.do("correct", None, ship="Hood", values=values, reason="a hit was marked twice")
        hood = game.state.engagement["Hood"]
        assert (hood.vessel.hull_lost, hood.vessel.turrets[0].lost_quarters) == (9, 6)
        assert (hood.vessel.movement_factor, hood.record.movement_factor) == (7, 7)
        assert (hood.pose.x_yards, hood.rounds_outside) == (500, 2)
        told = game.story(Seat("german"))[-1].line.text
        assert told.code == "advanced.story.corrected_ship"
        told_values = told["values"]
        assert isinstance(told_values, tuple)
        said = [words(each) for each in told_values if isinstance(each, Message)]
        assert len(said) == len(values)
        assert "Hull boxes lost: 0 → 2.25" in said
        assert "Turret boxes lost: A: 0 → A: 1.5" in said
        assert "Director destroyed: no → yes" in said
        # Where she stands is seen on the chart.
        assert "Place and heading" in said
        assert told["reason"] == "a hit was marked twice"
        game.do("correct", None, values={"visibility": 5, "night": True}, reason="dusk")
        assert game.state.engagement.night

    def test_commitments_are_taken_back_and_impossible_drafts_dropped(self) -> None:
        game = Game.begin(duel())
        game.plot_all("3L", 8)
        game.do("commit", "british")
        game.do("correct", None, ship="Hood", values={"helm": ["no_port"]}, reason="forgotten")
        assert not game.state.committed
        assert set(game.state.plots) == {"Bismarck"}
        with pytest.raises(DreyerError, match=r"advanced\.draft\.missing\(ship=Hood\)"):
            game.do("commit", "british")

    def test_a_speed_limits_the_next_round_or_fills_this_one(self) -> None:
        game = Game.begin(duel())
        game.do("correct", None, ship="Hood", values={"speed": 1}, reason="from rest")
        speeds = BATTLE.view(game.state, Seat("british")).ships[0].speeds
        assert speeds is not None
        assert speeds.highest == 8
        game.move_all()
        game.do("correct", None, ship="Hood", values={"speed": 5}, reason="misread")
        game.hold_fire()
        draft = {"notation": "2"}
        assert check_plot(game.state, plot_draft("british", "Hood", draft)).legal

    def test_open_plots_are_judged_anew(self) -> None:
        game = Game.begin(duel())
        game.plot_all()
        game.commit()
        pose = {"x": 0, "y": 5_000, "heading": 0}
        game.do("correct", None, ship="Hood", values={"pose": pose}, reason="misread")
        game.do("move")
        assert game.state.engagement["Hood"].pose.y_yards == pytest.approx(6_200)

    def test_a_resolution_goes_on_with_its_dice(self) -> None:
        game = Game.begin(duel())
        game.move_all()
        game.do("designate", "british", ship="Hood", orders=[{"target": "Bismarck"}])
        game.commit()
        game.do("dice", None, values=["11"])
        game.do("correct", None, values={"visibility": 8}, reason="fog")
        resolution = game.state.resolution
        assert resolution is not None
        assert [roll.value for roll in resolution.rolls] == ["11"]
        assert resolution.current is not None
        assert resolution.current.shot.conditions.visibility == 8
        game.roll(random.Random(1))
        assert game.state.kind is StepKind.MARK


class TestSheets:
    @pytest.mark.parametrize("ship", list(load_warships()), ids=lambda ship: ship.name)
    def test_every_ship_can_be_drawn(self, ship: Any) -> None:
        setup = duel()
        setup["ships"][0]["type"] = ship.name
        game = Game.begin(setup)
        sheet = BATTLE.sheet(game.state, "Hood", Seat("german"))
        assert (sheet.type, sheet.trouble, sheet.status) == (ship.name, 0, "in action")
        assert all(part.lost == 0 and not part.words for part in sheet.parts)
        turrets = [part for part in sheet.parts if part.kind == "turret"]
        assert [part.key for part in turrets] == [turret.name for turret in ship.turrets]
        assert all(0 <= (part.station or 0) <= 1 for part in sheet.parts)
        json.dumps(plain(sheet))

    def test_damage_appears_where_it_happened(self) -> None:
        game = Game.begin(duel())
        values = {
            "hull_lost": 2.5,
            "turrets_lost": {"A": 3, "B": 0.75},
            "secondaries_lost": ["P1"],
            "plot_destroyed": True,
            "helm": ["no_turns"],
            "movement_factors_lost": 4,
            "ammunition": {"main": 0},
            "torpedoes_fired": True,
            "command_modifier": 2,
        }
        game.do("correct", None, ship="Hood", values=values, reason="test")
        by_key = parts(game, "Hood")
        assert (by_key["hull"].lost, words(by_key["hull"].words)) == (10, "2.5 boxes lost")
        assert by_key["A"].destroyed
        assert words(by_key["B"].words) == "0.75 box lost"
        assert by_key["P1"].destroyed
        assert words(by_key["plot"].words) == "destroyed"
        assert words(by_key["rudder"].words) == "no turns"
        assert words(by_key["speed"].words) == "movement factor 6 of 10"
        assert words(by_key["ammunition_main"].words) == "empty"
        assert words(by_key["torpedoes"].words) == "fired"
        assert words(by_key["conning_tower"].words) == "+2 to her fire"
        assert BATTLE.sheet(game.state, "Hood", SPECTATOR).trouble > 0.2


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"ships": []}, "from 2 to"),
        ({"sides": ["british"]}, "2 to 4 sides"),
        ({"sides": ["british", "french"]}, "german"),
        ({"visibility": 9}, "visibility"),
        ({"tide": "high"}, "unknown key 'tide'"),
        ({"starting_range_yards": -1}, "starting_range_yards"),
        ({"options": {"radar": True}}, "unknown key 'radar'"),
    ],
)
def test_a_wrong_setup_says_what_is_wrong(change: dict[str, Any], said: str) -> None:
    with pytest.raises(DreyerError) as refused:
        BATTLE.begin(BATTLE.schemas.setup.read(duel() | change))
    assert said in words(refused.value)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"name": "Bismarck"}, "two ships are called 'Bismarck'"),
        ({"type": "Yamato"}, "unknown ship"),
        ({"pose": {"x": 0, "y": 0}}, "heading"),
        ({"pose": None}, "pose"),
        ({"state": {"hull_lost": 99}}, "hull_lost"),
        ({"state": {"turrets_lost": {"Q": 1}}}, "unknown key 'Q'"),
        ({"base": {"length_yards": 0, "width_yards": 4}}, "length_yards"),
    ],
)
def test_a_wrong_ship_says_what_is_wrong(change: dict[str, Any], said: str) -> None:
    setup = duel()
    setup["ships"][0] |= change
    with pytest.raises(DreyerError) as refused:
        BATTLE.begin(BATTLE.schemas.setup.read(setup))
    assert said in words(refused.value)


def test_tables_decide_and_are_passed_in() -> None:
    """The same events with other tables give another battle: nothing is remembered of them."""
    game = Game.begin(duel())
    game.move_all()
    options = BATTLE.fire_options(game.state, "british", "Hood")
    assert options == BATTLE.fire_options(replace(game.state), "british", "Hood")
