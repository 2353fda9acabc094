"""What an action of the guided battle has led to, as typed events that survive the journal."""

import json
import random

import pytest

from combat.dice import DiceKind, RolledDice, SingleRollDice
from combat.events import Event, Sunk
from combat.guided_actions import RollDice
from combat.guided_play import StepKind
from combat.rulebooks.bismarck_advanced.fire.events import Fired
from combat.rulebooks.bismarck_advanced.fire.fire_report import fire_events
from combat.rulebooks.bismarck_advanced.guided_battle.events import (
    EVENTS,
    BattleEnded,
    CommitmentTakenBack,
    Committed,
    EndWished,
    Moved,
    PlotWritten,
    Revealed,
    RevealedBy,
    StepBegan,
)
from tests.combat.bismarck_advanced.guided_battle.driver import (
    BATTLE,
    Game,
    denmark_strait,
    event,
    near,
    outcome,
)


def play(game: Game, kind: str, side: str | None = None, /, **data: object) -> tuple[Event, ...]:
    found = outcome(game.state, event(kind, side, **data))
    game.state = found.state
    return found.events


def resolved(game: Game, seed: int) -> list[Event]:
    source, found = random.Random(seed), list[Event]()
    while (wanted := BATTLE.dice_wanted(game.state)) is not None:
        figures = 2 if wanted.kind is DiceKind.PAIR else 1
        value = "".join(str(source.randint(1, 6)) for _ in range(figures))
        found += play(game, "dice", values=[value])
    return found


@pytest.fixture
def game() -> Game:
    return Game.begin(denmark_strait())


def test_a_segment_gives_its_events_in_order(game: Game) -> None:
    assert play(game, "plot", "british", ship="Hood", notation="4", speed=8) == (
        PlotWritten(ship="Hood", rule="56.1"),
    )
    game.plot_all()
    assert play(game, "commit", "british") == (Committed(side="british"),)
    opened = play(game, "commit", "german")
    assert opened[0] == Committed(side="german")
    assert opened[-1] == StepBegan(rule="56", step=StepKind.MOVE, round_number=1, segment=1)
    moved = play(game, "move")
    ships = {each.ship for each in moved if isinstance(each, Moved)}
    assert ships == {"Hood", "Prince of Wales", "Bismarck", "Prinz Eugen"}


def test_a_fire_gives_the_events_of_free_play(game: Game) -> None:
    game.move_all()
    game.do("designate", "british", ship="Hood", orders=[{"target": "Bismarck"}])
    game.commit()
    resolved(game, seed=5)
    events = game.happened
    assert game.state.resolution is not None
    (report,) = game.state.resolution.fires
    expected = tuple(fire_events(report, "Hood", "Bismarck"))
    fired = [each for each in events if isinstance(each, Fired)]
    assert len(fired) == 1
    first = events.index(fired[0])
    assert tuple(events[first : first + len(expected)]) == expected


def test_events_survive_the_journal(game: Game) -> None:
    game.move_all()
    for ship in ("Hood", "Prince of Wales"):
        game.do("designate", "british", ship=ship, orders=[{"target": "Bismarck"}])
    game.commit()
    events = resolved(game, seed=2)
    written = json.loads(json.dumps(BATTLE.write_events(events)))
    assert [EVENTS.check(each) for each in written] == list(events)


def test_the_journal_keeps_the_numbers_of_a_ledger_alone(game: Game) -> None:
    game.move_all()
    game.do("designate", "british", ship="Hood", orders=[{"target": "Bismarck"}])
    game.commit()
    resolved(game, seed=2)
    fired = next(each for each in game.happened if isinstance(each, Fired))
    (brief,) = BATTLE.write_events([fired], brief=True)
    modifiers = brief["modifiers"]
    assert isinstance(modifiers, dict)
    assert sum(modifiers.values()) == sum(each.value for each in fired.modifiers)
    assert (brief["dice"], brief["row"], brief["hits"]) == (fired.dice, fired.row, fired.hits)


def test_a_move_tells_how_enemies_lie_and_the_journal_does_not(game: Game) -> None:
    game.plot_all()
    game.commit()
    moved = [each for each in play(game, "move") if isinstance(each, Moved)]
    hood = next(each for each in moved if each.ship == "Hood")
    assert {sight.target for sight in hood.sights} == {"Bismarck", "Prinz Eugen"}
    ranges = [sight.range_yards for sight in hood.sights]
    assert ranges == sorted(ranges)
    (brief,) = BATTLE.write_events([hood], brief=True)
    assert "sights" not in brief
    assert brief["x_yards"] == hood.x_yards


def test_the_end_of_a_battle_is_told(game: Game) -> None:
    ended = [*play(game, "end", "british"), *play(game, "end", "german")]
    assert [type(each) for each in ended][-1] is BattleEnded
    assert not [each for each in ended if isinstance(each, Sunk)]


def test_an_umpire_commits_every_side_and_takes_one_back(game: Game) -> None:
    game.plot_all()
    assert play(game, "commit", None, side="british") == (Committed(side="british"),)
    assert play(game, "uncommit", None, side="british") == (CommitmentTakenBack(side="british"),)
    both = play(game, "commit")
    assert both[:2] == (Committed(side="british"), Committed(side="german"))


def test_a_wish_to_end_is_told(game: Game) -> None:
    assert play(game, "end", "british") == (EndWished(side="british", agree=True),)
    assert play(game, "end", "british", agree=False) == (EndWished(side="british", agree=False),)


def test_a_ship_that_is_turned_up_is_revealed() -> None:
    setup = denmark_strait(hidden=True)
    for number, ship in enumerate(setup["ships"], start=1):
        ship["number"] = number
    game = Game.begin(setup)
    assert play(game, "reveal", "british", ship="Hood") == (
        Revealed(ship="Hood", rule="67.1", label="Ship 1", by=RevealedBy.OWN_SIDE),
    )
    revealed = {each.ship for each in play(game, "end") if isinstance(each, Revealed)}
    assert revealed == {"Bismarck", "Prince of Wales", "Prinz Eugen"}


@pytest.mark.parametrize("at_once", [True, False])
def test_a_ship_that_is_sunk_by_gunfire_sinks_once(at_once: bool) -> None:
    near_to_sinking = {"hull_lost": 9.75}
    game = Game.begin(near())
    play(game, "correct", None, ship="Hood", values=near_to_sinking, reason="worn")
    game.move_all()
    game.do("designate", "german", ship="Bismarck", orders=[{"target": "Hood"}])
    game.commit()
    found: list[Event] = []
    for seed in range(200):
        source = RolledDice(random.Random(seed))
        after, found = game.state, []
        while BATTLE.dice_wanted(after) is not None:
            rolled = BATTLE.play(after, RollDice(), source if at_once else SingleRollDice(source))
            after, found = rolled.state, [*found, *rolled.events]
        if after.engagement["Hood"].vessel.is_sunk:
            break
    assert [each.target for each in found if isinstance(each, Sunk)] == ["Hood"]
