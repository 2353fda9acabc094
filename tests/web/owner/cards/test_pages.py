"""Ship cards as pages: the list, the form made from the rulebook's fields, and what it checks."""

import json
import re
from html import unescape
from pathlib import Path
from urllib.parse import urlencode

import pytest
from flask import Flask

from combat.cards import CardKey, FieldKind, typed_text, typed_value
from combat.provenance import Provenance
from combat.rulebooks import get_ruleset
from combat.rulebooks.grand_fleets.card import Card
from combat.rulebooks.grand_fleets.card_file import card_values
from combat.rulebooks.grand_fleets.owner_cards import made
from tests.web.owner.cards.conftest import CARD, RULESET
from tests.web.phones import Phone, running_in, seated
from web.cli import main
from web.owner.cards.files import card_path
from web.owner.cards.form import CardForm, form_of, typed_form

WHICH = f"?ruleset={RULESET}"
_rules = get_ruleset(RULESET).cards
assert _rules is not None
RULES = _rules


def card(name: str) -> Card:
    found = RULES.printed.find(name)
    assert isinstance(found, Card)
    return found


def said_of(form: CardForm) -> dict[str, list[str]]:
    """What a browser sends of a form."""
    counts = {group.name: [str(len(form.of(group)))] for group in RULES.parts}
    fields = {field.id: list(field.texts) for part in form.parts for field in part.fields}
    return {"typed": ["1"], **counts, **fields}


def page_of(phone: Phone, ship: str, said: dict[str, list[str]]) -> str:
    query = urlencode({"ruleset": [RULESET], **said}, doseq=True)
    answer = phone.get(f"/cards/{ship}?{query}", headers={"X-Part": "1"})
    assert answer.status_code == 200, answer.text
    return unescape(answer.text)


def body_of(page: str) -> dict[str, str]:
    """What the button that saves would send."""
    found = re.search(r"data-key=\"save\" [^>]*data-body='([^']*)'", page)
    assert found, page
    body: dict[str, str] = json.loads(found[1])
    return body


@pytest.mark.parametrize("ship", list(RULES.printed), ids=lambda ship: ship.name)
def test_a_form_gives_back_what_it_was_given(ship: Card) -> None:
    form = form_of(RULES, RULES.values(ship))
    again = typed_form(RULES, said_of(form))
    assert again.card == form.card
    assert again.fault == ""
    values = card_values(ship)
    for key in ("source", "sources"):
        values.pop(key, None)
    assert form.contents == again.contents
    assert form.card is not None
    assert {**RULES.values(form.card)}.keys() >= values.keys() - {"gaps"}


def test_the_list_says_whose_each_card_is_and_what_it_lacks(host: Phone) -> None:
    host.post(f"/api/cards{WHICH}", {"toml": CARD})
    page = unescape(host.get(f"/cards{WHICH}").text)
    own, rest = page.split('id="group-ours"')
    ours, samples = rest.split('id="group-samples"')
    assert "My Ship" in own
    assert "Pensacola" in ours
    assert "Missing: Victory points, Armour, Speed boxes, Battery" in ours
    assert "Sample battleship" in samples
    assert "Undo: My Ship saved" in page


def test_a_form_has_every_field_of_the_rulebook(host: Phone) -> None:
    page = host.get(f"/cards/Iron%20Duke{WHICH}").text
    for group, count in (("ship", 1), ("guns", 2)):
        for number in range(1, count + 1):
            keys = next(g.keys for g in RULES.groups if (g.name or "ship") == group)
            for key in keys:
                assert f'name="{group}-{number}-{key.name}"' in page
    assert "Add: Torpedoes" in page
    assert 'value="21 15 10 7 5 4 3"' in page
    assert 'class="small-plan"' in page


def test_batteries_come_and_go(host: Phone) -> None:
    said = said_of(form_of(RULES, RULES.values(card("Iron Duke"))))
    page = page_of(host, "Iron Duke", {**said, "add": ["guns"]})
    assert 'name="guns-3-dice"' in page
    assert "Still missing: Battery 3: Guns" in page
    page = page_of(host, "Iron Duke", {**said, "remove": ["guns-1"]})
    assert 'name="guns-2-dice"' not in page
    assert 'id="guns-1-name" name="guns-1-name" value="6"/45 Mk.VII"' in page
    full = {**said, "guns": ["9"]}
    assert 'name="guns-7-dice"' not in page_of(host, "Iron Duke", full)


def test_a_fault_names_its_field_and_marks_it(host: Phone) -> None:
    said = said_of(form_of(RULES, RULES.values(card("Iron Duke"))))
    page = page_of(host, "Iron Duke", {**said, "guns-2-dice": ["6 4 x"]})
    assert "Battery 2, Attack dice boxes: expected a list of 1 to 20 whole numbers" in page
    assert re.search(r'class="input wrong" id="guns-2-dice"[^>]*aria-describedby', page)
    assert page.count("wrong") == 1
    assert 'id="card-fault" href="#guns-2-dice"' in page
    assert re.search(r'data-key="save"[^>]* disabled', page)


def test_what_the_form_saves_is_the_card(host: Phone) -> None:
    said = said_of(form_of(RULES, RULES.values(card("Iron Duke"))))
    changed = {**said, "torpedoes": ["1"], "torpedoes-1-name": ['21"'],
               "torpedoes-1-range": ["2 4 8,5"], "torpedoes-1-damage": ["1"],
               "torpedoes-1-tubes": ["p s ps2"]}  # fmt: skip
    answer = host.post(f"/api/cards{WHICH}", body_of(page_of(host, "Iron Duke", changed)))
    assert answer.status_code == 200, answer.text
    ship = running_in(host.app).session.library.now.get(RULESET).ships.find("Iron Duke")
    assert isinstance(ship, Card)
    assert ship.torpedoes is not None
    assert list(ship.torpedoes.range) == [2, 4, 8.5]
    assert [str(box) for box in ship.torpedoes.tubes] == ["P", "S", "PS2"]
    # Filled, it is no gap any more; what we have reconstructed stays so until it is changed.
    assert ship.gaps == ("anti_air",)
    assert ship.provenance("hull") is Provenance.RECONSTRUCTED
    assert ship.provenance("armour") is Provenance.OWNER
    page = host.get(f"/cards/Iron%20Duke{WHICH}").text
    assert "replacing the book’s" in page
    assert "Saved" in page


def test_a_changed_value_is_the_owners() -> None:
    values = {**card_values(card("Iron Duke")), "hull": [7, 6, 6]}
    for key in ("source", "sources"):
        values.pop(key)
    mine = made(values, "card")
    assert mine.provenance("hull") is Provenance.OWNER
    assert mine.provenance("victory_points") is Provenance.RECONSTRUCTED
    assert mine.provenance("dice", mine.guns[1]) is Provenance.RECONSTRUCTED
    sample = card("Sample cruiser")
    kept = made({k: v for k, v in card_values(sample).items() if k != "source"}, "card")
    assert kept == sample


def test_a_copy_begins_with_the_values_of_another(host: Phone) -> None:
    answer = host.get(f"/cards{WHICH}&name=%20Her%20%20Sister%20&copy=Sample+cruiser")
    assert answer.status_code == 303
    page = unescape(host.get(answer.headers["Location"]).text)
    assert 'name="ship-1-name" value="Her Sister"' in page
    assert body_of(page)["toml"].count("sample") == 0
    assert 'value="11 8 6 4 3"' in page
    page = unescape(host.get(f"/cards/Her%20Sister{WHICH}&copy=Nobody").text)
    assert "There is no card for Nobody" in page
    assert "Still missing: Type, Navy, Size" in page


def test_a_name_that_is_taken_is_told_while_one_types(host: Phone) -> None:
    host.post(f"/api/cards{WHICH}", {"toml": CARD})
    said = said_of(form_of(RULES, RULES.values(card("Iron Duke"))))
    page = page_of(host, "Iron Duke", {**said, "ship-1-name": ["my ship"]})
    assert "there is already a card called my ship" in page


def test_onlookers_look(app: Flask) -> None:
    watcher = seated(app, "Wim", role="onlooker", side=None)
    page = watcher.get(f"/cards/Iron%20Duke{WHICH}").text
    assert 'data-key="save"' not in page
    assert '<fieldset class="wrap-fields" disabled>' in page
    assert "A new card" not in watcher.get(f"/cards{WHICH}").text


def test_whatever_is_typed_is_no_fault_of_ours(host: Phone) -> None:
    for said in (
        {"typed": ["1"]},
        {"typed": ["1"], "guns": ["-1"], "torpedoes": ["²"], "anti_air": ["9" * 50]},
        {"typed": ["1"], "guns": ["2"], "remove": ["guns-9"], "add": ["nothing"]},
        {"typed": ["1"], "ship-1-name": ["<b>" * 100], "ship-1-gaps": ["x"] * 99},
        {"typed": ["1"], "ship-1-name": ["\x00"], "ship-1-class": ["BB"],
         "ship-1-nation": ["\ufffe"], "ship-1-size": ["large"], "ship-1-hull": ["9" * 150]},
    ):  # fmt: skip
        page = page_of(host, "Any", said)
        assert "<b><b>" not in page or "&lt;" not in page


def test_other_pages_lead_here(host: Phone) -> None:
    link = f'href="/cards?ruleset={RULESET}"'
    assert link in host.get(f"/calculator{WHICH}").text
    assert "/cards" not in host.get("/calculator?ruleset=bismarck-advanced").text
    assert link not in host.get("/ships").text
    table = {"title": "Sea", "ruleset": RULESET, "width_inches": 72, "height_inches": 48}
    assert host.post("/api/host/table", table).status_code == 200
    assert link in host.get("/ships").text


def test_commands_know_the_cards(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = card_path(RULESET, folder)
    path.parent.mkdir()
    path.write_text(CARD, encoding="utf-8")
    shot = tmp_path / "shot.toml"
    shot.write_text(
        f'ruleset = "{RULESET}"\n[firer]\nname = "My Ship"\n[target]\nname = "Iron Duke"\n'
        '[fire]\nbattery = "guns 1"\nrange_yards = 4000\nquadrant = "starboard"\naspect = "port"\n',
        encoding="utf-8",
    )
    data = ["--data", str(folder)]
    assert main(["resolve", str(shot), "--seed", "1", *data]) == 0
    assert main(["forecast", str(shot), *data]) == 0
    scene = tmp_path / "scene.toml"
    scene.write_text(
        f'title = "T"\nruleset = "{RULESET}"\n'
        '[[ship]]\nname = "A"\ntype = "My Ship"\nx = 0\ny = 0\nheading = 0\n'
        '[[ship]]\nname = "B"\ntype = "Iron Duke"\nx = 5000\ny = 0\nheading = 0\n',
        encoding="utf-8",
    )
    assert main(["check", str(scene), *data]) == 0
    capsys.readouterr()
    path.write_text("[[ship]]\n", encoding="utf-8")
    assert main(["resolve", str(shot), "--seed", "1", *data]) == 2
    assert f"dreyer: {path}, ship 1: name: expected" in capsys.readouterr().err
    assert main(["check", str(scene), *data]) == 2
    told = capsys.readouterr().err.splitlines()
    assert "are not used" in told[0]
    assert "unknown ship 'My Ship'" in told[1]


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        (FieldKind.NUMBER, " 12 ", 12),
        (FieldKind.NUMBER, "\N{MINUS SIGN}3", -3),
        (FieldKind.NUMBER, "twelve", "twelve"),
        (FieldKind.DECIMAL, "13,5", 13.5),
        (FieldKind.NUMBERS, "21, 15 10/7", [21, 15, 10, 7]),
        (FieldKind.DECIMALS, "4 9 18,5", [4.0, 9.0, 18.5]),
        (FieldKind.DECIMALS, "4,9,18", [4.0, 9.0, 18.0]),
        (FieldKind.DECIMALS, "4, 9, 18.5", [4.0, 9.0, 18.5]),
        (FieldKind.RATINGS, "4+ 3 2-", ["4+", 3, "2-"]),
        (FieldKind.END, "-", "-"),
        (FieldKind.TUBES, "p2 s", ["P2", "S"]),
        (FieldKind.TEXT, " a  b ", "a  b"),
        (FieldKind.FLAG, "true", True),
        (FieldKind.FLAG, "", None),
        (FieldKind.NUMBERS, " , ", []),
    ],
)
def test_what_is_typed_is_read_as_a_file_would_have_it(
    kind: FieldKind, text: str, value: object
) -> None:
    key = CardKey("x", kind)
    assert typed_value(key, [text]) == value
    assert typed_value(key, [typed_text(value)]) == value or not value
