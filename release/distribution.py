"""`make dist`: builds the source distribution and the wheel, the same bytes every time.

The wheel is built from the source distribution, so that one that lacks a file cannot pass.
"""

import argparse
import gzip
import os
import subprocess
import sys
import tarfile
import tempfile
from io import BytesIO
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
_EPOCH: Final = "SOURCE_DATE_EPOCH"


def main() -> None:
    """Build both into a folder, which must not have other packages in it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "dist")
    out = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    for old in (*out.glob("*.whl"), *out.glob("*.tar.gz")):
        old.unlink()
    for built in build(out):
        print(f"{built.stat().st_size / 1e6:6.2f} MB  {built}")


def build(out: Path, source: Path = ROOT) -> tuple[Path, Path]:
    """Build the source distribution and the wheel of a checkout."""
    epoch = source_date(source)
    os.umask(0o022)
    sdist = _built("--sdist", source, out, epoch, "*.tar.gz")
    normalise(sdist, epoch)
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(sdist) as archive:
            archive.extractall(folder, filter="data")
        (unpacked,) = Path(folder).iterdir()
        wheel = _built("--wheel", unpacked, out, epoch, "*.whl")
    return sdist, wheel


def source_date(source: Path) -> int:
    """The seconds of `SOURCE_DATE_EPOCH`; without it the time of the last commit."""
    given = os.environ.get(_EPOCH)
    if given:
        return int(given)
    said = subprocess.run(
        ["git", "log", "-1", "--format=%ct"],  # noqa: S607
        cwd=source,
        capture_output=True,
        text=True,
        check=True,
    )
    return int(said.stdout)


def _built(kind: str, source: Path, out: Path, epoch: int, pattern: str) -> Path:
    """Build one of them in a folder of its own, because setuptools leaves files behind."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [
                *(sys.executable, "-m", "build", "--no-isolation", kind),
                *("--outdir", folder, str(source)),
            ],
            env={**os.environ, _EPOCH: str(epoch)},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            sys.exit(f"{done.stdout}{done.stderr}")
        (built,) = Path(folder).glob(pattern)
        target = out / built.name
        target.write_bytes(built.read_bytes())
    return target


def normalise(sdist: Path, epoch: int) -> None:
    """Write an archive anew: entries in order, without times, owners and habits of this machine."""
    with tarfile.open(sdist) as archive:
        entries = [(entry, archive.extractfile(entry)) for entry in archive if entry.isfile()]
        contents = {entry.name: (entry, file.read()) for entry, file in entries if file is not None}
    written = BytesIO()
    with tarfile.open(fileobj=written, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, (entry, content) in sorted(contents.items()):
            plain = tarfile.TarInfo(name)
            plain.size, plain.mtime = len(content), epoch
            plain.mode = 0o755 if entry.mode & 0o100 else 0o644
            archive.addfile(plain, BytesIO(content))
    with sdist.open("wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=epoch) as compressed:
        compressed.write(written.getvalue())


if __name__ == "__main__":
    main()
