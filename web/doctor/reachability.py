"""How phones reach this machine: its port, its addresses, and what a firewall may refuse."""

import ipaddress
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tabletop.messages import Message
from web.doctor.findings import Figure, Finding, Grade, Topic
from web.server.network import Network, own_networks
from web.server.ports import Listener, listener_at

_UFW: Final = Path("/etc/ufw/ufw.conf")
_FIREWALLD: Final = (Path("/run/firewalld.pid"), Path("/var/run/firewalld.pid"))
_MAC_FIREWALL: Final = "/usr/libexec/ApplicationFirewall/socketfilterfw"
_ASK_SECONDS: Final = 5


def examine_port(
    port: int, *, is_ours: bool = False, listener_of: Callable[[int], Listener] = listener_at
) -> Finding:
    """Whether the table's port is free; `is_ours` if this very program listens there."""
    listener = Listener.THIS_PROGRAM if is_ours else listener_of(port)
    details: dict[str, Figure] = {"port": port, "listener": str(listener)}
    if listener is Listener.ANOTHER_PROGRAM:
        return Finding(
            Topic.PORT,
            Grade.WARNING,
            Message("doctor.port.taken", port=port),
            Message("doctor.port.another"),
            details,
        )
    code = "doctor.port.ours" if listener is Listener.THIS_PROGRAM else "doctor.port.free"
    return Finding(Topic.PORT, Grade.GOOD, Message(code, port=port), details=details)


def examine_network(networks: Callable[[], tuple[Network, ...]] = own_networks) -> Finding:
    """The addresses at which phones could reach this machine."""
    found = networks()
    details: dict[str, Figure] = {"addresses": tuple(network.address for network in found)}
    if not found:
        return Finding(
            Topic.NETWORK,
            Grade.WARNING,
            Message("doctor.network.none"),
            Message("doctor.network.join"),
            details,
        )
    best = found[0]
    listed = tuple(
        Message("doctor.network.one", address=network.address, name=network.name)
        for network in found
    )
    if ipaddress.ip_address(best.address).is_link_local:
        return Finding(
            Topic.NETWORK,
            Grade.WARNING,
            Message("doctor.network.link_local", address=best.address),
            Message("doctor.network.join"),
            details,
        )
    return Finding(
        Topic.NETWORK, Grade.GOOD, Message("doctor.network.good", listed=listed), details=details
    )


@dataclass(frozen=True, slots=True)
class Firewall:
    """A firewall that seems to be on, and the command or the place that opens the port."""

    name: str
    remedy: str
    """The last part of its remedy's code."""


def examine_firewall(port: int, found: Callable[[], Firewall | None] | None = None) -> Finding:
    """Whether a firewall may refuse phones: a guess, because only a phone can try."""
    firewall = (found or guess_firewall)()
    if firewall is None:
        return Finding(
            Topic.FIREWALL,
            Grade.GOOD,
            Message("doctor.firewall.none"),
            details={"firewall": None},
        )
    return Finding(
        Topic.FIREWALL,
        Grade.NOTE,
        Message("doctor.firewall.on", name=firewall.name),
        Message(f"doctor.firewall.allow.{firewall.remedy}", port=port),
        {"firewall": firewall.name},
    )


def guess_firewall(
    system: str = sys.platform,
    said: "Callable[[Sequence[str]], str] | None" = None,
    *,
    ufw: Path = _UFW,
    firewalld: Sequence[Path] = _FIREWALLD,
) -> Firewall | None:
    """The firewall of this system, as far as it can be known without being administrator."""
    ask = said or _said
    if system == "win32":
        state = ask(["netsh", "advfirewall", "show", "currentprofile", "state"])
        # The word for "on" is in the system's language; the off state is OFF, AUS, INACTIF …
        off = any(word in state.upper().split() for word in ("OFF", "AUS", "INACTIF", "DESACTIVAR"))
        return None if off else Firewall("Windows", "windows")
    if system == "darwin":
        state = ask([_MAC_FIREWALL, "--getglobalstate"])
        return Firewall("macOS", "mac") if "enabled" in state.lower() else None
    try:
        if "enabled=yes" in ufw.read_text("utf-8").lower().replace(" ", ""):
            return Firewall("ufw", "ufw")
    except OSError:
        pass
    if any(path.exists() for path in firewalld):
        return Firewall("firewalld", "firewalld")
    return None


def _said(command: Sequence[str]) -> str:
    """What a system's own command prints; empty where it cannot be asked."""
    try:
        done = subprocess.run(  # noqa: S603 - fixed commands of the system
            [*command], capture_output=True, timeout=_ASK_SECONDS, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.decode("utf-8", "replace")
