"""The rules in force: every rulebook says them, and marks what the players have changed."""

import pytest

from combat.owner_values import Overlay
from combat.provenance import CHANGED_MARK, Provenance
from combat.rulebooks import NAMES, get_ruleset
from combat.rules_in_force import RulesInForce, rules_in_force, usual_options
from web.strings import words
from web.views.rules_text import rules_text

ADVANCED = get_ruleset("bismarck-advanced")
GRAND_FLEETS = get_ruleset("grand-fleets")


def usual(name: str, values: dict[tuple[str, str, str], str] | None = None) -> RulesInForce:
    ruleset = get_ruleset(name)
    tables = ruleset.tables.with_overlay(Overlay(name, values or {}))
    options = usual_options(ruleset)
    return rules_in_force(ruleset, tables, latest_edition=ruleset.edition, options=options)


@pytest.mark.parametrize("name", NAMES)
def test_every_rulebook_says_its_rules_and_nothing_is_changed_by_itself(name: str) -> None:
    rules = usual(name)
    assert (rules.ruleset, rules.changes, rules.owner_cells) == (name, 0, ())
    assert rules.decisions
    assert all(words(each.text) and each.rule for each in rules.decisions)
    lost = get_ruleset(name).tables.counts[Provenance.RECONSTRUCTED]
    assert sum(each.count for each in rules.reconstructed) == lost
    text = rules_text(rules)
    assert rules.title in text
    assert not any(line.startswith(CHANGED_MARK) for line in text.splitlines())
    for option in rules.options:
        assert option.rule
        assert words(option.meaning) in text


def test_an_owners_cell_is_marked_with_what_stood_there() -> None:
    rules = usual("bismarck-advanced", {("penetration", "G", "extreme"): "9"})
    (cell,) = rules.owner_cells
    assert (cell.table, cell.row, cell.column) == ("penetration", "G", "extreme")
    assert (cell.book, cell.own, cell.book_provenance) == ("8", "9", Provenance.RECONSTRUCTED)
    assert rules.changes == 1
    marked = [line for line in rules_text(rules).splitlines() if line.startswith(CHANGED_MARK)]
    assert len(marked) == 1
    assert "9" in marked[0]


def test_an_owners_modifier_is_one_of_the_changes() -> None:
    rules = usual("bismarck-advanced", {("modifiers", "2 night", "value"): "7"})
    assert [(each.table, each.own) for each in rules.owner_cells] == [("modifiers", "7")]


def test_the_same_rules_have_the_same_checksum_and_others_another() -> None:
    plain = usual("bismarck-advanced")
    assert plain.checksum == usual("bismarck-advanced").checksum
    other_table = usual("bismarck-advanced", {("penetration", "G", "extreme"): "9"})
    battle = ADVANCED.battle
    assert battle is not None
    chosen = battle(ADVANCED.tables).schemas.options.read({"ammunition_by_turret": True})
    with_option = rules_in_force(
        ADVANCED,
        ADVANCED.tables,
        latest_edition=3,
        options=battle(ADVANCED.tables).optional_rules(chosen),
    )
    first = ADVANCED.of_edition(1)
    old = rules_in_force(
        first, first.tables, latest_edition=ADVANCED.edition, options=usual_options(first)
    )
    found = {plain.checksum, other_table.checksum, with_option.checksum, old.checksum}
    assert len(found) == 4
    assert with_option.changes == 1


def test_decisions_and_options_are_those_of_the_edition() -> None:
    first = ADVANCED.of_edition(1)
    assert {"67.42"} == {
        each.rule for each in {*ADVANCED.decisions} ^ {*first.decisions} if each.rule == "67.42"
    }
    keys = [{option.key for option in usual_options(each)} for each in (ADVANCED, first)]
    # In edition 1 every gun held back counts anyhow.
    assert keys[0] - keys[1] == {"every_held_back_gun_counts"}


def test_another_scale_is_a_change() -> None:
    for yards, changed in ((500.0, False), (2000.0, True)):
        rules = rules_in_force(ADVANCED, ADVANCED.tables, latest_edition=3, yards_per_inch=yards)
        (scale,) = (each for each in rules.conditions if each.key == "scale")
        assert scale.changed is changed


def test_cards_of_the_players_are_changes() -> None:
    cards = GRAND_FLEETS.cards
    assert cards is not None
    assert GRAND_FLEETS.with_cards is not None
    values = dict(cards.values(cards.printed.named("Iron Duke", "test")))
    own = cards.make({**values, "name": "Marlborough"}, "test")
    ruleset = GRAND_FLEETS.with_cards([own])
    rules = rules_in_force(ruleset, ruleset.tables, latest_edition=ruleset.edition)
    assert rules.owner_cards == ("Marlborough",)
    assert rules.changes == 1


def test_each_kind_of_number_has_one_mark_of_its_own() -> None:
    assert len({each.mark for each in Provenance}) == len(Provenance)
    assert Provenance.OWNER.mark == CHANGED_MARK
