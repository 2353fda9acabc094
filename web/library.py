"""The server's current library, which changes when players enter ship cards."""

import threading

from combat.library import BUILT_IN, Library
from combat.rulebook_info import Ruleset


class CurrentLibrary:
    """Holds the current library. Safe to use from any thread."""

    def __init__(self, library: Library = BUILT_IN) -> None:
        self._library = library
        self._lock = threading.Lock()

    @property
    def now(self) -> Library:
        """The current library."""
        return self._library

    def use(self, ruleset: Ruleset) -> None:
        """Replace a rulebook. Raises, and changes nothing, if names of ships clash."""
        with self._lock:
            self._library = self._library.with_ruleset(ruleset)

    def restore(self, name: str) -> None:
        """Reset a rulebook to the built-in one."""
        with self._lock:
            self._library = self._library.without(name)
