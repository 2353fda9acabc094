# This package belongs to Dreyer Table.
"""The web application and the command line."""

import mimetypes
import socket
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flask import Flask

    from web.http.context import ServerContext
    from web.scenes import SceneSource


def create_app(
    scene_source: "SceneSource | None" = None,
    *,
    host: str = "",
    server_context: "ServerContext | None" = None,
    language: str = "en",
) -> "Flask":
    """The table server as a WSGI application.

    Without a context it opens the demo battle, or the given scene, on a table in memory. It answers
    to numeric addresses, `localhost`, the machine's own name and `host`, the name it was told to
    listen on; requests for other names get status 400, which prevents DNS rebinding. `language` is
    a code, or the path of a file of strings.
    """
    # Imported late, so that the other commands start without Flask.
    from flask import Flask

    from web.api import all_routes
    from web.data_folder import table_in_memory
    from web.http import compression, context, guard, languages
    from web.pages import (
        battle,
        battles,
        camera,
        cards,
        checks,
        convert,
        doctor,
        fair,
        fire,
        free_play,
        glossary,
        manual,
        report,
        rules,
        sheets,
        table,
        tables,
        television,
    )
    from web.scenes import demo_scene

    # Windows may have .js registered as plain text, which browsers refuse to run.
    mimetypes.add_type("text/javascript", ".js")
    mimetypes.add_type("image/svg+xml", ".svg")
    source = scene_source or demo_scene
    app = Flask(__name__)
    app.config["HOST_NAMES"] = _own_names(host)
    languages.attach(app, language)
    _set_up_templates(app)
    context.attach(app, server_context or context.ServerContext(table_in_memory(source)))
    app.url_map.converters["ship"] = all_routes.ShipName
    for pages in (
        table,
        checks,
        free_play,
        camera,
        battles,
        sheets,
        report,
        rules,
        battle,
        tables,
        cards,
        convert,
        doctor,
        fair,
        fire,
        television,
        glossary,
        manual,
    ):
        pages.attach(app)
    all_routes.attach(app)
    guard.attach(app)
    compression.attach(app)
    return app


def _set_up_templates(app: "Flask") -> None:
    from web.strings import json_words, shown

    app.jinja_env.trim_blocks = True
    app.jinja_env.lstrip_blocks = True
    app.jinja_env.finalize = shown
    app.jinja_env.policies["json.dumps_kwargs"] = {"sort_keys": True, "default": json_words}


def _own_names(host: str) -> frozenset[str]:
    """The lower-case names of this machine in addresses."""
    own = socket.gethostname().lower().rstrip(".")
    names = {"localhost", own, f"{own.partition('.')[0]}.local", host.lower().rstrip(".")}
    return frozenset(names - {"", ".local"})
