"""Browsers at the table, for tests: each with its own address, cookies and way of asking."""

import re
from functools import cache
from typing import Any, Final

from flask import Flask
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from web import admission, create_app
from web.auth.seats import Caller
from web.data_folder import table_in_memory
from web.http import context
from web.http.context import ServerContext
from web.pages.application import Application
from web.scenes import demo_scene

LAN = "192.168.1.5:8080"
"""The table's address as phones write it."""


_TAG: Final = re.compile(r"""<[a-zA-Z/](?:"[^"]*"|'[^']*'|[^>"'])*>""")
_GAP: Final = re.compile(r"""\s+(?=(?:[^"']|"[^"]*"|'[^']*')*$)""")


def unformatted(html: str) -> str:
    """Markup without what its layout adds: a space between attributes, no line break at a tag."""
    html = _TAG.sub(lambda tag: _GAP.sub(" ", tag[0]).replace(" >", ">"), html)
    return re.sub(r"(?<=>)\s*\n\s*|\s*\n\s*(?=<)", "", html)


@cache
def _built() -> Flask:
    app = create_app()
    app.config["TESTING"] = True
    return app


def fresh_app(server_context: ServerContext | None = None) -> Flask:
    """The application with something else running in it: one table at a time, each test its own.

    All that an application remembers is what runs in it; to lay out its routes and templates anew
    for every test would take longer than most tests do.
    """
    app = _built()
    context.attach(app, server_context or ServerContext(table_in_memory(demo_scene)))
    return app


def rules_of(app: Flask) -> list[Rule]:
    """All addresses of an application, also those that nobody has asked for yet."""
    assert isinstance(app, Application)
    app.import_all()
    return list(app.url_map.iter_rules())


def running_in(app: Flask) -> ServerContext:
    """What an application runs."""
    found = app.extensions["dreyer"]
    assert isinstance(found, ServerContext)
    return found


class Phone:
    """A browser that comes from an address and sends what our own pages send."""

    def __init__(self, app: Flask, peer: str = "192.168.1.20", at: str = LAN) -> None:
        self.client = app.test_client()
        self.app, self.peer, self.at = app, peer, at

    def send(
        self,
        method: str,
        path: str,
        body: object = None,
        *,
        key: str | None = None,
        headers: dict[str, str] | None = None,
        **more: Any,
    ) -> TestResponse:
        """One request; a body is sent as JSON."""
        sent = {"Host": self.at, "Origin": f"http://{self.at}", **(headers or {})}
        if key is not None:
            sent["Idempotency-Key"] = key
        if body is not None:
            more["json"] = body
        answer = self.client.open(
            path,
            method=method,
            headers=sent,
            environ_overrides={"REMOTE_ADDR": self.peer},
            **more,
        )
        if answer.mimetype == "text/html" and not answer.content_encoding:
            answer.set_data(unformatted(answer.get_data(as_text=True)))
        return answer

    def get(self, path: str, **more: Any) -> TestResponse:
        """Look."""
        return self.send("GET", path, **more)

    def answer_undo(self, *, agree: bool) -> TestResponse:
        """Answer the request to go back that is shown, or put away one's own refused one."""
        undo = self.view()["battle"]["undo"]
        number = (undo["request"] or undo["refused"])["n"]
        return self.post("/api/battle/undo/answer", {"request": number, "agree": agree})

    def post(self, path: str, body: object = None, **more: Any) -> TestResponse:
        """Act."""
        return self.send("POST", path, {} if body is None else body, **more)

    def delete(self, path: str, **more: Any) -> TestResponse:
        """Take away."""
        return self.send("DELETE", path, **more)

    def view(self) -> dict[str, Any]:
        """The table as this browser sees it."""
        response = self.get("/api/view")
        assert response.status_code == 200, response.text
        found: dict[str, Any] = response.get_json()
        return found

    def join(self, name: str = "Ann", **more: object) -> TestResponse:
        """Take a seat, British unless it is said otherwise."""
        code = running_in(self.app).session.seats.code
        body = {"code": code, "name": name, "role": "player", "side": "british", "pin": "1234"}
        return self.post("/api/join", {**body, **more})


def host_of(app: Flask) -> Phone:
    """The browser on the machine that runs the table."""
    host = Phone(app, "127.0.0.1", "localhost:8080")
    assert host.get("/").status_code in (200, 303)
    return host


def seated(app: Flask, name: str = "Ann", **more: object) -> Phone:
    """A phone that has joined; during a battle the host has let it in."""
    phone = Phone(app)
    response = phone.join(name, **more)
    assert response.status_code == 200, response.text
    if response.get_json()["waiting"]:
        session = running_in(app).session
        newcomer = session.seats.newcomers[-1]
        admission.decide(session, Caller("host", host=True), newcomer.id, agree=True)
    return phone


def words_of(response: TestResponse) -> str:
    """What a fault says."""
    found = response.get_json()["error"]
    assert set(found) == {"message", "field"}
    return str(found["message"])
