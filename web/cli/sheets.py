"""`dreyer sheets --out DIR`: the marker pages as a PDF at exact size, and the marker file."""

import argparse
import json
import math
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from random import SystemRandom

from calibration.code_size import CodeAdvice, advice_before_printing
from calibration.homography import USUAL_TABLE
from calibration.marker_file import MarkerSet
from calibration.marker_layout import (
    SHIPS_IN_A_SET,
    MarkerOrder,
    PaperSize,
    lay_out_markers,
    tidy_name,
)
from calibration.markers import CORNER_SIZE_MM
from calibration.model_pieces import CodePlace, MarkerForm, MarkerPaint, ModelScale
from combat.library import BUILT_IN
from combat.participants import Side
from combat.rulebooks import DEFAULT
from combat.scene_file import Scene, read_scene
from combat.ships import ShipType, plain_name
from tabletop.errors import DreyerError, UnknownName, UnreadableFile
from tabletop.messages import Message
from web.camera.model_markers import code_advice, decks_of, length_of, usual_code_mm
from web.cli.commands import Commands, add_parser, help_text
from web.cli.locate import add_table_option, read_table
from web.drawing.marker_pages import print_markers
from web.files import read_input, write_output
from web.scenes import demo_scene
from web.sides import side_of
from web.strings import text, words

NEEDS_4K_MM = 20.0


def add_command(commands: Commands) -> None:
    """Add `sheets` to the command line."""
    parser = add_parser(commands, "sheets", ships=SHIPS_IN_A_SET)
    parser.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help=help_text("command.help.sheets.out")
    )
    who = parser.add_mutually_exclusive_group()
    who.add_argument("--ships", metavar="NAME,NAME", help=help_text("command.help.sheets.ships"))
    who.add_argument("--scenario", metavar="NAME", help=help_text("command.help.sheets.scenario"))
    parser.add_argument(
        "--numbered", type=_count, metavar="N", help=help_text("command.help.sheets.numbered")
    )
    parser.add_argument(
        "--hidden",
        action="store_true",
        help=help_text("command.help.sheets.hidden"),
    )
    parser.add_argument(
        "--paper", choices=[paper.name.lower() for paper in PaperSize], default="a4"
    )
    parser.add_argument(
        "--tag-mm",
        type=float,
        metavar="MM",
        help=help_text("command.help.sheets.tag_mm"),
    )
    parser.add_argument(
        "--form",
        choices=[each.value for each in MarkerForm],
        default=MarkerForm.COUNTER,
        help=help_text("command.help.sheets.form"),
    )
    parser.add_argument(
        "--paint",
        choices=[each.value for each in MarkerPaint],
        help=help_text("command.help.sheets.paint"),
    )
    parser.add_argument(
        "--model-scale",
        choices=[each.value for each in ModelScale],
        default=ModelScale.S2400,
        help=help_text("command.help.sheets.model_scale"),
    )
    parser.add_argument(
        "--code",
        choices=[each.value for each in CodePlace],
        default=CodePlace.BEHIND,
        help=help_text("command.help.sheets.code"),
    )
    parser.add_argument(
        "--dummies",
        type=_count,
        default=0,
        metavar="N",
        help=help_text("command.help.sheets.dummies"),
    )
    parser.add_argument(
        "--anchors",
        type=_count,
        default=0,
        metavar="N",
        help=help_text("command.help.sheets.anchors"),
    )
    parser.add_argument(
        "--px-per-mm",
        type=_pixels,
        metavar="X",
        help=help_text("command.help.sheets.px_per_mm"),
    )
    parser.add_argument(
        "--camera-px", type=_pixels, metavar="N", help=help_text("command.help.sheets.camera_px")
    )
    add_table_option(parser)
    parser.add_argument(
        "--corner-mm",
        type=float,
        default=CORNER_SIZE_MM,
        metavar="MM",
        help=help_text("command.help.sheets.corner_mm"),
    )
    parser.add_argument("--json", action="store_true", help=help_text("command.help.sheets.json"))
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Draw the pages, write both files, and print what to do next."""
    order, sides, types = _order(options)
    advice = _advice(options)
    layout = lay_out_markers(order, SystemRandom())
    marker_set = layout.marker_set
    document = json.dumps(marker_set.as_document(), ensure_ascii=False, allow_nan=False, indent=2)
    folder: Path = options.out
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UnreadableFile("command.no_folder", folder=str(folder), reason=reason) from None
    decks = decks_of(types, sides) if order.form is MarkerForm.PAPER_SHIP else {}
    write_output(folder / "sheets.pdf", print_markers(layout, sides, decks))
    write_output(folder / "sheets.json", f"{document}\n".encode())
    print(document if options.json else _as_text(order, marker_set, folder, advice))
    return 0


def _order(
    options: argparse.Namespace,
) -> tuple[MarkerOrder, dict[str, Side], dict[str, ShipType]]:
    """The markers to print, and the sides and types of the ships where they are known."""
    numbered: int = options.numbered or 0
    if options.ships is not None:
        found = [_ship_by_name(name) for name in _split(options.ships)]
    elif options.scenario is not None:
        found = _ships_of(find_scenario(options.scenario))
    elif options.numbered is not None or options.dummies:
        found = []
    else:
        found = _ships_of(demo_scene())
        numbered = SHIPS_IN_A_SET - len(found)
    form, scale = MarkerForm(options.form), ModelScale(options.model_scale)
    if form is MarkerForm.COUNTER and options.paint not in (None, MarkerPaint.WHITE):
        raise DreyerError("command.paint_of_counters")
    types = {name: ship for name, _, ship in found if ship is not None}
    order = MarkerOrder(
        ships=tuple(name for name, _, _ in found),
        numbered=numbered,
        # A dummy among named ships would deceive nobody.
        hidden=options.hidden or options.dummies > 0,
        paper=PaperSize[options.paper.upper()],
        tag_mm=usual_code_mm(form, scale) if options.tag_mm is None else options.tag_mm,
        corner_mm=options.corner_mm,
        form=form,
        paint=MarkerPaint(options.paint or MarkerPaint.WHITE),
        scale=scale,
        code=CodePlace(options.code),
        lengths_m=tuple((name, length_of(ship)) for name, ship in types.items()),
        dummies=options.dummies,
        anchors=options.anchors,
    )
    return order, {name: side for name, side, _ in found if side is not None}, types


def _advice(options: argparse.Namespace) -> CodeAdvice | None:
    """What the camera asks of the codes, if anything is said of it."""
    if options.px_per_mm is not None:
        return CodeAdvice(options.px_per_mm)
    if options.camera_px is None:
        return None
    table = read_table(options.table_inches) or USUAL_TABLE
    return advice_before_printing(options.camera_px, table.width_mm)


def _ships_of(scene: Scene) -> list[tuple[str, Side | None, ShipType | None]]:
    return [(name, side, scene.ships.get(name)) for name, side in ships_of(scene)]


def ships_of(scene: Scene) -> list[tuple[str, Side | None]]:
    """The ships of a scene, with their sides if a rulebook has them."""
    return [
        (tidy_name(name), scene.side_of(name) or _side_of_nation(scene.ships.get(name)))
        for name in scene.table.names
    ]


def _side_of_nation(ship: ShipType | None) -> Side | None:
    """The default side of a ship's nation; None if no rulebook has the ship."""
    return None if ship is None else side_of(ship)


def find_scenario(name: str) -> Scene:
    """A built-in scenario by name, or a scene file by path."""
    scenarios = {file.name.removesuffix(".toml"): file for file in _scenario_files()}
    for known, file in scenarios.items():
        if plain_name(known) == plain_name(name):
            return read_scene(file.read_bytes(), file.name)
    path = Path(name)
    if path.suffix == ".toml" or path.parent != Path() or path.is_file():
        return read_scene(read_input(path), name)
    raise UnknownName("--scenario", "scenario", name, scenarios)


def _scenario_files() -> Iterator[Traversable]:
    for ruleset in files("combat.rulebooks").iterdir():
        folder = ruleset / "scenarios"
        if folder.is_dir():
            yield from sorted(
                (file for file in folder.iterdir() if file.name.endswith(".toml")),
                key=lambda file: file.name,
            )


def _split(names: str) -> list[str]:
    parts = [name.strip() for name in names.split(",")]
    if not any(parts):
        raise DreyerError("command.no_names")
    return [name for name in parts if name]


def _ship_by_name(name: str) -> tuple[str, Side | None, ShipType | None]:
    ship = BUILT_IN.find_ship(DEFAULT, name)
    # Accents and capitals are corrected; a short name stays short.
    if ship is not None and plain_name(name) == plain_name(ship.name):
        name = ship.name
    return tidy_name(name), _side_of_nation(ship), ship


def _pixels(typed: str) -> float:
    try:
        value = float(typed)
    except ValueError:
        value = math.nan
    if not 0.01 <= value <= 100_000:
        raise argparse.ArgumentTypeError(str(text("command.pixels_number", found=typed)))
    return value


def _count(typed: str) -> int:
    try:
        count = int(typed)
    except ValueError:
        count = -1
    if not 0 <= count <= 10_000:
        raise argparse.ArgumentTypeError(str(text("command.markers", found=typed)))
    return count


def _as_text(
    order: MarkerOrder, marker_set: MarkerSet, folder: Path, advice: CodeAdvice | None
) -> str:
    markers = len(order.ships) + order.numbered + order.dummies
    lines = [
        Message(
            "command.sheets_pdf",
            file=str(folder / "sheets.pdf"),
            pages=len(marker_set.pages),
            paper=order.paper.name.capitalize(),
            corner_mm=order.corner_mm,
            markers=markers,
            tag_mm=order.tag_mm,
        ),
        Message(
            "command.sheets_json", file=str(folder / "sheets.json"), family=marker_set.family.name
        ),
        Message("command.print_at"),
    ]
    if order.hidden:
        lines.append(Message("command.no_name_on_paper"))
    if order.anchors:
        lines.append(Message("command.anchors_printed", n=order.anchors))
    if advice is not None:
        lines.append(code_advice(advice, order.tag_mm))
    elif order.tag_mm <= NEEDS_4K_MM:
        lines.append(Message("command.needs_4k", tag_mm=order.tag_mm))
    return "\n".join(map(words, lines))
