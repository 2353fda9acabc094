"""What may be rolled in Arctic Disaster, and what its shot files and a page may say of it."""

from enum import StrEnum
from typing import Final

from combat.questions import battery_key, called_so, choice, flag, mutual, number
from combat.rulesets.arctic_disaster.tabledata import (
    AIRCRAFT,
    FARTHEST_AREAS,
    FLEETS,
    NAME,
    SEARCHERS,
)
from combat.shot_layout import Layout

LAST_ROUND: Final = 8
SUPPORTS: Final = ("support_1", "support_2", "support_3", "support_4")


class Battery(StrEnum):
    """Everything that a die is rolled for."""

    MAIN = "main"
    SECONDARY = "secondary"
    TORPEDOES = "torpedoes"
    ANTIAIRCRAFT = "antiaircraft"
    MOVE = "move"
    AIR = "air"
    AIR_TO_AIR = "air-to-air"
    SUBMARINE = "submarine"
    CRITICAL = "critical"
    FIRST_MOVE = "first-move"
    DISENGAGE = "disengage"
    SEARCH = "search"
    SHADOW = "shadow"
    NEW_FOG = "new-fog"
    SHADOW_IN_FOG = "shadow-in-fog"
    GROUNDING = "grounding"
    HOME_FLEET = "home-fleet"
    HITLER = "hitler"


class Setting(StrEnum):
    """Where an air attack finds its target."""

    TASK_FORCE = "task-force"
    CONVOY = "convoy"
    SURFACE = "surface"


_GUNS = (Battery.MAIN, Battery.SECONDARY)
_SHIPS_FIRE = (*_GUNS, Battery.TORPEDOES)
_MODIFIED = (
    *_SHIPS_FIRE, Battery.ANTIAIRCRAFT, Battery.AIR, Battery.AIR_TO_AIR, Battery.SUBMARINE,
    Battery.SEARCH, Battery.SHADOW,
)  # fmt: skip
_VICTORIOUS = (
    ("hidden", "not detected"), ("near", "detected within 10 hexes of Tirpitz"),
    ("far", "detected farther off"), ("sunk", "sunk"),
)  # fmt: skip
_STATE = (
    number("damage", "hits taken", "12.0", (0, 0, 11)),
    number("move_lost", "movement lost by critical hits", "12.2", (0, 0, 9)),
    number("guns_lost", "gunnery lost by critical hits", "12.2", (0, 0, 20), *_GUNS),
    flag("torpedoes_fired", "torpedoes are spent", "11.4.7", Battery.TORPEDOES),
)
_FIRE = (battery_key(tuple(Battery), "11.4"),)
_CONDITIONS = (
    mutual(
        number("range_areas", "range in areas", "11.4.4", (5, 0, FARTHEST_AREAS), *_SHIPS_FIRE)
    ),
    flag("moved", "the firer moved this round", "11.4.9 example", *_GUNS),
    flag("later_firer", "another ship fires at this target before her", "11.4.4", *_GUNS),
    mutual(flag("smoke", "smoke within two areas of either ship", "11.4.6", *_SHIPS_FIRE)),
    mutual(
        flag(
            "fog", "fog", "11.4.5", *_SHIPS_FIRE, Battery.AIR, Battery.SUBMARINE, Battery.SEARCH,
            Battery.DISENGAGE,
        )
    ),
    number(
        "screen", "for P614 and P615: German DD and TB in the target's area", "13.10", (0, 0, 20),
        Battery.TORPEDOES,
    ),
    choice("aircraft", "the air unit", "11.1", called_so(AIRCRAFT), Battery.AIR),
    number("steps_lost", "steps that the air unit has lost", "11.1", (0, 0, 1), Battery.AIR),
    choice(
        "setting", "the target is", "11.1",
        ((Setting.TASK_FORCE, "in a task force"), (Setting.CONVOY, "in convoy PQ-17"),
         (Setting.SURFACE, "in a surface combat")), Battery.AIR,
    ),
    flag("end_on", "torpedo bombers from ahead or astern", "11.2.1", Battery.AIR),
    flag("ice", "the target is in partial ice", "7.2", Battery.AIR, Battery.SEARCH),
    flag("target_fires", "the target fires antiaircraft", "11.1", Battery.AIR, usual=True),
    *(
        number(key, f"antiaircraft factor of supporting ship {which}", "11.1", (0, 0, 30),
                Battery.AIR)
        for which, key in enumerate(SUPPORTS, start=1)
    ),
    flag("supports_another", "she supports another ship", "11.1", Battery.ANTIAIRCRAFT),
    number("fighters", "fighter factors on patrol", "11.3.1", (8, 1, 40), Battery.AIR_TO_AIR),
    number("attackers", "air units that attack", "11.3.1", (6, 1, 40), Battery.AIR_TO_AIR),
    number("marker", "movement points lost by a marker", "11.4.3", (0, 0, 2), Battery.MOVE),
    flag("smoke_laid", "she lays smoke", "11.4.6", Battery.MOVE),
    choice("submarine", "the submarine is", "13.7", called_so(FLEETS), Battery.SUBMARINE),
    number("escorts", "DD, FF, AT and TB with the target", "13.5", (0, 0, 60), Battery.SUBMARINE),
    flag(
        "hunters", "a DD, FF or MS is in the hex", "13.9", Battery.SUBMARINE, usual=True
    ),
    number("attacks_made", "attacks this boat has made", "13.8", (0, 0, 4), Battery.SUBMARINE),
    number("detached", "DD and FF detached against it", "13.6", (0, 0, 20), Battery.SHADOW),
    choice("searcher", "who searches", "10.2", called_so(SEARCHERS), Battery.SEARCH),
    number("distance_hexes", "distance in hexes", "10.2", (0, 0, 60), Battery.SEARCH),
    number("round", "round of the combat", "11.4.9", (1, 1, LAST_ROUND), Battery.DISENGAGE),
    flag("convoy_leaves", "the convoy is the side that wants to leave", "11.4.9",
          Battery.DISENGAGE),
    flag("maximum_speed", "the active force is at maximum speed", "7.6.4", Battery.DISENGAGE),
    flag("shadowed", "PQ-17 is shadowed", "5.1", Battery.NEW_FOG),
    flag("tirpitz_at_sea", "Tirpitz is at sea in a detected group", "7.5.2", Battery.HOME_FLEET),
    choice("victorious", "Victorious is", "5.8", _VICTORIOUS, Battery.HITLER),
    flag("scattered", "PQ-17 has scattered", "5.8", Battery.HOME_FLEET, Battery.HITLER),
    choice(
        "tactical", "Tactical Advantage marker", "5.10",
        (("0", "not used"), ("2", "+2 on this die"), ("-2", "−2 on this die")), *_MODIFIED,
    ),
)  # fmt: skip

LAYOUT: Final = Layout(NAME, state=_STATE, fire=_FIRE, conditions=_CONDITIONS)
