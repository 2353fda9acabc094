"""The demo camera: Denmark Strait in sight, named, and never off the table."""

import numpy as np

from calibration.homography import TableSize
from vision.snapshot import ShipState
from vision.sources.all_sources import Clock, Frame
from vision.tracking.tracker import Tracker
from vision.tracking.watcher import Watcher
from web.camera.demo import demo_camera, demo_marker_set, demo_story, demo_table
from web.scenes import demo_scene


def test_the_demo_is_seen_by_name_where_the_scene_has_it() -> None:
    now = [0.0]

    def sleep(seconds: float) -> None:
        now[0] += seconds

    clock = Clock(lambda: now[0], sleep)
    table = demo_table()
    size = TableSize(table.table_width_mm, table.table_height_mm)
    watcher = Watcher(demo_camera(clock), Tracker(demo_marker_set(), size), clock)
    for _ in range(10):
        seen = watcher.step()
    scene = demo_scene()
    assert [ship.name for ship in seen.snapshot.ships] == list(scene.table.names)
    for ship in seen.snapshot.ships:
        assert ship.state is ShipState.SETTLED
        pose = scene.table[ship.name].pose
        assert abs(ship.pose.x_mm - scene.scale.mm_from_yards(pose.x_yards)) < 0.5
        assert abs(ship.pose.y_mm - scene.scale.mm_from_yards(pose.y_yards)) < 0.5
    assert isinstance(seen.frame, Frame)
    assert seen.frame.image.shape == (1080, 1920, 3)


def test_the_ships_sail_slowly_and_stay_on_the_table() -> None:
    story, scene = demo_story(), demo_table()
    assert story.loop_seconds is not None
    before = story.markers_at(0.0)
    for second in np.arange(0.5, story.loop_seconds, 0.5):
        now = story.markers_at(float(second))
        for old, new in zip(before, now, strict=True):
            assert np.hypot(new.x_mm - old.x_mm, new.y_mm - old.y_mm) < 5
            assert 40 < new.x_mm < scene.table_width_mm - 40
            assert 40 < new.y_mm < scene.table_height_mm - 40
        places = [(marker.x_mm, marker.y_mm) for marker in now]
        apart = [np.hypot(a - c, b - d) for i, (a, b) in enumerate(places) for c, d in places[:i]]
        assert min(apart) > 60
        before = now
