"""Painting one thing into the picture: exact coverage of every pixel, walls, soft shadows, hands.

A flat thing is painted by looking back from each pixel to the thing's plane. Within one pixel
that mapping is as good as affine, so a lattice of samples per pixel costs one small matrix
product; the mean of the samples is the pixel's true coverage to within a hundredth.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision.synthetic.camera import FloatArray, TrueCamera
from vision.synthetic.scene import RenderedHand, local_to_table, rectangle
from vision.synthetic.textures import FloatImage, Texture

_SAMPLES: Final = 55
"""A Fibonacci lattice: 55 different columns and 55 different rows within a pixel."""
_OFFSETS: Final = np.stack(
    [
        (np.arange(_SAMPLES) + 0.5) / _SAMPLES - 0.5,
        ((np.arange(_SAMPLES) * 34 + 0.5 * _SAMPLES) % _SAMPLES) / _SAMPLES - 0.5,
    ]
)
_OFFSETS[1] -= _OFFSETS[1].mean()
_LATTICE: Final = np.vstack([np.ones(_SAMPLES), _OFFSETS]).astype(np.float32)
_LINE: Final = 64

Box = tuple[slice, slice]


@dataclass(frozen=True)
class Patch:
    """What one thing adds to the picture: colour times coverage, and the coverage, in a box."""

    box: Box
    colour: FloatImage
    coverage: FloatImage

    def onto(self, canvas: FloatImage) -> None:
        """Paint it over what is there."""
        part = canvas[self.box]
        part *= 1 - self.coverage[..., None]
        part += self.colour


def box_around(camera: TrueCamera, pixels: FloatArray, margin: int = 2) -> Box | None:
    """The rows and columns that hold these pixels; None when they lie outside the picture."""
    low = np.floor(pixels.min(axis=0)).astype(int) - margin
    high = np.ceil(pixels.max(axis=0)).astype(int) + margin + 1
    left, top = max(0, int(low[0])), max(0, int(low[1]))
    right, bottom = min(camera.width_px, int(high[0])), min(camera.height_px, int(high[1]))
    if right - left < 2 or bottom - top < 2:
        return None
    return slice(top, bottom), slice(left, right)


def pixels_of(box: Box) -> FloatArray:
    """The pixel centres of a box, row by row, N × 2."""
    rows, columns = box
    y, x = np.mgrid[rows, columns]
    return np.stack([x.ravel(), y.ravel()], axis=1).astype(np.float64)


def flat_patch(
    camera: TrueCamera,
    texture: Texture,
    place: tuple[float, float, float],
    height_mm: float,
) -> Patch | None:
    """A texture that lies level at a place (x, y, heading) and height, exactly as seen."""
    outline = local_to_table(*place, rectangle(texture.length_mm, texture.width_mm), height_mm)
    if not camera.in_front(outline):
        return None
    box = box_around(camera, camera.project(_edges(outline)))
    if box is None:
        return None
    shape = (box[0].stop - box[0].start, box[1].stop - box[1].start)
    table = camera.unproject(pixels_of(box), height_mm)
    x_mm, y_mm, heading_deg = place
    # The heading's unit vectors, taken from the one place that knows the convention.
    axes = local_to_table(0.0, 0.0, heading_deg, np.eye(2), 0.0)[:, :2]
    ahead, right = axes @ (table - (x_mm, y_mm)).T
    rows, columns = texture.pixels.shape[:2]
    v = (-ahead / texture.mm_per_texel + (rows - 1) / 2).reshape(shape)
    u = (right / texture.mm_per_texel + (columns - 1) / 2).reshape(shape)
    locals_ = []
    near = np.ones(shape, dtype=bool)
    for field, size in ((u, columns), (v, rows)):
        down, across = np.gradient(field)
        reach = np.abs(down) + np.abs(across) + 1
        near &= (field > -reach) & (field < size + reach)
        locals_.append(np.stack([field, across, down], axis=-1))
    mean = np.zeros((*shape, 4), np.float32)
    mean[near] = _mean_of_samples(texture.pixels, locals_[0][near], locals_[1][near])
    return Patch(box, mean[..., :3].copy(), mean[..., 3].copy())


def _mean_of_samples(pixels: FloatImage, columns: FloatArray, rows: FloatArray) -> FloatImage:
    """The mean texture over pixels, each given by its place and the two slopes of its mapping."""
    count = len(columns)
    if count == 0:
        return np.zeros((0, 4), np.float32)
    # OpenCV wants maps of moderate width: the pixels are laid out in lines of 64.
    padded = -(-count // _LINE) * _LINE
    maps = []
    for local in (columns, rows):
        full = np.full((padded, 3), -1e4, np.float32)
        full[:count] = local
        maps.append((full @ _LATTICE).reshape(-1, _LINE * _SAMPLES))
    samples = cv2.remap(
        pixels,
        maps[0],
        maps[1],
        cv2.INTER_NEAREST,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=(0, 0, 0, 0),
    )
    mean = cv2.resize(samples, (_LINE, padded // _LINE), interpolation=cv2.INTER_AREA)
    return np.asarray(mean, np.float32).reshape(-1, 4)[:count]


def _edges(corners: FloatArray, steps: int = 8) -> FloatArray:
    """Points along a polygon's edges; distortion bends straight edges outward."""
    after = np.roll(corners, -1, axis=0)
    share = (np.arange(steps) / steps)[None, :, None]
    return np.asarray(corners[:, None] + share * (after - corners)[:, None]).reshape(-1, 3)


def polygon_mask(box: Box, pixels: FloatArray) -> FloatImage:
    """The coverage of a polygon of pixels within a box, its edges smooth."""
    shape = (box[0].stop - box[0].start, box[1].stop - box[1].start)
    mask = np.zeros(shape, np.uint8)
    points = np.round((pixels - (box[1].start, box[0].start)) * 64).astype(np.int32)
    cv2.fillPoly(mask, [points], 255, cv2.LINE_AA, 6)
    return mask.astype(np.float32) / np.float32(255)


def wall_patches(
    camera: TrueCamera,
    place: tuple[float, float, float],
    size_mm: tuple[float, float],
    height_mm: float,
    colour: tuple[float, float, float],
) -> list[Patch]:
    """The sides of a base that face the camera."""
    if height_mm <= 0:
        return []
    corners = rectangle(*size_mm)
    low, high = (local_to_table(*place, corners, z) for z in (0.0, height_mm))
    eye = camera.centre_mm
    patches = []
    for i in range(4):
        j = (i + 1) % 4
        along = low[j] - low[i]
        outward = np.array([-along[1], along[0], 0.0])
        if outward @ (low[i] - np.append(place[:2], 0.0)) < 0:
            outward = -outward
        face = np.stack([low[i], low[j], high[j], high[i]])
        if outward @ (eye - low[i]) <= 0 or not camera.in_front(face):
            continue
        pixels = camera.project(_edges(face))
        box = box_around(camera, pixels)
        if box is None:
            continue
        mask = polygon_mask(box, pixels)
        normal = outward / np.hypot(*outward[:2])
        shade = 0.55 + 0.25 * float(normal @ (0.6, 0.8, 0.0))
        tone = np.array(colour, np.float32) * np.float32(shade)
        patches.append(Patch(box, mask[..., None] * tone, mask))
    return patches


def shade_under(
    camera: TrueCamera,
    canvas: FloatImage,
    outline_mm: FloatArray,
    softness_mm: float,
    strength: float,
) -> list[Box]:
    """Darken the picture where something keeps the light from the table; where that is."""
    if not camera.in_front(outline_mm):
        return []
    pixels = camera.project(outline_mm)
    scale = _pixels_per_mm(camera, outline_mm)
    sigma = max(0.4, softness_mm * scale)
    box = box_around(camera, pixels, margin=round(3 * sigma) + 2)
    if box is None:
        return []
    mask = cv2.GaussianBlur(polygon_mask(box, pixels), (0, 0), sigma)
    canvas[box] *= (1 - np.float32(strength) * mask)[..., None]
    return [box]


def _pixels_per_mm(camera: TrueCamera, points_mm: FloatArray) -> float:
    middle = points_mm.mean(axis=0)
    step = np.array([10.0, 0.0, 0.0])
    pair = camera.project(np.stack([middle, middle + step]))
    return float(np.hypot(*(pair[1] - pair[0]))) / 10


_PALM: Final = ((-46, -36), (-20, -43), (20, -42), (40, -38), (46, -20), (47, 5), (44, 30),
                (22, 40), (-20, 38), (-46, 34), (-70, 31), (-70, -31))  # fmt: skip
_FINGERS: Final = (
    ((36, -30), (86, -42), 9.0),
    ((42, -10), (104, -14), 9.5),
    ((42, 10), (100, 14), 9.5),
    ((36, 28), (82, 38), 8.5),
    ((-12, -36), (40, -72), 10.5),
)
_SKIN: Final = np.array((122.0, 152.0, 205.0), np.float32)
_SLEEVE: Final = np.array((92.0, 66.0, 58.0), np.float32)


def hand_patch(camera: TrueCamera, hand: RenderedHand, reach_mm: float) -> Patch | None:
    """A hand with its arm, rounded by its shading; reach says how long the arm must be."""
    parts = _hand_parts(hand, _arm_in_view(camera, hand, reach_mm))
    arms = [camera.project(_edges(part)) for part in parts if camera.in_front(part)]
    if not arms:
        return None
    box = box_around(camera, np.concatenate(arms), margin=4)
    if box is None:
        return None
    mask = np.zeros((box[0].stop - box[0].start, box[1].stop - box[1].start), np.float32)
    for pixels in arms:
        mask = np.maximum(mask, polygon_mask(box, pixels))
    thick = max(4.0, 16 * hand.size * _pixels_per_mm(camera, parts[0]))
    inner = cv2.distanceTransform((mask > 0.5).astype(np.uint8), cv2.DIST_L2, 3)
    roundness = np.sqrt(np.clip(inner / thick, 0, 1))
    shade = cv2.GaussianBlur(0.62 + 0.38 * roundness, (0, 0), max(0.8, thick / 8))
    colour = np.broadcast_to(_SKIN, (*mask.shape, 3)).copy()
    sleeve = parts[-1]
    if camera.in_front(sleeve):
        cover = polygon_mask(box, camera.project(_edges(sleeve)))[..., None]
        colour = colour * (1 - cover) + _SLEEVE * cover
    mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), 0.7), np.float32)
    return Patch(box, colour * (shade * mask)[..., None].astype(np.float32), mask)


def hand_outlines(camera: TrueCamera, hand: RenderedHand, reach_mm: float) -> Sequence[FloatArray]:
    """The parts of a hand as polygons on the table, for its shadow."""
    reach = _arm_in_view(camera, hand, reach_mm)
    return [part * (1, 1, 0) for part in _hand_parts(hand, reach)]


def _arm_in_view(camera: TrueCamera, hand: RenderedHand, reach_mm: float) -> float:
    """How long the arm may be before it leaves what the camera can show at all."""
    for share in np.arange(1.0, 0.0, -0.04):
        if camera.in_front(_hand_parts(hand, reach_mm * float(share))[-1]):
            return reach_mm * float(share)
    return 0.0


def _hand_parts(hand: RenderedHand, reach_mm: float) -> list[FloatArray]:
    def put(points: FloatArray) -> FloatArray:
        return local_to_table(
            hand.x_mm, hand.y_mm, hand.arm_deg + 180, points * hand.size, hand.height_mm
        )

    parts = [put(np.array(_PALM, dtype=np.float64))]
    around = np.linspace(-np.pi / 2, np.pi / 2, 9)
    for start, end, radius in _FINGERS:
        a, b = np.array(start, dtype=np.float64), np.array(end, dtype=np.float64)
        along = (b - a) / np.hypot(*(b - a))
        across = np.array([-along[1], along[0]])
        tip = b + radius * (np.outer(np.cos(around), along) + np.outer(np.sin(around), across))
        parts.append(put(np.concatenate([[a - radius * across], tip, [a + radius * across]])))
    far = -max(150.0, reach_mm / hand.size)
    wrist = np.array([(-60, -32), (-60, 32), (-140, 36), (-140, -36)], dtype=np.float64)
    sleeve = np.array([(-135, -44), (-135, 44), (far, 62), (far, -62)], dtype=np.float64)
    return [*parts, put(wrist), put(sleeve)]
