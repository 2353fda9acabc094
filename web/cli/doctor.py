"""`dreyer doctor`: what is wrong with this computer for a table, on one page."""

import argparse
import json
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Final

from web.cli.commands import Commands, add_parser, help_text
from web.strings import text, words

if TYPE_CHECKING:
    from web.doctor.findings import Examination

_WIDTH: Final = 100
_MARKS: Final = {"good": "●", "note": "○", "warning": "▲", "fault": "✕"}
"""One for each grade: shapes, because terminals differ in their colours."""


def add_command(commands: Commands) -> None:
    """Add `doctor` to the command line."""
    from web.cli.serve import DEFAULT_PORT

    parser = add_parser(commands, "doctor")
    parser.add_argument("--json", action="store_true", help=help_text("command.help.json"))
    parser.add_argument(
        "--port",
        type=int,
        choices=range(1, 65536),
        metavar="PORT",
        default=DEFAULT_PORT,
        help=help_text("command.help.doctor.port", default=DEFAULT_PORT),
    )
    parser.add_argument(
        "--data", type=Path, metavar="DIR", help=help_text("command.help.doctor.data")
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Examine this machine; 1 if the table does not work on it."""
    from web.doctor.examination import examine
    from web.doctor.findings import Grade
    from web.owner.tables.files import default_data_folder

    found = examine(options.data or default_data_folder(), options.port)
    if options.json:
        print(json.dumps(found.document(), indent=2, ensure_ascii=False))
    else:
        print("\n".join(_lines(found)))
    return 1 if found.worst is Grade.FAULT else 0


def _lines(found: "Examination") -> list[str]:
    titles = {
        finding.topic: str(text(f"doctor.topic.{finding.topic}")) for finding in found.findings
    }
    width = max(map(len, titles.values()))
    lines = [str(text("doctor.head", version=found.version))]
    for finding in found.findings:
        start = f"{_MARKS[finding.grade]} {titles[finding.topic]:<{width}}  "
        lines += _wrapped(start, words(finding.message))
        if finding.remedy is not None:
            lines += _wrapped(" " * (width + 4) + "→ ", words(finding.remedy))
    lines.append(str(text(f"doctor.worst.{found.worst}")))
    return lines


def _wrapped(start: str, said: str) -> list[str]:
    return textwrap.wrap(
        said,
        _WIDTH,
        initial_indent=start,
        subsequent_indent=" " * len(start),
        break_long_words=False,
        break_on_hyphens=False,
    )
