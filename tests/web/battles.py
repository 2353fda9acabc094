"""Battles fought for the tests: whole ones, by events, with dice that always fall alike."""

import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from combat import participants
from combat.dice import RolledDice, TypedDice
from combat.guided_actions import Entrant, RollDice
from combat.guided_play import StepKind
from combat.rulebooks.bismarck_advanced.guided_battle.state import AdvancedState
from combat.scene_file import read_scene
from combat.views import PlottedShipView
from tabletop.errors import DreyerError
from web.actions.battle import BeginBattle, Play
from web.auth.seats import Caller, Role, Seat
from web.games.guided_game import GuidedGame
from web.journal.store import Store
from web.scenes import opening
from web.session import Session

HOST = Caller("h", host=True)
BRITISH = Caller("b", seat=Seat("s1", "Ann", Role.PLAYER, "british"))
GERMAN = Caller("g", seat=Seat("s2", "Bob", Role.PLAYER, "german"))
UMPIRE = Caller("u", seat=Seat("s3", "Uma", Role.UMPIRE, None))
ONLOOKER = Caller("o", seat=Seat("s4", "Olaf", Role.ONLOOKER, None))

SCENE = """
title = "Denmark Strait"
[[ship]]
name = "Hood"
x = 22000
y = 8500
heading = 300
[[ship]]
name = "Prince of Wales"
x = 23400
y = 7600
heading = 300
[[ship]]
name = "Prinz Eugen"
x = 9800
y = 16600
heading = 215
[[ship]]
name = "Bismarck"
x = 10900
y = 18000
heading = 215
"""
TARGETS = (
    ("Hood", "Bismarck"),
    ("Prince of Wales", "Bismarck"),
    ("Bismarck", "Hood"),
    ("Prinz Eugen", "Prince of Wales"),
)


def asked(battle: GuidedGame, kind: str, data: Mapping[str, Any]) -> Play:
    """What a page asks for: an action, or dice that were typed."""
    if kind == "dice":
        rolled = RollDice(first=data.get("from"), roll=data.get("roll"))
        return Play(rolled, TypedDice(" ".join(data["values"])))
    return Play(battle.rulebook.schemas.action.read({"kind": kind, **data}))


class Fought:
    """A battle being fought by the umpire's hand."""

    def __init__(
        self,
        path: Path,
        seed: int = 1,
        scene: str = SCENE,
        hidden: tuple[Entrant, ...] | None = None,
    ) -> None:
        self.session = Session(Store(path))
        self.session.act(HOST, opening(read_scene(scene.encode(), "scene.toml")))
        self.session.act(HOST, BeginBattle(ships=hidden, hidden=hidden is not None))
        self.chance = random.Random(seed)

    @property
    def battle(self) -> GuidedGame:
        battle = self.session.moment.battle
        assert battle is not None
        return battle

    def do(self, kind: str, caller: Caller = UMPIRE, /, **data: object) -> None:
        self.session.act(caller, asked(self.battle, kind, data))

    def ships(self) -> list[PlottedShipView]:
        return [
            ship for ship in self.battle.plotted_view(participants.UMPIRE).ships if ship.in_action
        ]

    def move(self) -> None:
        """Everybody straight on, as fast as may be."""
        for ship in self.ships():
            step = self.battle.step
            assert ship.speeds is not None
            speed = {"speed": ship.speeds.highest} if step.segment == 1 else {}
            for factors in (6, 5, 4, 3, 2, 1, 0):
                try:
                    notation = str(factors) if factors else ""
                    self.do("plot", ship=ship.id, notation=notation, **speed)
                except DreyerError:
                    continue
                break
        self.do("commit")
        self.do("move")

    def fire(self, roll: bool = True) -> None:
        """Everybody at whom they have."""
        for firer, target in TARGETS:
            try:
                self.do("designate", ship=firer, orders=[{"target": target}])
            except DreyerError:
                continue
        self.do("commit")
        if roll:
            self.roll()

    def roll(self) -> None:
        self.fire_as_designated()
        while self.battle.step.kind is StepKind.RESOLVE:
            self.session.act(UMPIRE, Play(RollDice(), RolledDice(self.chance)))
            self.fire_as_designated()

    def fire_as_designated(self) -> None:
        """Every side commits its rates of fire without reducing any (67.41)."""
        if self.battle.step.kind is StepKind.REDUCE:
            self.do("commit")

    def segments(self, count: int) -> "Fought":
        for _ in range(count):
            if self.battle.is_over:
                break
            self.move()
            self.fire()
        return self


def advanced_state(battle: GuidedGame) -> AdvancedState:
    """The state of a battle of the Advanced Game."""
    state = battle.state
    assert isinstance(state, AdvancedState)
    return state
