"""The list of all modules that declare routes (see `web.api.route`)."""

from typing import TYPE_CHECKING, Final

from werkzeug.routing import PathConverter

from web.api import (
    battle,
    battles,
    camera,
    captains,
    cards,
    check,
    conversions,
    corrections,
    doctor,
    fairness,
    fields_of_fire,
    free_play,
    host,
    live,
    openapi,
    photos,
    repairs,
    rules,
    seats,
    table,
    tables,
    television,
    tutorial,
)
from web.api.route import Route, blueprint

if TYPE_CHECKING:
    from flask import Flask

ROUTES: Final[tuple[Route, ...]] = (
    *table.routes,
    *television.routes,
    *tutorial.routes,
    *seats.routes,
    *host.routes,
    *doctor.routes,
    *check.routes,
    *fields_of_fire.routes,
    *camera.routes,
    *photos.routes,
    *battle.routes,
    *corrections.routes,
    *captains.routes,
    *fairness.routes,
    *repairs.routes,
    *battles.routes,
    *tables.routes,
    *rules.routes,
    *free_play.routes,
    *cards.routes,
    *conversions.routes,
    *live.routes,
    *openapi.routes,
)


class ShipName(PathConverter):
    """A ship's name in an address: it may contain slashes, but not end with what follows a name."""

    regex = r"(?!.*/(?:place|follow|lift|side|part|ships)$)[^/].*?"


def attach(app: "Flask") -> None:
    """Attach the API to an application."""
    app.extensions[openapi.DESCRIBED] = ROUTES
    app.register_blueprint(blueprint(ROUTES))
