"""`dreyer check SCENE.toml`: range, arc and sight of every pair, as text, JSON or picture."""

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from functools import reduce
from pathlib import Path
from typing import Final

from combat.formations import FormationStatus
from combat.range_limits import pair_limits
from combat.scenarios import read_table
from combat.scene_file import Scene
from tabletop.closecall import CloseCall, CloseCallKind
from tabletop.errors import DreyerError
from tabletop.messages import Message, ShipRef
from tabletop.survey import PairCheck, PairLimits, Survey, no_limits, survey
from tabletop.table import Model
from web.checks.pair_json import pair_as_json
from web.cli.commands import Commands, add_parser, help_text
from web.files import read_input, write_output
from web.owner.cards.files import readable_library_in
from web.owner.tables.files import default_data_folder, effective_tables
from web.strings import json_words, text, words
from web.table.survey_text import marker_words, reading_message, yards_limit

_COLUMNS: Final = ("from", "to", "range", "segment", "bears", "lies", "shows", "sight")


def add_command(commands: Commands) -> None:
    """Add `check` to the command line."""
    parser = add_parser(commands, "check")
    parser.add_argument("scene", type=Path, metavar="SCENE.toml")
    parser.add_argument("--json", action="store_true", help=help_text("command.help.json"))
    parser.add_argument(
        "--svg", type=Path, metavar="FILE", help=help_text("command.help.check.svg")
    )
    parser.add_argument(
        "--png", type=Path, metavar="FILE", help=help_text("command.help.check.png")
    )
    parser.add_argument(
        "--from", dest="firer", metavar="SHIP", help=help_text("command.help.check.from")
    )
    parser.add_argument(
        "--to", dest="target", metavar="SHIP", help=help_text("command.help.check.to")
    )
    parser.add_argument("--light", action="store_true", help=help_text("command.help.check.light"))
    parser.add_argument(
        "--data",
        type=Path,
        metavar="DIR",
        help=help_text("command.help.check.data"),
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Measure the scene, then print and draw the result."""
    data = options.data or default_data_folder()
    library = readable_library_in(data, _warn)
    scene = read_table(read_input(options.scene), str(options.scene), library)
    result = survey(scene.table, scene.ruleset.table_rules, _limits(scene, data))
    formed = _formed(scene, result, data)
    if (options.firer or options.target) and not (options.svg or options.png):
        raise DreyerError("command.no_picture_wanted")
    if options.svg or options.png:
        # Imported late: a table of numbers needs no pictures.
        from web.drawing.chart.chart import draw_chart

        svg = draw_chart(
            scene,
            result,
            firer=options.firer,
            target=options.target,
            theme="light" if options.light else "dark",
        )
        if options.svg:
            write_output(options.svg, svg.encode("utf-8"))
        if options.png:
            from web.drawing.png import png_from_svg

            write_output(options.png, png_from_svg(svg))
    if options.json:
        document: dict[str, object] = {"pairs": [pair_as_json(pair) for pair in result]}
        if scene.formations:
            document["divisions"] = [asdict(each) for each in formed]
        if scene.markers:
            document["markers"] = _markers_document(scene, data)
        if scene.wrecks:
            document["wrecks"] = [_wreck_document(model) for model in scene.wrecks]
        print(
            json.dumps(document, ensure_ascii=False, allow_nan=False, indent=2, default=json_words)
        )
    else:
        lines = (as_text(scene, result), *map(_division_text, formed))
        print("\n".join((*lines, *_marker_lines(scene, data), *map(_wreck_text, scene.wrecks))))
    return 0


def _limits(scene: Scene, data: Path) -> PairLimits:
    """The ranges that matter besides the segments, where bands belong to the weapons."""
    ruleset = scene.ruleset
    if ruleset.segments or ruleset.rulebook is None:
        return no_limits
    friends: dict[str, list[str]] = {}
    for name, side in scene.side_keys.items():
        friends.setdefault(side, []).append(name)
    rulebook = ruleset.rulebook(effective_tables(ruleset.name, data))
    return pair_limits(rulebook, scene.ships, scene.formations, friends.values())


def _formed(scene: Scene, result: Survey, data: Path) -> tuple[FormationStatus, ...]:
    """The check of the scene's divisions; empty if the ruleset has no rule for them."""
    if scene.ruleset.formations is None or not scene.formations:
        return ()
    tables = effective_tables(scene.ruleset.name, data)
    return scene.ruleset.formations(
        scene.formations, scene.ships, lambda one, two: result[one, two].range_yards, tables
    )


def _division_text(each: FormationStatus) -> str:
    head = Message("command.division.head", name=each.name, flagship=each.flagship)
    if each.points is not None:
        head = Message("command.division.with_points", head=head, points=each.points)
    lines = [
        head,
        Message("command.division.in_command", ships=each.in_command)
        if each.in_command
        else Message("command.division.nobody_in_command"),
        *(Message("command.division.out_of_command", ship=name) for name in each.out_of_command),
        *(
            Message("command.division.wrong", fault=fault.message, reference=fault.reference)
            for fault in each.faults
        ),
    ]
    return "\n".join(map(words, lines))


def _effects(scene: Scene, name: str, data: Path) -> tuple[Message, ...]:
    rules = scene.ruleset.markers
    if rules is None:
        return ()
    tables = effective_tables(scene.ruleset.name, data)
    return rules.effects(scene.ships.get(name), scene.markers[name], tables)


def _markers_document(scene: Scene, data: Path) -> list[dict[str, object]]:
    return [
        {
            "ship": name,
            "marker": markers.speed or None,
            "out_of_command": markers.out_of_command,
            "effects": _effects(scene, name, data),
        }
        for name, markers in scene.markers.items()
    ]


def _marker_lines(scene: Scene, data: Path) -> Iterator[str]:
    for name in scene.markers:
        effects = _effects(scene, name, data)
        markers = Message("common.listed", items=marker_words(scene, name))
        line = Message(
            "command.marked",
            ship=ShipRef(name),
            markers=markers,
            effects=Message("common.listed", items=effects),
        )
        yield words(line)


def _wreck_document(model: Model) -> dict[str, object]:
    return {"ship": model.name, "x": model.pose.x_yards, "y": model.pose.y_yards}


def _wreck_text(model: Model) -> str:
    return words(Message("command.wreck", ship=ShipRef(model.name)))


def _warn(message: Message) -> None:
    print(text("command.tables.warning", warning=words(message)), file=sys.stderr)


def as_text(scene: Scene, result: Survey) -> str:
    """The survey as text: a row for each pair, with its close calls below."""
    scale = str(text("command.scale", yards=scene.scale.yards_per_inch))
    lines = [" · ".join(filter(None, (scene.title, scene.ruleset.title, scale)))]
    rows = [_row(scene, pair) for pair in result]
    if not rows:
        lines.append(words(Message("command.alone", ship=ShipRef(scene.table.names[0]))))
        return "\n".join(lines)
    header = tuple(str(text(f"command.column.{key}")) for key in _COLUMNS)
    widths = [max(len(row[column]) for row in [header, *rows]) for column in range(len(header))]
    for row in [header, *rows]:
        cells = (
            cell.rjust(width) if column in (2, 4) else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        lines.append("  ".join(cells).rstrip())
    for pair in result:
        lines.extend(
            words(
                Message(
                    "command.too_close",
                    firer=ShipRef(pair.firer),
                    target=ShipRef(pair.target),
                    call=describe_call(scene, call),
                )
            )
            for call in pair.close_calls
        )
    return "\n".join(lines)


def describe_call(scene: Scene, call: CloseCall) -> Message:
    """A close call in words: the question, both readings, and the margin."""
    readings = reduce(
        lambda one, other: Message("common.or", one=one, other=other),
        (
            Message("common.small", words=reading_message(scene, call, reading))
            for reading in call.readings
        ),
    )
    if call.what is CloseCallKind.POSITION:
        return Message("command.call.position", limit=shown_limit(call), readings=readings)
    degrees = call.what in (CloseCallKind.QUADRANT, CloseCallKind.ASPECT)
    return Message(
        "command.call.degrees" if degrees else "command.call.yards",
        what=Message(f"command.question.{call.what}"),
        readings=readings,
        margin=call.margin,
        limit=shown_limit(call),
    )


def shown_limit(call: CloseCall) -> Message:
    """The limit of a close call with its unit."""
    if isinstance(call.limit, Message):
        return call.limit
    if call.what in (CloseCallKind.QUADRANT, CloseCallKind.ASPECT):
        return Message("command.call.limit_degrees", limit=call.limit)
    return yards_limit(call, call.limit)


def _sight(pair: PairCheck) -> str:
    found = [
        Message("command.blocked", ship=ShipRef(blocker.name), yards=blocker.at_yards)
        for blocker in pair.blockers
    ]
    if pair.smoke:
        found.append(Message("survey.sight.smoke"))
    return words(Message("common.listed", items=tuple(found or [Message("survey.sight.clear")])))


def _row(scene: Scene, pair: PairCheck) -> tuple[str, ...]:
    titles = {segment.name: words(segment.title) for segment in scene.ruleset.segments}
    range_text = f"{pair.range_yards:,.0f}"
    if pair.range_sigma_yards:
        range_text += f" ± {pair.range_sigma_yards:,.0f}"
    beyond = str(text("command.out_of_range"))
    segment = "-" if pair.segment is None else titles.get(pair.segment, beyond)
    bearing = "-" if pair.bearing_deg is None else f"{round(pair.bearing_deg) % 360:03d}°"
    return (
        pair.firer,
        pair.target,
        str(text("command.range", range=range_text)),
        segment,
        bearing,
        str(text(f"survey.quadrant.{pair.quadrant}")) if pair.quadrant else "-",
        str(text(f"survey.quadrant.{pair.aspect}")) if pair.aspect else "-",
        _sight(pair),
    )
