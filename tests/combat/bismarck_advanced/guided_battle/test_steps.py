"""The sequence of play, step by step: what each allows, refuses and leads to."""

import random
from typing import Any

import pytest

from combat.dice import TypedDice
from combat.guided_actions import Commit, Move, RollDice
from combat.guided_play import StepKind, replay
from combat.participants import SPECTATOR, Seat
from combat.rulebooks.bismarck_advanced.guided_battle.events import PlotOpened
from combat.rulebooks.bismarck_advanced.movement.evolution import Evolution
from combat.views import PlotCheck, TorpedoMarkerView
from tabletop.errors import DreyerError
from tabletop.messages import Message, ShipRef
from tabletop.movement import Path, Straight, Turn
from tabletop.table import Pose
from tests.combat.bismarck_advanced.guided_battle.driver import (
    BATTLE,
    RULESET,
    Game,
    advanced_battle,
    check_move,
    check_plot,
    firing,
    moved,
    near,
    plot_draft,
    poses_of,
    read_event,
    replayed,
)
from tests.combat.bismarck_advanced.guided_battle.requests import write_pose
from web.strings import words


def codes(game: Game, seat: Seat) -> list[str]:
    """The codes of the story's lines, as a seat may know it."""
    return [entry.line.text.code for entry in game.story(seat)]


class TestSequence:
    def test_a_round_has_eight_phases(self) -> None:
        game = Game.begin(near())
        marks = BATTLE.sequence(game.state)
        assert [mark.reference for mark in marks] == [f"56.{number}" for number in range(1, 9)]
        assert [mark.progress for mark in marks] == ["now"] + ["ahead"] * 7
        steps = [BATTLE.step(game.state)]
        game.move_all()
        steps.append(BATTLE.step(game.state))
        game.do("designate", "british", ship="Hood", orders=[{"target": "Bismarck"}])
        game.commit()
        steps.append(BATTLE.step(game.state))
        game.roll(random.Random(1))
        steps.append(BATTLE.step(game.state))
        game.do("mark", "british")
        assert BATTLE.step(game.state).waiting_for == ("german",)
        game.do("mark", "german")
        steps.append(BATTLE.step(game.state))
        assert [(step.kind, step.segment, step.reference) for step in steps] == [
            ("plot", 1, "56.1"),
            ("designate", 1, "56.3"),
            ("resolve", 1, "56.4"),
            ("mark", 1, "56.4"),
            ("plot", 2, "56.5"),
        ]
        assert sum(mark.progress == "done" for mark in BATTLE.sequence(game.state)) == 4

    def test_where_nobody_fires_the_next_segment_begins(self) -> None:
        game = moved()
        game.hold_fire()
        assert (game.state.kind, game.state.segment) == (StepKind.PLOT, 2)
        assert "advanced.story.nobody_fires" in codes(game, Seat("german"))

    def test_waiting_shows_who_and_not_what(self) -> None:
        game = Game.begin(near())
        game.plot_all()
        game.do("commit", "german")
        view = BATTLE.view(game.state, Seat("british"))
        assert view.committed == ("german",)
        assert view.step.waiting_for == ("british",)
        game.do("uncommit", "german")
        game.do("plot", "german", ship="Bismarck", speed=7, notation="4")
        assert BATTLE.view(game.state, Seat("british")).committed == ()

    def test_the_umpire_may_do_everything_for_everybody(self) -> None:
        game = Game.begin(near())
        for ship in game.state.engagement.in_action:
            game.do("plot", None, ship=ship.name, speed=8, notation="4")
        game.do("commit", None, side="german")
        game.do("commit")
        game.do("move")
        game.do("designate", None, ship="Hood", orders=[{"target": "Bismarck"}])
        game.do("commit")
        game.do("reduce", None, ship="Hood", rates=[{"target": "Bismarck", "guns": {"A": 1}}])
        game.do("commit", None, side="german")
        game.do("commit")
        game.roll(random.Random(1))
        game.do("mark")
        assert game.state.kind is StepKind.PLOT


class TestPlots:
    @pytest.mark.parametrize(
        ("draft", "field", "position", "rule"),
        [
            ({"notation": "4"}, "speed", None, "58.2"),
            ({"speed": 11, "notation": "6"}, "speed", None, "58.2"),
            ({"speed": 8, "notation": "4x"}, "notation", 1, "57.52"),
            ({"speed": 8, "notation": "5"}, "notation", 0, "58.3"),
            ({"speed": 8, "notation": "3"}, "notation", 1, "58.3"),
            ({"speed": 8, "notation": "lL2"}, "notation", 0, "57.4"),
            ({"speed": 8, "notation": "R+3"}, "notation", 1, "67.22"),
            ({"speed": 8, "notation": "follow"}, "follows", None, "57.7"),
            ({"speed": 8, "notation": "follow", "follows": "Bismarck"}, "follows", None, "57.7"),
            ({"speed": 8, "notation": "4", "follows": "Norfolk"}, "follows", None, "57.7"),
            ({"speed": 8, "notation": "4", "torpedo": "Bismarck"}, "torpedo", None, "69.1"),
        ],
    )
    def test_faults(
        self, draft: dict[str, Any], field: str, position: int | None, rule: str
    ) -> None:
        game = Game.begin(near())
        check = check_plot(game.state, plot_draft("british", "Hood", draft))
        (fault,) = check.faults
        assert (fault.field, fault.position) == (field, position)
        assert rule in fault.reference
        with pytest.raises(DreyerError) as refused:
            game.do("plot", "british", ship="Hood", **draft)
        assert f"({rule})" in words(refused.value)
        assert "\n" not in words(refused.value)

    def test_speed_and_notation_are_both_looked_at(self) -> None:
        game = Game.begin(near())
        draft = {"speed": 30, "notation": "Q"}
        check = check_plot(game.state, plot_draft("british", "Hood", draft))
        assert [fault.field for fault in check.faults] == ["speed", "notation"]

    def test_a_path_to_draw(self) -> None:
        game = Game.begin(near())
        draft = {"speed": 9, "notation": "3Rr"}
        check = check_plot(game.state, plot_draft("british", "Hood", draft))
        assert check.legal
        assert (check.factors_used, check.factors_allowed) == (5, 5)
        assert check.points[0] == pytest.approx((0, 0))
        assert check.end is not None
        assert check.end.heading_deg == pytest.approx(45)
        assert check.shortest_end is None
        assert check.points[-1] == pytest.approx((check.end.x_yards, check.end.y_yards))
        # The factors end one by one, the short turn's where it stops.
        assert len(check.factor_ends) == 5
        assert [y for _, y in check.factor_ends[:3]] == pytest.approx([300, 600, 900])
        assert check.factor_ends[-1] == pytest.approx(check.points[-1])
        note = Message("advanced.draft.short_turn", turn="r", degrees=15.0, yards=150.0)
        assert (check.notes[0].text, check.notes[0].reference) == (note, "57.3")

    @pytest.mark.parametrize(
        ("notation", "heading"), [("3Rr⅓", 40), ("3Rr2/3", 50), ("3Rr12d", 42)]
    )
    def test_a_short_turn_turns_as_much_as_it_says(self, notation: str, heading: float) -> None:
        game = Game.begin(near())
        draft = {"speed": 9, "notation": notation}
        check = check_plot(game.state, plot_draft("british", "Hood", draft))
        assert check.legal
        assert (check.factors_used, check.factors_allowed) == (5, 5)
        assert check.end is not None
        assert check.end.heading_deg == pytest.approx(heading)

    @pytest.mark.parametrize(
        ("notation", "position", "code"),
        [
            ("3Rr5°", 3, "amount_least"),
            ("3Rr31°", 3, "amount_most"),
            ("3R⅓r", 2, "full_turn_amount"),
        ],
    )
    def test_an_amount_that_is_none(self, notation: str, position: int, code: str) -> None:
        game = Game.begin(near())
        draft = {"speed": 9, "notation": notation}
        (fault,) = check_plot(game.state, plot_draft("british", "Hood", draft)).faults
        assert fault.message.code == f"advanced.plot.{code}"
        assert (fault.field, fault.position, fault.reference) == ("notation", position, "57.3")
        with pytest.raises(DreyerError, match=r"advanced\.draft\.refused_at"):
            game.do("plot", "british", ship="Hood", **draft)
        assert not game.state.plots

    def test_a_column_follows_its_leader(self) -> None:
        game = Game.begin(near())
        follow = {"speed": 8, "notation": "follow", "follows": "Hood"}
        alone = check_plot(game.state, plot_draft("british", "Norfolk", follow))
        assert alone.legal
        assert not alone.points
        assert alone.notes[0].text == Message("advanced.follow.waits", ship=ShipRef("Hood"))
        game.do("plot", "british", ship="Hood", speed=8, notation="2RR")
        drawn = check_plot(game.state, plot_draft("british", "Norfolk", follow))
        assert drawn.end is not None
        assert (drawn.end.x_yards, drawn.end.y_yards) == pytest.approx((0, -300))
        game.do("plot", "british", ship="Norfolk", **follow)
        with pytest.raises(DreyerError, match=r"advanced\.follow\.circle"):
            game.do("plot", "british", ship="Hood", speed=8, notation="follow", follows="Norfolk")

    def test_a_damaged_rudder(self) -> None:
        setup = near()
        setup["ships"][0]["state"] = {"helm": ["no_port"]}
        game = Game.begin(setup)
        draft = {"speed": 8, "notation": "3L"}
        check = check_plot(game.state, plot_draft("british", "Hood", draft))
        assert [fault.reference for fault in check.faults] == ["64.72"]
        assert check.faults[0].position == 1

    def test_speed_is_written_once_a_round(self) -> None:
        game = moved()
        game.hold_fire()
        speeds = BATTLE.view(game.state, Seat("british")).ships[0].speeds
        assert speeds is not None
        assert speeds.fixed
        draft = {"speed": 7, "notation": "4"}
        check = check_plot(game.state, plot_draft("british", "Hood", draft))
        assert [fault.field for fault in check.faults] == ["speed"]
        game.do("plot", "british", ship="Hood", notation="4")

    def test_acceleration(self) -> None:
        game = Game.begin(near())
        for ship in game.state.engagement.in_action:
            game.do("plot", ship.side, ship=ship.name, speed=1, notation="1")
        game.commit()
        game.do("move")
        game.hold_fire()
        for ship in game.state.engagement.in_action:
            game.do("plot", ship.side, ship=ship.name, notation="")
        game.commit()
        game.do("move")
        game.hold_fire()
        ships = {ship.id: ship for ship in BATTLE.view(game.state, Seat("british")).ships}
        speeds = ships["Hood"].speeds
        assert speeds is not None
        assert speeds.highest == 8
        assert speeds.highest_reason["rule"] == "58.5"
        assert ships["Bismarck"].speeds is None

    def test_what_a_plot_means(self) -> None:
        game = Game.begin(near())
        draft = {"speed": 8, "notation": "LLR1 C SF"}
        check = check_plot(game.state, plot_draft("british", "Hood", draft))
        assert [note.reference for note in check.notes] == ["67.3", "67.65"]
        assert check.notes[0].text == Message("advanced.evolution.chase", turns=3, left=2, right=1)


class TestMoves:
    def open_plots(self, notation: str = "3r") -> Game:
        game = Game.begin(near())
        game.plot_all(notation)
        game.commit()
        return game

    def test_models_as_plotted_give_what_the_plots_give(self) -> None:
        game = self.open_plots("2R1 SF")
        opened = game.state.open_move
        assert opened is not None
        poses = {
            ship.name: write_pose(opened.report.paths[ship.name].end)
            for ship in game.state.engagement.in_action
        }
        game.do("move", "british", poses=poses)
        assert game.state.engagement == opened.moved

    def test_a_short_turn_ends_where_its_plot_says(self) -> None:
        game = self.open_plots("3r⅓")
        assert game.state.open_move is not None
        plotted = game.state.open_move.report.paths["Hood"].end
        full = Path(Pose(0, 0, 0), (Straight(900), Turn(30, 300))).end
        for pose, in_place in ((plotted, True), (full, False)):
            poses = poses_of({"Hood": write_pose(pose)})
            (standing,) = check_move(game.state, "british", poses)
            assert standing.in_place is in_place
            assert standing.plotted == plotted
        game.do("move", "british")
        assert game.state.engagement["Hood"].pose.heading_deg == pytest.approx(10)
        game.hold_fire()
        opened = [each for each in game.happened if isinstance(each, PlotOpened)]
        assert {each.notation for each in opened} == {"3r⅓"}

    def test_in_edition_1_a_short_turn_ends_where_the_model_stands(self) -> None:
        first = advanced_battle(RULESET.of_edition(1))
        state = first.begin(first.schemas.setup.read(near()))
        for ship in state.engagement.in_action:
            draft = plot_draft(ship.side, ship.name, {"speed": 8, "notation": "3r"})
            check = first.check(state, draft)
            assert isinstance(check, PlotCheck)
            assert check.end is not None
            assert check.shortest_end is not None
            turned = check.end.heading_deg - check.shortest_end.heading_deg
            # Read as the full turn, and cut as short as may be.
            assert turned % 360 == pytest.approx(30 if ship.name in ("Hood", "Bismarck") else 45)
            state = first.play(state, draft, TypedDice("")).state
        state = first.play(state, Commit(side=None), TypedDice("")).state
        assert state.open_move is not None
        half = state.open_move.report.paths["Hood"].pose_at(1_050)
        moved = first.play(state, Move(side=None, poses={"Hood": half}), TypedDice("")).state
        hood = moved.engagement["Hood"]
        assert hood.pose.heading_deg == pytest.approx(15)
        assert hood.track is not None
        assert hood.track.end.heading_deg == pytest.approx(15, abs=0.5)
        assert moved.engagement["Norfolk"].pose.heading_deg == pytest.approx(
            (state.engagement["Norfolk"].pose.heading_deg + 45) % 360
        )

    def test_a_model_out_of_place_is_moved_or_accepted(self) -> None:
        game = self.open_plots("4")
        pose = {"x": 600, "y": 1_200, "heading": 0}
        (standing,) = check_move(game.state, None, poses_of({"Hood": pose}))
        assert not standing.in_place
        assert "600 yd to starboard" in words(standing.why)
        with pytest.raises(DreyerError, match=r"advanced\.order\.out_of_place\(ship=Hood, "):
            game.do("move", "british", poses={"Hood": pose})
        game.do("move", "german", poses={"Hood": pose}, accept=["Hood"])
        assert game.state.engagement["Hood"].pose.x_yards == 600
        assert "advanced.story.stands_by_agreement" in codes(game, Seat("british"))

    def test_collisions_are_judged_by_where_the_models_stand(self) -> None:
        game = self.open_plots("4")
        opened = game.state.open_move
        assert opened is not None
        hood = opened.moved["Hood"].pose
        game.do("move", None, poses={"Norfolk": write_pose(hood)}, accept=True)
        assert game.state.engagement["Hood"].speed == 4
        assert "advanced.story.collision" in codes(game, Seat("german"))

    def test_weaving_smoke_and_torpedoes_come_with_the_move(self) -> None:
        setup = near()
        for ship in setup["ships"][2:]:
            ship["pose"]["x"] = 6_000
        game = Game.begin(setup)
        game.do("plot", "british", ship="Hood", speed=8, notation="LLR1 SC")
        plot = {"speed": 8, "notation": "4", "torpedo": "Bismarck"}
        game.do("plot", "british", ship="Norfolk", **plot)
        for name in ("Bismarck", "Prinz Eugen"):
            game.do("plot", "german", ship=name, speed=8, notation="4")
        game.commit()
        game.do("move")
        view = BATTLE.view(game.state, Seat("german"))
        ships = {ship.id: ship for ship in view.ships}
        assert ships["Hood"].evolution == Evolution.WEAVING
        assert ships["Hood"].smoke_cover
        assert view.torpedo_markers == (
            TorpedoMarkerView("Norfolk", Pose(0.0, -1500.0, 0.0), due=None, target=None),
        )
        game.hold_fire()
        # 69.4: beyond 4,000 yards they arrive a phase later.
        assert game.state.segment == 2
        game.move_all()
        game.commit()
        wanted = BATTLE.dice_wanted(game.state)
        assert wanted is not None
        assert words(wanted.purpose) == "Norfolk's torpedoes at Bismarck: the torpedoes of Norfolk"
        assert (wanted.side, wanted.at_least) == ("british", 1)
        game.roll(random.Random(2))
        assert "advanced.story.torpedoes" in codes(game, SPECTATOR)


class TestReplay:
    def test_events_through_json_give_the_state_again(self) -> None:
        game = firing()
        game.roll(random.Random(7))
        game.mark()
        assert replayed(near(), game.events) == game.state

    def test_dice_taken_together_give_the_same(self) -> None:
        game = firing()
        game.roll(random.Random(8))
        game.mark()
        events = [read_event(each) for each in game.events]
        assert replay(BATTLE, BATTLE.schemas.setup.read(near()), events) == game.state
        one_by_one = [each for each in events if isinstance(each[0], RollDice)]
        assert len(one_by_one) > 1
        first = events.index(one_by_one[0])
        together = RollDice(), tuple(roll for _, rolls in one_by_one for roll in rolls)
        events[first : first + len(one_by_one)] = [together]
        assert replay(BATTLE, BATTLE.schemas.setup.read(near()), events) == game.state


FRONT = {"x1": 0, "y1": 0, "x2": 1000, "y2": 0}


class TestSmokeAtFirst:
    def test_it_stands_for_two_combat_phases(self) -> None:
        game = Game.begin({**near(), "smoke": [FRONT]})
        for segment in (1, 2):
            assert game.state.segment == segment
            assert len(game.state.engagement.table.smoke) == 1
            game.move_all()
            game.hold_fire()
        assert BATTLE.view(game.state, Seat("british")).smoke == ()

    @pytest.mark.parametrize(
        "smoke", [[{"x1": 0}], [{**FRONT, "z": 1}], "thick", [FRONT] * 61, [{**FRONT, "x1": 1e9}]]
    )
    def test_what_is_no_front_is_refused(self, smoke: Any) -> None:
        with pytest.raises(DreyerError) as refused:
            Game.begin({**near(), "smoke": smoke})
        assert words(refused.value).startswith("setup")
