"""Figures that the rules of Sink the Bismarck! state, replayed through the engine."""

from collections.abc import Iterator
from importlib.resources import files

from combat.attack_cases import replay_attacks
from combat.rulesets.sink_the_bismarck.fire import SinkFire
from combat.rulesets.sink_the_bismarck.tabledata import NAME
from combat.tables import TableSet
from combat.verify import Case


def replayed(tables: TableSet) -> Iterator[Case]:
    """Replay every case that comes with the ruleset, with these tables."""
    data = (files(__package__) / "examples.toml").read_bytes()
    return replay_attacks(NAME, data, SinkFire(), tables)
