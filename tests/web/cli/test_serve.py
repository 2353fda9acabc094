"""`dreyer serve`: it starts, says where, and tells what stops it in one line."""

import errno
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import webbrowser
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tabletop.messages import Message
from tests.refusals import refused
from tests.web.conftest import ShipToml
from tests.web.server.test_network import Doors
from web.cli import main, serve
from web.data_folder import CannotUseFolder, DataFolder, EditedScene, table_in_memory
from web.http.context import ServerContext
from web.scenes import demo_scene, scene_file
from web.server.network import own_networks
from web.server.sharing import Sharing

# A shell's background jobs ignore Ctrl-C, and whatever they start inherits that; a user's does not.
START = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from web.cli import main
sys.exit(main())
"""
COMMAND = [sys.executable, "-c", START, "serve"]


@contextmanager
def serving(*options: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """The command as a user starts it, and the port it says; it must end quietly on Ctrl-C."""
    with subprocess.Popen(
        [*COMMAND, "--no-browser", "--port", "0", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            found = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
            assert found, line
            yield process, int(found[1])
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=20)
        finally:
            process.kill()
    assert errors == ""
    assert process.returncode == 0


def ask(port: int, path: str, cookie: str = "") -> tuple[int, str, str]:
    """Status, body and new cookie of a request."""
    with closing(HTTPConnection("127.0.0.1", port, timeout=20)) as connection:
        connection.request("GET", path, headers={"Cookie": cookie})
        response = connection.getresponse()
        body = response.read().decode("utf-8")
        return response.status, body, (response.getheader("Set-Cookie") or "").partition(";")[0]


def test_it_starts_answers_and_ends_quietly(tmp_path: Path) -> None:
    data = tmp_path / "not" / "yet"
    with serving("--demo", "--no-camera", "--data", str(data)) as (_, port):
        status, body, _ = ask(port, "/healthz")
        assert (status, json.loads(body)) == (200, {"status": "ok"})
    assert data.is_dir()


def test_the_game_goes_on_after_a_restart(tmp_path: Path) -> None:
    options = ("--demo", "--no-camera", "--data", str(tmp_path))
    with serving(*options) as (_, port):
        cookie = ask(port, "/")[2]
        with closing(HTTPConnection("127.0.0.1", port, timeout=20)) as connection:
            connection.request(
                "POST",
                "/api/ships/Hood/place",
                json.dumps({"x": 1234, "y": 567, "heading": 8}),
                {
                    "Content-Type": "application/json",
                    "Origin": f"http://127.0.0.1:{port}",
                    "Cookie": cookie,
                },
            )
            assert connection.getresponse().status == 200
    with serving(*options) as (_, port):
        status, body, _ = ask(port, "/api/view", cookie)
        assert status == 200
        assert json.loads(body)["ships"][0]["x"] == 1234


def test_a_second_server_in_one_folder_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ("--no-camera", "--data", str(tmp_path))
    with serving(*options):
        assert main(["serve", "--no-browser", "--port", "0", *options]) == 2
        said = capsys.readouterr().err
        assert "another Dreyer Table is using this folder" in said
        assert said.count("\n") == 1
    with serving(*options) as (_, port):
        assert ask(port, "/healthz")[0] == 200


@pytest.mark.skipif(not own_networks(), reason="this computer is not on a network")
def test_shared_it_shows_address_code_and_qr(tmp_path: Path) -> None:
    options = ("--share", "--no-camera", "--data", str(tmp_path))
    with serving(*options) as (process, port):
        assert process.stdout is not None
        lines: list[str] = []
        while not lines or "/join?code=" not in lines[-1]:
            lines.append(process.stdout.readline())
        told = "".join(lines)
        best = own_networks()[0].address
        assert re.search(rf"http://{re.escape(best)}:{port}/join\?code=[A-Z2-9]{{6}}", told)
        assert "▀" in told
        with closing(HTTPConnection(best, port, timeout=20)) as connection:
            connection.request("GET", "/healthz")
            assert connection.getresponse().status == 200


@pytest.mark.skipif(not own_networks(), reason="this computer is not on a network")
def test_unshared_it_listens_to_this_machine_alone(tmp_path: Path) -> None:
    with (
        serving("--no-camera", "--data", str(tmp_path)) as (_, port),
        pytest.raises(OSError, match="refused"),
    ):
        socket.create_connection((own_networks()[0].address, port), timeout=5)


def test_the_demo_is_seen_through_its_camera(tmp_path: Path) -> None:
    with serving("--demo", "--data", str(tmp_path)) as (_, port):
        cookie = ask(port, "/")[2]
        end = time.monotonic() + 60
        while True:
            view = json.loads(ask(port, "/api/view", cookie)[1])
            if all(ship["source"] == "camera" for ship in view["ships"]):
                break
            assert time.monotonic() < end, view["camera"]
            time.sleep(0.3)
        assert view["camera"]["source"] == "the rendered table"


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


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder_is_said(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(CannotUseFolder, match="cannot be written to"):
        DataFolder(tmp_path)


def test_a_full_disk_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "open", full)
    with refused(CannotUseFolder, match="the disk is full; name another folder"):
        DataFolder(tmp_path)


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
    serve.open_browser("http://127.0.0.1:1/")


@pytest.mark.skipif(not own_networks(), reason="this computer is not on a network")
def test_an_address_of_a_network_is_shared_beside_this_machine(tmp_path: Path) -> None:
    best = own_networks()[0].address
    with serving("--host", best, "--no-camera", "--data", str(tmp_path)) as (_, port):
        assert ask(port, "/")[0] == 303
        with closing(HTTPConnection(best, port, timeout=20)) as connection:
            connection.request("GET", "/")
            assert connection.getresponse().getheader("Location") == "/join"


def test_an_address_of_another_machine_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--host", "203.0.113.9", "--no-camera", "--data", str(tmp_path)]
    assert main(["serve", "--no-browser", "--port", "0", *options]) == 2
    said = capsys.readouterr().err
    assert "not an address of this computer" in said
    assert said.count("\n") == 1


def test_sharing_without_a_network_can_wait(capsys: pytest.CaptureFixture[str]) -> None:
    server_context = ServerContext(table_in_memory(demo_scene))
    server_context.sharing = Sharing(Doors(), 8080, networks=lambda: ())
    serve._share(server_context)
    assert "Not shared yet: this computer is not on a network" in capsys.readouterr().err


def test_an_edited_scene_is_laid_anew_and_its_faults_are_told(
    tmp_path: Path, ship_toml: ShipToml
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(ship_toml("Hood", 100, 100), encoding="utf-8")
    session = table_in_memory(scene_file(path))
    edited = EditedScene(session, path)
    stamps = iter(range(10**9, 10**10, 10**9))

    def write(text: str) -> Message | None:
        path.write_text(text, encoding="utf-8")
        os.utime(path, ns=(0, next(stamps)))
        return edited.reload()

    assert edited.reload() is None
    assert write(ship_toml("Hood", 100, 100)) is None
    laid = write(ship_toml("Hood", 100, 100) + ship_toml("Tug", 900, 900))
    assert laid == Message("host.terminal.scene_laid", file=str(path))
    assert list(session.moment.state.pieces) == ["Hood", "Tug"]
    assert "mine.toml, ship 1" in str(write("[[ship]]\nname = 3"))
    assert edited.reload() is None
    path.unlink()
    assert edited.reload() is None
    assert list(session.moment.state.pieces) == ["Hood", "Tug"]
