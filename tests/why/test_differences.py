"""The first decision in which two conversations differ, and the value that made it."""

from __future__ import annotations

import pytest

import turnwise as tw
from support.why_cases import Talk, gives
from turnwise.core.migration import Renaming
from turnwise.errors import UnknownConversation, UnknownTurn, WrongArgument
from turnwise.stores.memory import MemoryStore

FLOW = "examples/eligibility/eligibility.flow.yaml"
SAID = {
    "a": ("Yes", "Yes", "Referral"),
    "b": ("Yes", "No", "Referral", "Escalate"),
    "c": ("Yes", "No", "Billing"),
    "same": ("Yes", "Yes", "Referral"),
}


@pytest.fixture(scope="module")
def app() -> tw.SyncApp:
    app = tw.open_sync(FLOW)
    for name, texts in SAID.items():
        for text in texts:
            app.chat(name).say(text)
    return app


def test_the_value_that_made_the_difference_is_decisive(app: tw.SyncApp) -> None:
    answer = app.chat("a").compare("b")
    assert answer.line == "a went to expert by expert in turn 3, and b made no move"
    (value,) = answer.facts[1:]
    assert value.text == (
        "case.insurance_history is Yes (answered by the user, turn 2) in a, and No (answered by the user, turn 2) in b; "
        "with this value alone, the decision of b would have been the same: went to expert by expert"
    )
    assert [cause.causes[0].text for cause in value.causes] == ["the user said “Yes”", "the user said “No”"]
    assert [(cause.values["of"], value.values["shown"][at]) for at, cause in enumerate(value.causes)] == [
        ("a", "Yes"),
        ("b", "No"),
    ]
    assert [decision.taken for decision in answer.decisions] == ["expert", ""]


def test_the_same_from_the_other_side(app: tw.SyncApp) -> None:
    answer = app.chat("b").compare("a")
    assert answer.line == "b made no move, and a went to expert by expert in turn 3"
    assert (
        answer.facts[1].values["decides"]
        == "with this value alone, the decision of b would have been the same: went to expert by expert"
    )


def test_values_that_decide_only_together_are_named_as_such(app: tw.SyncApp) -> None:
    answer = app.chat("a").compare("c")
    assert {fact.values["field"]: fact.values["decides"] for fact in answer.facts[1:]} == {
        "case.insurance_history": "with all these values together, the decision of c would have been the same: went to expert by expert",
        "case.purpose": "with all these values together, the decision of c would have been the same: went to expert by expert",
    }


def test_equal_moves_are_said_with_the_fields_that_differ(app: tw.SyncApp) -> None:
    answer = app.chat("b").compare("c")
    assert answer.line == "b and c made the same moves: none"
    assert [fact.values["field"] for fact in answer.facts[1:]] == ["case.purpose", "case.on_failure"]
    assert [origin.values["of"] for origin in answer.facts[1].causes] == ["b", "c"]
    same = app.chat("a").compare("same")
    assert len(same.facts) == 1
    assert same.facts[0].values["shared"] == [
        {"node": "intake", "did": "went to expert by expert", "turn": 3, "other_turn": 3},
        {"node": "expert", "did": "ended in expert", "turn": 3, "other_turn": 3},
    ]


def test_a_fork_differs_from_its_origin(app: tw.SyncApp) -> None:
    fork = app.chat("a").fork("fork", turn=2)
    fork.say("Billing")
    answer = fork.compare("a")
    assert answer.line == "fork made no move, and a went to expert by expert in turn 3"
    assert answer.facts[1].values["field"] == "case.purpose"
    assert answer.facts[1].values["is_decisive"]


def test_two_turns_of_one_conversation_are_compared(app: tw.SyncApp) -> None:
    answer = app.chat("a").compare(turn=3, other_turn=2)
    assert answer.line == "turn 3 went to expert by expert in turn 3, and turn 2 made no move"


def test_the_values_are_those_at_the_end_of_the_turns_that_are_compared(app: tw.SyncApp) -> None:
    answer = app.chat("b").compare("c", turn=2, other_turn=2)
    assert answer.line == "b and c made the same moves: none"
    assert answer.facts[1:] == ()
    assert (answer.turn, answer.seq) == (2, app.chat("b").turn(2).entries[-1].seq)
    answer = app.chat("b").compare(turn=2, other_turn=1)
    assert [(fact.values["field"], fact.values["theirs"]) for fact in answer.facts[1:]] == [
        ("case.insurance_history", "not known")
    ]


def test_the_versions_are_those_of_the_turns_that_are_compared() -> None:
    """A conversation that moved to another version later was of the same one before."""
    text = "flow: f\nversion: {0}\nstart: a\nnodes: {{a: {{say: A{0}, transitions: [{{when: turns > 9, to: a}}]}}}}\n"
    store = MemoryStore()
    old, new = [tw.open_sync(tw.loads(text.format(number)), store=store) for number in (1, 2)]
    for name in ("moved", "stayed"):
        old.chat(name).say("hello")
    new.chat("moved").migrate()
    assert new.chat("moved").compare("stayed").facts[-1].kind == "versions_differ"
    assert len(new.chat("moved").compare("stayed", turn=1, other_turn=1).facts) == 1


def test_conversations_of_two_flows_have_nothing_to_compare() -> None:
    store = MemoryStore()
    first = tw.open_sync(FLOW, store=store)
    second = tw.open_sync("examples/health_intake/health_intake.flow.yaml", store=store)
    first.chat("a").say("Yes")
    second.chat("b").say("hello")
    answer = first.chat("a").compare("b")
    said = "a is a conversation of eligibility, and b of health_intake: two flows have no moves in common"
    assert [fact.text for fact in answer.facts] == [said]
    assert answer.facts[0].kind == "flows_differ"


def test_a_flow_that_was_changed_under_the_same_version_is_named_by_its_fingerprint() -> None:
    store = MemoryStore()
    text = "flow: one\nversion: 1\nstart: a\nnodes:\n  a: {say: %s}\n"
    with tw.open_sync(tw.loads(text % "Hello."), store=store) as old:
        old.chat("a").say("x")
    with tw.open_sync(tw.loads(text % "Good day."), store=store) as new:
        new.chat("b").say("x")
        words = [f"1 ({new.chat(name).state().fingerprint[:8]})" for name in "ab"]
        answer = new.chat("a").compare("b")
    assert answer.facts[-1].text == f"they run different versions of the flow: {words[0]} and {words[1]}"


def test_what_cannot_be_compared_is_refused(app: tw.SyncApp) -> None:
    with pytest.raises(UnknownConversation):
        app.chat("a").compare("nobody")
    with pytest.raises(UnknownTurn):
        app.chat("a").compare("b", turn=17)
    with pytest.raises(WrongArgument):
        app.chat("a").compare()
    with pytest.raises(WrongArgument, match="another conversation, or other_turn"):
        app.chat("a").compare("a", turn=2)


def test_where_no_value_differs_each_move_is_told_with_its_own_cause() -> None:
    text = """
flow: f
start: a
nodes:
  a:
    say: A.
    transitions:
      - {id: b, at: before, when: 'message.text == "b"', to: b}
      - {id: c, at: before, when: 'message.text == "c"', to: c}
  b: {say: B.}
  c: {say: C.}
"""
    app = tw.open_sync(tw.loads(text))
    for name in ("b", "c"):
        app.chat(name).start()
        app.chat(name).say(name)
    answer = app.chat("b").compare("c")
    needed = 'c did not take b: b did not hold, because it needs message.text == "b"'
    assert [fact.text for fact in answer.facts[1:]] == ["a → b by b", "a → c by c", needed]
    assert answer.facts[-1].kind == "not_taken"
    for fact, said in zip(answer.facts[1:3], ("the user said “b”", "the user said “c”"), strict=True):
        assert said in [one.text for one in fact.walk()]


VAULT = """
flow: vault
start: door
records:
  r: {code: {type: string, secret: true, about: code}, again: {type: string, about: code again}, city: string}
nodes:
  door: {prompt: Door., collect: [r], transitions: [{id: open, at: before, when: r.again == r.code, to: room}]}
  room: {prompt: Room.}
"""


def test_a_value_that_equals_a_secret_is_hidden_in_a_comparison() -> None:
    chat = Talk(VAULT, ["Well."] * 9).did("hi", gives(code="zebra")).chat
    other = chat.fork("other")
    gives(again="zebra")(chat)
    gives(again="zebras")(other)
    for answer in (chat.compare("other"), other.compare("main"), chat.compare(turn=2, other_turn=3)):
        assert "zebra" not in str(answer.to_dict())
        assert answer.fact("values_differ") is not None
        assert answer.line == answer.facts[0].text


def test_a_field_that_only_one_version_has_is_no_secret_in_a_comparison() -> None:
    store = MemoryStore()
    chat = Talk(VAULT, ["Well."] * 9, store=store).did("hi", gives(city="Oslo", code="zebra")).chat
    chat.fork("before")
    talk = Talk(VAULT.replace("city: string", "town: string"), ["Well."] * 9, store=store)
    assert talk.chat.migrate(Renaming(fields={"r.city": "r.town"})).conversations
    for one, other in (("main", "before"), ("before", "main")):
        answer = talk.app.chat(one).compare(other)
        told = "\n".join(fact.text for fact in answer.facts)
        assert f"r.town is {'Oslo' if one == 'main' else 'not known'}" in told
        assert f"r.city is {'Oslo' if one == 'before' else 'not known'}" in told
        assert "zebra" not in str(answer.to_dict())
