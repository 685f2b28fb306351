"""What goes wrong while a conversation with scopes runs, and what then stays as it was (laws 6.1 to 6.4)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

import turnwise as tw
from support.chats import OneSyncChat, flow_of, problems_of
from support.crossed import by_rules
from support.tools import FakeTool, Stage, facts, made, uses
from turnwise.core.state import commands as c
from turnwise.core.state import events as e
from turnwise.errors import StoreFailed
from turnwise.flow.diagnostic import FlowError
from turnwise.runner.ports import Commit, Written
from turnwise.stores.memory import MemoryStore

pytestmark = pytest.mark.law("6.1", "6.3")

SHOP = """
    flow: shop
    start: talk
    person: {queue: hall, timeout: 1h}
    commands: [cancel, hand_over, {start: [advice, other]}]
    limits: {frames: 3}
    records: {user: {name: string}, tip: {size: string, pin: {type: string, secret: true}}}
    tools:
      ship: {about: ship, kind: effect, confirm: true, args: {to: string}}
      measure: {about: measure, kind: effect}
    nodes:
      talk:
        prompt: Talk.
        tools: {allow: [ship, open_needs]}
        transitions:
          - {id: advise, at: before, when: message.text == "advise me", call: advice}
          - {id: needy, at: before, when: message.text == "needy", call: needs, with: {topic: user.name}}
      advice:
        starts: [help me choose]
        scope:
          returns: tip
          summary: "Size {{ tip.size }}, PIN {{ tip.pin }}."
          start: ask
          nodes:
            ask: {form: {fields: [{field: tip.pin, ask: Your PIN?}, {field: tip.size, ask: Which size?}]}}
      other:
        starts: [the other]
        scope:
          start: x
          nodes:
            x:
              prompt: Other.
              tools: {allow: [measure]}
              transitions: [{at: before, when: message.text == "up", return: true}]
      needs: {scope: {input: {topic: string}, start: x, nodes: {x: {prompt: "About {{ input.topic }}."}}}}
"""


def shop(*replies: Any, store: Any = None, measure: Any = "measured") -> Stage:
    stage = Stage(SHOP, replies, {"ship": FakeTool("done"), "measure": FakeTool(measure)}, store=store)
    stage.app.runtime.performer.understand = by_rules
    return stage


def scopes(stage: Stage) -> list[str]:
    return [frame.scope.name for frame in stage.state().frames if frame.scope is not None]


def test_two_callers_open_a_scope_at_once_and_it_opens_once() -> None:
    stage = shop("Hello.")
    stage.say("hello")

    async def both() -> list[tw.Turn]:
        start = [c.Start(target="advice")]
        return await asyncio.gather(*[stage.app.chat("main").commands(start) for _ in range(2)])

    turns = asyncio.run(both())
    assert scopes(stage) == ["advice"]
    assert sum(len(facts(turn, e.ScopeOpened)) for turn in turns) == 1
    assert [one.reason for turn in turns for one in facts(turn, e.CommandRefused)] == ["already_open"]


@pytest.mark.law("6.1")
def test_of_two_tasks_that_one_message_wishes_for_the_second_opens_when_the_first_closes() -> None:
    stage = shop("Hello.", "Other?", "Back.")
    stage.say("hello")
    turn = stage.commands([c.Start(target="other"), c.Start(target="advice"), c.Start(target="other")])
    assert scopes(stage) == ["other"]
    assert turn.text == "Other?"
    assert stage.say("up").text == "Your PIN?"
    assert scopes(stage) == ["advice"]
    stage.undo()
    assert scopes(stage) == ["other"]
    stage.say("up")
    stage.say("9182-XY")
    turn = stage.say("large")
    assert turn.text.endswith("Back.")
    assert (scopes(stage), turn.value("tip.size")) == ([], "large")
    assert turn.state.frame.wishes == ()
    assert stage.replay()
    assert stage.rerun().difference is None


@pytest.mark.law("6.1")
def test_a_wish_that_was_put_off_survives_a_cancel_and_a_timer_of_the_first() -> None:
    stage = shop("Hello.", "Other?")
    stage.say("hello")
    stage.commands([c.Start(target="other"), c.Start(target="advice")])
    assert stage.say("cancel").text == "Your PIN?"
    assert scopes(stage) == ["advice"]


def test_a_scope_that_was_put_off_is_opened_by_whoever_asked_for_it() -> None:
    by_program = shop("Hello.", "Other?")
    by_program.say("hello")
    by_program.commands([c.Start(target="other"), c.Start(target="advice")])
    (opened,) = facts(by_program.say("up"), e.ScopeOpened)
    assert (opened.scope, opened.by) == ("advice", "program")
    by_user = shop("Hello.", "Other?")
    by_user.say("hello")
    both = [c.Start(target="other"), c.Start(target="advice")]
    by_user.app.runtime.performer.understand = lambda message, _: both if message == "both" else []
    by_user.say("both")
    assert (scopes(by_user), by_user.state().outer[-1].wishes) == (["other"], ("advice",))
    (opened,) = facts(by_user.say("up"), e.ScopeOpened)
    assert (opened.scope, opened.by) == ("advice", "user")
    for stage in (by_program, by_user):
        assert stage.state().outer[-1].program_wishes == ()
        assert stage.replay()


WISHED = """
flow: wishes
start: chat
commands: [cancel, {start: [first, third]}]
records: {got: {size: string}}
nodes:
  chat: {say: Hello., transitions: [{at: before, when: 'message.text == "bye"', end: over}]}
  first: {scope: {returns: got}, form: {fields: [{field: got.size, ask: Which size?}]}}
  second:
    scope: {input: {topic: string}, start: ask, nodes: {ask: {say: "About {{ input.topic }}.", transitions: [{return: true}]}}}
  third: {scope: {start: ask, nodes: {ask: {say: The third., transitions: [{at: before, when: 'message.text == "over"', end: over}]}}}}
"""


def wishing(flow: str, *replies: Any) -> Stage:
    stage = Stage(flow_of(flow), replies)
    stage.app.runtime.performer.understand = by_rules
    return stage


@pytest.mark.law("7.2")
def test_a_wish_that_can_never_open_is_refused_once_with_its_reason_and_the_next_is_tried() -> None:
    stage = wishing(WISHED)
    stage.start()
    first = stage.commands([c.Start(target=name) for name in ("first", "second", "third")])
    assert first.text == "Which size?"
    assert first.state.outer[-1].wishes == ("second", "third")
    waits = "third was never opened: it was asked for beside another scope, and opens when first is closed"
    assert stage.why("third").line == waits
    turn = stage.say("large")
    assert turn.text.endswith("“second” cannot begin now.\n\nThe third.")
    (refused,) = facts(turn, e.CommandRefused)
    assert (refused.command, refused.reason, refused.scope) == ("start", "cannot_open", "second")
    lacks = "the scope 'second' needs the input 'topic', which has no value"
    assert [(one.code, one.message) for one in turn.warnings] == [("scope_not_opened", lacks)]
    assert scopes(stage) == ["third"]
    assert turn.state.outer[-1].wishes == ()
    assert lacks in stage.why("second").line
    turn = stage.say("over")
    assert (scopes(stage), turn.warnings, facts(turn, e.CommandRefused)) == ([], (), [])
    assert stage.replay()
    assert stage.rerun().difference is None


@pytest.mark.law("7.2")
def test_a_refused_wish_does_not_keep_the_model_from_going_on() -> None:
    stage = wishing(WISHED.replace("say: Hello.", "prompt: Talk."), "Hello.", "Back to our talk.")
    stage.say("hello")
    stage.commands([c.Start(target="first"), c.Start(target="second")])
    turn = stage.say("large")
    assert turn.text.endswith("“second” cannot begin now.\n\nBack to our talk.")
    assert "cannot begin" in str(stage.transcript())


@pytest.mark.law("7.2")
def test_a_wish_that_cannot_open_in_this_turn_waits() -> None:
    short = "".join(f"  {name}: {{scope: {{start: x, nodes: {{x: {{say: {name}., end: x}}}}}}}}\n" for name in "abc")
    stage = wishing(WISHED.replace("commands:", "limits: {frames: 2}\ncommands:") + short)
    stage.start()
    stage.commands([c.Start(target=name) for name in ("first", *"abc")])
    turn = stage.say("large")
    assert ("a." in turn.text, turn.state.frame.wishes, turn.warnings) == (True, ("c",), ())
    assert stage.why("c").line == (
        "c was never opened: it was asked for beside another scope, and opens as soon as nothing else is under way"
    )
    turn = stage.say("hm")
    assert ("c." in turn.text, turn.state.frame.wishes) == (True, ())
    assert stage.replay()


def test_cancelled_while_its_tool_runs_it_closes_after_the_tool() -> None:
    async def whole() -> None:
        began, goes = asyncio.Event(), asyncio.Event()

        async def slow() -> str:
            began.set()
            await goes.wait()
            return "measured"

        stage = shop("Hello.", "Other?", uses("measure"), "Measured.", "Back.", measure=slow)
        chat = stage.chat
        await chat.say("hello")
        await chat.commands([c.Start(target="other")])
        measuring = asyncio.create_task(chat.say("measure me"))
        await began.wait()
        cancelling = asyncio.create_task(chat.say("cancel"))
        await asyncio.sleep(0)
        goes.set()
        assert (await measuring).text == "Measured."
        turn = await cancelling
        assert (turn.state.outer, turn.text) == ((), "Back.")
        closed = [one.event.outcome for one in await chat.journal() if isinstance(one.event, e.ScopeClosed)]
        assert closed == ["cancelled"]
        assert await chat.replay()

    asyncio.run(whole())


class Failing(MemoryStore):
    """A store that cannot store the closing of a scope, once."""

    fails = True

    def commit(self, conversation: str, commit: Commit) -> Written:
        """Store a commit, or fail."""
        if self.fails and any(isinstance(one.event, e.ScopeClosed) for one in commit.entries):
            self.fails = False
            raise StoreFailed("here", "the disk is full")
        return super().commit(conversation, commit)


@pytest.mark.requirement("003-26")
def test_a_closing_that_cannot_be_stored_leaves_the_scope_open_with_its_answers() -> None:
    stage = shop("Hello.", "Back.", "Back.", "Back.", store=Failing())
    stage.say("hello")
    for text in ("advise me", "9182-XY"):
        stage.say(text)
    turn = stage.say("large")
    assert turn.refused == "store_unavailable"
    assert scopes(stage) == ["advice"]
    assert stage.state().values["advice/tip.pin"].value == "9182-XY"
    turn = stage.say("large")
    assert (scopes(stage), turn.value("tip.size")) == ([], "large")
    assert stage.replay()


def test_a_conversation_comes_back_to_a_scope_that_the_flow_has_no_more(tmp_path: Any) -> None:
    path = f"sqlite:///{tmp_path / 'x.db'}"
    with OneSyncChat(flow_of(SHOP), store=path) as chat:
        chat.say("hello")
        chat.say("advise me")
    gone = SHOP.replace("call: advice", "call: other").replace("[advice, other]", "[other]")
    gone = gone[: gone.index("      advice:\n")] + gone[gone.index("      other:\n") :]
    with OneSyncChat(flow_of(gone), store=path) as chat:
        report = chat.migrate()
        assert (report.moved, report.conversations[0].outcome) == (0, "needs_mapping")
        assert "advice" in str(report.conversations[0].reasons)
        chat.say("9182-XY")
        turn = chat.say("large")
        assert (turn.state.outer, turn.value("tip.size")) == ((), "large")


def test_a_conversation_comes_back_to_a_scope_whose_function_is_gone(tmp_path: Any) -> None:
    text = """
    flow: guarded
    start: talk
    nodes:
      talk: {say: Hello., transitions: [{at: before, when: message.text == "in", call: work}]}
      work: {scope: {start: x, nodes: {x: {say: Inside., transitions: [{id: leave, at: before, guard: is_enough, end: enough}]}}}}
    """
    path = f"sqlite:///{tmp_path / 'x.db'}"

    @tw.guard
    def is_enough(message: Any) -> bool:
        return message.text == "out"

    with OneSyncChat(flow_of(text), store=path, guards=[is_enough]) as chat:
        chat.say("hello")
        assert chat.say("in").node == "work/x"
    with OneSyncChat(
        flow_of(
            text.split("      work:", maxsplit=1)[0].replace(
                ', transitions: [{at: before, when: message.text == "in", call: work}]', ""
            )
        ),
        store=path,
    ) as chat:
        assert chat.say("out").refused == "flow_unavailable"
        assert chat.state().node == "work/x"
    with OneSyncChat(flow_of(text), store=path, guards=[is_enough]) as chat:
        assert chat.say("out").state.outer == ()


def test_at_the_limit_of_frames_nothing_opens() -> None:
    stage = shop("Hello.", "Other?")
    for text in ("hello", "advise me", "the other"):
        stage.say(text)
    assert scopes(stage) == ["advice", "other"]
    turn = stage.commands([c.Start(target="needs")])
    assert [one.reason for one in facts(turn, e.CommandRefused)] == ["cannot_open"]
    assert scopes(stage) == ["advice", "other"]


def test_while_a_call_waits_for_approval_nothing_opens_and_the_question_is_asked_again() -> None:
    stage = shop(uses(made("ship", to="Bo")), "One moment.", "Not yet.")
    stage.say("ship it")
    turn = stage.say("advise me")
    assert (turn.status, scopes(stage)) == ("waiting", [])
    assert [one.fault.message for one in facts(turn, e.Faulted)] == [
        "'advice' cannot begin while a call waits for approval"
    ]
    assert "Yes or no?" in turn.text
    assert turn.state.waiting_calls
    turn = stage.say("help me choose")
    assert [one.reason for one in facts(turn, e.CommandRefused)] == ["cannot_open"]
    assert "advise" in str(stage.why("transition advise").chain)


@pytest.mark.law("6.10")
def test_while_a_person_is_awaited_or_in_charge_nothing_opens() -> None:
    stage = shop("Hello.")
    stage.say("hello")
    stage.say("talk to a human")
    turn = stage.say("advise me")
    assert (turn.status, scopes(stage)) == ("waiting", [])
    assert turn.text.startswith("I have passed that on")
    stage.take_over("Lena")
    stage.say("advise me")
    turn = stage.commands([c.Start(target="advice")])
    assert [one.reason for one in facts(turn, e.CommandRefused)] == ["cannot_open"]
    assert scopes(stage) == []


@pytest.mark.law("6.2")
def test_an_input_that_reads_a_missing_value_opens_nothing_and_says_which() -> None:
    stage = shop("Hello.", uses("open_needs"), "About what?", "So.")
    stage.say("hello")
    turn = stage.say("needy")
    assert (turn.status, scopes(stage)) == ("failed", [])
    (fault,) = [one.fault for one in facts(turn, e.Faulted)]
    assert (fault.subject, fault.transition) == ("needs/input.topic", "needy")
    turn = stage.say("you open it")
    assert [(one.tool, one.text) for one in facts(turn, e.CallRefused)] == [("open_needs", "topic is missing")]
    assert (turn.text, scopes(stage)) == ("About what?", [])


@pytest.mark.law("6.3")
def test_a_summary_and_a_returned_text_show_no_secret() -> None:
    stage = shop("Hello.", "Back.", "So.")
    for text in ("hello", "advise me", "9182-XY", "my size is 9182-XY", "and now?"):
        stage.say(text)
    assert stage.state().values["tip.pin"].value == "9182-XY"
    assert "9182-XY" not in str([one.transcript for one in stage.model.calls])
    assert "PIN [secret]" in str(stage.transcript())


@pytest.mark.law("6.2")
@pytest.mark.parametrize(
    ("scope", "problem"),
    [
        ("inherits: [user]", "'look' stores its results in 'user', which the scope does not fill"),
        ("returns: tip", "'look' stores its results in 'user', which the scope does not fill"),
        ("returns: user", ""),
    ],
)
@pytest.mark.parametrize("work", ["prompt: X., tools: {allow: [look]}", "tool: look"])
def test_a_tool_inside_fills_no_record_around_the_scope(scope: str, problem: str, work: str) -> None:
    text = f"""
    flow: f
    start: t
    records: {{user: {{name: string}}, tip: {{size: string}}}}
    tools: {{look: {{about: look, into: user}}}}
    nodes:
      t: {{say: Hi., transitions: [{{at: before, when: message.text == "in", call: s}}]}}
      s: {{scope: {{{scope}, start: x, nodes: {{x: {{{work}, transitions: [{{return: true}}]}}}}}}}}
    """
    found = [one for one in problems_of(text) if one.startswith("TW094")]
    assert bool(found) == bool(problem)
    assert all(problem in one for one in found)


BEGUN = """
    flow: shop
    start: talk
    commands: [{start: [survey]}]
    records: {feedback: {mood: string}}
    nodes:
      talk: {prompt: Talk.}
      survey:
        scope: {input: {topic: TOPIC}, returns: feedback}
        form: {fields: [{field: feedback.mood, ask: "How was {{ input.topic }}?"}]}
    """


def test_a_scope_that_users_may_begin_needs_no_input_of_them() -> None:
    needs = "TW094 users may begin 'survey', which needs the input 'topic', and they give none give 'topic' a 'default'"
    assert problems_of(BEGUN.replace("TOPIC", "string")) == [needs]
    assert problems_of(BEGUN.replace("TOPIC", "{type: string, default: the lesson}")) == []


@pytest.mark.parametrize(
    ("key", "value", "hint"), [("title", "Age", "into 'description'"), ("starts", "[go]", "leave it out")]
)
def test_a_title_of_a_node_that_opens_no_scope_says_where_the_words_belong(key: str, value: str, hint: str) -> None:
    node = f"{{{key}: {value}, description: Ask how old the user is., say: Hi., end: done}}"
    with pytest.raises(FlowError) as caught:
        tw.open(tw.loads(f"flow: f\nstart: a\nnodes:\n  a: {node}\n"))
    (found,) = [one for one in caught.value.diagnostics if one.code == "TW094"]
    assert "'a' opens none" in found.message
    assert hint in found.hint
