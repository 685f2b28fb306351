"""The four machines in Python: the same flows as in the documents beside this file, which the tests hold them to.

Classes are records, and a node names a record that it reads or writes.
"""

from __future__ import annotations

import turnwise as tw


class Config(tw.Record):
    """What the model writes."""

    result: str | None = tw.field(about="the result of the task")


complete = tw.Node("complete", say='The result is "{{ config.result }}".', end="complete")
start = tw.Node(
    "start",
    description="Writes the result.",
    prompt="Update config.result with 'done'.",
    writes=[Config],
    after=[tw.Transition("done", when="config.result", because="there is a result", to=complete)],
)
context_machine = tw.Flow(
    "context_machine",
    version=1,
    title="Context machine",
    description="The model writes a result; then, and not before, the machine goes on.",
    start=start,
    autonomous=True,
    persona="You do one small task with the tools that you are given, and then say in one sentence what you did.",
    records=[Config],
    nodes=[start, complete],
)


class Note(tw.Record, name="config"):
    """What one task leaves for the next."""

    value: str | None = tw.field(about="a text for the next task")


read = tw.Node("read", prompt="Read config.value and confirm that it is 'hello world'.", reads=[Note], end="read")
write = tw.Node("write", prompt="Set config.value to 'hello world'.", writes=[Note], after=[tw.Transition(to=read)])
write_and_read = tw.Flow(
    "write_and_read",
    version=1,
    title="Write and read",
    start=write,
    autonomous=True,
    records=[Note],
    nodes=[write, read],
)


class Result(tw.Record):
    """Whether it is done."""

    done: bool = tw.field(default=False, about="whether the work is done")


finished = tw.Node("complete", end="complete")
work = tw.Node(
    "work",
    prompt="Set result.done to true.",
    writes=[Result],
    after=[tw.Transition("done", when="result.done", because="the work is done", to=finished)],
)
work_first = tw.Flow(
    "work_first", version=1, title="Work first", start=work, autonomous=True, records=[Result], nodes=[work, finished]
)


failed = tw.Node("failed", description="Error handler.", end="failed")
risky = tw.Node(
    "risky",
    prompt="Try to use a tool that does not exist.",
    transitions=[tw.Transition("caught", at="error", to=failed)],
)
catch = tw.Flow("catch", version=1, title="Catch", start=risky, autonomous=True, nodes=[risky, failed])
