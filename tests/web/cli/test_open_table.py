"""`dreyer` without a command: starts the table, or opens the page of the one that runs."""

import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from flask import Flask

from tabletop.errors import DreyerError
from web import cli
from web.cli import open_table
from web.server.ports import SERVER_NAME, Listener, listener_at


@contextmanager
def answering(name: str) -> Iterator[int]:
    """A server of this name, and its port."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def version_string(self) -> str:
            return name

        def log_message(self, *_: object) -> None:
            """Quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()


def free_port() -> int:
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        port: int = trial.getsockname()[1]
    return port


class Started:
    """What was started, and which pages were opened."""

    def __init__(self) -> None:
        self.commands: list[Sequence[str]] = []
        self.pages: list[str] = []

    def start(self, command: Sequence[str]) -> int:
        self.commands.append(command)
        return 0


def test_without_a_table_one_is_started() -> None:
    started, port = Started(), free_port()
    assert open_table.open_table(started.start, ports=[port], browse=started.pages.append) == 0
    assert started.commands == [["serve", "--port", str(port)]]
    assert started.pages == []  # `serve` opens it.


def test_the_page_of_a_running_table_is_opened(capsys: pytest.CaptureFixture[str]) -> None:
    started = Started()
    with answering(SERVER_NAME) as port:
        assert listener_at(port) is Listener.THIS_PROGRAM
        open_table.open_table(started.start, ports=[port], browse=started.pages.append)
    assert started.commands == []
    assert started.pages == [f"http://127.0.0.1:{port}/"]
    assert started.pages[0] in capsys.readouterr().out


@pytest.mark.parametrize("name", ["", "nginx", "DreyerTable/2"])
def test_a_port_of_another_program_is_passed_over(name: str) -> None:
    started, port = Started(), free_port()
    with answering(name) as taken:
        open_table.open_table(started.start, ports=[taken, port], browse=started.pages.append)
        assert started.commands == [["serve", "--port", str(port)]]
        with pytest.raises(DreyerError) as refused:
            open_table.open_table(started.start, ports=[taken], browse=started.pages.append)
    assert refused.value.message.code == "command.start.no_port"


def test_the_command_without_arguments_does_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_table, "open_table", lambda start: 0 if callable(start) else 1)
    assert cli.main([]) == 0


def test_every_answer_of_a_table_has_its_name(app: Flask) -> None:
    for path in ("/healthz", "/nowhere", "/host"):
        answer = app.test_client().get(path, headers={"Host": "localhost"})
        assert answer.headers["Server"] == SERVER_NAME
