"""`dreyer verify` and `dreyer rulesets`: worked examples of the rulebooks, and what they lack."""

import argparse
import json
import textwrap
from pathlib import Path

from combat.rulebook_info import Ruleset
from combat.rulebooks import NAMES, get_ruleset
from combat.verification import Case, Figure, Verification, verify
from web.cli.commands import Commands, add_parser, help_text
from web.owner.tables.files import default_data_folder, effective_tables
from web.strings import data_words, text, words

_WIDTH = 100


def add_command(commands: Commands) -> None:
    """Add `verify` and `rulesets` to the command line."""
    parser = add_parser(commands, "verify")
    parser.add_argument(
        "ruleset",
        nargs="?",
        metavar="RULESET",
        help=help_text("command.help.verify.ruleset", names=", ".join(NAMES)),
    )
    parser.add_argument("--json", action="store_true", help=help_text("command.help.json"))
    parser.add_argument(
        "--data",
        type=Path,
        default=default_data_folder(),
        metavar="DIR",
        help=help_text("command.help.verify.data"),
    )
    parser.set_defaults(run=run_verify)
    listing = add_parser(commands, "rulesets")
    listing.add_argument("--json", action="store_true", help=help_text("command.help.json"))
    listing.set_defaults(run=run_rulesets)


def run_verify(options: argparse.Namespace) -> int:
    """Replay the cases of one ruleset or of all."""
    names = NAMES if options.ruleset is None else (options.ruleset,)
    rulesets = [get_ruleset(name) for name in names]
    result = verify(
        ((ruleset.cases, effective_tables(ruleset.name, options.data)) for ruleset in rulesets),
        words,
    )
    if options.json:
        _print_json(
            {
                "cases": [_case_as_json(case) for case in result.cases],
                "passed": result.passed,
                "failed": result.failed,
            }
        )
    else:
        print("\n".join(_account(rulesets, result)))
    return 1 if result.failed else 0


def run_rulesets(options: argparse.Namespace) -> int:
    """List the rulesets."""
    rulesets = [get_ruleset(name) for name in NAMES]
    if options.json:
        _print_json({"rulesets": [_ruleset_as_json(ruleset) for ruleset in rulesets]})
    else:
        print("\n\n".join("\n".join(_portrait(ruleset)) for ruleset in rulesets))
    return 0


def _print_json(document: object) -> None:
    print(json.dumps(document, ensure_ascii=False, allow_nan=False, indent=2))


def _case_as_json(case: Case) -> dict[str, object]:
    return {
        "ruleset": case.ruleset,
        "rule": case.rule,
        "source": case.source.value,
        "what": case.what,
        "expected": case.expected,
        "got": case.got,
        "ok": case.ok,
        "book_conflict": case.book_conflict,
    }


def _ruleset_as_json(ruleset: Ruleset) -> dict[str, object]:
    return {
        "name": ruleset.name,
        "title": ruleset.title,
        "source": ruleset.source,
        "needs_table": ruleset.needs_table,
        "complete": ruleset.complete,
        "missing": list(ruleset.missing),
    }


def _account(rulesets: list[Ruleset], result: Verification) -> list[str]:
    """A table for each ruleset, with conflicts of the book below their cases, and the totals."""
    lines = []
    for ruleset in rulesets:
        cases = [case for case in result.cases if case.ruleset == ruleset.name]
        if not cases:
            lines += [str(text("command.verify.none", title=ruleset.title)), ""]
            continue
        lines += [str(text("command.verify.title", title=ruleset.title))]
        lines += [*_table(cases), ""]
    total = text(
        "command.verify.total", passed=result.passed, cases=len(result.cases), failed=result.failed
    )
    return [*lines, str(total)]


def _table(cases: list[Case]) -> list[str]:
    heads = (str(text(f"command.verify.{head}")) for head in ("rule", "what", "book", "ours"))
    rule, what, book, ours = heads
    rows = [("", rule, "", what, book, ours)]
    rows += [
        (
            "✓" if case.ok else "✗",
            case.rule,
            "●" if case.source == "example" else "○",
            case.what,
            _figure(case.expected),
            _figure(case.got),
        )
        for case in cases
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = ["  ".join(map(str.ljust, rows[0], widths)).rstrip()]
    for case, row in zip(cases, rows[1:], strict=True):
        lines.append("  ".join(map(str.ljust, row, widths)).rstrip())
        if case.book_conflict:
            margin = " " * (widths[0] + widths[1] + widths[2] + 6)
            lines += textwrap.wrap(
                str(text("command.verify.conflict", conflict=case.book_conflict)),
                _WIDTH,
                initial_indent=margin,
                subsequent_indent=margin,
            )
    return lines


def _figure(figure: Figure) -> str:
    return ", ".join(map(_figure, figure)) if isinstance(figure, list) else str(figure)


def _portrait(ruleset: Ruleset) -> list[str]:
    needs = text(f"command.rulesets.{'measured' if ruleset.needs_table else 'no_table'}")
    state = text(f"command.rulesets.{'complete' if ruleset.complete else 'not_complete'}")
    lines = [f"{ruleset.name}: {ruleset.title}", f"  {ruleset.source}", f"  {needs}; {state}"]
    for missing in ruleset.missing:
        lines += textwrap.wrap(
            data_words(missing), _WIDTH, initial_indent="  - ", subsequent_indent="    "
        )
    return lines
