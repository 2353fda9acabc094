"""The report on a scenario's fairness as words, as plots, and as a file by itself."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jinja2 import Environment, PackageLoader
from markupsafe import Markup

from combat.balance.report import Part, Report, Share, ShipReport
from combat.sides import Sides
from web.drawing.balance_plot import draw_sweep, draw_wins
from web.drawing.svg import inline_svg, svg_file
from web.sides import side_name
from web.strings import figure, text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from combat.participants import Side

_PLOTS_IN_FILE = "light"


@dataclass(frozen=True, slots=True)
class ShipLine:
    """A ship in the table of ships."""

    ship: str
    side: str
    sunk: str
    lost: str
    decides: str
    """How many points of a hundred her survival is worth; a dash with too few cases."""


@dataclass(frozen=True, slots=True)
class PartView:
    """The battles with one value, in words and pictures."""

    title: str
    """Empty where nothing is varied."""
    plot: Markup
    said: tuple[str, ...]
    ships: tuple[ShipLine, ...]


@dataclass(frozen=True, slots=True)
class BalanceView:
    """A report for a page."""

    heading: str
    verdict: str
    curve: Markup | None
    parts: tuple[PartView, ...]


def balance_view(report: Report, sides: Sides, *, in_page: bool = True) -> BalanceView:
    """A report in words, with its plots for a page or for a file."""

    def drawn(drawing: object) -> Markup:
        if in_page:
            return inline_svg(drawing)  # type: ignore[arg-type]
        return Markup(svg_file(drawing, _PLOTS_IN_FILE))  # type: ignore[arg-type]  # noqa: S704

    curve = None
    if report.varied is not None and report.parts:
        axis = str(text(f"balance.axis.{report.varied}"))
        spoken = str(text("balance.curve_spoken", axis=axis))
        curve = drawn(draw_sweep(report.parts, sides, axis, spoken))
    return BalanceView(
        heading=str(
            text("balance.heading", scenario=report.scenario, n=report.fought, seed=report.seed)
        ),
        verdict=_verdict(report, sides),
        curve=curve,
        parts=tuple(
            PartView(
                title=""
                if part.value is None
                else str(
                    text(
                        f"balance.varied.{report.varied}",
                        value=figure(part.value, ",g"),
                        n=part.battles,
                    )
                ),
                plot=drawn(draw_wins(part, sides, str(text("balance.wins_spoken")))),
                said=said_of(part, sides),
                ships=tuple(_ship_line(ship, sides) for ship in part.ships),
            )
            for part in report.parts
        ),
    )


def said_of(part: Part, sides: Sides) -> tuple[str, ...]:
    """The battles of a part in sentences: each side, draws, lengths."""
    low, high = part.rounds_tenths
    return (
        *(
            str(
                text(
                    "balance.side",
                    side=side_name(sides[side.side]),
                    captain=text(f"captain.temperament.{side.captain}"),
                    share=share_words(side.win_share),
                    wins=side.wins,
                    beaten=side.beaten,
                    lost=figure(side.lost, ".0%"),
                )
            )
            for side in part.sides
        ),
        str(text("balance.draws", n=part.draws)),
        str(
            text(
                "balance.length",
                median=figure(part.rounds_median, ".0f"),
                low=figure(low, ".0f"),
                high=figure(high, ".0f"),
            )
        ),
    )


def share_words(share: Share) -> str:
    """A share with its interval."""
    return str(
        text(
            "balance.share",
            share=figure(share.share, ".0%"),
            low=figure(share.low, ".0%"),
            high=figure(share.high, ".0%"),
        )
    )


def balance_page(report: Report, sides: Sides) -> str:
    """A report as an HTML file that needs nothing else."""
    environment = Environment(
        loader=PackageLoader("web", "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["t"] = text
    view = balance_view(report, sides, in_page=False)
    return environment.get_template("balance/file.html").render(view=view)


def _ship_line(ship: ShipReport, sides: Sides) -> ShipLine:
    return ShipLine(
        ship=ship.ship,
        side=side_name(sides[ship.side]),
        sunk=share_words(ship.sunk),
        lost=figure(ship.lost, ".0%"),
        decides="–" if ship.decides is None else figure(ship.decides * 100, "+.0f"),
    )


def _verdict(report: Report, sides: Sides) -> str:
    """Whether the battles show that a side is favoured, as far as one sentence can say it."""
    if report.varied is not None or not report.parts:
        return ""
    ahead: Mapping[str, Side] = {
        side.side: sides[side.side] for side in report.parts[0].sides if side.win_share.low > 0.5
    }
    if not ahead:
        return str(text("balance.verdict.fair"))
    names = ", ".join(side_name(side) for side in ahead.values())
    return str(text("balance.verdict.favours", side=names))
