"""The page, the command line and everything that touches the outside world."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flask import Flask

    from web.scenes import SceneSource


def create_app(scene_source: "SceneSource | None" = None) -> "Flask":
    """The table server as a WSGI application, on the demo battle unless given another table."""
    # Imported late, so that the command line's other commands start without Flask.
    from flask import Flask

    from web import pages
    from web.scenes import demo_scene

    app = Flask(__name__)
    app.config["SCENE_SOURCE"] = scene_source or demo_scene
    app.jinja_env.trim_blocks = True
    app.jinja_env.lstrip_blocks = True
    pages.attach(app)
    return app
