"""The ranges that matter between two ships: ends of bands, and the distances of a formation."""

from combat.formations import Formation
from combat.range_limits import pair_limits
from combat.rulebooks import get_ruleset

GRAND_FLEETS = get_ruleset("grand-fleets")
assert GRAND_FLEETS.rulebook is not None
RULEBOOK = GRAND_FLEETS.rulebook(GRAND_FLEETS.tables)
SHIPS = {
    "A": GRAND_FLEETS.ships.named("Sample battleship", "test"),
    "B": GRAND_FLEETS.ships.named("Sample destroyers", "test"),
}


def test_every_band_of_the_firers_batteries_ends_at_a_limit() -> None:
    limits = pair_limits(RULEBOOK, SHIPS)
    assert {(each.action, each.yards) for each in limits("B", "A")} == {
        ("guns 1", 2000), ("guns 1", 5000), ("guns 1", 10_000),
        ("torpedoes", 4000), ("torpedoes", 8000), ("torpedoes", 16_000),
    }  # fmt: skip
    main = [each.yards for each in limits("A", "B") if each.action == "guns 1"]
    assert main == [6000, 12_000, 24_000, 36_000], "extreme range with them"
    assert limits("C", "A") == (), "nobody knows her guns"


def test_a_division_asks_for_its_distance_only_and_friends_for_nothing() -> None:
    division = Formation("First", "A", ("A", "B"))
    (command,) = pair_limits(RULEBOOK, SHIPS, [division])("A", "B")
    assert (command.yards, command.action) == (1000, "")
    assert pair_limits(RULEBOOK, SHIPS, friends=[("A", "B")])("A", "B") == ()
