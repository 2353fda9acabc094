"""Ship cards over the API: kept, undone, after a restart, with bad files and hostile bodies."""

import html
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from combat.library import Library
from combat.rulebooks import get_ruleset
from combat.rulebooks.grand_fleets.card import Card
from tabletop.errors import DreyerError
from tabletop.messages import verbatim
from tests.refusals import refused
from tests.web.free.fights import Fight, body_of
from tests.web.owner.cards.conftest import CARD, RULESET, Open
from tests.web.phones import Phone, host_of, running_in, seated, words_of
from web.library import CurrentLibrary
from web.owner.cards.files import MOST_CARDS, card_path

WHICH = f"?ruleset={RULESET}"


def save(phone: Phone, toml: str = CARD, **more: str) -> Any:
    return phone.post(f"/api/cards{WHICH}", {"toml": toml, **more})


def library(host: Phone) -> Library:
    """The rulebooks that the server plays with now."""
    return running_in(host.app).session.library.now


def card(host: Phone, name: str) -> Card | None:
    """The card that the server plays with now; a file that was edited is read again first."""
    running_in(host.app).cards.now(RULESET)
    found = library(host).get(RULESET).ships.find(name)
    assert found is None or isinstance(found, Card)
    return found


def shown(host: Phone, name: str) -> str:
    """A card as the text that its page lets a player edit."""
    area = re.search(r'<textarea[^>]*id="toml"[^>]*>\n?(.*?)</textarea>',
                     host.get(f"/cards/{name}{WHICH}").text, re.DOTALL)  # fmt: skip
    assert area is not None
    return html.unescape(area[1])


def test_a_card_counts_from_the_moment_it_is_saved(host: Phone, folder: Path) -> None:
    assert library(host).get(RULESET).ships.find("My Ship") is None
    answer = save(host)
    assert answer.status_code == 200, answer.text
    assert answer.get_json()["undo"] == {"what": "save", "name": "My Ship"}
    ruleset = library(host).get(RULESET)
    assert ruleset.rulebook is not None
    offers = ruleset.rulebook(ruleset.tables).offers("My Ship")
    assert [offer.title for offer in offers][:1] == [verbatim('8"')]
    assert library(host).known_ships("bismarck-advanced").find("my ship") is not None
    assert running_in(host.app).cards.find(RULESET, "My Ship") == card(host, "My Ship") is not None
    kept = tomllib.loads(card_path(RULESET, folder).read_text())
    assert tomllib.loads(shown(host, "My Ship")) == kept
    assert "My Ship" in host.get(f"/calculator{WHICH}").text


def test_what_is_written_is_what_is_read(host: Phone) -> None:
    save(host)
    first = shown(host, "My Ship")
    assert save(host, first).status_code == 200
    assert shown(host, "My Ship") == first
    # The same card again is no change that could be undone.
    assert len(running_in(host.app).cards._kept[RULESET].edits) == 1


def test_cards_come_back_after_a_restart(host: Phone, start: Open) -> None:
    save(host)
    again = host_of(start())
    assert card(again, "My Ship") is not None
    assert again.post(f"/api/own-cards/undo{WHICH}").status_code == 400


def test_a_restart_without_the_folder_has_none_of_its_cards(host: Phone) -> None:
    from web import create_app

    save(host)
    other = running_in(create_app()).session.library.now
    assert other.get(RULESET).ships.find("My Ship") is None
    assert library(host).get(RULESET).ships.find("My Ship") is not None


def test_every_change_can_be_undone(host: Phone, folder: Path) -> None:
    save(host)
    save(host, CARD.replace("[4, 4, 4]", "[5, 5, 5]"))
    assert host.delete(f"/api/cards/My%20Ship{WHICH}").status_code == 200
    assert not card_path(RULESET, folder).exists()
    for hull in ((5, 5, 5), (4, 4, 4)):
        assert host.post(f"/api/own-cards/undo{WHICH}").status_code == 200
        found = card(host, "My Ship")
        assert found is not None
        assert found.hull == hull
    host.post(f"/api/own-cards/undo{WHICH}")
    assert card(host, "My Ship") is None
    answer = host.post(f"/api/own-cards/undo{WHICH}")
    assert (answer.status_code, "nothing to undo" in words_of(answer)) == (400, True)


def test_a_card_over_ours_gives_way_when_it_goes(host: Phone) -> None:
    printed = card(host, "Iron Duke")
    save(host, CARD.replace("My Ship", "Iron Duke"))
    mine = card(host, "iron duke")
    assert mine is not None
    assert mine.hull == (4, 4, 4)
    host.delete(f"/api/cards/Iron%20Duke{WHICH}")
    assert card(host, "Iron Duke") == printed
    answer = host.delete(f"/api/cards/Iron%20Duke{WHICH}")
    assert (answer.status_code, "unknown card" in words_of(answer)) == (404, True)


def test_a_renamed_card_leaves_nothing_behind(host: Phone) -> None:
    save(host)
    save(host, CARD.replace("My Ship", "Her Name"), instead_of="My Ship")
    assert card(host, "Her Name") is not None
    assert card(host, "My Ship") is None
    save(host)
    answer = save(host, CARD.replace("My Ship", "Her Name"), instead_of="My Ship")
    assert "a card of Her Name already" in words_of(answer)


def test_who_fights_keeps_her_card(host: Phone) -> None:
    save(host)
    said = {"firer": "My Ship", "target": "Iron Duke", "battery": "guns 1", "range": "4000",
            "quadrant": "starboard", "aspect": "port", "sight": "clear"}  # fmt: skip
    fight = Fight(host, RULESET)
    body = body_of(fight.calculator(**said), "roll")
    assert host.post("/api/free", body).status_code == 200
    answer = host.delete(f"/api/cards/My%20Ship{WHICH}")
    assert "begin a new fight there first" in words_of(answer)
    assert host.get(f"/fight{WHICH}").status_code == 200
    assert save(host, CARD.replace("[9, 6, 4]", "[9]")).status_code == 200
    assert host.get(f"/fight{WHICH}").status_code == 200
    # Nobody makes a ship better in the middle of a fight, by whatever way.
    player, umpire = seated(host.app), seated(host.app, "Uma", role="umpire", side=None)
    file = CARD.replace('"2+"', '"1+"')
    for answer in (
        save(player, file),
        player.post(f"/api/own-cards/undo{WHICH}"),
        player.send("POST", f"/api/own-cards/import{WHICH}", data=file.encode(),
                    content_type="application/toml"),
    ):  # fmt: skip
        assert answer.status_code == 403, answer.text
    assert save(player, CARD.replace("My Ship", "Other Ship")).status_code == 200
    assert save(umpire, file).status_code == 200
    assert fight.end().status_code == 200
    assert save(player).status_code == 200
    assert host.delete(f"/api/cards/My%20Ship{WHICH}").status_code == 200


def test_all_cards_move_as_one_file(host: Phone) -> None:
    save(host)
    save(host, CARD.replace("My Ship", "Other Ship"))
    exported = host.get(f"/cards.toml{WHICH}").data
    host.delete(f"/api/cards/My%20Ship{WHICH}")
    answer = host.send("POST", f"/api/own-cards/import{WHICH}", data=exported,
                       content_type="application/toml")  # fmt: skip
    assert answer.get_json()["cards"] == 2
    assert host.get(f"/cards.toml{WHICH}").data == exported


@pytest.mark.parametrize(
    ("toml", "words"),
    [
        ("", "a text of 1 to 20,000 characters"),
        ("[[ship]]", "name: expected a line of text"),
        ("x = 1", "unknown key"),
        ("[[", "not a TOML file"),
        (CARD + CARD, "both 'My Ship' and 'My Ship'"),
        (CARD + CARD.replace("My Ship", "Two"), "Expected one card"),
        (CARD.replace("My Ship", "???"), "a letter or a figure"),
        (CARD.replace("My Ship", "a/b"), "without a slash"),
        (CARD.replace("[9, 6, 4]", "[9, 6, 400]"), "dice: expected a list"),
        (CARD.replace("hull", "huul"), "the nearest known key is 'hull'"),
        ("x" * 20_001, "a text of 1 to 20,000 characters"),
        ("a." * 9000 + "a = 1", "nested too deeply"),
        ("x = " + "9" * 9000, "far too long"),
        ("\x00", "not a TOML file"),
    ],
)
def test_wrong_cards_in_one_line(host: Phone, folder: Path, toml: str, words: str) -> None:
    answer = save(host, toml)
    assert answer.status_code == 400
    assert words in words_of(answer)
    assert "\n" not in words_of(answer)
    assert not card_path(RULESET, folder).exists()


def test_a_lone_half_of_a_letter_is_no_fault_of_ours(host: Phone) -> None:
    answer = host.send("POST", f"/api/cards{WHICH}", data=b'{"toml": "name = \\"\\ud800\\""}',
                       content_type="application/json")  # fmt: skip
    assert answer.status_code == 400


def test_too_much_is_told(host: Phone) -> None:
    kinds: dict[str, Any] = {"content_type": "application/toml"}
    large = host.send("POST", f"/api/own-cards/import{WHICH}", data=b"#" * 1_000_001, **kinds)
    assert large.status_code == 413
    head = '[[ship]]\nclass = "DD"\nnation = "B"\nsize = "small"\nname = "S{}"\n'
    many = "".join(head.format(n) for n in range(MOST_CARDS + 1)).encode()
    answer = host.send("POST", f"/api/own-cards/import{WHICH}", data=many, **kinds)
    assert f"at most {MOST_CARDS} cards" in words_of(answer)
    empty = host.send("POST", f"/api/own-cards/import{WHICH}", data=b"", **kinds)
    assert "got none" in words_of(empty)


def test_who_may_and_for_which_rulebook(app: Flask) -> None:
    player = seated(app)
    watcher = seated(app, "Wim", role="onlooker", side=None)
    assert save(player).status_code == 200
    assert save(watcher).status_code == 403
    assert watcher.get(f"/cards{WHICH}").status_code == 200
    assert Phone(app).get(f"/cards{WHICH}").status_code == 303
    for ruleset, status in (("bismarck-advanced", 400), ("nothing", 404)):
        assert player.get(f"/cards.toml?ruleset={ruleset}").status_code == status
    # Where the table's rulebook has no cards, the first that has is meant.
    named = player.get("/cards.toml").headers["Content-Disposition"]
    assert f'"{RULESET}-cards.toml"' in named


def test_a_bad_file_is_told_and_kept_aside(start: Open, folder: Path) -> None:
    path = card_path(RULESET, folder)
    path.parent.mkdir()
    path.write_text("[[ship]\n", encoding="utf-8")
    host = host_of(start())
    cards = running_in(host.app).cards
    assert "not a TOML file" in cards.fault(RULESET)
    assert "cannot be used" in host.get(f"/cards{WHICH}").text
    assert path.read_text(encoding="utf-8") == "[[ship]\n"
    assert save(host).status_code == 200
    assert path.with_name(f"{path.name}.unreadable").read_text(encoding="utf-8") == "[[ship]\n"
    assert cards.fault(RULESET) == ""
    path.write_bytes(b"\xff")
    assert "UTF-8" in cards.fault(RULESET)
    save(host, CARD.replace("My Ship", "Next"))
    assert path.with_name(f"{path.name}.unreadable-2").read_bytes() == b"\xff"


def test_a_file_that_somebody_edits_is_read_again(host: Phone, folder: Path) -> None:
    save(host)
    card_path(RULESET, folder).write_text(CARD.replace("My Ship", "By Hand"), encoding="utf-8")
    assert card(host, "By Hand") is not None
    assert card(host, "My Ship") is None


def test_what_cannot_be_written_has_not_happened(host: Phone, folder: Path) -> None:
    (folder / "cards").write_text("a file where the folder should be", encoding="utf-8")
    assert "cannot be written" in words_of(save(host))
    assert library(host).get(RULESET).ships.find("My Ship") is None
    assert card(host, "My Ship") is None


def test_a_short_name_of_another_rulebook_is_no_clash(host: Phone) -> None:
    other = next(ship for ship in get_ruleset("bismarck-advanced").ships if ship.short_names)
    short = other.short_names[0]
    assert save(host, CARD.replace("My Ship", short)).status_code == 200
    found = library(host).known_ships(RULESET).find(short)
    assert found is not None
    assert found.name == short


def test_a_ruleset_that_clashes_changes_nothing() -> None:
    from dataclasses import replace

    ruleset, library = get_ruleset(RULESET), CurrentLibrary()
    with refused(DreyerError, match="unknown ruleset"):
        library.use(replace(ruleset, name="nobody's"))
    assert library.now.get(RULESET) is ruleset
