"""Spans: what the tracing of a program is given of a turn (a real tracer, kept in memory)."""

from __future__ import annotations

from typing import Any

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

import turnwise as tw
from support.chats import done
from support.tools import Stage, made, uses
from turnwise.errors import ProviderFailed
from turnwise.telemetry import OpenTelemetry

FLOW = """
flow: f
start: a
model: scripted:x
records: {user: {name: {type: string, secret: true}}}
tools: {look: {about: look, args: {at: string}}}
nodes:
  a:
    prompt: Help.
    tools: {allow: [look]}
    transitions: [{id: seen, at: tool, when: tools.used("look"), to: b}]
  b: {prompt: Go on., end: done}
"""


def traced(model: list[Any], does: Any = "seen") -> tuple[Stage, InMemorySpanExporter]:
    stage = Stage(FLOW, model, {"look": does})
    kept, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(kept))
    stage.chat.runtime.performer.spans = OpenTelemetry(provider)
    return stage, kept


def named(spans: tuple[ReadableSpan, ...], name: str) -> list[ReadableSpan]:
    return [span for span in spans if span.name == name]


def test_a_turn_is_a_span_with_its_calls_inside_and_its_decisions_as_events() -> None:
    stage, kept = traced([uses(made("look", at="my diary"), say="One moment."), "There."])
    stage.say("hello, I am Ada")
    spans = kept.get_finished_spans()
    assert [span.name for span in spans] == ["chat x", "execute_tool look", "chat x", "invoke_agent f"]
    turn = spans[-1]
    assert turn.context is not None
    assert {span.parent.span_id for span in spans[:-1] if span.parent is not None} == {turn.context.span_id}
    assert turn.attributes is not None
    assert turn.attributes["gen_ai.conversation.id"] == "main"
    assert (turn.attributes["turnwise.turn"], turn.attributes["turnwise.node"]) == (1, "b")
    decided = [dict(event.attributes or {}) for event in turn.events if event.name == "turnwise.decision"]
    assert [one["turnwise.taken"] for one in decided] == ["", "seen", ""]
    assert decided[1]["turnwise.outcomes"] == ("seen: taken",)
    assert dict(spans[0].attributes or {})["gen_ai.provider.name"] == "scripted"
    assert dict(spans[1].attributes or {})["gen_ai.tool.name"] == "look"


def test_a_model_that_reads_a_question_has_spans_without_what_was_asked() -> None:
    reads = tw.ScriptedModel([tw.call("subject", subject="node a", turn=0)])
    kept, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(kept))
    flow = tw.loads("flow: f\nstart: a\nnodes: {a: {say: Hello., end: done}}")
    with tw.open_sync(flow, question_model=reads, telemetry=OpenTelemetry(provider)) as app:
        app.chat("1").start()
        kept.clear()
        assert str(app.chat("1").why("what on earth is the diary about?").subject) == "node a"
    spans = kept.get_finished_spans()
    found = [dict(span.attributes or {}) for span in spans]
    assert [one["turnwise.purpose"] for one in found] == ["question_subject"]
    assert {(one["gen_ai.conversation.id"], one.get("turnwise.node")) for one in found} == {("1", None)}
    assert all("gen_ai.usage.input_tokens" in one for one in found)
    assert "diary" not in "".join(span.to_json() for span in spans)


def test_what_was_said_and_what_tools_were_given_stands_in_no_span() -> None:
    stage, kept = traced([uses(made("look", at="my diary"), say="Look:"), "There."], "a secret thing")
    stage.say("hello, I am Ada")
    told = "".join(span.to_json() for span in kept.get_finished_spans())
    assert not [word for word in ("Ada", "diary", "secret thing", "Look:") if word in told]


def test_what_fails_is_marked() -> None:
    stage, kept = traced([uses(made("look", at="x")), ProviderFailed("away")], lambda at: 1 / 0)
    stage.say("hello")
    spans = kept.get_finished_spans()
    assert [span.status.is_ok for span in spans] == [True, False, False, False]
    (tool,) = named(spans, "execute_tool look")
    assert dict(tool.attributes or {})["error.type"] == "tool"
    turn = spans[-1]
    assert dict(turn.attributes or {})["error.type"] == "model"


def test_a_chat_is_opened_with_it() -> None:
    with tw.open_sync("examples/eligibility/eligibility.flow.yaml", telemetry=True) as app:
        chat = app.chat("main")
        assert isinstance(app.app.runtime.performer.spans, OpenTelemetry)
        assert chat.start().text


@pytest.mark.parametrize("telemetry", [False])
def test_without_it_nobody_is_told(telemetry: bool) -> None:
    chat = tw.open("examples/eligibility/eligibility.flow.yaml", telemetry=telemetry).chat("main")
    assert chat.runtime.performer.spans is None


def test_the_act_of_a_person_names_the_operator() -> None:
    stage, kept = traced(["Hello."])
    stage.say("hi")
    done(stage.chat.take_over("lena"))
    spans = named(kept.get_finished_spans(), "invoke_agent f")
    assert [(span.attributes or {}).get("turnwise.operator") for span in spans] == [None, "lena"]
