"""This machine's own addresses, told without any internet, and the codes that phones read."""

import contextlib
import io
import ipaddress
import socket
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import ifaddr
import segno

from tabletop.messages import Message, verbatim

LOOPBACK: Final = "127.0.0.1"

_SOMEWHERE: Final = ("192.0.2.1", "192.168.255.254", "10.255.255.254", "172.31.255.254")
"""Addresses to ask a route for: one that only the default route leads to, then private ranges."""
_NOT_A_ROOM: Final = (
    *("docker", "br-", "veth", "virbr", "vmnet", "vboxnet", "lxc", "podman", "cni"),
    *("tun", "tap", "wg", "zt", "tailscale", "utun", "ppp"),
)
"""Interfaces that lead to other programs or far away, not to the phones in the room."""


@dataclass(frozen=True, slots=True)
class Network:
    """One network that this machine is on: its address there, and what to call it."""

    address: str
    name: Message


def own_networks() -> tuple[Network, ...]:
    """Every network a phone could come by, the likeliest first."""
    names = _interfaces()
    by_route = _by_route()
    # An address that a route and an interface lead to is one network, where it came first.
    found = dict.fromkeys((*by_route, *names))
    addresses = [address for address in found if _reachable(address)]
    networks = [Network(address, _called(names.get(address, ""))) for address in addresses]
    return tuple(sorted(networks, key=lambda each: _distance(each.address, names, by_route)))


def best_network(networks: Iterable[Network], wanted: str | None = None) -> Network | None:
    """The network to share on: the one that was chosen while it lasts, else the likeliest."""
    listed = tuple(networks)
    chosen = [network for network in listed if network.address == wanted]
    return next(iter(chosen or listed), None)


def in_url(host: str) -> str:
    """An address as it stands in a link."""
    return f"[{host}]" if ":" in host else host


def base_url(host: str, port: int) -> str:
    """The table's address, without a path."""
    return f"http://{in_url(host)}" + ("" if port == 80 else f":{port}")


def qr_svg(text: str, *, title: str) -> str:
    """A QR code as an SVG picture: dark on white with its quiet zone, in either theme."""
    picture = io.BytesIO()
    segno.make_qr(text, error="m").save(
        picture,
        kind="svg",
        xmldecl=False,
        svgns=True,
        omitsize=True,
        border=4,
        dark="#0b1a26",
        light="#ffffff",
        title=title,
        svgclass=None,
        lineclass=None,
    )
    return picture.getvalue().decode("utf-8")


def qr_text(text: str, *, coloured: bool = False) -> str:
    """A QR code for the terminal, two rows of modules to a line of half blocks.

    Coloured, it is white on black whatever the terminal's own colours are, so that it is never
    inside out.
    """
    output = io.StringIO()
    segno.make_qr(text, error="l").terminal(out=output, compact=True, border=2)
    lines = output.getvalue().splitlines()
    if coloured:
        lines = [f"\x1b[97;40m{line}\x1b[0m" for line in lines]
    return "\n".join(lines)


def wifi_text(name: str, password: str, *, hidden: bool = False) -> str:
    """What a phone reads to join a Wi-Fi network."""
    escaped = [_wifi_escape(part) for part in (name, password)]
    kind = "WPA" if password else "nopass"
    secret = f"P:{escaped[1]};" if password else ""
    return f"WIFI:T:{kind};S:{escaped[0]};{secret}{'H:true;' if hidden else ''};"


def _wifi_escape(text: str) -> str:
    return "".join(f"\\{letter}" if letter in '\\;,":' else letter for letter in text)


def _interfaces() -> dict[str, str]:
    """IPv4 address → name of its interface."""
    try:
        adapters = ifaddr.get_adapters()
    except OSError:
        return {}
    return {
        str(address.ip): adapter.nice_name
        for adapter in adapters
        for address in adapter.ips
        if address.is_IPv4
    }


def _by_route() -> tuple[str, ...]:
    """The addresses that the system would send from; nothing is sent."""
    found = []
    for place in _SOMEWHERE:
        with (
            contextlib.suppress(OSError),
            socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking,
        ):
            asking.connect((place, 9))
            found.append(str(asking.getsockname()[0]))
    return tuple(dict.fromkeys(found))


def _reachable(address: str) -> bool:
    there = ipaddress.ip_address(address)
    return not (there.is_loopback or there.is_unspecified or there.is_multicast)


def _distance(
    address: str, names: dict[str, str], by_route: tuple[str, ...]
) -> tuple[bool, bool, bool, int]:
    """How unlikely it is that the phones in the room come by this address."""
    there = ipaddress.ip_address(address)
    order = by_route.index(address) if address in by_route else len(by_route)
    elsewhere = names.get(address, "").startswith(_NOT_A_ROOM)
    return elsewhere, there.is_link_local, not there.is_private, order


def _called(interface: str) -> Message:
    """An interface in words, with the system's own name for it."""
    if interface.startswith(("wl", "ath", "wifi")):
        return Message("host.network_name.wifi", interface=interface)
    if interface.startswith(("en", "eth")) and sys.platform == "linux":
        return Message("host.network_name.cable", interface=interface)
    return verbatim(interface)
