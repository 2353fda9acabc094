"""Plain striped counters in a picture: place and axis, but neither name nor bow.

In the view from straight above, white stripes of the right size are picked out by a top-hat;
around each, a model of the counter (base, stripe, what lies beyond its long sides) is fitted to
the pixels of the picture itself. The long sides make the axis sure, the stripe the place: a
base's visible wall shifts a long side, but never the stripe on its top.
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.homography import TablePlane, TableSize
from vision.detect import Gray, Image, to_gray

Array = NDArray[np.float64]

_VIEW_PX_PER_MM: Final = 0.9
_MARGIN_MM: Final = 40.0
_LEAST_TOP_HAT: Final = 22
_LEAST_FIT: Final = 0.94
"""The share of the grey values' variance that the model must explain."""
_LEAST_STRIPE_LEVELS: Final = 18.0
_LEAST_SIDE_LEVELS: Final = 4.0
_BLUR_PX: Final = 0.85
_STEPS: Final = 9
_CORRELATED: Final = 1.5
_BIAS_PX: Final = 0.05
_RADIAL: Final = 1.2
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
    """The share of the picture that the model explains: 1 is perfect."""


def find_counters(
    image: Image, plane: TablePlane, table: TableSize, kind: CounterKind
) -> tuple[SeenCounter, ...]:
    """Every plain counter of this kind on the table, from left to right."""
    gray = to_gray(image)
    starts = _stripes(gray, plane, table, kind)
    found = [seen for start in starts if (seen := _fit(gray, plane, kind, start)) is not None]
    found.sort(key=lambda counter: -counter.fit)
    apart: list[SeenCounter] = []
    for counter in found:
        if all(np.hypot(counter.x_mm - o.x_mm, counter.y_mm - o.y_mm) > kind.width_mm / 2
               for o in apart):  # fmt: skip
            apart.append(counter)
    return tuple(sorted(apart, key=lambda counter: (counter.x_mm, counter.y_mm)))


def view_from_above(
    gray: Gray, plane: TablePlane, table: TableSize, height_mm: float, px_per_mm: float
) -> Gray:
    """The table as seen from straight above, its far edge at the top, with a margin around."""
    wide = round((table.width_mm + 2 * _MARGIN_MM) * px_per_mm)
    tall = round((table.height_mm + 2 * _MARGIN_MM) * px_per_mm)
    # Lens and plane bend slowly: work out every sixteenth spot and interpolate.
    columns, rows = -(-wide // 16) + 1, -(-tall // 16) + 1
    x, y = np.meshgrid(np.arange(columns) * 16.0, np.arange(rows) * 16.0)
    spots = np.stack(
        [x / px_per_mm - _MARGIN_MM, table.height_mm + _MARGIN_MM - y / px_per_mm], axis=-1
    )
    pixels = plane.to_px(spots, np.full(spots.shape[:2], height_mm)).astype(np.float32)
    stretch = np.array([[16.0, 0, 0], [0, 16.0, 0]])
    maps = [
        cv2.warpAffine(np.ascontiguousarray(pixels[..., axis]), stretch, (wide, tall))
        for axis in (0, 1)
    ]
    view = cv2.remap(gray, maps[0], maps[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(view, dtype=np.uint8)


def _stripes(
    gray: Gray, plane: TablePlane, table: TableSize, kind: CounterKind
) -> list[tuple[float, float, float]]:
    """Where white stripes of about the right size are: x, y and the counter's axis."""
    scale = _VIEW_PX_PER_MM
    view = view_from_above(gray, plane, table, kind.height_mm, scale)
    across = max(3, round(1.7 * kind.stripe_mm * scale)) | 1
    element = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (across, across))
    hat = cv2.morphologyEx(view, cv2.MORPH_TOPHAT, element)
    _, white = cv2.threshold(hat, _LEAST_TOP_HAT, 255, cv2.THRESH_BINARY)
    contours, _ = cv2.findContours(white, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    starts = []
    for contour in contours:
        (x, y), (one, other), turn = cv2.minAreaRect(contour)
        # A contour runs through pixel centres, half a pixel inside on each side.
        long_mm, short_mm = ((side + 1) / scale for side in (max(one, other), min(one, other)))
        if not (
            0.55 * kind.width_mm < long_mm < 1.5 * kind.width_mm
            and 0.35 * kind.stripe_mm < short_mm < 2.2 * kind.stripe_mm
        ):
            continue
        along_x = turn if one >= other else turn + 90
        # The stripe runs across; the view's y points down, headings turn clockwise.
        starts.append(
            (
                x / scale - _MARGIN_MM,
                table.height_mm + _MARGIN_MM - y / scale,
                along_x % 180,
            )
        )
    return starts


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
        y, x = np.mgrid[low[1] : high[1], low[0] : high[0]]
        spots = np.stack([x.ravel(), y.ravel()], axis=1).astype(np.float64)
        self.places = plane.to_mm(spots, np.full(len(spots), kind.height_mm))
        self.values = gray[low[1] : high[1], low[0] : high[0]].ravel().astype(np.float64)


def _fit(
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
    grey, covariance = np.zeros(4), np.zeros((9, 9))
    weights = np.ones(patch.values.size)
    explained = 0.0
    for _ in range(_STEPS):
        ahead = np.array([np.sin(angle), np.cos(angle)])
        right = np.array([np.cos(angle), -np.sin(angle)])
        offset = patch.places - centre
        u, v = offset @ ahead, offset @ right
        inside = (np.abs(u) < kind.length_mm / 2 - 2.5) & (np.abs(v) < kind.width_mm / 2 + 3.5)
        if inside.sum() < 40:
            return None
        model = _model(u[inside], v[inside], kind, blur, sides)
        levels, values = model.levels, patch.values[inside]
        # Beyond the sides lies anything; what fits badly there loses its say.
        weight = weights[inside]
        root = np.sqrt(weight)[:, None]
        # First the grey levels, then the shifts that their slopes ask for.
        grey = np.linalg.lstsq(levels * root, values * root[:, 0], rcond=None)[0]
        slopes = model.slopes(u[inside], v[inside], grey, kind.length_mm / 2)
        design = np.concatenate([levels, slopes], axis=1)
        normal = (design * weight[:, None]).T @ design + np.diag([1e-6] * 4 + [1e-3] * 5)
        answer = np.linalg.solve(normal, (design * weight[:, None]).T @ values)
        misfit = values - design @ answer
        explained = _explained(values, values - levels @ grey, weight)
        noise = float(weight @ misfit**2) / max(float(weight.sum()) - 9, 1.0)
        covariance = np.linalg.inv(normal) * noise * _CORRELATED**2
        weights[inside] = 1 / (1 + misfit**2 / max(9 * noise, 1.0))
        step = np.clip(answer[4:], -2.5, 2.5)
        centre = centre + step[0] * ahead + step[1] * right
        angle += float(np.clip(step[2] * 2 / kind.length_mm, -0.1, 0.1))
        sides = np.clip(sides + step[3:], -3.0, 3.0)
        if np.abs(step).max() < 0.003:
            break
    if not _is_counter(explained, grey, centre - start[:2], kind):
        return None
    place, turn = _plane_doubt(plane, centre, angle, kind.height_mm)
    bias = (_BIAS_PX / scale) ** 2
    position = float(np.linalg.eigvalsh(covariance[4:6, 4:6])[-1]) + place + bias
    axis = float(covariance[6, 6]) * _GRAIN * (2 / kind.length_mm) ** 2 + turn
    axis += bias * (2 / kind.length_mm) ** 2
    return SeenCounter(
        float(centre[0]),
        float(centre[1]),
        float(np.degrees(angle)) % 180,
        float(np.sqrt(position)) * _RADIAL,
        float(np.degrees(np.sqrt(axis))),
        explained,
    )


def _explained(values: Array, residual: Array, weight: Array) -> float:
    total = float(weight.sum())
    spread = float(weight @ (values - weight @ values / total) ** 2)
    return 1 - float(weight @ residual**2) / spread if spread > total else 0.0


def _is_counter(explained: float, grey: Array, moved_mm: Array, kind: CounterKind) -> bool:
    return (
        explained >= _LEAST_FIT
        and grey[1] >= _LEAST_STRIPE_LEVELS
        and float(np.abs(grey[2:]).max()) >= _LEAST_SIDE_LEVELS
        and float(np.hypot(*moved_mm)) < kind.stripe_mm
    )


@dataclass(frozen=True, slots=True)
class _Model:
    """The counter's parts as they should look at each pixel, between 0 and 1."""

    levels: Array
    """Columns: base, stripe, beyond the left side, beyond the right side."""
    stripe_u: Array
    stripe_v: Array
    left: Array
    right: Array
    """How steeply each part changes there, a millimetre."""

    def slopes(self, u: Array, v: Array, grey: Array, half_mm: float) -> Array:
        """What the grey values gain by a shift ahead, to the right, a turn, and each side out."""
        _, stripe, beyond_left, beyond_right = grey
        along = stripe * self.stripe_u
        across = stripe * self.stripe_v - beyond_left * self.left + beyond_right * self.right
        turn = (along * v - across * u) / half_mm
        return np.stack(
            [-along, -across, turn, beyond_left * self.left, -beyond_right * self.right], axis=1
        )


def _model(u: Array, v: Array, kind: CounterKind, blur: float, sides: Array) -> _Model:
    before, before_slope = _edge(u + kind.stripe_mm / 2, blur)
    after, after_slope = _edge(u - kind.stripe_mm / 2, blur)
    left, left_slope = _edge(v + kind.width_mm / 2, blur)
    right, right_slope = _edge(v - kind.width_mm / 2, blur)
    # The sides may lie off by a visible wall; the stripe's ends do not.
    beyond_left, out_left = _edge(v + kind.width_mm / 2 - sides[0], blur)
    beyond_right, out_right = _edge(v - kind.width_mm / 2 - sides[1], blur)
    stripe, top = before - after, left - right
    levels = np.stack([np.ones_like(u), stripe * top, 1 - beyond_left, beyond_right], axis=1)
    return _Model(
        levels,
        (before_slope - after_slope) * top,
        stripe * (left_slope - right_slope),
        out_left,
        out_right,
    )


def _edge(x: Array, blur: float) -> tuple[Array, Array]:
    """A blurred step from 0 to 1 and its slope."""
    steep = 1.702 / blur
    step = 1 / (1 + np.exp(-np.clip(steep * x, -40, 40)))
    return step, steep * step * (1 - step)


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
