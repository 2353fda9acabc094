"""The check and the calculator as a browser gets them: the sheet, the proof, the rights."""

import html
import json
import re
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from flask import Flask
from werkzeug.test import TestResponse

from calibration.camera import Lens
from calibration.homography import TablePlane
from calibration.marker_file import MarkerSet
from calibration.markers import SMALL
from combat.scene_file import read_scene
from tabletop.messages import verbatim
from tests.rulebooks import QUIET, quiet_rules, registered
from tests.web.phones import Phone, fresh_app, host_of, running_in, seated
from vision.images import Array
from vision.snapshot import ShipState, TablePose, TrackedShip
from vision.tags.pose import height_sigma_mm, lens_sigma_mm
from web import create_app
from web.data_folder import table_in_memory
from web.http.context import ServerContext
from web.table.moment import CameraHealth, CameraStatus

PAIR = "firer=Hood&target=Bismarck"
CLOSE = """
title = "Close"
[[ship]]
name = "Hood"
x = 24600
y = 4200
heading = 245
position_sigma_mm = 1.6
[[ship]]
name = "Bismarck"
x = 10493
y = 18307
heading = 200
position_sigma_mm = 1.6
[[ship]]
name = "Stranger"
x = 20000
y = 20000
heading = 0
"""


@pytest.fixture
def close_app() -> Flask:
    scene = read_scene(CLOSE.encode(), "close.toml")
    return fresh_app(ServerContext(table_in_memory(lambda: scene)))


@pytest.fixture
def host(close_app: Flask) -> Phone:
    return host_of(close_app)


def words(response: TestResponse) -> str:
    assert response.status_code == 200, response.text
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", response.text)).split())


def data(response: TestResponse) -> dict[str, Any]:
    found = re.search(r'data-check="([^"]*)"', response.text)
    assert found
    loaded: dict[str, Any] = json.loads(html.unescape(found[1]))
    return loaded


def test_nobody_without_a_seat_sees_a_check(close_app: Flask) -> None:
    phone = Phone(close_app)
    for path in (f"/check?{PAIR}", f"/proof.png?{PAIR}", f"/proof.svg?{PAIR}", "/calculator"):
        response = phone.get(path)
        assert (response.status_code, response.headers.get("Location")) == (303, "/join")
    assert phone.get(f"/api/check?{PAIR}").status_code == 401


def test_the_sheet_says_everything(host: Phone) -> None:
    said = words(host.get(f"/check?{PAIR}"))
    for part in (
        *("19,950", "Long low", "Too close to call", "Long high", "87 %", "13 %"),
        *("gunnery factor 5 · 1.1 hits", "Agree on Long low", "Guns 8 of 8", "Exact odds of hits"),
        "relies on reconstructed values",
        *("Starboard", "Port", "Clear", "Turret lost", "Speed lost", "Sunk", "62.53", "Show me"),
    ):
        assert part in said, part


def test_what_is_next_on_an_open_call_is_to_agree(host: Phone) -> None:
    page = host.get(f"/check?{PAIR}").text
    foot = page[page.index('<div class="actions">') : page.index("<dialog")]
    assert 'form="close-range"' in foot
    assert "Agree on Long low" in foot
    assert page.count("btn primary grow") == 1 + page[page.index("<dialog") :].count("btn primary")
    decided = {"firer": "Hood", "target": "Bismarck", "what": "range", "reading": "long_low"}
    assert host.post("/api/decide", decided).status_code == 200
    assert "Agree on" not in host.get(f"/check?{PAIR}").text


def test_the_sheets_data_is_what_the_api_says(host: Phone) -> None:
    sheet = data(host.get(f"/check?{PAIR}"))
    answered = host.get(f"/api/check?{PAIR}").get_json()
    assert sheet == answered
    assert sheet["measure"] == "yes"


def test_a_decision_is_taken_shown_and_taken_back(host: Phone) -> None:
    pair = {"firer": "Hood", "target": "Bismarck", "what": "range"}
    assert host.post("/api/decide", {**pair, "reading": "long_high"}).status_code == 200
    assert host.get("/api/log").get_json()["log"][-1]["text"].endswith("range: long high")
    said = words(host.get(f"/check?{PAIR}"))
    assert "Agreed: Long high" in said
    assert "decided by Host" in said
    assert "Too close to call" not in said
    # The range stays as it was measured, on the sheet and on the chart.
    assert "19,950" in said
    drawn = data(host.get(f"/check?{PAIR}"))["drawn"]
    assert (drawn["range"], drawn["remark"]) == ("19,950 ± 45 yd", "agreed: long high")
    assert host.post("/api/reopen", pair).status_code == 200
    assert "Too close to call" in words(host.get(f"/check?{PAIR}"))


def test_figures_by_hand_are_shown_with_their_reason(host: Phone) -> None:
    body = {"firer": "Hood", "target": "Bismarck", "range_yards": 18400.0, "reason": "by tape"}
    assert host.post("/api/rule", body).status_code == 200
    said = words(host.get(f"/check?{PAIR}"))
    assert "18,400 yd by hand" in said
    assert "By hand: by tape" in said
    assert host.delete("/api/rule/Hood/Bismarck").status_code == 200
    assert "19,950" in words(host.get(f"/check?{PAIR}"))


def test_declare_first_hides_every_figure_until_it_is_declared(close_app: Flask) -> None:
    host, ann = host_of(close_app), seated(close_app)
    watcher = seated(close_app, "Wim", role="onlooker", side=None)
    assert host.post("/api/host/premeasure", {"mode": "declare"}).status_code == 200
    response = ann.get(f"/check?{PAIR}")
    assert "Declare: Hood fires at Bismarck" in words(response)
    assert data(response) == {"firer": "Hood", "target": "Bismarck", "measure": "declare"}
    assert "19,9" not in response.text
    assert "range_yards" not in ann.get(f"/api/check?{PAIR}").text
    assert ann.get(f"/proof.png?{PAIR}").status_code == 403
    assert "Declare: Hood" not in words(watcher.get(f"/check?{PAIR}"))
    assert "Copy from the table" not in words(ann.get("/calculator?firer=Hood&target=Bismarck"))
    copied = ann.get("/calculator?firer=Hood&target=Bismarck&table=1")
    assert "19,95" not in copied.text
    assert ann.post("/api/declare", {"firer": "Hood", "target": "Bismarck"}).status_code == 200
    for phone in (ann, watcher):
        assert "19,950" in words(phone.get(f"/check?{PAIR}"))
    # The proof of a declared pair measures nobody else.
    proof = ann.get(f"/proof.svg?{PAIR}").text
    assert "Stranger" not in proof
    assert "19,950" in proof


def test_only_the_umpire_measures_and_may_show_it(close_app: Flask) -> None:
    host, ann = host_of(close_app), seated(close_app)
    umpire = seated(close_app, "Uma", role="umpire", side=None)
    assert host.post("/api/host/premeasure", {"mode": "umpire"}).status_code == 200
    assert "Ask the umpire" in words(ann.get(f"/check?{PAIR}"))
    shown = words(umpire.get(f"/check?{PAIR}"))
    assert "19,950" in shown
    assert "Show to everyone" in shown
    assert umpire.post("/api/declare", {"firer": "Hood", "target": "Bismarck"}).status_code == 200
    assert "19,950" in words(ann.get(f"/check?{PAIR}"))
    assert "Show to everyone" not in words(umpire.get(f"/check?{PAIR}"))


def test_an_onlooker_sees_but_cannot_decide(close_app: Flask) -> None:
    host_of(close_app)
    watcher = seated(close_app, "Wim", role="onlooker", side=None)
    response = watcher.get(f"/check?{PAIR}")
    said = words(response)
    assert "Long high" in said
    assert "Agree on" not in said
    assert "Enter by hand" not in said
    assert "data-act" not in response.text


def test_a_ship_that_is_moving_or_out_of_sight_is_said_to_be(close_app: Flask, host: Phone) -> None:
    session = running_in(close_app).session

    def see(state: ShipState, age: float) -> None:
        pose = TablePose(800.0, 900.0, 200.0, 1.0, 0.5)
        ship = TrackedShip(7, "Bismarck", pose, state, age, 9)
        session.update_camera(CameraStatus(CameraHealth.LIVE, verbatim("a camera")), [ship])

    see(ShipState.MOVING, 0.0)
    assert "Bismarck is moving" in words(host.get(f"/check?{PAIR}"))
    see(ShipState.STALE, 40.0)
    assert "Bismarck was last seen 40 seconds ago" in words(host.get(f"/check?{PAIR}"))
    see(ShipState.SETTLED, 0.0)
    assert "last seen" not in words(host.get(f"/check?{PAIR}"))
    see(ShipState.STALE, 600.0)
    assert "10 minutes ago" in words(host.get(f"/check?{PAIR}"))


def test_two_ships_that_move_are_one_line(close_app: Flask, host: Phone) -> None:
    pose = TablePose(800.0, 900.0, 200.0, 1.0, 0.5)
    far = TablePose(400.0, 300.0, 200.0, 1.0, 0.5)
    running_in(close_app).session.update_camera(
        CameraStatus(CameraHealth.LIVE, verbatim("a camera")),
        [
            TrackedShip(7, "Bismarck", pose, ShipState.MOVING, 0.0, 9),
            TrackedShip(8, "Hood", far, ShipState.MOVING, 0.0, 9),
        ],
    )
    said = words(host.get(f"/check?{PAIR}"))
    assert "Hood and Bismarck are moving" in said
    assert said.count("moving") == 1


@dataclass
class PlaneInSight:
    """As much of a snapshot as the note about heights reads."""

    plane: TablePlane | None
    ships: tuple[TrackedShip, ...]


@dataclass
class Picture:
    snapshot: PlaneInSight


LENS = Lens(1920, 1080, fx_px=1000.0, fy_px=1000.0, cx_px=960.0, cy_px=540.0)
PLACES_MM = np.array([[800.0, 1200.0], [400.0, 300.0]])
# From rays of a camera 1.5 m above (900, 600) to the table.
PLANE = TablePlane(
    LENS, np.array([[1500.0, 0, 900.0], [0, -1500.0, 600.0], [0, 0, 1]]),
    np.array([900.0, -600.0, 1500.0]),
)  # fmt: skip


def show(
    running: ServerContext, monkeypatch: pytest.MonkeyPatch, plane: TablePlane, sigmas_mm: Array
) -> None:
    """Bismarck and Hood in the picture, with these uncertainties of their places."""
    ships = tuple(
        TrackedShip(number, name, TablePose(x, y, 200.0, float(part), 0.5), ShipState.SETTLED, 0, 9)
        for number, name, (x, y), part in zip(
            (7, 10), ("Bismarck", "Hood"), PLACES_MM.tolist(), sigmas_mm, strict=True
        )
    )
    picture = Picture(PlaneInSight(plane, ships))
    monkeypatch.setattr(type(running.camera_thread), "latest", property(lambda _: picture))
    running.session.update_camera(CameraStatus(CameraHealth.LIVE, verbatim("a camera")), ships)


def narrower(host: Phone) -> tuple[str, float, float] | None:
    """What the check says to measure, with the range's σ before and after."""
    found = re.search(
        r"((?:Set|Measure) the [^:]*): ± ([\d,.]+) yd becomes ± ([\d,.]+) yd",
        words(host.get(f"/check?{PAIR}")),
    )
    if found is None:
        return None
    before, after = (float(each.replace(",", "")) for each in found.groups()[1:])
    return found[1], before, after


@pytest.mark.parametrize(
    ("camera_mm", "height_mm", "told"),
    [
        ((900.0, -600.0, 1500.0), None, "Set the bases’ height in the camera set-up"),
        ((900.0, -600.0, 1500.0), 3.0, ""),
        (None, None, "Set the bases’ height and the camera’s in the camera set-up"),
        (None, 3.0, "Set the camera’s height above the table in the camera set-up"),
    ],
)
def test_the_sheet_says_which_height_would_narrow_the_range(
    close_app: Flask, host: Phone, monkeypatch: pytest.MonkeyPatch,
    camera_mm: tuple[float, float, float] | None, height_mm: float | None, told: str,
) -> None:  # fmt: skip
    running = running_in(close_app)
    running.camera_thread.memory.change(height_mm=height_mm)
    plane = replace(PLANE, camera_mm=None if camera_mm is None else np.array(camera_mm))
    heights = np.full(2, height_mm or 0.0)
    sigmas = np.full(2, 2.0 if height_mm is None else 0.1)
    # The rest of her uncertainty is 0.3 mm.
    parts = np.hypot(height_sigma_mm(plane, PLACES_MM, heights, sigmas), 0.3)
    show(running, monkeypatch, plane, parts)
    found = narrower(host)
    if not told:
        assert found is None
        return
    assert found is not None
    what, before, after = found
    assert what == told
    scene = running.session.moment.scene
    assert scene is not None
    yards = scene.scale.yards_from_mm(1.0)
    assert before == pytest.approx(yards * np.hypot(*parts), rel=0.05)
    assert after == pytest.approx(yards * 0.3 * 2**0.5, rel=0.15)


def test_the_sheet_says_when_the_lens_would_narrow_the_range(
    close_app: Flask, host: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = running_in(close_app)
    running.camera_thread.memory.change(height_mm=0.0)
    bent = replace(PLANE, lens=replace(LENS, distortion=(0.02, 0, 0, 0, 0)))
    plane = replace(PLANE, variants=(bent,))
    parts = np.hypot(lens_sigma_mm(plane, PLACES_MM, np.zeros(2)), 0.1)
    assert (parts > 0.5).all()
    show(running, monkeypatch, plane, parts)
    found = narrower(host)
    assert found is not None
    assert found[0] == "Measure the lens in the camera set-up"
    assert found[2] < 0.3 * found[1]


def test_the_sheet_says_when_the_printed_bar_would_narrow_the_range(
    close_app: Flask, host: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = running_in(close_app)
    memory = running.camera_thread.memory
    plates = tuple(replace(marker, ahead_mm=60.0) for marker in memory.marker_set.markers)
    monkeypatch.setattr(
        type(memory), "marker_set", property(lambda _: MarkerSet(SMALL, plates, ()))
    )
    memory.change(height_mm=0.0)
    show(running, monkeypatch, PLANE, np.full(2, 1.25))
    found = narrower(host)
    assert found is not None
    assert found[0] == "Measure the printed 100 mm bar in the camera set-up"
    assert found[2] == pytest.approx(found[1] * 0.3, rel=0.2)
    memory.change(bar_mm=100.0)
    assert narrower(host) is None


def test_without_odds_the_sheet_says_why(host: Phone) -> None:
    said = words(host.get("/check?firer=Stranger&target=Hood"))
    assert "does not know Stranger" in said
    assert "No odds" in said


def test_a_fire_that_the_rules_forbid_is_told_with_its_rule(host: Phone) -> None:
    said = words(host.get(f"/check?{PAIR}&battery=torpedoes"))
    assert "torpedoes run 8,000. rule 69.1" in said
    beyond = {"firer": "Hood", "target": "Bismarck", "range_yards": 28500, "reason": "a test"}
    assert host.post("/api/rule", beyond).status_code == 200
    assert "rule 61.5" in words(host.get(f"/check?{PAIR}"))


def test_odds_of_printed_tables_have_no_mark(host: Phone) -> None:
    near = {"firer": "Hood", "target": "Bismarck", "range_yards": 3500, "reason": "a test"}
    assert host.post("/api/rule", near).status_code == 200
    mark = "relies on reconstructed values"
    assert mark in words(host.get(f"/check?{PAIR}"))
    torpedoes = words(host.get(f"/check?{PAIR}&battery=torpedoes"))
    assert "Exact odds of hits" in torpedoes
    assert mark not in torpedoes


def test_a_ship_off_the_table_or_herself_is_said_so(host: Phone) -> None:
    assert "cannot fire at herself" in words(host.get("/check?firer=Hood&target=Hood"))
    assert host.post("/api/ships/Bismarck/lift").status_code == 200
    assert "Bismarck is not on the table" in words(host.get(f"/check?{PAIR}"))
    assert host.get(f"/proof.png?{PAIR}").status_code == 400
    assert host.get(f"/api/check?{PAIR}").status_code == 400


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/check?firer=Hod&target=Bismarck", 404),
        ("/check?firer=Hood", 400),
        ("/check", 400),
        ("/check?firer=%00&target=%F0%9F%9A%A2", 404),
        ("/check?firer=Hood&target=Bismarck&battery=%3Cscript%3E", 200),
        ("/proof.png?firer=Hood&target=Hood", 400),
        ("/api/check?firer=Hood&target=Bismarck&more=1", 400),
    ],
)
def test_odd_addresses_are_answered_in_words(host: Phone, path: str, status: int) -> None:
    assert host.get(path).status_code == status


def test_the_proof_is_a_picture_in_both_themes(host: Phone) -> None:
    dark, light = (host.get(f"/proof.png?{PAIR}&theme={theme}") for theme in ("dark", "light"))
    for picture in (dark, light):
        assert picture.mimetype == "image/png"
        assert picture.data.startswith(b"\x89PNG")
    assert dark.data != light.data
    assert "19,950" in host.get(f"/proof.svg?{PAIR}").text


def test_names_are_escaped_on_the_sheet() -> None:
    scene = read_scene(CLOSE.replace("Stranger", "<b onclick='x'>&\\\"").encode(), "close.toml")
    app = create_app(lambda: scene)
    app.config["TESTING"] = True
    response = host_of(app).get(
        "/check", query_string={"firer": "<b onclick='x'>&\"", "target": "Hood"}
    )
    assert response.status_code == 200
    assert "<b onclick" not in response.text
    assert data(response)["firer"] == "<b onclick='x'>&\""


# The calculator


def test_the_calculator_begins_with_ships_of_the_table(host: Phone) -> None:
    said = words(host.get("/calculator"))
    for part in ("Hood", "Bismarck", "Main · 8", "Long low", "Average hits", "At least one"):
        assert part in said, part
    assert "Copy from the table" in said


def test_the_calculator_copies_from_the_table(host: Phone) -> None:
    response = host.get("/calculator?firer=Hood&target=Bismarck&table=1")
    assert 'value="19,950"' in response.text
    assert re.search(r'id="quadrant-starboard"[^>]*checked', response.text)


def test_the_address_holds_everything(host: Phone) -> None:
    response = host.get(
        "/calculator?firer=Prince+of+Wales&target=Scharnhorst&battery=secondary&range=7900"
        "&quadrant=port&aspect=stern&sight=both&conditions.night=true&firer.speed=4"
    )
    said = words(response)
    for part in ("Short", "Secondary · 16", "Guns 8 of 16", "Night", "Speed of Prince of Wal"):
        assert part in said, part
    assert re.search(r'name="sight" value="both" checked', response.text)
    assert re.search(r'id="aspect-stern"[^>]*checked', response.text)
    assert "Line of sight blocked by a ship" in said
    assert "Smoke front across the line" in said


def test_the_answer_alone_is_the_same_answer(host: Phone) -> None:
    query = "firer=Hood&target=Bismarck&range=18000&quadrant=starboard&aspect=port"
    page, part = (
        words(host.get(f"/{path}?{query}")) for path in ("calculator", "calculator/answer")
    )
    assert "Gunnery factor 5 Added to the dice +11 Average hits 1.1 At least one 36 %" in part
    assert part in page


def test_the_calculator_is_drawn_anew_and_turned_round(host: Phone) -> None:
    query = "firer=Hood&target=Bismarck&range=9500&quadrant=bow&aspect=port&conditions.night=true"
    part = host.get(f"/calculator/part?{query}&swap=1")
    assert "<main" not in part.text
    address = html.unescape(re.findall(r'data-address="([^"]*)"', part.text)[0])
    assert "firer=Bismarck&target=Hood" in address
    assert "range=9500&quadrant=port&aspect=bow" in address
    # Conditions may be those of a ship that has changed her part.
    assert "night" not in address


def test_ships_that_change_parts_keep_their_positions_and_the_range(host: Phone) -> None:
    query = (
        "ruleset=chase-of-the-bismarck&firer=Prinz+Eugen&target=Norfolk&fire.zones_between=1"
        "&conditions.visibility=9&conditions.crew_exhausted=true"
        "&firer.position=closing&target.position=breaking-off"
    )
    part = host.get(f"/calculator/part?{query}&swap=1")
    address = html.unescape(re.findall(r'data-address="([^"]*)"', part.text)[0])
    assert "firer=Norfolk&target=Prinz+Eugen" in address.replace("%20", "+")
    assert "firer.position=breaking-off&target.position=closing" in address
    assert "fire.zones_between=1" in address
    assert "conditions.visibility=9" in address
    assert "exhausted" not in address


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("range=30000&firer=Hood&target=Bismarck", "no gun reaches beyond 28,000. rule 61.5"),
        ("firer=Hod", "There is no ship 'Hod'"),
        ("range=-3", "is not a range"),
        ("range=nan", "is not a range"),
        ("range=1e9", "is not a range"),
        ("quadrant=up", "not known here"),
        ("sight=%3Cb%3E", "not known here"),
        ("conditions.visibility=99", "Visibility level: '99' does not fit"),
        ("conditions.crew=drunk", "does not fit"),
        ("firer=Victorious&battery=main&quadrant=bow", "no secondary gun".capitalize()),
    ],
)
def test_what_cannot_be_is_told_and_never_breaks(host: Phone, query: str, told: str) -> None:
    assert told in words(host.get(f"/calculator?{query}"))
    assert host.get(f"/calculator/answer?{query}").status_code == 200


def test_every_pair_of_ships_can_be_reckoned(host: Phone) -> None:
    """No ship of the rulebook breaks the page, as firer or as target."""
    from combat.rulebooks import get_ruleset

    for ship in get_ruleset("bismarck-advanced").ships:
        for query in ({"firer": ship.name}, {"target": ship.name, "firer": "Hood"}):
            response = host.get("/calculator/answer", query_string={**query, "range": "9000"})
            assert response.status_code == 200, ship.name


def test_a_rulebook_without_fire_says_so_and_offers_another(host: Phone) -> None:
    with registered(QUIET, quiet_rules):
        said = words(host.get(f"/calculator?ruleset={QUIET}"))
        assert "No fire in Quiet Rules" in said
        assert "BISMARCK" in said
        assert host.get(f"/calculator/answer?ruleset={QUIET}").status_code == 404


def test_a_fire_that_is_forbidden_is_told_with_its_rule() -> None:
    far = CLOSE.replace("x = 10493", "x = 1000").replace("y = 18307", "y = 42000")
    scene = read_scene(far.encode(), "far.toml")
    host = host_of(fresh_app(ServerContext(table_in_memory(lambda: scene))))
    response = host.get(f"/check?{PAIR}")
    fire = data(response)["fire"]
    assert fire["rule"]
    assert fire["rule"] in words(response)


BANDS = """
title = "Bands"
ruleset = "grand-fleets"
[[ship]]
name = "Alpha"
type = "Sample battleship"
x = 0
y = 1000
heading = 0
position_sigma_mm = 0.8
[[ship]]
name = "Omega"
type = "Sample battleship"
x = 12001
y = 1000
heading = 0
position_sigma_mm = 0.8
"""


class TestBandsOfABattery:
    """12,001 ± 22 yd against a medium range of 12 kyd."""

    @pytest.fixture
    def host(self) -> Phone:
        scene = read_scene(BANDS.encode(), "bands.toml")
        return host_of(fresh_app(ServerContext(table_in_memory(lambda: scene))))

    def test_the_doubt_is_shown_with_both_readings_and_decided(self, host: Phone) -> None:
        document = host.get("/api/check?firer=Alpha&target=Omega").get_json()
        (doubt,) = document["doubts"]
        assert (doubt["what"], doubt["limit"], doubt["margin"]) == ("range", 12_000, 1)
        assert [each["reading"] for each in doubt["readings"]] == ["12001.0", "12000.0"]
        far = document["fire"]["modifier_total"]
        said = {"firer": "Alpha", "target": "Omega", "what": "range", "reading": "12000.0"}
        decided = host.post("/api/decide", said)
        assert decided.status_code == 200, decided.text
        document = host.get("/api/check?firer=Alpha&target=Omega").get_json()
        assert document["settled"]["range_yards"] == 12_000
        assert document["fire"]["modifier_total"] > far, "at medium range, not at long"
        assert document["doubts"][0]["decided"] == "12000.0"

    def test_it_is_nothing_to_another_battery(self, host: Phone) -> None:
        address = "/api/check?firer=Alpha&target=Omega&battery=torpedoes"
        assert host.get(address).get_json()["doubts"] == []

    def test_the_calculator_says_it_of_the_pair_on_the_table(self, host: Phone) -> None:
        address = "/calculator?ruleset=grand-fleets&firer=Alpha&target=Omega&battery="
        assert 'data-key="close-call"' in host.get(address + "guns+1").text
        assert 'data-key="close-call"' not in host.get(address + "torpedoes").text
        assert 'value="12001"' in host.get(address + "guns+1&table=1").text
