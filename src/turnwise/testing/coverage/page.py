"""Writes an HTML page for each flow: its source, with the missing parts below each line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path

from turnwise.api.output import put_text, reporting_write_errors
from turnwise.errors import CannotWrite
from turnwise.testing.coverage.report import (
    NOTHING_COUNTED,
    Missing,
    missing_parts,
    percent_text,
    score,
    shown_path,
    total,
)
from turnwise.testing.coverage.seen import FlowSeen

_INDEX = "index.html"
_LONGEST = 80


def make_folder(folder: Path) -> None:
    """Make the folder for the pages. Raises `CannotWrite` if it cannot be made, or has the name of a page."""
    with reporting_write_errors(folder):
        if folder.suffix == ".html" and not folder.is_dir():
            raise CannotWrite(folder, "this is the name of a page, and pages go into a folder; name one")
        folder.mkdir(parents=True, exist_ok=True)


def write_pages(flows: Iterable[FlowSeen], folder: Path) -> list[Path]:
    """Write a page for each flow into a folder, and an index of several; return the paths of the files.

    The folder is made. Raises `CannotWrite`.
    """
    make_folder(folder)
    named: dict[str, FlowSeen] = {}
    for flow in flows:
        named[f"{_free_name(flow, named)}.html"] = flow
    pages = {name: page(flow, is_one_of_several=len(named) > 1) for name, flow in named.items()}
    if len(pages) != 1:
        pages[_INDEX] = index(named)
    for name, text in pages.items():
        put_text(folder / name, text)
    return [folder / name for name in pages]


def _free_name(flow: FlowSeen, taken: Iterable[str]) -> str:
    """A name for the page of a flow that no other page has; `index` is for the index."""
    stem = Path(flow.file).name.partition(".")[0] if flow.file else flow.name
    name = re.sub(r"[^\w-]+", "_", stem)[:_LONGEST] or "flow"
    used = {_INDEX, *taken}
    numbered = (f"{name}{number if number > 1 else ''}" for number in range(1, len(used) + 2))
    return next(one for one in numbered if f"{one}.html" not in used)


def index(flows: dict[str, FlowSeen]) -> str:
    """Return the HTML of the page that links to the pages of the flows, keyed by file name."""
    if not flows:
        return _document("Coverage", "", f"<h1>Coverage</h1><p>{NOTHING_COUNTED}.</p>")
    items = [
        f'<li><h2><a href="{escape(file)}">{escape(flow.name)}</a></h2>{_path(flow)}{_score(flow)}</li>'
        for file, flow in flows.items()
    ]
    share = percent_text(total(flows.values()))
    head = f"<h1>Coverage: {share}</h1><p>{len(flows)} flows</p>"
    return _document(f"{share} coverage", "", f'{head}<ul class="flows" role="list">{"".join(items)}</ul>')


def page(flow: FlowSeen, *, is_one_of_several: bool = False) -> str:
    """Return the HTML of the page of a flow, with a link to the index if it `is_one_of_several`."""
    found, path = missing_parts(flow), Path(flow.file)
    head = f"{len(found)} missing" if found else "Nothing is missing"
    source = path.read_text("utf-8", "replace").splitlines() if flow.file and path.is_file() else []
    body = [
        f"<h1>Coverage of {escape(flow.name)}</h1>{_path(flow)}",
        _score(flow),
        f'<section aria-labelledby="missing"><h2 id="missing">{head}</h2>',
        _table(found),
        '</section><section aria-labelledby="source"><h2 id="source">Source</h2>',
        *(_listing(flow, source, found) if source else [_NO_SOURCE]),
        "</section>",
    ]
    nav = f'<nav><a href="{_INDEX}">all flows</a></nav>' if is_one_of_several else ""
    return _document(f"{percent_text(score(flow).all)} {flow.name} – coverage", nav, "\n".join(body))


_NO_SOURCE = "<p>This flow is in no file that can be read here.</p>"
_GO = """\
<p>✓ all of the line was seen. ✗ something was not, and stands below it.</p>
<div class="go">
<button type="button" value="-1">previous ✗ <kbd>p</kbd></button>
<button type="button" value="1">next ✗ <kbd>n</kbd></button></div>"""


def _path(flow: FlowSeen) -> str:
    return f'<p class="path">{escape(shown_path(flow.title))}</p>'


def _score(flow: FlowSeen) -> str:
    """Return the coverage figures as HTML: the total, and one for each kind."""
    found = score(flow)
    parts = {"all": found.all, "nodes": found.nodes, "transitions": found.transitions, "leaves of guards": found.leaves}
    parts |= {"outcomes of scopes": found.outcomes} if flow.outcomes else {}
    parts |= {"schedules, events, overlays": found.uses} if flow.uses else {}
    cards: list[str] = []
    for name, part in parts.items():
        text = percent_text(part) if name == "all" else f"{part.seen} of {part.all}"
        bar = f'<span class="bar" aria-hidden="true"><i style="--share:{int(part.percent)}%"></i></span>'
        cards.append(f"<div><dt>{name}</dt><dd>{text}{bar}</dd></div>")
    return f'<dl class="score">{"".join(cards)}</dl>'


def _table(found: list[Missing]) -> str:
    rows = "".join(f"<tr><td>{_place(one)}</td><td>{escape(one.text)}</td></tr>" for one in found)
    head = '<thead><tr><th scope="col">line</th><th scope="col">what was not seen</th></tr></thead>'
    return f'<table class="missing">{head}<tbody>{rows}</tbody></table>' if rows else ""


def _place(one: Missing) -> str:
    """Return the line as a link, and of another document its name before it, for that one is not listed."""
    return f"{escape(shown_path(one.file))}:{one.line}" if one.file else _link(one.line)


def _link(line: int) -> str:
    return f'<a href="#l{line}" aria-label="line {line}">{line}</a>' if line else ""


def _listing(flow: FlowSeen, source: list[str], found: list[Missing]) -> Iterator[str]:
    ways = [way for way in flow.ways if not way.file]
    counted = {one.line for one in (*flow.nodes, *ways, *flow.outcomes, *flow.uses) if not one.file}
    counted |= {leaf.line for way in ways for leaf in way.leaves}
    lacks: dict[int, list[str]] = {}
    for one in found:
        if not one.file:
            lacks.setdefault(one.line, []).append(one.text)
    if lacks:
        yield _GO
    yield '<ol class="source" role="list">'
    for number, text in enumerate(source, 1):
        yield _line(number, text, lacks.get(number, []), is_counted=number in counted)
    yield "</ol>"


def _line(number: int, text: str, lacks: list[str], *, is_counted: bool) -> str:
    seen = ("seen", "✓", "seen") if is_counted else ("", "", "")
    kind, mark, words = ("lack", "✗", "not all seen") if lacks else seen
    sign = f'<span class="mark" role="img" aria-label="{words}">{mark}</span>' if mark else "<span></span>"
    place = _link(number) if lacks else str(number)
    why = "".join(f'<p class="why">{escape(lack)}</p>' for lack in lacks)
    indent = len(text) - len(text.lstrip(" "))
    margin = f' style="--in:{indent}"' if indent else ""
    line = f'<span class="number">{place}</span>{sign}<code>{escape(text)}</code>{why}'
    return f'<li id="l{number}" class="{kind}"{margin}>{line}</li>'


def _document(title: str, nav: str, body: str) -> str:
    style, script = (Path(__file__).with_name(name).read_text("utf-8") for name in ("page.css", "page.js"))
    view = '<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">'
    head = f"{view}<title>{escape(title)}</title><style>\n{style}</style>"
    skip = '<a class="skip" href="#source">to the source</a>' if 'id="source"' in body else ""
    main = f"<body>{skip}{nav}<main>{body}</main><script>\n{script}</script></body>"
    return f'<!doctype html><html lang="en"><head>{head}</head>{main}</html>\n'
