"""The camera's picture of a move: arrows for those who may read the plots, and for nobody else."""

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from calibration.camera import Lens
from calibration.homography import TablePlane
from combat.participants import UMPIRE
from tabletop.scale import Scale
from tabletop.table import Pose
from tests.web.pages.test_battle import Table, words
from tests.web.phones import Phone, fresh_app, running_in

SIZE_PX = (1600, 1000)


@dataclass
class Frame:
    image: Any


@dataclass
class Snapshot:
    plane: TablePlane | None


@dataclass
class Seen:
    snapshot: Snapshot
    frame: Frame
    looks: int = 7


def overhead() -> Seen:
    """A camera straight above the table, a pixel to the millimetre."""
    lens = Lens(*SIZE_PX, fx_px=1000.0, fy_px=1000.0, cx_px=0.0, cy_px=0.0)
    corners = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    origin, across, up = lens.rays(corners)
    to_mm = np.linalg.inv(
        np.array(
            [
                [across[0] - origin[0], up[0] - origin[0], origin[0]],
                [across[1] - origin[1], up[1] - origin[1], origin[1]],
                [0.0, 0.0, 1.0],
            ]
        )
    )
    plane = TablePlane(lens, to_mm, None)
    image = np.zeros((SIZE_PX[1], SIZE_PX[0], 3), dtype=np.uint8)
    return Seen(Snapshot(plane), Frame(image))


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Table:
    table = Table(fresh_app())
    table.plot_all()
    thread = running_in(table.app).camera_thread
    monkeypatch.setattr(type(thread), "latest", property(lambda _: overhead()))
    return table


def place(table: Table, who: Phone, ship: str, **off: float) -> Pose:
    """Put a model where it was plotted, or beside it."""
    battle = running_in(table.app).session.moment.battle
    assert battle is not None
    pose = battle.plotted_view(UMPIRE).move[ship].plotted
    assert pose is not None
    body = {
        "x": pose.x_yards + off.get("x", 0.0),
        "y": pose.y_yards + off.get("y", 0.0),
        "heading": pose.heading_deg,
    }
    assert who.post(f"/api/ships/{ship}/place", body).status_code == 200
    return pose


def arrows(page: str) -> list[tuple[str, list[float]]]:
    """Each arrow's state, and where its place is in thousandths of the picture."""
    found = re.findall(
        r'<g class="(right|wrong)">.*?class="bow" d="M([\d.-]+) ([\d.-]+)L', page, re.S
    )
    return [(state, [float(x), float(y)]) for state, x, y in found]


def test_an_arrow_leads_from_model_to_place_and_is_green_when_right(table: Table) -> None:
    pose = place(table, table.ann, "Hood", x=900.0)
    page = table.ann.get("/battle/models/part").text
    ((state, at),) = arrows(page)
    assert state == "wrong"
    assert 'class="run"' in page
    scale = Scale(running_in(table.app).session.moment.state.yards_per_inch)
    mm = [scale.mm_from_yards(pose.x_yards), scale.mm_from_yards(pose.y_yards)]
    assert at == pytest.approx([mm[0] / SIZE_PX[0] * 1000, mm[1] / SIZE_PX[1] * 1000], abs=0.1)
    place(table, table.ann, "Hood")
    page = table.ann.get("/battle/models/part").text
    assert [state for state, _ in arrows(page)] == ["right"]
    assert 'class="run"' not in page


def test_arrows_are_on_the_owners_page_and_the_umpires_alone(table: Table) -> None:
    place(table, table.ann, "Hood", x=900.0)
    assert arrows(table.uma.get("/battle/models/part").text)
    theirs = table.bob.get("/battle/models/part")
    assert not arrows(theirs.text)
    assert "Hood" in theirs.text
    assert "not as plotted" in words(table.bob, "/battle/models/part")
    assert table.wim.get("/battle/models/part").status_code == 403
    assert not arrows(table.host.get("/battle/models/part").text)


def test_the_page_is_offered_while_models_move_and_the_table_is_in_sight(table: Table) -> None:
    assert "/battle/models" in table.ann.get("/battle/now").text
    assert "/battle/models" not in table.wim.get("/battle/now").text
    table.play(table.ann, "move")
    assert "/battle/models" not in table.ann.get("/battle/now").text
    after = table.ann.get("/battle/models")
    assert after.status_code == 200
    assert not arrows(after.text)


def test_without_a_picture_it_says_so() -> None:
    table = Table(fresh_app())
    table.plot_all()
    page = words(table.ann, "/battle/models")
    assert "camera does not see" in page
