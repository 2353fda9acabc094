"""`make screenshots`: the pictures of the manual, made from the running product.

It starts `dreyer serve --demo` on a folder of its own and drives it in chromium, so that no picture
shows what the program does not do.
"""

import argparse
import io
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from release.distribution import ROOT

PICTURES: Final = ROOT / "web" / "manual" / "pictures"
LARGEST_BYTES: Final = 60_000
_WIDTH_PX: Final = 960
_PHONE: Final = {"width": 390, "height": 780}
_SCREEN: Final = {"width": 1280, "height": 800}
_QUALITIES: Final = (82, 74, 66, 58, 50, 40)
_SETTLED_MS: Final = 1_500
_TRACKED_MS: Final = 6_000
"""How long the camera takes to find all ships of the demo."""


@dataclass(frozen=True, slots=True)
class Picture:
    """One picture: a page, and what is done on it before."""

    name: str
    path: str
    is_phone: bool = False
    prepare: Callable[[Page], None] = lambda _: None
    scheme: str = "dark"


def _begin_tutorial(page: Page) -> None:
    page.locator('[data-act="POST /api/tutorial"]').click()
    page.wait_for_url("**/battle")


def _drawn(page: Page) -> None:
    page.wait_for_selector(".spinner", state="hidden", timeout=60_000)


def _checked(page: Page) -> None:
    page.wait_for_selector("#check-title", timeout=60_000)


def _watched(page: Page) -> None:
    page.wait_for_selector(".seen-pic, figure.view:not(.bare)", timeout=60_000)
    page.wait_for_timeout(_TRACKED_MS)


PICTURES_IN_ORDER: Final = (
    Picture("host", "/host", prepare=_watched),
    Picture("join", "/join", is_phone=True),
    Picture("table", "/table", is_phone=True),
    Picture("check", "/table?firer=Hood&target=Bismarck", is_phone=True, prepare=_checked),
    Picture("ships", "/ships", is_phone=True),
    Picture("calculator", "/calculator", is_phone=True, scheme="light"),
    Picture("camera", "/camera", prepare=_watched),
    Picture("setup", "/setup/print", scheme="light"),
    Picture("tables", "/tables", scheme="light"),
    Picture("doctor", "/doctor", is_phone=True),
    Picture("tv", "/tv", prepare=_drawn),
    Picture("battles", "/battles", scheme="light"),
    Picture("tutorial", "/host", is_phone=True, prepare=_begin_tutorial),
    Picture("battle", "/battle"),
)
"""The later ones are of a battle that has begun."""


def main() -> None:
    """Make all pictures, or those that are named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--out", type=Path, default=PICTURES)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        sys.exit("No chromium on this machine: the pictures cannot be made.")
    with _table() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program)
        for picture in PICTURES_IN_ORDER:
            if not options.names or picture.name in options.names:
                size = _save(_shot(browser, address, picture), options.out / f"{picture.name}.webp")
                print(f"{size / 1000:5.0f} kB  {picture.name}", flush=True)
        browser.close()


@contextmanager
def _table() -> Iterator[str]:
    """The demo table on a free port, and its address."""
    with (
        tempfile.TemporaryDirectory() as folder,
        subprocess.Popen(
            [
                *(sys.executable, "-m", "dreyer_table", "serve", "--demo", "--no-browser"),
                *("--port", "0", "--data", folder),
            ],
            stdout=subprocess.PIPE,
            text=True,
        ) as process,
    ):
        try:
            assert process.stdout is not None  # noqa: S101
            line = process.stdout.readline()
            (address,) = (word for word in line.split() if word.startswith("http://"))
            yield address.rstrip("/")
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=30)


def _shot(browser: Browser, address: str, picture: Picture) -> bytes:
    context = browser.new_context(
        viewport=_PHONE if picture.is_phone else _SCREEN,  # type: ignore[arg-type]
        device_scale_factor=1.5 if picture.is_phone else 1,
        color_scheme="light" if picture.scheme == "light" else "dark",
        locale="en-GB",
        reduced_motion="reduce",
    )
    page = context.new_page()
    if picture.name != "join":
        page.goto(f"{address}/")  # On the table's own machine this makes the browser the host's.
    page.goto(f"{address}{picture.path}")
    picture.prepare(page)
    page.wait_for_timeout(_SETTLED_MS)
    taken = page.screenshot()
    context.close()
    return taken


def _save(png: bytes, path: Path) -> int:
    """Write a picture small enough; returns its size."""
    image = Image.open(io.BytesIO(png)).convert("RGB")
    if image.width > _WIDTH_PX:
        height = round(image.height * _WIDTH_PX / image.width)
        image = image.resize((_WIDTH_PX, height), Image.Resampling.LANCZOS)
    for quality in _QUALITIES:
        written = io.BytesIO()
        image.save(written, "WEBP", quality=quality, method=6)
        if len(written.getvalue()) <= LARGEST_BYTES:
            break
    path.write_bytes(written.getvalue())
    return len(written.getvalue())


if __name__ == "__main__":
    main()
