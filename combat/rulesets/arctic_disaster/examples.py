"""The book's worked examples, and figures that its rules state, replayed through the engine."""

from collections.abc import Iterator
from importlib.resources import files

from combat.rulesets.arctic_disaster.rulebook import ArcticRulebook
from combat.rulesets.arctic_disaster.tabledata import load_ships
from combat.shot_cases import replay_shots
from combat.tables import TableSet
from combat.verify import Case


def replayed(tables: TableSet) -> Iterator[Case]:
    """Replay every case that comes with the ruleset, with these tables."""
    data = (files(__package__) / "examples.toml").read_bytes()
    return replay_shots(data, ArcticRulebook(tables, load_ships()))
