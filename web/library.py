"""The library that a server plays with now; players may change a ship card at any time."""

import threading

from combat.library import BUILT_IN, Library
from combat.rulebook_info import Ruleset


class CurrentLibrary:
    """Holds the library of the moment. Safe to use from any thread."""

    def __init__(self, library: Library = BUILT_IN) -> None:
        self._library = library
        self._lock = threading.Lock()

    @property
    def now(self) -> Library:
        """The library of this moment."""
        return self._library

    def use(self, ruleset: Ruleset) -> None:
        """Play with this version of a rulebook; what clashes changes nothing."""
        with self._lock:
            self._library = self._library.with_ruleset(ruleset)

    def restore(self, name: str) -> None:
        """Play with a rulebook as it came."""
        with self._lock:
            self._library = self._library.without(name)
