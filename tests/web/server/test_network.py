"""Own addresses, the codes that phones read, and sharing that follows the address."""

import re
import socket
import threading
from functools import partial
from pathlib import Path
from urllib.request import urlopen
from xml.etree import ElementTree

import ifaddr
import pytest
import segno
from ifaddr import IP, Adapter

from tabletop.errors import DreyerError
from tabletop.messages import Message, verbatim
from tests.web.phones import host_of
from web import create_app
from web.data_folder import table_in_memory
from web.http.context import ServerContext
from web.http.server import serve
from web.journal.store import Store
from web.scenes import demo_scene
from web.server import network
from web.server.listeners import listen
from web.server.network import (
    Network,
    base_url,
    best_network,
    own_networks,
    qr_svg,
    qr_text,
    wifi_text,
)
from web.server.sharing import CannotShare, Sharing
from web.session import Session

WIFI, CABLE = (
    Network("192.168.1.5", Message("host.network_name.wifi", interface="wlan0")),
    Network("10.0.0.7", Message("host.network_name.cable", interface="eth0")),
)


def test_own_addresses_are_in_figures_and_none_is_this_machine_alone() -> None:
    for found in own_networks():
        assert re.fullmatch(r"\d+\.\d+\.\d+\.\d+", found.address)
        assert not found.address.startswith("127.")


def test_the_room_comes_before_other_programs_networks(monkeypatch: pytest.MonkeyPatch) -> None:
    adapters = [
        Adapter(name, name, [IP(address, 24, name)])
        for name, address in (
            ("docker0", "172.17.0.1"),
            ("tun0", "10.8.0.2"),
            ("wlan0", "192.168.1.5"),
            ("wlan0", ("fe80::1", 0, 2)),
            ("eth0", "169.254.3.4"),
            ("lo", "127.0.0.1"),
        )
    ]
    monkeypatch.setattr(ifaddr, "get_adapters", lambda: adapters)
    monkeypatch.setattr(network, "_by_route", lambda: ("10.8.0.2", "192.168.1.5"))
    found = own_networks()
    assert found[0] == WIFI
    assert [each.address for each in found] == [
        "192.168.1.5",
        "169.254.3.4",
        "10.8.0.2",
        "172.17.0.1",
    ]


def test_no_network_at_all_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> socket.socket:
        raise OSError("no network")

    monkeypatch.setattr(socket, "socket", fail)
    monkeypatch.setattr(ifaddr, "get_adapters", fail)
    assert own_networks() == ()
    assert best_network(()) is None


def test_the_chosen_network_is_kept_while_it_lasts() -> None:
    assert best_network((WIFI, CABLE), CABLE.address) == CABLE
    assert best_network((WIFI,), CABLE.address) == WIFI


def test_links() -> None:
    assert base_url("192.168.1.5", 8080) == "http://192.168.1.5:8080"
    assert base_url("192.168.1.5", 80) == "http://192.168.1.5"
    assert base_url("fe80::1", 8080) == "http://[fe80::1]:8080"


def test_the_code_is_a_picture_of_the_link() -> None:
    link = "http://192.168.1.5:8080/join?code=K7QPM2"
    drawn = qr_svg(link, title="<join>")
    root = ElementTree.fromstring(drawn)  # noqa: S314  # Our own text.
    size = segno.make_qr(link, error="m").symbol_size(border=4)[0]
    assert root.get("viewBox") == f"0 0 {size} {size}"
    assert "&lt;join&gt;" in drawn
    assert "style" not in drawn
    rows = qr_text(link).splitlines()
    assert len({len(row) for row in rows}) == 1
    assert qr_text(link, coloured=True).count("\x1b[0m") == len(rows)


def test_the_wifi_code_escapes_what_phones_would_misread() -> None:
    assert wifi_text("Club;Room", 'a"b:c') == 'WIFI:T:WPA;S:Club\\;Room;P:a\\"b\\:c;;'
    assert wifi_text("Open", "", hidden=True) == "WIFI:T:nopass;S:Open;H:true;;"


class Doors:
    """Addresses that are listened on, for tests without sockets."""

    def __init__(self) -> None:
        self.open: list[str] = []
        self.broken: set[str] = set()

    def __call__(self, address: str, port: int) -> "Door":
        if address in self.broken:
            raise DreyerError("host.listen.port_taken", port=port)
        self.open.append(address)
        return Door(self, address)


class Door:
    """One of them."""

    def __init__(self, doors: Doors, address: str) -> None:
        self._doors, self._address = doors, address

    def close(self) -> None:
        """Listen no more."""
        self._doors.open.remove(self._address)


def test_nothing_listens_until_it_is_shared_and_nothing_after() -> None:
    doors, told = Doors(), []
    sharing = Sharing(doors, 8080, networks=lambda: (WIFI, CABLE), changed=lambda: told.append(1))
    assert doors.open == []
    assert sharing.now.url == "http://127.0.0.1:8080"
    assert sharing.switch(on=True).url == "http://192.168.1.5:8080"
    assert doors.open == ["192.168.1.5"]
    assert sharing.switch(on=True, address=CABLE.address).address == CABLE.address
    assert doors.open == ["10.0.0.7"]
    assert not sharing.switch(on=False).on
    assert doors.open == []
    assert len(told) == 3


def test_sharing_follows_when_the_address_changes() -> None:
    doors, here = Doors(), [WIFI]
    sharing = Sharing(doors, 8080, networks=lambda: tuple(here))
    sharing.switch(on=True)
    assert not sharing.update_addresses()
    here[:] = [CABLE]
    assert sharing.update_addresses()
    assert (doors.open, sharing.now.address) == ([CABLE.address], CABLE.address)
    here[:] = []
    assert sharing.update_addresses()
    assert doors.open == []
    assert sharing.now.trouble == Message("host.share_fault.no_network")
    assert not sharing.now.reachable
    assert sharing.now.url == "http://127.0.0.1:8080"
    doors.broken = {WIFI.address}
    here[:] = [WIFI]
    sharing.update_addresses()
    assert sharing.now.trouble is not None
    assert sharing.now.trouble.code == "host.listen.port_taken"
    doors.broken = set()
    assert sharing.update_addresses()
    assert (doors.open, sharing.now.reachable) == ([WIFI.address], True)
    sharing.close()
    assert doors.open == []


def test_sharing_where_it_cannot_be_says_why() -> None:
    doors = Doors()
    with pytest.raises(CannotShare, match=r"host\.share_fault\.no_network"):
        Sharing(doors, 8080, networks=lambda: ()).switch(on=True)
    with pytest.raises(CannotShare, match=r"host\.share_fault\.no_such_address"):
        Sharing(doors, 8080, networks=lambda: (WIFI,)).switch(on=True, address="8.8.8.8")
    fixed = Sharing(doors, 8080, networks=lambda: (WIFI,), fixed=True)
    assert fixed.now.url == "http://192.168.1.5:8080"
    with pytest.raises(CannotShare, match=r"host\.share_fault\.every_address"):
        fixed.switch(on=False)
    assert fixed.switch(on=True).on


def test_a_network_that_cannot_be_had_leaves_the_old_one() -> None:
    doors = Doors()
    sharing = Sharing(doors, 8080, networks=lambda: (WIFI, CABLE))
    sharing.switch(on=True)
    doors.broken = {CABLE.address}
    with pytest.raises(DreyerError, match="taken"):
        sharing.switch(on=True, address=CABLE.address)
    assert (doors.open, sharing.now.address) == ([WIFI.address], WIFI.address)


def test_a_real_second_socket_opens_and_closes_while_the_server_runs() -> None:
    """The whole of 127.0.0.0/8 is this machine: its second address stands for a network."""
    second = "127.0.0.2"
    server_context = ServerContext(table_in_memory(demo_scene))
    app = create_app(server_context=server_context)
    with (
        listen("127.0.0.1", 0) as door,
        serve(app, server_context, door, networks=lambda: (Network(second, verbatim("test")),)),
    ):
        port = door.getsockname()[1]
        assert not _answers(second, port)
        server_context.sharing.switch(on=True)
        assert _answers(second, port)
        assert _answers("127.0.0.1", port)
        server_context.sharing.switch(on=False)
        assert not _answers(second, port)
        assert _answers("127.0.0.1", port)
    assert not _answers("127.0.0.1", port)
    names = [thread.name for thread in threading.enumerate()]
    assert not [name for name in names if name.startswith("listening on")]


def test_a_restarted_server_is_shared_as_before(tmp_path: Path) -> None:
    """Chosen once, it holds while the machine is where it was; elsewhere the host is asked anew."""
    here = "127.0.0.2"
    for networks, shared, press in (
        ([here], False, True),
        ([here], True, None),
        (["127.0.0.3"], False, None),
        ([here], True, False),
        ([here], False, None),
    ):
        session = Session(Store(tmp_path / "table.db"))
        server_context = ServerContext(session)
        app = create_app(server_context=server_context)
        found = partial(tuple, [Network(address, verbatim("test")) for address in networks])
        with (
            listen("127.0.0.1", 0) as door,
            serve(app, server_context, door, networks=found),
        ):
            assert server_context.sharing.now.reachable is shared, networks
            assert _answers(networks[0], door.getsockname()[1]) is shared
            if press is not None:
                switched = host_of(app).post("/api/host/share", {"on": press})
                assert switched.get_json()["shared"] is press
        session.close()


def _answers(address: str, port: int) -> bool:
    try:
        with urlopen(f"http://{address}:{port}/healthz", timeout=5) as response:
            return bool(response.status == 200)
    except OSError:
        return False
