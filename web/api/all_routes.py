"""The modules that declare routes of the API, one line for each, and all of them for one table.

A room declares its own routes with `route` (see `web.api.route`) and adds its module here.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Final

from werkzeug.routing import PathConverter

from web.api.route import blueprint

if TYPE_CHECKING:
    from flask import Flask

_MODULES: Final = (
    "web.api.table",
    "web.api.seats",
    "web.api.host",
    "web.api.check",
    "web.api.fields_of_fire",
    "web.api.camera",
    "web.api.photos",
    "web.api.battle",
    "web.api.corrections",
    "web.api.repairs",
    "web.api.battles",
    "web.api.tables",
    "web.api.free_play",
    "web.api.cards",
    "web.api.conversions",
    "web.api.live",
    "web.api.openapi",
)


class ShipName(PathConverter):
    """A ship's name in an address: anything, a slash too, but not what may be done with her."""

    regex = r"(?!.*/(?:place|follow|lift|side)$)[^/].*?"


def load() -> None:
    """Import them all, which declares their routes."""
    for name in _MODULES:
        import_module(name)


def attach(app: "Flask") -> None:
    """Put the whole API on an application."""
    load()
    app.url_map.converters["ship"] = ShipName
    app.register_blueprint(blueprint())
