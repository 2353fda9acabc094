"""Rate limits for wrong codes and PINs."""

import ipaddress
import math
import threading
from collections import deque
from collections.abc import Callable
from typing import Final

from tabletop.errors import DreyerError

EACH, EACH_SECONDS = 6, 60.0
ALL, ALL_SECONDS = 60, 600.0
"""Wrong attempts from one address in a minute, and from everywhere in ten.

A code of five letters has 28 million values and a PIN 10,000: at sixty attempts in ten minutes,
guessing a PIN takes half a day on average even if the code is known.
"""

_HOUSEHOLD_PREFIX_BITS: Final = 64
"""The prefix length of an IPv6 network whose addresses one household may choose freely."""


class TooMany(DreyerError):
    """Too many wrong attempts; the message says how long to wait."""

    def __init__(self, seconds: float, *, everywhere: bool) -> None:
        self.seconds = max(1, math.ceil(seconds))
        where = "at_table" if everywhere else "from_here"
        super().__init__(f"join.fault.too_many_{where}", seconds=self.seconds)


class Attempts:
    """Wrong attempts, by address and in total. Safe to use from any thread."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        # It never exceeds ALL entries, since further attempts are refused before they are stored.
        self._tries: deque[tuple[float, str]] = deque()

    def begin(self, peer: str) -> None:
        """Count an attempt before it is checked, so that parallel attempts gain nothing."""
        now, place = self._clock(), network_of(peer)
        with self._lock:
            while self._tries and self._tries[0][0] <= now - ALL_SECONDS:
                self._tries.popleft()
            if len(self._tries) >= ALL:
                raise TooMany(self._tries[0][0] + ALL_SECONDS - now, everywhere=True)
            own = [at for at, where in self._tries if where == place and at > now - EACH_SECONDS]
            if len(own) >= EACH:
                raise TooMany(own[-EACH] + EACH_SECONDS - now, everywhere=False)
            self._tries.append((now, place))

    def discard_last(self, peer: str) -> None:
        """Discard the newest attempt from an address, because it was right."""
        place = network_of(peer)
        with self._lock:
            for index in range(len(self._tries) - 1, -1, -1):
                if self._tries[index][1] == place:
                    del self._tries[index]
                    return


def network_of(peer: str) -> str:
    """The part of an address that its owner cannot freely change."""
    try:
        address = ipaddress.ip_address(peer.partition("%")[0])
    except ValueError:
        return peer
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, _HOUSEHOLD_PREFIX_BITS), strict=False))
    return str(address)
