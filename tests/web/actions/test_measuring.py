"""Where measuring is restricted, no answer gives a player a range that nobody has measured."""

import math
import re

import pytest
from flask import Flask

from tests.web.actions.test_two_seats import Table
from tests.web.data_folders import play
from tests.web.phones import Phone, seated

_SHIPS = (("Quagga", "Okapi"), ("Zwartkop", "Springbok"))
_PAGES = (
    *("/battle/now", "/battle/story/list", "/api/battle/story", "/report/part", "/report.html"),
    *("/check?firer=Quagga&target=Zwartkop", "/proof.svg?firer=Quagga&target=Zwartkop"),
    *("/api/battle/fire?ship=Okapi", "/api/fields-of-fire?ship=Okapi", "/battle/fire/Okapi/part"),
    "/battle/plot/Okapi/part?torpedo=Zwartkop&speed=8&notation=4",
    "/api/battle/plot?ship=Okapi&torpedo=Zwartkop&speed=8&notation=4",
)


class Restricted:
    """A battle of two sides and an umpire at a table where not everybody measures."""

    def __init__(self, app: Flask, mode: str) -> None:
        table = Table(app, hidden=False)
        self.ann, self.bob = table.ann, table.bob
        self.uma = seated(app, "Uma", role="umpire", side=None)
        assert table.host.post("/api/host/premeasure", {"mode": mode}).status_code == 200

    def ranges_in(self, phone: Phone) -> list[str]:
        """Where a phone is told a range between the sides, by the ships as they stand."""
        ships = {each["name"]: (each["x"], each["y"]) for each in self.uma.view()["ships"]}
        yards = {math.dist(ships[one], ships[other]) for one in _SHIPS[0] for other in _SHIPS[1]}
        figures = "|".join(f"{each:,.0f}|{each:.0f}|{each:,.1f}" for each in yards)
        told = re.compile(rf"(?<![\d.,])(?:{figures})(?![\d,])")
        answers = [(path, phone.get(path)) for path in _PAGES]
        for kind, data in (
            ("plot", {"ship": "Okapi", "speed": 8, "notation": "4", "torpedo": "Zwartkop"}),
            ("designate", {"ship": "Okapi", "orders": [{"target": "Zwartkop"}]}),
        ):
            answers.append((kind, phone.post("/api/battle/play", {"kind": kind, "data": data})))
        return [path for path, answer in answers if told.search(answer.text)]


@pytest.mark.parametrize("mode", ["umpire", "declare"])
def test_no_range_is_told(app: Flask, mode: str) -> None:
    table = Restricted(app, mode)
    assert table.ranges_in(table.ann) == []
    for phone, ships, speed in ((table.ann, _SHIPS[0], 8), (table.bob, _SHIPS[1], 6)):
        for ship in ships:
            play(phone, "plot", ship=ship, speed=speed, notation=str(speed // 2))
        play(phone, "commit")
    assert table.ranges_in(table.ann) == []
    play(table.uma, "move")
    assert table.ranges_in(table.ann) == []
    assert {"/api/battle/story", "/battle/story/list", "/report/part"} <= set(
        table.ranges_in(table.uma)
    )
    for ship, y in (("Zwartkop", 1000), ("Springbok", 3000)):
        pose = {"x": 60_123, "y": y, "heading": 0}
        play(table.uma, "correct", ship=ship, values={"pose": pose}, reason="far off")
    assert table.ranges_in(table.ann) == []
    assert "designate" in table.ranges_in(table.uma)
