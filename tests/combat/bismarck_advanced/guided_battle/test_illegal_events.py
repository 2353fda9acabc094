"""Events that the rules do not allow: each is refused in one line, and nothing has changed."""

from collections.abc import Callable

import pytest

from tabletop.errors import DreyerError
from tests.combat.bismarck_advanced.guided_battle.driver import (
    BATTLE,
    Event,
    Game,
    apply,
    event,
    firing,
    moved,
    near,
)


def plotting() -> Game:
    return Game.begin(near())


BAD: list[tuple[Callable[[], Game], Event]] = [
    (plotting, event("commit", "british")),
    (plotting, event("uncommit", "british")),
    (plotting, event("move", "british")),
    (plotting, event("designate", "british", ship="Hood", orders=[])),
    (plotting, event("dice", "british", values=["11"])),
    (plotting, event("mark", "british")),
    (plotting, event("repair", "british", ship="Hood", part="hull")),
    (plotting, event("withdraw", "british", ship="Hood")),
    (plotting, event("reveal", "british", ship="Hood")),
    (plotting, event("correct", "british", ship="Hood", values={}, reason="x")),
    (plotting, event("correct", None, ship="Hood", values={"hull_lost": 1})),
    (
        plotting,
        event("correct", None, ship="Hood", values={"hull_lost": 0.3}, reason="x"),
    ),
    (
        plotting,
        event("correct", None, ship="Hood", values={"masts": 3}, reason="x"),
    ),
    (plotting, event("commit", "french")),
    (plotting, event("plot", "british", ship="Bismarck", notation="4", speed=8)),
    (plotting, event("plot", "british", ship=["Hood"], notation="4", speed=8)),
    (plotting, event("plot", "british", ship="Hood", notation=4, speed=8)),
    (plotting, event("plot", "british", ship="Hood", notation="4", speed=True)),
    (
        plotting,
        event("plot", "british", ship="Hood", notation="4", speed=8, sped=9),
    ),
    (moved, event("plot", "british", ship="Hood", notation="4", speed=8)),
    (moved, event("designate", "german", ship="Hood", orders=[{"target": "Bismarck"}])),
    (moved, event("designate", "british", ship="Hood", orders="Bismarck")),
    (firing, event("designate", "british", ship="Hood", orders=[])),
    (firing, event("mark", "british")),
]


def named(value: object) -> str:
    """The same name in every process that collects the tests: a step's, or the event's."""
    return getattr(value, "__name__", None) or str(value)[:60]


@pytest.mark.parametrize(("begun", "bad"), BAD, ids=named)
def test_an_illegal_event_is_one_clear_line(begun: Callable[[], Game], bad: Event) -> None:
    game = begun()
    before = game.state
    with pytest.raises(DreyerError) as refused:
        apply(game.state, bad)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) > 10
    assert game.state is before


@pytest.mark.parametrize(
    "value", [3, {}, {"kind": "dance"}, {"kind": "plot", "side": 3}, {"kind": "plot", "data": []}]
)
def test_what_is_no_event(value: object) -> None:
    with pytest.raises(DreyerError):
        BATTLE.schemas.action.read(value)
