"""Sharing the table on a network, which the host switches on and off.

While shared, the server listens on another address and follows when that address changes, for
example when a laptop wakes up in another Wi-Fi.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

from tabletop.errors import DreyerError
from tabletop.messages import Message
from web.server.network import LOOPBACK, Network, base_url, best_network, own_networks

SHARED: Final = "shared"
"""The setting with the address at which the host shared the table."""
LOOK_SECONDS: Final = 3.0
"""How often a shared table checks whether its address has changed."""


class Closable(Protocol):
    """A listener that can be closed."""

    def close(self) -> None:
        """Stop listening."""


class CannotShare(DreyerError):
    """The table cannot be shared as requested."""


Open = Callable[[str, int], Closable]
"""Listens on an address and a port. Raises DreyerError."""


@dataclass(frozen=True, slots=True)
class SharingStatus:
    """The current state of sharing."""

    on: bool
    address: str | None
    """The address at which the table is or would be shared."""
    port: int
    networks: tuple[Network, ...]
    fixed: bool = False
    """Whether the command line shares it on every address, so that it cannot be switched off."""
    trouble: Message | None = None
    """Why a table that should be shared currently is not."""

    @property
    def reachable(self) -> bool:
        """Whether phones can currently connect; a shared table may have lost its network."""
        return self.on and not self.trouble and self.address is not None

    @property
    def url(self) -> str:
        """The table's URL for phones; this machine's own address while they cannot connect."""
        return base_url(self.address if self.address and self.reachable else LOOPBACK, self.port)


class Sharing:
    """Switches sharing on and off. Safe to use from any thread."""

    def __init__(
        self,
        open_: Open,
        port: int,
        *,
        fixed: bool = False,
        networks: Callable[[], tuple[Network, ...]] = own_networks,
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        """`open_` listens on another address; `changed` is called when the address changes."""
        self._open, self._port, self._fixed = open_, port, fixed
        self._find, self.changed = networks, changed
        self._lock = threading.RLock()
        self._listener: Closable | None = None
        self._wanted: str | None = None
        self._networks = networks()
        self._on = fixed
        self._address: str | None = None
        self._trouble: Message | None = None
        self._ending = threading.Event()
        self._look()

    @property
    def now(self) -> SharingStatus:
        """The current state."""
        with self._lock:
            address = self._address or getattr(
                best_network(self._networks, self._wanted), "address", None
            )
            return SharingStatus(
                self._on, address, self._port, self._networks, self._fixed, self._trouble
            )

    def switch(self, on: bool, address: str | None = None) -> SharingStatus:
        """Start sharing, on the chosen network or the likeliest, or stop it."""
        with self._lock:
            if self._fixed:
                if not on:
                    raise CannotShare(
                        "host.share_fault.every_address",
                    )
                self._wanted = address or self._wanted
                self._look()
            elif on:
                self._begin(address)
            else:
                self._on, self._trouble = False, None
                self._shut()
        self.changed()
        return self.now

    def resume(self, address: str) -> bool:
        """Share again after a restart, if the address is still this machine's.

        In another network the host has not agreed to be reachable, so there sharing stays off.
        """
        with self._lock:
            if self._fixed or address not in {network.address for network in self._networks}:
                return False
            try:
                self._begin(address)
            except DreyerError:
                return False
        self.changed()
        return True

    def update_addresses(self) -> bool:
        """Follow changed addresses of this machine; returns whether anything changed."""
        with self._lock:
            before = self.now
            self._look()
            if self._on and not self._fixed:
                best = best_network(self._networks, self._wanted)
                if best is None:
                    self._shut()
                    self._trouble = Message("host.share_fault.no_network")
                elif best.address != self._address or self._listener is None:
                    self._move(best.address)
            different = self.now != before
        if different:
            self.changed()
        return different

    def follow(self) -> None:
        """Check the addresses repeatedly until closed; runs in its own thread."""
        while not self._ending.wait(LOOK_SECONDS):
            self.update_addresses()

    def close(self) -> None:
        """Stop sharing and following, when the server ends."""
        self._ending.set()
        with self._lock:
            self._shut()

    def _look(self) -> None:
        self._networks = self._find()
        if self._fixed:
            self._address = getattr(best_network(self._networks, self._wanted), "address", None)

    def _begin(self, address: str | None) -> None:
        self._look()
        known = {network.address for network in self._networks}
        if address is not None and address not in known:
            listed = ", ".join(sorted(known)) or "none"
            raise CannotShare("host.share_fault.no_such_address", address=address, listed=listed)
        best = best_network(self._networks, address or self._wanted)
        if best is None:
            raise CannotShare("host.share_fault.no_network")
        if best.address != self._address or self._listener is None:
            # The new address is opened before the old one is closed, so that a failure changes
            # nothing.
            opened = self._open(best.address, self._port)
            self._shut()
            self._listener, self._address = opened, best.address
        self._wanted = address or self._wanted
        self._on, self._trouble = True, None

    def _move(self, address: str) -> None:
        self._shut()
        try:
            self._listener, self._address = self._open(address, self._port), address
        except DreyerError as error:
            self._trouble = error.message
        else:
            self._trouble = None

    def _shut(self) -> None:
        if self._listener is not None:
            self._listener.close()
        self._listener, self._address = None, None
