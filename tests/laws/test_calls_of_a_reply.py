"""Law 2.18: `calls` is judged once for a reply of the model, when all of its calls have their results."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

import turnwise as tw
from support.shell import environment
from support.tools import FakeTool, Stage, facts, made, uses
from turnwise.core.state import Ended
from turnwise.core.state import events as e
from turnwise.core.state.codec import decode_state, encode_state
from turnwise.errors import ProviderFailed
from turnwise.models.scripted import Planned

pytestmark = pytest.mark.law("2.18")

SHOP = """
    flow: shop
    start: order
    records: {seen: {price: number, note: string}, mood: {word: string}}
    tools:
      note: {about: note a pizza, kind: effect, args: {sort: string}}
      bill: {about: write the bill, kind: effect, args: {of: {type: string, optional: true}}}
      pay: {about: pay, kind: effect, confirm: true, args: {amount: integer}}
      refund: {about: refund, kind: effect, confirm: true, approver: operator, approve_within: 10m, args: {amount: integer}}
      price: {about: look up a price, args: {sort: {type: string, optional: true}}}
      stock: {about: look into the stock}
    nodes:
      order:
        prompt: Take the order.
        tools: {allow: ['*', ask_mood], into: {price: seen.price}}
        transitions: [WAYS]
      confirm: {prompt: Read it back.}
      dear: {prompt: It is dear.}
      sorry: {prompt: Say sorry.}
      talk:
        prompt: Ask for the mood.
        scope: {tool: ask_mood, returns: mood, summary: "mood {{ mood.word }}"}
"""
NOTED = '{id: noted, at: calls, when: tools.used("note"), to: confirm}'
NAMES = ("note", "bill", "pay", "refund", "price", "stock")
CHEESE, OLIVES = made("note", sort="cheese"), made("note", sort="olives")
BILL, PAY, REFUND, PRICE = made("bill"), made("pay", amount=5), made("refund", amount=3), made("price")


def shop(*model: Planned, ways: str = NOTED, **more: Any) -> Stage:
    tools = {name: FakeTool(f"{name} done") for name in NAMES} | {"price": FakeTool(120)} | more.pop("tools", {})
    return Stage(SHOP.replace("WAYS", ways), model, tools, **more)


def judged(turn: Any, moment: str = "calls") -> list[str]:
    return [one.outcomes for one in facts(turn, e.Decided) if one.moment == moment]


def same_again(stage: Stage) -> bool:
    """Whether a replay, and a run of the journal, come to the same."""
    return bool(stage.replay()) and stage.rerun().difference is None


# when it is judged --------------------------------------------------------------------------------


def test_two_orders_of_one_reply_are_two_calls_with_two_keys() -> None:
    stage = shop(uses(CHEESE, CHEESE, BILL), "Two with cheese.")
    turn = stage.say("two with cheese, and the bill")
    assert stage.tools["note"].calls == [{"sort": "cheese"}, {"sort": "cheese"}]
    assert len({*stage.tools["note"].keys}) == 2
    assert stage.tools["bill"].calls == [{}]
    assert (judged(turn), turn.node, turn.warnings) == (["t"], "confirm", ())
    assert same_again(stage)


def test_it_is_judged_once_a_reply_and_tool_after_each_result() -> None:
    stage = shop(
        uses(CHEESE, BILL),
        uses("stock"),
        "Well.",
        ways='{id: n, at: calls, when: tools.count("note") > 1, to: confirm}',
    )
    turn = stage.say("go")
    assert [one.moment for one in facts(turn, e.Decided)] == [
        "before",
        "tool",
        "tool",
        "calls",
        "tool",
        "calls",
        "after",
    ]
    assert len({one.reply for one in facts(turn, e.JudgingPlanned)}) == len(facts(turn, e.JudgingPlanned)) == 2
    assert (turn.node, turn.state.frame.to_judge) == ("order", ())


def test_it_reads_what_every_call_of_the_reply_left() -> None:
    both = '{id: both, at: calls, when: tools.used("note") && tools.used("bill") && seen.price > 100, to: dear}'
    stage = shop(uses(PRICE, CHEESE, BILL), "It is dear.", ways=both)
    assert stage.say("go").node == "dear"
    assert len(stage.model.calls) == 2


def test_a_stay_keeps_the_node_and_the_model_goes_on() -> None:
    stage = shop(uses(CHEESE), "More?", ways="{id: here, at: calls, stay: true}, {id: away, at: calls, to: confirm}")
    turn = stage.say("go")
    assert (judged(turn), turn.node, turn.text) == (["tn"], "order", "More?")


def test_nothing_is_judged_where_no_call_was_made() -> None:
    stage = shop(uses(made("note"), "nothing"), "Which?", ways="{id: any, at: calls, to: confirm}")
    turn = stage.say("go")
    assert ([one.reason for one in facts(turn, e.CallRefused)], judged(turn)) == (["arguments", "unknown_tool"], [])
    assert turn.node == "order"


def test_a_use_that_the_program_reports_is_no_call_of_a_reply() -> None:
    stage = shop("Hello.", ways="{id: any, at: calls, to: confirm}")
    stage.say("hi")
    turn = stage.tool_used("note", {"sort": "cheese"})
    assert (judged(turn), judged(turn, "tool"), turn.node) == ([], [""], "order")


def test_an_end_may_follow_all_calls() -> None:
    turn = shop(uses(CHEESE, BILL), ways="{id: done, at: calls, end: served}").say("go")
    assert isinstance(turn.state.status, Ended)
    assert turn.state.tools.counts == {"note": 1, "bill": 1}


# with other transitions ---------------------------------------------------------------------------


def test_a_move_at_tool_comes_first_and_tells_the_model_what_it_made_impossible() -> None:
    ways = f'{{id: at_once, at: tool, when: tools.used("note"), to: sorry}}, {NOTED}'
    stage = shop(uses(CHEESE, OLIVES, BILL), "No bill yet.", ways=ways)
    turn = stage.say("cheese, olives, the bill")
    assert stage.tools["note"].calls == [{"sort": "cheese"}, {"sort": "olives"}]
    assert (turn.node, judged(turn), turn.state.frame.to_judge) == ("sorry", [], ())
    (lost,) = facts(turn, e.CallRefused)
    assert (lost.tool, lost.reason) == ("bill", "dropped")
    assert "moved to 'sorry' before its turn came" in stage.transcript()[-1].result["error"]
    assert [one.code for one in turn.warnings] == ["calls_not_run"]


def test_a_choice_leaves_at_once_and_what_ran_before_it_is_not_judged() -> None:
    ways = f"{NOTED}, {{id: leave, at: choice, to: sorry}}"
    stage = shop(uses(CHEESE, "go_to_sorry", BILL), "Sorry.", ways=ways)
    turn = stage.say("go")
    assert (turn.node, judged(turn), turn.state.tools.counts["note"]) == ("sorry", [], 1)
    assert [(one.tool, one.reason) for one in facts(turn, e.CallRefused)] == [("bill", "dropped")]


def test_a_failure_in_the_middle_that_nothing_catches_lets_the_others_run() -> None:
    def fails(**_given: Any) -> Any:
        raise OSError("gone")

    stage = shop(uses(BILL, CHEESE), "No bill.", tools={"bill": FakeTool(fails)})
    turn = stage.say("go")
    assert (turn.node, judged(turn)) == ("confirm", ["t"])
    assert [one.is_error for one in stage.transcript() if one.role == "tool"] == [True, False]


def test_a_failure_that_is_caught_leaves_and_drops_the_rest() -> None:
    def fails(**_given: Any) -> Any:
        raise OSError("gone")

    ways = f"{NOTED}, {{id: oops, at: error, to: sorry}}"
    stage = shop(uses(CHEESE, BILL, OLIVES), "Sorry.", ways=ways, tools={"bill": FakeTool(fails)})
    turn = stage.say("go")
    assert (turn.node, judged(turn), stage.tools["note"].calls) == ("sorry", [], [{"sort": "cheese"}])
    assert [one.code for one in turn.warnings] == ["calls_not_run"]


def test_a_turn_that_fails_in_the_middle_leaves_nothing_to_judge() -> None:
    stage = shop(
        uses(*[CHEESE] * 30),
        "Hello.",
        uses("stock"),
        "Well.",
        ways='{id: n, at: calls, when: tools.count("note") > 90, to: confirm}',
    )
    turn = stage.say("thirty")
    assert (turn.state.frame.to_judge, judged(turn)) == ((), [])
    assert same_again(stage)


def test_an_error_of_the_guard_is_a_failure_as_at_any_moment() -> None:
    ways = "{id: broken, at: calls, when: 1 / tools.count('pay') > 0, to: confirm}, {id: oops, at: error, to: sorry}"
    turn = shop(uses(CHEESE), "Sorry.", ways=ways).say("go")
    assert (judged(turn), turn.node) == (["e"], "sorry")


# reads, approvals, scopes -------------------------------------------------------------------------


def test_reads_run_in_parallel_where_calls_are_judged() -> None:
    import asyncio

    running: list[int] = []
    most: list[int] = []

    async def slow(**_given: Any) -> int:
        running.append(1)
        await asyncio.sleep(0.01)
        most.append(len(running))
        running.pop()
        return 120

    stage = shop(uses(PRICE, "stock"), "Dear.", ways="{id: dear, at: calls, when: seen.price > 100, to: dear}",
                 tools={"price": FakeTool(slow), "stock": FakeTool(slow)})  # fmt: skip
    turn = stage.say("go")
    assert (max(most), turn.node, judged(turn)) == (2, "dear", ["t"])


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_it_waits_for_the_approval_of_every_call(answer: str) -> None:
    stage = shop(uses(CHEESE, PAY, BILL), "Done.")
    turn = stage.say("cheese, pay, the bill")
    assert (turn.node, judged(turn), turn.state.frame.to_judge) == ("order", [], (f"{turn.number}-1",))
    assert decode_state(encode_state(turn.state)) == turn.state
    turn = stage.say(answer)
    assert (turn.node, judged(turn), turn.text) == ("confirm", ["t"], "Done.")
    assert (len(stage.tools["pay"].calls), len(stage.tools["bill"].calls)) == (int(answer == "yes"), 1)
    assert same_again(stage)


def test_it_is_judged_when_the_deadline_of_the_last_call_has_passed() -> None:
    stage = shop(uses(CHEESE, REFUND), "Done.")
    assert judged(stage.say("cheese and a refund")) == []
    stage.clock.move_s(601)
    stage.tick()
    assert stage.state().node == "confirm"


def test_another_reply_is_judged_while_calls_of_an_earlier_one_wait() -> None:
    stage = shop(
        uses(CHEESE, REFUND),
        uses(BILL),
        "Billed.",
        "Done.",
        ways='{id: r, at: calls, when: tools.used("refund"), to: confirm}',
    )
    stage.say("cheese and a refund")
    turn = stage.say("the bill, please")
    assert (judged(turn), turn.node, len(turn.state.frame.to_judge)) == (["f"], "order", 1)
    (waiting,) = stage.state().waiting_calls
    turn = stage.approve(waiting.name, operator="Lena")
    assert (judged(turn), turn.node) == (["t"], "confirm")


@pytest.mark.law("6.10")
def test_it_waits_until_the_person_in_charge_gives_the_conversation_back() -> None:
    ways = '{id: refunded, at: calls, when: tools.used("refund"), to: confirm}'
    stage = shop(uses(CHEESE, REFUND), "Refunded.", ways=ways)
    stage.say("cheese and a refund")
    stage.take_over("Lena")
    (waiting,) = stage.state().waiting_calls
    turn = stage.approve(waiting.name, operator="Lena")
    assert (turn.node, judged(turn), turn.person is not None) == ("order", [], True)
    assert stage.operator_say("It is on its way.").node == "order"
    turn = stage.give_back()
    assert (turn.node, judged(turn), turn.text) == ("confirm", ["t"], "Refunded.")
    assert same_again(stage)


@pytest.mark.law("6.10")
@pytest.mark.parametrize("decides", ["yes", "no"])
def test_tool_is_judged_when_the_person_in_charge_gives_the_conversation_back(decides: str) -> None:
    ways = '{id: refunded, at: tool, when: tools.used("refund"), to: confirm}'
    stage = shop(uses(CHEESE, REFUND), "Refunded.", ways=ways)
    stage.say("cheese and a refund")
    stage.take_over("Lena")
    (waiting,) = stage.state().waiting_calls
    turn = (
        stage.approve(waiting.name, operator="Lena")
        if decides == "yes"
        else stage.decline(waiting.name, operator="Lena")
    )
    assert (turn.node, judged(turn, "tool"), turn.person is not None) == ("order", [], True)
    assert [one.reply for one in facts(turn, e.JudgingPlanned)] == ([""] if decides == "yes" else [])
    assert decode_state(encode_state(turn.state)) == turn.state
    assert stage.operator_say("It is on its way.").node == "order"
    turn = stage.give_back()
    assert (turn.node, judged(turn, "tool")) == (("confirm", ["t"]) if decides == "yes" else ("order", []))
    assert not turn.state.frame.waits_to_judge
    assert same_again(stage)


@pytest.mark.law("6.10")
def test_what_waits_to_be_judged_is_named_and_ends_with_the_visit() -> None:
    ways = '{id: refunded, at: tool, when: tools.used("refund"), to: confirm}, {id: other, when: seen.note != "", to: dear}'
    stage = shop(uses(CHEESE, REFUND), "Noted.", ways=ways)
    stage.say("cheese and a refund")
    stage.take_over("Lena")
    (waiting,) = stage.state().waiting_calls
    stage.approve(waiting.name, operator="Lena")
    assert "`tool` of order are judged when the person gives the conversation back" in str(
        stage.why("transition refunded")
    )
    turn = stage.give_back(transition="other")
    assert (turn.node, judged(turn, "tool"), turn.state.frame.waits_to_judge) == ("dear", [], False)
    assert same_again(stage)


def _failed_meanwhile(ways: str) -> Stage:
    """A shop where a refund failed while Lena was in charge."""
    stage = shop(uses(CHEESE, REFUND), "Sorry.", ways=ways, tools={"refund": FakeTool(ValueError("no money"))})
    stage.say("cheese and a refund")
    stage.take_over("Lena")
    (waiting,) = stage.state().waiting_calls
    turn = stage.approve(waiting.name, operator="Lena")
    assert (turn.node, judged(turn, "error"), judged(turn, "tool"), turn.person is not None) == ("order", [], [], True)
    assert [one.tool for one in facts(turn, e.ToolFailed)] == ["refund"]
    assert decode_state(encode_state(turn.state)) == turn.state
    return stage


BROKEN = (
    '{id: broken, at: error, when: error.tool == "refund" && error.kind == "tool" && error.message != "", to: sorry}'
)
USED = '{id: refunded, at: tool, when: tools.used("refund"), to: confirm}'
OTHER = '{id: other, when: seen.note != "", to: dear}'


@pytest.mark.law("6.10")
def test_a_failure_is_judged_when_the_person_in_charge_gives_the_conversation_back() -> None:
    stage = _failed_meanwhile(f"{BROKEN}, {USED}")
    errors = stage.state().errors
    assert "`error` of order are judged when the person gives the conversation back" in str(
        stage.why("transition broken")
    )
    assert stage.operator_say("I am looking into it.").node == "order"
    turn = stage.give_back()
    assert (turn.node, judged(turn, "error"), judged(turn, "tool")) == ("sorry", ["t"], [])
    assert (turn.state.errors, turn.state.frame.failed) == (errors, None)
    assert same_again(stage)
    stage.undo()
    assert stage.state().frame.failed is not None
    assert stage.give_back().node == "sorry"


@pytest.mark.law("6.10")
def test_a_failure_that_no_transition_takes_is_judged_as_a_use_of_the_tool() -> None:
    stage = _failed_meanwhile('{id: broken, at: error, when: error.tool == "bill", to: sorry}, ' + USED)
    turn = stage.give_back()
    assert (turn.node, judged(turn, "error"), judged(turn, "tool")) == ("confirm", ["f"], ["t"])
    assert same_again(stage)


@pytest.mark.law("6.10")
@pytest.mark.parametrize("ends", [False, True])
def test_a_failure_is_not_judged_where_the_person_chooses_what_follows(ends: bool) -> None:
    stage = _failed_meanwhile(f"{BROKEN}, {OTHER}")
    turn = stage.give_back(end="settled") if ends else stage.give_back(transition="other")
    assert (judged(turn, "error"), turn.state.frame.failed) == ([], None)
    assert turn.node == ("order" if ends else "dear")
    assert same_again(stage)


@pytest.mark.law("6.10")
def test_without_an_error_transition_nothing_is_planned() -> None:
    stage = _failed_meanwhile(OTHER)
    assert stage.state().frame.failed is None
    assert stage.give_back().node == "order"
    assert same_again(stage)


@pytest.mark.law("6.10")
def test_a_use_that_the_program_reports_moves_nothing_while_a_person_is_in_charge() -> None:
    stage = shop("Hello.", "Done.", ways='{id: stocked, at: tool, when: tools.used("stock"), to: confirm}')
    stage.say("hi")
    stage.take_over("Lena")
    turn = stage.tool_used("stock", {}, "many")
    assert (turn.node, judged(turn, "tool")) == ("order", [])
    assert stage.give_back().node == "confirm"
    assert same_again(stage)


def test_a_scope_that_a_call_opens_refuses_the_rest_and_is_closed_first() -> None:
    stage = shop(uses(CHEESE, "ask_mood", BILL), "How are you?", uses(made("finish_talk", word="fine")), "Noted.")
    turn = stage.say("cheese, and ask me")
    assert (turn.state.frame.node, judged(turn)) == ("talk/prompt", [])
    assert [(one.tool, one.reason) for one in facts(turn, e.CallRefused)] == [("bill", "dropped")]
    turn = stage.say("fine")
    assert (judged(turn), turn.node) == (["t"], "confirm")
    assert same_again(stage)


# undo, and processes that end in between -----------------------------------------------------------


def test_an_undo_takes_the_judging_back() -> None:
    stage = shop(uses(CHEESE, PAY), "Done.", "Paid.")
    stage.say("cheese, and pay")
    assert stage.say("no").node == "confirm"
    stage.undo()
    state = stage.state()
    assert (state.node, len(state.frame.to_judge), len(state.waiting_calls)) == ("order", 1, 1)
    turn = stage.say("yes")
    assert (turn.node, judged(turn), turn.text) == ("confirm", ["t"], "Paid.")
    stage.undo()  # what was paid is not asked again, so that no call waits and nothing is left to judge
    state = stage.state()
    assert (state.node, state.frame.to_judge, state.waiting_calls) == ("order", (), ())


def test_a_model_that_fails_after_the_move_has_not_undone_the_calls() -> None:
    stage = shop(uses(CHEESE, OLIVES), ProviderFailed("down"), "Back.")
    assert stage.say("both").node == "confirm"
    turn = stage.say("and?")
    assert (turn.node, turn.text, len(stage.tools["note"].calls)) == ("confirm", "Back.", 2)


LIFE = """
    import asyncio, os, signal, sqlite3, sys
    import turnwise as tw

    def is_recorded():
        db = sqlite3.connect(sys.argv[2].removeprefix("sqlite:///"))
        try:
            return db.execute("SELECT count(*) FROM claim").fetchone()[0] == 1
        finally:
            db.close()

    @tw.tool(kind="effect")
    def note(sort: str) -> str:
        print(sort, flush=True)
        return "noted"

    @tw.tool(kind="effect")
    async def bill(of: str = "") -> str:
        while not is_recorded():
            await asyncio.sleep(0.01)
        os.kill(os.getpid(), signal.SIGKILL)

    class Orders:
        async def reply(self, request):
            note, bill = tw.CallMade("note", {"sort": "cheese"}), tw.CallMade("bill", {})
            return tw.ModelReply("", calls=(note, bill, note))

    with tw.open_sync(tw.loads(open(sys.argv[1]).read()), store=sys.argv[2], model=Orders(), tools=[note, bill]) as app:
        app.chat("ada").say("two with cheese", key="order")
"""
KILLED = """
flow: killed
start: order
tools:
  note: {about: note a pizza, kind: effect, args: {sort: string}}
  bill: {about: write the bill, kind: effect, args: {of: {type: string, optional: true}}}
nodes:
  order: {prompt: Take it., tools: {allow: [note, bill]}, transitions: [{id: noted, at: calls, when: tools.used("note"), to: confirm}]}
  confirm: {prompt: Read it back.}
"""


class _Speaking:
    async def reply(self, request: tw.ModelRequest) -> tw.ModelReply:
        return tw.ModelReply(f"{request.node}: {sum(one.role == 'tool' for one in request.transcript)} results")


@pytest.mark.law("3.8")
def test_a_process_that_is_killed_between_two_calls_makes_the_rest_and_then_judges(tmp_path: Path) -> None:
    flow, store, life = tmp_path / "killed.flow.yaml", f"sqlite:///{tmp_path / 'talks.db'}", tmp_path / "life.py"
    flow.write_text(KILLED, "utf-8")
    life.write_text(dedent(LIFE), "utf-8")
    ran = subprocess.run(
        [sys.executable, life, flow, store],
        env=environment(),
        timeout=60,
        check=False,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert (ran.returncode, ran.stdout) == (-signal.SIGKILL, "cheese\n")
    done: list[str] = []

    @tw.tool(kind="effect")
    def note(sort: str) -> str:
        done.append(f"note {sort}")
        return "noted"

    @tw.tool(kind="effect")
    def bill(of: str = "") -> str:
        done.append(f"bill {of}".rstrip())
        return "billed"

    with tw.open_sync(tw.load(flow), store=store, model=_Speaking(), tools=[note, bill]) as app:
        chat = app.chat("ada")
        turn = chat.say("two with cheese", key="order")
        assert (done, turn.node, turn.text) == (["bill", "note cheese"], "confirm", "confirm: 3 results")
        assert [one.outcomes for one in turn.events if isinstance(one, e.Decided) and one.moment == "calls"] == ["t"]
        assert chat.rerun().agrees
