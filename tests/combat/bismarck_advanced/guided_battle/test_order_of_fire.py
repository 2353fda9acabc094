"""62.3: each side rolls its own fire in the order it likes, and nothing else changes by it."""

import random
from collections.abc import Sequence

import pytest

from combat.guided_play import StepKind
from combat.modifiers import Ledger
from combat.rulebooks.bismarck_advanced.fire.ledger import modifications
from combat.rulebooks.bismarck_advanced.fire.shot import Shot
from tabletop.errors import DreyerError
from tests.combat.bismarck_advanced.guided_battle.driver import (
    BATTLE,
    CARD,
    Game,
    line_up,
    replayed,
    resolution_of,
)
from web.strings import words

SETUP = line_up(
    ("Hood", "british", 0, 0, 0),
    ("Prince of Wales", "british", 0, -3000, 0),
    ("Bismarck", "german", 14_000, 0, 0),
    ("Prinz Eugen", "german", 14_000, -3000, 0),
)
ORDERS = (
    ("british", "Hood", "Bismarck"),
    ("british", "Prince of Wales", "Bismarck"),
    ("german", "Bismarck", "Hood"),
    ("german", "Prinz Eugen", "Hood"),
)


@pytest.fixture
def game() -> Game:
    game = Game.begin(SETUP)
    game.move_all()
    for side, firer, target in ORDERS:
        game.do("designate", side, ship=firer, orders=[{"target": target}])
    game.commit()
    assert game.state.kind is StepKind.RESOLVE
    return game


def first(game: Game, side: str | None, firer: str, target: str) -> None:
    game.do("rule", side, next={"firer": firer, "target": target}, reason="62.3")


def waiting(game: Game) -> list[str]:
    return [words(each) for each in resolution_of(game.state, None, sees_all=True).ahead]


def jams(game: Game) -> None:
    """The roll of Prince of Wales before any fire (71.2), and every gun fires then (67.41)."""
    game.do("dice", None, values=["66"])
    game.fire_as_designated()


def test_a_fire_is_drawn_forward_within_its_own_side(game: Game) -> None:
    british, german = waiting(game)[:2], waiting(game)[2:]
    first(game, "british", "Prince of Wales", "Bismarck")
    first(game, "german", *german[1].split(" at "))
    assert waiting(game) == ["Prince of Wales at Bismarck", "Hood at Bismarck", *german[::-1]]
    assert british == ["Hood at Bismarck", "Prince of Wales at Bismarck"]
    jams(game)
    wanted = BATTLE.dice_wanted(game.state)
    assert wanted is not None
    assert words(wanted.purpose) == "Prince of Wales at Bismarck: the hit roll"


def test_a_fire_whose_dice_fall_is_ended_first(game: Game) -> None:
    jams(game)
    game.do("dice", None, values=["11"])
    with pytest.raises(DreyerError, match=r"advanced\.order\.rolled_already"):
        first(game, "british", "Hood", "Bismarck")
    before = BATTLE.dice_wanted(game.state)
    first(game, "german", "Prinz Eugen", "Hood")
    assert BATTLE.dice_wanted(game.state) == before


def test_the_other_side_chooses_for_itself(game: Game) -> None:
    with pytest.raises(DreyerError, match=r"advanced\.order\.other_sides_fire"):
        first(game, "british", "Bismarck", "Hood")
    first(game, None, "Bismarck", "Hood")
    assert waiting(game)[2] == "Bismarck at Hood"
    with pytest.raises(DreyerError, match=r"advanced\.order\.no_such_fire"):
        first(game, "british", "Hood", "Prinz Eugen")


def test_what_may_be_chosen_is_shown_to_whom_it_may_concern(game: Game) -> None:
    def choices(side: str | None) -> list[str]:
        return [words(each.label) for each in resolution_of(game.state, side).choices]

    assert choices("british") == ["Prince of Wales at Bismarck"]
    assert choices("german") == [waiting(game)[3]]
    assert choices(None) == []


def ledgers(shots: Sequence[Shot]) -> dict[str, Ledger]:
    return {shot.firer.name: modifications(shot, CARD) for shot in shots}


def test_every_fire_has_the_same_ledger_in_any_order(game: Game) -> None:
    assert game.state.resolution is not None
    planned = ledgers(game.state.resolution.shots)
    first(game, "british", "Prince of Wales", "Bismarck")
    assert game.state.resolution is not None
    assert ledgers(game.state.resolution.shots) == planned


def test_it_is_replayed_and_outlives_a_correction(game: Game) -> None:
    first(game, "british", "Prince of Wales", "Bismarck")
    jams(game)
    game.do("dice", None, values=["61"])
    game.do("correct", None, ship="Bismarck", values={"superstructure_lost": 1}, reason="seen")
    done = resolution_of(game.state, None, sees_all=True).done
    assert [entry.ships[0] for entry in done] == ["Prince of Wales", "Prince of Wales"]
    game.roll(random.Random(3))
    game.mark()
    assert replayed(SETUP, game.events) == game.state
