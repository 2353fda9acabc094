"""The form of a card: which field a fault is about."""

from collections.abc import Mapping

import pytest

from combat.library import BUILT_IN
from web.owner.cards.form import form_of

GUNS: Mapping[str, object] = {
    "name": "15 in", "calibre": 15, "forward": -2, "aft": -2,
    "range": [6, 12, 24], "penetration": 5, "dice": [4, 3, 2],
}  # fmt: skip
TORPEDOES: Mapping[str, object] = {
    "name": "21 in", "range": [2, 4, 8], "damage": 1, "tubes": ["P"]
}  # fmt: skip


@pytest.mark.parametrize(
    ("parts", "wrong"),
    [
        ({"guns": [{**GUNS, "calibre": -1}]}, "guns-1-calibre"),
        ({"guns": [GUNS, {**GUNS, "calibre": -1}]}, "guns-2-calibre"),
        # A key that the ship and her parts have alike.
        ({"guns": [GUNS, {**GUNS, "name": "x" * 99}]}, "guns-2-name"),
        ({"guns": [GUNS], "torpedoes": {**TORPEDOES, "range": [2, -4, 8]}}, "torpedoes-1-range"),
        ({"name": "x" * 99, "guns": [GUNS]}, "ship-1-name"),
    ],
)
def test_a_fault_marks_the_field_of_its_own_part(parts: Mapping[str, object], wrong: str) -> None:
    rules = BUILT_IN.get("grand-fleets").cards
    assert rules is not None
    ship = {"name": "My ship", "class": "BB", "nation": "British", "size": "large"}
    form = form_of(rules, {**ship, **parts})
    assert form.wrong == wrong, form.fault
