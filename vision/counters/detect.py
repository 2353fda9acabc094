"""Plain striped counters in a picture: place and axis, but neither name nor bow.

In the view from straight above, white stripes of the right size between two darker halves are
picked out by bars turned every way: a top-hat would lose those that touch white on a checked
cloth. `counters.fit` then makes sure of each and measures it.
"""

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from calibration.homography import TablePlane, TableSize
from vision.counters.fit import CounterKind, SeenCounter, fit_counter
from vision.images import Array, Floats, Gray, Image, to_gray
from vision.overhead import MARGIN_MM, view_from_above

__all__ = ["CounterKind", "SeenCounter", "find_counters", "fit_counter"]


_VIEW_PX_PER_MM: Final = 0.5
_TURNS: Final = 12
_LEAST_GAIN: Final = 16.0
"""Grey levels by which a stripe is brighter than the halves on both of its sides."""
_UNLIKE: Final = 0.6
_MOST_PEAKS: Final = 1500
_MOST_STRIPES: Final = 120
_PROBES_ALONG: Final = 23
_PROBES_ACROSS: Final = 4
_LEAST_LIKENESS: Final = 0.7
"""Counters come to 0.8 and more, foam and grain mostly to less than 0.6."""
_MOST_OVERLAP: Final = 0.12


def find_counters(
    image: Image,
    plane: TablePlane,
    table: TableSize,
    kind: CounterKind,
    known: Sequence[SeenCounter] = (),
) -> tuple[SeenCounter, ...]:
    """Every plain counter of this kind on the table, from left to right.

    Those that are known are taken as they are and not measured again.
    """
    gray = to_gray(image)
    found = [*known]
    for x, y, axis in _stripes(gray, plane, table, kind):
        if all(np.hypot(x - c.x_mm, y - c.y_mm) > kind.stripe_mm for c in known):
            seen = fit_counter(gray, plane, kind, (x, y, axis))
            found += [] if seen is None else [seen]
    found.sort(key=lambda counter: -counter.fit)
    apart: list[SeenCounter] = []
    for counter in found:
        if not any(_overlap(counter, other, kind) for other in apart):
            apart.append(counter)
    return tuple(sorted(apart, key=lambda counter: (counter.x_mm, counter.y_mm)))


def _overlap(one: SeenCounter, other: SeenCounter, kind: CounterKind) -> bool:
    """Whether two counters would lie on top of each other; of two such, one is none."""
    if np.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm) > kind.length_mm:
        return False
    size = (kind.width_mm, kind.length_mm)
    rectangles = [((c.x_mm, c.y_mm), size, -c.axis_deg) for c in (one, other)]
    apart, corners = cv2.rotatedRectangleIntersection(rectangles[0], rectangles[1])
    if apart == cv2.INTERSECT_NONE:
        return False
    return cv2.contourArea(cv2.convexHull(corners)) > _MOST_OVERLAP * size[0] * size[1]


def _stripes(
    gray: Gray, plane: TablePlane, table: TableSize, kind: CounterKind
) -> list[tuple[float, float, float]]:
    """Where white stripes between two dark halves are: x, y and the counter's axis."""
    scale = _VIEW_PX_PER_MM
    view = view_from_above(gray, plane, table, kind.height_mm, scale).astype(np.float32)
    best = np.zeros(view.shape, np.float32)
    turns = np.zeros(view.shape, np.uint8)
    for turn in range(_TURNS):
        axis = np.radians(turn * 180 / _TURNS)
        # The view's y points down; headings turn clockwise from its top.
        ahead = np.array([np.sin(axis), -np.cos(axis)]) * scale
        bar = _bar(kind, ahead)
        mean = np.asarray(cv2.filter2D(view, -1, bar, borderType=cv2.BORDER_REPLICATE), np.float32)
        half = (kind.length_mm - kind.stripe_mm) / 2
        dark, darkest = np.zeros_like(mean), np.full_like(mean, 255.0)
        for share in (0.3, 0.7):
            for way in (-1, 1):
                off = ahead * way * (kind.stripe_mm / 2 + share * half)
                part = _shifted(mean, round(off[0]), round(off[1]))
                np.maximum(dark, part, out=dark)
                np.minimum(darkest, part, out=darkest)
        gain = mean - dark
        # A counter's halves are of one colour; what foam and grain make is not.
        better = (gain > best) & (dark - darkest < _UNLIKE * gain)
        best[better] = gain[better]
        turns[better] = turn
    around = max(3, round(0.8 * kind.width_mm * scale)) | 1
    peak = cv2.dilate(best, np.ones((around, around), np.uint8))
    rows, columns = np.nonzero((best == peak) & (best >= _LEAST_GAIN))
    strongest = np.argsort(-best[rows, columns], kind="stable")[:_MOST_PEAKS]
    places = np.column_stack([columns, rows])[strongest].astype(np.float64)
    axes = turns[rows, columns][strongest].astype(np.float64) * (180 / _TURNS)
    likeness = _likeness(view, places, axes, kind)
    best_first = np.argsort(-likeness, kind="stable")[:_MOST_STRIPES]
    return [
        (
            float(places[k, 0]) / scale - MARGIN_MM,
            table.height_mm + MARGIN_MM - float(places[k, 1]) / scale,
            float(axes[k]),
        )
        for k in best_first
        if likeness[k] >= _LEAST_LIKENESS
    ]


def _likeness(view: Floats, places: Array, axes_deg: Array, kind: CounterKind) -> Array:
    """How well each place looks like a counter of any grey and contrast: 1 is exactly so."""
    along = np.linspace(-0.46, 0.46, _PROBES_ALONG) * kind.length_mm
    across = np.linspace(-0.3, 0.3, _PROBES_ACROSS) * kind.width_mm
    u, v = (each.ravel() for each in np.meshgrid(along, across))
    best = np.full(len(places), -1.0)
    for wide in (1.0, 1.4):
        # Over-exposed, a stripe runs over into the black beside it.
        wanted = (np.abs(u) < wide * kind.stripe_mm / 2).astype(np.float64)
        wanted -= wanted.mean()
        for turn in (-60.0 / _TURNS, 0.0, 60.0 / _TURNS):
            angle = np.radians(axes_deg + turn)[:, None]
            x = places[:, :1] + (u * np.sin(angle) + v * np.cos(angle)) * _VIEW_PX_PER_MM
            y = places[:, 1:] + (-u * np.cos(angle) + v * np.sin(angle)) * _VIEW_PX_PER_MM
            seen = cv2.remap(
                view, x.astype(np.float32), y.astype(np.float32), cv2.INTER_LINEAR,
                borderMode=cv2.BORDER_REPLICATE,
            ).astype(np.float64)  # fmt: skip
            seen -= seen.mean(axis=1, keepdims=True)
            size = np.sqrt((seen**2).sum(axis=1) * float(wanted @ wanted))
            best = np.maximum(best, seen @ wanted / np.maximum(size, 1e-9))
    return best


def _bar(kind: CounterKind, ahead: Array) -> Array:
    """The mean over a stripe, as a kernel; `ahead` is a millimetre along the counter's axis."""
    right = np.array([-ahead[1], ahead[0]])
    along, across = ahead * kind.stripe_mm / 2, right * 0.4 * kind.width_mm
    corners = np.array([along + across, along - across, -along - across, across - along])
    reach = int(np.ceil(np.abs(corners).max())) + 1
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.uint8)
    points = np.round((corners + reach) * 16).astype(np.int32)
    cv2.fillConvexPoly(kernel, points, 255, cv2.LINE_AA, 4)
    return np.asarray(kernel / float(kernel.sum()))


def _shifted(image: Floats, x: int, y: int) -> Floats:
    """What the image shows so far to the right and down; beyond its edge, white."""
    rows, columns = image.shape
    moved = np.full_like(image, 255.0)
    moved[max(0, -y) : rows - max(0, y), max(0, -x) : columns - max(0, x)] = image[
        max(0, y) : rows - max(0, -y), max(0, x) : columns - max(0, -x)
    ]
    return moved
