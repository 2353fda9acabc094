"""What stays on the table or beside it: the corner markers, the 100 mm bar and the lens board."""

from typing import Final

from calibration.charuco import (
    CHARUCO_COLUMNS,
    CHARUCO_DICTIONARY_NAME,
    CHARUCO_ROWS,
    CHARUCO_SQUARE_MM,
    charuco_board,
    charuco_tags,
)
from calibration.markers import CORNER_IDS, Corner, Family
from calibration.paper import BLACK, CAP_HEIGHT, MM_PER_POINT, Font, Paper, Path, Point
from calibration.sheet_drawing import (
    CUT,
    CUT_DASHES_MM,
    CUT_WIDTH_MM,
    FAINT,
    INK,
    draw_tag,
    tag_path,
)

BAR_MM: Final = 100.0
BAR_HEIGHT_MM: Final = 15.0
BOARD_SIZE_MM: Final = (CHARUCO_COLUMNS * CHARUCO_SQUARE_MM, CHARUCO_ROWS * CHARUCO_SQUARE_MM)
_TINT = "#e9eef0"


class CornerPiece:
    """A corner marker to cut out, measured from the centre of its coded square."""

    def __init__(self, tag_mm: float, modules: int) -> None:
        self.tag_mm = tag_mm
        self.white = tag_mm / 2 + tag_mm / modules
        """Half the side of the white square around the tag."""
        self.half_width = max(self.white + 4.5, 36.0)
        """Never so narrow that its words would not fit."""
        self.top = self.white + 13.0
        self.bottom = self.white + 15.0


def draw_corner(
    paper: Paper, piece: CornerPiece, at: Point, corner: Corner, family: Family
) -> None:
    """A corner marker: which corner, which edge away from the host, and where its centre is."""
    x, y = at
    q, w = piece.white, piece.half_width
    frame = Path().rectangle(x - w, y - piece.top, 2 * w, piece.top + piece.bottom)
    paper.fill(frame, _TINT)
    paper.fill(Path().rectangle(x - q, y - q, 2 * q, 2 * q), "#ffffff")
    draw_tag(paper, family, CORNER_IDS[corner], x, y, piece.tag_mm)
    # The centre lines end before the white: a mark inside would spoil the code.
    end = q + 0.4
    ticks = Path().move(x - w + 0.2, y).line(x - end, y).move(x + end, y).line(x + w - 0.2, y)
    ticks.move(x, y + end).line(x, y + q + 2.6)
    paper.stroke(ticks, BLACK, 0.35)
    _draw_away_arrow(paper, x, y - q - 1.6)
    for sign, words in ((-1, "away from"), (1, "the host")):
        paper.text(
            x + sign * 9.5, y - q - 4.6, words, Font.SANS_BOLD, 13, INK,
            "right" if sign < 0 else "left",
        )  # fmt: skip
    paper.text(x, y + q + 9.4, corner.upper(), Font.SANS_BOLD, 20, INK, "centre")
    hint = "measure centre line to centre line"
    if corner is Corner.NEAR_LEFT:
        hint = f"the origin · {hint}"
    paper.text(x + 4, y + q + 13.2, hint, Font.SANS, 7, FAINT, "centre")
    paper.text(
        x + w - 2.5, y + q + 9.4, f"№ {CORNER_IDS[corner]}", Font.SANS_BOLD, 10, FAINT, "right"
    )
    _draw_side_of_table(paper, x - w + 2.5, y + q + 3.6, corner)
    paper.stroke(frame, CUT, CUT_WIDTH_MM, CUT_DASHES_MM)


def draw_bar(paper: Paper, x: float, y: float) -> None:
    """The 100 mm bar by the upper left of its box: what a ruler must confirm."""
    top, thick = y + 1.5, 3.4
    blocks = Path()
    for number in range(0, 10, 2):
        blocks.rectangle(x + 10 * number, top, 10, thick)
    paper.fill(blocks, BLACK)
    paper.stroke(Path().rectangle(x, top, BAR_MM, thick), BLACK, 0.2)
    ends = Path().move(x, top - 1.5).line(x, top + 6.2)
    ends.move(x + BAR_MM, top - 1.5).line(x + BAR_MM, top + 6.2)
    paper.stroke(ends, BLACK, 0.2)
    base = top + 8.4
    paper.text(x + 1.2, base, "0", Font.SANS_BOLD, 9, INK)
    paper.text(x + BAR_MM - 1.2, base, "100 mm", Font.SANS_BOLD, 9, INK, "right")
    paper.text(
        x + BAR_MM / 2,
        base,
        "measure me: tick to tick I must be 100 mm",
        Font.SANS,
        9,
        INK,
        "centre",
    )
    paper.text(
        x, base + 3.9,
        "If not, print again at 100 % (“actual size”, not “fit to page”), "
        "or tell the program what you measured.",
        Font.SANS, 7, FAINT,
    )  # fmt: skip


def draw_board(paper: Paper, x: float, y: float) -> None:
    """The ChArUco board by its upper left corner, exactly as `charuco_board()` describes it."""
    size = CHARUCO_SQUARE_MM
    black = Path()
    for row in range(CHARUCO_ROWS):
        for column in range(CHARUCO_COLUMNS):
            if (row + column) % 2 == 0:
                black.rectangle(x + column * size, y + row * size, size, size)
    paper.fill(black, BLACK)
    for tag in charuco_tags():
        paper.fill(tag_path(tag.bits, x + tag.x_mm, y + tag.y_mm, tag.size_mm), BLACK)


def board_words() -> str:
    """What the board is, for the line beneath it."""
    columns, rows = charuco_board().getChessboardSize()
    return (
        f"ChArUco {columns} × {rows} · squares {CHARUCO_SQUARE_MM:g} mm · "
        f"tags {charuco_board().getMarkerLength():g} mm · {CHARUCO_DICTIONARY_NAME}"
    )


def _draw_away_arrow(paper: Paper, x: float, foot: float) -> None:
    arrow = ((0, -10), (7, -3.6), (2.6, -3.6), (2.6, 0), (-2.6, 0), (-2.6, -3.6), (-7, -3.6))
    paper.fill(Path().polygon((x + px, foot + py) for px, py in arrow), INK)


def _draw_side_of_table(paper: Paper, x: float, y: float, corner: Corner) -> None:
    """A small plan of the table with this corner filled."""
    width, height, box = 12.0, 8.0, 3.0
    paper.fill(Path().rectangle(x, y, width, height), "#ffffff")
    paper.stroke(Path().rectangle(x, y, width, height), INK, 0.3)
    left = corner in (Corner.NEAR_LEFT, Corner.FAR_LEFT)
    near = corner in (Corner.NEAR_LEFT, Corner.NEAR_RIGHT)
    paper.fill(
        Path().rectangle(x if left else x + width - box, y + height - box if near else y, box, box),
        INK,
    )
    size = 5.5
    paper.text(
        x + width / 2, y + height + 0.5 + CAP_HEIGHT * size * MM_PER_POINT, "host",
        Font.SANS_BOLD, size, FAINT, "centre",
    )  # fmt: skip
