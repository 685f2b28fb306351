"""The four listings of seed 002 as files, with replies of a model, and how they come out as the seed expects."""

from __future__ import annotations

from typing import Any, NamedTuple

from support.dygram_runs import FIRST, FOURTH, SECOND, THIRD


class Listing(NamedTuple):
    """A listing, the replies of its model as a file, the words that are said, how it ends, and the last taken edge."""

    text: str
    replies: str
    said: tuple[str, ...]
    outcome: str
    move: str
    values: dict[str, Any]


LISTINGS = {
    "first": Listing(
        FIRST,
        "- calls: [{tool: write_config, arguments: {set: {result: done}}}]\n- I wrote it.\n",
        ("I wrote it.",),
        "complete",
        "start → complete",
        {"config.result": "done"},
    ),
    "second": Listing(
        SECOND,
        "- calls: [{tool: write_config, arguments: {set: {value: hello world}}}]\n- Written.\n"
        "- calls: [{tool: read_config, arguments: {}}]\n- It is there.\n",
        ("Written.", "It is there."),
        "read",
        "write → read",
        {"config.value": "hello world"},
    ),
    "third": Listing(
        THIRD,
        "- calls: [{tool: write_result, arguments: {set: {done: true}}}]\n- Done.\n",
        ("Done.",),
        "complete",
        "work → complete",
        {"result.done": True},
    ),
    "fourth": Listing(FOURTH, "- calls: [{tool: no_such_tool, arguments: {}}]\n", (), "failed", "risky → failed", {}),
}
