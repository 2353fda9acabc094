"""The people around the table in browser tests: a host and players, each in their own browser."""

import re
from dataclasses import dataclass

from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.web.browser.looks import LAPTOP, PHONE, Scheme, Size
from tests.web.browser.served import PATIENCE_MS, Server


@dataclass
class People:
    """Opens browsers, and looks after what their consoles say."""

    browser: Browser
    server: Server
    complaints: list[str]
    contexts: list[BrowserContext]

    def context(self, size: Size = PHONE, scheme: Scheme = "dark") -> BrowserContext:
        context = self.browser.new_context(
            base_url=self.server.address,
            viewport={"width": size[0], "height": size[1]},
            color_scheme=scheme,
            has_touch=size[0] < 500,
            reduced_motion="reduce",
        )
        context.set_default_timeout(PATIENCE_MS)
        self.contexts.append(context)
        return context

    def watch(self, page: Page) -> Page:
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on(
            "console",
            lambda message: (
                self.complaints.append(message.text)
                if "Content Security Policy" in message.text
                else None
            ),
        )
        return page

    def host(self, size: Size = LAPTOP, scheme: Scheme = "dark") -> Page:
        page = self.watch(self.context(size, scheme).new_page())
        page.goto("/")
        expect(page).to_have_url(re.compile("/host$"))
        return page

    def player(self, name: str, place: str, size: Size = PHONE) -> Page:
        page = self.watch(self.context(size).new_page())
        page.goto(f"/join?code={self.server.code}")
        fill_in(page, name, place)
        # Whoever joins during a battle comes to it.
        expect(page).to_have_url(re.compile("/(table|battle)$"))
        return page


def fill_in(page: Page, name: str, place: str, pin: str = "4711") -> None:
    page.get_by_label("Your name").fill(name)
    page.get_by_role("radio", name=re.compile(place)).check(force=True)
    page.get_by_label("PIN").click()
    page.keyboard.type(pin)
    page.get_by_role("button", name=re.compile("Join|Watch")).click()


def pick(page: Page, name: str) -> None:
    page.locator(f'#roster [data-pick="{name}"]').click()
