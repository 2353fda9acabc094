"""How long `dreyer serve` takes until it is ready, and how much memory it needs.

The start is compared with the import of Flask, OpenCV, NumPy and shapely alone, which nothing of
ours can make faster: both are processes of their own, in turn, several times in one run. What is
compared is the time on the processor, because the machine may be busy with other things; the time
by the clock is printed beside it.

    python -m benchmarks.start            # the ratio
    python -m benchmarks.start --memory   # and the memory at rest, and with a camera of 1080p
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from vision.picture_files import decode_image

WANTED = 1.5
"""The ratio that issue "Ship it" asks for."""
_LIBRARIES = "import flask, cv2, numpy, shapely; print('ready', flush=True); input()"
_ROUNDS = 5
_WATCH_SECONDS = 20


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=_ROUNDS)
    parser.add_argument("--memory", action="store_true")
    options = parser.parse_args()
    libraries, server = [], []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.rounds + 1):
            data = Path(folder) / str(number)
            library = start([sys.executable, "-c", _LIBRARIES])
            table = start(serve("--no-camera", "--data", str(data)))
            if number:  # The first round compiles and fills the caches.
                libraries.append(library)
                server.append(table)
        base, own = min(libraries), min(server)
        print("Start of `dreyer serve` (processor time; by the clock)")
        print(f"  Flask, OpenCV, NumPy, shapely  {base[0]:.2f} s; {base[1]:.2f} s")
        print(f"  the table is ready             {own[0]:.2f} s; {own[1]:.2f} s")
        ratio = own[0] / base[0]
        print(f"  ratio                          {ratio:.2f} (wanted: under {WANTED})")
        if options.memory:
            memory(Path(folder))


def serve(*options: str) -> list[str]:
    """The command on a free port."""
    return [sys.executable, "-m", "dreyer_table", "serve", "--no-browser", "--port", "0", *options]


def start(command: Sequence[str]) -> tuple[float, float]:
    """The seconds of processor and clock until a program has printed its first line."""
    began = time.perf_counter()
    with _running(command) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        clock = time.perf_counter() - began
        assert line, "it did not start"
        processor = _processor_seconds(process.pid)
        _end(process)
    return processor, clock


def memory(folder: Path) -> None:
    """The resident memory of a table at rest, and of one with a camera."""
    pictures = folder / "1080p"
    pictures.mkdir()
    frame = _frame()
    for number in range(3):
        (pictures / f"{number}.png").write_bytes(frame)
    print("Memory (resident; the most so far)")
    for name, options in (
        ("at rest, without a camera", ("--no-camera",)),
        ("a camera of 1080p (the rendered one)", ("--demo",)),
        ("a photo of 1080p, again and again", ("--camera", str(pictures))),
    ):
        with _running(serve(*options, "--data", str(folder / name))) as process:
            assert process.stdout is not None
            process.stdout.readline()
            before = _processor_seconds(process.pid)
            time.sleep(_WATCH_SECONDS)
            spent = _processor_seconds(process.pid) - before
            now, most = _megabytes(process.pid)
            _end(process)
        share = spent / _WATCH_SECONDS
        print(f"  {name:<38} {now:4.0f} MB; {most:4.0f} MB; {share:.0%} of one processor")


def _frame() -> bytes:
    """A picture of 1920 × 1080: of the demo's size, without anything in it."""
    image = np.random.default_rng(1).integers(90, 120, (1080, 1920, 3), np.uint8)
    encoded = cv2.imencode(".png", image)[1].tobytes()
    assert decode_image(encoded, "frame").shape == image.shape
    return encoded


def _running(command: Sequence[str]) -> "subprocess.Popen[bytes]":
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    return subprocess.Popen(
        [*command],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )


def _end(process: "subprocess.Popen[bytes]") -> None:
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=30)


def _processor_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _megabytes(pid: int) -> tuple[float, float]:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    sizes = {line.partition(":")[0]: line.split()[1] for line in lines if line.endswith("kB")}
    return int(sizes["VmRSS"]) / 1000, int(sizes["VmHWM"]) / 1000


if __name__ == "__main__":
    main()
