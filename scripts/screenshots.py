"""Takes the pictures of the documents: pages of the demonstration in Chromium, in light and dark.

python scripts/screenshots.py [NAME…]     after `make studio`; needs the packages of the tests; without a name, all
"""

from __future__ import annotations

import re
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

FOLDER = Path("docs/images")
WIDE = (1440, 900)
LARGE = (1760, 1000)
"""Room for a whole drawing beside the panel."""
PHONE = (390, 844)
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
PICTURES: tuple[tuple[str, str, tuple[int, int], str], ...] = (
    ("studio-light", "/c/maria?turn=4", WIDE, "light"),
    ("studio-dark", "/c/maria?turn=4", WIDE, "dark"),
    ("studio-form-light", "/c/case-1039?turn=3", WIDE, "light"),
    ("studio-form-dark", "/c/case-1039?turn=3", WIDE, "dark"),
    ("studio-graph", "/c/maria?turn=4&view=graph", LARGE, "light"),
    ("studio-ask", "/c/maria?turn=3&tab=ask&ask=transition+corrected", WIDE, "light"),
    ("studio-code", "/c/nora", WIDE, "dark"),
    ("studio-person", "/c/greta", WIDE, "light"),
    ("studio-flow", "/f/health_intake", LARGE, "light"),
    ("studio-phone", "/c/case-1042", PHONE, "light"),
)
"""Name, address, size and theme of each picture."""
SCOPES = ("studio-scopes", "/c/max", WIDE, "light")
"""The picture of inner conversations, of which the demonstration has none."""
TUTOR = "tests/flows/tutor.flow.yaml"
SAID = ("Max", "I want to give feedback", "good", "voice messages", "I need a short quiz")
"""What is said to the tutor before that picture is taken."""
PRESSED = {"studio-person": ("Take over", "Continue as Lena")}
"""The buttons that are pressed before a picture is taken."""


SETTLED = """() => !document.querySelector('.loading')
    && (!/[?&]view=graph|[/]f[/]/.test(location.href) || document.querySelector('.gpart, .gn, .srcview, .cm-editor'))"""
"""Whether nothing is loading, and what the address asks for is drawn."""


def main(wanted: list[str]) -> int:
    """Serve the demonstration and write the wanted pictures, or all."""
    chromium = subprocess.run(
        ["/bin/sh", "scripts/browser.sh"], capture_output=True, text=True, check=True
    ).stdout.strip()
    with served("demo", "--no-browser") as address, served("serve", TUTOR) as tutor, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        if not wanted or SCOPES[0] in wanted:
            talk(browser, tutor)
            take(browser, tutor + SCOPES[1], FOLDER / f"{SCOPES[0]}.png", *SCOPES[2:])
        for name, path, size, theme in PICTURES:
            if wanted and name not in wanted:
                continue
            take(browser, address + path, FOLDER / f"{name}.png", size, theme)
        browser.close()
    return 0


@contextmanager
def served(*arguments: str) -> Iterator[str]:
    """Run a command that serves; yield its address."""
    command = [Path(sys.executable).parent / "turnwise", *arguments, "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        found = next(match for line in process.stdout if (match := re.search(r"http://[^\s/]+", line)))
        try:
            yield found[0]
        finally:
            process.terminate()


def talk(browser: Browser, tutor: str) -> None:
    """Say to the tutor what the picture of inner conversations shows."""
    context = browser.new_context()
    context.request.post(f"{tutor}/api/conversations", data={"flow": "tutor", "name": "max"})
    for text in SAID:
        context.request.post(f"{tutor}/api/conversations/max/turns", data={"text": text})
    context.close()


def take(browser: Browser, address: str, file: Path, size: tuple[int, int], theme: str) -> None:
    """Write the picture of a page once everything that it loads is there."""
    options = {"viewport": {"width": size[0], "height": size[1]}, "color_scheme": theme, "reduced_motion": "reduce"}
    context = browser.new_context(**options)
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector("main")
    for button in PRESSED.get(file.stem, ()):
        page.get_by_role("button", name=button, exact=True).first.click()
    page.wait_for_function(SETTLED, timeout=60_000)
    page.wait_for_timeout(2500)  # no event says that the drawing has come to rest
    page.screenshot(path=file)
    context.close()
    print(f"wrote {file}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
