"""A synthetic photograph of the table with its exact truth: tests, benchmarks, the demo camera.

`render(scene, view)` paints the scene as the view's camera sees it and says where everything
truly is. The same scene, view and seed give the same picture, byte for byte.
"""

import math
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Final, TypedDict

import numpy as np
from numpy.typing import NDArray

from calibration.markers import MarkerKind
from vision.images import Image
from vision.synthetic.camera import (
    CameraView,
    FloatArray,
    Glare,
    Shadow,
    TrueCamera,
    fitted,
    true_camera,
)
from vision.synthetic.light import Grain, Light, finish
from vision.synthetic.paint import (
    Box,
    Patch,
    flat_patch,
    hand_outlines,
    hand_patch,
    shade_under,
    wall_patches,
)
from vision.synthetic.partial_redraw import Redrawn
from vision.synthetic.scene import (
    RenderedCounter,
    RenderedHand,
    RenderedMarker,
    RenderScene,
    Silhouette,
    Surface,
    local_to_table,
    rectangle,
)
from vision.synthetic.textures import (
    FloatImage,
    Texture,
    counter_texture,
    marker_texture,
)

__all__ = [
    "CameraView",
    "Glare",
    "RenderScene",
    "Rendered",
    "RenderedCounter",
    "RenderedHand",
    "RenderedMarker",
    "Renderer",
    "Shadow",
    "Silhouette",
    "Surface",
    "TrueCamera",
    "TrueCounter",
    "TrueMarker",
    "TrueThing",
    "Truth",
    "fitted",
    "render",
    "true_camera",
]


_PROBES: Final = 16
"""Along each side of a tag, to say how much of it can be seen."""
_SUN: Final = np.array([0.5, -0.35])
"""Where a base's own shadow falls, in heights."""


@dataclass(frozen=True, kw_only=True)
class TrueThing:
    """Where something with a flat top truly is, on the table and in the picture."""

    name: str
    x_mm: float
    y_mm: float
    heading_deg: float
    height_mm: float
    corners_px: FloatArray = field(compare=False)
    """4 × 2: upper left, upper right, lower right, lower left of the thing itself."""
    visible: float
    """The share of it that is in the picture and under no hand and no other base."""

    @property
    def seen(self) -> bool:
        """Whether all of it can be seen."""
        return self.visible > 0.999


@dataclass(frozen=True, kw_only=True)
class TrueMarker(TrueThing):
    """Where a tag truly is."""

    id: int
    kind: MarkerKind
    tag_mm: float


@dataclass(frozen=True, kw_only=True)
class TrueCounter(TrueThing):
    """Where a plain counter truly is; its heading may as well be the opposite one."""


@dataclass(frozen=True)
class Truth:
    """What a rendered picture shows: the camera and everything it sees."""

    camera: TrueCamera
    corners: tuple[TrueMarker, ...]
    markers: tuple[TrueMarker, ...]
    counters: tuple[TrueCounter, ...]

    def marker(self, marker_id: int) -> TrueMarker:
        """The ship's marker of this id."""
        return next(marker for marker in self.markers if marker.id == marker_id)


@dataclass(frozen=True)
class Rendered:
    """A picture, blue green red, and its truth."""

    image: Image
    truth: Truth


@dataclass(frozen=True)
class _Thing:
    """A flat-topped thing on the table: a marker or a counter."""

    place: tuple[float, float, float]
    height_mm: float
    texture: Texture
    wall: tuple[float, float, float]
    square_mm: tuple[float, float]
    """The part that the truth speaks of: the tag, or the counter's whole top."""

    def probes(self) -> FloatArray:
        """Points all over that part."""
        steps = (np.arange(_PROBES) + 0.5) / _PROBES - 0.5
        ahead, right = np.meshgrid(steps * self.square_mm[0], steps * self.square_mm[1])
        points = np.stack([ahead.ravel(), right.ravel()], axis=1)
        return local_to_table(*self.place, points, self.height_mm)

    def corners(self) -> FloatArray:
        """Its corners on the table, upper left first."""
        return local_to_table(*self.place, rectangle(*self.square_mm), self.height_mm)


class Renderer:
    """Draws frames of one table through one camera; what stands still is drawn once."""

    def __init__(
        self, scene: RenderScene, view: CameraView, *, stream: bool = False, thrifty: bool = False
    ) -> None:
        """A stream keeps its empty table; a thrifty one also all that did not move, noise and all.

        A thrifty stream has no compression: it works on the whole picture.
        """
        self.view = view
        self.scene = scene
        self.camera = true_camera(view, scene.table_width_mm, scene.table_height_mm)
        self._light = Light(self.camera, scene, view)
        self._grain = Grain(view, stream=stream or thrifty)
        self._redrawn = Redrawn(self._light, view, self._grain) if thrifty else None
        self._corners = [self._marker_thing(marker) for marker in scene.corner_markers]
        self._known: dict[_Thing, list[Patch]] = {}
        self._empty = self._empty_table() if stream or thrifty else None

    def frame(
        self,
        markers: tuple[RenderedMarker, ...],
        counters: tuple[RenderedCounter, ...] = (),
        hands: tuple[RenderedHand, ...] = (),
        number: int = 0,
    ) -> Rendered:
        """The picture with these things on the table; the number chooses the noise."""
        canvas = self._empty_table() if self._empty is None else self._empty.copy()
        owner = np.full(canvas.shape[:2], -1, np.int16)
        things = [self._marker_thing(marker) for marker in markers]
        things += [self._counter_thing(counter) for counter in counters]
        everything = [*self._corners, *things]
        known: dict[_Thing, list[Patch]] = {}
        drawn: dict[Hashable, list[Box]] = {}
        for index in self._far_to_near(everything):
            thing = everything[index]
            patches = self._known.get(thing)
            if patches is None:
                patches = self._patches(thing)
            known[thing] = patches
            drawn[thing] = [patch.box for patch in patches]
            if thing.height_mm > 0 and index >= len(self._corners):
                drawn[thing] += self._ground_shadow(canvas, thing)
            for patch in patches:
                # Corner tags are in the empty table's picture already.
                if index >= len(self._corners):
                    patch.onto(canvas)
                owner[patch.box][patch.coverage > 0.5] = index
        self._known = known
        hidden = self._draw_hands(canvas, hands, drawn)
        if self._redrawn is not None:
            image = self._redrawn.finish(canvas, drawn)
        else:
            image = finish(self._light.fall_on(canvas), self.view, self._grain, number)
        truths = [self._share_seen(thing, i, owner, hidden) for i, thing in enumerate(everything)]
        truth = self._truth(markers, counters, everything, truths)
        return Rendered(image, truth)

    def _empty_table(self) -> FloatImage:
        canvas = self._light.table_picture()
        for thing in self._corners:
            self._known[thing] = self._patches(thing)
            for patch in self._known[thing]:
                patch.onto(canvas)
        return canvas

    def _far_to_near(self, things: list[_Thing]) -> list[int]:
        eye = self.camera.centre_mm[:2]
        far = [-float(np.hypot(*(np.array(thing.place[:2]) - eye))) for thing in things]
        return sorted(range(len(things)), key=far.__getitem__)

    def _marker_thing(self, marker: RenderedMarker) -> _Thing:
        texture = marker_texture(marker, self.scene.family)
        return _Thing(
            (marker.x_mm, marker.y_mm, marker.heading_deg),
            marker.height_mm,
            texture,
            (78.0, 74.0, 70.0),
            (marker.tag_mm, marker.tag_mm),
        )

    def _counter_thing(self, counter: RenderedCounter) -> _Thing:
        texture = counter_texture(counter)
        blue, green, red = counter.colour
        return _Thing(
            (counter.x_mm, counter.y_mm, counter.heading_deg),
            counter.height_mm,
            texture,
            (float(blue), float(green), float(red)),
            (texture.length_mm, texture.width_mm),
        )

    def _patches(self, thing: _Thing) -> list[Patch]:
        size = (thing.texture.length_mm, thing.texture.width_mm)
        patches = wall_patches(self.camera, thing.place, size, thing.height_mm, thing.wall)
        top = flat_patch(self.camera, thing.texture, thing.place, thing.height_mm)
        return patches if top is None else [*patches, top]

    def _ground_shadow(self, canvas: FloatImage, thing: _Thing) -> list[Box]:
        corners = rectangle(thing.texture.length_mm, thing.texture.width_mm)
        outline = local_to_table(*thing.place, corners, 0.0)
        outline[:, :2] += _SUN * thing.height_mm
        softness = 1.0 + 0.25 * thing.height_mm
        return shade_under(self.camera, canvas, outline, softness, 0.45)

    def _draw_hands(
        self,
        canvas: FloatImage,
        hands: tuple[RenderedHand, ...],
        drawn: dict[Hashable, list[Box]],
    ) -> FloatImage | None:
        if not hands:
            return None
        hidden = np.zeros(canvas.shape[:2], np.float32)
        reach = math.hypot(self.scene.table_width_mm, self.scene.table_height_mm)
        for hand in hands:
            boxes = drawn.setdefault(hand, [])
            for outline in hand_outlines(self.camera, hand, reach):
                outline[:, :2] += _SUN * hand.height_mm
                softness = 6 + 0.2 * hand.height_mm
                boxes += shade_under(self.camera, canvas, outline, softness, 0.35)
        for hand in hands:
            patch = hand_patch(self.camera, hand, reach)
            if patch is not None:
                patch.onto(canvas)
                drawn[hand].append(patch.box)
                hidden[patch.box] = np.maximum(hidden[patch.box], patch.coverage)
        return hidden

    def _share_seen(
        self, thing: _Thing, index: int, owner: NDArray[np.int16], hidden: FloatImage | None
    ) -> float:
        probes = thing.probes()
        if not self.camera.in_front(probes):
            return 0.0
        pixels = np.round(self.camera.project(probes)).astype(int)
        x, y = pixels[:, 0], pixels[:, 1]
        inside = (x >= 0) & (y >= 0) & (x < self.view.width_px) & (y < self.view.height_px)
        x, y = x[inside], y[inside]
        seen = owner[y, x] == index
        if hidden is not None:
            seen &= hidden[y, x] < 0.02
        return float(seen.sum()) / len(probes)

    def _truth(
        self,
        markers: tuple[RenderedMarker, ...],
        counters: tuple[RenderedCounter, ...],
        things: list[_Thing],
        seen: list[float],
    ) -> Truth:
        pixels = [self.camera.project(thing.corners()) for thing in things]
        rows = list(zip(pixels, seen, strict=True))
        first = len(self._corners)
        last = first + len(markers)
        corners = zip(self.scene.corner_markers, rows[:first], strict=True)
        ships = zip(markers, rows[first:last], strict=True)
        plain = zip(counters, rows[last:], strict=True)
        return Truth(
            camera=self.camera,
            corners=tuple(_true_marker(m, MarkerKind.CORNER, *row) for m, row in corners),
            markers=tuple(_true_marker(m, MarkerKind.SHIP, *row) for m, row in ships),
            counters=tuple(TrueCounter(**_true_place(c, *row)) for c, row in plain),
        )


class _TruePlace(TypedDict):
    name: str
    x_mm: float
    y_mm: float
    heading_deg: float
    height_mm: float
    corners_px: FloatArray
    visible: float


def _true_place(
    thing: RenderedMarker | RenderedCounter, corners_px: FloatArray, visible: float
) -> _TruePlace:
    return {
        "name": thing.name,
        "x_mm": thing.x_mm,
        "y_mm": thing.y_mm,
        "heading_deg": thing.heading_deg % 360,
        "height_mm": thing.height_mm,
        "corners_px": corners_px,
        "visible": visible,
    }


def _true_marker(
    marker: RenderedMarker, kind: MarkerKind, corners_px: FloatArray, visible: float
) -> TrueMarker:
    place = _true_place(marker, corners_px, visible)
    return TrueMarker(id=marker.id, kind=kind, tag_mm=marker.tag_mm, **place)


def render(scene: RenderScene, view: CameraView | None = None) -> Rendered:
    """The scene as the view's camera sees it, with its truth."""
    renderer = Renderer(scene, CameraView() if view is None else view)
    return renderer.frame(scene.markers, scene.counters, scene.hands)
