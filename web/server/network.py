"""This machine's own addresses, found without internet access, and QR codes for phones."""

import contextlib
import io
import ipaddress
import socket
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import ifaddr

from tabletop.messages import Message, verbatim

LOOPBACK: Final = "127.0.0.1"

_ROUTE_PROBES: Final = ("192.0.2.1", "192.168.255.254", "10.255.255.254", "172.31.255.254")
"""Addresses whose route is looked up.

The first is reached only by the default route, the others are private ranges.
"""
_NOT_A_ROOM: Final = (
    *("docker", "br-", "veth", "virbr", "vmnet", "vboxnet", "lxc", "podman", "cni"),
    *("tun", "tap", "wg", "zt", "tailscale", "utun", "ppp"),
)
"""Name prefixes of interfaces that do not lead to phones in the room, such as VPNs."""


@dataclass(frozen=True, slots=True)
class Network:
    """A network of this machine: the machine's address in it, and its title."""

    address: str
    name: Message


def own_networks() -> tuple[Network, ...]:
    """Every network through which a phone could connect, the likeliest first."""
    names = _interfaces()
    by_route = _by_route()
    # An address found both by route and by interface is one network.
    found = dict.fromkeys((*by_route, *names))
    addresses = [address for address in found if _reachable(address)]
    networks = [Network(address, _title(names.get(address, ""))) for address in addresses]
    return tuple(sorted(networks, key=lambda each: _distance(each.address, names, by_route)))


def best_network(networks: Iterable[Network], wanted: str | None = None) -> Network | None:
    """The network to share on: the chosen one while it exists, otherwise the likeliest."""
    listed = tuple(networks)
    chosen = [network for network in listed if network.address == wanted]
    return next(iter(chosen or listed), None)


def is_this_machine(address: str) -> bool:
    """Whether an address is one of this machine's own."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    mapped = getattr(found, "ipv4_mapped", None) or found
    return mapped.is_loopback or str(mapped) in _interfaces()


def in_url(host: str) -> str:
    """An address as part of a URL."""
    return f"[{host}]" if ":" in host else host


def base_url(host: str, port: int) -> str:
    """The table's URL without a path."""
    return f"http://{in_url(host)}" + ("" if port == 80 else f":{port}")


def qr_svg(text: str, *, title: str) -> str:
    """A QR code as SVG: dark on white with its quiet zone, in either theme."""
    picture = io.BytesIO()
    import segno

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
    """A QR code for the terminal, with two rows of modules per line as half blocks.

    In colour it is white on black, independent of the terminal's colours, so that it is never
    inverted.
    """
    output = io.StringIO()
    import segno

    segno.make_qr(text, error="l").terminal(out=output, compact=True, border=2)
    lines = output.getvalue().splitlines()
    if coloured:
        lines = [f"\x1b[97;40m{line}\x1b[0m" for line in lines]
    return "\n".join(lines)


def wifi_text(name: str, password: str, *, hidden: bool = False) -> str:
    """The text of a QR code with which a phone joins a Wi-Fi network."""
    escaped = [_wifi_escape(part) for part in (name, password)]
    kind = "WPA" if password else "nopass"
    secret = f"P:{escaped[1]};" if password else ""
    return f"WIFI:T:{kind};S:{escaped[0]};{secret}{'H:true;' if hidden else ''};"


def _wifi_escape(text: str) -> str:
    return "".join(f"\\{letter}" if letter in '\\;,":' else letter for letter in text)


def _interfaces() -> dict[str, str]:
    """The names of the interfaces by IPv4 address."""
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
    """The addresses from which the system would send; nothing is sent."""
    found = []
    for place in _ROUTE_PROBES:
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
    """A rank of an address: the higher, the less likely phones use it."""
    there = ipaddress.ip_address(address)
    order = by_route.index(address) if address in by_route else len(by_route)
    elsewhere = names.get(address, "").startswith(_NOT_A_ROOM)
    return elsewhere, there.is_link_local, not there.is_private, order


def _title(interface: str) -> Message:
    """The title of an interface, with the system's own name."""
    if interface.startswith(("wl", "ath", "wifi")):
        return Message("host.network_name.wifi", interface=interface)
    if interface.startswith(("en", "eth")) and sys.platform == "linux":
        return Message("host.network_name.cable", interface=interface)
    return verbatim(interface)
