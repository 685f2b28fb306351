"""A page for each flow: its source, line by line, with what was not seen below the lines. Each page stands alone, is
read in light and dark, by keyboard and aloud; colour never says anything alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path

from turnwise.errors import CannotWrite
from turnwise.output import put_text, writing
from turnwise.testing.coverage.missing import Missing, Part, missing, percent_text, score
from turnwise.testing.coverage.report import NOTHING, shown_path
from turnwise.testing.coverage.seen import FlowSeen

_STYLE = """
:root{color-scheme:light dark;--ink:#1b2430;--paper:#fff;--muted:#586374;--rule:#d5dbe3;--lack:#9a3412;--lackbg:#fff1e6;
--seen:#166534;--link:#0a58ca}
@media(prefers-color-scheme:dark){:root{--ink:#e8edf3;--paper:#11161d;--muted:#a9b4c2;--rule:#333d49;--lack:#ffb27d;
--lackbg:#33210f;--seen:#86efac;--link:#6cb0ff}}
body{margin:0 auto;max-width:72rem;padding:1rem;background:var(--paper);color:var(--ink);
font:16px/1.5 system-ui,sans-serif}
a{color:var(--link)}a:focus-visible,summary:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem}
table{border-collapse:collapse}td,th{padding:.2rem .8rem;border-bottom:1px solid var(--rule);text-align:left}
pre,ol{font:13px/1.55 ui-monospace,Menlo,Consolas,monospace}
ol{list-style:none;margin:1rem 0;padding:0;overflow-x:auto}
li{white-space:pre;padding-left:7rem;text-indent:-7rem}
li:target{background:var(--lackbg)}
.n{display:inline-block;width:4rem;text-indent:0;text-align:right;color:var(--muted);user-select:none}
.m{display:inline-block;width:3rem;text-indent:0;text-align:center;user-select:none}
.lack .m,.why{color:var(--lack);font-weight:bold}.seen .m{color:var(--seen)}.lack{background:var(--lackbg)}
.why{display:block;white-space:normal;text-indent:0;font-family:system-ui,sans-serif}
kbd{border:1px solid var(--rule);border-radius:3px;padding:0 .3rem}
"""
_KEYS = """
addEventListener("keydown",e=>{if(e.ctrlKey||e.metaKey||e.altKey||!"np".includes(e.key))return;
const all=[...document.querySelectorAll("li.lack a")];if(!all.length)return;
const at=all.indexOf(document.activeElement);
const to=all[e.key==="n"?(at+1)%all.length:(at<=0?all.length:at)-1];to.focus();to.scrollIntoView({block:"center"})});
"""


def make_folder(folder: Path) -> None:
    """Make the folder that pages go into. Raises `CannotWrite`, also for one that is named like a page."""
    with writing(folder):
        if folder.suffix == ".html" and not folder.is_dir():
            raise CannotWrite(folder, "this is the name of a page, and pages go into a folder; name one")
        folder.mkdir(parents=True, exist_ok=True)


def write_pages(flows: Iterable[FlowSeen], folder: Path) -> list[Path]:
    """Write a page for each flow into a folder, which is made, and an index where there are several; gives the
    files. Raises `CannotWrite`.
    """
    make_folder(folder)
    named: dict[str, FlowSeen] = {}
    for flow in flows:
        named[_free(_name(flow), named)] = flow
    pages = {f"{name}.html": page(flow) for name, flow in named.items()}
    if len(pages) != 1:
        pages["index.html"] = index({f"{name}.html": flow for name, flow in named.items()})
    for name, text in pages.items():
        put_text(folder / name, text)
    return [folder / name for name in pages]


def _name(flow: FlowSeen) -> str:
    stem = Path(flow.file).name.partition(".")[0] if flow.file else flow.name
    return re.sub(r"[^\w-]+", "_", stem)[:_LONGEST] or "flow"


_LONGEST = 80


def _free(name: str, taken: Iterable[str]) -> str:
    """A name that no other page has; `index` is for the index."""
    used = {"index", *taken}
    return next(
        one for number in range(1, len(used) + 2) if (one := f"{name}{number if number > 1 else ''}") not in used
    )


def index(flows: dict[str, FlowSeen]) -> str:
    """The page that leads to the others."""
    rows = "".join(
        f'<tr><th scope="row"><a href="{escape(file)}">{escape(shown_path(flow.title))}</a></th>{_cells(flow)}</tr>'
        for file, flow in flows.items()
    )
    told = _table("flow", rows) if rows else f"<p>{NOTHING}.</p>"
    return _document("Coverage", f"<h1>Coverage</h1>{told}")


def page(flow: FlowSeen) -> str:
    """The page of a flow."""
    found, title = missing(flow), shown_path(flow.title)
    rows = f'<tr><th scope="row">{escape(flow.name)}</th>{_cells(flow)}</tr>'
    body = [
        '<a class="skip" href="#source">to the source</a>',
        f"<h1>Coverage of {escape(title)}</h1>",
        _table("flow", rows),
        f'<h2 id="missing">{_count(len(found))}</h2>',
        _list(found),
    ]
    source = _source(flow)
    if source:
        body += ['<h2 id="source">Source</h2>', _HELP, "<ol>", *_lines(flow, source, found), "</ol>"]
    return _document(f"Coverage of {title}", "\n".join(body))


_HELP = (
    "<p>✓: all of the line was seen. ✗: something was not, and stands below it. "
    "<kbd>n</kbd> and <kbd>p</kbd> go to the next and the previous ✗.</p>"
)


def _count(number: int) -> str:
    return "Nothing is missing" if not number else f"{number} missing" if number > 1 else "1 missing"


def _list(found: list[Missing]) -> str:
    items = "".join(f"<tr><td>{_link(line)}</td><td>{escape(text)}</td></tr>" for line, text in found)
    return f"<table><caption>What was not seen</caption>{items}</table>" if items else ""


def _link(line: int) -> str:
    return f'<a href="#l{line}">line {line}</a>' if line else ""


def _cells(flow: FlowSeen) -> str:
    found = score(flow)
    parts: tuple[Part, ...] = (found.nodes, found.transitions, found.leaves)
    return "".join(f"<td>{part}</td>" for part in parts) + f"<td><b>{percent_text(found.all)}</b></td>"


def _table(of: str, rows: str) -> str:
    heads = "".join(f'<th scope="col">{head}</th>' for head in (of, "nodes", "transitions", "leaves", "all"))
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"


def _source(flow: FlowSeen) -> list[str]:
    path = Path(flow.file)
    return path.read_text("utf-8", "replace").splitlines() if flow.file and path.is_file() else []


def _lines(flow: FlowSeen, source: list[str], found: list[Missing]) -> Iterator[str]:
    told = {*(node.line for node in flow.nodes), *(way.line for way in flow.ways)}
    told |= {leaf.line for way in flow.ways for leaf in way.leaves}
    lacks: dict[int, list[str]] = {}
    for line, text in found:
        lacks.setdefault(line, []).append(text)
    for number, text in enumerate(source, 1):
        yield _line(number, text, lacks.get(number, []), is_told=number in told)


def _line(number: int, text: str, lacks: list[str], *, is_told: bool) -> str:
    kind, mark, words = ("lack", "✗", "not all seen") if lacks else ("seen", "✓", "seen") if is_told else ("", "", "")
    sign = f'<span class="m" role="img" aria-label="{words}">{mark}</span>' if mark else '<span class="m"></span>'
    place = f'<a href="#l{number}">{number}</a>' if lacks else str(number)
    why = "".join(f'<span class="why">{escape(lack)}</span>' for lack in lacks)
    return f'<li id="l{number}" class="{kind}"><span class="n">{place}</span>{sign}{escape(text)}{why}</li>'


def _document(title: str, body: str) -> str:
    head = f"<title>{escape(title)}</title><style>{_STYLE}</style>"
    view = '<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">'
    main = f"<body><main>{body}</main><script>{_KEYS}</script></body>"
    return f'<!doctype html><html lang="en"><head>{view}{head}</head>{main}</html>\n'
