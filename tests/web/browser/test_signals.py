"""Sound and vibration: nothing before a touch, each with the switch of its browser."""

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

EARS = """
window.heard = { voices: 0, pulses: [] };
for (const type of [OscillatorNode, AudioBufferSourceNode]) {
  const { start } = type.prototype;
  type.prototype.start = function (...when) { heard.voices += 1; start.apply(this, when); };
}
navigator.vibrate = (pulses) => { heard.pulses.push(pulses); return true; };
"""
GIVE = """async () => {
  const shell = document.querySelector("script[src*='/shell.js']").src;
  const { signal } = await import(shell.replace("shell.js", "signals.js"));
  signal("hit");
  await new Promise((done) => setTimeout(done, 50));
  return heard;
}"""


def test_signals_wait_for_a_touch_and_heed_their_switches(page: Page) -> None:
    page.add_init_script(EARS)
    page.goto("/table")
    assert page.evaluate(GIVE) == {"voices": 0, "pulses": []}

    page.get_by_role("button", name="Menu").click()
    sound, vibration = (page.get_by_role("switch", name=name) for name in ("Sound", "Vibration"))
    expect(sound).to_have_attribute("aria-checked", "true")
    expect(vibration).to_have_attribute("aria-checked", "true")
    heard = page.evaluate(GIVE)
    assert heard["voices"] > 0
    assert len(heard["pulses"]) == 1

    sound.click()
    vibration.click()
    # The switches stay in this browser, on every page of it.
    page.goto("/ships")
    page.get_by_role("button", name="Menu").click()
    expect(sound).to_have_attribute("aria-checked", "false")
    expect(vibration).to_have_attribute("aria-checked", "false")
    assert page.evaluate(GIVE) == {"voices": 0, "pulses": []}
    # Whoever turns it on hears what it is.
    sound.click()
    assert page.evaluate("heard.voices") > 0


def test_little_motion_means_no_vibration_until_it_is_asked_for(page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.add_init_script(EARS)
    page.goto("/table")
    page.get_by_role("button", name="Menu").click()
    vibration = page.get_by_role("switch", name="Vibration")
    expect(vibration).to_have_attribute("aria-checked", "false")
    assert page.evaluate(GIVE)["pulses"] == []
    vibration.click()
    expect(vibration).to_have_attribute("aria-checked", "true")
    assert len(page.evaluate(GIVE)["pulses"]) == 2
