"""Whatever JSON comes in: a DreyerError of one line, or a state that can be looked at."""

import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from combat.guided_play import EventKind
from combat.participants import Seat
from combat.rulebooks.bismarck_advanced.guided_battle import AdvancedState
from tabletop.errors import DreyerError
from tests.combat.bismarck_advanced.guided_battle.driver import (
    BATTLE,
    Game,
    apply,
    check_fire,
    check_move,
    check_plot,
    fire_draft,
    line_up,
    plot_draft,
    poses_of,
)
from tests.plain import plain

SETUP = line_up(
    ("Hood", "british", 0, 0, 0),
    ("Prince of Wales", "british", 0, -1_500, 0),
    ("Bismarck", "german", 7_000, 0, 0),
)
KEYS = (
    *("ship", "speed", "notation", "follows", "torpedo", "smoke_side", "side", "orders"),
    *("poses", "accept", "values", "how", "from", "reason", "agree", "part", "turret"),
    *("moved_two_zones", "next_turn", "hull_lost", "pose", "helm", "ammunition", "x", "heading"),
    *("target", "battery", "turrets", "guns", "held_back", "Hood", "Bismarck", "nonsense"),
)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-3, 12)
    | st.integers()
    | st.floats(allow_nan=True, allow_infinity=True)
    | st.text(max_size=6)
    | st.sampled_from(("Hood", "Bismarck", "main", "A", "4", "2RR", "11", "5", "british", "hull"))
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=3), inner, max_size=4)
    ),
    max_leaves=8,
)
DATA = st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=5)


def _plotting() -> AdvancedState:
    return Game.begin(SETUP).state


def _moving() -> AdvancedState:
    game = Game.begin(SETUP)
    game.plot_all()
    game.commit()
    return game.state


def _designating() -> AdvancedState:
    game = Game.begin(SETUP)
    game.move_all()
    return game.state


def _resolving() -> AdvancedState:
    game = Game.begin(SETUP)
    game.move_all()
    game.do("designate", "british", ship="Hood", orders=[{"target": "Bismarck"}])
    game.commit()
    return game.state


def _marking() -> AdvancedState:
    game = Game(_resolving())
    game.roll(random.Random(1))
    return game.state


def _ended() -> AdvancedState:
    game = Game(_marking())
    game.do("end")
    return game.state


STEPS = [_plotting, _moving, _designating, _resolving, _marking, _ended]


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.__name__)
@settings(max_examples=60, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(
    kind=st.sampled_from(list(EventKind)),
    side=st.sampled_from(("british", "german", None)),
    data=DATA,
)
def test_any_event(
    step: Callable[[], AdvancedState], kind: str, side: str | None, data: dict[str, Any]
) -> None:
    state = _states()[step.__name__]
    # Half of them are about somebody, or none would ever come far.
    if len(data) % 2:
        data = {"ship": "Hood", **data}
    asked = {"kind": kind, "side": side, "data": data}
    try:
        after = apply(state, asked)
    except DreyerError as error:
        text = str(error)
    else:
        text = json.dumps(plain(BATTLE.view(after, Seat("german"))))
    assert "\n" not in text


_KEPT: dict[str, AdvancedState] = {}


def _states() -> dict[str, AdvancedState]:
    """The battle at each of its steps, made once."""
    if not _KEPT:
        _KEPT.update({step.__name__: step() for step in STEPS})
    return _KEPT


@settings(max_examples=60, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(changes=DATA, ship=DATA)
def test_any_setup(changes: dict[str, Any], ship: dict[str, Any]) -> None:
    setup = json.loads(json.dumps(SETUP))
    setup["ships"][0] |= ship
    text = ""
    try:
        BATTLE.begin(BATTLE.schemas.setup.read(setup | changes if len(changes) % 2 else setup))
    except DreyerError as error:
        text = str(error)
    assert "\n" not in text


@settings(max_examples=60, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(draft=DATA)
def test_any_draft(draft: dict[str, Any]) -> None:
    states = _states()
    for ask in (
        lambda: check_plot(states["_plotting"], plot_draft("british", "Hood", draft)),
        lambda: check_move(states["_moving"], "british", poses_of(draft)),
        lambda: check_fire(states["_designating"], fire_draft("british", "Hood", draft)),
    ):
        try:
            ask()
        except DreyerError as error:
            text = str(error)
        else:
            text = ""
        assert "\n" not in text
