"""The film of a battle: a photo for each segment, bounded, and gone with its battle."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.camera import assumed_lens
from calibration.homography import TablePlane
from tabletop.messages import verbatim
from tests.web.battles import Fought
from tests.web.phones import host_of, seated
from vision.snapshot import CameraReport, CameraState, ShipState, Snapshot, TablePose, TrackedShip
from vision.sources.frame_source import Frame
from vision.tracking.watcher import Seen
from web import create_app
from web.camera import film as film_module
from web.camera.film import Film, FilmCamera
from web.http.context import ServerContext

LENS = assumed_lens(640, 360)
PLANE = TablePlane(
    LENS,
    np.array([[LENS.fx_px, 0, LENS.cx_px], [0, -LENS.fy_px, 359 - LENS.cy_px], [0, 0, 1.0]]),
    None,
)


def seen(state: ShipState = ShipState.SETTLED) -> Seen:
    ship = TrackedShip(4, "Hood", TablePose(100, 100, 90, 0.2, 0.3), state, 0.0, 9)
    snapshot = Snapshot(
        seconds=1.0,
        ships=(ship,),
        corners=(),
        camera=CameraReport(CameraState.OK),
        notes=(),
        plane=PLANE,
    )
    return Seen(verbatim("camera"), snapshot, Frame(np.full((360, 640, 3), 90, np.uint8), 1.0, 1))


class Filmed:
    """A battle with a camera over it."""

    def __init__(self, folder: Path) -> None:
        self.fought = Fought(folder / "t.db", seed=3)
        self.context = ServerContext(self.fought.session)
        self.film = self.context.film
        self.look = self.context.camera_thread.after_look

    @property
    def keys(self) -> frozenset[tuple[int, int]]:
        return self.film.keys(self.context.battles.open_id)


@pytest.fixture
def filmed(tmp_path: Path) -> Filmed:
    return Filmed(tmp_path)


def test_every_move_gives_one_photo(filmed: Filmed) -> None:
    filmed.look(seen())
    assert filmed.keys == frozenset()
    for expected in ({(1, 1)}, {(1, 1), (1, 2)}):
        filmed.fought.segments(1)
        for _ in range(3):
            filmed.look(seen())
        assert filmed.keys == expected


def test_a_photo_waits_until_the_models_stand_still(filmed: Filmed) -> None:
    filmed.look(seen())
    filmed.fought.move()
    filmed.look(seen(ShipState.MOVING))
    assert filmed.keys == frozenset()
    filmed.look(seen())
    assert filmed.keys == {(1, 1)}


def test_no_photo_without_a_table_or_when_it_is_switched_off(filmed: Filmed) -> None:
    filmed.look(seen())
    filmed.fought.move()
    blind = seen()
    filmed.look(replace(blind, snapshot=replace(blind.snapshot, plane=None)))
    filmed.context.camera_thread.memory.change(film=False)
    filmed.look(seen())
    assert filmed.keys == frozenset()


def test_what_was_moved_before_the_camera_looked_is_not_filmed(filmed: Filmed) -> None:
    filmed.fought.move()
    filmed.look(seen())
    assert filmed.keys == frozenset()


def test_the_replay_shows_it_and_the_saved_report_carries_it(filmed: Filmed) -> None:
    app = create_app(server_context=filmed.context)
    host = host_of(app)
    filmed.look(seen())
    filmed.fought.move()
    filmed.look(seen())
    (segment,) = host.get("/replay/data").get_json()["segments"]
    answer = seated(app, "Ann", side="british").get(segment["photo"])
    assert answer.mimetype == "image/jpeg"
    assert answer.data.startswith(b"\xff\xd8")
    assert host.get("/replay/photo/9.9.jpg").status_code == 404
    assert "data:image/jpeg;base64," in host.get("/report.html").text
    assert host.post("/api/camera/film", {"on": False}).status_code == 200
    assert filmed.context.camera_thread.memory.setup.film is False


@pytest.fixture(params=["files", "memory"])
def film(request: pytest.FixtureRequest, tmp_path: Path) -> Film:
    return Film(tmp_path / "film" if request.param == "files" else None)


def test_photos_are_bounded_in_number_and_size(film: Film, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(film_module, "MOST_PHOTOS", 2)
    monkeypatch.setattr(film_module, "MOST_BYTES", 100)
    assert film.keep("battle", (1, 1), b"x" * 60)
    assert not film.keep("battle", (1, 2), b"x" * 60)
    assert film.keep("battle", (1, 2), b"x" * 20)
    assert not film.keep("battle", (1, 3), b"x")
    # A segment that is played again replaces its own photo.
    assert film.keep("battle", (1, 1), b"y" * 10)
    assert film.photo("battle", (1, 1)) == b"y" * 10
    assert film.keep("other", (1, 1), b"x" * 60)


def test_photos_are_deleted_with_their_battle(film: Film) -> None:
    film.keep("battle", (1, 1), b"x")
    film.keep("other", (1, 1), b"y")
    film.remove("battle")
    assert film.keys("battle") == frozenset()
    assert film.photo("battle", (1, 1)) is None
    assert film.keys("other") == {(1, 1)}


def test_no_name_leads_out_of_the_folder(tmp_path: Path) -> None:
    film = Film(tmp_path / "film")
    (tmp_path / "kept.jpg").write_bytes(b"x")
    assert not film.keep("../..", (1, 1), b"x")
    assert film.photo("..", (1, 1)) is None
    film.remove("..")
    assert (tmp_path / "kept.jpg").exists()


def test_a_full_disk_costs_a_photo_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, data: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(film_module, "write_output", full)
    film = Film(tmp_path / "film")
    assert not film.keep("battle", (1, 1), b"x")
    assert film.photo("battle", (1, 1)) is None


def test_a_deleted_battle_loses_its_film(filmed: Filmed) -> None:
    filmed.film.keep("old", (1, 1), b"x")
    filmed.context.battles.after_removal("old")
    assert filmed.film.keys("old") == frozenset()
    assert isinstance(filmed.look.__self__, FilmCamera)  # type: ignore[attr-defined]
