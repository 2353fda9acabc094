"""What is open in fog of war to those who do not see the whole table.

Everything else is closed to them until the battle is over: what has been looked at is named here,
so that a new page or route tells nobody anything by accident.
"""

from typing import Final

from web.auth.seats import Caller, Forbidden
from web.table.moment import Moment
from web.views.fog import may_look_closer

_NAMES: Final = {
    "frame": ("favicon", "font", "menu"),
    "table": (
        "asked",
        "home",
        "join",
        "log",
        "log_list",
        "table",
        "table_camera",
        "table_picture",
        "table_ships",
    ),
    "battle": (
        "ask_part",
        "bar_part",
        "happenings_part",
        "now",
        "now_part",
        "plot",
        "plot_log",
        "plot_log_part",
        "plot_part",
        "plot_ships",
        "story",
        "story_part",
    ),
    "fire": (
        "dice",
        "dice_part",
        "fire",
        "fire_part",
        "fire_ships",
        "fleet_fire",
        "fleet_fire_part",
        "rate",
        "rate_part",
        "rate_ships",
    ),
    "sheets": (
        "sheet",
        "sheet_part",
        "sheet_pdf",
        "sheets",
        "sheets_list",
        "sheets_pdf",
    ),
    "api": (
        "actions_battle_AnswerUndo",
        "actions_battle_AskUndo",
        "actions_battle_UndoOwn",
        "api_battle_check_fire",
        "api_battle_check_plot",
        "api_battle_check_rate",
        "api_battle_fire_options",
        "api_battle_movement_log",
        "api_battle_nudge",
        "api_battle_play",
        "api_battle_reach",
        "api_battle_roll",
        "api_battle_sheet",
        "api_battle_shown_happenings",
        "api_battle_story",
        "api_captains_plots",
        "api_check_check",
        "api_fields_of_fire_fields",
        "api_live_here",
        "api_live_live",
        "api_openapi_health",
        "api_openapi_openapi",
        "api_rules_rules",
        "api_seats_admit",
        "api_seats_come_back",
        "api_seats_consent",
        "api_seats_join",
        "api_seats_leave",
        "api_seats_try_code",
        "api_seats_waiting",
        "api_table_log",
        "api_table_view",
        "api_television_sit",
        "api_television_television",
    ),
    "glossary": ("glossary", "how_a_round_goes", "terms"),
    "manual": ("connection", "contents", "page", "picture"),
    "checks": (
        "check",
        "proof_png",
        "proof_svg",
    ),
    "rules": (
        "as_file",
        "rules",
        "rules_part",
    ),
    "tables": (
        "compare",
        "table",
        "table_cell",
        "table_grid",
        "table_head",
        "tables",
        "tables_list",
    ),
    "television": (
        "happenings_part",
        "side",
        "television",
    ),
}
"""By module; what the table's pages say of the camera comes from the view, which has none."""
OPEN: Final = frozenset(
    f"{module}.{name}" for module, names in _NAMES.items() for name in names
) | {"static"}
"""The endpoints that tell a caller only what the caller may see."""


def check_open(endpoint: str | None, moment: Moment, caller: Caller) -> None:
    """Raise Forbidden for what is closed to a caller in fog of war."""
    if endpoint is None or endpoint in OPEN or not caller.known:
        return
    if not may_look_closer(moment, caller):
        raise Forbidden("fog.closed")
