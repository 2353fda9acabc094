"""The page on which markers are assigned to ships."""

from dataclasses import dataclass
from typing import Final

from flask import render_template

from web.camera.measurement import markers_in_sight
from web.http import guard
from web.http.addresses import Pages
from web.http.context import server_context

routes: Final = Pages(__name__)


@dataclass(frozen=True, slots=True)
class ShipMarker:
    """A ship of the table and her marker."""

    name: str
    side: str
    marker: int | None
    in_sight: bool


@routes.get("/battles/markers")
def markers() -> str:
    """Every ship with her marker."""
    guard.must_play()
    return render_template("camera/markers.html", **_markers())


@routes.get("/battles/markers/list")
def markers_list() -> str:
    """The list, which changes with what the camera sees."""
    guard.must_play()
    return render_template("camera/markers_part.html", **_markers())


def _markers() -> dict[str, object]:
    camera_thread = server_context().camera_thread
    seen = {
        each.marker_id: each.name
        for each in markers_in_sight(camera_thread)
        if each.marker_id is not None
    }
    by_ship = {name: number for number, name in camera_thread.memory.marker_set.names.items()}
    by_ship |= {name: number for number, name in seen.items()}
    ships = [
        ShipMarker(ship.name, ship.side, by_ship.get(ship.name), by_ship.get(ship.name) in seen)
        for ship in camera_thread.memory.table.ships()
    ]
    return {"ships": ships, "seen": seen, "names": {ship.name for ship in ships}}
