"""The actions of Sink the Bismarck! with their fields and rules."""

from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Annotated, Final, Literal

from combat.actions import Action, ActionInfo, ByShip
from combat.questions import QuestionInfo, between
from combat.rulebooks.sink_the_bismarck.table_files import HIGHEST_EVASION, Convoy
from tabletop.messages import Message
from tabletop.schema import Flag

LAST_TURN: Final = 28
HEXES: Final = Message("sink.factor.hexes")
"""The label of a factor that is a number of hexes."""
asked = partial(QuestionInfo, "sink")


class Searcher(StrEnum):
    """The kinds of units that may detect (10.1)."""

    TASK_FORCE = "task-force"
    RECON = "recon"
    ATTACK_AIRCRAFT = "attack-aircraft"
    DUMMY = "dummy"
    CONVOY = "convoy"


class Visibility(StrEnum):
    """The visibility of a turn (10.2)."""

    FAIR = "fair"
    GOOD = "good"
    POOR = "poor"


class Enemy(StrEnum):
    """The kinds of enemies to detect (10.1)."""

    TASK_FORCE = "task-force"
    CONVOY = "convoy"


class Attacker(StrEnum):
    """The kinds of attackers of a convoy (9.10)."""

    TASK_FORCE = "task-force"
    DUMMY = "dummy"
    BOMBERS = "bombers"


class Phase(StrEnum):
    """The phases in which convoys may be attacked (9.10)."""

    GERMAN_MOVEMENT = "9"
    SURFACE_COMBAT = "4"


ConvoyName = Annotated[Convoy, asked("9.7")]
Turn = Annotated[int, between(1, LAST_TURN), asked("7.14")]
Hexes = Annotated[int, between(0, 99)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Detection(Action):
    """An attempt to detect an enemy (10)."""

    kind: Literal["detection"] = "detection"
    searcher: Annotated[
        Searcher,
        asked("10.1"),
    ] = Searcher.TASK_FORCE
    visibility: Annotated[Visibility, asked("10.2")] = Visibility.FAIR
    night: Annotated[Flag, asked("10.2")] = False
    fog: Annotated[Flag, asked("10.3")] = False
    ships: Annotated[int, between(1, 30), asked("10.2")] = 1
    carrier: Annotated[Flag, asked("10.2")] = False
    shadowed: Annotated[Flag, asked("4.0")] = False
    enemy: Annotated[
        Enemy,
        asked("10.1"),
    ] = Enemy.TASK_FORCE


@dataclass(frozen=True, slots=True, kw_only=True)
class ConvoyAttack(Action):
    """An attack on a convoy, which needs no die (9.10)."""

    kind: Literal["convoy-attack"] = "convoy-attack"
    attacker: Annotated[
        Attacker,
        asked("9.10"),
    ] = Attacker.TASK_FORCE
    phase: Annotated[
        Phase,
        asked("9.10"),
    ] = Phase.GERMAN_MOVEMENT
    escorted: Annotated[Flag, asked("9.10")] = False
    escorts_sunk: Annotated[Flag, asked("9.10")] = False
    dummy_convoy: Annotated[Flag, asked("9.9")] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ConvoyMove(Action):
    """A convoy moves (9.1, 9.5 to 9.8)."""

    kind: Literal["convoy-move"] = "convoy-move"
    convoy: ConvoyName = Convoy.HX
    hexes: Annotated[int, between(0, 9), asked("9.1")] = 1
    arrived: Annotated[Flag, asked("9.7")] = False
    distance_before: Annotated[Hexes, asked("9.8")] = 10
    distance_after: Annotated[Hexes, asked("9.8")] = 9
    from_track: Annotated[Hexes, asked("9.6")] = 0
    in_hex: Annotated[int, between(1, 12), asked("9.5")] = 1
    leaves_map: Annotated[Flag, asked("9.7")] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ConvoyEntry(Action):
    """A convoy enters the map (9.4, 9.5, 9.7)."""

    kind: Literal["convoy-entry"] = "convoy-entry"
    convoy: ConvoyName = Convoy.HX
    turn: Turn = 2
    on_map: Annotated[int, between(0, 12), asked("9.5")] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Speed(ByShip):
    """The hexes that a ship may move in a turn (7.14)."""

    kind: Literal["speed"] = "speed"
    turn: Turn = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """A ship's marks: our source has only her evasion rating."""

    evasion_lost: Annotated[int, between(0, HIGHEST_EVASION), asked("7.14", "state")] = 0


INFOS: Final = (
    ActionInfo("detection", Message("sink.action.detection"), "10.2", Detection),
    ActionInfo("convoy-attack", Message("sink.action.convoy_attack"), "9.10", ConvoyAttack),
    ActionInfo("convoy-move", Message("sink.action.convoy_move"), "9.8", ConvoyMove),
    ActionInfo("convoy-entry", Message("sink.action.convoy_entry"), "9.7", ConvoyEntry),
    ActionInfo("speed", Message("sink.action.speed"), "7.14", Speed),
)
"""Every action, in the order of the menu; only detection needs a die."""
