"""The page, the command line and everything that touches the outside world."""

import socket
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flask import Flask

    from web.scenes import SceneSource


def create_app(scene_source: "SceneSource | None" = None, *, host: str = "") -> "Flask":
    """The table server as a WSGI application, on the demo battle unless given another table.

    It answers to addresses in figures, to `localhost`, to the machine's own name and to `host`,
    the name it was told to listen on; to any other name it answers 400, so that no page from
    elsewhere can pass itself off as the table.
    """
    # Imported late, so that the command line's other commands start without Flask.
    from flask import Flask

    from web import pages
    from web.scenes import demo_scene

    app = Flask(__name__)
    app.config["SCENE_SOURCE"] = scene_source or demo_scene
    app.config["HOST_NAMES"] = _own_names(host)
    app.jinja_env.trim_blocks = True
    app.jinja_env.lstrip_blocks = True
    pages.attach(app)
    return app


def _own_names(host: str) -> frozenset[str]:
    """What this machine may be called in an address, in small letters."""
    own = socket.gethostname().lower().rstrip(".")
    names = {"localhost", own, f"{own.partition('.')[0]}.local", host.lower().rstrip(".")}
    return frozenset(names - {"", ".local"})
