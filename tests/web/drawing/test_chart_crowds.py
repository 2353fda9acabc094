"""Charts of few ships and of many: everything that matters can be read and heard."""

import math
from itertools import combinations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.web.conftest import ReadTable, ShipToml, Surveyed
from tests.web.drawing.charted import SVG, draw, lay_out, marks, with_class
from web.drawing.chart.chart import draw_chart
from web.drawing.chart.frame import PHONE, WIDE, Format
from web.drawing.chart.parts import Chart, ShipMark
from web.drawing.fonts import Face, cut, label_width
from web.drawing.geometry import Box, round_step
from web.drawing.theme import FileTheme, colours
from web.strings import text

ONE_SPOT = text("chart.one_spot")


def label_boxes(chart: Chart) -> list[Box]:
    names = [ship.tag.box for ship in chart.ships if ship.tag]
    return [*names, *(pill.box for pill in chart.pills), chart.cartouche.box]


def assert_readable(chart: Chart) -> None:
    boxes = label_boxes(chart)
    assert all(chart.chart_frame.sea.contains(box) for box in boxes)
    assert not any(one.overlap(other) for one, other in combinations(boxes, 2))


@pytest.mark.parametrize("format_", [PHONE, WIDE])
@pytest.mark.parametrize("target", [None, "Bismarck", "Prince of Wales"])
def test_the_demo_is_readable_and_complete(
    demo: Surveyed, format_: Format, target: str | None
) -> None:
    chart = lay_out(demo, format_=format_, target=target)
    assert_readable(chart)
    assert all(ship.tag for ship in chart.ships)


def crowd(ship_toml: ShipToml, count: int) -> str:
    kinds = ("Hood", "Bismarck", "Pensacola", "Ark Royal", "Prinz Eugen")
    return 'title = "A crowd"\n' + "".join(
        ship_toml(
            f"Cruiser {number}",
            (number % 8) * 3100 + (number * 733) % 900,
            (number // 8) * 3900 + (number * 419) % 1100,
            (number * 37) % 360,
            type=kinds[number % len(kinds)],
        )
        for number in range(count)
    )


@pytest.mark.parametrize("format_", [PHONE, WIDE])
def test_sixty_ships_stay_readable(
    read_table: ReadTable, ship_toml: ShipToml, format_: Format
) -> None:
    table = read_table(crowd(ship_toml, 60))
    chart = lay_out(table, format_=format_)
    assert_readable(chart)
    assert len(chart.ships) == 60
    assert chart.ships[0].tag is not None
    assert sum(ship.tag is not None for ship in chart.ships) >= 12
    assert_readable(lay_out(table, format_=format_, target="Cruiser 41"))


def test_one_ship_alone(read_table: ReadTable, ship_toml: ShipToml) -> None:
    table = read_table(ship_toml("Hood", 0, 0))
    chart = lay_out(table)
    assert_readable(chart)
    assert chart.sights == ()
    visible = [r for r in chart.rings.rings if r.radius < chart.chart_frame.format.width / 2]
    assert len(visible) >= 3
    assert "alone" in "".join(draw(table).itertext())


def test_ships_on_one_spot(read_table: ReadTable, ship_toml: ShipToml) -> None:
    table = read_table("".join(ship_toml(name, 5, 5) for name in ("Hood", "Bismarck", "Rodney")))
    assert_readable(lay_out(table))
    chart = lay_out(table, target="Rodney")
    assert_readable(chart)
    assert chart.pills[0].second == ONE_SPOT
    assert chart.pills[0].doubtful
    assert chart.rings.lit is None
    assert len(chart.shared) == 1
    words = "".join(draw(table, target="Rodney").find(f".//{SVG}g[@class='cartouche']").itertext())  # type: ignore[union-attr]
    assert ONE_SPOT in words


def test_ships_on_one_spot_are_ringed_whoever_looks(
    read_table: ReadTable, ship_toml: ShipToml
) -> None:
    table = read_table(
        ship_toml("Rodney", 9000, 9000)
        + "".join(ship_toml(name, 5, 5) for name in ("Hood", "Bismarck"))
    )
    for options in ({}, {"target": "Hood"}):
        (spot,) = lay_out(table, **options).shared
        assert spot.at == pytest.approx(marks(lay_out(table))["Hood"].at)
        assert spot.label is not None
        assert spot.label.words == ONE_SPOT
    assert lay_out(table, firer="Hood").shared[0].label is None
    assert ONE_SPOT in [pill.second for pill in lay_out(table, firer="Hood").pills]


def base_points(ship: ShipMark) -> list[tuple[float, float]]:
    """Points all over the true base."""
    turn = math.radians(ship.heading_deg)
    return [
        (
            ship.at[0] + across * math.cos(turn) + along * math.sin(turn),
            ship.at[1] + across * math.sin(turn) - along * math.cos(turn),
        )
        for across in (-ship.base_width / 2, 0.0, ship.base_width / 2)
        for along in (part * ship.base_length for part in (-0.5, -0.25, 0.0, 0.25, 0.5))
    ]


def assert_bases_are_spared(chart: Chart, ships: list[ShipMark]) -> None:
    for ship in ships:
        for x, y in base_points(ship):
            assert not any(pill.box.contains(Box(x, y, x, y)) for pill in chart.pills), ship.name


def lines_of_battle(ship_toml: ShipToml, apart: float, columns: int) -> str:
    return "".join(
        ship_toml(
            f"Cruiser {n}",
            n % columns * apart + (n * 733) % 150,
            n // columns * apart * 1.4 + (n * 419) % 200,
            (n * 37) % 360,
        )
        for n in range(20)
    )


@pytest.mark.parametrize("format_", [PHONE, WIDE])
@pytest.mark.parametrize(("apart", "columns"), [(1600, 10), (1300, 5), (800, 5)])
@pytest.mark.parametrize(("firer", "target"), [(9, 0), (1, 11), (6, 7)])
def test_in_a_crowd_those_who_matter_come_first(
    read_table: ReadTable,
    ship_toml: ShipToml,
    format_: Format,
    apart: float,
    columns: int,
    firer: int,
    target: int,
) -> None:
    table = read_table(lines_of_battle(ship_toml, apart, columns))
    chart = lay_out(table, firer=f"Cruiser {firer}", target=f"Cruiser {target}", format_=format_)
    assert_readable(chart)
    assert len(chart.pills) == 1
    involved = [ship for ship in chart.ships if ship.role]
    assert len(involved) >= 2
    assert all(ship.tag for ship in involved)
    assert_bases_are_spared(chart, involved)
    unnamed = sum(ship.tag is None for ship in chart.ships)
    said = [line.words for line in chart.cartouche.lines if "not named" in line.words]
    assert said == ([f"+{unnamed} not named"] if unnamed else [])


def test_sixty_ships_say_how_many_are_not_named(read_table: ReadTable, ship_toml: ShipToml) -> None:
    chart = lay_out(read_table(crowd(ship_toml, 60)))
    unnamed = sum(ship.tag is None for ship in chart.ships)
    assert unnamed
    assert f"+{unnamed} not named" in [line.words for line in chart.cartouche.lines]


def test_a_line_of_blockers_is_told_in_short(read_table: ReadTable, ship_toml: ShipToml) -> None:
    table = read_table("".join(ship_toml(f"Ship {n}", n * 1500, 0, 90) for n in range(6)))
    words = [line.words for line in lay_out(table, target="Ship 5").cartouche.lines]
    assert "sight blocked by Ship 1 at 1,000 yd" in words
    assert "and by 3 more" in words


GRAND_FLEETS = (
    [("Iron Duke", 0, 0, 0), ("Marlborough", 1500, 700, 10), ("König", 2500, 9000, 90)],
    [("Iron Duke", 0, 0, 90), ("Marlborough", 1500, 0, 90), ("Benbow", 3000, 100, 90)],
)


@pytest.mark.parametrize("format_", [PHONE, WIDE])
@pytest.mark.parametrize("ships", GRAND_FLEETS)
def test_four_ships_show_every_range(
    read_table: ReadTable,
    ship_toml: ShipToml,
    format_: Format,
    ships: list[tuple[str, float, float, float]],
) -> None:
    table = read_table(
        'ruleset = "grand-fleets"\n'
        + "".join(ship_toml(*ship) for ship in (*ships, ("Kaiser", 4500, -100, 90)))
    )
    for ship in ("Iron Duke", "Kaiser"):
        chart = lay_out(table, firer=ship, format_=format_)
        assert_readable(chart)
        assert len(chart.pills) == 3
        assert_bases_are_spared(chart, list(chart.ships))


@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.lists(
        st.tuples(st.integers(0, 25_000), st.integers(0, 25_000), st.integers(0, 359)),
        min_size=2,
        max_size=9,
    )
)
def test_up_to_eight_targets_show_every_range(
    read_table: ReadTable, ship_toml: ShipToml, places: list[tuple[int, int, int]]
) -> None:
    table = read_table("".join(ship_toml(f"Ship {n}", *place) for n, place in enumerate(places)))
    chart = lay_out(table)
    assert_readable(chart)
    assert len(chart.pills) == len(places) - 1
    assert_bases_are_spared(chart, list(chart.ships))


@pytest.mark.parametrize("yards", [30, 20_000, 500_000, 1_000_000])
@pytest.mark.parametrize("format_", [PHONE, WIDE])
def test_the_scale_bar_stays_inside_its_frame(
    read_table: ReadTable, ship_toml: ShipToml, yards: float, format_: Format
) -> None:
    table = read_table('title = "x"\n' + ship_toml("Hood", 0, 0) + ship_toml("Rodney", yards, 0))
    chart = lay_out(table, format_=format_)
    unit = chart.chart_frame.unit
    frame = chart.cartouche.box.grown(-8 * unit)
    for label in chart.cartouche.bar.labels:
        half = label_width(label.words, Face.SANS, 12 * unit) / 2
        assert frame.left <= label.x - half
        assert label.x + half <= frame.right


def test_a_million_yards_apart(read_table: ReadTable, ship_toml: ShipToml) -> None:
    table = read_table(
        ship_toml("Hood", -1_000_000, -1_000_000) + ship_toml("Bismarck", 1_000_000, 1_000_000, 200)
    )
    chart = lay_out(table)
    assert_readable(chart)
    hood = marks(chart)["Hood"]
    assert hood.is_enlarged
    assert hood.base_length < 1
    assert hood.length > 40
    assert "1e" not in " ".join(label.words for label in chart.cartouche.bar.labels)


def test_far_smoke_does_not_shrink_the_ships(read_table: ReadTable, ship_toml: ShipToml) -> None:
    ships = ship_toml("Hood", 0, 0) + ship_toml("Bismarck", 9000, 9000)
    front = "[[smoke]]\nx1 = {0}\ny1 = 900\nx2 = {1}\ny2 = 1000\n"
    near = lay_out(read_table(ships + front.format(1000, 2000)))
    far = lay_out(read_table(ships + front.format(-900_000, 900_000)))
    assert far.chart_frame.px_per_yard > near.chart_frame.px_per_yard / 2
    many = "".join(front.format(n * 100, n * 100 + 500) for n in range(80))
    assert len(lay_out(read_table(ships + many)).smoke) == 80
    # A picture needs a layer for every group that is not opaque: two hundred took twelve seconds.
    smoke = with_class(draw(read_table(ships + many)), "smoke")
    assert sum(each.get("opacity") is not None for group in smoke for each in group.iter()) == 1


def test_hostile_names_stay_text(read_table: ReadTable, ship_toml: ShipToml) -> None:
    name = '<script>alert("x")</script>&amp; ' + "very " * 8
    name = name.strip()
    table = read_table(
        f"title = {name[:40]!r}\n" + ship_toml(name, 0, 0) + ship_toml("Ω 定遠", 9, 9000)
    )
    for options in ({}, {"target": "Ω 定遠"}):
        root = draw(table, **options)
        assert not list(root.iter(f"{SVG}script"))
        assert name in [vessel.get("data-ship") for vessel in with_class(root, "vessel")]
    chart = lay_out(table)
    assert_readable(chart)
    tag = marks(chart)[name].tag
    assert tag is not None
    assert tag.text.words.endswith("…")


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.lists(
        st.tuples(st.integers(0, 40_000), st.integers(0, 40_000), st.integers(0, 359)),
        min_size=1,
        max_size=9,
    ),
    st.sampled_from(["bismarck-advanced", "grand-fleets"]),
    st.booleans(),
)
def test_no_table_prints_labels_over_each_other(
    read_table: ReadTable,
    ship_toml: ShipToml,
    places: list[tuple[int, int, int]],
    ruleset: str,
    pair: bool,
) -> None:
    table = read_table(
        f'ruleset = "{ruleset}"\n'
        + "".join(ship_toml(f"Ship {n}", *place) for n, place in enumerate(places))
    )
    target = "Ship 1" if pair and len(places) > 1 else None
    chart = lay_out(table, target=target)
    assert_readable(chart)
    if target:
        assert len(chart.pills) == 1


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_file_carries_its_own_colours(demo: Surveyed, theme: FileTheme) -> None:
    svg = draw_chart(demo.scene, demo.result, theme=theme)
    assert "var(" not in svg
    assert colours(theme)["t1"] in svg
    assert " style=" not in svg
    assert "<style" not in svg


def test_it_can_be_heard(demo: Surveyed) -> None:
    root = draw(demo, firer="Hood", target="Bismarck")
    title, desc = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None
    assert title.text == "Denmark Strait · BISMARCK, Advanced Game"
    assert desc is not None
    assert desc.text == (
        "Hood to Bismarck: 17,947 ± 22 yd, long low, bow quadrant, showing her port side, "
        "sight clear."
    )


def test_both_themes_name_the_same_colours() -> None:
    assert colours("light").keys() == colours("dark").keys() == colours("page").keys()
    assert sum(colours("light")[key] != colours("dark")[key] for key in colours("dark")) > 20


@pytest.mark.parametrize(
    ("yards", "step"), [(1, 1), (999, 500), (1000, 1000), (0.3, 0.2), (7e6, 5e6)]
)
def test_steps_are_round(yards: float, step: float) -> None:
    assert round_step(yards) == pytest.approx(step)


def test_text_is_measured_by_the_fonts_themselves() -> None:
    assert label_width("iii", Face.SANS, 10) < label_width("mmm", Face.SANS, 10)
    assert label_width("Köln", Face.SERIF_ITALIC, 20) == pytest.approx(
        label_width("Koln", Face.SERIF_ITALIC, 20), rel=0.05
    )
    short = cut("Prince of Wales", Face.SERIF_ITALIC, 20, 60)
    assert short.endswith("…")
    assert label_width(short, Face.SERIF_ITALIC, 20) <= 60
