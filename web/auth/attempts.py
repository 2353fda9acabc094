"""Rate limits for wrong codes and PINs."""

import ipaddress
import math
import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from tabletop.errors import DreyerError

EACH_MINUTE: Final = 6
EACH_TEN_MINUTES: Final = 30
"""Wrong attempts of one network in a minute, and in ten."""
SEAT_TEN_MINUTES: Final = 12
"""Wrong PINs for one seat in ten minutes, from everywhere.

A code of six letters has a thousand million values and a PIN 10,000: at twelve attempts in ten
minutes, guessing a PIN takes three days on average even if the code is known.
"""
_MINUTE, _TEN_MINUTES = 60.0, 600.0
_MOST_REMEMBERED: Final = 10_000
"""The most attempts remembered; the oldest is forgotten first."""

_HOUSEHOLD_PREFIX_BITS: Final = 64
"""The prefix length of an IPv6 network whose addresses one household may choose freely."""


class TooMany(DreyerError):
    """Too many wrong attempts; the message says how long to wait."""

    def __init__(self, seconds: float, *, seat: bool) -> None:
        self.seconds = max(1, math.ceil(seconds))
        where = "for_seat" if seat else "from_here"
        super().__init__(f"join.fault.too_many_{where}", seconds=self.seconds)


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt to guess a code or a PIN."""

    at: float
    network: str
    seat: str
    """The name of the seat whose PIN was tried; empty for a code alone."""


class Attempts:
    """Wrong attempts, by network and by seat. Safe to use from any thread.

    Nobody is counted for what others do elsewhere, so that wrong attempts of one phone do not keep
    out another one.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._tries: deque[Attempt] = deque(maxlen=_MOST_REMEMBERED)

    def begin(self, peer: str, seat: str = "") -> Attempt:
        """Count an attempt before it is checked, so that parallel attempts gain nothing."""
        now, network = self._clock(), network_of(peer)
        with self._lock:
            while self._tries and self._tries[0].at <= now - _TEN_MINUTES:
                self._tries.popleft()
            own = [each.at for each in self._tries if each.network == network]
            _check(own, EACH_MINUTE, _MINUTE, now, seat=False)
            _check(own, EACH_TEN_MINUTES, _TEN_MINUTES, now, seat=False)
            if seat:
                of_seat = [each.at for each in self._tries if each.seat == seat]
                _check(of_seat, SEAT_TEN_MINUTES, _TEN_MINUTES, now, seat=True)
            attempt = Attempt(now, network, seat)
            self._tries.append(attempt)
            return attempt

    def discard(self, attempt: Attempt) -> None:
        """Discard an attempt that was right."""
        with self._lock, suppress(ValueError):
            self._tries.remove(attempt)


def _check(times: Sequence[float], most: int, seconds: float, now: float, *, seat: bool) -> None:
    """Raise TooMany if there are so many attempts in the last seconds."""
    recent = [at for at in times if at > now - seconds]
    if len(recent) >= most:
        raise TooMany(recent[-most] + seconds - now, seat=seat)


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
