"""What is to be fought: a scenario, its captains, and how many battles of which kind."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from combat.captain.all_captains import DEFAULT, captain_names
from combat.scenarios import Scenario, read_scenario
from tabletop.errors import DreyerError, UnknownName
from tabletop.messages import Message

MOST_BATTLES: Final = 100_000
MOST_VALUES: Final = 60
_VARIED: Final = re.compile(
    r"(?P<key>[a-z_]+)=(?P<low>\d+(?:\.\d+)?)\.\.(?P<high>\d+(?:\.\d+)?)(?:/(?P<step>\d+(?:\.\d+)?))?"
)


class Varied(StrEnum):
    """What of a scenario may be varied."""

    VISIBILITY = "visibility"
    RANGE = "range"
    """The yards between the nearest ships of different sides as the battle begins."""


_STEPS: Final = {Varied.VISIBILITY: 1.0, Varied.RANGE: 2_000.0}
_LIMITS: Final = {Varied.VISIBILITY: (1.0, 8.0), Varied.RANGE: (1_000.0, 60_000.0)}


@dataclass(frozen=True, slots=True)
class Sweep:
    """A value of the scenario that takes several values, one after the other."""

    varied: Varied
    values: tuple[float, ...]

    @classmethod
    def read(cls, text: str) -> "Sweep":
        """A sweep as it is typed: `visibility=1..6`, `range=10000..24000/2000`."""
        found = _VARIED.fullmatch(text.strip())
        if found is None:
            raise DreyerError("balance.fault.vary", found=text)
        if found["key"] not in list(Varied):
            raise UnknownName(Message("errors.where.balance"), "vary", found["key"], list(Varied))
        varied = Varied(found["key"])
        low, high = float(found["low"]), float(found["high"])
        step = float(found["step"]) if found["step"] else _STEPS[varied]
        least, most = _LIMITS[varied]
        whole = varied is not Varied.VISIBILITY or all(x.is_integer() for x in (low, high, step))
        if not (least <= low <= high <= most and step > 0 and whole):
            raise DreyerError(
                "balance.fault.vary_limits", found=text, varied=varied, least=least, most=most
            )
        count = int((high - low) / step + 1e-9) + 1
        if count > MOST_VALUES:
            raise DreyerError("balance.fault.vary_many", found=text, count=count, most=MOST_VALUES)
        return cls(varied, tuple(low + number * step for number in range(count)))


@dataclass(frozen=True, slots=True)
class Plan:
    """Battles that are to be fought. It has all that any machine needs to fight them."""

    file: bytes
    """The scenario's file."""
    source: str
    """Its name."""
    battles: int
    """How many; with a sweep, how many of each value."""
    seed: int
    captains: tuple[tuple[str, str], ...]
    """The captain of each side."""
    sweep: Sweep | None = None

    @property
    def works(self) -> Iterator["Work"]:
        """Every battle. The same numbers have the same dice, whatever value is varied."""
        values = (None,) if self.sweep is None else self.sweep.values
        for at, value in enumerate(values):
            for number in range(self.battles):
                yield Work(at * self.battles + number, value, self.seed * 1_000_003 + number)

    @property
    def count(self) -> int:
        """The number of battles."""
        return self.battles * (1 if self.sweep is None else len(self.sweep.values))

    def document(self) -> dict[str, object]:
        """The plan as JSON, by which a file of results is known again."""
        return {
            "scenario": self.source,
            "file": self.file.decode(),
            "battles": self.battles,
            "seed": self.seed,
            "captains": dict(self.captains),
            "vary": None if self.sweep is None else self.sweep.varied.value,
            "values": None if self.sweep is None else list(self.sweep.values),
        }


@dataclass(frozen=True, slots=True)
class Work:
    """One battle that is to be fought."""

    number: int
    value: float | None
    """Of what is varied."""
    seed: int


def plan_of(
    file: bytes,
    source: str,
    *,
    battles: int,
    seed: int,
    captains: tuple[str, ...] = (),
    sweep: Sweep | None = None,
) -> Plan:
    """The plan of a scenario file. Raises DreyerError where it cannot be fought.

    `captains` are those of its sides, in their order; one name is for all of them.
    """
    scenario = read_scenario(file, source)
    known = captain_names(scenario.ruleset)
    if not known:
        raise DreyerError("balance.fault.not_guided", scenario=scenario.title)
    if not 1 <= battles <= MOST_BATTLES:
        raise DreyerError("balance.fault.battles", found=battles, most=MOST_BATTLES)
    sides = fighting_sides(scenario)
    chosen = captains or (DEFAULT,)
    if len(chosen) == 1:
        chosen *= len(sides)
    if len(chosen) != len(sides):
        raise DreyerError("balance.fault.captains", found=len(chosen), sides=len(sides))
    for name in chosen:
        if name not in known:
            raise UnknownName(Message("errors.where.captains"), "captain", name, known)
    if sweep is not None and sweep.varied is Varied.VISIBILITY and not _has_weather(scenario):
        raise DreyerError("balance.fault.no_visibility", scenario=scenario.title)
    return Plan(file, source, battles, seed, tuple(zip(sides, chosen, strict=True)), sweep)


def fighting_sides(scenario: Scenario) -> tuple[str, ...]:
    """The sides of a scenario that have ships, in its order."""
    return tuple(key for key in scenario.sides.keys if scenario.side(key))


def _has_weather(scenario: Scenario) -> bool:
    """Whether visibility matters: Grand Fleets' basic rules have none."""
    return scenario.ruleset != "grand-fleets"
