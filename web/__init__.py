# This package belongs to Dreyer Table.
"""The web application and the command line."""

import mimetypes
import socket
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from web.http.context import ServerContext
    from web.pages.application import Application
    from web.scenes import SceneSource


def create_app(
    scene_source: "SceneSource | None" = None,
    *,
    host: str = "",
    server_context: "ServerContext | None" = None,
    language: str = "en",
) -> "Application":
    """The table server as a WSGI application.

    Without a context it opens the demo battle, or the given scene, on a table in memory. It answers
    to numeric addresses, `localhost`, the machine's own name and `host`, the name it was told to
    listen on; requests for other names get status 400, which prevents DNS rebinding. `language` is
    a code, or the path of a file of strings.
    """
    # Imported late, so that the other commands start without Flask.
    from web.api.all_routes import API
    from web.data_folder import table_in_memory
    from web.http import compression, context, guard, languages
    from web.pages.all_pages import PAGES
    from web.pages.application import Application
    from web.scenes import demo_scene

    # Windows may have .js registered as plain text, which browsers refuse to run.
    mimetypes.add_type("text/javascript", ".js")
    mimetypes.add_type("image/svg+xml", ".svg")
    mimetypes.add_type("image/webp", ".webp")
    app = Application(__name__, {**PAGES, **API})
    app.config["HOST_NAMES"] = _own_names(host)
    languages.attach(app, language)
    if server_context is None:
        server_context = context.ServerContext(table_in_memory(scene_source or demo_scene))
    context.attach(app, server_context)
    guard.attach(app)
    compression.attach(app)
    return app


def _own_names(host: str) -> frozenset[str]:
    """The lower-case names of this machine in addresses."""
    own = socket.gethostname().lower().rstrip(".")
    names = {"localhost", own, f"{own.partition('.')[0]}.local", host.lower().rstrip(".")}
    return frozenset(names - {"", ".local"})
