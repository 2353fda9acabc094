"""What the tests of battles share: a table server on a folder, which can be started again."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from flask import Flask

from tests.web.battle.keeping import Open
from tests.web.phones import fresh_app
from web.data_folder import DataFolder, battles_in
from web.http.context import Running

if TYPE_CHECKING:
    from web.archive.battles import Battles


@pytest.fixture
def open_app(tmp_path: Path) -> Iterator[Open]:
    """The server on a data folder, as often as it is started."""
    opened: list[tuple[DataFolder, Battles]] = []

    def close() -> None:
        while opened:
            folder, battles = opened.pop()
            battles.session.close()
            folder.close()

    def open_() -> Flask:
        close()
        folder = DataFolder(tmp_path)
        battles = battles_in(folder, demo=False, scene=None)
        opened.append((folder, battles))
        return fresh_app(Running(battles.session, data_folder=tmp_path, kept=battles))

    yield open_
    close()
