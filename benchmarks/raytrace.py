"""Ray-traced pictures of a table with known truth: `python -m benchmarks.raytrace FOLDER`.

The scenes hold the project's own printed paper on bases, models, dice, a tape measure and a hand,
under window light. Each scene is traced once and exposed twice: metered on the dark sea, so that
white paper clips, and well. Needs `pip install -e .[scenes]`; no test does, they read the files.
"""

import argparse
import json
import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import pypdfium2  # type: ignore[import-untyped]
from numpy.typing import NDArray

from calibration.homography import TableSize
from calibration.marker_layout import MarkerLayout, MarkerOrder, lay_out_markers
from calibration.markers import CORNER_IDS
from combat.participants import SideShape
from web.drawing.marker_outline import marker_outline
from web.drawing.marker_pages import print_markers

Array = NDArray[np.float64]
Floats = NDArray[np.float32]
Image = NDArray[np.uint8]

TABLE: Final = TableSize.of_inches(72, 48)
WIDTH_PX: Final = 1920
HEIGHT_PX: Final = 1080
LENS_MARGIN: Final = 1.14
"""The traced picture is so much larger: the lens is bent afterwards."""
PAGE_PX_PER_MM: Final = 14.0
CORNER_SHEET_MM: Final = 0.12
WHITE_PAPER: Final = 0.86
BLACK_INK: Final = 0.035
MAT_MARGIN_MM: Final = 420.0
MOST_BYTES: Final = 300_000


@dataclass(frozen=True, slots=True)
class Ship:
    """A marker on its base, and perhaps a model standing on the same base or beside it."""

    marker_id: int
    x_mm: float
    y_mm: float
    heading_deg: float
    height_mm: float
    model: str = ""
    """Where a model stands: "ahead", "astern", "beside", or nowhere.

    Or "before": another ship's, in the camera's way.
    """


@dataclass(frozen=True, slots=True)
class Scene:
    """What stands on the table, and how the camera looks at it."""

    name: str
    seed: int
    tilt_deg: float
    tag_mm: float = 30.0
    base_mm: float = 3.0
    ships: int = 20
    field_of_view_deg: float = 68.0
    k1: float = -0.06
    models: tuple[str, ...] = ("", "ahead", "astern", "beside")
    """Where the models stand, ship by ship in turn; see `Ship.model`."""
    hand: bool = False
    paper_mat: str = "sea"
    """The mat: "sea" with waves, or "hex" with printed hexagons."""
    pan_deg: float = 0.0
    width_px: int = WIDTH_PX
    height_px: int = HEIGHT_PX


SCENES: Final = (
    Scene("overhead", 11, tilt_deg=12, tag_mm=30),
    Scene("tilted", 12, tilt_deg=38, tag_mm=30, hand=True),
    Scene("steep", 13, tilt_deg=55, tag_mm=30, pan_deg=8),
    Scene("small", 14, tilt_deg=30, tag_mm=20, models=("",), paper_mat="hex"),
    Scene("crowded", 15, tilt_deg=45, tag_mm=25, ships=28, paper_mat="hex", hand=True),
    Scene("hidden", 16, tilt_deg=45, tag_mm=30, ships=24, models=("before",)),
    Scene(
        "coarse",
        17,
        tilt_deg=55,
        tag_mm=30,
        models=("ahead", "", "astern"),
        paper_mat="hex",
        width_px=1280,
        height_px=720,
    ),
)


# The printed paper


@dataclass(frozen=True, slots=True)
class Paper:
    """The marker pages as pictures, in linear reflectance."""

    layout: MarkerLayout
    pages: tuple[Floats, ...]

    @classmethod
    def printed(cls, tag_mm: float) -> "Paper":
        """The pages as the program prints them, for 38 numbered ships."""
        layout = lay_out_markers(MarkerOrder(numbered=38, tag_mm=tag_mm))
        document = pypdfium2.PdfDocument(print_markers(layout, {}))
        pages = []
        for page in document:
            picture = page.render(scale=PAGE_PX_PER_MM * 25.4 / 72).to_numpy()[..., :3]
            srgb = picture.astype(np.float32) / 255
            linear = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
            pages.append(BLACK_INK + (WHITE_PAPER - BLACK_INK) * linear.astype(np.float32))
        return cls(layout, tuple(pages))

    def cut(self, page: int, at: tuple[float, float], reach_mm: float) -> Floats:
        """A square of a page about a point."""
        x, y = (round(value * PAGE_PX_PER_MM) for value in at)
        reach = round(reach_mm * PAGE_PX_PER_MM)
        padded = np.pad(
            self.pages[page - 1], ((reach, reach), (reach, reach), (0, 0)), constant_values=0.8
        )
        return np.ascontiguousarray(padded[y : y + 2 * reach, x : x + 2 * reach])


# Meshes


def prism(outline: Array, bottom: float, top: float) -> tuple[Array, NDArray[np.uint32]]:
    """A convex outline drawn up from one height to another: corners and triangles."""
    n = len(outline)
    low = np.column_stack([outline, np.full(n, bottom)])
    high = np.column_stack([outline, np.full(n, top)])
    points = np.vstack([low, high])
    triangles = []
    for i in range(n):
        j = (i + 1) % n
        triangles += [(i, j, n + j), (i, n + j, n + i)]
    triangles += [(n, n + i, n + i + 1) for i in range(1, n - 1)]
    return points, np.array(triangles, dtype=np.uint32)


def turned(points: Array, heading_deg: float, at: tuple[float, float]) -> Array:
    """Points of a ship (bow along y) on the table, for her heading clockwise from y."""
    a = math.radians(heading_deg)
    turn = np.array([[math.cos(a), math.sin(a)], [-math.sin(a), math.cos(a)]])
    out = points.copy()
    out[:, :2] = points[:, :2] @ turn.T + at
    return out


def hull(length: float, beam: float) -> Array:
    """A ship's outline seen from above, counter-clockwise, bow along y."""
    half, side = length / 2, beam / 2
    right = [
        (0.55 * side, -half),
        (side, -0.75 * half),
        (side, 0.35 * half),
        (0.5 * side, 0.8 * half),
    ]
    return np.array([*right, (0.0, half), *((-x, y) for x, y in reversed(right))])


def box(x: float, y: float, width: float, length: float) -> Array:
    """A rectangle about a point, counter-clockwise."""
    w, h = width / 2, length / 2
    return np.array([(x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h)])


def model_parts(length: float) -> Iterator[tuple[Array, float, float, tuple[float, float, float]]]:
    """The parts of a ship model: outline, bottom, top and colour."""
    beam = 0.13 * length
    grey, deck, dark = (0.23, 0.25, 0.27), (0.38, 0.31, 0.22), (0.12, 0.13, 0.14)
    yield hull(length, beam), 0.0, 0.055 * length, grey
    yield hull(0.97 * length, 0.9 * beam), 0.055 * length, 0.06 * length, deck
    for y, width, long, top in (
        (0.05, 0.5, 0.16, 0.11), (0.10, 0.35, 0.05, 0.19), (-0.14, 0.4, 0.1, 0.10),
    ):  # fmt: skip
        yield box(0, y * length, width * beam, long * length), 0.06 * length, top * length, grey
    for y in (-0.02, -0.09):
        yield box(0, y * length, 0.3 * beam, 0.035 * length), 0.06 * length, 0.16 * length, dark
    for y in (0.21, 0.29, -0.24, -0.31):
        yield box(0, y * length, 0.5 * beam, 0.055 * length), 0.06 * length, 0.085 * length, grey
    for y in (0.1, -0.14):
        yield box(0, y * length, 0.05 * beam, 0.006 * length), 0.1 * length, 0.27 * length, dark


# The surroundings


def sea_mat(rng: np.random.Generator, kind: str, size_mm: tuple[float, float]) -> Floats:
    """A printed mat's reflectance: dark blue with waves, or with hexagons."""
    px = 1.6
    height, width = round(size_mm[1] * px), round(size_mm[0] * px)
    waves = np.zeros((height, width), dtype=np.float32)
    for cell, strength in ((160, 0.5), (40, 0.3), (11, 0.22), (4, 0.14)):
        coarse = rng.normal(size=(height // cell + 2, width // (2 * cell) + 2)).astype(np.float32)
        waves += strength * cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    crests = np.clip(waves - 0.75, 0, 1)[..., None]
    blue = np.array([0.022, 0.062, 0.115], dtype=np.float32)
    mat = blue * np.exp(0.35 * waves)[..., None] + 0.16 * crests
    if kind == "hex":
        lines = np.zeros((height, width), dtype=np.uint8)
        side = 29.0 * px
        for row in range(int(height / (1.5 * side)) + 2):
            for column in range(int(width / (math.sqrt(3) * side)) + 2):
                x = math.sqrt(3) * side * (column + 0.5 * (row % 2))
                y = 1.5 * side * row
                angles = np.radians(np.arange(6) * 60 + 30)
                corners = np.column_stack([x + side * np.cos(angles), y + side * np.sin(angles)])
                cv2.polylines(
                    lines, [np.round(corners).astype(np.int32)], True, 255, 2, cv2.LINE_AA
                )
        share = lines.astype(np.float32)[..., None] / 255
        mat = mat * (1 - 0.75 * share) + 0.75 * share * np.array([0.3, 0.36, 0.4], np.float32)
    return np.asarray(np.clip(mat, 0.004, 0.9), dtype=np.float32)


def tape_texture() -> Floats:
    """A yellow tape with a black line every 10 mm and numbers' blocks."""
    tape = np.full((48, 4000, 3), (0.75, 0.55, 0.06), dtype=np.float32)
    for x in range(0, 4000, 20):
        tape[: 24 if x % 200 else 48, x : x + 4] = 0.03
        if x % 200 == 100:
            tape[26:44, x : x + 26] = 0.05
    return tape


def die_texture() -> Floats:
    """Five pips on white."""
    die = np.full((64, 64, 3), 0.8, dtype=np.float32)
    for x, y in ((16, 16), (48, 16), (32, 32), (16, 48), (48, 48)):
        cv2.circle(die, (x, y), 6, (0.03, 0.03, 0.03), -1, cv2.LINE_AA)
    return die


# Tracing


@dataclass(slots=True)
class Tracer:
    """Builds a scene of mitsuba and traces it."""

    mi: Any
    items: dict[str, Any] = field(default_factory=dict)

    def paint(self, picture: Floats) -> dict[str, Any]:
        """A matte surface with a picture on it."""
        bitmap = self.mi.Bitmap(np.ascontiguousarray(picture))
        texture = {"type": "bitmap", "bitmap": bitmap, "raw": True, "wrap_mode": "clamp"}
        return {"type": "twosided", "inner": {"type": "diffuse", "reflectance": texture}}

    def colour(self, rgb: tuple[float, float, float]) -> dict[str, Any]:
        """A matte surface of one colour."""
        reflectance = {"type": "rgb", "value": list(rgb)}
        return {"type": "twosided", "inner": {"type": "diffuse", "reflectance": reflectance}}

    def add(self, item: Any) -> None:
        """One more thing in the scene."""
        self.items[f"item{len(self.items)}"] = item

    def mesh(
        self,
        points: Array,
        triangles: NDArray[np.uint32],
        surface: dict[str, Any],
        uv: Array | None = None,
    ) -> None:
        """A mesh with flat faces."""
        properties = self.mi.Properties()
        properties["surface"] = self.mi.load_dict(surface)
        mesh = self.mi.Mesh(
            f"mesh{len(self.items)}", len(points), len(triangles),
            has_vertex_texcoords=uv is not None, props=properties,
        )  # fmt: skip
        values = self.mi.traverse(mesh)
        values["vertex_positions"] = np.asarray(points, dtype=np.float32).ravel()
        values["faces"] = triangles.ravel()
        if uv is not None:
            # A bitmap's first row is at v = 0.
            values["vertex_texcoords"] = (uv * [1, -1] + [0, 1]).astype(np.float32).ravel()
        values.update()
        self.add(mesh)

    def slab(
        self,
        outline: Array,
        bottom: float,
        top: float,
        surface: dict[str, Any],
        side: dict[str, Any],
        uv: Array,
    ) -> None:
        """A prism with a picture on its upper face."""
        points, triangles = prism(outline, bottom, top - 0.01)
        if top - bottom > 0.3:
            self.mesh(points, triangles, side)
        cap = np.column_stack([outline, np.full(len(outline), top)])
        fan = np.array([(0, i, i + 1) for i in range(1, len(outline) - 1)], dtype=np.uint32)
        self.mesh(cap, fan, surface, uv)


@dataclass(frozen=True, slots=True)
class View:
    """The camera: where it stands, and its axes in table coordinates."""

    centre: Array
    to_camera: Array
    focal_px: float

    def project(self, points: Array, width_px: int, height_px: int, k1: float) -> Array:
        """Pixels of table points (N, 3) in the bent picture."""
        seen = (points - self.centre) @ self.to_camera.T
        flat = seen[:, :2] / seen[:, 2:]
        flat = flat * (1 + k1 * (flat**2).sum(axis=1, keepdims=True))
        return np.asarray(flat * self.focal_px + [(width_px - 1) / 2, (height_px - 1) / 2])


def view_of(scene: Scene) -> View:
    """A camera that has the whole table in its picture."""
    focal = scene.width_px / 2 / math.tan(math.radians(scene.field_of_view_deg) / 2)
    tilt, pan = math.radians(scene.tilt_deg), math.radians(scene.pan_deg)
    forward = np.array([
        math.sin(pan) * math.sin(tilt), math.cos(pan) * math.sin(tilt), -math.cos(tilt)
    ])  # fmt: skip
    right = np.array([math.cos(pan), -math.sin(pan), 0.0])
    down = np.cross(forward, right)
    axes = np.stack([right, down, forward])
    middle = np.array([TABLE.width_mm / 2, TABLE.height_mm / 2, 0.0])
    corners = np.column_stack([TABLE.corner_places_mm, np.zeros(4)])
    spread = np.vstack([corners + np.array([dx, dy, 0]) for dx in (-45, 45) for dy in (-45, 45)])
    for distance in np.arange(900, 4500, 20.0):
        for aim in (0.0, -0.06, 0.06, -0.12, 0.12):
            target = middle + np.array([0, aim * TABLE.height_mm, 0])
            view = View(target - distance * forward, axes, focal)
            seen = view.project(spread, scene.width_px, scene.height_px, scene.k1)
            inside = (seen > 6) & (seen < [scene.width_px - 7, scene.height_px - 7])
            if inside.all():
                return view
    raise ValueError(f"no camera of {scene.field_of_view_deg}° sees the whole table")


def ships_of(scene: Scene, paper: Paper) -> tuple[Ship, ...]:
    """Ships spread over the table, no two bases on each other."""
    rng = np.random.default_rng(scene.seed)
    numbers = rng.permutation([ship.marker_id for ship in paper.layout.ships])[: scene.ships]
    ships: list[Ship] = []
    while len(ships) < len(numbers):
        x = float(rng.uniform(110, TABLE.width_mm - 110))
        y = float(rng.uniform(110, TABLE.height_mm - 110))
        if any(math.hypot(x - other.x_mm, y - other.y_mm) < 135 for other in ships):
            continue
        number = int(numbers[len(ships)])
        kind = scene.models[len(ships) % len(scene.models)]
        ships.append(Ship(number, x, y, float(rng.uniform(0, 360)), scene.base_mm, kind))
    return tuple(ships)


def build(scene: Scene, paper: Paper, ships: tuple[Ship, ...], view: View, tracer: Tracer) -> None:
    """Everything on and around the table."""
    rng = np.random.default_rng(scene.seed + 1000)
    transform = tracer.mi.ScalarTransform4f
    width, height = TABLE.width_mm, TABLE.height_mm
    size = (width + 2 * MAT_MARGIN_MM, height + 2 * MAT_MARGIN_MM)
    mat = np.array([[-MAT_MARGIN_MM, -MAT_MARGIN_MM], [width + MAT_MARGIN_MM, -MAT_MARGIN_MM],
                    [width + MAT_MARGIN_MM, height + MAT_MARGIN_MM],
                    [-MAT_MARGIN_MM, height + MAT_MARGIN_MM]])  # fmt: skip
    cap = np.column_stack([mat, np.zeros(4)])
    two = np.array([(0, 1, 2), (0, 2, 3)], dtype=np.uint32)
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], dtype=float)
    tracer.mesh(cap, two, tracer.paint(sea_mat(rng, scene.paper_mat, size)), square)
    _add_corners(paper, tracer)
    for ship in ships:
        _add_ship(ship, paper, tracer, rng)
    _add_clutter(ships, tracer, rng)
    if scene.hand:
        _add_hand(ships[0], tracer)
    # A window to the left, the room's own light from everywhere.
    window = transform().look_at(
        origin=[-1600, height * 0.7, 1500], target=[width * 0.5, height * 0.5, 0], up=[0, 0, 1]
    ) @ transform().scale([600, 700, 1])  # fmt: skip
    tracer.add({
        "type": "rectangle", "to_world": window,
        "emitter": {"type": "area", "radiance": {"type": "rgb", "value": [9.0, 9.6, 10.5]}},
    })  # fmt: skip
    tracer.add({"type": "constant", "radiance": {"type": "rgb", "value": [0.55, 0.5, 0.44]}})
    tracer.add(_sensor(scene, view, tracer))


def _sensor(scene: Scene, view: View, tracer: Tracer) -> dict[str, Any]:
    wide = round(scene.width_px * LENS_MARGIN / 2) * 2
    high = round(scene.height_px * LENS_MARGIN / 2) * 2
    forward, up = view.to_camera[2], -view.to_camera[1]
    middle = np.array([TABLE.width_mm / 2, TABLE.height_mm / 2, 0.0])
    focus = float((middle - view.centre) @ forward)
    return {
        "type": "thinlens",
        "to_world": tracer.mi.ScalarTransform4f().look_at(
            origin=view.centre.tolist(), target=(view.centre + forward).tolist(), up=up.tolist()
        ),
        "fov": math.degrees(2 * math.atan(wide / 2 / view.focal_px)),
        "fov_axis": "x",
        "aperture_radius": 1.1,
        "focus_distance": focus,
        "near_clip": 50.0,
        "far_clip": 20000.0,
        "film": {
            "type": "hdrfilm", "width": wide, "height": high,
            "rfilter": {"type": "gaussian", "stddev": 0.45}, "component_format": "float32",
        },
        "sampler": {"type": "independent"},
    }  # fmt: skip


def _add_corners(paper: Paper, tracer: Tracer) -> None:
    piece = paper.layout.corner_piece
    for corner, (page, at) in paper.layout.corners.items():
        x, y = TABLE.corner_places_mm[CORNER_IDS[corner]]
        w, top, bottom = piece.half_width, piece.top, piece.bottom
        outline = np.array(
            [(x - w, y - bottom), (x + w, y - bottom), (x + w, y + top), (x - w, y + top)]
        )
        reach = max(w, top, bottom) + 1
        uv = (outline - (x, y) + reach) / (2 * reach)
        surface = tracer.paint(paper.cut(page, at, reach))
        tracer.slab(outline, 0.0, CORNER_SHEET_MM, surface, tracer.colour((0.8, 0.8, 0.8)), uv)


def _outline(paper: Paper) -> Array:
    """The cut line of a ship's marker about its centre, bow along y, counter-clockwise."""
    points = np.array(marker_outline(paper.layout.piece, SideShape.SQUARE).points, dtype=float)
    if np.allclose(points[0], points[-1]):
        points = points[:-1]
    points = points * [1, -1]
    area = np.sum(
        points[:, 0] * np.roll(points[:, 1], -1) - points[:, 1] * np.roll(points[:, 0], -1)
    )
    return points if area > 0 else points[::-1]


def _add_ship(ship: Ship, paper: Paper, tracer: Tracer, rng: np.random.Generator) -> None:
    placed = next(p for p in paper.layout.ships if p.marker_id == ship.marker_id)
    outline = _outline(paper)
    reach = float(np.abs(outline).max()) + 1
    uv = (outline + reach) / (2 * reach)
    at = (ship.x_mm, ship.y_mm)
    base = turned(outline, ship.heading_deg, at)
    surface = tracer.paint(paper.cut(placed.page, placed.at, reach))
    tracer.slab(base, 0.0, ship.height_mm, surface, tracer.colour((0.06, 0.06, 0.06)), uv)
    if not ship.model:
        return
    piece = paper.layout.piece
    length = float(rng.uniform(75, 120))
    if ship.model == "before":
        _add_model_before(ship, 0.75 * piece.half_width, length, tracer, rng)
        return
    shift = {
        "ahead": (0.0, piece.top + length / 2 + 2),
        "astern": (0.0, -piece.bottom - length / 2 - 2),
        "beside": (piece.half_width + 0.07 * length + 2, 0.0),
    }[ship.model]
    for part, bottom, top, colour in model_parts(length):
        points, triangles = prism(part + shift, bottom, top)
        tracer.mesh(turned(points, ship.heading_deg, at), triangles, tracer.colour(colour))


def _add_model_before(
    ship: Ship, reach_mm: float, length: float, tracer: Tracer, rng: np.random.Generator
) -> None:
    """Another ship's model, nearly broadside to the camera, between it and the marker."""
    at = (
        ship.x_mm + float(rng.uniform(-0.5, 0.5)) * length,
        ship.y_mm - reach_mm - 0.07 * length - float(rng.uniform(-4, 8)),
    )
    heading = 90.0 + float(rng.uniform(-25, 25))
    for part, bottom, top, colour in model_parts(length):
        points, triangles = prism(part, bottom, top)
        tracer.mesh(turned(points, heading, at), triangles, tracer.colour(colour))


def _add_clutter(ships: tuple[Ship, ...], tracer: Tracer, rng: np.random.Generator) -> None:
    """Dice and a tape measure where no ship is."""

    def free(reach: float) -> tuple[float, float]:
        while True:
            x = float(rng.uniform(60, TABLE.width_mm - 60))
            y = float(rng.uniform(60, TABLE.height_mm - 60))
            if all(math.hypot(x - s.x_mm, y - s.y_mm) > reach for s in ships):
                return x, y

    sides = tracer.colour((0.8, 0.8, 0.8))
    face = die_texture()
    for _ in range(8):
        x, y = free(75)
        edge = turned(np.column_stack([box(0, 0, 14, 14), np.zeros(4)]), rng.uniform(0, 90), (x, y))
        tracer.slab(edge[:, :2], 0.0, 14.0, tracer.paint(face), sides,
                    np.array([(0, 0), (1, 0), (1, 1), (0, 1)], dtype=float))  # fmt: skip
    x, y = free(75)
    strip = turned(np.column_stack([box(0, 0, 19, 700), np.zeros(4)]), rng.uniform(0, 180), (x, y))
    strip_uv = np.array([(0, 0), (0, 1), (1, 1), (1, 0)], dtype=float)
    # The tape may pass under bases, as a real one does.
    tracer.slab(strip[:, :2], 0.0, 0.2, tracer.paint(tape_texture()), sides, strip_uv)


def _add_hand(ship: Ship, tracer: Tracer) -> None:
    """A hand that reaches in from the near edge towards a ship and stops short of her."""
    skin = tracer.colour((0.48, 0.28, 0.2))
    tip = np.array([ship.x_mm + 25, ship.y_mm - 38, 16.0])
    back = np.array([0.15, -1.0, 0.22])
    back /= np.linalg.norm(back)
    side = np.array([1.0, 0.15, 0.0])

    def limb(start: Array, end: Array, radius: float) -> None:
        tracer.add({"type": "cylinder", "p0": start.tolist(), "p1": end.tolist(),
                    "radius": radius, "bsdf": skin})  # fmt: skip
        for point in (start, end):
            tracer.add({"type": "sphere", "center": point.tolist(), "radius": radius, "bsdf": skin})

    knuckles = tip + back * 78
    for finger in range(4):
        shift = side * (finger - 1.0) * 19
        limb(tip + shift + back * (6 * abs(finger - 1)), knuckles + shift, 8.5)
    for finger in range(4):
        limb(
            knuckles + side * (finger - 1.0) * 19,
            knuckles + back * 75 + side * (finger - 1.0) * 12,
            14.0,
        )
    limb(tip - side * 46 + back * 40, knuckles - side * 22 + back * 40, 10.0)
    limb(knuckles + back * 90 + side * 8, knuckles + back * 900 + side * 8, 34.0)


def visible_share(tracer: Tracer, loaded: Any, view: View, ship: Ship, tag_mm: float) -> float:
    """The part of a tag that the camera sees, by rays to a grid over it."""
    line = (np.arange(16) + 0.5) / 16 * tag_mm - tag_mm / 2
    grid = np.stack(np.meshgrid(line, line), axis=-1).reshape(-1, 2)
    spots = turned(
        np.column_stack([grid, np.full(len(grid), ship.height_mm + 0.25)]),
        ship.heading_deg, (ship.x_mm, ship.y_mm),
    )  # fmt: skip
    towards = view.centre - spots
    far = np.linalg.norm(towards, axis=1)
    mi = tracer.mi
    hidden = 0
    for spot, way, length in zip(spots, towards / far[:, None], far, strict=True):
        ray = mi.Ray3f(mi.Point3f(spot.tolist()), mi.Vector3f(way.tolist()))
        ray.maxt = float(length) - 1
        hidden += bool(loaded.ray_test(ray))
    return 1 - hidden / len(spots)


def trace(scene: Scene, samples: int) -> tuple[Floats, dict[str, Any]]:
    """The linear picture of a scene with its lens bent, and the truth."""
    mitsuba: Any = import_module("mitsuba")
    mitsuba.set_variant("scalar_rgb")
    tracer = Tracer(mitsuba)
    paper = Paper.printed(scene.tag_mm)
    ships, view = ships_of(scene, paper), view_of(scene)
    build(scene, paper, ships, view, tracer)
    loaded = mitsuba.load_dict(
        {"type": "scene", "integrator": {"type": "path", "max_depth": 4}, **tracer.items}
    )
    total = np.zeros(())
    step = min(samples, 16)
    for done in range(0, samples, step):
        total = total + np.array(mitsuba.render(loaded, spp=step, seed=scene.seed * 100 + done))
        print(f"{scene.name}: {min(done + step, samples)} of {samples} samples", file=sys.stderr)
    linear = (total / math.ceil(samples / step))[..., :3].astype(np.float32)
    markers = []
    for ship in ships:
        half = scene.tag_mm / 2
        square = np.column_stack([box(0, 0, 2 * half, 2 * half), np.full(4, ship.height_mm)])
        corners = view.project(
            turned(square, ship.heading_deg, (ship.x_mm, ship.y_mm)),
            scene.width_px, scene.height_px, scene.k1,
        )  # fmt: skip
        side = math.sqrt(cv2.contourArea(corners.astype(np.float32)))
        markers.append({
            "id": ship.marker_id,
            "x_mm": round(ship.x_mm, 3), "y_mm": round(ship.y_mm, 3),
            "heading_deg": round(ship.heading_deg, 3), "height_mm": ship.height_mm,
            "visible": round(visible_share(tracer, loaded, view, ship, scene.tag_mm), 3),
            "side_px": round(side, 2), "model": ship.model,
        })  # fmt: skip
    truth = {
        "table_mm": [TABLE.width_mm, TABLE.height_mm], "tag_mm": scene.tag_mm,
        "tilt_deg": scene.tilt_deg, "focal_px": view.focal_px, "k1": scene.k1,
        "camera_mm": [round(float(v), 2) for v in view.centre], "markers": markers,
    }  # fmt: skip
    return bend(linear, scene, view), truth


def bend(linear: Floats, scene: Scene, view: View) -> Floats:
    """The picture as a lens with k1 draws it."""
    high, wide = linear.shape[:2]
    x, y = np.meshgrid(np.arange(scene.width_px), np.arange(scene.height_px))
    bent = (
        np.stack([x - (scene.width_px - 1) / 2, y - (scene.height_px - 1) / 2], -1) / view.focal_px
    )
    flat = bent.copy()
    for _ in range(12):
        flat = bent / (1 + scene.k1 * (flat**2).sum(axis=-1, keepdims=True))
    spots = (flat * view.focal_px + [(wide - 1) / 2, (high - 1) / 2]).astype(np.float32)
    return np.asarray(cv2.remap(linear, spots[..., 0], spots[..., 1], cv2.INTER_LANCZOS4))


# The camera's electronics


def expose(linear: Floats, rng: np.random.Generator, *, clipped: bool) -> Image:
    """A webcam's picture: glare, exposure, colour filter, noise, sharpening, tone curve."""
    light = np.maximum(linear, 0)
    glare = (
        cv2.GaussianBlur(light, (0, 0), 14) * 0.035 + cv2.GaussianBlur(light, (0, 0), 2.2) * 0.07
    )
    light = cv2.GaussianBlur(light, (0, 0), 0.62) * 0.895 + glare
    gray = light.mean(axis=2)
    # Metered on the dark sea, or on the brightest paper.
    gain = 0.19 / float(np.median(gray)) if clipped else 0.8 / float(np.percentile(gray, 99.6))
    full = 9000.0 if clipped else 16000.0
    electrons = rng.poisson(np.clip(light * gain * full, 0, 60 * full)) + rng.normal(
        0, 9, light.shape
    )
    raw = np.clip(electrons / full, 0, 1)
    mosaic = np.zeros(raw.shape[:2])
    mosaic[0::2, 0::2], mosaic[0::2, 1::2] = raw[0::2, 0::2, 0], raw[0::2, 1::2, 1]
    mosaic[1::2, 0::2], mosaic[1::2, 1::2] = raw[1::2, 0::2, 1], raw[1::2, 1::2, 2]
    colour = cv2.demosaicing((mosaic * 65535).astype(np.uint16), cv2.COLOR_BayerRGGB2RGB_EA)
    value = colour.astype(np.float64) / 65535
    tone = np.where(value <= 0.0031308, 12.92 * value, 1.055 * value ** (1 / 2.4) - 0.055)
    sharp = tone + 0.5 * (tone - cv2.GaussianBlur(tone, (0, 0), 1.1))
    return np.asarray(np.clip(np.round(sharp * 255), 0, 255), dtype=np.uint8)[..., ::-1]


def jpeg(image: Image) -> bytes:
    """A JPEG no larger than is kept in the repository."""
    for quality in (90, 86, 82, 78, 74, 70, 65, 60):
        _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
        if data.nbytes <= MOST_BYTES:
            break
    return data.tobytes()


def main(arguments: list[str] | None = None) -> int:
    """Write the pictures and their truth."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.raytrace", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--scene", action="append", choices=[scene.name for scene in SCENES])
    parser.add_argument("--samples", type=int, default=48)
    chosen = parser.parse_args(arguments)
    chosen.folder.mkdir(parents=True, exist_ok=True)
    for scene in SCENES:
        if chosen.scene and scene.name not in chosen.scene:
            continue
        linear, truth = trace(scene, chosen.samples)
        for clipped in (True, False):
            name = f"{scene.name}-{'clipped' if clipped else 'exposed'}"
            picture = expose(linear, np.random.default_rng(scene.seed), clipped=clipped)
            (chosen.folder / f"{name}.jpg").write_bytes(jpeg(picture))
        text = json.dumps(truth, indent=1)
        (chosen.folder / f"{scene.name}.json").write_text(f"{text}\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
