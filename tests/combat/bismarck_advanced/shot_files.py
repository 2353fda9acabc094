"""Shot files read into the facts of a fire, for tests."""

from combat.rulebooks import get_ruleset
from combat.rulebooks.bismarck_advanced.fire.options import Options
from combat.rulebooks.bismarck_advanced.fire.shot import Shot
from combat.rulebooks.bismarck_advanced.fleet.warship_files import load_warships
from combat.rulebooks.bismarck_advanced.free_play.actions import Fire
from combat.rulebooks.bismarck_advanced.free_play.rulebook import AdvancedRulebook, fire_options
from combat.shot_file import ShotForm
from tabletop.documents import parse_toml

RULESET = get_ruleset("bismarck-advanced")
RULEBOOK = AdvancedRulebook(RULESET.tables, load_warships(), RULESET.table_rules)


def read_shot(data: bytes, source: str) -> tuple[Shot, Options]:
    """The shot in a file's bytes, and the optional rules it asks for."""
    shot = ShotForm(RULEBOOK).read(parse_toml(data, source), source)
    attempt = RULEBOOK.attempt(shot.state, shot.action)
    action = attempt.action
    assert isinstance(action, Fire)
    options = fire_options(action)
    return RULEBOOK.shot(attempt), options
