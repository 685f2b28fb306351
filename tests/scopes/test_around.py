"""What belongs to the conversation around a scope stays as it is while the scope is open: timers, tool uses, migrations,
autonomous runs, persons (laws 2.8, 2.15, 6.1, 6.8, 6.9, 6.10).
"""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

import turnwise as tw
from support.chats import OneSyncChat, flow_of
from support.tools import FakeTool, Stage, made, uses
from turnwise.core.migration import Renaming
from turnwise.core.state import Ended
from turnwise.models.scripted import call

pytestmark = pytest.mark.law("6.1")

SHOP = """
    flow: shop
    start: talk
    person: {queue: hall, timeout: 1h}
    commands: [cancel, hand_over]
    records: {tip: {size: string}}
    tools: {save: {about: save it, kind: effect}}
    nodes:
      talk:
        prompt: Talk.
        tools: {allow: [save]}
        transitions:
          - {id: advise, at: before, when: message.text == "advise me", call: advice}
          - {id: around, at: before, when: message.text == "advise around", call: outer}
          - {id: slow, at: timer, in: 30m, to: late}
      advice:
        scope:
          returns: tip
          limits: {idle: 20m}
          start: ask
          nodes:
            ask:
              prompt: Advise.
              tools: {allow: [save]}
              transitions:
                - {id: over, at: before, when: message.text == "thanks", end: over, set: {tip.size: '"L"'}}
                - {id: deeper, at: before, when: message.text == "deeper", call: deep}
            deep: {scope: {start: say, nodes: {say: {prompt: Deep., transitions: [{at: before, when: message.text == "up", return: true}]}}}}
      outer: {scope: {returns: tip, start: inside, nodes: {inside: {scope: {returns: tip, start: x, nodes: {x: {prompt: X., transitions: [{at: before, when: message.text == "thanks", end: over}]}}}}}}}
      late: {say: You were slow., transitions: [{at: before, when: message.text == "back", to: talk}]}
"""


def shop(*replies: Any) -> Stage:
    stage = Stage(SHOP, replies, {"save": FakeTool("saved")})
    stage.app.runtime.performer.understand = tw.understand_by_rules
    return stage


def due(stage: Stage) -> list[tuple[str, int]]:
    now_ms = stage.clock.now_ms()
    return sorted((one.transition, round((one.due_ms - now_ms) / 60_000)) for one in stage.state().timers)


# timers --------------------------------------------------------------------------------------------


@pytest.mark.law("2.15")
def test_an_outer_timer_is_held_while_a_scope_is_open_and_fires_after_the_closing_reply() -> None:
    stage = shop("Hello.", "What for?")
    stage.say("hello")
    assert due(stage) == [("slow", 30)]
    stage.say("advise me")
    assert due(stage) == [("scope idle", 20)]
    for _ in range(2):
        stage.clock.move_s(19 * 60)
        asyncio.run(stage.app.tick())
        assert len(stage.state().frames) == 2
        stage.model.plan.append("Go on.")
        stage.say("more")
    stage.model.plan.append("Back.")
    turn = stage.say("thanks")
    assert (turn.node, turn.text) == ("talk", "Back.")
    assert due(stage) == [("slow", -8)]
    assert asyncio.run(stage.app.tick()) == 1
    assert stage.state().node == "late"


@pytest.mark.law("2.15")
def test_silence_in_a_scope_is_measured_from_the_last_message_also_of_a_scope_inside() -> None:
    stage = shop("Hello.", "What for?", "Deep?", "More?", "Up again.")
    for text in ("hello", "advise me", "deeper"):
        stage.say(text)
    stage.clock.move_s(19 * 60)
    stage.say("more")
    stage.clock.move_s(19 * 60)
    turn = stage.say("up")
    assert turn.node == "advice/ask"
    assert due(stage) == [("scope idle", 20)]


@pytest.mark.law("6.10")
def test_a_scope_does_not_time_out_while_a_person_is_awaited_or_in_charge_in_it() -> None:
    stage = shop("Hello.", "What for?")
    for text in ("hello", "advise me", "talk to a human"):
        stage.say(text)
    assert due(stage) == [("person timeout", 60)]
    stage.take_over("Lena")
    assert due(stage) == []
    stage.model.plan.append("Where were we?")
    turn = stage.give_back("done")
    assert turn.node == "advice/ask"
    assert due(stage) == [("scope idle", 20)]


@pytest.mark.law("6.10")
def test_a_person_ends_the_whole_conversation_from_inside_a_scope() -> None:
    stage = shop("Hello.", "What for?")
    for text in ("hello", "advise me"):
        stage.say(text)
    stage.take_over("Lena")
    turn = stage.give_back("done", end="spam")
    assert turn.state.status == Ended("spam")
    assert stage.replay()


# tool uses -----------------------------------------------------------------------------------------


@pytest.mark.law("6.2", "6.9")
def test_an_undo_over_an_opening_counts_no_tool_outside_that_was_used_inside() -> None:
    stage = shop("Hello.", "What for?", uses("save"), "Saved.")
    for text in ("hello", "advise me", "save it"):
        stage.say(text)
    assert stage.state().tools.counts == {"save": 1}
    stage.undo(to=1)
    state = stage.state()
    assert (state.node, state.outer) == ("talk", ())
    assert state.tools.counts == {}
    assert [one.tool for one in state.kept_effects] == ["save"]
    assert stage.replay()


@pytest.mark.law("6.2", "6.9")
def test_an_undo_inside_counts_the_tools_of_each_frame_where_they_were_used() -> None:
    stage = shop(uses("save"), "Saved.", "What for?", uses("save"), "Saved.", "Deep?", "Deep.")
    for text in ("save it", "advise me"):
        stage.say(text)
    turn = stage.say("save it")
    for text in ("deeper", "so"):
        stage.say(text)
    stage.undo(to=turn.number - 1)
    assert [dict(one.tools.counts) for one in stage.state().frames] == [{"save": 1}, {"save": 1}]
    assert stage.replay()


# autonomous runs -----------------------------------------------------------------------------------

RUN = """
    flow: run
    autonomous: true
    start: plan
    records: {found: {text: string}}
    tools: {look: {about: look}, save: {about: save, kind: effect, confirm: true}}
    nodes:
      plan: {prompt: Plan., transitions: [{to: research}]}
      research:
        scope:
          returns: found
          summary: "Found: {{ found.text }}"
          start: look
          nodes:
            look: {prompt: Look., tools: {allow: [look]}, transitions: [{to: judge}]}
            judge: {prompt: Judge., writes: [found], transitions: [{when: has(found.text), to: kept}, {to: look}]}
            kept: {prompt: Keep it., end: kept}
        transitions: [{when: scope.outcome == "kept", to: write}]
      write: {prompt: Write., transitions: [{to: done}]}
      done: {say: Done.}
"""


@pytest.mark.law("2.8")
def test_an_autonomous_run_goes_through_a_scope_and_commits_at_each_node() -> None:
    write = made("write_found", set={"text": "gold"})
    stage = Stage(RUN, ["P.", uses("look"), "L.", uses(write), "J.", "K.", "W."], {"look": "seen", "save": "ok"})
    turns = stage.run()
    assert [turn.text for turn in turns] == ["P.", "L.", "J.", "K.\n\nW.", "Done."]
    assert turns[-1].outcome == "done"
    assert stage.state().values["found.text"].value == "gold"
    assert "Found: gold" in str(stage.transcript(-1))
    assert "J." not in str(stage.transcript(-1))
    assert stage.replay()
    assert stage.rerun().difference is None


@pytest.mark.law("2.8")
def test_an_autonomous_run_calls_a_scope_and_its_model_opens_one() -> None:
    called = RUN.replace(
        "transitions: [{to: research}]", "transitions: [{id: c, call: research, when: '!has(found.text)'}, {to: write}]"
    )
    called = called.replace('transitions: [{when: scope.outcome == "kept", to: write}]', "")
    write = made("write_found", set={"text": "gold"})
    inside = [uses("look"), "L.", uses(write), "J.", "K."]
    for flow, first in (
        (called, ["P."]),
        (
            called.replace("{id: c, call: research, when: '!has(found.text)'}, ", "").replace(
                "prompt: Plan.", "prompt: Plan., tools: {allow: [open_research]}"
            ),
            [call("open_research")],
        ),
    ):
        stage = Stage(flow, [*first, *inside, "P again.", "W."], {"look": "seen", "save": "ok"})
        turns = stage.run()
        assert turns[-1].outcome == "done", [turn.text for turn in turns]
        assert stage.state().values["found.text"].value == "gold"
        assert stage.rerun().difference is None


# migration while parked inside -----------------------------------------------------------------------

OLD = """
    flow: shop
    start: talk
    commands: [cancel]
    records: {tip: {size: string}}
    nodes:
      talk: {say: Hello., transitions: [{id: advise, at: before, when: message.text == "advise me", call: advice}]}
      advice:
        scope:
          returns: tip
          records: {own: {height: {type: integer}}}
          start: ask
          nodes:
            ask: {form: {fields: [{field: own.height, ask: How tall?}, {field: tip.size, ask: Which size?}]}}
"""
COMPATIBLE = OLD.replace("How tall?", "How tall are you?").replace("say: Hello.", "say: Hi.")
RENAMED = (
    OLD.replace("advice", "tips").replace("ask: {form", "question: {form").replace("start: ask", "start: question")
)
FIELD = OLD.replace("own.height", "own.cm").replace("{height:", "{cm:")
NO_SCOPE = OLD[: OLD.index("      advice:")].replace(
    ', transitions: [{id: advise, at: before, when: message.text == "advise me", call: advice}]', ""
)
NO_FORM = OLD.replace(
    "ask: {form: {fields: [{field: own.height, ask: How tall?}, {field: tip.size, ask: Which size?}]}}",
    "ask: {prompt: Advise., collect: [own.height, tip.size]}",
)
OTHER_RESULT = (
    OLD.replace("          returns: tip\n", "")
    .replace("records: {own:", "records: {tip: {size: string}, own:")
    .replace("records: {tip: {size: string}}", "records: {was: {size: string}}")
)
OUT = OLD.replace("      talk:", "      ask: {form: {fields: [{field: tip.size, ask: Which size?}]}}\n      talk:")
BY_NODE = OLD.replace("call: advice", "to: advice")

FITS = [
    ("compatible", COMPATIBLE, Renaming(), ""),
    ("renamed scope and node", RENAMED, Renaming(nodes={"advice": "tips", "advice/ask": "tips/question"}), ""),
    ("renamed scope", OLD.replace("advice", "tips"), Renaming(nodes={"advice": "tips"}), ""),
    ("moved out of its scope", OUT, Renaming(nodes={"advice/ask": "ask"}), "does not stand in the scope"),
    ("another result", OTHER_RESULT, Renaming(), "returns another record"),
    (
        "a result with earlier values",
        OLD.replace("returns: tip", "returns: tip\n          inherits: [tip]"),
        Renaming(),
        "begins with other values",
    ),
    (
        "a needed input",
        OLD.replace("returns: tip", "returns: tip\n          input: {topic: string}").replace(
            "call: advice", "call: advice, with: {topic: message.text}"
        ),
        Renaming(),
        "needs the input 'topic'",
    ),
    (
        "an input with a default",
        OLD.replace("returns: tip", "returns: tip\n          input: {topic: {type: string, default: x}}"),
        Renaming(),
        "",
    ),
    ("renamed field", FIELD, Renaming(fields={"advice/own.height": "advice/own.cm"}), ""),
    ("another way to open it", BY_NODE, Renaming(), ""),
    ("renamed, without a mapping", RENAMED, Renaming(), "advice"),
    ("without the scope", NO_SCOPE, Renaming(), "advice"),
    ("without the form", NO_FORM, Renaming(), "form"),
]


def parked(path: Any) -> None:
    with OneSyncChat(flow_of(OLD), store=f"sqlite:///{path}") as chat:
        for text in ("hello", "advise me", "180"):
            chat.say(text)
        assert chat.state().node == "advice/ask"


@pytest.mark.law("6.8")
@pytest.mark.parametrize(("name", "flow", "renaming", "hindrance"), FITS, ids=[one[0] for one in FITS])
def test_a_conversation_that_is_parked_inside_a_scope_moves_or_finishes_with_its_version(
    tmp_path: Any, name: str, flow: str, renaming: Renaming, hindrance: str
) -> None:
    parked(tmp_path / "x.db")
    with OneSyncChat(
        flow_of(flow.replace("start: talk", "version: 2\n    start: talk")), store=f"sqlite:///{tmp_path / 'x.db'}"
    ) as chat:
        report = chat.migrate(renaming)
        state = chat.state()
        if hindrance:
            assert report.moved == 0
            assert hindrance in str(report), str(report)
            assert state.version == 1
        else:
            assert report.moved == 1, str(report)
            assert state.version == 2
            assert all(one.scope is None or one.scope.name in chat.machine.scopes for one in state.frames)
            inside = [found.value for key, found in state.values.items() if "/" in key]
            assert inside == [180]
        turn = chat.say("L")
        assert turn.state.outer == ()
        assert turn.value("tip.size") == "L"
        assert chat.replay()
