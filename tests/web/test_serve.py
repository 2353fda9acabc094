"""`dreyer serve`: it starts, says where, and tells what stops it in one line."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import webbrowser
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import pytest

from web.cli import main, serve


def test_it_starts_answers_and_ends_quietly(tmp_path: Path) -> None:
    data = tmp_path / "not" / "yet"
    command = [sys.executable, "-c", "import sys; from web.cli import main; sys.exit(main())"]
    options = ["serve", "--demo", "--no-browser", "--port", "0", "--data", str(data)]
    with subprocess.Popen(
        [*command, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            found = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
            assert found, line
            with closing(HTTPConnection("127.0.0.1", int(found[1]), timeout=20)) as connection:
                connection.request("GET", "/healthz")
                assert json.load(connection.getresponse()) == {"status": "ok"}
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=20)
        finally:
            process.kill()
    assert process.returncode == 0
    assert errors == ""
    assert data.is_dir()


def test_a_taken_port_names_the_remedy(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["serve", "--no-browser", "--port", str(port)]) == 2
    said = capsys.readouterr().err
    assert said == f"dreyer: port {port} is taken by another program: choose another with --port\n"


@pytest.mark.parametrize("port", ["-1", "65536", "http", "8 0", "٣"])
def test_a_wrong_port_is_one_line(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["serve", f"--port={port}"])
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert "0 to 65535" in said
    assert said.count("\n") == 1


def test_a_wrong_host_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--no-browser", "--port", "0", "--host", "no.such.host.invalid"]) == 2
    assert "--host" in capsys.readouterr().err


def test_a_folder_that_cannot_be_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "file"
    file.write_text("x", encoding="utf-8")
    for path in (file, file / "below"):
        assert main(["serve", "--no-browser", "--port", "0", "--data", str(path)]) == 2
        said = capsys.readouterr().err
        assert "--data" in said
        assert said.count("\n") == 1


def test_a_wrong_scene_stops_the_start(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "scene.toml"
    assert main(["serve", "--no-browser", "--port", "0", "--scene", str(path)]) == 2
    assert "there is no such file" in capsys.readouterr().err


def test_the_address_is_one_a_browser_can_open() -> None:
    assert serve.DEFAULT_HOST == "127.0.0.1"
    assert serve._in_url("0.0.0.0") == "127.0.0.1"  # noqa: S104
    assert serve._in_url("::1") == "[::1]"
    assert serve._in_url("10.0.0.7") == "10.0.0.7"


def test_no_browser_is_opened_without_a_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    assert serve._has_display() is not sys.platform.startswith("linux")
    monkeypatch.setitem(os.environ, "DISPLAY", ":0")
    assert serve._has_display()


def test_a_browser_that_fails_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: str) -> bool:
        raise webbrowser.Error("no browser")

    monkeypatch.setattr(webbrowser, "open", fail)
    serve._open_browser("http://127.0.0.1:1/")
