"""The guided battle keeps the contract of every rulebook: offers, checks, odds, dice, undo."""

import random

import pytest

from combat.actions import Action
from combat.dice import ReplayedDice, RolledDice, SingleRollDice, TypedDice
from combat.game import Game
from combat.guided_actions import Commit, EndBattle, Mark, Move, RollDice, Uncommit
from combat.guided_play import GuidedRulebook, StepKind
from combat.participants import SPECTATOR, UMPIRE, Seat
from combat.rulebook import Place, Rulebook
from combat.rulebooks.bismarck_advanced.guided_battle.actions import Aim, Designate, Plot
from combat.rulebooks.bismarck_advanced.guided_battle.state import AdvancedState
from combat.views import ActionCheck, FireCheck, MoveCheck, PlotCheck
from tabletop.errors import DreyerError
from tests.combat.bismarck_advanced.guided_battle.driver import BATTLE, near
from web.strings import words

_CONTRACT: Rulebook[AdvancedState, object, object] = BATTLE
_GUIDED: GuidedRulebook[AdvancedState] = BATTLE
BRITISH, GERMAN = Seat("british"), Seat("german")
FIRE = {"Hood": "Bismarck", "Norfolk": "Prinz Eugen", "Bismarck": "Hood"}
NO_DICE = TypedDice("")

Battle = Game[AdvancedState]


def begun(**changes: object) -> Battle:
    return Game(BATTLE, BATTLE.begin(BATTLE.schemas.setup.read(near(**changes))))


def play(game: Battle, *actions: Action) -> Battle:
    for action in actions:
        number = game.played[-1].n + 1 if game.played else 1
        game = game.play(number, action, NO_DICE)
    return game


def moved(**changes: object) -> Battle:
    game = begun(**changes)
    for ship in game.state.engagement.in_action:
        game = play(game, Plot(side=ship.side, ship=ship.name, speed=8, notation="4"))
    return play(game, Commit(side="british"), Commit(side="german"), Move())


def designated(**changes: object) -> Battle:
    game = moved(**changes)
    for firer, target in FIRE.items():
        side = game.state.engagement[firer].side
        game = play(game, Designate(side=side, ship=firer, orders=(Aim(target=target),)))
    return game


def reducing() -> Battle:
    return play(designated(), Commit(side="british"), Commit(side="german"))


def firing() -> Battle:
    return play(reducing(), Commit(side="british"), Commit(side="german"))


def offered(game: Battle, seat: Seat) -> list[str]:
    return [offer.kind for offer in BATTLE.actions(game.state, seat)]


# What a seat may do


def test_each_step_offers_its_actions() -> None:
    game = begun()
    assert offered(game, BRITISH) == ["plot", "orders", "air_strike", "end"]
    assert offered(game, SPECTATOR) == []
    assert offered(game, UMPIRE) == ["plot", "orders", "air_strike", "end", "correct"]
    plots = [Plot(side="british", ship=name, speed=8, notation="4") for name in ("Hood", "Norfolk")]
    assert offered(play(game, *plots), BRITISH) == ["plot", "orders", "commit", "air_strike", "end"]
    game = moved()
    assert offered(game, BRITISH) == ["designate", "orders", "commit", "rule", "end"]
    game = play(designated(), Commit(side="british"))
    assert offered(game, BRITISH) == ["uncommit", "rule", "end"]
    assert offered(game, GERMAN) == ["designate", "orders", "commit", "rule", "end"]
    game = play(game, Commit(side="german"))
    assert offered(game, BRITISH) == ["reduce", "commit", "end"]
    game = play(game, Commit(side="british"))
    assert offered(game, BRITISH) == ["uncommit", "end"]
    game = play(game, Commit(side="german"))
    # 62.3: the British have two fires and may say which comes first, the Germans one.
    assert offered(game, BRITISH) == ["roll_next", "dice", "end"]
    assert offered(game, GERMAN) == ["dice", "end"]
    game = game.play(99, RollDice(), RolledDice(random.Random(1)))
    assert offered(game, GERMAN) == ["mark", "end"]
    game = play(game, Mark(side="german"))
    assert offered(game, GERMAN) == ["end"]
    game = play(game, EndBattle())
    assert offered(game, GERMAN) == ["repair"]


def test_hidden_ships_may_be_turned_up() -> None:
    numbered = near(hidden=True)
    for number, ship in enumerate(numbered["ships"], start=1):
        ship["number"] = number
    game: Battle = Game(BATTLE, BATTLE.begin(BATTLE.schemas.setup.read(numbered)))
    assert "reveal" in offered(game, BRITISH)
    assert "reveal" not in offered(begun(), BRITISH)


@pytest.mark.parametrize("seat", [BRITISH, GERMAN, UMPIRE])
@pytest.mark.parametrize("stage", [begun, moved, designated, reducing, firing])
def test_what_is_not_offered_is_refused(stage: object, seat: Seat) -> None:
    assert callable(stage)
    game = stage()
    plain: dict[str, Action] = {
        "commit": Commit(side=seat.side),
        "uncommit": Uncommit(side=seat.side, for_side=seat.side or "british"),
        "move": Move(side=seat.side),
        "mark": Mark(side=seat.side),
        "dice": RollDice(side=seat.side),
        "end": EndBattle(side=seat.side),
    }
    kinds = offered(game, seat)
    for kind, action in plain.items():
        try:
            BATTLE.play(game.state, action, RolledDice(random.Random(2)))
        except DreyerError:
            assert kind not in kinds, kind
        else:
            assert kind in kinds, kind


def test_the_view_has_what_is_offered() -> None:
    view = BATTLE.view(firing().state, BRITISH)
    assert [each.kind for each in view.actions] == offered(firing(), BRITISH)
    assert all(each.title for each in view.actions)


# Checks and odds


def test_drafts_and_moves_are_checked_by_what_they_are() -> None:
    game = begun()
    plot = BATTLE.check(game.state, Plot(side="british", ship="Hood", speed=8, notation="9"))
    assert isinstance(plot, PlotCheck)
    assert plot.faults
    fire = BATTLE.check(
        moved().state, Designate(side="british", ship="Hood", orders=(Aim(target="Bismarck"),))
    )
    assert isinstance(fire, FireCheck)
    assert fire.fault is None
    opened = play(
        begun(),
        *(Plot(ship=name, speed=8, notation="4") for name in FIRE),
        Plot(ship="Prinz Eugen", speed=8, notation="4"),
        Commit(),
    )
    standing = BATTLE.check(opened.state, Move(side="german"))
    assert isinstance(standing, MoveCheck)


def test_any_other_action_is_checked_without_being_taken() -> None:
    game = begun()
    assert BATTLE.check(game.state, EndBattle(side="british")) == ActionCheck()
    refused = BATTLE.check(game.state, Mark(side="british"))
    assert isinstance(refused, ActionCheck)
    assert refused.fault


def test_the_odds_are_those_of_free_play_and_of_the_check() -> None:
    game = moved()
    draft = Designate(side="british", ship="Hood", orders=(Aim(target="Bismarck"),))
    odds = BATTLE.forecast(game.state, [draft])
    check = BATTLE.check(game.state, draft)
    assert isinstance(check, FireCheck)
    assert check.fires[0].forecast is not None
    assert odds.hits == pytest.approx(check.fires[0].forecast.hits)
    both = BATTLE.forecast(
        game.state,
        [draft, Designate(side="british", ship="Norfolk", orders=(Aim(target="Bismarck"),))],
    )
    assert sum(both.hits.values()) == pytest.approx(1)
    assert sum(n * p for n, p in both.hits.items()) > sum(n * p for n, p in odds.hits.items())
    with pytest.raises(DreyerError, match=r"advanced\.order\.several_targets"):
        BATTLE.forecast(
            game.state,
            [draft, Designate(side="german", ship="Bismarck", orders=(Aim(target="Hood"),))],
        )
    with pytest.raises(DreyerError, match=r"advanced\.order\.no_odds"):
        BATTLE.forecast(game.state, [Commit()])


# A game


def test_rolled_one_by_one_or_together_it_is_the_same() -> None:
    game = firing()
    together = game.play(50, RollDice(), RolledDice(random.Random(5)))
    single, source = game, RolledDice(random.Random(5))
    number = 50
    while BATTLE.dice_wanted(single.state) is not None:
        single = single.play(number, RollDice(), SingleRollDice(source))
        number += 1
    assert single.state == together.state
    rolls = tuple(roll for played in single.played for roll in played.rolls)
    assert rolls == together.played[-1].rolls
    assert {roll.side for roll in rolls} == {"british", "german"}


def test_undone_the_rolls_stay_with_what_they_fell_for() -> None:
    game = firing()
    fought = game.play(50, RollDice(), RolledDice(random.Random(5)))
    back = fought.undo(to=50)
    assert back.state == game.state
    again = back.play(51, RollDice(), TypedDice(""))
    assert again.state == fought.state
    assert all(roll.again and roll.by_server for roll in again.played[-1].rolls)
    assert again.taken_back == ()


def test_another_fire_has_dice_of_its_own() -> None:
    """Hood's dice are for Hood at Bismarck; at Prinz Eugen she rolls anew, the others do not."""
    fought = firing().play(50, RollDice(), RolledDice(random.Random(5)))
    first = next(each.n for each in fought.played if each.action.kind == "designate")
    back = fought.undo(to=first)
    orders = {**FIRE, "Hood": "Prinz Eugen"}
    for firer, target in orders.items():
        side = back.state.engagement[firer].side
        back = play(back, Designate(side=side, ship=firer, orders=(Aim(target=target),)))
    back = play(back, Commit(), Commit())
    again = back.play(90, RollDice(), RolledDice(random.Random(6)))
    by_fire = {
        label: {
            roll.again for roll in again.played[-1].rolls if words(roll.purpose).startswith(label)
        }
        for label in (
            "Hood at Prinz Eugen",
            "Norfolk at Prinz Eugen: the hit roll",
            "Bismarck at Hood: the hit roll",
        )
    }
    assert by_fire["Hood at Prinz Eugen"] == {False}
    assert by_fire["Norfolk at Prinz Eugen: the hit roll"] == {True}
    assert by_fire["Bismarck at Hood: the hit roll"] == {True}


def test_rolls_of_another_segment_are_not_read() -> None:
    fought = firing().play(50, RollDice(), RolledDice(random.Random(5)))
    assert fought.played[-1].place == Place(1, 1)
    back = fought.undo(to=50)
    assert back.kept_rolls(RollDice()) == fought.played[-1].rolls
    assert not BATTLE.reuses_rolls(RollDice(), Place(1, 2), back.state, RollDice())
    assert not BATTLE.reuses_rolls(Commit(), Place(1, 1), back.state, RollDice())


def test_a_draft_between_others_is_taken_back_alone() -> None:
    game = designated()
    hood = next(
        each.n
        for each in game.played
        if isinstance(each.action, Designate) and each.action.ship == "Hood"
    )
    left = game.without({hood})
    assert set(left.state.fires) == {"Norfolk", "Bismarck"}
    assert [each.n for each in left.played] == [each.n for each in game.played if each.n != hood]
    with pytest.raises(DreyerError):
        play(left, Commit()).without({each.n for each in left.played if each.action.kind == "move"})


def test_rolls_that_fell_play_the_same_battle() -> None:
    game = firing().play(50, RollDice(), RolledDice(random.Random(5)))
    state = game.start
    for each in game.played:
        outcome = BATTLE.play(state, each.action, ReplayedDice(each.rolls))
        assert outcome.events == each.events
        assert outcome.rolls == each.rolls
        state = outcome.state
    assert state == game.state
    assert state.kind is StepKind.MARK
