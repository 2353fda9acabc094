"""Scenes on the rendered table, and the demo camera: Denmark Strait, its ships sailing slowly."""

from functools import cache
from typing import Final

from calibration.marker_file import MarkerSet
from calibration.markers import family_for
from combat.scene_file import Scene
from combat.ships import ShipClass
from vision.sources.all_sources import Clock, FrameSource, RenderedTable
from vision.synthetic.moving_scene import MovingScene, sailing_round
from vision.synthetic.picture_settings import PictureSettings, read_picture_settings
from vision.synthetic.renderer import CameraView, RenderedMarker, RenderScene, Silhouette
from vision.synthetic.scene import marker_set_of
from web.scenes import demo_scene
from web.sides import side_of

FRAMES_PER_SECOND: Final = 5.0
_VIEW: Final = CameraView(blur_px=0.6, noise=2.0, vignette=0.1)
_STRAIGHT_MM: Final = 340.0
_RADIUS_MM: Final = 85.0
_MM_PER_SECOND: Final = 6.0
_SAIL_SECONDS: Final = 12.0
_REST_SECONDS: Final = 10.0

_SILHOUETTES: Final = {
    ShipClass.HEAVY_CRUISER: Silhouette.CRUISER,
    ShipClass.LIGHT_CRUISER: Silhouette.CRUISER,
    ShipClass.DESTROYER: Silhouette.DESTROYER,
    ShipClass.CARRIER: Silhouette.CARRIER,
}


def table_of(scene: Scene, settings: PictureSettings) -> RenderScene:
    """A scene's ships on the rendered table; ids are assigned in the file's order."""
    family = family_for(len(scene.table.models))
    scale = scene.scale
    markers = []
    for marker_id, model in zip(family.ship_ids, scene.table.models, strict=False):
        ship = scene.ships.get(model.name)
        shape = Silhouette.BATTLESHIP
        if ship is not None:
            shape = _SILHOUETTES.get(ship.ship_class, shape)
        markers.append(
            RenderedMarker(
                id=marker_id,
                x_mm=scale.mm_from_yards(model.pose.x_yards),
                y_mm=scale.mm_from_yards(model.pose.y_yards),
                heading_deg=model.pose.heading_deg,
                tag_mm=settings.tag_mm,
                height_mm=settings.tag_height_mm,
                base_length_mm=scale.mm_from_yards(model.base.length_yards),
                base_width_mm=scale.mm_from_yards(model.base.width_yards),
                name=model.name,
                colour=side_of(ship).colour if ship is not None else "",
                silhouette=shape,
            )
        )
    return RenderScene(
        markers=tuple(markers),
        counters=settings.counters,
        hands=settings.hands,
        table_width_mm=settings.table_width_mm,
        table_height_mm=settings.table_height_mm,
        corner_mm=settings.corner_mm,
        surface=settings.surface,
        family=family,
    )


@cache
def demo_table() -> RenderScene:
    """The demo battle's ships on the table."""
    return table_of(demo_scene(), read_picture_settings(b"", "demo"))


def demo_story() -> MovingScene:
    """The table over time: each ship sails on, turns back and returns, with pauses."""
    scene = demo_table()
    tracks = [
        sailing_round(
            marker,
            _STRAIGHT_MM,
            _RADIUS_MM,
            mm_per_second=_MM_PER_SECOND,
            sail_seconds=_SAIL_SECONDS,
            rest_seconds=_REST_SECONDS,
        )
        for marker in scene.markers
    ]
    loop = max((track.keys[-1].seconds for track in tracks), default=None)
    return MovingScene(scene, _VIEW, tracks, loop_seconds=loop, thrifty=True)


def demo_camera(clock: Clock) -> FrameSource:
    """The demo as a frame source."""
    return RenderedTable(demo_story(), clock, FRAMES_PER_SECOND)


def demo_marker_set() -> MarkerSet:
    """The marker set of the demo's table."""
    return marker_set_of(demo_table())
