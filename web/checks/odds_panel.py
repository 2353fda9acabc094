"""The odds of a fire as little pictures: bars for the hits, meters for what they do."""

from dataclasses import dataclass

from combat.forecast import Forecast
from tabletop.messages import Message
from web.checks.rule_answers import Answer
from web.strings import text

MOST_BARS = 9
"""More numbers of hits than this are gathered in the last bar."""
_MOST_HEADLINES = 3
_WORST = "sunk"
_PERCENT_ROOM = 36.0
_WIDTH, _FLOOR, _TALLEST = 358.0, 74.0, 52.0


@dataclass(frozen=True, slots=True)
class Bar:
    """One number of hits: the bar, and beside it the outline of the other reading."""

    label: str
    chance: float
    x: float
    width: float
    y: float
    height: float
    other_chance: float
    other: str
    """The path of the outline; empty where there is no other reading."""
    middle: float
    other_x: float


@dataclass(frozen=True, slots=True)
class Bars:
    """The odds of every number of hits, drawn over one axis."""

    bars: tuple[Bar, ...]
    compares: bool
    narrow: bool
    """Too narrow for a per cent sign above each bar."""
    width: float = _WIDTH
    floor: float = _FLOOR


@dataclass(frozen=True, slots=True)
class PossibleResult:
    """Something that may come of the fire, and its chance."""

    title: Message
    chance: float
    name: str = ""
    """Its name in the forecast; empty for what a roll may say."""


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
    # A lone bar as wide as the sheet would look like a mistake.
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
    """All that may come of it: what a roll may say, and what may happen by its name."""
    forecast = answer.forecast
    if forecast is None:
        return ()
    return (
        *(PossibleResult(said, chance) for said, chance in forecast.results.items()),
        *(
            PossibleResult(forecast.title(name), chance, name)
            for name, chance in forecast.outcomes.items()
        ),
    )


def headlines(answer: Answer) -> tuple[PossibleResult, ...]:
    """What everybody asks of an attack: what is foretold first, and whether she sinks."""
    results = results_of(answer)
    worst = tuple(each for each in results if each.name == _WORST)
    first = [each for each in results if each not in worst][: _MOST_HEADLINES - 1]
    return (*first, *worst) if worst else ()


def other_outcomes(answer: Answer) -> tuple[PossibleResult, ...]:
    """The rest of what may come of it, the likeliest first; what cannot happen is left out."""
    results = results_of(answer)
    if [each.chance for each in results] == [1]:
        # What is certain is no news: the story tells it.
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
    """The chances of 0, 1, 2 … hits, and in the last place of that many or more."""
    chances = [0.0] * count
    for hits, chance in forecast.hits.items() if forecast else ():
        chances[min(hits, count - 1)] += chance
    return chances
