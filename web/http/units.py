"""The unit in which a phone shows places and lengths of the table."""

from typing import Final

from flask import request

from tabletop.scale import Unit

UNIT_COOKIE: Final = "unit"


def chosen_unit() -> Unit:
    """What the caller has chosen; yards otherwise."""
    chosen = request.cookies.get(UNIT_COOKIE)
    return Unit(chosen) if chosen in tuple(Unit) else Unit.YARDS
