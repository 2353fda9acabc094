"""Rulebooks for tests: put into the registry for a while, and gone without a trace."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from combat import rulebooks
from combat.library import BUILT_IN
from combat.rulebook_info import Ruleset
from combat.tables import TableSet

QUIET = "quiet-rules"
"""A rulebook that measures the table and does nothing else."""


@contextmanager
def registered(name: str, load: Callable[[], Ruleset]) -> Iterator[None]:
    """One more line in the registry."""
    found, made = rulebooks._loaded, load()
    rulebooks._LOADERS[name] = load
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rulebooks, "_loaded", lambda asked: made if asked == name else found(asked))
        _forget()
        try:
            yield
        finally:
            del rulebooks._LOADERS[name]
            _forget()


def _forget() -> None:
    """What was made of the list of rulebooks is made anew."""
    for made in ("_known_ships", "known_sizes"):
        BUILT_IN.__dict__.pop(made, None)


def quiet_rules() -> Ruleset:
    """Grand Fleets' way to measure, without its fire, tables and sheets."""
    loud = rulebooks.get_ruleset("grand-fleets")
    none = TableSet(QUIET, ())
    return replace(loud, name=QUIET, title="Quiet Rules", rulebook=None, load_tables=lambda: none)
