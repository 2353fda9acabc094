"""`make bundle`: a folder with the program and everything that it needs, without Python.

PyInstaller makes it for the system that it runs on. It is then tried: without Python on the path,
in a folder whose name has spaces and umlauts.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from io import BytesIO
from pathlib import Path
from typing import Final

from PIL import Image

from release.check_distribution import try_program
from release.distribution import ROOT
from web.drawing.png import png_from_svg

NAME: Final = "dreyer-table"
ICONS: Final = ROOT / "build" / "icons"
_SIZES: Final = (16, 24, 32, 48, 64, 128, 256)
_FILES: Final = ROOT / "release" / "bundle_files"
_SHORTCUTS: Final = {"win32": ("shortcut.ps1",), "darwin": ()}
"""The files for a shortcut; other systems have the one of Linux."""


def main() -> None:
    """Build the bundle, and try it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "dist" / "bundle")
    parser.add_argument("--try-only", action="store_true", help="try the bundle that is there")
    options = parser.parse_args()
    folder = options.out / NAME
    if not options.try_only:
        write_icons(ICONS)
        build(options.out)
    size = sum(
        path.stat().st_size
        for path in folder.rglob("*")
        if path.is_file() and not path.is_symlink()
    )
    print(f"{size / 1e6:6.0f} MB  {folder}", flush=True)
    with tempfile.TemporaryDirectory(prefix="dreyer ä ö ß ") as elsewhere:
        moved = Path(elsewhere) / "Programm für den Tisch"
        shutil.copytree(folder, moved, symlinks=True)
        program = moved / ("dreyer.exe" if os.name == "nt" else "dreyer")
        print(f"  ok  {try_program([str(program)], Path(elsewhere))}")


def write_icons(folder: Path) -> None:
    """The icon, from the drawing on the pages: .png, .ico for Windows, .icns for macOS."""
    folder.mkdir(parents=True, exist_ok=True)
    drawing = (ROOT / "web" / "static" / "mark.svg").read_text("utf-8")
    largest = Image.open(BytesIO(png_from_svg(drawing, width=1024)))
    largest.resize((256, 256), Image.Resampling.LANCZOS).save(folder / "dreyer.png")
    largest.save(folder / "dreyer.ico", sizes=[(size, size) for size in _SIZES])
    largest.save(folder / "dreyer.icns")


def build(out: Path) -> None:
    """Run PyInstaller, and put the files for shortcuts beside the program."""
    subprocess.run(
        [
            *(sys.executable, "-m", "PyInstaller", "--noconfirm", "--clean", "--log-level", "WARN"),
            *("--distpath", str(out), "--workpath", str(ROOT / "build" / "bundle")),
            str(ROOT / "release" / "bundle.spec"),
        ],
        check=True,
    )
    folder = out / NAME
    for name in _SHORTCUTS.get(sys.platform, ("shortcut.sh",)):
        shutil.copy(_FILES / name, folder / name)
    shutil.copy(ICONS / "dreyer.png", folder / "dreyer.png")
    shutil.copy(ICONS / "dreyer.ico", folder / "dreyer.ico")
    shutil.copy(_FILES / "READ ME.txt", folder / "READ ME.txt")
    shutil.copy(ROOT / "LICENSE", folder / "LICENSE.txt")


if __name__ == "__main__":
    main()
