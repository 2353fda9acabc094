"""The page, the command line and everything that touches the outside world."""

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

    Without anything running it lays the demo battle, or the scene it is given, on a table that
    lives in memory. It answers to addresses in figures, to `localhost`, to the machine's own name
    and to `host`, the name it was told to listen on; to any other name it answers 400, so that no
    page from elsewhere can pass itself off as the table. It speaks `language`: a code, or the path
    of a file of words.
    """
    # Imported late, so that the command line's other commands start without Flask.
    from flask import Flask, g

    from web.api import all_routes
    from web.data_folder import table_in_memory
    from web.http import compression, context, guard
    from web.pages import (
        battle,
        battles,
        camera,
        cards,
        checks,
        convert,
        fire,
        free_play,
        report,
        rules,
        sheets,
        table,
        tables,
    )
    from web.scenes import demo_scene
    from web.strings import LANGUAGE, check_language, json_words, shown

    # Windows may know .js as plain text, which browsers then refuse to run.
    mimetypes.add_type("text/javascript", ".js")
    mimetypes.add_type("image/svg+xml", ".svg")
    source = scene_source or demo_scene
    app = Flask(__name__)
    app.config["HOST_NAMES"] = _own_names(host)
    check_language(language)

    @app.before_request
    def _set_language() -> None:
        g.language = LANGUAGE.set(language)

    @app.teardown_request
    def _reset_language(_: BaseException | None) -> None:
        if "language" in g:
            LANGUAGE.reset(g.pop("language"))

    app.jinja_env.trim_blocks = True
    app.jinja_env.lstrip_blocks = True
    app.jinja_env.finalize = shown
    app.jinja_env.policies["json.dumps_kwargs"] = {"sort_keys": True, "default": json_words}
    context.attach(app, server_context or context.ServerContext(table_in_memory(source)))
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
        fire,
    ):
        pages.attach(app)
    all_routes.attach(app)
    guard.attach(app)
    compression.attach(app)
    return app


def _own_names(host: str) -> frozenset[str]:
    """What this machine may be called in an address, in small letters."""
    own = socket.gethostname().lower().rstrip(".")
    names = {"localhost", own, f"{own.partition('.')[0]}.local", host.lower().rstrip(".")}
    return frozenset(names - {"", ".local"})
