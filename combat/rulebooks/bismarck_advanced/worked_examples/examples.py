"""The book's worked examples, and figures from its rules, replayed with the engine.

The cases are in `examples.toml`. Each has a rule, a description and a kind; `fire_replays` and
`battle_replays` have a function for each kind.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files

from combat.case_file import CASE_FILE, CaseTable, Kinds
from combat.previews import Forbidden
from combat.rulebooks.bismarck_advanced.editions import CURRENT, Edition
from combat.rulebooks.bismarck_advanced.fire.options import Options
from combat.rulebooks.bismarck_advanced.fire.shot import Shot
from combat.rulebooks.bismarck_advanced.fleet.warship_files import load_warships
from combat.rulebooks.bismarck_advanced.free_play.actions import Fire
from combat.rulebooks.bismarck_advanced.free_play.rulebook import AdvancedRulebook, fire_options
from combat.rulebooks.bismarck_advanced.free_play.ship_state import FightMarks
from combat.rulebooks.bismarck_advanced.table_files import NAME, load_tables
from combat.rulebooks.bismarck_advanced.worked_examples.battle_replays import BATTLE_KINDS
from combat.rulebooks.bismarck_advanced.worked_examples.fire_replays import FIRE_KINDS
from combat.rulebooks.bismarck_advanced.worked_examples.replay import Engine
from combat.shot_cases import shots_in
from combat.shot_file import Shot as FileShot
from combat.shot_file import ShotForm
from combat.tables import TableSet
from combat.verification import Case, Figure
from tabletop.errors import DreyerError
from tabletop.messages import Message
from tabletop.places import DocumentPlace
from tabletop.rules import TableRules

KINDS = {**FIRE_KINDS, **BATTLE_KINDS}
"""Every kind of case by its name in `examples.toml`."""


@dataclass(frozen=True, slots=True)
class Example:
    """One case before it is replayed."""

    table: CaseTable
    """The case as in the file."""
    place: DocumentPlace
    replay: Callable[[Engine], Figure]


@dataclass(frozen=True, slots=True)
class Examples:
    """All cases of a file, and the shots that several of them share."""

    rules: TableRules
    shots: Mapping[str, Shot]
    options: Mapping[str, Options]
    files: Mapping[str, FileShot[FightMarks]]
    """The shots as they were read, with what is no gun fire."""
    examples: tuple[Example, ...]
    edition: Edition = CURRENT

    @classmethod
    def shipped(cls, rules: TableRules, edition: Edition = CURRENT) -> "Examples":
        """The examples of the ruleset, for an edition."""
        data = (files(__package__) / "examples.toml").read_bytes()
        return cls.read(data, f"{NAME}/examples.toml", rules, edition)

    @classmethod
    def read(
        cls, data: bytes, source: str, rules: TableRules, edition: Edition = CURRENT
    ) -> "Examples":
        """Parse a file of cases."""
        file = CASE_FILE.read_toml(data, source)
        kinds = Kinds(KINDS, engine=("engine", "_"))
        rulebook = AdvancedRulebook(load_tables(edition), load_warships(), rules, edition)
        read = shots_in(file, source, ShotForm(rulebook))
        fires = {name: each for name, each in read.items() if isinstance(each.action, Fire)}
        return cls(
            rules=rules,
            shots={
                name: rulebook.shot(rulebook.attempt(each.state, each.action))
                for name, each in fires.items()
            },
            options={
                name: fire_options(each.action)
                for name, each in fires.items()
                if isinstance(each.action, Fire)
            },
            files=read,
            examples=tuple(
                Example(case, place, kinds.question(case, place))
                for place, case in file.placed(source)
            ),
            edition=edition,
        )

    def replayed(self, tables: TableSet) -> Iterator[Case]:
        """Replay every case with these tables."""
        engine = Engine(tables, self.rules, self.shots, self.options, self.files, self.edition)
        for example in self.examples:
            yield example.table.replayed(NAME, _replay(example, engine))


def _replay(example: Example, engine: Engine) -> Figure:
    try:
        return example.replay(engine)
    except Forbidden as refusal:
        # A fire that the book resolves and we refuse is a failed case, not an error of the file.
        return Message("advanced.example.refused", refusal=refusal.message)
    except DreyerError as error:
        raise DreyerError(
            "advanced.example.fails",
            place=example.place,
            rule=example.table.rule,
            error=error.message,
        ) from error
