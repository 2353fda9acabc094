"""Packages are the same bytes wherever and whenever they are built."""

import hashlib
import os
import tarfile
from io import BytesIO
from pathlib import Path

import pytest

from release.distribution import build, normalise, source_date

EPOCH = 1_700_000_000


def archive(path: Path, names: tuple[str, ...], *, mtime: int, mode: int, owner: str) -> Path:
    with tarfile.open(path, "w:gz") as opened:
        for name in names:
            entry = tarfile.TarInfo(name)
            entry.size, entry.mtime, entry.mode, entry.uname = len(name), mtime, mode, owner
            opened.addfile(entry, BytesIO(name.encode()))
    return path


def test_an_archive_keeps_nothing_of_the_machine(tmp_path: Path) -> None:
    first = archive(tmp_path / "a.tar.gz", ("p/a", "p/b"), mtime=5, mode=0o664, owner="ann")
    other = archive(tmp_path / "b.tar.gz", ("p/b", "p/a"), mtime=9, mode=0o600, owner="bob")
    for path in (first, other):
        normalise(path, EPOCH)
    assert first.read_bytes() == other.read_bytes()
    with tarfile.open(first) as opened:
        entries = opened.getmembers()
        assert [entry.name for entry in entries] == ["p/a", "p/b"]
        assert {(entry.mtime, entry.mode, entry.uname) for entry in entries} == {(EPOCH, 0o644, "")}


def test_the_date_is_given_or_that_of_the_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(EPOCH))
    assert source_date(Path(__file__).parent) == EPOCH
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    assert source_date(Path(__file__).parent) > EPOCH


@pytest.mark.soak
def test_both_are_built_twice_alike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("build", reason="the tools for releases are not installed")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(EPOCH))
    umask = os.umask(0o077)
    try:
        built = []
        for name in ("first", "second"):
            (tmp_path / name).mkdir()
            paths = build(tmp_path / name)
            built.append([hashlib.sha256(path.read_bytes()).hexdigest() for path in paths])
    finally:
        os.umask(umask)
    assert built[0] == built[1]
