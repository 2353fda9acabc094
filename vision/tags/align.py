"""Whole-pattern alignment: a known tag is laid over the picture until every pixel agrees.

The model of a small region is `offset + gain · pattern(u)`, where u is the place on the tag of
each pixel and the pattern is blurred as the picture is. Gauss-Newton steps move the tag; light
falling off across it and the amount of blur are fitted along, pixels that disagree (a finger, a
glint) lose their say. The picture itself is never resampled, so there is no pixel-grid bias.
All tags of a frame are fitted together, as arrays.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.markers import Family
from vision.images import Array, Floats, Gray
from vision.tags.blurred_pattern import (
    FIRST_SPREAD,
    LEAN_STEP,
    MARGIN_MODULES,
    MOST_LEAN,
    SPREAD_STEP,
    SPREADS,
    atlas,
    fineness,
)

WHITE_MODULES: Final = 0.8
"""How much of the white border takes part at most; the marker pages leave at least one module."""
_LEAST_WHITE: Final = 0.4
_WHITE_SPREADS: Final = 1.8
"""So many σ of the blur before the paper may end: there what lies beyond it shines in."""
MOST_SAMPLES: Final = 34
"""Samples along a side of a region; a larger tag is sampled more sparsely.

Any more and BLAS puts each small product on several threads, which costs far more than it saves.
"""
FINEST_SAMPLES: Final = 2 * MOST_SAMPLES
"""The same where it counts: the corner markers' shape says how the lens bends."""
_PIECES: Final = 4
"""Into so many parts the products of the finest samples are cut, each small enough for BLAS."""
_AT_REST_PX: Final = 0.06
"""A last step so short leaves nothing over that could be measured."""
_JITTER: Final = (
    np.random.default_rng(4).random((2, FINEST_SAMPLES, FINEST_SAMPLES)).astype(np.float32)
)
"""Sparse samples must not march in step with a tag's edges."""
_NUISANCES: Final = 6
"""Light and its two slopes, contrast, blur, and the camera's tone curve (gamma)."""
_CLIPPED: Final = 250
"""From this grey level on white may be lighter than the picture can say."""
_CLIPPED_SHARE: Final = 0.15
"""A region of which more is so light is fitted with the exposure as a further nuisance."""
_FIRST_EXPOSURE: Final = 2.0
_MOST_EXPOSURE: Final = 12.0
"""White paper's light as a multiple of what the picture can hold."""
_EXPOSURE_STEP: Final = 0.7
_CLIPPED_DOUBT: Final = 2.5
"""The variance of clipped tags as a multiple of what noise alone would say, as measured."""
_MOST_SHARED: Final = 2.0
"""The most by which the likeness of neighbours along an axis raises the variance."""
_INK: Final = 0.04
"""The light of black ink as a share of that of white paper."""
GAMMA: Final = 2.2


Mask = NDArray[np.bool_]


class Freedom(Enum):
    """How a tag may move under alignment."""

    SIMILARITY = 4
    """Shift, turn and size: for a tag whose plane is known."""
    PERSPECTIVE = 8
    """Any homography: for a tag by itself."""


@dataclass(frozen=True, slots=True)
class Fit:
    """Where a tag lies, after alignment."""

    to_tag: Array
    """The homography from pixels to the tag: modules from its centre, u right, v down."""
    covariance: Array
    """Of the shift (u, v) and of the other freedoms, in modules; see `Freedom`."""
    score: float
    """The correlation of the picture with the pattern: 1 is perfect, below 0.7 is no such tag."""
    blur_px: float
    contrast: float
    """Grey levels between black and white."""
    noise: float
    """Grey levels by which picture and pattern differ."""
    exposure: float = 1.0
    """White paper's light as a multiple of what the picture can hold; 1 if it is not clipped."""


def align(
    gray: Gray,
    family: Family,
    ids: Sequence[int],
    to_tag: Array,
    freedom: Freedom,
    *,
    blur_px: float | Array = 0.7,
    steps: int = 5,
    most_samples: int = MOST_SAMPLES,
    near_px: Array | None = None,
    visible: Mask | None = None,
) -> list[Fit | None]:
    """Fit each tag from its first guess (N homographies); None where no fit was possible.

    `visible` says which of a tag's modules, with one module of white around, take part. Where
    the first step is shorter than `near_px` no second one follows, in which pixels that disagree
    would lose their say.
    """
    fits: list[Fit | None] = [None] * len(ids)
    if not ids:
        return fits
    boxes = _boxes(family, to_tag, gray.shape)
    side = np.max(boxes[:, 2:] - boxes[:, :2], axis=1)
    # Alike in size, alike in work: small tags do not pay for the samples of large ones.
    samples = np.minimum(np.ceil(side / 12) * 12, most_samples)
    usable = side >= family.modules
    blurs = np.broadcast_to(np.asarray(blur_px, dtype=np.float64), (len(ids),))
    for count in np.unique(samples[usable]):
        members = np.flatnonzero(usable & (samples == count))
        batch = _Batch(
            gray, family, [ids[int(i)] for i in members], to_tag[members], freedom,
            boxes[members], int(count), blurs[members],
            None if visible is None else visible[members],
        )  # fmt: skip
        near = np.zeros(len(members)) if near_px is None else near_px[members]
        for member, fit in zip(members, batch.run(steps, near), strict=True):
            fits[member] = fit
    return fits


def corners_of(family: Family) -> Array:
    """A tag's corners in its own modules: upper left, upper right, lower right, lower left."""
    half = family.modules / 2
    return np.array([[-half, -half], [half, -half], [half, half], [-half, half]])


def to_tag_from_corners(family: Family, corners_px: Array) -> Array:
    """The homography from pixels to a tag's modules that takes its four corners home."""
    return np.asarray(
        cv2.getPerspectiveTransform(
            corners_px.astype(np.float32), corners_of(family).astype(np.float32)
        ),
        dtype=np.float64,
    )


def apply(homography: Array, points: Array) -> Array:
    """Points (…, 2) under one homography, or under one each along the first axis."""
    moved = points @ np.swapaxes(homography[..., :2], -1, -2) + homography[..., None, :, 2]
    return np.asarray(moved[..., :2] / moved[..., 2:])


def _boxes(family: Family, to_tag: Array, shape: tuple[int, ...]) -> Array:
    reach = 1 + 2 * WHITE_MODULES / family.modules
    with np.errstate(all="ignore"):
        outline = apply(
            np.asarray(np.linalg.inv(to_tag), dtype=np.float64), corners_of(family) * reach
        )
    low = np.floor(np.clip(np.nan_to_num(outline.min(axis=1)), 0, [shape[1] - 1, shape[0] - 1]))
    high = np.ceil(np.clip(np.nan_to_num(outline.max(axis=1)), 0, [shape[1] - 1, shape[0] - 1]))
    return np.concatenate([low, high + 1], axis=1)


def _products(left: Floats, right: Floats, samples: int) -> Floats:
    """The products of all columns with each other, over all samples."""
    if samples <= MOST_SAMPLES:
        return np.asarray(np.matmul(left, right.transpose(0, 2, 1)))
    count = len(left)
    one = left.reshape(count, left.shape[1], _PIECES, -1).transpose(0, 2, 1, 3)
    other = right.reshape(count, right.shape[1], _PIECES, -1).transpose(0, 2, 3, 1)
    return np.asarray(np.matmul(one, other).sum(axis=1))


class _Batch:
    """Tags of about one size, fitted side by side."""

    def __init__(
        self,
        gray: Gray,
        family: Family,
        ids: Sequence[int],
        to_tag: Array,
        freedom: Freedom,
        boxes: Array,
        samples: int,
        blur_px: Array,
        visible: Mask | None,
    ) -> None:
        self._family = family
        self._ids = np.array(ids)
        self._freedom = freedom
        self._half = family.modules / 2
        self._to_tag = to_tag / to_tag[:, 2:, 2:]
        self._samples = samples
        left, upper, right, lower = boxes.astype(np.int32).T[:, :, None, None]
        step = np.maximum((boxes[:, 2:] - boxes[:, :2]) / samples, 1.0).astype(np.float32)
        step_x, step_y = step[:, 0, None, None], step[:, 1, None, None]
        order = np.arange(samples, dtype=np.float32)
        jitter = _JITTER[:, :samples, :samples]
        # About each region's own corner, where single precision is plenty.
        x = (order * step_x + jitter[0] * (step_x - 1)).astype(np.int32)
        y = (order[:, None] * step_y + jitter[1] * (step_y - 1)).astype(np.int32)
        flat = (len(ids), samples * samples)
        self._inside = ((x < right - left) & (y < lower - upper)).reshape(flat)
        xi = np.minimum(x + left, gray.shape[1] - 1)
        yi = np.minimum(y + upper, gray.shape[0] - 1)
        self._values = gray.take(yi * gray.shape[1] + xi).reshape(flat).astype(np.float32)
        self._origin = boxes[:, :2]
        self._x, self._y = (w.reshape(flat).astype(np.float32) for w in (x, y))
        self._blur_px = blur_px
        self._visible = visible
        self._stretch, self._lean = self._modules_per_px()
        self._gain = np.ones(len(ids))
        self._weights = self._inside.astype(np.float32)
        light = ((self._values >= _CLIPPED) & self._inside).sum(axis=1)
        self._clipped = light > _CLIPPED_SHARE * self._inside.sum(axis=1)
        self._exposure = np.where(self._clipped, _FIRST_EXPOSURE, 1.0)
        self._nuisances = _NUISANCES + bool(self._clipped.any())
        self._sane = np.ones(len(ids), dtype=bool)

    def run(self, steps: int, near_px: Array) -> list[Fit | None]:
        """Gauss-Newton until nothing moves any more; a tag at rest is not worked on again."""
        fits: list[Fit | None] = [None] * len(self._ids)
        rows = np.arange(len(self._ids))
        for step in range(steps):
            moved = self._step()
            # One without any contrast, or dark for light, comes to nothing in any number of steps.
            done = ~self._sane
            done |= moved < (_AT_REST_PX if step else near_px)
            if step == steps - 1:
                done[:] = True
            # Taking rows out costs too; a few more steps harm nobody.
            if 4 * np.count_nonzero(done) < len(done):
                continue
            for row, fit in zip(rows[done], self._fits(done), strict=True):
                fits[row] = fit
            if done.all():
                break
            rows = rows[~done]
            self._go_on_with(~done)
        return fits

    def _go_on_with(self, kept: NDArray[np.bool_]) -> None:
        self._ids, self._to_tag, self._origin = (
            self._ids[kept], self._to_tag[kept], self._origin[kept]
        )  # fmt: skip
        self._inside, self._values, self._weights = (
            self._inside[kept], self._values[kept], self._weights[kept]
        )  # fmt: skip
        if self._visible is not None:
            self._visible = self._visible[kept]
        self._x, self._y, self._sane = self._x[kept], self._y[kept], self._sane[kept]
        self._clipped, self._exposure = self._clipped[kept], self._exposure[kept]
        self._blur_px, self._stretch, self._lean = (
            self._blur_px[kept], self._stretch[kept], self._lean[kept]
        )  # fmt: skip

    def _place(self) -> tuple[Floats, Floats]:
        """Where on its tag each pixel is, in modules."""
        shift = np.tile(np.eye(3), (len(self._ids), 1, 1))
        shift[:, :2, 2] = self._origin
        h = (self._to_tag @ shift).astype(np.float32)[:, :, :, None]
        x, y = self._x, self._y
        deep = h[:, 2, 0] * x + h[:, 2, 1] * y + h[:, 2, 2]
        # A wild guess has its horizon in the region; what is there is no part of the tag.
        depth = 1 / np.where(np.abs(deep) < 1e-6, np.float32(1e-6), deep)
        u = (h[:, 0, 0] * x + h[:, 0, 1] * y + h[:, 0, 2]) * depth
        v = (h[:, 1, 0] * x + h[:, 1, 1] * y + h[:, 1, 2]) * depth
        return u, v

    def _pattern(self, u: Floats, v: Floats) -> tuple[Floats, Array]:
        spread = self._blur_px[:, None] * self._stretch
        level = np.log(spread / FIRST_SPREAD) / np.log(SPREAD_STEP)
        levels = np.clip(np.nan_to_num(np.round(level)), 0, SPREADS - 1).astype(int)
        leans = np.clip(np.round(self._lean / LEAN_STEP), -MOST_LEAN, MOST_LEAN).astype(int)
        shape = (self._samples, self._samples)
        out = np.empty((len(self._ids), *shape, 4), np.float32)
        fine_px = np.array([fineness(level) for level in levels.min(axis=1).tolist()])
        middle = np.round(MARGIN_MODULES * fine_px) + self._half * fine_px - 0.5
        scale, offset = (a.astype(np.float32)[:, None] for a in (fine_px, middle))
        columns, rows = ((w * scale + offset).reshape(-1, *shape) for w in (u, v))
        wanted = zip(self._ids.tolist(), levels.tolist(), leans.tolist(), strict=True)
        for i, (marker_id, (level_u, level_v), lean) in enumerate(wanted):
            cv2.remap(
                atlas(self._family, marker_id, level_u, level_v, lean), columns[i], rows[i],
                cv2.INTER_LINEAR, dst=out[i], borderMode=cv2.BORDER_REPLICATE,
            )  # fmt: skip
        used = FIRST_SPREAD * SPREAD_STEP**levels
        return np.moveaxis(out.reshape(*u.shape, 4), 2, 1), np.sqrt(
            np.mean((used / self._stretch) ** 2, axis=1)
        )

    def _modules_per_px(self) -> tuple[Array, Array]:
        """How many modules a pixel is at each tag's centre, and the cosine between u and v."""
        centre = np.linalg.inv(self._to_tag)[:, :, 2]
        moved = self._to_tag @ (centre / centre[:, 2:])[:, :, None]
        depth = moved[:, 2]
        rows = self._to_tag[:, :2, :2] / depth[:, :, None]
        # At the centre u and v are zero, so the slope has no second term.
        length = np.maximum(np.linalg.norm(rows, axis=2), 1e-6)
        lean = (rows[:, 0] * rows[:, 1]).sum(axis=1) / (length[:, 0] * length[:, 1])
        return np.asarray(length), np.asarray(np.nan_to_num(lean))

    def _expose(self, pattern: Floats) -> Floats:
        """Clip the over-exposed patterns as the camera did, in place; how they change with it.

        Light adds up before it is clipped and put through the tone curve, so white runs over into
        black where paper is lighter than the picture can hold.
        """
        over = self._clipped
        exposure = self._exposure[over, None].astype(np.float32)
        ink, gamma = np.float32(_INK), np.float32(1 / GAMMA)
        light = ink + (1 - ink) * np.clip(pattern[over, 0], 0, 1)
        lit = exposure * light
        unclipped = lit < 1
        tone = np.where(unclipped, lit, 1) ** gamma
        by_exposure = np.where(unclipped, gamma * tone, 0)
        # Black stays 0 and white 1: offset and gain are fitted anyway.
        black = np.minimum(exposure * ink, 1 - ink) ** gamma
        span = 1 - black
        slope = np.where(unclipped, gamma * tone / light, 0) * (1 - ink) / span
        pattern[over, 0] = value = (tone - black) / span
        pattern[over, 1:] *= slope[:, None]
        change = np.zeros(pattern[:, 0].shape, np.float32)
        change[over] = (by_exposure - gamma * black * (1 - value)) / span
        return change

    def _columns(self, u: Floats, v: Floats, pattern: Floats) -> Floats:
        """What the grey values are made of: the nuisances, then the freedoms; last, themselves."""
        n = self._nuisances
        columns = np.empty((len(u), n + self._freedom.value + 1, u.shape[1]), np.float32)
        if n > _NUISANCES:
            columns[:, _NUISANCES] = self._expose(pattern)
        su, sv = u / np.float32(self._half), v / np.float32(self._half)
        pu, pv = pattern[:, 1], pattern[:, 2]
        columns[:, 0] = 1.0
        columns[:, 1] = su
        columns[:, 2] = sv
        columns[:, 3] = pattern[:, 0]
        columns[:, 4] = pattern[:, 3]
        columns[:, 5] = pattern[:, 0] * (1 - pattern[:, 0])
        columns[:, n] = pu
        columns[:, n + 1] = pv
        if self._freedom is Freedom.SIMILARITY:
            columns[:, n + 2] = su * pv - sv * pu
            columns[:, n + 3] = su * pu + sv * pv
        else:
            columns[:, n + 2] = su * pu
            columns[:, n + 3] = sv * pu
            columns[:, n + 4] = su * pv
            columns[:, n + 5] = sv * pv
            along = columns[:, n + 2] + columns[:, n + 5]
            columns[:, n + 6] = su * along
            columns[:, n + 7] = sv * along
        columns[:, -1] = self._values
        return columns

    def _step(self) -> Array:
        """One step of all tags; by how many pixels each went."""
        u, v = self._place()
        pattern, blur_px = self._pattern(u, v)
        columns = self._columns(u, v, pattern)
        spread = (self._blur_px[:, None] * self._stretch).max(axis=1)
        white = np.clip(1 - _WHITE_SPREADS * spread, _LEAST_WHITE, WHITE_MODULES)
        limit = (self._half + white).astype(np.float32)[:, None]
        within = self._inside & (np.abs(u) < limit) & (np.abs(v) < limit)
        if self._visible is not None:
            within &= self._is_visible(self._visible, u, v)
        weights = self._weights * within
        weighted = columns[:, :-1] * weights[:, None]
        sums = _products(weighted, columns, self._samples).astype(np.float64)
        normal, right = sums[..., :-1], sums[..., -1]
        # A trace of damping keeps a tag of no contrast at all solvable.
        diagonal = np.einsum("nii->ni", normal)
        diagonal += 1e-6 * diagonal + 1e-9
        inverse = np.linalg.inv(normal)
        answer = np.matmul(inverse, right[..., None])[..., 0]
        fitted = np.matmul(answer.astype(np.float32)[:, None], columns[:, :-1])[:, 0]
        residual = self._values - fitted
        mean = np.maximum(weights.sum(axis=1), 1.0)
        noise = np.sqrt(np.maximum((weights * residual**2).sum(axis=1) / mean, 0.25))
        residual *= (1 / (3 * noise[:, None])).astype(np.float32)
        self._weights = self._inside / (1 + residual * residual)
        self._gain = answer[:, 3]
        gain = np.where(np.abs(self._gain) < 1.0, 1.0, self._gain)
        self._sane &= self._gain > 1.0
        self._keep(pattern[:, 0], within, residual, inverse / gain[:, None, None] ** 2, noise)
        shift = answer[:, self._nuisances :] / gain[:, None]
        if self._nuisances > _NUISANCES:
            change = np.clip(answer[:, _NUISANCES] / gain, -_EXPOSURE_STEP, _EXPOSURE_STEP)
            self._exposure = np.clip(self._exposure * np.exp(change), 1.0, _MOST_EXPOSURE)
        # One step never goes farther than the pattern's slopes can be trusted.
        length = np.abs(shift).max(axis=1)
        shift *= np.minimum(1.0, 0.6 / np.maximum(length, 1e-9))[:, None]
        variance = 1 + answer[:, 4] / gain
        self._blur_px = blur_px * np.sqrt(np.clip(variance, 0.3, 3.0))
        self._move(shift)
        return np.asarray(length / self._stretch.mean(axis=1))

    def _is_visible(self, visible: Mask, u: Floats, v: Floats) -> Mask:
        """Whether each pixel is in a module that is to be seen."""
        last = visible.shape[1] - 1
        column, row = (
            np.clip(np.nan_to_num(w + self._half + 1), 0, last).astype(np.intp) for w in (u, v)
        )
        return np.asarray(visible[np.arange(len(u))[:, None], row, column])

    def _move(self, shift: Array) -> None:
        delta = np.zeros((len(shift), 3, 3))
        half = self._half
        delta[:, 0, 2], delta[:, 1, 2] = shift[:, 0], shift[:, 1]
        if self._freedom is Freedom.SIMILARITY:
            turn, grow = shift[:, 2] / half, shift[:, 3] / half
            delta[:, 0, 0] = delta[:, 1, 1] = grow
            delta[:, 1, 0], delta[:, 0, 1] = turn, -turn
        else:
            delta[:, 0, 0], delta[:, 0, 1] = shift[:, 2] / half, shift[:, 3] / half
            delta[:, 1, 0], delta[:, 1, 1] = shift[:, 4] / half, shift[:, 5] / half
            delta[:, 2, 0], delta[:, 2, 1] = -shift[:, 6] / half**2, -shift[:, 7] / half**2
        self._to_tag = (np.eye(3) + delta) @ self._to_tag
        self._to_tag /= self._to_tag[:, 2:, 2:]

    def _keep(
        self,
        pattern: Floats,
        within: NDArray[np.bool_],
        residual: Floats,
        inverse: Array,
        noise: Array,
    ) -> None:
        self._last = (pattern, within, residual)
        n = self._nuisances
        variance = noise**2 * np.where(self._clipped, _CLIPPED_DOUBT, 1.0)
        self._covariance = inverse[:, n:, n:] * variance[:, None, None]
        self._noise = noise

    def _shared(self, residual: Floats) -> Array:
        """By how much the variance grows because neighbouring pixels err alike.

        They share blur, colour filter, sharpening and compression, and whatever the pattern does
        not say, so they count for less than they are.
        """
        grid = residual.reshape(-1, self._samples, self._samples)
        power = np.maximum((grid**2).sum(axis=(1, 2)), 1e-6)
        across = (grid[:, :, 1:] * grid[:, :, :-1]).sum(axis=(1, 2)) / power
        down = (grid[:, 1:] * grid[:, :-1]).sum(axis=(1, 2)) / power
        most = _MOST_SHARED
        return np.asarray(np.clip(1 + 2 * across, 1, most) * np.clip(1 + 2 * down, 1, most))

    def _fits(self, done: NDArray[np.bool_]) -> list[Fit | None]:
        """What came out, for some of the tags."""
        pattern, within, residual = self._last
        pattern, within, residual = pattern[done], within[done], residual[done]
        doubt = self._shared(residual * within)
        values = self._values[done]
        count = np.maximum(within.sum(axis=1), 1)
        mean_p = (pattern * within).sum(axis=1) / count
        mean_i = (values * within).sum(axis=1) / count
        dp = (pattern - mean_p[:, None]) * within
        di = (values - mean_i[:, None]) * within
        product = np.sqrt((dp**2).sum(axis=1) * (di**2).sum(axis=1))
        score = (dp * di).sum(axis=1) / np.maximum(product, 1e-6)
        return [
            Fit(
                self._to_tag[i],
                self._covariance[i] * doubt[k],
                float(score[k]),
                float(self._blur_px[i]),
                float(self._gain[i]),
                float(self._noise[i]),
                float(self._exposure[i]),
            )
            if self._sane[i] and np.isfinite(self._to_tag[i]).all()
            else None
            for k, i in enumerate(np.flatnonzero(done))
        ]
