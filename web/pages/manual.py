"""The manual at /help, and help for phones that cannot connect: there for everybody."""

import mimetypes
from typing import Final

from flask import Blueprint, Flask, Response, render_template
from werkzeug.exceptions import NotFound

from web.http import guard
from web.views.manual import INDEX, as_html, manual, manual_page, manual_picture

manual_pages = Blueprint("manual", __name__)
_FOR_A_DAY: Final = "public, max-age=86400"


def attach(app: Flask) -> None:
    """Put the manual on an application."""
    mimetypes.add_type("image/webp", ".webp")
    app.register_blueprint(manual_pages)


@manual_pages.get("/help")
def contents() -> str:
    """The first page, with the contents."""
    return _shown(INDEX)


@manual_pages.get("/help/<path:name>")
def page(name: str) -> str:
    """One page."""
    return _shown(name)


@manual_pages.get("/help/pictures/<name>")
def picture(name: str) -> Response:
    """A picture."""
    content = manual_picture(name)
    if content is None:
        raise NotFound
    answer = Response(content, mimetype=mimetypes.guess_type(name)[0])
    answer.headers["Cache-Control"] = _FOR_A_DAY
    return answer


@manual_pages.get("/help/connection")
def connection() -> str:
    """What to do where a phone cannot connect."""
    caller = guard.caller()
    sharing = guard.server_context().sharing.now
    address = sharing.url if caller.known and sharing.on else None
    return render_template("layout/help.html", address=address)


def _shown(name: str) -> str:
    found = manual_page(name)
    if found is None:
        raise NotFound
    return render_template(
        "manual/page.html", page=found, body=as_html(found), parts=manual(), is_first=name == INDEX
    )
