"""What the rendered things are painted with: tags to the module, decks, cloth."""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.markers import Family, tag_bits
from vision.synthetic.scene import HULL_MM, RenderedCounter, RenderedMarker, Silhouette, Surface

FloatImage = NDArray[np.float32]

_TEXELS_PER_MODULE: Final = 16
_INK: Final = 26.0
_PAPER: Final = 232.0
_DECKS: Final = {
    "blue": (120, 72, 40),
    "orange": (52, 58, 120),
    "violet": (120, 60, 95),
    "teal": (95, 100, 30),
}
"""The paint of a deck by its colour; blue, green, red."""
_PLAIN_DECK: Final = (84, 78, 70)


@dataclass(frozen=True, eq=False)
class Texture:
    """A rectangle seen from above, its first row to the bow: blue, green, red and coverage."""

    pixels: FloatImage
    mm_per_texel: float

    @property
    def length_mm(self) -> float:
        """Along the heading."""
        return float(self.pixels.shape[0] * self.mm_per_texel)

    @property
    def width_mm(self) -> float:
        """Across it."""
        return float(self.pixels.shape[1] * self.mm_per_texel)


def marker_texture(marker: RenderedMarker, family: Family) -> Texture:
    """A marker's top: deck and hull, the white border, the tag whose edges fall between texels."""
    return _marker_texture(
        replace(marker, x_mm=0.0, y_mm=0.0, heading_deg=0.0, height_mm=0.0), family
    )


@lru_cache(maxsize=256)
def _marker_texture(marker: RenderedMarker, family: Family) -> Texture:
    side = family.modules
    texel = marker.tag_mm / side / _TEXELS_PER_MODULE
    card = marker.tag_mm / side * (side + 2)
    hull = HULL_MM[marker.silhouette]
    length = max(marker.base_length_mm, card, hull and hull + 4.0)
    width = max(marker.base_width_mm, card)
    # An even number of texels keeps the middle on an edge, where the tag's middle is.
    rows, columns = (2 * round(size / texel / 2 + 0.49) for size in (length, width))
    pixels = np.empty((rows, columns, 3), np.uint8)
    if marker.silhouette is Silhouette.NONE:
        pixels[:] = _PAPER
    else:
        pixels[:] = _DECKS.get(marker.colour, _PLAIN_DECK)
        _draw_hull(pixels, marker.silhouette, hull / texel)
        if marker.name:
            _write_name(pixels, marker.name, (length - card) / 2 / texel)
    _draw_card(pixels, card / texel)
    image = np.ones((rows, columns, 4), np.float32)
    image[..., :3] = pixels
    paper, ink = _PAPER, _PAPER + (_INK - _PAPER) * marker.contrast
    tag = ink + (paper - ink) * tag_bits(family, marker.id).astype(np.float32)
    tag = np.kron(tag, np.ones((_TEXELS_PER_MODULE, _TEXELS_PER_MODULE), np.float32))
    top, left = (rows - len(tag)) // 2, (columns - len(tag)) // 2
    image[top : top + len(tag), left : left + len(tag), :3] = tag[..., None]
    return Texture(image, texel)


def counter_texture(counter: RenderedCounter) -> Texture:
    """A plain counter's top: one colour and the white stripe from side to side."""
    return _counter_texture(replace(counter, x_mm=0.0, y_mm=0.0, heading_deg=0.0, height_mm=0.0))


@lru_cache(maxsize=256)
def _counter_texture(counter: RenderedCounter) -> Texture:
    texel = 0.25
    rows, columns = (
        max(2, 2 * round(s / texel / 2)) for s in (counter.length_mm, counter.width_mm)
    )
    image = np.ones((rows, columns, 4), np.float32)
    image[..., :3] = counter.colour
    half = max(1, round(counter.stripe_mm / texel / 2))
    image[rows // 2 - half : rows // 2 + half, :, :3] = _PAPER
    return Texture(image, texel)


def _draw_card(pixels: NDArray[np.uint8], side: float) -> None:
    rows, columns = pixels.shape[:2]
    top, left = round((rows - side) / 2), round((columns - side) / 2)
    bottom, right = rows - top, columns - left
    pixels[max(0, top) : bottom, max(0, left) : right] = _PAPER


def _draw_hull(pixels: NDArray[np.uint8], kind: Silhouette, length: float) -> None:
    """A warship from above, drawn by hand: hull, planked deck, turrets, superstructure."""
    rows, columns = pixels.shape[:2]
    beam = {Silhouette.DESTROYER: 0.12, Silhouette.CRUISER: 0.16}.get(kind, 0.22) * length
    along = np.linspace(-0.5, 0.5, 60)
    taper = np.clip(1 - np.maximum(0, (-along - 0.05) / 0.45) ** 1.9, 0, 1)
    taper *= np.clip(1 - 0.45 * np.maximum(0, (along - 0.25) / 0.25) ** 2.5, 0, 1)
    if kind is Silhouette.CARRIER:
        taper = np.where(np.abs(along) > 0.47, 0.72, 1.0)

    def outline(scale: float) -> NDArray[np.int32]:
        half = taper * beam / 2 * scale
        right = np.stack([columns / 2 + half, rows / 2 + along * length * scale], axis=1)
        left = right * (-1, 1) + (columns, 0)
        return np.round(np.concatenate([right, left[::-1]]) * 16).astype(np.int32)

    def fill(points: NDArray[np.int32], colour: tuple[int, int, int]) -> None:
        cv2.fillPoly(pixels, [points], colour, cv2.LINE_AA, 4)

    def box(at: float, long: float, wide: float, colour: tuple[int, int, int]) -> None:
        y, x = rows / 2 + at * length, columns / 2
        half_y, half_x = long * length / 2, wide * beam / 2
        corners = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
        fill(
            np.round([((x + a * half_x) * 16, (y + b * half_y) * 16) for a, b in corners]).astype(
                np.int32
            ),
            colour,
        )

    fill(outline(1.0) + 10, (34, 32, 30))
    fill(outline(1.0), (98, 96, 92))
    deck = (108, 128, 140) if kind is not Silhouette.DESTROYER else (120, 120, 118)
    fill(outline(0.9), deck)
    if kind is Silhouette.CARRIER:
        for at in np.arange(-0.44, 0.45, 0.08):
            box(float(at), 0.035, 0.05, (210, 214, 214))
        return
    box(0.0, 0.5, 0.55, (132, 128, 124))
    for at, ahead in ((-0.33, -1), (-0.25, -1), (0.29, 1), (0.37, 1)):
        box(at, 0.06, 0.5, (88, 86, 82))
        for off in (-0.11, 0.11):
            y, x = rows / 2 + (at + ahead * 0.05) * length, columns / 2 + off * beam
            half = 0.035 * length
            start = (round(x * 16), round((y - half) * 16))
            end = (round(x * 16), round((y + half) * 16))
            thick = max(1, round(0.05 * beam))
            cv2.line(pixels, start, end, (70, 68, 66), thick, cv2.LINE_AA, 4)


def _write_name(pixels: NDArray[np.uint8], name: str, room: float) -> None:
    """The name in white along the starboard edge of the stern, as large as there is room."""
    plain = name.encode("ascii", "replace").decode("ascii")
    size = min(1.4, max(0.2, room / 40))
    (width, height), _ = cv2.getTextSize(plain, cv2.FONT_HERSHEY_SIMPLEX, size, 1)
    size *= min(1.0, 0.9 * pixels.shape[1] / max(1, width))
    (width, height), _ = cv2.getTextSize(plain, cv2.FONT_HERSHEY_SIMPLEX, size, 1)
    place = ((pixels.shape[1] - width) // 2, pixels.shape[0] - max(2, height // 3))
    thick = max(1, round(size * 2))
    cv2.putText(
        pixels, plain, place, cv2.FONT_HERSHEY_SIMPLEX, size, (20, 20, 20), thick + 2, cv2.LINE_AA
    )
    cv2.putText(
        pixels, plain, place, cv2.FONT_HERSHEY_SIMPLEX, size, (235, 235, 235), thick, cv2.LINE_AA
    )


MAT_MARGIN_MM: Final = 110.0
"""How far the cloth reaches beyond the corner tags' centres."""
EDGE_MM: Final = 45.0
"""The wooden rim of the table around the cloth."""
ROOM_MM: Final = 600.0
"""How far the floor around the table is drawn."""


@lru_cache(maxsize=4)
def table_texture(
    width_mm: float, height_mm: float, surface: Surface, seed: int, mm_per_texel: float
) -> NDArray[np.uint8]:
    """The cloth with its rim, and the floor around it, from ROOM_MM beyond the near left tag."""
    rng = np.random.default_rng([seed, 11])
    rows = round((height_mm + 2 * ROOM_MM) / mm_per_texel)
    columns = round((width_mm + 2 * ROOM_MM) / mm_per_texel)
    image = np.empty((rows, columns, 3), np.float32)
    image[:] = (58.0, 66.0, 74.0)
    image += _octaves(rng, rows, columns, mm_per_texel, ((300, 6), (40, 3), (4, 3)))[..., None]

    def inside(beyond_mm: float) -> tuple[slice, slice]:
        start = round((ROOM_MM - beyond_mm) / mm_per_texel)
        return slice(start, rows - start), slice(start, columns - start)

    rim = inside(MAT_MARGIN_MM + EDGE_MM)
    image[rim] = _wood(rng, image[rim].shape, mm_per_texel)
    mat = inside(MAT_MARGIN_MM)
    image[mat] = _cloth(rng, surface, image[mat].shape, mm_per_texel)
    # The image's rows run down, the table's y runs away: the first row is the far side.
    return np.ascontiguousarray(np.clip(image, 0, 255).astype(np.uint8))


def _cloth(
    rng: np.random.Generator, surface: Surface, shape: tuple[int, ...], texel: float
) -> FloatImage:
    rows, columns = shape[:2]
    if surface is Surface.WOOD:
        return _wood(rng, shape, texel)
    if surface is Surface.CHECKED:
        step = 25 / texel
        y, x = np.ogrid[:rows, :columns]
        squares = ((y // step) + (x // step)) % 2
        image = np.where(squares[..., None] > 0, (205.0, 208.0, 210.0), (70.0, 60.0, 120.0))
        return np.asarray(image, np.float32)
    base = {
        Surface.SEA: (128.0, 92.0, 44.0),
        Surface.CLOTH: (84.0, 54.0, 36.0),
        Surface.GREY: (128.0, 128.0, 126.0),
    }[surface]
    image = np.empty((rows, columns, 3), np.float32)
    image[:] = base
    if surface is Surface.SEA:
        swell = _octaves(rng, rows, columns, texel, ((420, 9), (120, 6), (38, 5), (9, 3.5)))
        foam = _octaves(rng, rows, columns, texel, ((26, 1.0), (7, 1.0)))
        image += swell[..., None] * np.array((1.0, 1.05, 0.8), np.float32)
        image += (np.maximum(foam - 1.9, 0) * 22)[..., None]
    weave = _octaves(rng, rows, columns, texel, ((200, 3), (2.2, 3.2)))
    return np.asarray(image + weave[..., None], np.float32)


def _wood(rng: np.random.Generator, shape: tuple[int, ...], texel: float) -> FloatImage:
    rows, columns = shape[:2]
    grain = _noise(rng, rows, columns, 3.5 / texel, 160 / texel)
    rings = _noise(rng, rows, columns, 22 / texel, 500 / texel)
    tone = 10 * grain + 14 * np.sin(rings * 4)
    image = np.empty((rows, columns, 3), np.float32)
    image[:] = (62.0, 98.0, 142.0)
    return np.asarray(image + tone[..., None] * np.array((0.6, 0.9, 1.1), np.float32), np.float32)


def _octaves(
    rng: np.random.Generator,
    rows: int,
    columns: int,
    texel: float,
    layers: tuple[tuple[float, float], ...],
) -> FloatImage:
    """Noise of several sizes (in millimetres) and strengths, added up."""
    total = np.zeros((rows, columns), np.float32)
    for size_mm, strength in layers:
        cells = max(1.0, size_mm / texel)
        total += np.float32(strength) * _noise(rng, rows, columns, cells, cells)
    return total


def _noise(
    rng: np.random.Generator, rows: int, columns: int, tall: float, wide: float
) -> FloatImage:
    small = rng.standard_normal((int(rows / tall) + 4, int(columns / wide) + 4), dtype=np.float32)
    if tall <= 1 and wide <= 1:
        return small[:rows, :columns]
    matrix = np.array([[wide, 0, -wide * rng.random()], [0, tall, -tall * rng.random()]])
    return np.asarray(
        cv2.warpAffine(
            small, matrix, (columns, rows), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
        ),
        np.float32,
    )
