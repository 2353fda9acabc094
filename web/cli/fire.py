"""`dreyer resolve` and `dreyer forecast`: play one action from a shot file, or compute its odds."""

import argparse
import io
import json
import random
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated, Final, TextIO

from combat.dice import RolledDice, TypedDice
from combat.event_reports import provenance_of, rests_on_owner_values
from combat.events import Event
from combat.forecast import Forecast
from combat.free_play import FreeRulebook
from combat.previews import REQUIRED, Line, ShotKey
from combat.provenance import Provenance
from combat.rulebooks import DEFAULT
from combat.shot_file import Shot, ShotForm, forecast_shots, resolve_shot
from tabletop.documents import parse_json_text, parse_toml
from tabletop.errors import BadField, DreyerError, UnreadableFile
from tabletop.messages import Message
from tabletop.places import NOWHERE, DocumentPlace, shorten
from tabletop.schema import Expected, Schema, Whole, file_document
from web.cli.commands import Commands, add_parser, help_text
from web.files import LARGEST_BATCH_BYTES, read_input
from web.owner.rulebooks import open_rulebook
from web.owner.tables.files import default_data_folder
from web.strings import NO_NAMES, json_words, text, words


@file_document
class _BatchLine:
    """A line of a batch."""

    id: object = None
    shot: Annotated[dict[str, object], Expected(Message("command.batch.shot"))]
    dice: Annotated[str, Expected(Message("schema.typed_dice"))] | None = None
    seed: Whole | None = None


_LINE: Final[Schema[_BatchLine]] = Schema(_BatchLine)


def add_command(commands: Commands) -> None:
    """Add `resolve` and `forecast` to the command line."""
    resolve = add_parser(commands, "resolve")
    resolve.add_argument("shot", type=Path, nargs="?", metavar="SHOT.toml")
    resolve.add_argument("--dice", metavar='"34 12 …"', help=help_text("command.help.resolve.dice"))
    resolve.add_argument(
        "--seed", type=int, metavar="N", help=help_text("command.help.resolve.seed")
    )
    resolve.add_argument(
        "--describe", metavar="RULESET", help=help_text("command.help.resolve.describe")
    )
    _add_common(resolve)
    resolve.set_defaults(run=run_resolve)
    forecast = add_parser(commands, "forecast")
    forecast.add_argument(
        "shots",
        type=Path,
        nargs="*",
        metavar="SHOT.toml",
        help=help_text("command.help.forecast.shots"),
    )
    forecast.add_argument(
        "--boxes",
        action="store_true",
        help=help_text("command.help.forecast.boxes"),
    )
    _add_common(forecast)
    forecast.set_defaults(run=run_forecast)


def _add_common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help=help_text("command.help.json"))
    parser.add_argument(
        "--batch",
        metavar="FILE.jsonl",
        help=help_text("command.help.batch"),
    )
    parser.add_argument(
        "--data",
        type=Path,
        default=default_data_folder(),
        metavar="DIR",
        help=help_text("command.help.data"),
    )


def run_resolve(options: argparse.Namespace) -> int:
    """Resolve a shot file or a batch of shots, or describe the keys of a shot."""
    if options.describe is not None:
        _describe(options.describe, options.data, as_json_document=options.json)
        return 0
    if options.batch is not None:
        _refuse_beside_batch(options, "shot", "dice", "seed")
        return _run_batch(options, _resolve_line)
    if options.shot is None:
        raise DreyerError("command.resolve.no_shot")
    if (options.dice is None) == (options.seed is None):
        raise DreyerError("command.resolve.no_dice")
    rulebook, shot = _open(options.shot, options.data)
    events, names = _resolved(rulebook, shot, options.dice, options.seed), shot.state.names
    if options.json:
        print(as_json(rulebook.document(events), names))
    else:
        print(_as_text(events, rulebook.story(events), names))
    return 0


def run_forecast(options: argparse.Namespace) -> int:
    """Print the exact odds of shot files, or of a batch of shots."""
    if options.batch is not None:
        _refuse_beside_batch(options, "shots")
        return _run_batch(options, _forecast_line)
    if not options.shots:
        raise DreyerError("command.forecast.no_shot")
    opened = [_open(path, options.data) for path in options.shots]
    names = {rulebook.name for rulebook, _ in opened}
    if len(names) > 1:
        raise DreyerError(
            "command.forecast.several",
            names=", ".join(sorted(names)),
        )
    forecast = forecast_shots(opened[0][0], [shot for _, shot in opened])
    if options.json:
        print(as_json(_forecast_document(forecast, with_boxes=options.boxes)))
    else:
        print(_odds(forecast, with_boxes=options.boxes))
    return 0


def _refuse_beside_batch(options: argparse.Namespace, *names: str) -> None:
    for name in names:
        if getattr(options, name) not in (None, []):
            raise DreyerError("command.batch.in_lines", name=name)


def _open(path: Path, data_folder: Path) -> tuple[FreeRulebook[object], Shot[object]]:
    document = parse_toml(read_input(path), str(path))
    ruleset, edition = document.get("ruleset", DEFAULT), document.get("edition")
    rulebook = open_rulebook(ruleset, data_folder, str(path), edition)
    return rulebook, ShotForm(rulebook).read(document, str(path))


def _resolved(
    rulebook: FreeRulebook[object], shot: Shot[object], typed: str | None, seed: int | None
) -> tuple[Event, ...]:
    if typed is None:
        rolled = RolledDice(random.Random(seed))  # noqa: S311 - a game, not a secret
        return resolve_shot(rulebook, shot, rolled).events
    dice = TypedDice(typed)
    events = resolve_shot(rulebook, shot, dice).events
    dice.finish()
    return events


# Batches

Opened = dict[tuple[str, int | None], tuple[FreeRulebook[object], ShotForm[object]]]
"""The rulebooks of a batch so far, with their editions."""


def _run_batch(
    options: argparse.Namespace,
    answer: Callable[[_BatchLine, FreeRulebook[object], Shot[object]], Mapping[str, object]],
) -> int:
    """Print one line for every line of a batch, in order."""
    opened: Opened = {}
    for number, line in enumerate(_lines(options.batch), start=1):
        if line.strip():
            answered = _answered(line, NOWHERE.item("line", number), answer, opened, options.data)
            print(json.dumps(answered, ensure_ascii=False, allow_nan=False, default=json_words))
    return 0


def _lines(name: str) -> Iterator[str]:
    """The lines of a batch; only a line feed ends a line, because texts may have other breaks."""
    source: TextIO = sys.stdin
    if name != "-":
        source = io.TextIOWrapper(io.BytesIO(read_input(Path(name), LARGEST_BATCH_BYTES)))
    if isinstance(source, io.TextIOWrapper):
        # On Windows stdin has an old code page otherwise, and editors add a byte order mark.
        source.reconfigure(encoding="utf-8-sig", errors="strict", newline="\n")
    try:
        yield from source
    except UnicodeDecodeError:
        what = "standard input" if name == "-" else name
        raise DreyerError("errors.file.not_utf8_named", what=what) from None


def _answered(
    line: str,
    place: DocumentPlace,
    answer: Callable[[_BatchLine, FreeRulebook[object], Shot[object]], Mapping[str, object]],
    opened: Opened,
    data_folder: Path,
) -> dict[str, object]:
    entry: object = None
    try:
        entry = _parse_line(line, place)
        read = _LINE.read_table(entry, place)
        rulebook, form = _opened(read.shot, place, opened, data_folder)
        result = answer(read, rulebook, form.read(read.shot, place))
    except DreyerError as error:
        known = entry.get("id") if isinstance(entry, dict) else None
        return {"id": known, "ok": False, "error": words(error)}
    return {"id": read.id, "ok": True, "result": result}


def _opened(
    shot: Mapping[str, object], place: DocumentPlace, opened: Opened, data_folder: Path
) -> tuple[FreeRulebook[object], ShotForm[object]]:
    """A shot's rulebook with the form of its shots, cached for a whole batch."""
    name, edition = shot.get("ruleset", DEFAULT), shot.get("edition")
    # As a dictionary key True equals 1, but it is not an edition.
    known = isinstance(name, str) and (edition is None or type(edition) is int)
    key = str(name), edition if isinstance(edition, int) else None
    if not known or key not in opened:
        rulebook = open_rulebook(name, data_folder, place, edition)
        opened[key] = rulebook, ShotForm(rulebook)
    return opened[key]


def _parse_line(line: str, place: DocumentPlace) -> dict[str, object]:
    try:
        entry = parse_json_text(line, str(place), as_python=True)
    except UnreadableFile:
        raise DreyerError("command.batch.not_json", place=place) from None
    if not isinstance(entry, dict):
        raise DreyerError("command.batch.not_an_object", place=place, entry=shorten(entry))
    try:
        json.dumps(entry.get("id"), allow_nan=False)
    except (ValueError, RecursionError):
        raise BadField(place, "id", Message("command.batch.id"), shorten(entry["id"])) from None
    return entry


def _resolve_line(
    line: _BatchLine, rulebook: FreeRulebook[object], shot: Shot[object]
) -> Mapping[str, object]:
    if (line.dice is None) == (line.seed is None):
        raise DreyerError("command.batch.dice_or_seed", source=shot.source)
    return rulebook.document(_resolved(rulebook, shot, line.dice, line.seed))


def _forecast_line(
    line: _BatchLine,  # noqa: ARG001 - odds need no dice
    rulebook: FreeRulebook[object],
    shot: Shot[object],
) -> Mapping[str, object]:
    return _forecast_document(forecast_shots(rulebook, [shot]), with_boxes=False)


# Output


def _forecast_document(forecast: Forecast, *, with_boxes: bool) -> dict[str, object]:
    document: dict[str, object] = {
        "hits": {str(hits): chance for hits, chance in forecast.hits.items()},
        "expected_hits": forecast.expected_hits,
        "outcomes": {words(key): odds for key, odds in forecast.results.items()}
        | dict(forecast.outcomes),
        "expected_boxes": dict(forecast.expected_boxes),
        "provenance": forecast.provenance,
    }
    if with_boxes:
        document["boxes"] = [
            {"hull": hull, "superstructure": superstructure, "probability": odds}
            for (hull, superstructure), odds in sorted(forecast.boxes.items())
        ]
    return document


def _describe(name: str, data_folder: Path, *, as_json_document: bool) -> None:
    keys = tuple(ShotForm(open_rulebook(name, data_folder, "--describe")).describe())
    if as_json_document:
        print(as_json({"keys": [asdict(key) for key in keys]}))
        return
    width = max(len(key.name) for key in keys)
    for key in keys:
        print(f"{key.name:<{width}}  {words(key.meaning)}")
        print(f"{'':<{width}}  {words(key.takes)}; {words(_default(key))}")


def _default(key: ShotKey) -> Message:
    if key.default == REQUIRED:
        return REQUIRED
    return Message("command.resolve.default", default=key.default)


def as_json(document: object, names: Mapping[str, str] = NO_NAMES) -> str:
    """A document as the commands print it, with these names for ships."""
    worded = partial(json_words, names=names)
    return json.dumps(document, ensure_ascii=False, allow_nan=False, indent=2, default=worded)


def _as_text(events: Sequence[Event], story: Sequence[Line], names: Mapping[str, str]) -> str:
    lines = [story_line(line, names) for line in story]
    provenance = provenance_of(events)
    if provenance.doubt:
        lines.append(str(text(f"command.resolve.{provenance}", mark=provenance.mark)))
    if rests_on_owner_values(events):
        lines.append(str(text("command.resolve.owner", mark=Provenance.OWNER.mark)))
    return "\n".join(lines)


def story_line(line: Line, names: Mapping[str, str]) -> str:
    """A line of a story with its indentation and rule, with these names for ships."""
    rule = f"  [{line.reference}]" if line.reference else ""
    return f"{'  ' * line.depth}{words(line.text, names)}{rule}"


def _odds(forecast: Forecast, *, with_boxes: bool) -> str:
    lines = [str(text("command.forecast.hits", expected=forecast.expected_hits))]
    for hits, chance in forecast.hits.items():
        lines.append(f"  {hits:>3}  {chance:6.1%}  {'█' * round(chance * 40)}")
    lines.append(str(text("command.forecast.outcomes")))
    if forecast.results and not max(forecast.hits):
        # A roll that hits nobody: what it may say is all there is to tell.
        lines = [str(text("command.forecast.results"))]
    provenance = forecast.provenance
    if provenance.doubt:
        told = text(f"command.forecast.{provenance}", heading=lines[0], mark=provenance.mark)
        lines[0] = str(told)
    lines += [f"  {chance:6.1%}  {words(told)}" for told, chance in forecast.results.items()]
    lines += [
        f"  {chance:6.1%}  {words(forecast.title(name))}"
        for name, chance in forecast.outcomes.items()
    ]
    boxes = tuple(
        Message("command.forecast.boxes_of", boxes=value, part=part)
        for part, value in forecast.box_titles.items()
    )
    if boxes:
        lines.append(words(Message("command.forecast.boxes", boxes=boxes)))
    if with_boxes:
        lines.append(str(text("command.forecast.boxes_head")))
        lines += [
            f"  {hull:4g}  {superstructure:14g}  {odds:.3%}"
            for (hull, superstructure), odds in sorted(forecast.boxes.items())
        ]
    return "\n".join(lines)
