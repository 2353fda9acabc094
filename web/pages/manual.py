"""The manual at /help, and help for phones that cannot connect: there for everybody."""

import mimetypes
from typing import Final

from flask import Response, render_template
from werkzeug.exceptions import NotFound

from web.http import guard
from web.http.addresses import Pages
from web.views.manual import INDEX, as_html, manual, manual_page, manual_picture

routes: Final = Pages(__name__)
_FOR_A_DAY: Final = "public, max-age=86400"


@routes.get("/help")
def contents() -> str:
    """The first page, with the contents."""
    return _shown(INDEX)


@routes.get("/help/<path:name>")
def page(name: str) -> str:
    """One page."""
    return _shown(name)


@routes.get("/help/pictures/<name>")
def picture(name: str) -> Response:
    """A picture."""
    content = manual_picture(name)
    if content is None:
        raise NotFound
    answer = Response(content, mimetype=mimetypes.guess_type(name)[0])
    answer.headers["Cache-Control"] = _FOR_A_DAY
    return answer


@routes.get("/help/connection")
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
