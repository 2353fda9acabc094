"""What is sealed until a segment ends (57.6), and torpedoes until they are resolved (69.4).

Two battles that differ only in what one side has written are played side by side: to everybody
else they have to look the same.
"""

import random
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import pytest

from combat.dice import TypedDice
from combat.events import Event as TypedEvent
from combat.guided_play import StepKind
from combat.participants import SPECTATOR, UMPIRE, Seat
from combat.rulebook import Place
from combat.rulebooks.bismarck_advanced.guided_battle.events import PlotOpened
from combat.rulebooks.bismarck_advanced.movement.evolution import Evolution
from combat.views import LoggedPlot, MoveView, PlacementView
from tabletop.errors import DreyerError
from tests.combat.bismarck_advanced.guided_battle.driver import (
    BATTLE,
    RULESET,
    Game,
    advanced_battle,
    check_fire,
    check_move,
    event,
    fire_draft,
    line_up,
    outcome,
    poses_of,
)
from web.strings import words

BRITISH, GERMAN = Seat("british"), Seat("german")
Plots = Mapping[str, Mapping[str, Any]]


def two_sides() -> dict[str, Any]:
    return line_up(
        ("Hood", "british", 0, 0, 0),
        ("Norfolk", "british", 0, -1_500, 0),
        ("Bismarck", "german", 7_000, 0, 0),
        ("Prinz Eugen", "german", 7_000, -1_500, 0),
    )


def plotted(british: Plots = MappingProxyType({}), setup: Mapping[str, Any] | None = None) -> Game:
    """All plots committed; whoever is not named goes straight on at 8."""
    game = Game.begin(setup or two_sides())
    for ship in game.state.engagement.in_action:
        plot = british.get(ship.name, {"speed": 8, "notation": "4"})
        game.do("plot", ship.side, ship=ship.name, **plot)
    game.commit()
    return game


def answer(game: Game, kind: str, **data: object) -> str:
    """What the Germans hear when they try something."""
    try:
        found = outcome(game.state, event(kind, "german", **data))
    except DreyerError as error:
        return f"{words(error)} {vars(error)}"
    return repr(BATTLE.view(found.state, GERMAN))


def heard(game: Game) -> list[object]:
    """Everything that the Germans and those who watch can get out of a battle."""
    found: list[object] = []
    for seat in (GERMAN, SPECTATOR):
        found += [
            BATTLE.view(game.state, seat),
            game.story(seat),
            BATTLE.movement_log(game.state, seat),
            BATTLE.free_state(game.state, seat).ships,
            [BATTLE.sheet(game.state, name, seat) for name in ("Hood", "Norfolk")],
        ]
    found += [BATTLE.step(game.state), BATTLE.sealed_since(game.state)]
    if game.state.kind is StepKind.DESIGNATE:
        found.append(BATTLE.fire_options(game.state, "german", "Bismarck"))
        draft = fire_draft("german", "Bismarck", {"orders": [{"target": "Hood"}]})
        found += [check_fire(game.state, draft), BATTLE.forecast(game.state, [draft])]
    if game.state.kind is StepKind.RESOLVE:
        found += [answer(game, "dice", values=[value]) for value in ("99", "1", "11 11 11 11")]
    return found


SAME_MOVE = [
    ({"Hood": {"speed": 9, "notation": "5"}}, {"Hood": {"speed": 10, "notation": "5"}}),
    (
        {"Hood": {"speed": 7, "notation": "1LRL C"}},
        {"Hood": {"speed": 7, "notation": "1LRL"}},
    ),
    (
        {"Hood": {"speed": 7, "notation": "1RRRC"}},
        {"Hood": {"speed": 7, "notation": "1RRR"}},
    ),
]
"""Pairs of plots that move the models alike."""


class TestPlots:
    @pytest.mark.parametrize(("one", "two"), SAME_MOVE)
    def test_others_see_the_movement_alone_until_the_fire_is_resolved(
        self, one: Plots, two: Plots
    ) -> None:
        games = plotted(one), plotted(two)
        assert heard(games[0]) == heard(games[1])
        for game in games:
            game.do("move")
        assert heard(games[0]) == heard(games[1])
        for game in games:
            game.do("designate", "german", ship="Bismarck", orders=[{"target": "Norfolk"}])
            game.do("commit", "german")
        assert heard(games[0]) == heard(games[1])
        for game in games:
            game.do("uncommit", "german")
            game.do("designate", "german", ship="Bismarck", orders=[])
            game.commit()
        # Nobody has fired: the segment is over, and the plots are open.
        assert games[0].state.kind is StepKind.PLOT
        assert BATTLE.movement_log(games[0].state, GERMAN) != BATTLE.movement_log(
            games[1].state, GERMAN
        )
        assert games[0].story(GERMAN) != games[1].story(GERMAN)

    def test_where_a_model_goes_is_told_to_its_own_side_until_it_is_moved(self) -> None:
        game = plotted({"Hood": {"speed": 7, "notation": "1RR1"}})
        own, other = (BATTLE.view(game.state, seat).move["Hood"] for seat in (BRITISH, GERMAN))
        assert (own.notation, own.speed) == ("1RR1", 7)
        assert own.plotted is not None
        assert len(own.points) > 2
        assert other == MoveView()
        assert BATTLE.view(game.state, UMPIRE).move["Hood"].notation == "1RR1"

    @pytest.mark.parametrize("poses", [{}, {"Hood": (900.0, 900.0)}, {"Hood": (0.0, 0.0)}])
    def test_whatever_was_plotted_looks_the_same_before_the_models_are_moved(
        self, poses: Mapping[str, tuple[float, float]]
    ) -> None:
        asked = {name: {"x": x, "y": y, "heading": 0.0} for name, (x, y) in poses.items()}
        found = []
        for plot in ("1RR1", "1LL1", "RRRR"):
            game = plotted({"Hood": {"speed": 7, "notation": plot}})
            tried = answer(game, "move", poses=asked) if asked else ""
            checks = check_move(game.state, "german", poses_of(asked))
            found.append((heard(game), tried, checks))
        assert found[0] == found[1] == found[2]

    def test_of_an_enemys_model_only_whether_it_is_as_plotted_is_told(self) -> None:
        game = plotted({"Hood": {"speed": 7, "notation": "4"}})
        places = {"x": 0.0, "y": 1_500.0, "heading": 0.0}
        off = {"Hood": places}
        (own,) = check_move(game.state, "british", poses_of(off))
        (other,) = check_move(game.state, "german", poses_of(off))
        assert own.off_yards == pytest.approx(300)
        assert other == PlacementView("Hood", in_place=False)
        with pytest.raises(DreyerError) as refused:
            game.do("move", "german", poses=off)
        assert refused.value.message.code == "advanced.order.not_as_plotted"
        with pytest.raises(DreyerError) as refused:
            game.do("move", "british", poses=off)
        assert refused.value.message.code == "advanced.order.out_of_place"

    def test_how_far_off_an_accepted_model_stands_is_told_when_the_plots_open(self) -> None:
        game = plotted({"Hood": {"speed": 7, "notation": "4"}})
        off = {"Hood": {"x": 0.0, "y": 1_700.0, "heading": 0.0}}
        game.do("move", "german", poses=off, accept=["Hood"])

        def agreed(seat: Seat) -> list[str]:
            codes = [each.line.text.code for each in game.story(seat)]
            return [code for code in codes if code.startswith("advanced.story.stands_")]

        assert agreed(BRITISH) == ["advanced.story.stands_by_agreement"]
        assert agreed(GERMAN) == agreed(SPECTATOR) == ["advanced.story.stands_agreed"]
        game.hold_fire()
        assert agreed(GERMAN) == ["advanced.story.stands_by_agreement"]

    def test_whom_a_ship_follows_is_sealed(self) -> None:
        game = plotted({"Norfolk": {"speed": 8, "notation": "follow", "follows": "Hood"}})
        own, other = (BATTLE.view(game.state, seat).move["Norfolk"] for seat in (BRITISH, GERMAN))
        assert (own.follows, other.follows, other.notation) == ("Hood", None, None)

    def test_the_plots_open_when_the_segment_ends(self) -> None:
        game = plotted({"Hood": {"speed": 7, "notation": "1RR1"}})
        opened = LoggedPlot("Hood", "british", 1, 1, 7, "1RR1")
        game.do("move")
        game.do("designate", "british", ship="Hood", orders=[{"target": "Bismarck"}])
        game.commit()
        game.roll(random.Random(4))
        assert game.state.kind is StepKind.MARK
        assert opened in BATTLE.movement_log(game.state, BRITISH)
        assert opened not in BATTLE.movement_log(game.state, GERMAN)
        assert not [each for each in game.story(GERMAN) if each.kind == "plot"]
        assert BATTLE.sealed_since(game.state) == Place(1, 1)
        game.mark()
        assert opened in BATTLE.movement_log(game.state, GERMAN)
        told = [each for each in game.story(GERMAN) if each.kind == "plot"]
        assert {each.ships[0]: (each.round_number, each.segment) for each in told} == dict.fromkeys(
            ("Hood", "Norfolk", "Bismarck", "Prinz Eugen"), (1, 1)
        )
        assert BATTLE.sealed_since(game.state) is None

    def test_the_plots_open_when_the_battle_ends(self) -> None:
        game = plotted({"Hood": {"speed": 7, "notation": "1RR1"}})
        game.do("end", None, reason="it is late")
        assert [each.ships for each in game.story(SPECTATOR) if each.kind == "plot"]
        assert len(BATTLE.movement_log(game.state, SPECTATOR)) == 4

    def test_the_log_has_the_speed_that_was_written_whatever_becomes_of_it(self) -> None:
        setup = line_up(
            ("Hood", "british", 0, 0, 0),
            ("Norfolk", "british", 0, 2_400, 180),
            ("Bismarck", "german", 20_000, 0, 0),
        )
        game = plotted(setup=setup)
        game.do("move")
        game.hold_fire()
        assert game.state.engagement["Hood"].speed == 4
        logged = [each.speed for each in BATTLE.movement_log(game.state, GERMAN)]
        assert logged == [8, 8, 8]

    def test_a_speed_is_open_in_the_second_segment(self) -> None:
        game = plotted({"Hood": {"speed": 9, "notation": "5"}})
        game.do("move")

        def speed(seat: Seat) -> int | None:
            (hood,) = (each for each in BATTLE.view(game.state, seat).ships if each.id == "Hood")
            return hood.speed

        assert (speed(BRITISH), speed(GERMAN), speed(UMPIRE)) == (9, None, 9)
        game.hold_fire()
        assert speed(GERMAN) == 9

    def test_a_guess_says_so_and_the_resolved_fire_counts_what_was_written(self) -> None:
        game = plotted({"Hood": {"speed": 7, "notation": "1LRL C"}})
        game.do("move")
        draft = fire_draft("german", "Bismarck", {"orders": [{"target": "Hood"}]})
        (fire,) = check_fire(game.state, draft).fires
        guessed = {
            each.number
            for each in fire.ledger
            if each.label.code == "advanced.modifier.as_far_as_known"
        }
        assert guessed == {13, 14, 15, 16}
        game.do("designate", "german", ship="Bismarck", orders=[{"target": "Hood"}])
        game.commit()
        resolution = game.state.resolution
        assert resolution is not None
        assert resolution.shots[0].conditions.target_evolution is Evolution.SALVO_CHASING

    def test_the_umpire_guesses_nothing(self) -> None:
        game = plotted()
        game.do("move")
        draft = fire_draft(None, "Bismarck", {"orders": [{"target": "Hood"}]})
        (fire,) = check_fire(game.state, draft).fires
        codes = [each.number for each in fire.ledger if "as_far_as_known" in each.label.code]
        assert codes == [13]

    def test_an_umpires_correction_while_models_move_keeps_one_plot_a_ship(self) -> None:
        game = plotted()
        game.do(
            "correct",
            None,
            ship="Hood",
            values={"pose": {"x": 100, "y": 0, "heading": 0}},
            reason="she stood there",
        )
        assert len(BATTLE.movement_log(game.state, UMPIRE)) == 4


class TestTheFirstEdition:
    def test_plots_open_when_all_have_committed(self) -> None:
        battle = advanced_battle(RULESET.of_edition(1))
        game = plotted({"Hood": {"speed": 7, "notation": "1RR1"}})
        state, happened = battle.begin(BATTLE.schemas.setup.read(two_sides())), list[TypedEvent]()
        for asked in game.events:
            action = BATTLE.read_version_1(asked["kind"], asked["data"], asked["side"])
            played = battle.play(state, action, TypedDice(""))
            state, happened = played.state, [*happened, *played.events]
        assert battle.view(state, GERMAN).move["Hood"].notation == "1RR1"
        assert [each.ship for each in happened if isinstance(each, PlotOpened)] == [
            "Hood", "Norfolk", "Bismarck", "Prinz Eugen",
        ]  # fmt: skip
        assert battle.sealed_since(state) is None
        assert len(battle.movement_log(state, GERMAN)) == 4


def torpedo_at(target: str, *, far: bool = False) -> Game:
    setup = two_sides()
    for ship in setup["ships"]:
        if ship["side"] == "german" and not far:
            ship["pose"]["x"] = 3_000
    plot = {"speed": 8, "notation": "4", "torpedo": target}
    return plotted({"Norfolk": plot}, setup)


class TestTorpedoes:
    def test_the_target_is_sealed_until_the_salvo_is_resolved(self) -> None:
        games = torpedo_at("Bismarck"), torpedo_at("Prinz Eugen")
        assert heard(games[0]) == heard(games[1])
        for game in games:
            game.do("move")
        assert heard(games[0]) == heard(games[1])
        for game in games:
            game.commit()
            assert game.state.kind is StepKind.RESOLVE
        assert heard(games[0]) == heard(games[1])
        seen, own = (BATTLE.view(games[0].state, seat).resolution for seat in (GERMAN, BRITISH))
        assert seen is not None
        assert own is not None
        assert [each.code for each in seen.ahead] == ["advanced.label.sealed_torpedoes"]
        assert [each["target"] for each in own.ahead] != [
            each["target"] for each in _ahead(games[1])
        ]
        for game in games:
            game.roll(random.Random(1))
        assert heard(games[0]) != heard(games[1])

    def test_a_salvo_that_runs_on_stays_sealed_through_the_next_segment(self) -> None:
        games = torpedo_at("Bismarck", far=True), torpedo_at("Prinz Eugen", far=True)
        for game in games:
            game.do("move")
            game.hold_fire()
        assert games[0].state.segment == 2
        assert heard(games[0]) == heard(games[1])
        assert BATTLE.sealed_since(games[0].state) == Place(1, 1)
        for game in games:
            game.move_all()
            game.commit()
        assert heard(games[0]) == heard(games[1])
        for game in games:
            game.roll(random.Random(1))
            game.mark()
        assert BATTLE.sealed_since(games[0].state) is None
        (ran,) = (each for each in games[0].story(GERMAN) if each.document is not None
                  and each.kind == "torpedo")  # fmt: skip
        assert ran.ships == ("Norfolk", "Bismarck")


def _ahead(game: Game) -> tuple[Any, ...]:
    resolution = BATTLE.view(game.state, BRITISH).resolution
    assert resolution is not None
    return resolution.ahead
