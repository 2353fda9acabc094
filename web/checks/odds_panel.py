"""The odds of a fire as diagrams: bars for hits, meters for their effects."""

from dataclasses import dataclass

from combat.forecast import Forecast
from tabletop.messages import Message
from web.checks.rule_answers import Answer
from web.strings import text

MOST_BARS = 9
"""Larger numbers of hits are combined in the last bar."""
_MOST_HEADLINES = 3
_WORST = "sunk"
_PERCENT_ROOM = 36.0
_WIDTH, _FLOOR, _TALLEST = 358.0, 74.0, 52.0


@dataclass(frozen=True, slots=True)
class Bar:
    """One number of hits: its bar, and the outline of the other reading."""

    label: str
    chance: float
    x: float
    width: float
    y: float
    height: float
    other_chance: float
    other: str
    """The path of the outline; empty if there is no other reading."""
    middle: float
    other_x: float


@dataclass(frozen=True, slots=True)
class Bars:
    """The odds of every number of hits, on one axis."""

    bars: tuple[Bar, ...]
    compares: bool
    narrow: bool
    """Whether bars are too narrow for a per cent sign."""
    width: float = _WIDTH
    floor: float = _FLOOR


@dataclass(frozen=True, slots=True)
class PossibleResult:
    """A possible result of the fire, with its probability."""

    title: Message
    chance: float
    name: str = ""
    """Its key in the forecast; empty for a result of a roll."""


def hit_bars(answer: Answer, other: Answer | None = None) -> Bars | None:
    """Bars for the hits of a fire, compared with another reading of it."""
    if answer.forecast is None:
        return None
    rival = other.forecast if other else None
    most = max(max(answer.forecast.hits), max(rival.hits) if rival else 0)
    count = min(most + 1, MOST_BARS)
    mine, theirs = _gathered(answer.forecast, count), _gathered(rival, count)
    tallest = max(*mine, *theirs, 0.2)
    pitch = _WIDTH / count
    # A single bar is not drawn over the full width.
    pitch = min(pitch, 90.0)
    room = pitch - 6
    width = room * (0.62 if rival else 0.72)
    narrow = room - width - 4
    bars = []
    for number, (chance, rival_chance) in enumerate(zip(mine, theirs, strict=True)):
        x = number * pitch + 2
        height = _TALLEST * chance / tallest
        other_height = _TALLEST * rival_chance / tallest
        other_x = x + width + 4
        bars.append(
            Bar(
                label=f"{number}+" if number == count - 1 and most >= count else str(number),
                chance=chance,
                x=x,
                width=width,
                y=_FLOOR - height,
                height=height,
                other_chance=rival_chance,
                other=_outline(other_x, other_height, narrow) if rival_chance > 0 else "",
                middle=x + width / 2,
                other_x=other_x + narrow / 2,
            )
        )
    return Bars(tuple(bars), rival is not None, width < _PERCENT_ROOM)


def results_of(answer: Answer) -> tuple[PossibleResult, ...]:
    """All possible results: of rolls, and named outcomes."""
    forecast = answer.forecast
    if forecast is None:
        return ()
    return (
        *(PossibleResult(result, chance) for result, chance in forecast.results.items()),
        *(
            PossibleResult(forecast.title(name), chance, name)
            for name, chance in forecast.outcomes.items()
        ),
    )


def headlines(answer: Answer) -> tuple[PossibleResult, ...]:
    """The most important results: the first one, and whether she sinks."""
    results = results_of(answer)
    worst = tuple(each for each in results if each.name == _WORST)
    first = [each for each in results if each not in worst][: _MOST_HEADLINES - 1]
    return (*first, *worst) if worst else ()


def other_outcomes(answer: Answer) -> tuple[PossibleResult, ...]:
    """The other results, the likeliest first, without impossible ones."""
    results = results_of(answer)
    if [each.chance for each in results] == [1]:
        # Certain results are left out, because the story shows them.
        return ()
    large = headlines(answer)
    rest = [each for each in results if each not in large and each.chance > 0]
    return tuple(sorted(rest, key=lambda each: -each.chance))


def chance_text(chance: float) -> str:
    """A chance in whole per cent."""
    return str(text("check.percent", figure=chance_figure(chance)))


def chance_figure(chance: float) -> str:
    """The per cent alone; never "0" or "100" for what may yet happen or fail."""
    percent = 100 * chance
    if 0 < percent < 1:
        return "< 1"
    if 99 < percent < 100:
        return "> 99"
    return f"{percent:.0f}"


def _outline(x: float, height: float, width: float) -> str:
    return f"M{x:.1f} {_FLOOR:.1f}v{-height:.1f}h{width:.1f}v{height:.1f}"


def _gathered(forecast: Forecast | None, count: int) -> list[float]:
    """The probabilities of 0, 1, 2 … hits, with larger numbers combined in the last."""
    chances = [0.0] * count
    for hits, chance in forecast.hits.items() if forecast else ():
        chances[min(hits, count - 1)] += chance
    return chances
