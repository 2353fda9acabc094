"""What the tests of the chart share: a bare page that has a chart on it and nothing else."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from flask import Flask, Response, render_template_string, send_file
from playwright.sync_api import Browser, Page
from werkzeug.serving import make_server

import web
from tests.web.browser.chart.harness import PHONE, WIDE, on_screen, ready, show, view
from tests.web.browser.looks import Screens
from web.drawing.fonts import Face
from web.strings import page_strings, text

PAGE: Final = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Chart</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/static/css/tokens.css">
<link rel="stylesheet" href="/static/css/components.css">
<link rel="stylesheet" href="/static/css/chart/chart.css">
<link rel="stylesheet" href="/static/css/tokens-paper.css" media="(prefers-color-scheme: light)">
<link rel="stylesheet" href="/harness.css"></head>
<body><script type="application/json" id="strings">{{ page_strings() }}</script>
{% include "layout/chart_symbols.html" %}<main><h1 class="for-ears">Chart</h1>
<dreyer-chart></dreyer-chart></main>
<script type="module" src="/harness.js"></script></body></html>"""
HARNESS: Final = """import "/static/js/chart/chart.js";
window.chart = document.querySelector("dreyer-chart");
window.heard = [];
for (const type of ["choose", "clear", "moved", "point"])
  chart.addEventListener(type, (event) => heard.push([type, event.detail]));
window.ready = true;
"""


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    root = Path(web.__file__).parent
    app = Flask(
        "harness",
        template_folder=str(root / "templates"),
        static_folder=str(root / "static"),
        static_url_path="/static",
    )

    app.jinja_env.globals.update(t=text, page_strings=page_strings)

    @app.get("/")
    def page() -> Response:
        response = Response(render_template_string(PAGE))
        response.headers["Content-Security-Policy"] = "default-src 'self'; img-src 'self' data:"
        return response

    @app.get("/harness.js")
    def script() -> Response:
        return Response(HARNESS, mimetype="text/javascript")

    @app.get("/harness.css")
    def style() -> Response:
        return Response("dreyer-chart { height: 100vh }", mimetype="text/css")

    @app.get("/fonts/<name>")
    def font(name: str) -> Response:
        return send_file(Face(name).path)

    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join(timeout=10)
    server.server_close()


@pytest.fixture(scope="session")
def screens(browser: Browser, address: str) -> Iterator[Screens]:
    sizes = {"phone": PHONE, "wide": WIDE}
    screens = Screens(lambda name: on_screen(browser, address, sizes[name]))
    yield screens
    screens.close()


@pytest.fixture(params=["phone", pytest.param("wide", marks=pytest.mark.soak)])
def page(request: pytest.FixtureRequest, screens: Screens) -> Iterator[Page]:
    with screens[request.param].page(console=True) as page:
        ready(page)
        show(page, view())
        yield page
