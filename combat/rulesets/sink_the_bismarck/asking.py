"""What may be asked of Sink the Bismarck!, and what its shot files and a page may say of it."""

from enum import StrEnum
from typing import Final

from combat.questions import battery_key, called_so, choice, flag, number
from combat.rulesets.sink_the_bismarck.tabledata import CONVOYS, HIGHEST_EVASION, NAME
from combat.shot_layout import Layout


class Battery(StrEnum):
    """What the rules decide; only detection takes a die."""

    DETECTION = "detection"
    CONVOY_ATTACK = "convoy-attack"
    CONVOY_MOVE = "convoy-move"
    CONVOY_ENTRY = "convoy-entry"
    SPEED = "speed"


_D, _A, _M, _E, _S = Battery
_SEARCHERS = (
    ("task-force", "a task force"), ("recon", "reconnaissance aircraft"),
    ("attack-aircraft", "attack aircraft"), ("dummy", "a dummy task force"),
    ("convoy", "a convoy"),
)  # fmt: skip
_ATTACKERS = (
    ("task-force", "a German task force"), ("dummy", "a German dummy"),
    ("bombers", "German land-based bombers"),
)  # fmt: skip
_STATE = (number("evasion_lost", "evasion lost to damage", "7.14", (0, 0, HIGHEST_EVASION), _S),)
_CONDITIONS = (
    choice("searcher", "who tries to detect", "10.1", _SEARCHERS, _D),
    choice("visibility", "visibility of the turn", "10.2",
           (("fair", "fair"), ("good", "good"), ("poor", "poor")), _D),
    flag("night", "night", "10.2", _D),
    flag("fog", "fog in the hex", "10.3", _D),
    number("ships", "ships in the task force, a DD flotilla as one", "10.2", (1, 1, 30), _D),
    flag("carrier", "an aircraft carrier is among them", "10.2", _D),
    flag("shadowed", "the enemy is shadowed already", "4.0", _D),
    choice("enemy", "who is looked for", "10.1",
           (("task-force", "a task force"), ("convoy", "a convoy")), _D),
    choice("attacker", "who attacks the convoy", "9.10", _ATTACKERS, _A),
    choice("phase", "phase of the turn", "9.10",
           (("9", "nine, German movement"), ("4", "four, surface combat")), _A),
    flag("escorted", "British task forces escort it", "9.10", _A),
    flag("escorts_sunk", "all of them are sunk", "9.10", _A),
    flag("dummy_convoy", "the convoy is a dummy", "9.9", _A),
    choice("convoy", "convoy", "9.7", called_so(CONVOYS), _M, _E),
    number("hexes", "hexes it moves", "9.1", (1, 0, 9), _M),
    flag("arrived", "it has reached its destination", "9.7", _M),
    number("distance_before", "hexes to its destination before", "9.8", (10, 0, 99), _M),
    number("distance_after", "hexes to its destination after", "9.8", (9, 0, 99), _M),
    number("from_track", "hexes from its track after", "9.6", (0, 0, 99), _M),
    number("in_hex", "convoys in the hex after", "9.5", (1, 1, 12), _M),
    flag("leaves_map", "it leaves the map", "9.7", _M),
    number("turn", "game turn", "7.14", (2, 1, 28), _E, _S),
    number("on_map", "convoys on the map before", "9.5", (0, 0, 12), _E),
)  # fmt: skip

LAYOUT: Final = Layout(
    NAME, state=_STATE, fire=(battery_key(tuple(Battery), "10.0"),), conditions=_CONDITIONS
)
