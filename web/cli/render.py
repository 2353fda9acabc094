"""`dreyer render SCENE.toml`: a rendered photo of a scene, with its true positions."""

import argparse
import json
import sys
from pathlib import Path

from combat.scene_file import read_scene
from tabletop.errors import DreyerError
from tabletop.messages import Message, ShipRef
from vision.picture_files import encode_image, picture_kind
from vision.synthetic.picture_settings import read_picture_settings
from vision.synthetic.renderer import Rendered, RenderScene, TrueCounter, TrueMarker, render
from web.camera.demo import table_of
from web.cli.commands import Commands, add_parser, help_text
from web.files import read_input, write_output
from web.strings import words


def add_command(commands: Commands) -> None:
    """Add `render` to the command line."""
    parser = add_parser(commands, "render")
    parser.add_argument("scene", type=Path, metavar="SCENE.toml")
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help=help_text("command.help.render.out")
    )
    parser.add_argument(
        "--truth", type=Path, metavar="FILE", help=help_text("command.help.render.truth")
    )
    parser.add_argument("--json", action="store_true", help=help_text("command.help.render.json"))
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Render the scene, write the files, and print what is in the picture."""
    if options.out is None and options.truth is None and not options.json:
        raise DreyerError("command.nothing_to_write")
    if options.out is not None:
        # A wrong file name is reported before the work.
        picture_kind(options.out.name)
    data, source = read_input(options.scene), str(options.scene)
    scene, settings = read_scene(data, source), read_picture_settings(data, source)
    table = table_of(scene, settings)
    rendered = render(table, settings.view)
    document = truth_as_json(table, rendered)
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, indent=2)
    if options.out is not None:
        quality = settings.view.jpeg_quality or 92
        write_output(options.out, encode_image(rendered.image, options.out.name, quality))
    if options.truth is not None:
        write_output(options.truth, f"{text}\n".encode())
    if options.json:
        print(text)
    for marker in rendered.truth.markers:
        if not marker.seen:
            code = "part_seen" if marker.visible else "nothing_seen"
            seen = Message(
                f"command.{code}", ship=ShipRef(marker.name), share=float(marker.visible)
            )
            print(words(seen), file=sys.stderr)
    if not options.json:
        print(_as_text(options, rendered))
    return 0


def truth_as_json(table: RenderScene, rendered: Rendered) -> dict[str, object]:
    """The true positions as JSON, with unrounded numbers."""
    truth = rendered.truth
    camera = truth.camera
    return {
        "image": {"width_px": camera.width_px, "height_px": camera.height_px},
        "table": {"width_mm": table.table_width_mm, "height_mm": table.table_height_mm},
        "family": table.family.name,
        "camera": {
            "matrix": camera.matrix.tolist(),
            "distortion": camera.distortion.tolist(),
            "rotation_vector": camera.rotation_vector.tolist(),
            "translation_mm": camera.translation.tolist(),
            "centre_mm": camera.centre_mm.tolist(),
            "mirrored": camera.mirrored,
        },
        "corners": [_marker_as_json(marker) for marker in truth.corners],
        "ships": [_marker_as_json(marker) for marker in truth.markers],
        "counters": [_counter_as_json(counter) for counter in truth.counters],
    }


def _marker_as_json(marker: TrueMarker) -> dict[str, object]:
    return {
        "id": marker.id,
        "name": marker.name,
        "x_mm": marker.x_mm,
        "y_mm": marker.y_mm,
        "heading_deg": marker.heading_deg,
        "height_mm": marker.height_mm,
        "tag_mm": marker.tag_mm,
        "visible": marker.seen,
        "visible_share": marker.visible,
        "corners_px": marker.corners_px.tolist(),
    }


def _counter_as_json(counter: TrueCounter) -> dict[str, object]:
    return {
        "name": counter.name,
        "x_mm": counter.x_mm,
        "y_mm": counter.y_mm,
        "heading_deg": counter.heading_deg,
        "height_mm": counter.height_mm,
        "visible": counter.seen,
        "visible_share": counter.visible,
        "corners_px": counter.corners_px.tolist(),
    }


def _as_text(options: argparse.Namespace, rendered: Rendered) -> str:
    truth = rendered.truth
    seen = sum(marker.seen for marker in truth.markers)
    height, width = rendered.image.shape[:2]
    x, y, above = truth.camera.centre_mm
    lines = [
        Message(
            "command.rendered",
            width=width,
            height=height,
            above=float(above),
            x=float(x),
            y=float(y),
        ),
        Message(
            "command.in_full_view",
            seen=seen,
            ships=len(truth.markers),
            corners_seen=sum(marker.seen for marker in truth.corners),
            corners=len(truth.corners),
        ),
    ]
    written = tuple(str(path) for path in (options.out, options.truth) if path is not None)
    if written:
        lines.append(Message("command.written", files=written))
    return "\n".join(map(words, lines))
