"""Why an undo changed nothing, and where a conversation comes from."""

from __future__ import annotations

from pathlib import Path

import pytest

import turnwise as tw
from support.chats import flow_of
from turnwise.models.scripted import ScriptedModel, call

CASE = "examples/eligibility/eligibility.flow.yaml"
MACHINE = "examples/context_machine/context_machine.flow.yaml"
FIRST = "because the conversation began with turn 1, and there is no state before it"
AGAIN = "because the conversation is at the end of its first turn again, and there is no state before it"
RUN = "because an undo takes back a whole run, and the run began with the conversation"
NOTHING_BEFORE = "There is nothing before this to which I could go back."
SHOP = """
flow: shop
version: 1
start: a
language: {language}
tools: {{pay: {{about: pays, kind: effect}}}}
nodes: {{a: {{prompt: Talk., tools: {{allow: [pay]}}}}}}
"""


def case(*texts: str) -> tw.SyncChat:
    chat = tw.open_sync(CASE).chat("a")
    for text in texts:
        chat.say(text)
    return chat


@pytest.mark.parametrize("words", ["undo", ""])
def test_an_undo_without_an_earlier_state_says_what_bounds_it(words: str) -> None:
    chat = case("hello")
    chat.say(words) if words else chat.undo()
    for question in ("turn", "2"):
        answer = chat.why(question)
        assert answer.line == f"the undo changed nothing, {FIRST}; the reply was “There is nothing to undo.”"
        assert answer.facts[0].kind == "undo_refused"
        assert answer.plain == NOTHING_BEFORE


def test_an_undo_of_everything_cannot_go_further() -> None:
    chat = case("hello", "Yes")
    chat.undo()
    chat.undo()
    assert AGAIN in chat.why("turn").line
    assert [fact.text for fact in chat.why("turn").facts[0].causes] == ["an undo was asked for"]


def test_an_undo_does_not_stop_within_a_run() -> None:
    chat = tw.open_sync(MACHINE, model=ScriptedModel([call("write_config", set={"result": "done"}), "Done."])).chat("a")
    chat.start()
    chat.run()
    chat.undo()
    assert RUN in chat.why("conversation").line
    assert "the run does not go on by itself, because the conversation has ended" in {
        fact.text for fact in chat.why("turn").facts
    }


def test_an_undo_past_what_is_erased_names_the_erasure() -> None:
    clock = tw.ManualClock(1_767_225_600_000)
    app = tw.open_sync(CASE, clock=clock)
    chat = app.chat("a")
    for text in ("hello", "Yes"):
        chat.say(text)
    clock.move_s(10 * 86_400)
    chat.say("No")
    app.retain(tw.Retention(events_days=5))
    chat.undo(to=1)
    answer = chat.why("turn")
    assert "because the state of the end of turn 1 cannot be restored" in answer.line
    assert "turn 1 was erased by retention" in answer.facts[0].causes[-1].text
    assert answer.plain == "There is nothing to undo."


def test_an_undo_past_a_migration_names_it() -> None:
    document = Path(CASE).read_text("utf-8")
    store = tw.MemoryStore()
    with tw.open_sync(tw.loads(document), store=store) as app:
        app.chat("a").say("hello")
    with tw.open_sync(tw.loads(document.replace("version: 1", "version: 2")), store=store) as app:
        app.migrate()
        chat = app.chat("a")
        chat.undo(to=1)
        assert chat.why("turn").facts[0].causes[-1].kind == "migrated"
        assert "migrated" in {fact.kind for fact in chat.why("origin").facts}
        assert chat.why("conversation").fact("migrated") is not None


def test_a_copy_says_of_what_it_is_one_and_since_when() -> None:
    clock = tw.ManualClock(1_767_225_600_000)
    app = tw.open_sync(CASE, clock=clock)
    chat = app.chat("a")
    for text in ("hello", "Yes", "Yes", "Billing"):
        chat.say(text)
    clock.move_s(60)
    copy = chat.fork("b", turn=3)
    copied = "everything before was copied from the conversation a, up to turn 3, at 2026-01-01 00:01:00 UTC"
    for text in ("", "Referral"):
        if text:
            copy.say(text)
        answer = copy.why("origin")
        assert answer.line.startswith(copied)
        assert answer.plain == "This conversation is a copy of another one."
        assert copied in copy.why("conversation").facts[1].text
    assert copy.why("3").line == chat.why("3").line


def test_a_copy_of_long_ago_is_found_by_its_position() -> None:
    app = tw.open_sync(CASE)
    app.chat("a").say("hello")
    copy = app.chat("a").fork("b")
    for _ in range(400):
        copy.say("help")
    assert copy.why("origin").line.startswith("everything before was copied from the conversation a, up to turn 1")


def test_a_conversation_of_its_own_says_so() -> None:
    answer = case("hello").why("origin")
    assert answer.facts[0].kind == "began_here"
    assert answer.line.startswith("the conversation is no copy: it began at ")
    assert answer.line.endswith("in intake with version 1 of the flow eligibility")


def test_a_copy_stays_one_after_an_undo_to_before_it_was_made() -> None:
    def pay() -> str:
        return "paid"

    plan = ["Hi.", "Hi.", call("pay"), "Well."]
    app = tw.open_sync(flow_of(SHOP.format(language="en")), tools=[pay], model=ScriptedModel(plan))
    chat = app.chat("a")
    chat.say("hello")
    chat.say("again")
    copy = chat.fork("b")
    copy.undo(to=1)
    copy.say("pay")
    assert "fork" in copy.why("pay").line
    assert copy.why("origin").line.startswith("everything before was copied from the conversation a, up to turn 2")


def test_the_user_is_told_in_german_that_nothing_comes_before() -> None:
    chat = tw.open_sync(flow_of(SHOP.format(language="de"))).chat("a")
    chat.say("hallo")
    chat.undo()
    assert chat.why("turn").plain == "Davor gibt es nichts, wohin ich zurückgehen könnte."
    assert chat.fork("b").why("origin").plain == "Dieses Gespräch ist eine Kopie eines anderen."


@pytest.mark.parametrize("subject", ["4", "message 4"])
def test_a_turn_that_was_undone_later_says_so_behind_its_own_facts(subject: str) -> None:
    chat = case("hello", "Yes", "Yes", "Referral")
    chat.undo()
    answer = chat.why(subject)
    assert answer.turn == 4
    undone = "the state of the end of turn 3 was restored, which took back case.purpose = Referral and the move"
    assert answer.fact("turn_undone").text == f"{undone} intake → expert"
    assert answer.facts[0].kind != "turn_undone"
    assert "turn_undone" not in {fact.kind for fact in chat.why("3").facts}
