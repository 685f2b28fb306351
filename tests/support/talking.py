"""A conversation of the studio, as a person uses it."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

Open = Callable[..., Page]
"""Opens an address of the studio in a profile of its own."""


def write(page: Page, text: str) -> None:
    """Write a message into the chat widget, and send it."""
    field = page.get_by_role("textbox", name="Write a message")
    field.fill(text)
    field.press("Enter")


def loaded(part: Locator) -> Locator:
    """Wait until nothing in a part of the page is loading or is the content of the position before; return the part."""
    expect(part).to_be_attached()
    expect(part.locator(".loading, [aria-busy=true]")).to_have_count(0)
    return part


def settled(page: Page) -> Page:
    """Wait until everything on a page is loaded; return the page."""
    expect(page.locator("h1").first).to_be_attached()
    loaded(page.locator("body"))
    return page


def placed(page: Page) -> Locator:
    """Wait until the drawing of a flow is there and has been moved to its first view; return the drawing."""
    unplaced = re.compile(r"translate\(0px, 0px\) scale\(1\)")
    expect(page.locator(".gview")).not_to_have_attribute("style", unplaced)
    return page.locator(".gcan")


def clipboard(page: Page) -> str:
    """Wait until the page announces that it has copied, and return what is on the clipboard."""
    expect(page.get_by_role("status").filter(has_text="Copied")).to_have_count(1)
    return page.evaluate("navigator.clipboard.readText()")


class Talk:
    """The page of one conversation."""

    def __init__(self, page: Page) -> None:
        self.page = page

    @property
    def panel(self) -> Locator:
        """The debug panel."""
        return self.page.get_by_role("region", name="Debug panel")

    @property
    def transcript(self) -> Locator:
        """The messages and decisions."""
        return self.page.get_by_role("log", name="Transcript")

    @property
    def field(self) -> Locator:
        """The field to write in."""
        return self.page.get_by_role("textbox", name="Message as the user")

    @property
    def position(self) -> Locator:
        """The position in words, under the transcript."""
        return self.page.locator(".pos")

    def turn(self, number: int) -> Locator:
        """A turn of the transcript."""
        return self.page.locator(f'[data-turn="{number}"]')

    def card(self, transition: str) -> Locator:
        """The card of a candidate."""
        return self.panel.locator(f'[data-candidate="{transition}"]')

    def section(self, title: str) -> Locator:
        """A part of the panel that folds."""
        return self.panel.locator("details.sect").filter(has=self.page.get_by_role("heading", name=title, exact=True))

    def unfold(self, title: str) -> Locator:
        """Open a part of the panel, and return it."""
        section = self.section(title)
        expect(section).to_be_visible()
        if section.get_attribute("open") is None:
            section.locator("summary").first.click()
        return section

    def say(self, text: str, turn: int) -> Locator:
        """Send a message, and wait until its turn is there; return the turn."""
        self.send(text)
        return self.rests(turn)

    def send(self, text: str) -> None:
        """Send a message. While another turn is on its way, it waits for the reply."""
        self.field.fill(text)
        self.field.press("Enter")
        expect(self.field).to_have_value("")

    def press(self, label: str, turn: int) -> Locator:
        """Press a button of the open question, and wait until its turn is there; return the turn."""
        self.transcript.get_by_role("button", name=label).and_(self.page.locator(":enabled")).last.click()
        return self.rests(turn)

    def at(self, place: str) -> Locator:
        """Wait until the position is on a place such as `turn 3 of 8`, and the panel shows it; return the panel."""
        expect(self.position).to_contain_text(place)
        return loaded(self.panel)

    def rests(self, turn: int) -> Locator:
        """Wait until a turn is the last one, is done, and the position is on it."""
        expect(self.position).to_contain_text(f"turn {turn} of {turn}")
        expect(self.page.get_by_role("region", name="The message that is being sent")).to_have_count(0)
        expect(self.transcript).to_have_attribute("aria-busy", "false")
        return self.turn(turn)
