"""Reports constructs that this version cannot run; it ignores none."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from turnwise.core.link.builder import Builder
from turnwise.flow import kinds as s
from turnwise.flow import model
from turnwise.flow.diagnostic import Span
from turnwise.flow.shapes import SHAPE_OF, inside


class Unrun(NamedTuple):
    """How a key is reported: that it is not run (an error), or that it has no effect (a warning), and
    why; `only` for this value, else for every one but the default.
    """

    code: str
    why: str = ""
    only: str = ""


_REFUSED = Unrun("TW090")
_IDLE = Unrun("TW091")

UNRUN: dict[type, dict[str, Unrun]] = {
    model.Flow: {
        **dict.fromkeys(("overlays", "schedules", "imports"), _REFUSED),
        "keep": _IDLE,
    },
    model.Limits: {
        "frames": Unrun("TW091", ": no scopes are opened yet"),
    },
    model.Commands: {"start": _REFUSED},
    model.Node: {
        **dict.fromkeys(("scope", "offer"), _REFUSED),
    },
    model.Form: {"questions": _REFUSED},
    model.Transition: {"call": _REFUSED, "return": _REFUSED},
}
"""Every key that is read and not run, by the class whose key it is. All others are run."""

_SAID = {"TW090": "is not run by this version", "TW091": "has no effect in this version"}


def check(builder: Builder) -> None:
    """Report every construct that would be read and then ignored."""
    flow = builder.flow
    for name, how, span in _found(flow, flow.span):
        builder.report(how.code, f"'{name}' {_SAID[how.code]}{how.why}", span)
    if "start" in flow.commands.names and not flow.commands.start:
        builder.report("TW090", f"'start' {_SAID['TW090']}", flow.commands.span)


def _found(part: Any, span: Span) -> Iterator[tuple[str, Unrun, Span]]:
    """The keys of a part of a flow, and of everything in it, that are not run; what is in them is passed over."""
    of: type = part.__class__
    unrun = UNRUN.get(of, {})
    for key, attribute, kind, default in SHAPE_OF[of].written:
        value = getattr(part, attribute)
        if value is default:
            continue
        how = unrun.get(key)
        if how is not None and (value == how.only if how.only else value != default):
            yield f"{key}: {value}" if isinstance(kind, s.OneOf) else key, how, span.of(key)
        else:
            for inner in inside(kind, value):
                yield from _found(inner, getattr(inner, "span", span.of(key)))
