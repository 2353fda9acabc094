"""The files of the owner's table values, and the tables with them.

`effective_tables` is the only function that gives the tables in effect for a ruleset.
"""

from pathlib import Path

from platformdirs import user_data_dir

from combat.owner_values import Overlay, read_overlay, write_overlay
from combat.rulebooks import get_ruleset
from combat.tables import TableSet
from tabletop.errors import DreyerError
from web.owner.files import read_if_there, replace_or_remove


def default_data_folder() -> Path:
    """The system's folder for user data."""
    return Path(user_data_dir("dreyer-table", appauthor=False))


def overlay_path(ruleset: str, data_folder: Path) -> Path:
    """The file of the owner's values for a ruleset."""
    return data_folder / "tables" / f"{ruleset}.toml"


def load_overlay(ruleset: str, data_folder: Path) -> Overlay:
    """The owner's values for a ruleset; empty without a file."""
    path = overlay_path(ruleset, data_folder)
    data = read_if_there(path)
    if data is None:
        return Overlay(ruleset)
    overlay = read_overlay(data, str(path))
    if overlay.ruleset != ruleset:
        raise DreyerError(
            "tables.fault.other_ruleset",
            path=str(path),
            ruleset=ruleset,
            ruleset_2=overlay.ruleset,
        )
    return overlay


def save_overlay(overlay: Overlay, data_folder: Path) -> None:
    """Replace the file of the owner's values atomically; without values it is deleted."""
    data = write_overlay(overlay) if overlay.values else None
    replace_or_remove(overlay_path(overlay.ruleset, data_folder), data)


def effective_tables(ruleset: str, data_folder: Path, edition: int | None = None) -> TableSet:
    """The ruleset's tables with the owner's values, in its latest edition if none is given."""
    found = get_ruleset(ruleset)
    tables = (found if edition is None else found.of_edition(edition)).tables
    source = str(overlay_path(ruleset, data_folder))
    return tables.with_overlay(load_overlay(ruleset, data_folder), source)
