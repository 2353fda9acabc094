"""Limits of open connections: how many one address, one caller and all together may have.

A connection belongs to the network that it comes from until a request on it shows a known cookie;
from then on it belongs to that caller, and the limits of strangers no longer count it. So strangers
can never use up the connections that are left for seated phones and the host. A newcomer over a
limit takes the place of the connection that has waited longest without a request in progress.
"""

import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

STRANGERS_EACH: Final = 24
"""The most connections of one network that have not shown a known cookie."""
STRANGERS_THIS_MACHINE: Final = 96
"""The same for this machine's own address, where a whole table of browsers may be tried out."""
STRANGERS: Final = 160
"""The most of all such connections."""
CALLERS_EACH: Final = 16
"""The most connections of one known caller; a browser opens six."""
CALLERS: Final = 400
"""The most connections of all known callers."""


@dataclass(slots=True, eq=False)
class Connection:
    """An open connection."""

    network: str
    """The network that it comes from."""
    close: Callable[[], None]
    this_machine: bool = False
    """Whether it comes from this machine's own address."""
    caller: str | None = None
    """The known caller whose cookie it has shown."""
    waiting: bool = True
    """Whether no request is in progress: the client has not sent a whole header."""
    waiting_since: float = 0.0
    answered: bool = False
    """Whether a request on it has had its response."""
    closed: bool = False


class Connections:
    """The open connections of all listeners. Used by the thread of the event loop only."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        # In the order in which they last began to wait.
        self._open: OrderedDict[Connection, None] = OrderedDict()

    def __len__(self) -> int:
        return len(self._open)

    def count(self, caller: str) -> int:
        """The number of connections of a known caller."""
        return sum(each.caller == caller for each in self._open)

    def admit(self, connection: Connection) -> bool:
        """Add a new connection; False if it must be closed, because there is no room for it."""
        strangers = [each for each in self._open if each.caller is None]
        own = [each for each in strangers if each.network == connection.network]
        most_own = STRANGERS_THIS_MACHINE if connection.this_machine else STRANGERS_EACH
        for group, most in ((own, most_own), (strangers, STRANGERS)):
            if len(group) >= most and not self._close_longest_waiting(group):
                return False
        connection.waiting_since = self._clock()
        self._open[connection] = None
        return True

    def identify(self, connection: Connection, caller: str) -> bool:
        """Count a connection for a known caller; False if there is no room for it."""
        if connection.caller == caller:
            return True
        others = [each for each in self._open if each.caller == caller]
        if len(others) >= CALLERS_EACH and not self._close_longest_waiting(others):
            return False
        known = [each for each in self._open if each.caller is not None]
        if len(known) >= CALLERS:
            ((largest, _),) = Counter(each.caller for each in known).most_common(1)
            if not self._close_longest_waiting([each for each in known if each.caller == largest]):
                return False
        connection.caller = caller
        return True

    def begin_request(self, connection: Connection) -> None:
        """A request is in progress on a connection."""
        connection.waiting = False

    def end_request(self, connection: Connection) -> None:
        """A connection waits for its next request."""
        connection.waiting, connection.waiting_since = True, self._clock()
        connection.answered = True
        if connection in self._open:
            self._open.move_to_end(connection)

    def remove(self, connection: Connection) -> None:
        """Remove a connection that was closed."""
        connection.closed = True
        self._open.pop(connection, None)

    def waited_seconds(self, connection: Connection) -> float:
        """For how long a connection has waited for a request; 0 during one."""
        return self._clock() - connection.waiting_since if connection.waiting else 0.0

    def _close_longest_waiting(self, group: list[Connection]) -> bool:
        """Close the connection of a group that has waited longest; False if all have a request."""
        for each in group:
            if each.waiting:
                self.remove(each)
                each.close()
                return True
        return False
