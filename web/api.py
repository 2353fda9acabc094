"""The API in one place: what routes are made with, and all of them for one application.

Other rooms declare their own routes with `route` (see `web.api_route`) and add their module to
`web.api_all`.
"""

from typing import TYPE_CHECKING

from werkzeug.routing import PathConverter

from web.api_json import Line
from web.api_route import Answer, Call, Model, Needs, Query, blueprint, route, routes
from web.faults import Fault

if TYPE_CHECKING:
    from flask import Flask

__all__ = [
    "Answer",
    "Call",
    "Fault",
    "Line",
    "Model",
    "Needs",
    "Query",
    "attach",
    "route",
    "routes",
]


class ShipName(PathConverter):
    """A ship's name in an address: anything, a slash too, but not what may be done with her."""

    regex = r"(?!.*/(?:place|follow|lift)$)[^/].*?"


def attach(app: "Flask") -> None:
    """Put the whole API on an application."""
    # Imported late: declaring a route needs this module, and naming them all needs every route.
    from web import api_all

    api_all.load()
    app.url_map.converters["ship"] = ShipName
    app.register_blueprint(blueprint())
