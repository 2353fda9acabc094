"""Grand Fleets, third edition: miniatures, measured bridge to bridge."""

from importlib.resources import files

from combat.ruleset import Ruleset, load_ruleset

NAME = "grand-fleets"


def load() -> Ruleset:
    """The ruleset, from the data files beside this module."""
    return load_ruleset(NAME, files(__package__))
