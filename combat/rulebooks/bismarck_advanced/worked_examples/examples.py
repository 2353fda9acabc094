"""The book's worked examples, and figures that its rules state, replayed through the engine.

The cases are data, `examples.toml`. Each names its rule, says in our words what is asked, and has
a kind; `replay_fire` and `replay_battle` know what it is given and how the engine answers.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files

from combat.previews import Forbidden
from combat.rulebooks.bismarck_advanced.editions import CURRENT, Edition
from combat.rulebooks.bismarck_advanced.fire.options import Options
from combat.rulebooks.bismarck_advanced.fire.shot import Shot
from combat.rulebooks.bismarck_advanced.fleet.warship_files import load_warships
from combat.rulebooks.bismarck_advanced.free_play.actions import Fire
from combat.rulebooks.bismarck_advanced.free_play.rulebook import AdvancedRulebook, fire_options
from combat.rulebooks.bismarck_advanced.table_files import NAME, load_tables
from combat.rulebooks.bismarck_advanced.worked_examples.battle_replays import BATTLE_KINDS
from combat.rulebooks.bismarck_advanced.worked_examples.fire_replays import FIRE_KINDS
from combat.rulebooks.bismarck_advanced.worked_examples.replay import Engine
from combat.shot_file import ShotForm
from combat.tables import TableSet
from combat.verification import Case, CaseSource, Figure
from tabletop.documents import parse_toml
from tabletop.errors import DreyerError
from tabletop.fields import Fields
from tabletop.messages import Message
from tabletop.rules import TableRules

KINDS = {**FIRE_KINDS, **BATTLE_KINDS}
"""Every kind of case by its name in `examples.toml`."""
_CASE_KEYS = ("rule", "source", "what", "kind", "given", "expected", "book_conflict")
_LONGEST_WORDS = 300


@dataclass(frozen=True, slots=True)
class Example:
    """One case as it is written down, before the engine has seen it."""

    rule: str
    source: CaseSource
    what: str
    kind: str
    given: Fields
    expected: Figure
    book_conflict: str | None


@dataclass(frozen=True, slots=True)
class Examples:
    """All cases of a file, and the shots that several of them share."""

    rules: TableRules
    shots: Mapping[str, Shot]
    options: Mapping[str, Options]
    examples: tuple[Example, ...]
    edition: Edition = CURRENT

    @classmethod
    def shipped(cls, rules: TableRules, edition: Edition = CURRENT) -> "Examples":
        """Those that come with the ruleset, for an edition of it."""
        data = (files(__package__) / "examples.toml").read_bytes()
        return cls.read(data, f"{NAME}/examples.toml", rules, edition)

    @classmethod
    def read(
        cls, data: bytes, source: str, rules: TableRules, edition: Edition = CURRENT
    ) -> "Examples":
        """The cases in a file's bytes."""
        document = parse_toml(data, source)
        fields = Fields(document, source, ("shot", "case"))
        written = document.get("shot", {})
        names = tuple(written) if isinstance(written, dict) else ()
        shots = fields.table("shot", names)
        rulebook = AdvancedRulebook(load_tables(edition), load_warships(), rules, edition)
        form = ShotForm(rulebook)
        read = {name: form.read_fields(shots.table(name, form.tables)) for name in names}
        return cls(
            rules=rules,
            shots={
                name: rulebook.shot(rulebook.attempt(each.state, each.action))
                for name, each in read.items()
            },
            options={
                name: fire_options(each.action)
                for name, each in read.items()
                if isinstance(each.action, Fire)
            },
            examples=tuple(_read(case) for case in fields.tables("case", _CASE_KEYS)),
            edition=edition,
        )

    def replayed(self, tables: TableSet) -> Iterator[Case]:
        """Replay every case with these tables."""
        engine = Engine(tables, self.rules, self.shots, self.options, self.edition)
        for example in self.examples:
            yield Case(
                ruleset=NAME,
                rule=example.rule,
                source=example.source,
                what=example.what,
                expected=example.expected,
                got=_replay(example, engine),
                book_conflict=example.book_conflict,
            )


def _read(fields: Fields) -> Example:
    kind = fields.choice("kind", KINDS)
    conflict = "book_conflict" in fields
    return Example(
        rule=fields.text("rule"),
        source=CaseSource(fields.choice("source", list(CaseSource))),
        what=fields.text("what", most=_LONGEST_WORDS),
        kind=kind,
        given=fields.table("given", KINDS[kind].keys),
        expected=_figure(fields, fields.value("expected", _EXPECTED)),
        book_conflict=fields.text("book_conflict", most=_LONGEST_WORDS) if conflict else None,
    )


_EXPECTED = Message("advanced.expected.figure")


def _figure(fields: Fields, value: object) -> Figure:
    if isinstance(value, list):
        return [_figure(fields, item) for item in value]
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise fields.wrong("expected", _EXPECTED, value)
    return value


def _replay(example: Example, engine: Engine) -> Figure:
    try:
        return KINDS[example.kind].replay(example.given, engine)
    except Forbidden as refusal:
        # A fire that the book resolves and we refuse is a failed case, not a broken file.
        return Message("advanced.example.refused", refusal=refusal.message)
    except DreyerError as error:
        raise DreyerError(
            "advanced.example.fails",
            place=example.given.place,
            rule=example.rule,
            error=error.message,
        ) from error
