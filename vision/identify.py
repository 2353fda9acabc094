"""Who is it? A quadrangle's modules against every tag of the family, softly.

OpenCV reads each module as black or white and gives up when one is wrong, as in a blurred tag. Here
the grey values of all modules together are compared with all tags in all four positions; whoever
is taken for somebody must be far more like him than like anybody else.
"""

from collections.abc import Sequence
from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.markers import Family, tag_bits
from vision.align import apply

Array = NDArray[np.float64]
Gray = NDArray[np.uint8]
Floats = NDArray[np.float32]

LEAST_LIKENESS: Final = 0.8
LEAST_LEAD: Final = 0.15
"""How much more a tag must look like its own code than like any other."""
_PER_MODULE: Final = 3
_FINE: Final = 9
_BLURS: Final = (0.15, 0.3, 0.45)
"""In modules; a tag is compared with codes as blurred as itself."""


@cache
def _codes(family: Family, blur_modules: float) -> Floats:
    """The inner modules of every tag in each of four turns, blurred: zero mean, unit length."""
    rows = []
    for marker_id in range(family.size):
        fine = np.kron(
            np.pad(tag_bits(family, marker_id), 1, constant_values=1), np.ones((_FINE, _FINE))
        )
        blurred = cv2.GaussianBlur(fine.astype(np.float32), (0, 0), blur_modules * _FINE)
        inner = blurred[_FINE // 2 :: _FINE, _FINE // 2 :: _FINE][2:-2, 2:-2]
        # A picture of the tag turned so that its upper edge is another one.
        rows += [np.rot90(inner, turn).ravel() for turn in range(4)]
    codes: Floats = np.stack(rows).astype(np.float32)
    codes -= codes.mean(axis=1, keepdims=True)
    codes /= np.maximum(np.linalg.norm(codes, axis=1, keepdims=True), 1e-6)
    return codes


def module_values(gray: Gray, family: Family, from_tag: Array) -> Floats:
    """The mean grey of every module (N, side, side) under homographies from tag to picture."""
    side = family.modules
    # The middle of each module: its edges are its neighbours' business.
    inside = (np.arange(_PER_MODULE) - (_PER_MODULE - 1) / 2) * (0.5 / _PER_MODULE)
    line = (np.arange(side)[:, None] + 0.5 + inside).ravel() - side / 2
    grid = np.stack(np.meshgrid(line, line), axis=-1).reshape(-1, 2)
    spots = apply(from_tag, grid[None]).astype(np.float32)
    values = cv2.remap(
        gray, np.ascontiguousarray(spots[..., 0]), np.ascontiguousarray(spots[..., 1]),
        cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    shaped = values.reshape(len(from_tag), side, _PER_MODULE, side, _PER_MODULE)
    return np.asarray(shaped.mean(axis=(2, 4), dtype=np.float32))


def identify(
    gray: Gray,
    family: Family,
    from_tag: Array,
    *,
    likeness: float = LEAST_LIKENESS,
    lead: float = LEAST_LEAD,
) -> list[tuple[int, int] | None]:
    """For each quadrangle the id and how many quarter turns its first corner is off; or None."""
    if not len(from_tag):
        return []
    modules = module_values(gray, family, from_tag)
    side = family.modules
    inner = modules[:, 1:-1, 1:-1].reshape(len(modules), -1)
    frame = np.ones((side, side), dtype=bool)
    frame[1:-1, 1:-1] = False
    border = modules[:, frame]
    # The border must be black all round; black is what the darkest modules inside are.
    dark, light = inner.min(axis=1), inner.max(axis=1)
    span = light - dark
    framed = (border.mean(axis=1) < dark + 0.35 * span) & (span > 8)
    framed &= border.max(axis=1) < dark + 0.75 * span
    answers: list[tuple[int, int] | None] = [None] * len(from_tag)
    chosen = np.flatnonzero(framed)
    if not len(chosen):
        return answers
    best, top, ahead = _likest(inner[chosen], family)
    for row in np.flatnonzero((top >= likeness) & (ahead >= lead)):
        answers[int(chosen[row])] = (int(best[row]) // 4, int(best[row]) % 4)
    return answers


def _likest(inner: Floats, family: Family) -> tuple[NDArray[np.intp], Array, Array]:
    """For each row of inner modules the code most like it, how like, and how far ahead."""
    centred = inner - inner.mean(axis=1, keepdims=True)
    centred /= np.maximum(np.linalg.norm(centred, axis=1, keepdims=True), 1e-6)
    rows = np.arange(len(centred))
    top = np.full(len(centred), -1.0)
    ahead = np.zeros(len(centred))
    best = np.zeros(len(centred), dtype=np.intp)
    for blur in _BLURS:
        alike = centred @ _codes(family, blur).T
        first = alike.argmax(axis=1)
        value = alike[rows, first]
        # The same tag turned is a rival too: a wrong bow is as bad as a wrong name.
        alike[rows, first] = -1.0
        better = value > top
        best = np.where(better, first, best)
        ahead = np.where(better, value - alike.max(axis=1), ahead)
        top = np.where(better, value, top)
    return best, top, ahead


def turned(corners: Array, turn: int) -> Array:
    """The corners begun at the tag's own upper left one."""
    return np.roll(corners, turn, axis=0)


def agree(gray: Gray, family: Family, ids: Sequence[int], from_tag: Array) -> list[bool]:
    """Whether each tag, exactly placed, is clearly the one it is taken for, and stands so."""
    answers = identify(gray, family, from_tag)
    return [answer == (marker_id, 0) for answer, marker_id in zip(answers, ids, strict=True)]


def not_another(gray: Gray, family: Family, ids: Sequence[int], from_tag: Array) -> list[bool]:
    """Whether each tag looks like nobody else more, however blurred it is."""
    modules = module_values(gray, family, from_tag)
    best, _, _ = _likest(modules[:, 1:-1, 1:-1].reshape(len(modules), -1), family)
    return [int(code) == 4 * marker_id for code, marker_id in zip(best, ids, strict=True)]
