"""Everything that players do by the dice, as a shot file says it.

A gun battery or the torpedoes of a ship at another, a roll for a ship of one's own, a roll for
both players: `fire.battery` chooses.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from combat.questions import battery_key, called_so, choice, flag, number
from combat.report import BatteryInfo, Condition, RangeBand, Takes
from combat.rulesets.grand_fleets.card import (
    ANTI_AIR,
    GUNS,
    TORPEDOES,
    Card,
    Guns,
    Torpedoes,
    Tube,
)
from combat.rulesets.grand_fleets.tabledata import NAME, QUALITIES, SIZES, band_limits, load_tables
from combat.rulesets.grand_fleets.vessel import Marks, Vessel
from combat.ships import ShipList
from combat.shot_layout import Layout, Said
from tabletop.arcs import Quadrant
from tabletop.errors import BadField, UnknownName

DAMAGE_CHECK: Final = "damage check"
COMMAND_CHECK: Final = "command check"
INITIATIVE: Final = "initiative"
QUALITY: Final = "command quality"
NEW_FLAG: Final = "flag transfer"
MOVE: Final = "move"
LEAVE: Final = "leave the table"
ORDER: Final = "order"
VICTORY: Final = "victory"
COST: Final = "division cost"

OWN_ROLLS: Final = {
    DAMAGE_CHECK: "Damage checks",
    MOVE: "Move and speed marker",
    INITIATIVE: "Initiative of her division",
    COMMAND_CHECK: "Return to command",
    QUALITY: "Command quality",
    NEW_FLAG: "Take over the flag",
    LEAVE: "Leave the table",
}
"""What a ship rolls for without a target."""
AS_MARKED: Final = "as marked"
ATTACKS: Final = (*GUNS, TORPEDOES)
MOST_YARDS: Final = 100_000
_MARKER_WORDS = (("stop", "STOP"), ("slow", "SLOW"), ("none", "no marker"), ("fast", "FAST"))
_MARKERS = ((AS_MARKED, AS_MARKED), *_MARKER_WORDS)
_QUALITY_WORDS = tuple((str(n - 2), f"{word} ({n - 2:+d})") for n, word in enumerate(QUALITIES))
_CHOSEN = tuple((word, word) for word in sorted(QUALITIES, key=lambda each: each != "average"))
COMMON_ROLLS: Final = {
    ORDER: "Who begins (tied divisions, ships out of command)",
    VICTORY: "Who has won",
    COST: "What a division costs",
}
"""What concerns both players and no ship."""
_BATTERIES = (*ATTACKS, *OWN_ROLLS, *COMMON_ROLLS)


def _number(name: str, label: str, most: int, usual: str, rule: str) -> Condition:
    return Condition(name, label, Takes.NUMBER, usual, rule, 0, most, asked=False)


def _counts(name: str, label: str, rule: str, names: Sequence[str] = ()) -> Condition:
    return Condition(name, label, Takes.COUNTS, "", rule, choices=called_so(names), asked=False)


_ARCS: Final = tuple(f"{guns} {quadrant}" for guns in GUNS for quadrant in Quadrant)
_STATE: Final = (
    _number("hull_lost", "hull boxes checked off", 999, "0", "Making an Attack"),
    _number("speed_lost", "speed boxes checked off", 5, "0", "Damage Checks"),
    _counts("dice_lost", 'attack dice boxes checked off, by "guns 1" … and "anti_air"',
            "Damage Checks", (*GUNS, ANTI_AIR)),
    _counts("torpedoes_fired", "torpedoes fired, by F, A, P, S and PS", "Torpedoes", list(Tube)),
    _counts("torpedoes_lost", "torpedoes lost to damage, by F, A, P, S and PS", "Damage Checks",
            list(Tube)),
    _number("checks_due", "series of damage checks still to roll", 2, "", "Damage Checks"),
    Condition("marker", "speed marker", Takes.CHOICE, "none", "Speed Markers",
              choices=_MARKER_WORDS, asked=False),
    Condition("out_of_command", "out of command", Takes.FLAG, "false", "The Command Phase",
              asked=False),
    Condition("left_table", "has left the table", Takes.FLAG, "false", "The Movement Phase",
              asked=False),
    Condition("command_quality", "command quality", Takes.NUMBER, "", "Divisions", -2, 2,
              asked=False),
    _number("initiative", "initiative of her division in this turn", 20, "", "Sequence of Play"),
    _counts("fired", 'turn in which a battery last fired into an arc: "guns 2 port"',
            "The Combat Phase", _ARCS),
    _counts("torpedoed", "turn in which she last launched torpedoes at a ship", "Torpedoes"),
)  # fmt: skip
LAYOUT: Final = Layout(
    NAME,
    state=_STATE,
    fire=(
        battery_key(_BATTERIES, "Sequence of Play"),
        _number("range_yards", "range in yards, bridge to bridge", MOST_YARDS, "", "Range"),
        Condition("quadrant", "arc of the firer that the target is in", Takes.CHOICE, "",
                  "Firing Arc", choices=called_so(list(Quadrant)), asked=False),
        Condition("aspect", "arc of the target that the firer is in", Takes.CHOICE, "",
                  "Armor vs. Penetration", choices=called_so(list(Quadrant)), asked=False),
        Condition("blocked", "a large enough ship is on the line", Takes.FLAG, "false",
                  "Line of Fire", asked=False),
        number("torpedoes", "Torpedoes launched (0: all that bear)", "Torpedoes", (0, 0, 80),
               TORPEDOES),
    ),
    conditions=(
        choice("marker", "Target's speed marker", "Target Speed", _MARKERS, *ATTACKS),
        flag("extreme", "Extreme range allowed", "Range, optional rule", *GUNS),
        flag("split", "Batteries without turrets may fire to both sides",
             "The Combat Phase, optional rule", *GUNS),
        flag("checks", "Roll her damage checks at once", "Damage Checks", *ATTACKS, usual=True),
        _number("turn", "game turn; 0 where nobody counts them", 999, "0", "Sequence of Play"),
        choice("quality", "Commander of her division", "Divisions",
               ((AS_MARKED, AS_MARKED), *_QUALITY_WORDS), INITIATIVE, COMMAND_CHECK),
        choice("chosen", "Commander, chosen and not rolled for", "Divisions", _CHOSEN, COST),
        number("division_points", "Points of her ships", "Divisions", (0, 0, 9999), COST),
        number("move_yards", "Yards moved", "The Movement Phase", (0, 0, 20_000), MOVE),
        flag("turned", "She turns", "Turning", MOVE),
        choice("last_marker", "Marker of her last move", "Speed Markers", _MARKERS, MOVE),
        choice("battle_size", "Size of the battle", "Assembling the Fleet",
               called_so(("medium", *(size for size in SIZES if size != "medium"))), VICTORY),
        number("points_first", "Points of the first player", "Victory", (0, 0, 9999), VICTORY),
        number("points_second", "Points of the second player", "Victory", (0, 0, 9999), VICTORY),
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Lie:
    """How two ships lie to each other."""

    range_yards: int
    quadrant: Quadrant
    """Where the target lies for the firer."""
    aspect: Quadrant
    """Where the firer lies for the target."""
    blocked: bool = False


@dataclass(frozen=True, slots=True)
class Attack:
    """A battery of one ship at another."""

    battery: str
    firer: Vessel
    target: Vessel
    lie: Lie
    marker: str = "none"
    """The target's speed marker."""
    torpedoes: int = 0
    """How many are launched; 0 for all that bear."""
    extreme: bool = False
    split: bool = False
    checks: bool = True
    turn: int = 0


@dataclass(frozen=True, slots=True)
class Roll:
    """Any other roll: of a ship, or of both players."""

    battery: str
    ship: Vessel | None
    quality: int = 0
    move_yards: int = 0
    turned: bool = False
    last_marker: str = "none"
    battle_size: str = "medium"
    points: tuple[int, int] = (0, 0)
    chosen: str = "average"
    division_points: int = 0


Action = Attack | Roll


def batteries_of(card: Card | None) -> tuple[BatteryInfo, ...]:
    """What a ship can do, heaviest first; without a card, what both players roll for."""
    if card is None:
        return tuple(
            BatteryInfo(name, title, 0, of_a_ship=False, at_a_target=False)
            for name, title in COMMON_ROLLS.items()
        )
    found = [
        BatteryInfo(name, guns.name, guns.dice[0], unit="dice", bands=_bands(guns))
        for name, guns in zip(GUNS, card.guns, strict=False)
    ]
    if card.torpedoes:
        count = sum(card.torpedoes.carried.values())
        title, bands = f"Torpedoes, {card.torpedoes.name}", _bands(card.torpedoes)
        found.append(BatteryInfo(TORPEDOES, title, count, unit="torpedoes", bands=bands))
    found += [
        BatteryInfo(name, title, 0, at_a_target=False)
        for name, title in OWN_ROLLS.items()
        if card.speed or name != MOVE
    ]
    return tuple(found)


def _bands(weapon: Guns | Torpedoes) -> tuple[RangeBand, ...]:
    """The range bands of a battery; extreme range is long range by half as much again."""
    extreme = isinstance(weapon, Guns) and weapon.extreme
    limits = band_limits(weapon.range, load_tables(), extreme=extreme)
    return tuple(RangeBand(name, name.capitalize(), limit) for name, limit in limits.items())


def read_action(said: Said, cards: ShipList[Card]) -> Action:
    """The action that a shot file describes."""
    battery = said.word("fire.battery")
    if battery not in ATTACKS:
        return _roll(battery, said, cards)
    firer, target = read_ship("firer", said, cards), read_ship("target", said, cards)
    if said.values["fire.range_yards"] is None:
        expected = f"a whole number from 0 to {MOST_YARDS}"
        raise BadField(said.place, "fire.range_yards", expected, "nothing: the key is missing")
    if battery in GUNS and firer.card.battery(battery) is None:
        known = ", ".join(GUNS[: len(firer.card.guns)]) or "none"
        raise BadField(said.place, "fire.battery", f"a battery of {firer.name}: {known}", battery)
    if battery == TORPEDOES and firer.card.torpedoes is None:
        raise BadField(said.place, "fire.battery", f"a battery of {firer.name}", battery)
    marker = said.word("conditions.marker")
    return Attack(
        battery=battery,
        firer=firer,
        target=target,
        lie=Lie(
            said.number("fire.range_yards"),
            _quadrant(said, "fire.quadrant"),
            _quadrant(said, "fire.aspect"),
            said.flag("fire.blocked"),
        ),
        marker=target.marks.marker if marker == AS_MARKED else marker,
        torpedoes=said.number("fire.torpedoes"),
        extreme=said.flag("conditions.extreme"),
        split=said.flag("conditions.split"),
        checks=said.flag("conditions.checks"),
        turn=said.number("conditions.turn"),
    )


def _roll(battery: str, said: Said, cards: ShipList[Card]) -> Roll:
    ship = None if battery in COMMON_ROLLS else read_ship("firer", said, cards)
    quality, last = said.word("conditions.quality"), said.word("conditions.last_marker")
    marks = ship.marks if ship else Marks()
    return Roll(
        battery=battery,
        ship=ship,
        quality=(ship.quality if ship else 0) if quality == AS_MARKED else int(quality),
        move_yards=said.number("conditions.move_yards"),
        turned=said.flag("conditions.turned"),
        last_marker=marks.marker if last == AS_MARKED else last,
        battle_size=said.word("conditions.battle_size"),
        points=(said.number("conditions.points_first"), said.number("conditions.points_second")),
        chosen=said.word("conditions.chosen"),
        division_points=said.number("conditions.division_points"),
    )


def _quadrant(said: Said, key: str) -> Quadrant:
    if not said.word(key):
        expected = f"one of {', '.join(Quadrant)}"
        raise BadField(said.place, key, expected, "nothing: the key is missing")
    return Quadrant(said.word(key))


def read_ship(role: str, said: Said, cards: ShipList[Card]) -> Vessel:
    """The firer or the target, with her card and her marks."""
    kind = said.word(f"{role}.type")
    if not kind:
        expected = "a ship that has a card"
        raise BadField(said.place, f"{role}.name", expected, "nothing: the key is missing")
    state = f"{role}.state"
    marks = Marks(
        hull_lost=said.number(f"{state}.hull_lost"),
        speed_lost=said.number(f"{state}.speed_lost"),
        dice_lost=said.counts(f"{state}.dice_lost"),
        torpedoes_fired=said.counts(f"{state}.torpedoes_fired"),
        torpedoes_lost=said.counts(f"{state}.torpedoes_lost"),
        checks_due=_or_none(said, f"{state}.checks_due"),
        marker=said.word(f"{state}.marker"),
        out_of_command=said.flag(f"{state}.out_of_command"),
        left_table=said.flag(f"{state}.left_table"),
        command_quality=_or_none(said, f"{state}.command_quality"),
        initiative=_or_none(said, f"{state}.initiative"),
        fired=said.counts(f"{state}.fired"),
        torpedoed=said.counts(f"{state}.torpedoed"),
    )
    card = cards.find(kind)
    if card is None:
        raise UnknownName(said.place, "data card", kind, [card.name for card in cards])
    return Vessel(said.word(f"{role}.name") or kind, card, marks)


def _or_none(said: Said, key: str) -> int | None:
    return None if said.values[key] is None else said.number(key)
