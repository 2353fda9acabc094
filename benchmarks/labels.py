"""Names of twenty-four ships, against placing each name on its own without regard to any other."""

import math
from functools import partial

from benchmarks.timing import best_seconds
from web.drawing.geometry import Box, Point
from web.drawing.labels import NamedModel, model_boxes, name_requests, place

SHIPS = 24
FRAME = Box(0, 0, 390, 300)


def main() -> None:
    """Print the ratio for ships far apart, in line and in a clump."""
    print(f"Names of {SHIPS} ships that cover nothing; baseline: each name on its own")
    for title, places in (("apart", _apart()), ("in line", _in_line()), ("in a clump", _clump())):
        models = [_named(number, at) for number, at in enumerate(places)]
        together = best_seconds(partial(_all_names, models), rounds=5)
        alone = best_seconds(partial(_each_alone, models), rounds=5)
        ratio = f"({together / alone:.1f}×)"
        print(f"{title:<12}{alone * 1e3:>8.1f} ms{together * 1e3:>8.1f} ms{ratio:>9}")


def _all_names(models: list[NamedModel[int]]) -> None:
    spots = place(name_requests(models, FRAME, gap=8), frame=FRAME)
    assert len(spots) == SHIPS


def _each_alone(models: list[NamedModel[int]]) -> None:
    for model in models:
        place(name_requests([model], FRAME, gap=8), frame=FRAME)


def _named(number: int, at: Point) -> NamedModel[int]:
    return NamedModel(number, at, 10, model_boxes(at, 97.0 * number, 24, 8), 70, 16)


def _apart() -> list[Point]:
    return [(35 + number % 6 * 64, 40 + number // 6 * 72) for number in range(SHIPS)]


def _in_line() -> list[Point]:
    return [(25 + number * 14.5, 150 + number * 3) for number in range(SHIPS)]


def _clump() -> list[Point]:
    turns = (2.4 * number for number in range(SHIPS))
    return [
        (200 + 6 * math.sqrt(number) * math.cos(turn), 150 + 6 * math.sqrt(number) * math.sin(turn))
        for number, turn in enumerate(turns)
    ]
