"""The sequence of play, step by step: what each allows, refuses and leads to."""

import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from combat.battle import BattleEvent, StepKind, plain, replay, roll_the_rest, together
from combat.dice import RolledDice
from combat.rulesets.bismarck_advanced.evolution import Evolution
from combat.rulesets.bismarck_advanced.flow.reading import write_pose
from combat.rulesets.bismarck_advanced.flow.resolving import with_dice
from tabletop.errors import DreyerError
from tests.combat.bismarck_advanced.flow.driver import (
    BATTLE,
    CARD,
    RULES,
    TABLES,
    Event,
    Game,
    denmark_strait,
    event,
    line_up,
    replayed,
)


def near(**changes: object) -> dict[str, Any]:
    """Two against two at medium range, broadside to broadside."""
    return line_up(
        ("Hood", "british", 0, 0, 0),
        ("Norfolk", "british", 0, -1_500, 0),
        ("Bismarck", "german", 11_000, 0, 0),
        ("Prinz Eugen", "german", 11_000, -1_500, 0),
        **changes,
    )


def moved(**changes: object) -> Game:
    game = Game.begin(near(**changes))
    game.move_all()
    return game


def firing(**changes: object) -> Game:
    """Everything designated: Hood at Bismarck, Bismarck at Hood."""
    game = moved(**changes)
    game.do("designate", "british", ship="Hood", orders=[{"target": "Bismarck"}])
    game.do("designate", "german", ship="Bismarck", orders=[{"target": "Hood"}])
    game.commit()
    return game


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
        assert "Nobody fires" in repr(BATTLE.story(game.state, "german"))

    def test_waiting_shows_who_and_not_what(self) -> None:
        game = Game.begin(near())
        game.plot_all()
        game.do("commit", "german")
        view = BATTLE.view(game.state, "british")
        assert view["committed"] == ["german"]
        assert view["step"]["waiting_for"] == ["british"]
        game.do("uncommit", "german")
        game.do("plot", "german", ship="Bismarck", speed=7, notation="4")
        assert BATTLE.view(game.state, "british")["committed"] == []

    def test_the_umpire_may_do_everything_for_everybody(self) -> None:
        game = Game.begin(near())
        for ship in game.state.engagement.in_action:
            game.do("plot", None, ship=ship.name, speed=8, notation="4")
        game.do("commit", None, side="german")
        game.do("commit")
        game.do("move")
        game.do("designate", None, ship="Hood", orders=[{"target": "Bismarck"}])
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
        check = BATTLE.check_plot(game.state, "british", "Hood", draft, TABLES)
        (fault,) = check.faults
        assert (fault.field, fault.position) == (field, position)
        assert rule in fault.reference
        with pytest.raises(DreyerError) as refused:
            game.do("plot", "british", ship="Hood", **draft)
        assert rule in str(refused.value)
        assert "\n" not in str(refused.value)

    def test_speed_and_notation_are_both_looked_at(self) -> None:
        game = Game.begin(near())
        draft = {"speed": 30, "notation": "Q"}
        check = BATTLE.check_plot(game.state, "british", "Hood", draft, TABLES)
        assert [fault.field for fault in check.faults] == ["speed", "notation"]

    def test_a_path_to_draw(self) -> None:
        game = Game.begin(near())
        draft = {"speed": 9, "notation": "3Rr"}
        check = BATTLE.check_plot(game.state, "british", "Hood", draft, TABLES)
        assert check.legal
        assert (check.factors_used, check.factors_allowed) == (5, 5)
        assert check.points[0] == pytest.approx((0, 0))
        assert check.end is not None
        assert check.end.heading == pytest.approx(60)
        assert check.shortest_end is not None
        assert check.shortest_end.heading == pytest.approx(30)
        assert check.points[-1] == pytest.approx((check.end.x, check.end.y))

    def test_a_column_follows_its_leader(self) -> None:
        game = Game.begin(near())
        follow = {"speed": 8, "notation": "follow", "follows": "Hood"}
        alone = BATTLE.check_plot(game.state, "british", "Norfolk", follow, TABLES)
        assert alone.legal
        assert not alone.points
        assert "Hood has her plot" in alone.notes[0].text
        game.do("plot", "british", ship="Hood", speed=8, notation="2RR")
        drawn = BATTLE.check_plot(game.state, "british", "Norfolk", follow, TABLES)
        assert drawn.end is not None
        assert (drawn.end.x, drawn.end.y) == pytest.approx((0, -300))
        game.do("plot", "british", ship="Norfolk", **follow)
        with pytest.raises(DreyerError, match="circle"):
            game.do("plot", "british", ship="Hood", speed=8, notation="follow", follows="Norfolk")

    def test_a_damaged_rudder(self) -> None:
        setup = near()
        setup["ships"][0]["state"] = {"helm": ["no_port"]}
        game = Game.begin(setup)
        draft = {"speed": 8, "notation": "3L"}
        check = BATTLE.check_plot(game.state, "british", "Hood", draft, TABLES)
        assert [fault.reference for fault in check.faults] == ["64.72"]
        assert check.faults[0].position == 1

    def test_speed_is_written_once_a_round(self) -> None:
        game = moved()
        game.hold_fire()
        assert BATTLE.view(game.state, "british")["ships"][0]["speeds"]["fixed"]
        draft = {"speed": 7, "notation": "4"}
        check = BATTLE.check_plot(game.state, "british", "Hood", draft, TABLES)
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
        ships = {ship["id"]: ship for ship in BATTLE.view(game.state, "british")["ships"]}
        assert ships["Hood"]["speeds"]["highest"] == 8
        assert "58.5" in ships["Hood"]["speeds"]["highest_reason"]
        assert "speeds" not in ships["Bismarck"]

    def test_what_a_plot_means(self) -> None:
        game = Game.begin(near())
        draft = {"speed": 8, "notation": "LLR1 C SF"}
        check = BATTLE.check_plot(game.state, "british", "Hood", draft, TABLES)
        assert [note.reference for note in check.notes] == ["67.3", "67.65"]
        assert "C and 3 turns" in check.notes[0].text


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

    def test_a_short_turn_ends_where_the_model_stands(self) -> None:
        game = self.open_plots()
        opened = game.state.open_move
        assert opened is not None
        half = opened.report.paths["Hood"].pose_at(1_050)
        pose = {"x": half.x_yards, "y": half.y_yards, "heading": half.heading_deg}
        (standing,) = BATTLE.check_move(game.state, "british", {"Hood": pose})
        assert standing.in_place
        game.do("move", "british", poses={"Hood": pose})
        hood = game.state.engagement["Hood"]
        assert hood.pose.heading_deg == pytest.approx(15)
        assert hood.track is not None
        assert hood.track.end.heading_deg == pytest.approx(15, abs=0.5)

    def test_a_model_out_of_place_is_moved_or_accepted(self) -> None:
        game = self.open_plots("4")
        pose = {"x": 600, "y": 1_200, "heading": 0}
        (standing,) = BATTLE.check_move(game.state, None, {"Hood": pose})
        assert not standing.in_place
        assert "600 yd to starboard" in standing.why
        with pytest.raises(DreyerError, match=r"Hood is out of place.*accept"):
            game.do("move", "german", poses={"Hood": pose})
        game.do("move", "german", poses={"Hood": pose}, accept=["Hood"])
        assert game.state.engagement["Hood"].pose.x_yards == 600
        assert "by agreement" in repr(BATTLE.story(game.state, "british"))

    def test_collisions_are_judged_by_where_the_models_stand(self) -> None:
        game = self.open_plots("4")
        opened = game.state.open_move
        assert opened is not None
        hood = opened.moved["Hood"].pose
        game.do("move", None, poses={"Norfolk": write_pose(hood)}, accept=True)
        assert game.state.engagement["Hood"].speed == 4
        assert "collide" in repr(BATTLE.story(game.state, "german"))

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
        view = BATTLE.view(game.state, "german")
        ships = {ship["id"]: ship for ship in view["ships"]}
        assert ships["Hood"]["evolution"] == Evolution.WEAVING
        assert ships["Hood"]["smoke_cover"]
        assert view["torpedo_markers"] == [
            {
                "launcher": "Norfolk",
                "place": {"x": 0.0, "y": -1500.0, "heading": 0.0},
                "due": None,
                "target": None,
            }
        ]
        game.hold_fire()
        # 69.4: beyond 4,000 yards they arrive a phase later.
        assert game.state.segment == 2
        game.move_all()
        game.commit()
        wanted = BATTLE.wanted(game.state)
        assert wanted is not None
        assert wanted.purpose == "Norfolk's torpedoes at Bismarck: the torpedoes of Norfolk"
        assert (wanted.side, wanted.at_least) == ("british", 1)
        game.roll(random.Random(2))
        assert "Norfolk's torpedoes run at Bismarck" in repr(BATTLE.story(game.state, None))


class TestFire:
    def test_options(self) -> None:
        game = moved()
        first, second = BATTLE.fire_options(game.state, "british", "Hood", TABLES)
        assert (first.target, second.target) == ("Bismarck", "Prinz Eugen")
        assert (first.segment, first.quadrant, first.aspect) == ("medium_low", "starboard", "port")
        main, secondary = first.batteries
        assert main.allowed
        assert main.guns_bearing == 8
        assert main.forecast is not None
        assert sum(main.forecast["hits"].values()) == pytest.approx(1)
        assert main.modifier_total == sum(line["value"] for line in main.ledger)
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
        option = BATTLE.fire_options(game.state, "british", "Hood", TABLES)[0]
        main, secondary = option.batteries
        reasons = {mount.name: mount.why_not for mount in main.mounts if not mount.bears}
        assert reasons == {
            "A": "destroyed",
            "B": "out of action for 1 more",
            "X": "every gun is jammed",
        }
        assert not secondary.allowed
        assert secondary.reference == "65.5"

    @pytest.mark.parametrize(
        ("orders", "words"),
        [
            ([{"target": "Norfolk"}], "on one side"),
            ([{"target": "Bismarck", "turrets": ["Q"]}], "no main turret 'Q'"),
            ([{"target": "Bismarck", "guns": 9}], "9 guns cannot fire"),
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
    def test_forbidden(self, orders: list[dict[str, Any]], words: str) -> None:
        game = moved()
        with pytest.raises(DreyerError, match=words):
            game.do("designate", "british", ship="Hood", orders=orders)
        assert not game.state.fires

    def test_a_draft_shows_its_ledger_and_odds(self) -> None:
        game = moved()
        split = [
            {"target": "Bismarck", "turrets": ["A", "B"]},
            {"target": "Prinz Eugen", "turrets": ["X", "Y"]},
        ]
        checked = BATTLE.check_fire(game.state, "british", "Hood", {"orders": split}, TABLES)
        assert checked["fault"] is None
        for fire in checked["fires"]:
            labels = [line["label"] for line in fire["ledger"] if line["value"]]
            assert "these guns fire at several targets" in labels
        wrong = {"orders": [{"target": "Bismarck", "turrets": ["Q"]}]}
        fault = BATTLE.check_fire(game.state, "british", "Hood", wrong, TABLES)["fault"]
        assert fault["reference"] == "60.2"

    def test_a_fire_unfolds_as_its_dice_fall(self) -> None:
        game = firing()
        before = BATTLE.view(game.state, "german")["resolution"]
        assert before["current"]["document"]["dice"] is None
        assert not before["current"]["complete"]
        assert before["ahead"] == ["Bismarck at Hood"]
        game.do("dice", "british", values=["11"])
        rolled = BATTLE.view(game.state, "german")["resolution"]["current"]
        assert rolled["document"]["dice"] == "11"
        assert rolled["document"]["hits"] > 0
        assert rolled["document"]["hit_results"] == []
        game.do("dice", "british", values=["24"])
        game.roll(random.Random(3))
        assert game.state.kind is StepKind.MARK
        fires = [e for e in BATTLE.story(game.state, "british") if e.kind == "fire"]
        assert [entry.ships for entry in fires] == [("Hood", "Bismarck"), ("Bismarck", "Hood")]
        assert fires[0].children
        assert fires[0].document is not None
        assert len(fires[0].document["hit_results"]) == fires[0].document["hits"]

    def test_jams_come_first(self) -> None:
        game = Game.begin(denmark_strait())
        game.move_all()
        orders = [{"target": "Prinz Eugen"}]
        game.do("designate", "british", ship="Prince of Wales", orders=orders)
        game.commit()
        wanted = BATTLE.wanted(game.state)
        assert wanted is not None
        assert (wanted.purpose, wanted.at_least) == ("the jams of Prince of Wales", 2)
        game.do("dice", "british", values=["11"])
        view = BATTLE.view(game.state, "german")
        assert "1 gun in turret A jammed" in view["resolution"]["done"][0]["line"]["text"]
        assert view["resolution"]["current"]["document"]["guns"] < 10
        game.roll(random.Random(5))
        assert game.state.engagement["Prince of Wales"].vessel.turrets[0].jammed_guns == 1

    @pytest.mark.parametrize(
        ("values", "words"),
        [
            ([], "none given"),
            (["7"], "number 1 is '7'"),
            (["5"], "Hood at Bismarck: the hit roll: expected a pair"),
            (["11"] * 40, "expected one die|too many"),
            (["11", "5"], "number 2 is for Hood at Bismarck: the location of hit 1"),
            ("11", "a list of texts"),
        ],
    )
    def test_dice_that_do_not_fit(self, values: object, words: str) -> None:
        game = firing()
        with pytest.raises(DreyerError, match=words):
            game.do("dice", "british", values=values)
        assert game.state.resolution is not None
        assert game.state.resolution.dice == ()

    def test_two_phones_do_not_enter_the_same_die(self) -> None:
        game = firing()
        game.do("dice", "british", values=["66"], **{"from": 1})
        with pytest.raises(DreyerError, match="somebody has entered dice"):
            game.do("dice", "german", values=["66"], **{"from": 1})

    def test_the_rest_is_rolled_in_one_event(self) -> None:
        game = firing()
        game.do("dice", "british", values=["11"])
        values = roll_the_rest(BATTLE, game.state, TABLES, RolledDice(random.Random(6)))
        game.do("dice", "british", values=list(values), how="rolled")
        assert game.state.kind is StepKind.MARK

    @pytest.mark.parametrize("seed", range(5))
    def test_however_the_dice_come_in(self, seed: int) -> None:
        game = firing()
        begun = game.state
        source = random.Random(seed)
        game.roll(source)
        dice = [value for each in game.events if each["kind"] == "dice"
                for value in each["data"]["values"]]  # fmt: skip
        assert begun.resolution is not None
        whole = with_dice(begun.resolution, dice, CARD, RULES)
        assert whole.after == game.state.engagement
        cut = source.randrange(1, len(dice)) if len(dice) > 1 else 0
        if cut:
            parts = with_dice(begun.resolution, dice[:cut], CARD, RULES)
            assert parts.wanted is not None
            assert with_dice(parts, dice[cut:], CARD, RULES).report == whole.report

    def test_sheets_change_when_all_is_resolved(self) -> None:
        """62.2: damage does not take effect until all gunfire is resolved."""
        game = firing()
        fresh = BATTLE.sheet(game.state, "british", "Bismarck")
        while (wanted := BATTLE.wanted(game.state)) is not None:
            assert BATTLE.sheet(game.state, "british", "Bismarck") == fresh
            game.do("dice", None, values=["11" if wanted.kind == "pair" else "3"])
        assert BATTLE.sheet(game.state, "british", "Bismarck") != fresh


BAD: list[tuple[Callable[[], Game], Event]] = [
    (lambda: Game.begin(near()), event("commit", "british")),
    (lambda: Game.begin(near()), event("uncommit", "british")),
    (lambda: Game.begin(near()), event("move", "british")),
    (lambda: Game.begin(near()), event("designate", "british", ship="Hood", orders=[])),
    (lambda: Game.begin(near()), event("dice", "british", values=["11"])),
    (lambda: Game.begin(near()), event("mark", "british")),
    (lambda: Game.begin(near()), event("repair", "british", ship="Hood", part="hull")),
    (lambda: Game.begin(near()), event("withdraw", "british", ship="Hood")),
    (lambda: Game.begin(near()), event("reveal", "british", ship="Hood")),
    (lambda: Game.begin(near()), event("correct", "british", ship="Hood", values={}, reason="x")),
    (lambda: Game.begin(near()), event("correct", None, ship="Hood", values={"hull_lost": 1})),
    (
        lambda: Game.begin(near()),
        event("correct", None, ship="Hood", values={"hull_lost": 0.3}, reason="x"),
    ),
    (
        lambda: Game.begin(near()),
        event("correct", None, ship="Hood", values={"masts": 3}, reason="x"),
    ),
    (lambda: Game.begin(near()), event("commit", "french")),
    (lambda: Game.begin(near()), event("plot", "british", ship="Bismarck", notation="4", speed=8)),
    (lambda: Game.begin(near()), event("plot", "british", ship=["Hood"], notation="4", speed=8)),
    (lambda: Game.begin(near()), event("plot", "british", ship="Hood", notation=4, speed=8)),
    (lambda: Game.begin(near()), event("plot", "british", ship="Hood", notation="4", speed=True)),
    (
        lambda: Game.begin(near()),
        event("plot", "british", ship="Hood", notation="4", speed=8, sped=9),
    ),
    (moved, event("plot", "british", ship="Hood", notation="4", speed=8)),
    (moved, event("designate", "german", ship="Hood", orders=[{"target": "Bismarck"}])),
    (moved, event("designate", "british", ship="Hood", orders="Bismarck")),
    (firing, event("designate", "british", ship="Hood", orders=[])),
    (firing, event("mark", "british")),
]


@pytest.mark.parametrize(("begun", "bad"), BAD, ids=lambda value: str(value)[:60])
def test_an_illegal_event_is_one_clear_line(begun: Callable[[], Game], bad: Event) -> None:
    game = begun()
    before = game.state
    with pytest.raises(DreyerError) as refused:
        BATTLE.apply(game.state, BattleEvent.of(bad), TABLES)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) > 10
    assert game.state is before


@pytest.mark.parametrize(
    "value", [3, {}, {"kind": "dance"}, {"kind": "plot", "side": 3}, {"kind": "plot", "data": []}]
)
def test_what_is_no_event(value: object) -> None:
    with pytest.raises(DreyerError):
        BattleEvent.of(value)


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
        events = [BattleEvent.of(each) for each in game.events]
        assert sum(each.kind == "dice" for each in together(events)) == 1
        assert replay(BATTLE, near(), events, TABLES) == game.state
