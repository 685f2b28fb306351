"""The names of tools and arguments that a model may use, to recognise a tool call that it wrote as text (law 2.1)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping

from msgspec import Struct

from turnwise.core.state.effects import ToolSpec
from turnwise.flow.late_pattern import late_pattern
from turnwise.flow.model import Field

CHOICE_PREFIX = "go_to_"
"""The prefix of the names of the tools by which a model chooses a transition."""
UNDERSTANDING_TOOL = "understood"
"""The tool by which a model says what it understood."""
_MOST_SOUGHT = 50
_OF_SERVER = late_pattern(r"^.*[./]")
"""What names the server of a tool."""


class CallNames(Struct, frozen=True):
    """The names of tools and their arguments, found in any spelling: `look_up`, `lookUp`, `look-up`."""

    tools: Mapping[str, str] = {}
    """The names of the tools, by folded name (see `fold`)."""
    arguments: Mapping[str, frozenset[str]] = {}
    """The folded names of the arguments of each tool, by tool."""
    folded: tuple[str, ...] = ()
    """The folded names of the tools in alphabetical order."""
    are_declared: bool = False
    """True if some of the tools are declared by the flow, not generated."""

    def find(self, name: str) -> str:
        """Return the tool that a name means; empty if it means none. A name with the prefix of choices (of a next node)
        is returned unchanged, since models invent nodes.
        """
        return self.tools.get(fold(name), "") or (name if name.startswith(CHOICE_PREFIX) else "")

    def may_become(self, name: str) -> bool:
        """Return whether a name is, or is the beginning of, the name of a tool."""
        begin = fold(name)
        if CHOICE_PREFIX.startswith(name) or name.startswith(CHOICE_PREFIX):
            return True
        at = bisect_left(self.folded, begin)
        return at < len(self.folded) and self.folded[at].startswith(begin)

    def may_be_in(self, text: str) -> bool:
        """Return quickly whether a text may contain one of the tool names; false is certain."""
        if len(self.folded) > _MOST_SOUGHT:
            return True
        folded = fold(text)
        if _CHOICE in folded:
            return True
        for name in self.folded:  # noqa: SIM110  `any` calls a generator for each name
            if name in folded:
                return True
        return False

    def takes(self, tool: str, argument: str) -> bool:
        """Return whether a tool takes an argument of this name."""
        return fold(argument) in self.arguments.get(tool, ())


NO_NAMES = CallNames()
"""The names of calls of a flow without tools."""


def call_names(arguments: Mapping[str, Iterable[str]], *, are_declared: bool = True) -> CallNames:
    """Return the names of tools with those of their arguments, from the arguments by tool. `are_declared`: the flow
    declares some of the tools.
    """
    own = {fold(_OF_SERVER.sub("", name)): name for name in arguments if not name.startswith(CHOICE_PREFIX)}
    tools = own | {fold(name): name for name in arguments}
    folded = {name: frozenset(map(fold, args)) for name, args in arguments.items()}
    return CallNames(tools, folded, tuple(sorted(tools)), are_declared)


def names_of_specs(specs: Iterable[ToolSpec]) -> CallNames:
    """Return the names of tools and arguments from the tools' descriptions for a model."""
    return call_names({spec.name: spec.parameters.get("properties", ()) for spec in specs})


def names_of_flow(
    tools: Mapping[str, Mapping[str, Field]],
    records: Mapping[str, Mapping[str, Field]],
    nodes: Iterable[str],
    of_scopes: Iterable[ToolSpec] = (),
) -> CallNames:
    """Return the names of all tools of a flow: declared ones, and those generated for records (`read_…`, `write_…`),
    for moves to nodes (`go_to_…`) and for understanding. `tools` and `records` have the fields of each by its name; the
    tools `of_scopes` open and close scopes.
    """
    made: dict[str, Iterable[str]] = {UNDERSTANDING_TOOL: ("commands",)}
    made |= {spec.name: spec.parameters.get("properties", ()) for spec in of_scopes}
    for record, fields in records.items():
        made[f"read_{record}"] = ("fields", *fields)
        made[f"write_{record}"] = ("set", "add", "remove", "data", *fields)
    return call_names({**tools, **made, **{f"{CHOICE_PREFIX}{node}": () for node in nodes}}, are_declared=bool(tools))


def fold(name: str) -> str:
    """Return a name without differences of spelling: `lookUp` and `look-up` have the same result."""
    return name.casefold().replace("_", "").replace("-", "")


_CHOICE = fold(CHOICE_PREFIX)
