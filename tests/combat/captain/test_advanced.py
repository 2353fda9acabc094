"""The captains of the Advanced Game: legal, honest, the same for a seed, and better than chance."""

import random

import pytest

from combat.balance.battle import Result, fight
from combat.balance.plan import Plan
from combat.captain.all_captains import captain_names, captain_of
from combat.captain.contest import contest
from combat.captain.decision import Captain, Decision
from combat.captain.temperament import temperaments
from combat.dice import TypedDice
from combat.guided_actions import BattleAction, Commit
from combat.guided_play import GuidedRulebook, StepKind
from combat.participants import UMPIRE, Seat
from combat.rulebooks.bismarck_advanced.guided_battle.actions import Orders
from combat.views import PlotCheck
from tabletop.errors import UnknownName
from tabletop.table import Pose
from tests.combat.balance.grounds import mirrored_plan, tutorial_plan
from tests.combat.bismarck_advanced.guided_battle.driver import BATTLE, Game, line_up
from web.strings import strings

NAMES = captain_names("bismarck-advanced")
FORESEEING = tuple(temperaments())


def captain(name: str) -> Captain[object]:
    return captain_of(BATTLE, name)  # type: ignore[arg-type]


def decide(game: Game, side: str, name: str = "steady", seed: int = 1) -> Decision:
    decision = captain(name).decide(game.state, side, random.Random(seed))
    assert decision is not None
    return decision


def opening(**changes: object) -> Game:
    ships = [
        ("Hood", "british", 0.0, 0.0, 90.0),
        ("Norfolk", "british", 1500.0, 0.0, 90.0),
        ("Bismarck", "german", 0.0, 15_000.0, 90.0),
        ("Prinz Eugen", "german", 1500.0, 15_000.0, 90.0),
    ]
    setup = line_up(*ships, **changes)
    for number, ship in enumerate(setup["ships"], start=1):
        ship["number"] = number
    return Game.begin(setup)


def played(game: Game, action: BattleAction) -> None:
    game.state = BATTLE.play(game.state, action, TypedDice("")).state


@pytest.mark.parametrize("name", NAMES)
def test_plots_are_legal_and_committed(name: str) -> None:
    game = opening()
    orders = decide(game, "british", name)
    assert isinstance(orders.action, Orders)
    assert [plot.ship for plot in orders.action.plots] == ["Hood", "Norfolk"]
    for plot in orders.action.plots:
        check = BATTLE.check(game.state, plot)
        assert isinstance(check, PlotCheck)
        assert check.legal
    played(game, orders.action)
    assert decide(game, "british", name).action == Commit(side="british")
    played(game, Commit(side="british"))
    assert captain(name).decide(game.state, "british", random.Random(1)) is None


@pytest.mark.parametrize("name", FORESEEING)
def test_every_plot_has_its_reason_in_the_string_tables(name: str) -> None:
    orders = decide(opening(), "german", name)
    assert set(orders.why) == {"Bismarck", "Prinz Eugen"}
    assert all(reason.code in strings() for reason in orders.why.values())


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_gives_the_same_decision(name: str) -> None:
    one, other = (decide(opening(), "british", name, seed=5) for _ in range(2))
    assert one == other


def plot_all(game: Game, side: str, notation: str, **more: object) -> None:
    for ship in game.state.fleet(side):
        game.do("plot", side, ship=ship.name, speed=8, notation=notation, **more)


@pytest.mark.parametrize("name", NAMES)
def test_what_the_enemy_has_plotted_changes_nothing(name: str) -> None:
    found = []
    for notation in ("4", "2R1", "1L2"):
        game = opening()
        plot_all(game, "german", notation)
        game.do("commit", "german")
        found.append(decide(game, "british", name))
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("name", NAMES)
def test_whom_the_enemy_fires_at_changes_nothing(name: str) -> None:
    found = []
    for target in ("Hood", "Norfolk", None):
        game = opening()
        for side in ("british", "german"):
            plot_all(game, side, "4")
        game.commit()
        game.do("move", "british")
        orders = [] if target is None else [{"target": target, "battery": "main"}]
        game.do("designate", "german", ship="Bismarck", orders=orders)
        game.do("commit", "german")
        found.append(decide(game, "british", name))
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("name", NAMES)
def test_who_the_hidden_ships_are_changes_nothing(name: str) -> None:
    found = []
    for types in (("Bismarck", "Prinz Eugen"), ("Scharnhorst", "Admiral Scheer")):
        setup = line_up(
            ("Hood", "british", 0.0, 0.0, 90.0),
            ("Norfolk", "british", 1500.0, 0.0, 90.0),
            (types[0], "german", 0.0, 15_000.0, 90.0),
            (types[1], "german", 1500.0, 15_000.0, 90.0),
            hidden=True,
        )
        for number, ship in enumerate(setup["ships"], start=1):
            ship["number"] = number
        found.append(decide(Game.begin(setup), "british", name))
    assert found[0] == found[1]


def test_fire_goes_where_it_may_be_expected_to_hit() -> None:
    game = opening()
    for side in ("british", "german"):
        plot_all(game, side, "4")
    game.commit()
    game.do("move", "british")
    decision = decide(game, "british")
    assert isinstance(decision.action, Orders)
    assert {fire.ship for fire in decision.action.fires} >= {"Hood"}
    hits = decision.why["Hood"]["hits"]
    assert isinstance(hits, float)
    assert hits > 0


def test_a_bold_captain_wants_to_be_nearer_than_a_cautious_one() -> None:
    wished = {}
    for name in ("bold", "cautious"):
        reason = decide(opening(), "german", name).why["Prinz Eugen"]
        wished[name] = reason["yards"], reason.code
    assert wished["bold"] != wished["cautious"]
    near, far = (wished[name][0] for name in ("bold", "cautious"))
    assert isinstance(near, float)
    assert isinstance(far, float)
    assert near < far


def off_the_table(name: str, table: tuple[float, float] | None) -> list[Pose]:
    """Where ships are off a table of 12,000 yards, of a battle that begins near its edges."""
    rulebook: GuidedRulebook[object] = BATTLE  # type: ignore[assignment]
    captains = {side: captain_of(rulebook, name, table) for side in ("british", "german")}
    start = Game.begin(
        line_up(
            ("Hood", "british", 10_000.0, 6_000.0, 90.0),
            ("Bismarck", "german", 2_000.0, 6_000.0, 270.0),
        )
    ).state
    return [
        ship.pose
        for each in contest(rulebook, start, captains, 5, most_rounds=5)
        for ship in rulebook.view(each.outcome.state, UMPIRE).ships
        if not (0 <= ship.pose.x_yards <= 12_000 and 0 <= ship.pose.y_yards <= 12_000)
    ]


@pytest.mark.parametrize("name", FORESEEING)
def test_nobody_sails_off_the_table(name: str) -> None:
    assert off_the_table(name, (12_000.0, 12_000.0)) == []


def test_without_a_table_the_sea_is_boundless() -> None:
    assert off_the_table("cautious", None)


def test_an_unknown_captain_is_told() -> None:
    with pytest.raises(UnknownName):
        captain("nelson")


def test_the_engine_hears_of_no_captain_for_a_board() -> None:
    assert captain_names("bismarck-battle-board") == ()


def test_progress_counts_the_ships() -> None:
    told: list[tuple[int, int]] = []
    captain("steady").decide(
        opening().state, "british", random.Random(1), lambda done, of: told.append((done, of))
    )
    assert told == [(0, 2), (1, 2), (2, 2)]


# Whole battles: what a captain decides is refused nowhere, or the battle would raise.


def results(plan: Plan) -> list[Result]:
    return [fight(plan, work) for work in plan.works]


def points(fought: list[Result], side: str) -> float:
    return sum(0.5 if each.winner is None else each.winner == side for each in fought)


@pytest.mark.parametrize(
    ("name", "battles"),
    [
        ("quick", 4),
        ("steady", 1),
        pytest.param("quick", 10_000, marks=pytest.mark.soak),
        pytest.param("steady", 100, marks=pytest.mark.soak),
        pytest.param("bold", 50, marks=pytest.mark.soak),
        pytest.param("cautious", 50, marks=pytest.mark.soak),
    ],
)
def test_battles_of_two_ships_have_no_illegal_action(name: str, battles: int) -> None:
    plan = tutorial_plan(battles=battles, captains=(name,))
    fought = results(plan)
    assert len(fought) == battles
    assert all(each.rounds >= 1 for each in fought)


@pytest.mark.parametrize(
    "battles",
    [pytest.param(1, id="two"), pytest.param(50, id="a hundred", marks=pytest.mark.soak)],
)
def test_a_captain_beats_one_who_plays_by_lot(battles: int) -> None:
    won = points(results(mirrored_plan(battles, 1, "steady", "by-lot")), "british")
    won += points(results(mirrored_plan(battles, 2, "by-lot", "steady")), "german")
    assert won >= 0.9 * 2 * battles


def test_a_contest_ends_and_says_why_somebody_acted() -> None:
    rulebook: GuidedRulebook[object] = BATTLE  # type: ignore[assignment]
    captains = {side: captain("quick") for side in ("british", "german")}
    last: object = opening().state
    steps = set()
    for each in contest(rulebook, last, captains, 5, most_rounds=2):
        last = each.outcome.state
        steps.add(rulebook.step(last).kind)
    assert rulebook.step(last).kind is StepKind.ENDED
    assert {StepKind.PLOT, StepKind.MOVE, StepKind.DESIGNATE} <= steps
    assert rulebook.view(last, Seat("british")).step.kind is StepKind.ENDED
