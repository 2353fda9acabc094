"""Fight files: whole fights in free play, and what is wrong with one."""

import tomllib
from typing import Any

import pytest

from combat.dice import BadDice
from combat.fight_file import play_fight
from combat.free_play import FreeState
from combat.game import Game
from combat.previews import Forbidden
from combat.rulebooks import get_ruleset
from tabletop.errors import BadField, DreyerError, UnknownName
from tests.combat import bathtub
from tests.combat.free_battles import rulebook_of
from tests.refusals import refused, said

BATHTUB = rulebook_of(bathtub.load())
ARCTIC = rulebook_of(get_ruleset("arctic-disaster"))
SHIPS = """
[[ship]]
name = "Ann"
type = "Duck"
side = "nursery"
[[ship]]
name = "Bob"
type = "Duck"
side = "bathroom"
[[ship]]
name = "Sponge"
state = { soaked = 3 }
"""
STUCK = """
ruleset = "arctic-disaster"
[[ship]]
name = "Z28"
type = "German destroyer"
side = "german"
[[ship]]
name = "Norfolk"
side = "british"
[[action]]                           # 1
action = "main"
by = "Z28"
at = "Norfolk"
dice = "9"
answers = { range_areas = 5 }
[[action]]                           # 2
action = "torpedoes"
by = "Norfolk"
at = "Z28"
dice = "5"
answers = { range_areas = 5 }
"""
ON_IT_GOES = """
[[action]]                           # 3
action = "main"
by = "Norfolk"
at = "Z28"
dice = "8"
[[action]]                           # 4
action = "torpedoes"
by = "Z28"
at = "Norfolk"
dice = "1"
[[action]]                           # 5
action = "move"
by = "Norfolk"
[[action]]                           # 6
action = "next-round"
[[action]]                           # 7
action = "main"
by = "Norfolk"
at = "Z28"
dice = "2"
[[action]]                           # 8
action = "main"
by = "Z28"
at = "Norfolk"
dice = "7"
"""


def arctic(text: str) -> Game[FreeState[Any]]:
    return play_fight(ARCTIC, tomllib.loads(text), "fight.toml")


def played(actions: str, ships: str = SHIPS) -> Game[FreeState[Any]]:
    return play_fight(BATHTUB, tomllib.loads(ships + actions), "fight.toml")


def splash(by: str, at: str, more: str = "") -> str:
    return f'[[action]]\naction = "splash"\nby = "{by}"\nat = "{at}"\n{more}\n'


def undo(to: int | None = None) -> str:
    return '[[action]]\naction = "undo"\n' + (f"to = {to}\n" if to else "")


def soaked(game: Game[FreeState[Any]]) -> dict[str, int]:
    return {ship: marks.soaked for ship, marks in game.state.marks.items()}


# The fight that got stuck


def test_the_fight_that_got_stuck_goes_on() -> None:
    game = arctic(STUCK)
    norfolk = game.state.marks["Norfolk"]
    assert norfolk.torpedoes_fired is True
    assert norfolk.damage == 1, "what the destroyer hit stays hit"
    assert game.state.firing["Norfolk"].damage == 0, "her own guns are unhurt until the next round"
    assert game.state.firing["Norfolk"].torpedoes_fired is True
    document = ARCTIC.state_document(game.state.ship("Norfolk"), norfolk)
    assert document["torpedoes_fired"] is True
    on = arctic(STUCK + ON_IT_GOES)
    assert on.state.round_number == 2
    assert [each.n for each in on.played] == list(range(1, 9))
    assert on.state.firing["Norfolk"].damage >= 1
    assert on.state.marks["Norfolk"].torpedoes_fired is True
    assert on.state.marks["Z28"].torpedoes_fired is True


def test_torpedoes_that_are_spent_are_refused_with_their_rule() -> None:
    again = '[[action]]\naction = "torpedoes"\nby = "Norfolk"\nat = "Z28"\ndice = "5"\n'
    with pytest.raises(Forbidden) as refusal:
        arctic(STUCK + again)
    assert refusal.value.rule == "11.4.7"
    assert said(refusal.value).startswith("fight.toml, action 3: ")


@pytest.mark.parametrize("count", range(1, 9))
def test_each_of_its_actions_can_be_taken_back_and_played_again(count: int) -> None:
    whole = arctic(STUCK + ON_IT_GOES)
    back = arctic(STUCK + ON_IT_GOES + undo() * count)
    left = 8 - count
    assert [each.n for each in back.played] == list(range(1, left + 1))
    assert back.state == (whole.played[left - 1].state if left else whole.start)
    document = tomllib.loads(STUCK + ON_IT_GOES)
    document["action"] += [{"action": "undo"}] * count
    for action in document["action"][left:8]:
        document["action"].append({key: value for key, value in action.items() if key != "dice"})
    again = play_fight(ARCTIC, document, "fight.toml")
    assert again.state == whole.state
    assert [each.events for each in again.played] == [each.events for each in whole.played]


# Ships


def test_ships_have_names_types_sides_and_marks() -> None:
    game = played("")
    assert [(ship.name, ship.type, ship.side) for ship in game.state.ships] == [
        ("Ann", "Duck", "nursery"),
        ("Bob", "Duck", "bathroom"),
        ("Sponge", "Sponge", "kitchen"),
    ]
    assert [side.key for side in game.state.sides] == ["nursery", "bathroom", "kitchen"]
    assert soaked(game) == {"Ann": 0, "Bob": 0, "Sponge": 3}
    assert game.state.round_number == 1
    assert game.played == ()


@pytest.mark.parametrize(
    ("ships", "error", "message"),
    [
        (SHIPS + '[[ship]]\nname = "Ann"\ntype = "Sponge"', BadField, "ship 4 'Ann': name: "),
        ('[[ship]]\nname = "Spong"', UnknownName, "did you mean 'Sponge'"),
        ('[[ship]]\ntype = "Duck"', BadField, "ship 1: name: "),
        ('[[ship]]\nname = "Duck"\nsied = "x"', DreyerError, "nearest known key is 'side'"),
        (
            '[[ship]]\nname = "Duck"\nstate = { soked = 1 }',
            DreyerError,
            r"ship 1 'Duck', \[state\]: unknown key 'soked'; the nearest known key is 'soaked'",
        ),
        (
            '[[ship]]\nname = "Duck"\nstate = { soaked = 7 }',
            BadField,
            "soaked: expected a whole number from 0 to 6, got 7",
        ),
        (
            '[[ship]]\nname = "Duck"\nstate = { soaked = true }',
            BadField,
            "soaked: expected a whole number from 0 to 6, got true",
        ),
        ('[ship]\nname = "Duck"', BadField, "ship: expected tables"),
        ('[[shop]]\nname = "Duck"', DreyerError, "nearest known key is 'ship'"),
    ],
)
def test_ships_that_are_wrong(ships: str, error: type[DreyerError], message: str) -> None:
    with refused(error, match=message):
        played("", ships)


# Actions


def test_sisters_are_two_ships() -> None:
    game = played(splash("Ann", "Bob", 'dice = "6"') + splash("Bob", "Ann", 'dice = "4"'))
    assert soaked(game) == {"Ann": 1, "Bob": 2, "Sponge": 3}
    assert [each.rolls[0].side for each in game.played] == ["nursery", "bathroom"]


def test_answers_are_the_keys_of_a_shot_file() -> None:
    game = played(splash("Ann", "Bob", 'dice = "4"\nanswers = { bubbles = true }'))
    assert soaked(game)["Bob"] == 0


def test_a_seed_rolls_the_same_every_time() -> None:
    first, second = (played(splash("Ann", "Bob", "seed = 7")) for _ in range(2))
    assert first.played[0].rolls == second.played[0].rolls
    assert first.played[0].rolls[0].by_server


def test_undo_keeps_dice_with_the_very_action() -> None:
    ann, bob = splash("Ann", "Sponge"), splash("Bob", "Sponge")
    begun = splash("Ann", "Sponge", 'dice = "6"') + undo()
    assert soaked(played(begun))["Sponge"] == 3
    assert soaked(played(begun + ann))["Sponge"] == 5
    assert soaked(played(begun + splash("Ann", "Sponge", 'dice = "4"')))["Sponge"] == 4
    with refused(BadDice, match=r"fight\.toml, action 3: dice: too few"):
        played(begun + bob)


def test_undo_from_a_number_on() -> None:
    fight = splash("Ann", "Bob", 'dice = "4"') * 3
    game = played(fight + undo(to=2) + splash("Bob", "Ann", 'dice = "4"'))
    assert soaked(game) == {"Ann": 1, "Bob": 1, "Sponge": 3}
    assert [each.n for each in game.played] == [1, 5]


@pytest.mark.parametrize(
    ("actions", "error", "message"),
    [
        (undo(), DreyerError, "action 1: there is nothing to undo"),
        (
            splash("Ann", "Bob", 'dice = "1"') + undo(to=2),
            DreyerError,
            "action 2: there is no action from",
        ),
        (splash("Ann", "Ann", 'dice = "1"'), Forbidden, "action 1: Ann cannot act on herself"),
        (splash("Ann", "Bob"), BadDice, "action 1: dice: too few: 0 given"),
        (splash("Ann", "Bob", 'dice = "1 2"'), BadDice, "action 1: dice: too many: 2 given"),
        (splash("Ann", "Bob", 'dice = "x"'), BadDice, "action 1: dice: number 1 is 'x'"),
        (splash("Ann", "Bob", 'dice = "0"'), BadDice, "action 1: dice: the splash: expected one"),
        (splash("Ann", "Bob", 'dice = "1"\nseed = 1'), DreyerError, "dice or seed, not both"),
        (splash("Anne", "Bob", 'dice = "1"'), BadField, "action 1: by: .* did you mean 'Ann'"),
        (splash("Ann", "Bo", 'dice = "1"'), BadField, "action 1: at: .* did you mean 'Bob'"),
        ('[[action]]\naction = "splash"\nat = "Ann"', BadField, "action 1: by: .* is missing"),
        ('[[action]]\naction = "splish"', BadField, "did you mean 'splash'"),
        ("[[action]]\nby = 'Ann'", BadField, "action 1: action: "),
        (
            splash("Ann", "Bob", 'dice = "1"\nanswers = { buble = true }'),
            DreyerError,
            r"action 1, \[answers\]: unknown key 'buble'; the nearest known key is 'bubbles'",
        ),
        (
            splash("Ann", "Bob", 'dice = "1"\nanswers = { bubbles = 1 }'),
            BadField,
            r"action 1, \[answers\]: bubbles: expected true or false, got 1",
        ),
        ('[[action]]\naction = "next-round"\nby = "Ann"', DreyerError, "by: next-round takes none"),
        ('[[action]]\naction = "next-round"\ndice = "1"', DreyerError, "dice: next-round takes"),
        ('[[action]]\naction = "undo"\nat = "Ann"', DreyerError, "at: undo takes none"),
        (splash("Ann", "Bob", 'dice = "1"\nto = 1'), DreyerError, "to: splash takes none"),
    ],
)
def test_actions_that_are_wrong(actions: str, error: type[DreyerError], message: str) -> None:
    with refused(error, match=message) as found:
        played(actions)
    assert said(found.value).startswith("fight.toml, action ")
    assert "\n" not in said(found.value)


def test_by_is_left_out_where_nobody_acts() -> None:
    ship = '[[ship]]\nname = "Norfolk"\n'
    search = '[[action]]\naction = "search"\ndice = "5"\n'
    assert len(arctic(ship + search).played) == 1
    with refused(DreyerError, match="action 1: by: search takes none; leave it out"):
        arctic(ship + search + 'by = "Norfolk"\n')


def test_a_file_of_no_fight_is_refused() -> None:
    with refused(BadField, match=r"fight.toml: ship: expected tables"):
        play_fight(BATHTUB, {}, "fight.toml")


def test_no_dice_at_all_may_be_written_as_such() -> None:
    """As `dreyer resolve --dice ""` takes it."""
    document = tomllib.loads(STUCK)
    document["action"] = [{"action": "move", "by": "Norfolk", "dice": ""}]
    assert len(play_fight(ARCTIC, document, "fight.toml").played) == 1
    document["action"] = [{"action": "main", "by": "Norfolk", "at": "Z28", "dice": " "}]
    with refused(BadDice, match="too few: 0 given"):
        play_fight(ARCTIC, document, "fight.toml")


@pytest.mark.parametrize("seed", [0, -1, 2**70])
def test_any_whole_number_is_a_seed(seed: int) -> None:
    document = tomllib.loads(STUCK)
    document["action"] = [{"action": "main", "by": "Norfolk", "at": "Z28", "seed": seed}]
    assert len(play_fight(ARCTIC, document, "fight.toml").played[0].rolls) == 1


@pytest.mark.parametrize(("key", "value"), [("seed", True), ("seed", 1.5), ("dice", 9)])
def test_dice_and_seed_of_another_kind_are_refused(key: str, value: object) -> None:
    document = tomllib.loads(STUCK)
    document["action"] = [{"action": "main", "by": "Norfolk", "at": "Z28", key: value}]
    with refused(BadField, match=f"action 1: {key}: expected"):
        play_fight(ARCTIC, document, "fight.toml")


ADVANCED = """
ruleset = "bismarck-advanced"
{options}
[[ship]]
name = "Bismarck"
side = "german"
speed = 8
[ship.state]
ammunition = {{ main = 100 }}
[[ship]]
name = "Hood"
side = "british"
speed = 8
[[action]]
action = "main"
by = "Bismarck"
at = "Hood"
seed = 3
answers = {{ range_yards = 26000, quadrant = "starboard", aspect = "port"{own} }}
"""


def _spent(options: str = "", own: str = "") -> dict[str, int]:
    document = tomllib.loads(ADVANCED.format(options=options, own=own))
    game = play_fight(rulebook_of(get_ruleset("bismarck-advanced")), document, "fight.toml")
    return dict(game.state.marks["Bismarck"].vessel.turret_spent)


def test_options_of_a_fight_hold_for_all_its_actions_unless_one_says_otherwise() -> None:
    table = "[options]\nammunition_by_turret = true"
    assert _spent() == {}
    assert len(_spent(table)) == 4  # Each of her turrets fires from its own share.
    assert _spent(own=", ammunition_by_turret = true") == _spent(table)
    assert _spent(table, ", ammunition_by_turret = false") == {}


def test_a_ship_with_fewer_rounds_divides_them_among_her_turrets() -> None:
    text = ADVANCED.format(options="[options]\nammunition_by_turret = true", own="")
    document = tomllib.loads(text)
    bismarck = next(ship for ship in document["ship"] if ship["name"] == "Bismarck")
    bismarck["state"] = {"ammunition": {"main": 8}}
    vessel = (
        play_fight(rulebook_of(get_ruleset("bismarck-advanced")), document, "fight.toml")
        .state.marks["Bismarck"]
        .vessel
    )
    assert vessel.main_ammunition == 0
    assert vessel.turret_spent == dict.fromkeys("ABXY", 150)


def test_an_unknown_option_of_a_fight_is_told() -> None:
    with pytest.raises(DreyerError) as wrong:
        _spent("[options]\nammunition = true")
    assert "[options]" in said(wrong.value)


def test_a_key_of_several_actions_is_read_as_each_has_it() -> None:
    """Guns fire over more hexes than a ship moves: both answers are called `hexes`."""
    text = """
ruleset = "bismarck-battle-board"
[[ship]]
name = "Bismarck"
[[ship]]
name = "Hood"
[[action]]
action = "guns"
by = "Bismarck"
at = "Hood"
dice = "34 34 34 34 34 34 34"
answers = { hexes = 5 }
[[action]]
action = "move"
by = "Hood"
answers = { hexes = HEXES }
"""
    board = rulebook_of(get_ruleset("bismarck-battle-board"))
    fought = play_fight(board, tomllib.loads(text.replace("HEXES", "2")), "fight")
    assert fought.state.marks["Hood"].moved
    with refused(BadField, match="from 0 to 2"):
        play_fight(board, tomllib.loads(text.replace("HEXES", "5")), "fight")
