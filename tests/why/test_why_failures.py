"""Why something failed: a run that is stuck, a model, a tool whose failure a transition catches."""

from __future__ import annotations

from collections.abc import Callable

import turnwise as tw
from support.chats import flow_of
from support.whys import Asked, Chat, check, table
from turnwise.models.scripted import call

RUN = "examples/context_machine/context_machine.flow.yaml"
CAUGHT = """
flow: caught
start: a
tools: {look: {about: Looks it up., kind: read}}
nodes:
  a: {tool: {name: look}, transitions: [{id: oh, at: error, to: b}]}
  b: {prompt: Talk.}
"""
TALK = """
flow: talk
start: a
nodes:
  a: {prompt: Talk.}
"""


def stuck() -> Chat:
    """A run whose only prompt leads nowhere."""
    chat: Chat = tw.open_sync(RUN, model=tw.ScriptedModel(["I have thought about it."])).chat("a")
    chat.run()
    return chat


def misspelt() -> Chat:
    """A run whose model writes to a field that does not exist."""
    write = call("write_config", set={"reslt": "done"})
    chat: Chat = tw.open_sync(RUN, model=tw.ScriptedModel([write, "Done!"])).chat("a")
    chat.run()
    return chat


def caught() -> Chat:
    """A conversation whose tool raises, and a transition goes on."""

    def look() -> str:
        raise OSError("no line")

    chat: Chat = tw.open_sync(flow_of(CAUGHT), tools={"look": look}, model=tw.ScriptedModel(["Sorry."])).chat("a")
    chat.start()
    return chat


def silent() -> Chat:
    """A conversation whose model fails."""
    chat: Chat = tw.open_sync(flow_of(TALK), model=tw.ScriptedModel([])).chat("a")
    chat.start()
    return chat


STORIES = {"stuck": stuck, "misspelt": misspelt, "caught": caught, "silent": silent}
GOES_ON = (
    "the last turn failed (stuck): no way out of 'start' holds, and it waits for nothing; done lacks config.result; "
    "the run has stopped, and the next message or command goes on in start"
)
MISSPELT = (
    "done lacks config.result; a write was refused: 'config' has no field 'reslt'; did you mean 'result'?; the run"
)
CAUSES = ("turn_failed: the turn failed (stuck)", "nearest is → complete, which lacks config.result")
ASKED = [
    Asked("misspelt", "conversation", MISSPELT, "conversation_failed", ("write_refused",)),
    Asked("stuck", "end", GOES_ON, "conversation_goes_on", CAUSES, ("tries again",)),
    Asked("stuck", "conversation", GOES_ON, "conversation_failed", CAUSES),
    Asked("silent", "conversation", "the next message tries again", "conversation_failed", ("model_failed",)),
    Asked("caught", "conversation", "look failed: OSError: no line", "tool_failed", ("waits for a message",)),
]


@table(STORIES, ASKED)
def test_what_failed_is_said_with_its_cause(play: Callable[[], Chat], asked: Asked) -> None:
    check(play(), asked)
