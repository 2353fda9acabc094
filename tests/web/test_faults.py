"""Faults as they are told: in words for whoever asked, and with nothing that is not theirs."""

import pytest

from web.server.faults import told
from web.store import StoreFault


@pytest.mark.parametrize(
    "path", ["/home/ann/my games/battles/x.db", "C:\\Users\\Ann\\x.db", "x.db"]
)
def test_where_the_host_keeps_a_file_is_not_told(path: str) -> None:
    found = told(StoreFault(f"{path}: could not be written: the disk is full"))
    assert found.status == 503
    assert found.message == "X.db: could not be written: the disk is full"
