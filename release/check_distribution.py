"""`make dist`, the second half: what was built is whole, installs by itself and works.

Everything is tried in a folder whose name has spaces and umlauts, in a new virtual environment that
has what `requirements.lock` says and the wheel, and in an environment without variables of ours.
"""

import argparse
import json
import os
import subprocess
import sys
import tarfile
import tempfile
import time
import tomllib
import urllib.request
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from dreyer_table.packages import PACKAGES
from release.distribution import ROOT, build

SCENE: Final = """\
[[ship]]
name = "Hood"
x = 0
y = 0
heading = 0

[[ship]]
name = "Bismarck"
x = 3000
y = 4000
heading = 180
"""
RANGE_YARDS: Final = 5000.0
"""Between the two, by Pythagoras."""
_OWN: Final = (*PACKAGES, "dreyer_table")
_READY_SECONDS: Final = 60


def main() -> None:
    """Check the packages in a folder; exits with a message where something is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dist", type=Path, default=ROOT / "dist")
    parser.add_argument(
        "--find-links", type=Path, help="install from a folder of wheels, without a network"
    )
    parser.add_argument("--once", action="store_true", help="do not build a second time to compare")
    options = parser.parse_args()
    (sdist,), (wheel,) = options.dist.glob("*.tar.gz"), options.dist.glob("*.whl")
    _say(_contents(wheel, sdist))
    _say(_metadata(wheel, sdist))
    if not options.once:
        _say(_same_again(wheel, sdist))
    with tempfile.TemporaryDirectory(prefix="dreyer ä ö ß ") as folder:
        programs = _install(wheel, Path(folder), options.find_links)
        _say(try_program([str(programs / "dreyer")], Path(folder)))
        _say(try_program([str(programs / "python"), "-m", "dreyer_table"], Path(folder)))


def _say(line: str) -> None:
    print(f"  ok  {line}", flush=True)


def _wrong(line: str) -> None:
    sys.exit(f"  no  {line}")


def _contents(wheel: Path, sdist: Path) -> str:
    """Each tracked file of the packages is in both, and nothing else is in the wheel."""
    said = subprocess.run(
        ["git", "ls-files", "-z"],  # noqa: S607
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    tracked = {name for name in said.stdout.split("\0") if name and (ROOT / name).is_file()}
    packed = {name for name in tracked if name.partition("/")[0] in _OWN}
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    if held != packed:
        _wrong(f"{wheel.name}: not as tracked: {sorted(held ^ packed)[:8]}")
    with tarfile.open(sdist) as archive:
        in_source = {name.partition("/")[2] for name in archive.getnames()}
    lost = {
        name
        for name in tracked - in_source
        if not name.startswith((".ci/", ".github/"))
        and name not in (".gitignore", ".gitattributes")
    }
    if lost:
        _wrong(f"{sdist.name}: lacks {sorted(lost)[:8]}")
    return f"contents: {len(held)} files in the wheel, {len(in_source)} in the source distribution"


def _metadata(wheel: Path, sdist: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "twine", "check", "--strict", str(wheel), str(sdist)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        _wrong(done.stdout + done.stderr)
    return "metadata: twine check --strict"


def _same_again(wheel: Path, sdist: Path) -> str:
    with tempfile.TemporaryDirectory() as folder:
        for first, again in zip((sdist, wheel), build(Path(folder)), strict=True):
            if first.read_bytes() != again.read_bytes():
                _wrong(f"{first.name}: built again it has other bytes")
    return "built twice: the same bytes"


def _install(wheel: Path, folder: Path, find_links: Path | None) -> Path:
    """A new virtual environment with the locked packages and the wheel; its folder of programs."""
    environment = folder / "Umgebung für den Tisch"
    subprocess.run([sys.executable, "-m", "venv", str(environment)], check=True)
    programs = environment / ("Scripts" if os.name == "nt" else "bin")
    install = [str(programs / "python"), "-m", "pip", "install", "--quiet"]
    source = ["--no-index", "--find-links", str(find_links)] if find_links else []
    locked = ["--require-hashes", "--requirement", str(ROOT / "requirements.lock")]
    subprocess.run([*install, *source, *locked], check=True)
    subprocess.run([*install, "--no-deps", "--no-index", str(wheel)], check=True)
    return programs


def try_program(program: Sequence[str], folder: Path) -> str:
    """Ask an installed program for its version, all worked examples, a check and a battle."""
    started = time.monotonic()
    tried = folder / "Ein Tisch, größer als früher"
    tried.mkdir(exist_ok=True)
    scene = tried / "Szene Übung.toml"
    scene.write_text(SCENE, "utf-8")
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    if _said([*program, "--version"], tried).split()[-1] != version:
        _wrong("--version")
    verified = json.loads(_said([*program, "verify", "--json"], tried))
    if verified["failed"] or not verified["passed"]:
        _wrong(f"verify: {verified['failed']} failed")
    pairs = json.loads(_said([*program, "check", str(scene), "--json"], tried))["pairs"]
    if {pair["range_yards"] for pair in pairs} != {RANGE_YARDS}:
        _wrong(f"check: {pairs}")
    with running([*program, "serve", "--demo"], tried) as address:
        _pages(address)
    seconds = time.monotonic() - started
    return (
        f"{Path(program[0]).name} {' '.join(program[1:])}: {verified['passed']} worked examples, "
        f"a check, a demo battle ({seconds:.0f} s)"
    )


def _said(command: Sequence[str], folder: Path) -> str:
    done = subprocess.run(
        [*command],
        cwd=folder,
        env=_plain_environment(folder),
        capture_output=True,
        check=False,
    )
    if done.returncode:
        _wrong(f"{' '.join(command)}: {done.stderr.decode('utf-8', 'replace')}")
    return done.stdout.decode("utf-8")


def _plain_environment(folder: Path) -> dict[str, str]:
    """No Python on the path, no variables of this checkout, a home of its own."""
    kept = {name: os.environ[name] for name in ("SYSTEMROOT", "TEMP") if name in os.environ}
    return {**kept, "PATH": str(folder), "HOME": str(folder), "LOCALAPPDATA": str(folder)}


@contextmanager
def running(command: Sequence[str], folder: Path) -> Iterator[str]:
    """A server on a free port and its address."""
    with subprocess.Popen(
        [*command, "--no-browser", "--port", "0", "--data", str(folder / "Dateien")],
        cwd=folder,
        env=_plain_environment(folder),
        stdout=subprocess.PIPE,
    ) as process:
        try:
            assert process.stdout is not None  # noqa: S101
            line = process.stdout.readline().decode("utf-8")
            addresses = [word for word in line.split() if word.startswith("http://")]
            if not addresses:
                _wrong(f"serve: {line}")
            yield addresses[0]
        finally:
            process.terminate()
            process.wait(timeout=_READY_SECONDS)


def _pages(address: str) -> None:
    """The demo battle through HTTP: what a browser would fetch first."""
    browser = urllib.request.build_opener(
        urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor()
    )

    def get(path: str) -> bytes:
        with browser.open(f"{address}{path}", timeout=_READY_SECONDS) as answer:
            content: bytes = answer.read()
        return content

    if json.loads(get("healthz")) != {"status": "ok"}:
        _wrong("healthz")
    if b"<html" not in get(""):
        _wrong("the host's page")
    names = {ship["name"] for ship in json.loads(get("api/view"))["ships"]}
    if not {"Hood", "Bismarck"} <= names:
        _wrong(f"the demo battle has {names}")
    for path in ("static/css/tokens.css", "static/icons.svg", "static/js/page/shell.js", "help"):
        if not get(path):
            _wrong(path)


if __name__ == "__main__":
    main()
