"""`dreyer resolve` and `dreyer forecast`: one fire from a shot file, played or foretold."""

import argparse
import json
import random
from pathlib import Path
from typing import Any

from combat.dice import RolledDice, TypedDice
from combat.forecast import Forecast
from combat.provenance import Provenance
from combat.report import FireRules, Report, ShotFile, ShotKey
from combat.ruleset import Ruleset
from combat.rulesets import DEFAULT, get_ruleset
from tabletop.errors import DreyerError
from tabletop.fields import parse_toml
from web.cards.card_files import use_cards
from web.files import read_input
from web.tables.overlay_store import default_data_folder, effective_tables


def add_command(commands: Any) -> None:
    """Add `resolve` and `forecast` to the command line."""
    resolve = commands.add_parser(
        "resolve",
        help="resolve one fire with given dice",
        description="Resolves the fire in a shot file: every modifier with its rule, the roll, "
        "and what each hit does.",
    )
    resolve.add_argument("shot", type=Path, nargs="?", metavar="SHOT.toml")
    resolve.add_argument(
        "--dice", metavar='"34 12 …"', help="dice as rolled at the table, in order"
    )
    resolve.add_argument("--seed", type=int, metavar="N", help="let the program roll instead")
    resolve.add_argument(
        "--describe", metavar="RULESET", help="list the keys of a ruleset's shot files"
    )
    _add_common(resolve)
    resolve.set_defaults(run=run_resolve)
    forecast = commands.add_parser(
        "forecast",
        help="the exact odds of one fire",
        description="The exact odds of the fire in a shot file: hits, and what they do. Several "
        "files are several batteries or ships firing at one target in the same segment.",
    )
    forecast.add_argument(
        "shots",
        type=Path,
        nargs="+",
        metavar="SHOT.toml",
        help="one fire, or several at the same target in one segment",
    )
    forecast.add_argument(
        "--boxes",
        action="store_true",
        help="add the joint odds of the hull and superstructure boxes marked",
    )
    _add_common(forecast)
    forecast.set_defaults(run=run_forecast)


def _add_common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument(
        "--data",
        type=Path,
        default=default_data_folder(),
        metavar="DIR",
        help="where your own table values and ship cards are kept",
    )


def run_resolve(options: argparse.Namespace) -> int:
    """Resolve a shot file, or describe its keys."""
    if options.describe is not None:
        _describe(options.describe, as_json=options.json)
        return 0
    if options.shot is None:
        raise DreyerError("resolve: name a shot file, or --describe RULESET to see its keys")
    if (options.dice is None) == (options.seed is None):
        raise DreyerError('resolve: give the dice, --dice "34 12 …", or let them roll, --seed N')
    file, ruleset, fire = _open(options.shot, options.data)
    tables = effective_tables(ruleset.name, options.data)
    if options.dice is None:
        dice = RolledDice(random.Random(options.seed))  # noqa: S311 - a game, not a secret
        report = fire.resolve(file, dice, tables)
    else:
        typed = TypedDice(options.dice)
        report = fire.resolve(file, typed, tables)
        typed.finish()
    print(_as_json(report.document) if options.json else _story(report))
    return 0


def run_forecast(options: argparse.Namespace) -> int:
    """Print the exact odds of a shot file."""
    opened = [_open(path, options.data) for path in options.shots]
    names = {ruleset.name for _, ruleset, _ in opened}
    if len(names) > 1:
        raise DreyerError(f"forecast: the files name several rulesets: {', '.join(sorted(names))}")
    _, ruleset, fire = opened[0]
    tables = effective_tables(ruleset.name, options.data)
    forecast = fire.forecast([file for file, _, _ in opened], tables)
    if not options.json:
        print(_odds(forecast, with_boxes=options.boxes))
        return 0
    document: dict[str, object] = {
        "hits": {str(hits): chance for hits, chance in forecast.hits.items()},
        "expected_hits": forecast.expected_hits,
        "outcomes": dict(forecast.outcomes),
        "expected_boxes": dict(forecast.expected_boxes),
    }
    if options.boxes:
        document["boxes"] = [
            {"hull": hull, "superstructure": superstructure, "probability": odds}
            for (hull, superstructure), odds in sorted(forecast.boxes.items())
        ]
    print(_as_json(document))
    return 0


def _open(path: Path, data_folder: Path) -> tuple[ShotFile, Ruleset, FireRules]:
    data = read_input(path)
    name = parse_toml(data, str(path)).get("ruleset", DEFAULT)
    if not isinstance(name, str):
        raise DreyerError(f"{path}: ruleset: expected the name of a ruleset, got {name!r}")
    # The players' own cards first: the ships of the file may be among them.
    use_cards(get_ruleset(name, str(path)).name, data_folder)
    ruleset = get_ruleset(name)
    return ShotFile(data, str(path)), ruleset, _fire_rules(ruleset)


def _fire_rules(ruleset: Ruleset) -> FireRules:
    if ruleset.fire is None:
        raise DreyerError(f"{ruleset.name} resolves no fire: name another ruleset")
    return ruleset.fire


def _describe(name: str, *, as_json: bool) -> None:
    keys = _fire_rules(get_ruleset(name)).shot_keys
    if as_json:
        fields = ShotKey.__dataclass_fields__
        document = {"keys": [{field: getattr(key, field) for field in fields} for key in keys]}
        print(_as_json(document))
        return
    width = max(len(key.name) for key in keys)
    for key in keys:
        print(f"{key.name:<{width}}  {key.meaning}")
        print(f"{'':<{width}}  {key.takes}; {_default(key)}")


def _default(key: ShotKey) -> str:
    return key.default if key.default == "required" else f"default {key.default}"


def _as_json(document: object) -> str:
    return json.dumps(document, ensure_ascii=False, allow_nan=False, indent=2)


def _story(report: Report) -> str:
    lines = [
        f"{'  ' * line.depth}{line.text}" + (f"  [{line.reference}]" if line.reference else "")
        for line in report.story
    ]
    if report.document.get("provenance") == Provenance.RECONSTRUCTED:
        lines.append("Rests on reconstructed values; `dreyer tables` shows which (◌).")
    return "\n".join(lines)


def _odds(forecast: Forecast, *, with_boxes: bool) -> str:
    lines = [f"Hits, {forecast.expected_hits:.2f} on average"]
    for hits, chance in forecast.hits.items():
        lines.append(f"  {hits:>3}  {chance:6.1%}  {'█' * round(chance * 40)}")
    lines.append("What they do, at least once")
    lines += [
        f"  {chance:6.1%}  {name.replace('_', ' ')}" for name, chance in forecast.outcomes.items()
    ]
    boxes = ", ".join(f"{value:.2f} {name}" for name, value in forecast.expected_boxes.items())
    lines.append(f"Boxes marked on average: {boxes}")
    if with_boxes:
        lines.append("  hull  superstructure  odds")
        lines += [
            f"  {hull:4g}  {superstructure:14g}  {odds:.3%}"
            for (hull, superstructure), odds in sorted(forecast.boxes.items())
        ]
    return "\n".join(lines)
