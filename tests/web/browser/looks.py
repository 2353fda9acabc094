"""How pages are looked at: on every screen and in both themes, with a ruler and with axe.

A page is loaded once and then seen at several sizes and in both themes, as it is when a phone is
turned or evening comes; loading is what takes the time. `make test` looks at every page on a phone
by night, `make soak` on all other screens and by day.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

Size = tuple[int, int]
Scheme = Literal["dark", "light"]
PHONE, SHORT, TABLET, LAPTOP = (390, 844), (390, 660), (820, 1180), (1280, 800)
SCHEMES: tuple[Scheme, ...] = ("dark", "light")


@dataclass(frozen=True, slots=True)
class Looks:
    """The screens that a page is measured on, and those that axe sees, each in one theme.

    Sizes change what is seen and themes change its colours; axe, which is slow, sees every page
    at two sizes and in both themes, but not in all four pairs.
    """

    sizes: tuple[Size, ...]
    themes: tuple[tuple[Size, Scheme], ...]


every_look = pytest.mark.parametrize(
    "looks",
    [
        pytest.param(Looks((PHONE, SHORT), ((PHONE, "dark"),)), id="phone"),
        pytest.param(
            Looks((TABLET, LAPTOP), ((LAPTOP, "light"),)), id="others", marks=pytest.mark.soak
        ),
    ],
)
SCREENS = {"phone": PHONE, "laptop": LAPTOP}
every_screen = [pytest.param("phone"), pytest.param("laptop", marks=pytest.mark.soak)]
FINGER_PX = 43.5
"""A finger hits what is 44 pixels high and wide; half a pixel of height may be lost to rounding."""

QUIET = """async ({ quiet, most }) => {
  await document.fonts.ready;
  await new Promise((done) => {
    const begun = performance.now();
    let last = begun;
    const watch = new MutationObserver(() => { last = performance.now(); });
    watch.observe(document, { subtree: true, childList: true, attributes: true });
    const look = () => {
      const now = performance.now();
      if (now - last < quiet && now - begun < most) { setTimeout(look, 15); return; }
      watch.disconnect();
      done();
    };
    look();
  });
  // A colour that is inherited passes from one element to the next, a frame for each.
  for (let still = 0, frame = 0; still < 3 && frame < 90; frame += 1) {
    await new Promise(requestAnimationFrame);
    const moving = document.getAnimations().some((each) =>
      each.playState !== "finished" && each.effect.getComputedTiming().endTime < 900);
    still = moving ? 0 : still + 1;
  }
}"""
SMALL = """({ controls, but, finger, width }) => [...document.querySelectorAll(controls)]
  .filter((each) => each.checkVisibility() && !each.matches(but ? `.term, ${but}` : ".term"))
  .map((each) => [each.outerHTML.slice(0, 120), each.getBoundingClientRect()])
  .filter(([, box]) => (width && box.width < 44) || box.height < finger)
  .map(([html, box]) => `${html} ${box.width}x${box.height}`)"""


def quiet(page: Page, ms: int = 100, most_ms: int = 1000) -> None:
    """Wait until nothing has changed in the page for a moment and all that moved has arrived."""
    page.evaluate(QUIET, {"quiet": ms, "most": most_ms})


def at_sizes(page: Page, sizes: Iterable[Size]) -> Iterator[Size]:
    """The page that is open, at each of these sizes."""
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        quiet(page)
        yield width, height


def in_themes(page: Page, looks: Looks) -> Iterator[tuple[Scheme, Size]]:
    """The page that is open, on each screen in its theme."""
    for size, scheme in looks.themes:
        page.emulate_media(color_scheme=scheme)
        yield from ((scheme, each) for each in at_sizes(page, (size,)))


def too_wide_px(page: Page) -> int:
    """How far the page runs out of the screen."""
    return int(page.evaluate("Math.max(0, document.documentElement.scrollWidth - innerWidth)"))


def too_small(page: Page, controls: str, *, but: str = "", width: bool = True) -> list[str]:
    """The visible controls that a finger would miss, by their height and if asked their width.

    A term that is explained is a word within a sentence, as high as its line.
    """
    what = {"controls": controls, "but": but, "finger": FINGER_PX, "width": width}
    found: list[str] = page.evaluate(SMALL, what)
    return found


def axe_faults(
    page: Page, within: str | None = None, *, all_of_them: bool = False
) -> list[tuple[str, list[str]]]:
    """What axe finds seriously wrong with the page, or with a part of it; or wrong at all."""
    axe = Axe()
    if page.evaluate("typeof axe === 'object'"):
        # The page still has the script from the look before; bringing it in takes half the time.
        axe.axe_script = "0"
    context = None if within is None else {"include": [[within]]}
    return [
        (
            fault["id"],
            [f"{node['html'][:160]} {node['failureSummary']}" for node in fault["nodes"]][:4],
        )
        for fault in axe.run(page, context).response["violations"]
        if all_of_them or fault["impact"] in ("serious", "critical")
    ]


class Screen:
    """A device that a module's tests share: one window, emptied and forgetful between them.

    A new window is a new process, which takes longer than most tests do.
    """

    def __init__(self, browser: Browser, **context: Any) -> None:
        self.context: BrowserContext = browser.new_context(**context)
        self._size, self._scheme = context.get("viewport"), context.get("color_scheme")
        self._page = self.context.new_page()
        self._complaints: list[str] = []
        self._page.on("pageerror", lambda error: self._complaints.append(str(error)))

    @contextmanager
    def page(self, *, console: bool = False) -> Iterator[Page]:
        """The empty window; at the end, what its pages complained of is held against them."""
        page = self._page

        def hear(message: ConsoleMessage) -> None:
            self._complaints.append(f"{message.text} ({message.location['url']})")

        self._complaints.clear()
        if self._size:
            # The test before may have looked at its pages in other sizes and colours.
            page.set_viewport_size(self._size)
            page.emulate_media(color_scheme=self._scheme or "null")
        if console:
            page.on("console", hear)
        yield page
        if console:
            page.remove_listener("console", hear)
        # A test that failed may have left a button down.
        page.mouse.up()
        page.evaluate("localStorage.clear()")
        page.goto("about:blank")
        assert self._complaints == [], self._complaints


class Screens:
    """Devices by name, each opened when it is asked for first."""

    def __init__(self, open_: Callable[[str], Screen]) -> None:
        self._open = open_
        self._screens: dict[str, Screen] = {}

    def __getitem__(self, name: str) -> Screen:
        if name not in self._screens:
            self._screens[name] = self._open(name)
        return self._screens[name]

    def close(self) -> None:
        """Close those that are open."""
        for screen in self._screens.values():
            screen.context.close()


@contextmanager
def hosts_screens(browser: Browser, address: str, **context: Any) -> Iterator[Screens]:
    """The screens of a table's host: phones by day, laptops by night."""

    def open_(name: str) -> Screen:
        width, height = SCREENS[name]
        screen = Screen(
            browser,
            base_url=address,
            viewport={"width": width, "height": height},
            color_scheme="light" if width < 500 else "dark",
            has_touch=width < 500,
            **context,
        )
        # The machine's own user is the host from the first visit on.
        with screen.page() as page:
            page.goto("/")
        return screen

    screens = Screens(open_)
    yield screens
    screens.close()
