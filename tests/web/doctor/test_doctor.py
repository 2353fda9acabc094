"""`dreyer doctor`: each thing that can be wrong is found, named and has a remedy."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import numpy as np
import pytest
from flask import Flask

from tabletop.errors import DreyerError
from tabletop.messages import Message, verbatim
from vision.images import Image
from vision.sources.cameras import CameraName
from web.camera.settings import CameraSetup, SetupStep, write_setup
from web.cli import main
from web.doctor import eyes, program, reachability, storage
from web.doctor.findings import Examination, Grade, Topic
from web.doctor.reachability import Firewall
from web.server.network import Network
from web.server.ports import Listener

HOST = {"Host": "localhost"}


def test_the_command_looks_at_everything(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor", "--json", "--data", str(tmp_path / "ä b")]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [finding["topic"] for finding in document["findings"]] == list(Topic)
    assert document["worst"] in list(Grade)
    assert not (tmp_path / "ä b").exists()  # It only looks.
    assert main(["doctor", "--data", str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert document["version"] in lines[0]
    assert sum(line[0] in "●○▲✕" for line in lines) >= len(Topic)


def test_a_fault_is_the_exit_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "file"
    file.write_text("")
    assert main(["doctor", "--json", "--data", str(file)]) == 1
    document = json.loads(capsys.readouterr().out)
    assert document["worst"] == "fault"
    (data,) = (each for each in document["findings"] if each["topic"] == "data")
    assert (data["code"], data["details"]["folder"]) == ("doctor.data.a_file", str(file))
    assert data["remedy"]


def test_a_wrong_port_is_wrong_input(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["doctor", "--port", "0"])
    assert ended.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(
    ("version", "bits", "grade"),
    [((3, 11, 0), 64, Grade.GOOD), ((3, 10, 9), 64, Grade.FAULT), ((3, 12, 1), 32, Grade.WARNING)],
)
def test_python(version: tuple[int, ...], bits: int, grade: Grade) -> None:
    found = program.examine_python(version, bits)
    assert found.grade is grade
    assert (found.remedy is None) is (grade is Grade.GOOD)


def test_packages() -> None:
    assert program.examine_packages().grade is Grade.GOOD

    def version_of(name: str) -> str:
        if name == "shapely":
            raise PackageNotFoundError(name)
        return "1"

    lines = ["flask>=3", "shapely>=2", 'pytest; extra == "dev"']
    found = program.examine_packages(lambda _: lines, version_of)
    assert found.grade is Grade.FAULT
    assert found.message["names"] == "shapely"
    assert found.details == {"flask": "1", "shapely": None}


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    # Nobody may make a folder inside a file, not even an administrator.
    (tmp_path / "file").write_bytes(b"")
    found = storage.examine_permissions(tmp_path / "file" / "table")
    assert (found.grade, found.message.code) == (Grade.FAULT, "doctor.permissions.none")


def test_a_disk_without_room(tmp_path: Path) -> None:
    for free, grade in ((1, Grade.FAULT), (10**8, Grade.WARNING), (10**9, Grade.GOOD)):
        assert storage.examine_disk(tmp_path, lambda _, free=free: free).grade is grade  # type: ignore[misc]


def test_the_data_folder_is_counted(tmp_path: Path) -> None:
    (tmp_path / "battles").mkdir()
    (tmp_path / "battles" / "demo.db").write_bytes(b"12345")
    found = storage.examine_data(tmp_path)
    assert (found.details["battles"], found.details["bytes"]) == (1, 5)


@pytest.mark.parametrize("listener", Listener)
def test_the_port(listener: Listener) -> None:
    found = reachability.examine_port(8080, listener_of=lambda _: listener)
    assert (found.grade is Grade.GOOD) is (listener is not Listener.ANOTHER_PROGRAM)
    assert found.details["listener"] == str(listener)


def test_the_networks() -> None:
    def found(*addresses: str) -> str:
        networks = tuple(Network(address, verbatim("net")) for address in addresses)
        return reachability.examine_network(lambda: networks).message.code

    assert found() == "doctor.network.none"
    assert found("169.254.3.4") == "doctor.network.link_local"
    assert found("192.168.1.5", "169.254.3.4") == "doctor.network.good"


@pytest.mark.parametrize(
    ("system", "said", "firewall"),
    [
        ("win32", "Domain Profile Settings:\nState  ON", "Windows"),
        ("win32", "Status   AUS", None),
        ("win32", "", "Windows"),
        ("darwin", "Firewall is enabled. (State = 1)", "macOS"),
        ("darwin", "Firewall is disabled. (State = 0)", None),
    ],
)
def test_firewalls_of_other_systems(system: str, said: str, firewall: str | None) -> None:
    def answer(command: Sequence[str]) -> str:
        assert command
        return said

    found = reachability.guess_firewall(system, answer)
    assert (found.name if found else None) == firewall


def test_firewalls_of_linux(tmp_path: Path) -> None:
    ufw, pid = tmp_path / "ufw.conf", tmp_path / "firewalld.pid"

    def name() -> str | None:
        found = reachability.guess_firewall("linux", ufw=ufw, firewalld=[pid])
        return found.name if found else None

    assert name() is None
    ufw.write_text("ENABLED=no\n")
    assert name() is None
    pid.write_text("1")
    assert name() == "firewalld"
    ufw.write_text("# x\nENABLED=yes\n")
    assert name() == "ufw"


@pytest.mark.parametrize("remedy", ["windows", "mac", "ufw", "firewalld"])
def test_a_firewall_has_a_remedy(remedy: str) -> None:
    found = reachability.examine_firewall(8090, lambda: Firewall("X", remedy))
    assert found.grade is Grade.NOTE
    assert found.remedy is not None
    words = Examination("1", (found,)).document()["findings"]
    assert isinstance(words, list)
    assert "8090" in words[0]["remedy"] or remedy in ("windows", "mac")


class Camera:
    """A capture that gives a picture, or none."""

    def __init__(self, *, gives: bool) -> None:
        self.gives = gives
        self.released = False

    def isOpened(self) -> bool:  # noqa: N802
        return True

    def read(self) -> tuple[bool, Image | None]:
        return self.gives, np.zeros((2, 2, 3), np.uint8) if self.gives else None

    def set(self, key: int, value: float) -> bool:
        return True

    def get(self, key: int) -> float:
        return 0

    def release(self) -> None:
        self.released = True


SETUP = CameraSetup(source="2", step=SetupStep.DONE)


def camera_code(
    setup: CameraSetup | None, *, gives: bool = True, may: bool = True, **more: object
) -> str:
    capture = Camera(gives=gives)
    opener: Callable[[int], Camera] = lambda _: capture  # noqa: E731
    found = eyes.examine_camera(
        setup,
        cameras=lambda: [CameraName(2, "Cam")],
        nodes=lambda: ["/dev/video2"],
        opener=opener,
        may_use=lambda _: may,
        **more,  # type: ignore[arg-type]
    )
    return found.message.code.removeprefix("doctor.camera.")


def test_the_camera() -> None:
    assert camera_code(SETUP) == "good"
    assert camera_code(None) == "good"
    assert camera_code(SETUP, gives=False) == "dark"
    assert camera_code(SETUP, may=False) == "refused"
    assert camera_code(SETUP, watched="2", gives=False) == "watching"
    assert camera_code(SETUP, trouble=Message("vision.source.lost")) == "trouble"
    assert camera_code(replace(SETUP, source="http://phone:8080/video"), gives=False) == "source"
    nobody = eyes.examine_camera(
        None, cameras=list, nodes=list, opener=lambda _: Camera(gives=False)
    )
    assert (nobody.message.code, nobody.grade) == ("doctor.camera.none", Grade.NOTE)


def test_the_print(tmp_path: Path) -> None:
    def code(bar_mm: float) -> str:
        setup = replace(SETUP, bar_mm=bar_mm)
        (tmp_path / "camera.toml").write_text(write_setup(setup), "utf-8")
        return eyes.examine_print(eyes.stored_setup(tmp_path)).message.code

    assert eyes.stored_setup(tmp_path) is None
    assert eyes.examine_print(None).message.code == "doctor.print.none"
    assert code(100.2) == "doctor.print.good"
    assert code(98.5) == "doctor.print.corrected"
    assert code(94) == "doctor.print.scaled"
    (tmp_path / "camera.toml").write_text("bar_mm = 3\n", "utf-8")
    broken = eyes.stored_setup(tmp_path)
    assert isinstance(broken, DreyerError)
    assert eyes.examine_print(broken).grade is Grade.WARNING


def test_the_host_has_the_same_page(app: Flask) -> None:
    host = app.test_client()
    host.get("/", headers=HOST)
    document = host.get("/api/doctor", headers=HOST).json
    assert document is not None
    assert [each["topic"] for each in document["findings"]] == list(Topic)
    (port,) = (each for each in document["findings"] if each["topic"] == "port")
    assert port["code"] == "doctor.port.ours"
    page = host.get("/doctor", headers=HOST).text
    assert page.count("<h2>") >= len(Topic)
    assert 'href="/doctor"' in host.get("/host", headers=HOST).text


def test_nobody_else_sees_it(app: Flask) -> None:
    stranger = app.test_client()
    network = {"Host": "192.168.1.5:8080"}
    environment = {"REMOTE_ADDR": "192.168.1.9"}
    for path in ("/doctor", "/api/doctor"):
        answer = stranger.get(path, headers=network, environ_overrides=environment)
        assert answer.status_code in (302, 303, 401, 403)
