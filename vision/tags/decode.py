"""Which tag is it? A quadrangle's modules against every tag of the family, softly.

OpenCV reads each module as black or white and gives up when one is wrong, as in a blurred tag. Here
the grey values of all modules together are compared with all tags in all four positions; whoever
is taken for somebody must be far more like him than like anybody else.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.markers import Family, tag_bits
from vision.images import Array, Floats, Gray
from vision.tags.align import apply
from vision.tags.blurred_pattern import normal_share, product

LEAST_LIKENESS: Final = 0.88
LEAST_LEAD: Final = 0.15
"""How much more a tag must look like its own code than like any other."""
_SHARE_OF_LEAD: Final = 0.5
"""Codes that are alike when blurred leave less of a lead: so much of what a perfect tag has."""
PALEST_BORDER: Final = 0.72
"""The border's mean grey between the darkest and the lightest module inside."""
_PER_MODULE: Final = 3
Look = tuple[float, float, float]
"""Blur in modules, tone curve, and white's light as a multiple of what the picture can hold."""
_LOOKS: Final[tuple[Look, ...]] = (
    (0.15, 1.0, 1.0), (0.3, 1.0, 1.0), (0.45, 1.0, 1.0), (0.6, 1.0, 1.0), (0.35, 2.2, 1.0),
    (0.55, 2.2, 1.0),
)  # fmt: skip
"""A tag is compared with codes that look as it does.

A lens blurs light, and the camera brightens the dark afterwards, so that white runs over.
"""
_CLIPPED_LOOKS: Final[tuple[Look, ...]] = (
    (0.2, 2.2, 1.5), (0.3, 2.2, 2.5), (0.4, 2.2, 2.5), (0.4, 2.2, 5.0), (0.55, 2.2, 2.5),
    (0.55, 2.2, 6.0),
)  # fmt: skip
"""The same where paper is lighter than the picture can hold."""
_CLIPPED: Final = 250
_BLUR_STEP: Final = 0.05
_EXPOSURE_STEP: Final = 0.5


@lru_cache(maxsize=256)
def _codes(family: Family, look: Look) -> Floats:
    """The inner modules of every tag in each of four turns, blurred: zero mean, unit length."""
    side = family.modules
    blur_modules, gamma, exposure = look
    # How much of each module the middles of the inner ones see.
    far = (np.arange(1, side - 1)[:, None] + 0.5 - np.arange(side + 1)) / blur_modules
    share = normal_share(np.asarray(far, dtype=np.float64))
    share = share[:, :-1] - share[:, 1:]
    black = np.stack([1.0 - tag_bits(family, number) for number in range(family.size)])
    light = np.clip((1 - share @ black @ share.T) * exposure, 0.0, 1.0)
    inner = light ** (1 / gamma)
    # A picture of the tag turned so that its upper edge is another one.
    turns = [np.rot90(inner, turn, axes=(1, 2)).reshape(family.size, -1) for turn in range(4)]
    codes: Floats = np.stack(turns, axis=1).reshape(4 * family.size, -1).astype(np.float32)
    codes -= codes.mean(axis=1, keepdims=True)
    codes /= np.maximum(np.linalg.norm(codes, axis=1, keepdims=True), 1e-6)
    return codes


def module_values(gray: Gray, family: Family, from_tag: Array) -> Floats:
    """The mean grey of every module (N, side, side) under homographies from tag to picture."""
    return grey_around(gray, np.arange(family.modules) + 0.5 - family.modules / 2, from_tag)


def grey_around(gray: Gray, middles: Floats, from_tag: Array) -> Floats:
    """The mean grey about each crossing of these rows and columns of a tag, in modules."""
    side = len(middles)
    # The middle of each module: its edges are its neighbours' business.
    inside = (np.arange(_PER_MODULE) - (_PER_MODULE - 1) / 2) * (0.5 / _PER_MODULE)
    line = (middles[:, None] + inside).ravel()
    grid = np.stack(np.meshgrid(line, line), axis=-1).reshape(-1, 2)
    spots = apply(from_tag, grid[None]).astype(np.float32)
    values = cv2.remap(
        gray, np.ascontiguousarray(spots[..., 0]), np.ascontiguousarray(spots[..., 1]),
        cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    shaped = values.reshape(len(from_tag), side, _PER_MODULE, side, _PER_MODULE)
    return np.asarray(shaped.mean(axis=(2, 4), dtype=np.float32))


def liveliness(gray: Gray, family: Family, from_tag: Array) -> Floats:
    """How much the grey differs inside each quadrangle: a tag's does, a tile's or a card's not."""
    side = family.modules
    line = np.arange(side) + 0.5 - side / 2
    grid = np.stack(np.meshgrid(line, line), axis=-1).reshape(-1, 2)
    spots = apply(from_tag, grid[None]).astype(np.float32)
    values = cv2.remap(
        gray, np.ascontiguousarray(spots[..., 0]), np.ascontiguousarray(spots[..., 1]),
        cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    return np.asarray(values.std(axis=1, dtype=np.float32))


def identify(
    gray: Gray,
    family: Family,
    from_tag: Array,
    *,
    likeness: float = LEAST_LIKENESS,
    lead: float = LEAST_LEAD,
    palest: float = PALEST_BORDER,
) -> list[tuple[int, int] | None]:
    """For each quadrangle the id and how many quarter turns its first corner is off; or None."""
    if not len(from_tag):
        return []
    modules = module_values(gray, family, from_tag)
    side = family.modules
    inner = _inner(modules)
    frame = np.ones((side, side), dtype=bool)
    frame[1:-1, 1:-1] = False
    border = modules[:, frame]
    # The border must be darker than not; in a blurred tag it is a thin line between two whites.
    dark, light = inner.min(axis=1), inner.max(axis=1)
    span = light - dark
    framed = (border.mean(axis=1) < dark + palest * span) & (span > 8)
    framed &= border.max(axis=1) < dark + 0.95 * span
    answers: list[tuple[int, int] | None] = [None] * len(from_tag)
    chosen = np.flatnonzero(framed)
    if not len(chosen):
        return answers
    best, top, ahead, apart = _likest(inner[chosen], family)
    for row in np.flatnonzero(
        (top >= likeness) & (ahead >= np.minimum(lead, _SHARE_OF_LEAD * apart))
    ):
        answers[int(chosen[row])] = (int(best[row]) // 4, int(best[row]) % 4)
    return answers


def likest_of(
    gray: Gray, family: Family, from_tag: Array, ids: Sequence[int]
) -> list[tuple[int, int, float]]:
    """For each quadrangle which of some ids it is like, its quarter turns and how like it is."""
    inner = _inner(module_values(gray, family, from_tag))
    wanted = (4 * np.array(ids)[:, None] + np.arange(4)).ravel()
    answers: list[tuple[int, int, float]] = [(-1, 0, -1.0)] * len(inner)
    for rows, looks in _by_looks(inner):
        centred = _unit(inner[rows])
        alike = np.max([product(centred, _codes(family, look)[wanted].T) for look in looks], axis=0)
        for row, values in zip(rows, alike, strict=True):
            code = int(values.argmax())
            answers[row] = (int(wanted[code]) // 4, int(wanted[code]) % 4, float(values[code]))
    return answers


def _inner(modules: Floats) -> Floats:
    return modules[:, 1:-1, 1:-1].reshape(len(modules), -1)


def _unit(inner: Floats) -> Floats:
    """Every row with zero mean and unit length."""
    centred = inner - inner.mean(axis=1, keepdims=True)
    centred /= np.maximum(np.linalg.norm(centred, axis=1, keepdims=True), 1e-6)
    return np.asarray(centred)


def _by_looks(inner: Floats) -> Iterator[tuple[NDArray[np.intp], tuple[Look, ...]]]:
    """The rows as they are exposed, with the looks to compare them with."""
    clipped = inner.max(axis=1) >= _CLIPPED
    for rows, looks in (
        (np.flatnonzero(~clipped), _LOOKS),
        (np.flatnonzero(clipped), _CLIPPED_LOOKS),
    ):
        if len(rows):
            yield rows, looks


def _likest(inner: Floats, family: Family) -> tuple[NDArray[np.intp], Array, Array, Array]:
    """For each row of inner modules the code most like it, how like, and how far ahead.

    Last, how far ahead of the next code it would be if it were perfect.
    """
    top = np.full(len(inner), -1.0)
    ahead = np.zeros(len(inner))
    apart = np.ones(len(inner))
    best = np.zeros(len(inner), dtype=np.intp)
    for rows, looks in _by_looks(inner):
        centred = _unit(inner[rows])
        order = np.arange(len(rows))
        for look in looks:
            codes = _codes(family, look)
            alike = product(centred, codes.T)
            first = alike.argmax(axis=1)
            value = alike[order, first]
            # The same tag turned is a rival too: a wrong bow is as bad as a wrong name.
            alike[order, first] = -1.0
            second = alike.argmax(axis=1)
            better = value > top[rows]
            chosen = rows[better]
            best[chosen] = first[better]
            ahead[chosen] = (value - alike[order, second])[better]
            apart[chosen] = (1 - (codes[first] * codes[second]).sum(axis=1))[better]
            top[chosen] = value[better]
    return best, top, ahead, apart


def turned(corners: Array, turn: int) -> Array:
    """The corners begun at the tag's own upper left one."""
    return np.roll(corners, turn, axis=0)


def agree(gray: Gray, family: Family, ids: Sequence[int], from_tag: Array) -> list[bool]:
    """Whether each tag, exactly placed, is clearly the one it is taken for, and stands so."""
    answers = identify(gray, family, from_tag)
    return [answer == (marker_id, 0) for answer, marker_id in zip(answers, ids, strict=True)]


def told_apart(
    gray: Gray, family: Family, ids: Sequence[int], from_tag: Array, looks: Sequence[Look]
) -> tuple[Array, Array]:
    """How like its own code each tag is, and how far ahead of any other, exactly placed and lit.

    Each tag is compared with codes that look as its own fit says. How far ahead is a share of what
    a perfect tag would have.
    """
    inner = _unit(_inner(module_values(gray, family, from_tag)))
    own, ahead = np.zeros(len(ids)), np.zeros(len(ids))
    for row, (marker_id, look) in enumerate(zip(ids, looks, strict=True)):
        codes = _codes(family, _rounded(look))
        alike = codes @ inner[row]
        own[row], alike[4 * marker_id] = alike[4 * marker_id], -1.0
        rival = int(alike.argmax())
        apart = 1 - float(codes[4 * marker_id] @ codes[rival])
        ahead[row] = (own[row] - alike[rival]) / max(apart, 1e-3)
    return own, ahead


def _rounded(look: Look) -> Look:
    blur_modules, gamma, exposure = look
    blur = float(np.clip(round(blur_modules / _BLUR_STEP), 1, 20)) * _BLUR_STEP
    return blur, gamma, round(exposure / _EXPOSURE_STEP) * _EXPOSURE_STEP


def not_another(gray: Gray, family: Family, ids: Sequence[int], from_tag: Array) -> list[bool]:
    """Whether each tag looks like nobody else more, however blurred it is."""
    inner = _inner(module_values(gray, family, from_tag))
    codes = np.zeros(len(ids), dtype=np.intp)
    for rows, looks in _by_looks(inner):
        alike = product(_unit(inner[rows]), _all_codes(family, looks))
        codes[rows] = alike.argmax(axis=1) % (4 * family.size)
    return [int(code) == 4 * marker_id for code, marker_id in zip(codes, ids, strict=True)]


@lru_cache(maxsize=8)
def _all_codes(family: Family, looks: tuple[Look, ...]) -> Floats:
    """The codes of all looks side by side, ready to be multiplied with."""
    codes = np.concatenate([_codes(family, look) for look in looks])
    return np.ascontiguousarray(codes.T)
