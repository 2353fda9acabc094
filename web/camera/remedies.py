"""The eyes' words for the page: remedies there are buttons, not commands."""

from typing import Final

_PAGE_WORDS: Final = (
    (
        "; run `dreyer calibrate` with --camera-height-mm or with pictures of the ChArUco board",
        "; say the camera's height above the table in the camera set-up",
    ),
    ("; say --camera-height-mm, or give pictures of the ChArUco board",
     "; say the camera's height above the table, or take pictures of the lens board"),
    (" (`dreyer calibrate` with ChArUco pictures does it better)",
     " (pictures of the lens board, in the camera set-up, do it better)"),
    ("set the camera back or run `dreyer calibrate` again",
     "set the camera back or measure it again in the camera set-up"),
    ("give the sheets.json that was printed with it",
     "say in the camera set-up which ship it stands for"),
    ("printed by `dreyer sheets`", "printed from the set-up page"),
    ("check --table-inches", "check the table's size"),
    ("--bar-mm with the 100 mm bar", "the measured length of the 100 mm bar"),
)  # fmt: skip


def for_page(words: str) -> str:
    """Words of the eyes with the page's remedies in place of the command line's."""
    for command, page in _PAGE_WORDS:
        words = words.replace(command, page)
    return words
