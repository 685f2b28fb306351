"""Writes the reference of the flow format from the table of shapes; a test keeps it up to date."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from turnwise.flow import shape as s
from turnwise.flow.codes import CODES
from turnwise.flow.shapes import SHAPES

FLOW_FORMAT = Path("docs/reference/flow-format.md")
DIAGNOSTICS = Path("docs/reference/diagnostics.md")


def flow_format() -> str:
    """The page about every key of every object."""
    lines = [
        "# The flow format",
        "",
        "Every key of every object in a flow document, made from the code by `scripts/reference.py`. A key that is in",
        "**bold** must be there. Time spans are written with their unit: `90s`, `30m`, `2h`, `3d`, `2w`.",
    ]
    for name, shape in SHAPES.items():
        lines += ["", f"## {name}", "", f"{shape.title.capitalize()}.", "", "| key | takes | |", "|---|---|---|"]
        lines += [f"| {_bold(key)} | {_kind(key.kind)} | {key.about} |".replace("||", "\\|\\|") for key in shape.keys]
    return "\n".join(lines) + "\n"


def diagnostics() -> str:
    """The page about every code."""
    lines = [
        "# Diagnostics",
        "",
        "Every code that `turnwise check` can report, made from the code by `scripts/reference.py`.",
        "",
        "| code | severity | about |",
        "|---|---|---|",
    ]
    lines += [f"| {name} | {code.severity} | {code.about} |" for name, code in CODES.items()]
    return "\n".join(lines) + "\n"


def pages() -> Iterator[tuple[Path, str]]:
    """Each page and what stands in it."""
    yield FLOW_FORMAT, flow_format()
    yield DIAGNOSTICS, diagnostics()


def _bold(key: s.Key) -> str:
    return f"**`{key.name}`**" if key.required else f"`{key.name}`"


def _kind(kind: s.Kind) -> str:
    match kind:
        case s.OneOf(words):
            return " or ".join(f"`{word}`" for word in words if word)
        case s.Many(of, single):
            return f"a list: {_kind(of)}" + (", or one of them" if single else "")
        case s.Table(of):
            return f"a mapping to {_kind(of)}"
        case s.Named(name):
            return f"names, each with [{name}](#{name.lower()})"
        case s.Part(name):
            return f"[{name}](#{name.lower()})"
        case s.Integer(least):
            return f"a whole number from {least}"
        case _:
            return _PLAIN[type(kind)]


_PLAIN = {
    s.Text: "text",
    s.Name: "a name",
    s.Bound: "a number, date or time",
    s.Flag: "true or false",
    s.Duration: "a time span",
    s.When: "a guard, or condition objects",
    s.Anything: "any value",
}


def main() -> int:
    """Write the pages."""
    for path, text in pages():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        print(f"wrote {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
