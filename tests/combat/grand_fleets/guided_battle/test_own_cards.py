"""Battles with cards that players have written: they stay as they were when the battle began."""

from dataclasses import replace
from typing import Any

import pytest

from combat.dice import ReplayedDice
from combat.rulebooks.grand_fleets.card_file import read_card, write_cards
from combat.rulebooks.grand_fleets.guided_battle.actions import CommandDone, DeclareFire, Shot
from tabletop.errors import BadField, UnknownName
from tests.combat.grand_fleets.guided_battle.fleets import BATTLE, CARDS, Table, opening

OWN = read_card(
    write_cards([CARDS.named("Sample cruiser", "test")])
    .replace("Sample cruiser", "My cruiser")
    .replace("sample = true\n", "")
    .replace("victory_points = 70", "victory_points = 77")
)
START = replace(
    opening(checked=False),
    ships=tuple(replace(ship, type="My cruiser") for ship in opening().ships),
    cards=(OWN,),
)


def test_they_are_played_with_and_kept_in_the_set_up() -> None:
    setup: Any = BATTLE.set_up(START)
    assert setup.cards == (OWN,)
    written = BATTLE.schemas.setup.write(setup)
    assert BATTLE.schemas.setup.read(written) == setup
    # Whoever opens the battle need not have them.
    table = Table(START).place_all(45, 22)
    assert {card.name for card in table.state.cards.values()} == {"My cruiser"}
    assert table.view.ships[0].points == 77
    assert BATTLE.sheet(table.state, "Ares").ship == "Ares"
    assert BATTLE.fire_options(table.state, None, "Ares")


def test_a_fire_is_rolled_and_replayed_with_them() -> None:
    table = Table(START).place_all(45, 22).hold_all().dice("22 45")
    for ship in ("Ares", "Argo", "Atlas", "Boreas", "Bellona", "Briton"):
        table.ahead(ship, 5000)
    table.play(CommandDone())
    shots = (Shot(battery="guns 1", target="Ares"),)
    table.play(DeclareFire(ship="Boreas", shots=shots)).dice("6 6 6")
    assert table.state.marks("Ares").hull_lost == 3
    state = BATTLE.begin(
        BATTLE.schemas.setup.read(BATTLE.schemas.setup.write(BATTLE.set_up(START)))
    )
    for played in table.game.played:
        state = BATTLE.play(state, played.action, ReplayedDice(played.rolls)).state
    assert state == table.state


def test_without_them_the_ship_is_not_known() -> None:
    with pytest.raises(UnknownName):
        BATTLE.set_up(replace(START, cards=()))


def test_a_stored_card_that_is_none_is_told() -> None:
    written: Any = BATTLE.schemas.setup.write(BATTLE.set_up(START))
    written["cards"][0]["hull"] = [1]
    with pytest.raises(BadField) as wrong:
        BATTLE.schemas.setup.read(written)
    assert "cards" in str(wrong.value.place) or "cards" in str(wrong.value)
