"""What the tests of free play share."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from flask import Flask

from tests.web.phones import fresh_app
from web.data_folder import DataFolder, battles_in
from web.http.context import ServerContext

if TYPE_CHECKING:
    from web.archive.battles import Battles

Server = Callable[[str], Flask]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Server]:
    """A server on a data folder of this name; one at a time."""
    opened: list[tuple[DataFolder, Battles]] = []

    def close() -> None:
        while opened:
            folder, battles = opened.pop()
            battles.session.close()
            folder.close()

    def open_(name: str) -> Flask:
        close()
        folder = DataFolder(tmp_path / name)
        battles = battles_in(folder, demo=False, scene=None)
        opened.append((folder, battles))
        return fresh_app(ServerContext(battles.session, data_folder=tmp_path / name, kept=battles))

    yield open_
    close()
