"""The texts of the data files that players read: titles, rows, columns, nations, scenarios.

They stand in English in the files themselves, because they come from the books. A translation names
them by their English words; this lists all that there are.
"""

from collections.abc import Iterator

from combat.rulebooks import NAMES, get_ruleset
from combat.scenarios import all_scenarios
from combat.table_spec import label


def data_texts() -> frozenset[str]:
    """Every text that has a letter in it. All rulebooks are loaded for it."""
    return frozenset(text for text in _texts() if any(map(str.isalpha, text)))


def _texts() -> Iterator[str]:
    for ruleset in map(get_ruleset, NAMES):
        yield from ruleset.missing
        yield from (ship.nation for ship in ruleset.ships)
        yield from (phase.title for phase in ruleset.phases)
        yield from (str(segment.title) for segment in ruleset.segments)
        for table in ruleset.tables:
            yield table.title
            yield from map(label, (*table.rows, *table.columns))
    for scenario in all_scenarios().values():
        yield from (scenario.title, scenario.date, scenario.story, scenario.victory)
        yield scenario.audience
