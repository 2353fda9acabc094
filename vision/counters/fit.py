"""One plain striped counter, measured: a model of it fitted to the pixels of the picture itself.

The model is a base, a stripe, and what lies beyond the long sides. The long sides make the axis
sure, the stripe the place: a base's visible wall shifts a long side, but never the stripe on top.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from calibration.homography import TablePlane
from vision.images import Array, Gray

_LEAST_FIT: Final = 0.85
"""The share of the grey values' variance that the model must explain."""
_LEAST_WITHIN: Final = 0.965
"""The same on the counter itself, where nothing may be explained away."""
_PLAIN_WITHIN: Final = 0.99
_NOISE_LEVELS: Final = 4.0
"""What is left over on a counter is less than a hundredth, or no more than noise; foam leaves more.
"""
_LEAST_SIDE_SHARE: Final = 0.03
"""How far what lies beside a counter differs from it, by the contrast of the stripe."""
_KNOTS: Final = 6
"""Along each long side, between which whatever lies beyond may change."""
_LEFT: Final = slice(2, 2 + _KNOTS)
_RIGHT: Final = slice(2 + _KNOTS, 2 + 2 * _KNOTS)
_GLOW: Final = 2 + 2 * _KNOTS
_LEVELS: Final = 3 + 2 * _KNOTS
_SHIFTS: Final = 7
_SHIFT_AT: Final = np.arange(_LEVELS, _LEVELS + _SHIFTS)
_SIDES_AT: Final = np.array([_LEVELS + 3, _LEVELS + 4])
_SPILL_AT: Final = _LEVELS + 6
_SPILL_PX: Final = 0.6
"""The σ in pixels by which an over-exposed stripe runs over into the black on each side."""
_MOST_SPILL_MM: Final = 2.0
_UNEVEN_SPILL: Final = 0.25
_GLOW_BLUR: Final = 5.0
"""How much softer than an edge the glow around an over-exposed stripe is."""
_SIDE_MM: Final = 0.3
"""How far a long side may seem to lie off, beside the wall: shade, a rounded edge."""
_ENOUGH_PIXELS: Final = 2500
_FIRST_NOISE: Final = 16.0
_GLANCE: Final = 2
_HOPELESS: Final = 0.5
"""What explains less of the counter's own top than this after a glance will never be one."""
_PIECE: Final = 256
_SMOOTH: Final = 0.02
_LEAST_STRIPE_LEVELS: Final = 18.0
_LEAST_SIDE_LEVELS: Final = 4.0
_BLUR_PX: Final = 0.85
_BLURS_PX: Final = np.array([0.45, 3.0])
_STEPS: Final = 9
_CORRELATED: Final = 1.5
_BIAS_PX: Final = 0.05
_RADIAL: Final = 1.2
_UNEVEN_MM: Final = 0.45
_GRAIN: Final = 3.0
"""What lies beside the long sides (grain, shade, the wall) pulls at them more than noise does."""


@dataclass(frozen=True, slots=True)
class CounterKind:
    """How the plain counters on this table are made."""

    length_mm: float = 50.8
    width_mm: float = 20.32
    stripe_mm: float = 6.0
    height_mm: float = 2.0


@dataclass(frozen=True, slots=True)
class SeenCounter:
    """A plain counter: the axis may as well point the other way."""

    x_mm: float
    y_mm: float
    axis_deg: float
    """Along its length, from 0 up to 180, clockwise from +y."""
    position_sigma_mm: float
    axis_sigma_deg: float
    fit: float
    """The share of the counter's own picture that the model explains: 1 is perfect."""


class _Patch:
    """The pixels around one counter, with their places on its top's level."""

    def __init__(self, gray: Gray, plane: TablePlane, kind: CounterKind, place: Array) -> None:
        reach = np.hypot(kind.length_mm, kind.width_mm) / 2
        square = place + np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * reach
        pixels = plane.to_px(square, np.full(4, kind.height_mm))
        low = np.maximum(np.floor(pixels.min(axis=0)), 0).astype(int)
        high = np.minimum(np.ceil(pixels.max(axis=0)) + 1, [gray.shape[1], gray.shape[0]])
        high = high.astype(int)
        if (high - low < 4).any():
            self.values, self.places = np.zeros(0), np.zeros((0, 2))
            return
        # In a large picture every second pixel tells as much: neighbours are hardly strangers.
        step = max(1, int(np.sqrt(float(np.prod(high - low)) / _ENOUGH_PIXELS)))
        y, x = np.mgrid[low[1] : high[1] : step, low[0] : high[0] : step]
        spots = np.stack([x.ravel(), y.ravel()], axis=1).astype(np.float64)
        self.places = plane.to_mm(spots, np.full(len(spots), kind.height_mm))
        part = gray[low[1] : high[1] : step, low[0] : high[0] : step]
        self.values = part.ravel().astype(np.float64)


def fit_counter(
    gray: Gray, plane: TablePlane, kind: CounterKind, start: tuple[float, float, float]
) -> SeenCounter | None:
    """Gauss-Newton from a stripe's rough pose; None where no counter is around it."""
    centre = np.array(start[:2])
    scale = float(plane.px_per_mm(centre))
    patch = _Patch(gray, plane, kind, centre)
    if patch.values.size < 60 or not np.isfinite(scale):
        return None
    blur = _BLUR_PX / scale
    angle = np.radians(start[2])
    sides = np.zeros(2)
    spill = 0.0
    grey: Array | None = None
    covariance = np.zeros((_LEVELS + _SHIFTS, _LEVELS + _SHIFTS))
    weights = np.ones(patch.values.size)
    noise = _FIRST_NOISE
    fit = within = left_over = 0.0
    for count in range(_STEPS):
        ahead = np.array([np.sin(angle), np.cos(angle)])
        right = np.array([np.cos(angle), -np.sin(angle)])
        offset = patch.places - centre
        u, v = offset @ ahead, offset @ right
        inside = (np.abs(u) < kind.length_mm / 2 - 2.5) & (np.abs(v) < kind.width_mm / 2 + 3.5)
        if inside.sum() < 40:
            return None
        u, v, values = u[inside], v[inside], patch.values[inside]
        model = _model(u, v, kind, blur, sides, spill)
        # Beyond the sides lies anything; what fits badly there loses its say.
        weight = weights[inside]
        bending = _BENDING * (_SMOOTH * float(weight.sum()) / _LEVELS)
        if grey is None:
            # The slopes are those of grey levels, so these must be known first.
            normal, wanted = _normal(model.levels, values, weight)
            grey = np.asarray(np.linalg.solve(normal + bending, wanted), dtype=np.float64)
        slopes = model.slopes(u, v, grey, kind.length_mm / 2)
        design = np.concatenate([model.levels, slopes], axis=1)
        normal, wanted = _normal(design, values, weight)
        normal[:_LEVELS, :_LEVELS] += bending
        normal[_SHIFT_AT, _SHIFT_AT] += 1e-3
        walls = _walls(plane, kind, centre, right)
        trust = noise / (_SIDE_MM + 0.5 * np.abs(walls)) ** 2
        normal[_SIDES_AT, _SIDES_AT] += trust
        wanted[_SIDES_AT] += trust * (walls - sides)
        spilled = noise / (_SPILL_PX / scale) ** 2
        normal[_SPILL_AT, _SPILL_AT] += spilled
        wanted[_SPILL_AT] -= spilled * spill
        inverse = np.linalg.inv(normal)
        answer = inverse @ wanted
        grey = answer[:_LEVELS]
        residual = values - model.levels @ grey
        top = np.abs(v) < kind.width_mm / 2 - 1.0
        fit = _explained(values, residual, weight)
        within = _explained_on_top(values[top], residual[top], u[top], v[top])
        left_over = float(np.sqrt(max(1 - within, 0.0))) * float(values[top].std())
        if count == _GLANCE and within < _HOPELESS:
            return None
        misfit = values - design @ answer
        noise = float(weight @ misfit**2) / max(float(weight.sum()) - len(answer), 1.0)
        # Each pixel with its own misfit: on a checked cloth some are far off together.
        spread, _ = _normal(design, misfit, (weight * misfit) ** 2)
        spread[_SIDES_AT, _SIDES_AT] += noise * trust
        covariance = inverse @ spread @ inverse
        weights[inside] = 1 / (1 + misfit**2 / max(9 * noise, 1.0))
        step = np.clip(answer[_LEVELS:], -2.5, 2.5)
        centre = centre + step[0] * ahead + step[1] * right
        angle += float(np.clip(step[2] * 2 / kind.length_mm, -0.1, 0.1))
        sides = np.clip(sides + step[3:5], -3.0, 3.0)
        blur = float(np.clip(blur + step[5], *_BLURS_PX / scale))
        spill = float(np.clip(spill + step[6], -_MOST_SPILL_MM / 4, _MOST_SPILL_MM))
        if np.abs(step).max() < 0.003:
            break
    if grey is None or not _is_counter(fit, within, left_over, grey):
        return None
    if np.hypot(*(centre - start[:2])) > kind.stripe_mm:
        return None
    correlated = _CORRELATED * max(1.0, blur * scale / _BLUR_PX)
    shifts = covariance[_LEVELS:, _LEVELS:] * correlated**2
    bias = (_BIAS_PX / scale) ** 2
    place, turn = _plane_doubt(plane, centre, angle, kind.height_mm)
    # What ran over on one side more than on the other looks like a shift.
    bias += (_UNEVEN_SPILL * spill) ** 2
    position, axis = _fit_doubt(shifts, bias, grey, kind)
    return SeenCounter(
        float(centre[0]),
        float(centre[1]),
        float(np.degrees(angle)) % 180,
        float(np.sqrt(position + place)) * _RADIAL,
        float(np.degrees(np.sqrt(axis + turn))),
        within,
    )


def _fit_doubt(shifts: Array, bias: float, grey: Array, kind: CounterKind) -> tuple[float, float]:
    """The variances of a counter's place and of her axis that the fit itself leaves."""
    # Beside what is now light, now dark, the sides and the stripe's ends are drawn out or in.
    uneven = float(grey[_LEFT].std() + grey[_RIGHT].std()) / 2 / float(grey[1])
    position = float(np.linalg.eigvalsh(shifts[:2, :2])[-1]) + bias + (_UNEVEN_MM * uneven) ** 2
    axis = (float(shifts[2, 2]) * _GRAIN + bias) * (2 / kind.length_mm) ** 2
    return position, axis


def _walls(plane: TablePlane, kind: CounterKind, centre: Array, right: Array) -> Array:
    """How far out the left and right side seem to lie by the wall that faces the camera."""
    if plane.camera_mm is None:
        return np.zeros(2)
    lean = float(right @ (plane.camera_mm[:2] - centre)) * kind.height_mm / plane.camera_mm[2]
    return np.array([min(lean, 0.0), max(lean, 0.0)])


def _explained(values: Array, residual: Array, weight: Array) -> float:
    total = float(weight.sum())
    spread = float(weight @ (values - weight @ values / total) ** 2) if total else 0.0
    return 1 - float(weight @ residual**2) / spread if spread > total else 0.0


def _explained_on_top(values: Array, residual: Array, u: Array, v: Array) -> float:
    """The share explained on the counter itself, where the light may change evenly across it."""
    if values.size < 3:
        return 0.0
    expected = values - residual
    slopes = np.stack([expected * u, expected * v], axis=1)
    normal, wanted = _normal(slopes, residual, np.ones(values.size))
    light = np.linalg.solve(normal + 1e-6 * np.eye(2), wanted)
    return _explained(values, residual - slopes @ light, np.ones(values.size))


def _is_counter(fit: float, within: float, left_over: float, grey: Array) -> bool:
    """Whether a model that explains so much is one of a counter; `left_over` is in grey levels."""
    beside = float(np.median(np.abs(grey[_LEFT.start : _RIGHT.stop])))
    return (
        fit >= _LEAST_FIT
        and within >= _LEAST_WITHIN
        and (within >= _PLAIN_WITHIN or left_over <= _NOISE_LEVELS)
        and grey[1] >= _LEAST_STRIPE_LEVELS
        # Beside a counter it is brighter or darker all along; beside foam here and there.
        and beside >= max(_LEAST_SIDE_LEVELS, _LEAST_SIDE_SHARE * float(grey[1]))
    )


@dataclass(frozen=True, slots=True)
class _Model:
    """The counter's parts as they should look at each pixel, between 0 and 1."""

    levels: Array
    """Columns: base, stripe, then what lies beyond the left side and the right, from knot to knot.

    On a checked cloth that changes along the side. The last column is the glow of the stripe.
    """
    knots: Array
    """Each pixel's share of every knot along the sides."""
    stripe_u: Array
    stripe_v: Array
    left: Array
    right: Array
    """How steeply each part changes there, a millimetre."""
    softer: tuple[Array, Array, Array]
    """What stripe, left and right gain with a millimetre more blur."""
    wider: Array
    """What the stripe gains by running over a millimetre on both sides."""

    def slopes(self, u: Array, v: Array, grey: Array, half_mm: float) -> Array:
        """What the grey values gain by a shift ahead, to the right, a turn, and each side out."""
        stripe = grey[1]
        out_left = (self.knots @ grey[_LEFT]) * self.left
        out_right = (self.knots @ grey[_RIGHT]) * self.right
        along = stripe * self.stripe_u
        across = stripe * self.stripe_v - out_left + out_right
        turn = (along * v - across * u) / half_mm
        soft_stripe, soft_left, soft_right = self.softer
        softer = stripe * soft_stripe - (self.knots @ grey[_LEFT]) * soft_left
        softer += (self.knots @ grey[_RIGHT]) * soft_right
        wider = stripe * self.wider
        return np.stack([-along, -across, turn, out_left, -out_right, softer, wider], axis=1)


def _model(
    u: Array, v: Array, kind: CounterKind, blur: float, sides: Array, spill: float
) -> _Model:
    wide = kind.stripe_mm + 2 * spill
    before, before_slope = _edge(u + wide / 2, blur)
    after, after_slope = _edge(u - wide / 2, blur)
    glow = _edge(u + wide / 2, _GLOW_BLUR * blur)[0] - _edge(u - wide / 2, _GLOW_BLUR * blur)[0]
    left, left_slope = _edge(v + kind.width_mm / 2, blur)
    right, right_slope = _edge(v - kind.width_mm / 2, blur)
    # The sides may lie off by a visible wall; the stripe's ends do not.
    beyond_left, out_left = _edge(v + kind.width_mm / 2 - sides[0], blur)
    beyond_right, out_right = _edge(v - kind.width_mm / 2 - sides[1], blur)
    stripe, top = before - after, left - right
    at = (u / kind.length_mm + 0.5) * (_KNOTS - 1)
    knots = np.maximum(1 - np.abs(at[:, None] - np.arange(_KNOTS)), 0.0)
    levels = np.column_stack(
        [
            np.ones_like(u),
            stripe * top,
            knots * (1 - beyond_left)[:, None],
            knots * beyond_right[:, None],
            glow * top,
        ]
    )
    return _Model(
        levels,
        knots,
        (before_slope - after_slope) * top,
        stripe * (left_slope - right_slope),
        out_left,
        out_right,
        (
            stripe * _soften(v, kind.width_mm, left_slope, right_slope, blur)
            + top * _soften(u, wide, before_slope, after_slope, blur),
            -(v + kind.width_mm / 2 - sides[0]) / blur * out_left,
            -(v - kind.width_mm / 2 - sides[1]) / blur * out_right,
        ),
        (before_slope + after_slope) * top,
    )


def _soften(x: Array, wide_mm: float, into: Array, out_of: Array, blur: float) -> Array:
    """What a band of this width gains with a millimetre more blur."""
    half = wide_mm / 2
    return np.asarray((-(x + half) * into + (x - half) * out_of) / blur)


def _normal(design: Array, values: Array, weight: Array) -> tuple[Array, Array]:
    """The normal equations, summed in pieces: small products stay on one processor core."""
    size = design.shape[1]
    normal, wanted = np.zeros((size, size)), np.zeros(size)
    for first in range(0, len(values), _PIECE):
        piece = design[first : first + _PIECE]
        weighed = piece * weight[first : first + _PIECE, None]
        normal += weighed.T @ piece
        wanted += values[first : first + _PIECE] @ weighed
    return normal, wanted


def _edge(x: Array, blur: float) -> tuple[Array, Array]:
    """A blurred step from 0 to 1 and its slope."""
    steep = 1.702 / blur
    step = 1 / (1 + np.exp(-np.clip(steep * x, -40, 40)))
    return step, steep * step * (1 - step)


def _bending() -> Array:
    """What it costs when neighbouring knots differ."""
    cost = np.zeros((_LEVELS, _LEVELS))
    for first in (2, 2 + _KNOTS):
        for knot in range(first, first + _KNOTS - 1):
            cost[knot : knot + 2, knot : knot + 2] += np.array([[1.0, -1.0], [-1.0, 1.0]])
    cost[_GLOW, _GLOW] += 1.0
    return cost + 1e-6 * np.eye(_LEVELS)


_BENDING: Final = _bending()


def _plane_doubt(
    plane: TablePlane, centre: Array, angle: float, height_mm: float
) -> tuple[float, float]:
    """Variances of place and of the angle that come from the plane."""
    reach = 20.0
    spots = centre + np.array([[0.0, 0.0], [np.sin(angle) * reach, np.cos(angle) * reach]])
    pixels = plane.to_px(spots, np.full(2, height_mm))
    right = np.array([np.cos(angle), -np.sin(angle)])
    place = turn = 0.0
    for variant in plane.variants:
        off = variant.to_mm(pixels, np.full(2, height_mm)) - spots
        place += float(off[0] @ off[0])
        turn += float(((off[1] - off[0]) @ right / reach) ** 2)
    return place, turn
