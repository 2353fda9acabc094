"""The calculator: any two ships and typed figures instead of a table, read from the address.

Whatever stands in the address is taken if it can be, so that a link can be shared; what cannot is
as usual, and the page says so.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from math import isfinite

from combat.report import (
    BatteryInfo,
    Condition,
    Facts,
    FireRules,
    RangeBand,
    ShotFile,
    States,
    Takes,
)
from combat.ruleset import Ruleset
from combat.ships import ShipType
from combat.tables import TableSet
from tabletop.arcs import Quadrant
from tabletop.errors import DreyerError, shorten
from tabletop.rules import OUT_OF_RANGE
from web.attacks.fights import Fights
from web.charts.ships import side_of, silhouette_of
from web.checks.shots import Answer, answer
from web.strings import text

FARTHEST_YARDS = 1_000_000.0
STEP_YARDS = 100.0
SIGHTS = ("clear", "blocked", "smoke", "both")
_SMOKY = ("smoke", "both")
_LONGEST_NUMBER = 4
_ROLES = ("firer", "target")
_STATE = ".state."
_USUAL_SHARE = 0.65
"""How far of the longest range the slider stands at first."""


@dataclass(frozen=True, slots=True)
class Picked:
    """A ship on her card."""

    name: str
    nation: str
    side: str
    silhouette: str


@dataclass(frozen=True, slots=True)
class Asked:
    """One condition with what was answered."""

    condition: Condition
    value: str

    @property
    def usual(self) -> bool:
        """Whether it is as usual."""
        return self.value == self.condition.usual

    @property
    def words(self) -> str:
        """The answer as players say it."""
        if self.condition.takes is Takes.FLAG:
            return self.condition.label
        value = dict(self.condition.choices).get(self.value, self.value)
        return f"{self.condition.label}: {value}"


@dataclass(frozen=True, slots=True)
class Band:
    """A range segment on the slider, in hundredths of its length."""

    name: str
    title: str
    start: float
    width: float
    upper_yards: float


@dataclass(frozen=True, slots=True)
class Calculation:
    """Everything on the calculator's page."""

    firer: Picked
    target: Picked
    batteries: tuple[BatteryInfo, ...]
    shelved: tuple[tuple[str, tuple[BatteryInfo, ...]], ...]
    """The same by the phases of a turn; under no title what belongs to none."""
    battery: str
    of_a_ship: bool
    """Whether a ship of one's own attacks."""
    at_a_target: bool
    unit: str
    """What the battery counts: guns, dice, torpedoes; empty where it is plain."""
    sights: tuple[str, ...]
    """What may be between the two, as far as the rulebook cares."""
    when_marked: bool
    """Whether it comes when the round's fire is marked."""
    measured: bool
    """Whether range and quadrants decide; a board game asks for its own distances instead."""
    facts: Facts
    range_yards: float
    quadrant: Quadrant
    aspect: Quadrant
    sight: str
    asked: tuple[Asked, ...]
    carried: tuple[Asked, ...]
    """What was said of other batteries, kept for when they are chosen again."""
    longest_yards: float
    bands: tuple[Band, ...]
    segment: str | None
    answer: Answer | None
    faults: tuple[str, ...]

    @property
    def shot(self) -> ShotFile | None:
        """The shot file of it all; None where nothing can attack."""
        return self.answer.shot if self.answer else None

    @property
    def unusual(self) -> tuple[Asked, ...]:
        """The conditions that are not as usual."""
        return tuple(each for each in self.asked if not each.usual)

    @property
    def segment_title(self) -> str:
        """The segment as players read it; empty where the rulebook has none."""
        if self.segment is None:
            return ""
        titles = {band.name: band.title for band in self.bands}
        return titles.get(self.segment) or str(text("calculator.out_of_range"))

    def link(self, **changes: str) -> dict[str, str]:
        """What the address needs to show this again, with some of it changed."""
        said = {
            "firer": self.firer.name,
            "target": self.target.name,
            "battery": self.battery,
            **(
                {
                    "range": f"{self.range_yards:.0f}",
                    "quadrant": str(self.quadrant),
                    "aspect": str(self.aspect),
                    "sight": self.sight,
                }
                if self.measured
                else {}
            ),
            **{each.condition.name: each.value for each in (*self.unusual, *self.carried)},
        }
        return {key: value for key, value in {**said, **changes}.items() if value}

    @property
    def onward(self) -> dict[str, str]:
        """What the next attack begins with: without what was said of this one alone."""
        alone = {
            each.condition.name
            for each in (*self.unusual, *self.carried)
            if not each.condition.mutual
            and (_STATE in each.condition.name or _role(each.condition) not in _ROLES)
        }
        return {key: value for key, value in self.link().items() if key not in alone}


def shelves(ruleset: Ruleset) -> dict[str, list[str]]:
    """All ships of a ruleset by nation, each in alphabetical order."""
    found: dict[str, list[str]] = {}
    for ship in sorted(ruleset.ships, key=lambda ship: ship.name):
        found.setdefault(ship.nation, []).append(ship.name)
    return dict(sorted(found.items()))


def turned_round(said: Mapping[str, str], ruleset: Ruleset, fire: FireRules) -> Mapping[str, str]:
    """What the address says; with the two ships changed over where it asks for that."""
    if "swap" not in said:
        return said
    firer, target = (said.get(role, "") for role in ("firer", "target"))
    known = ruleset.ships.find(firer) and ruleset.ships.find(target)
    conditions = fire.conditions(firer, target) if known else ()
    changed = {"firer": "target", "target": "firer", "quadrant": "aspect", "aspect": "quadrant"}
    asked = {each.name: each for each in conditions}
    for name, condition in asked.items():
        role, _, rest = name.partition(".")
        mirrored = f"{changed[role]}.{rest}" if role in changed else ""
        if mirrored in asked or condition.mutual:
            changed[name] = mirrored or name
    # Guns and other conditions are those of one ship, and the other may have none like them.
    return {
        changed.get(key, key): value
        for key, value in said.items()
        if key not in ("swap", "battery") and ("." not in key or key in changed)
    }


def calculate(
    ruleset: Ruleset,
    fire: FireRules,
    tables: TableSet,
    said: Mapping[str, str],
    on_table: Iterable[ShipType] = (),
    fights: Fights | None = None,
) -> Calculation:
    """The page for what the address says; the ships on the table are offered first.

    Ships that were in a fight on the calculator have the marks that it left them.
    """
    faults: list[str] = []
    firer, target = _ships(ruleset, said, tuple(on_table), faults)
    batteries = (*fire.batteries(firer.name), *fire.batteries(""))
    usual = next((key.default for key in fire.shot_keys if key.name == "fire.battery"), "")
    named = (
        each for name in (said.get("battery"), usual) for each in batteries if each.name == name
    )
    battery = next(chain(named, batteries, [BatteryInfo("", "", 0)]))
    bands = battery.bands or ruleset.segments
    longest = bands[-1].upper_yards if bands else 0.0
    range_yards = _range(said.get("range"), longest, faults)
    states = (fights or Fights()).states(
        ruleset.name,
        firer.name if battery.of_a_ship else "",
        target.name if battery.at_a_target else "",
        when_marked=battery.when_marked,
    )
    conditions = [_marked(each, states) for each in fire.conditions(firer.name, target.name)]
    asked = tuple(
        Asked(condition, _answered(condition, said.get(condition.name), faults))
        for condition in conditions
        if _matters(condition, battery)
    )
    carried = (
        Asked(condition, _answered(condition, said.get(condition.name), []))
        for condition in conditions
        if not _matters(condition, battery)
    )
    sights = tuple(sight for sight in SIGHTS if sight not in _SMOKY or _heeds_smoke(fire))
    sight = _one_of(said.get("sight"), sights, faults)
    facts = Facts(
        firer=firer.name if battery.of_a_ship else "",
        firer_type=firer.name if battery.of_a_ship else "",
        target=target.name if battery.at_a_target else "",
        target_type=target.name if battery.at_a_target else "",
        range_yards=range_yards,
        quadrant=Quadrant(_one_of(said.get("quadrant"), _FROM_STARBOARD, faults)),
        aspect=Quadrant(_one_of(said.get("aspect"), _FROM_PORT, faults)),
        blocked=sight in ("blocked", "both"),
        smoke=sight in ("smoke", "both"),
        battery=battery.name,
        conditions=tuple((each.condition.name, each.value) for each in asked if not each.usual),
        round_number=fights.round_of(ruleset.name) if fights else 0,
    )
    result = None
    if batteries:
        try:
            result = answer(fire, facts, tables, states)
        except DreyerError as error:
            faults.append(str(error))
    return Calculation(
        firer=_picked(firer),
        target=_picked(target),
        batteries=batteries,
        shelved=tuple(_by_phase(ruleset, batteries)),
        battery=battery.name,
        of_a_ship=battery.of_a_ship,
        at_a_target=battery.at_a_target,
        unit=battery.unit,
        sights=sights,
        when_marked=battery.when_marked,
        measured=ruleset.needs_table,
        facts=facts,
        range_yards=range_yards,
        quadrant=facts.quadrant,
        aspect=facts.aspect,
        sight=sight,
        asked=asked,
        carried=tuple(each for each in carried if not each.usual),
        longest_yards=longest,
        bands=tuple(_drawn(bands, longest)),
        segment=_segment(bands, range_yards),
        answer=result,
        faults=tuple(faults),
    )


def _by_phase(
    ruleset: Ruleset, batteries: Sequence[BatteryInfo]
) -> Iterator[tuple[str, tuple[BatteryInfo, ...]]]:
    """What can be rolled for in each phase of a turn; what comes twice stands in the first."""
    left = {battery.name: battery for battery in batteries}
    for phase in ruleset.phases:
        here = tuple(left.pop(name) for name in phase.rolls if name in left)
        if here:
            yield phase.title, here
    if left:
        yield "", tuple(left.values())


def _matters(condition: Condition, battery: BatteryInfo) -> bool:
    """Whether a condition has anything to do with what is done, and with who takes part in it."""
    if condition.batteries and battery.name not in condition.batteries:
        return False
    mattering = {"firer": battery.of_a_ship, "target": battery.at_a_target}
    return mattering.get(_role(condition), True)


def _role(condition: Condition) -> str:
    return condition.name.partition(".")[0]


def _marked(condition: Condition, states: States) -> Condition:
    """A condition that is a mark, with what stands on the ship's sheet as usual."""
    marks = states.get(_role(condition), {})
    mark = marks.get(condition.name.rpartition(".")[2]) if _STATE in condition.name else None
    return replace(condition, usual=str(mark).lower()) if isinstance(mark, int) else condition


_FROM_STARBOARD = (Quadrant.STARBOARD, Quadrant.BOW, Quadrant.STERN, Quadrant.PORT)
_FROM_PORT = (Quadrant.PORT, Quadrant.BOW, Quadrant.STARBOARD, Quadrant.STERN)


def _ships(
    ruleset: Ruleset, said: Mapping[str, str], on_table: tuple[ShipType, ...], faults: list[str]
) -> tuple[ShipType, ShipType]:
    known = [ship for ship in on_table if ruleset.ships.find(ship.name)] + list(ruleset.ships)
    firer = _ship(ruleset, said.get("firer"), faults) or known[0]
    foes = [ship for ship in known if ship.nation != firer.nation]
    target = _ship(ruleset, said.get("target"), faults) or (foes or known)[0]
    return firer, target


def _ship(ruleset: Ruleset, name: str | None, faults: list[str]) -> ShipType | None:
    if not name:
        return None
    found = ruleset.ships.find(name)
    if found is None:
        faults.append(str(text("calculator.unknown_ship", name=shorten(name, 40))))
    return found


def _range(said: str | None, longest: float, faults: list[str]) -> float:
    usual = round(_USUAL_SHARE * longest / STEP_YARDS) * STEP_YARDS or 10_000.0
    if not said:
        return usual
    try:
        yards = float(said.replace(",", ""))
    except ValueError:
        yards = -1.0
    if not (isfinite(yards) and 0 <= yards <= FARTHEST_YARDS):
        faults.append(str(text("calculator.bad_range", said=shorten(said, 20))))
        return usual
    return float(round(yards))


def _one_of(said: str | None, values: tuple[str, ...], faults: list[str]) -> str:
    """What was said if it is one of these, or the first of them."""
    if said and said not in values:
        faults.append(str(text("calculator.bad_value", said=shorten(said, 20))))
    return said if said in values else values[0]


def _answered(condition: Condition, said: str | None, faults: list[str]) -> str:
    if said is None or said == "":
        return condition.usual
    fits = {
        Takes.FLAG: said in ("true", "false"),
        Takes.CHOICE: said in dict(condition.choices),
        Takes.NUMBER: said.isascii()
        and said.lstrip("-").isdigit()
        and len(said) <= _LONGEST_NUMBER
        and condition.least <= int(said) <= condition.most,
    }.get(condition.takes, False)
    if not fits:
        words = text("calculator.bad_condition", label=condition.label, said=shorten(said, 20))
        faults.append(str(words))
    return said if fits else condition.usual


def _picked(ship: ShipType) -> Picked:
    return Picked(ship.name, ship.nation, side_of(ship).key, silhouette_of(ship))


def _segment(bands: Sequence[RangeBand], range_yards: float) -> str | None:
    if not bands:
        return None
    reached = (band.name for band in bands if range_yards <= band.upper_yards)
    return next(reached, OUT_OF_RANGE)


def _heeds_smoke(fire: FireRules) -> bool:
    return any(key.name == "fire.smoke" for key in fire.shot_keys)


def _drawn(bands: Sequence[RangeBand], longest: float) -> Iterator[Band]:
    start = 0.0
    for band in bands:
        upper = band.upper_yards
        width = upper - start
        yield Band(band.name, band.title, 100 * start / longest, 100 * width / longest, upper)
        start = upper
