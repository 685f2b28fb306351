"""Draws the picture of the README: a conversation with the flow that stands there, and its why-not."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

from turnwise.api.open import open_sync
from turnwise.authoring.document import read_document
from turnwise.cli.chat import TerminalTalk

PICTURE = Path("docs/images/demo.svg")
LINES = ("I'm Ada, forty-five", "/why", "yes, I agree")
_FONTS = re.compile(r"\s*@font-face \{.*?\}", re.DOTALL)


def main() -> int:
    """Play the lines and write the picture."""
    text = re.findall(r"```yaml\n(.*?)```", Path("README.md").read_text("utf-8"), re.DOTALL)[0]
    flow, _ = read_document(text, "intake.flow.yaml")
    console = Console(record=True, width=118, force_terminal=True, color_system="truecolor", file=io.StringIO())
    console.print(Text("$ turnwise chat intake.flow.yaml", style="dim"))
    with open_sync(flow) as app:
        talk = TerminalTalk(app.chat("demo"), console, debug=False)
        talk.run(_typed(console))
    svg = console.export_svg(title="turnwise", theme=MONOKAI, unique_id="turnwise")
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    PICTURE.write_text(_FONTS.sub("", svg).replace("Fira Code", "ui-monospace"), "utf-8")
    print(f"wrote {PICTURE}")
    return 0


def _typed(console: Console):  # noqa: ANN202  an iterator of lines
    for line in LINES:
        console.print(Text(f"\nyou › {line}", style="bold"))
        yield line


if __name__ == "__main__":
    sys.exit(main())
