"""Ways forward: each was run by the machine, and leads a real conversation to where it says."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec import convert

import turnwise as tw
from support.chats import flow_of
from support.tools import FakeTool
from turnwise.core.state import events as e
from turnwise.core.state.commands import Set
from turnwise.errors import UnknownSubject, UnknownTurn
from turnwise.runner.clocks import ManualClock
from turnwise.why.ways import MOST_STEPS, ways_to
from turnwise.why.ways.targets import Target

EXAMPLES = "examples/{0}/{0}.flow.yaml"
REACHED = [
    ("eligibility", "expert", 1),
    ("eligibility", "handed_over", 6),
    ("health_intake", "profiler", 1),
    ("health_intake", "closing", 2),
    ("health_intake", "farewell", 3),
    ("health_intake", "ineligible", 1),
    ("thinking_partner", "planning_mode", 1),
    ("thinking_partner", "review", 3),
]


def submit(chat: tw.SyncChat, act: dict[str, Any]) -> None:
    """Do one act of a way in a real conversation."""
    match convert(act["event"], e.OutsideEvent):
        case e.UserSaid(text):
            chat.say(text)
        case e.UserChose(value):
            chat.choose(value)
        case e.Commands(commands):
            chat.commands(commands)
        case e.ToolUsed(tool):
            chat.tool_used(tool)
        case other:
            raise AssertionError(other)


@pytest.mark.parametrize(("flow", "node", "steps"), REACHED)
def test_the_first_way_leads_a_real_conversation_there(flow: str, node: str, steps: int) -> None:
    chat = tw.open_sync(EXAMPLES.format(flow)).chat("a")
    chat.start()
    way = chat.ways_to(node).facts[0]
    assert way.kind == "way"
    assert way.values["count"] == steps
    for act in way.values["acts"]:
        submit(chat, act)
    entered = [move.event.target for move in chat.journal() if isinstance(move.event, e.Moved)]
    assert node in entered


def test_no_shorter_way_exists() -> None:
    """With fewer steps allowed, the search through all states finds none."""
    chat = tw.open_sync(EXAMPLES.format("eligibility")).chat("a")
    turn = chat.start()
    found = ways_to(turn.machine, turn.state, Target("node", "handed_over"), 5)
    assert found.ways == ()
    assert found.reason == "none was found within 5 steps"


def test_a_way_names_what_it_supposes_of_the_model() -> None:
    chat = tw.open_sync(EXAMPLES.format("context_machine")).chat("a")
    chat.start()
    answer = chat.ways_to("complete")
    assert answer.line == ("say anything: leads to complete, if the model calls write_config with result = x")


NONE = [
    ("intake", "no way to intake was found: intake is in charge already"),
    ("expert", "no way to expert was found: the conversation has ended (expert): only an undo goes on"),
]


@pytest.mark.parametrize(("node", "line"), NONE)
def test_where_there_is_no_way_the_reason_is_said(node: str, line: str) -> None:
    chat = tw.open_sync(EXAMPLES.format("eligibility")).chat("a")
    chat.start()
    if node == "expert":
        for text in ("Yes", "Yes", "Referral"):
            chat.say(text)
    answer = chat.ways_to(node)
    assert (answer.line, answer.read_as) == (line, f"how a gets to {node}")


def test_ways_from_a_past_turn_lead_a_fork_there() -> None:
    """At its end a conversation has no way; from a turn before, a fork goes another one."""
    with tw.open_sync(EXAMPLES.format("eligibility")) as app:
        chat = app.chat("a")
        chat.start()
        for text in ("Yes", "Yes", "Referral"):
            chat.say(text)
        answer = chat.ways_to("handed_over", turn=3)
        assert (answer.turn, answer.read_as) == (3, "how a gets from intake to handed_over, from the end of turn 3")
        fork = chat.fork("b", turn=3)
        for act in answer.facts[0].values["acts"]:
            submit(fork, act)
        assert fork.state().node == "handed_over"
        with pytest.raises(UnknownTurn):
            chat.ways_to("handed_over", turn=9)


def test_a_turn_that_is_erased_has_no_ways() -> None:
    with tw.open_sync(EXAMPLES.format("eligibility"), clock=(clock := ManualClock(0))) as app:
        chat = app.chat("a")
        chat.start()
        chat.say("Yes")
        clock.move_s(2 * 86_400)
        chat.say("Yes")
        app.retain(tw.Retention(events_days=1))
        assert [fact.kind for fact in chat.ways_to("expert", turn=1).facts] == ["erased"]


def test_an_unreachable_node_is_proved_unreachable() -> None:
    flow = tw.loads("""
flow: walls
version: 1
start: a
nodes:
  a: {say: Hello., transitions: [{to: b, when: message.text == "b"}]}
  b: {say: Here., transitions: [{to: b2, when: message.text == "c"}]}
  b2: {say: There.}
  alone: {say: Nobody comes here., transitions: [{to: a, when: message.text == "a"}]}
""")
    chat = tw.open_sync(flow).chat("a")
    chat.start()
    assert chat.ways_to("alone").line == "no way to alone was found: no transitions lead from a to alone"
    assert chat.ways_to("b2").facts[0].values["steps"] == "say “b”, then say “c”"
    with pytest.raises(UnknownSubject, match="did you mean 'alone'"):
        chat.ways_to("alona")


def test_nothing_is_stored_by_a_search() -> None:
    chat = tw.open_sync(EXAMPLES.format("health_intake")).chat("a")
    chat.start()
    before = chat.journal()
    chat.ways_to("farewell", most_steps=MOST_STEPS)
    assert chat.journal() == before


VAULT = """
flow: vault
start: door
records: {client: {pin: {type: string, secret: true}, name: string}}
nodes:
  door:
    prompt: Talk.
    collect: [client.pin, client.name]
    transitions: [{id: open, to: inside, when: 'client.pin == "432143" && client.name == "Bob"'}]
  inside: {say: Come in., end: done}
"""


def test_a_way_shows_no_secret_that_the_flow_asks_for() -> None:
    chat = tw.open_sync(flow_of(VAULT), model=tw.ScriptedModel(["Hello."] * 9)).chat("a")
    chat.start()
    answer = chat.ways_to("inside")
    assert answer.facts[0].kind == "way", answer.facts
    assert "client.pin with [secret]" in answer.facts[0].text
    assert "432143" not in json.dumps(answer.to_dict(), default=str)


DERIVED = """
flow: derived
start: door
records:
  client:
    pin: {type: string, secret: true}
    years: {type: integer, min: 0}
    known: {type: boolean, value: client.pin == "432143"}
    months: {type: integer, value: client.years * 12}
    older: {type: boolean, value: client.months > 400}
nodes:
  door:
    prompt: Talk.
    collect: [client.pin, client.years]
    transitions: [{id: open, to: inside, when: GUARD}]
  inside: {say: Come in., end: done}
"""


@pytest.mark.parametrize(("guard", "field"), [("client.known", "client.pin"), ("client.older", "client.years")])
def test_a_way_leads_through_what_a_derived_field_is_computed_from(guard: str, field: str) -> None:
    chat = tw.open_sync(flow_of(DERIVED.replace("GUARD", guard)), model=tw.ScriptedModel(["Hello."] * 9)).chat("a")
    chat.start()
    answer = chat.ways_to("inside")
    assert answer.facts[0].values["steps"].startswith(f"answer {field} with"), answer.facts
    assert "432143" not in json.dumps(answer.to_dict(), default=str)


SECRETS = """
flow: s
version: 1
start: ask
language: en
records: {c: {pin: {type: string, secret: true}, again: {type: string, secret: true}, note: string}}
nodes:
  ask: {prompt: Ask., collect: [c], transitions: [{id: same, at: before, when: GUARD, to: ok}]}
  ok: {prompt: Ok.}
"""


def test_either_of_two_secrets_that_are_compared_is_enough() -> None:
    chat = tw.open_sync(tw.loads(SECRETS.replace("GUARD", "c.again == c.pin"))).chat("a")
    chat.commands([Set(field="c.pin", value="9876"), Set(field="c.again", value="5432")])
    line = chat.why("same").line
    assert line == "same did not hold, because it needs c.again to be another value or c.pin to be another value"
    ways = [fact.text for fact in chat.ways_to("ok").facts]
    assert ways == ["answer c.again with [secret]: leads to ok", "answer c.pin with [secret]: leads to ok"]
    assert not any(told in str(chat.ways_to("ok").to_dict()) for told in ("9876", "5432"))


def test_no_way_shows_a_secret_in_a_field_that_is_compared_with_it() -> None:
    chat = tw.open_sync(tw.loads(SECRETS.replace("GUARD", "c.note == c.pin"))).chat("a")
    chat.commands([Set(field="c.pin", value="9876"), Set(field="c.note", value="x")])
    assert "9876" not in str(chat.ways_to("ok").to_dict())
    assert "9876" not in str(chat.why("same").to_dict())


CLAIM = """
flow: claim
start: a
records:
  claim: {policy: string, amount: {type: integer, min: 1}}
  policy: {limit: integer, active: boolean, code: {type: string, secret: true}, twice: {type: integer, value: policy.limit * 2}}
tools: {find_policy: {about: looks a policy up}}
nodes:
  a:
    form: {fields: [{field: claim.policy, ask: Which?}, {field: claim.amount, ask: How much?}]}
    transitions: [{to: look}]
  look:
    tool: {name: find_policy, into: policy}
    transitions:
      - {id: failed, at: error, to: sorry}
      - {id: large, when: claim.amount > policy.limit, to: review}
      - {id: inactive, when: policy.active == false, to: sorry}
      - {id: pay, to: payout}
  review: {person: {queue: x}, transitions: [{id: ok, when: person.outcome == "yes", to: payout}, {to: sorry}]}
  payout: {say: Paid., end: paid}
  sorry: {say: Sorry., end: sorry}
"""


def ways_of(text: str, node: str) -> list[dict[str, Any]]:
    """The values of the ways from the start of a flow to a node."""
    chat = tw.open_sync(flow_of(text), tools={"find_policy": FakeTool({})}).chat("a")
    chat.start()
    return [fact.values for fact in chat.ways_to(node).facts]


@pytest.mark.parametrize(
    ("node", "supposed"),
    [
        ("payout", "find_policy returns limit = 1, active = true"),
        ("review", "find_policy returns limit = 0, active = true"),
        ("sorry", "find_policy returns limit = 1, active = false"),
    ],
)
def test_the_first_way_supposes_what_a_tool_returns_that_the_rules_read(node: str, supposed: str) -> None:
    first, *others = ways_of(CLAIM, node)
    assert (first["if"], first["failing"]) == (supposed, "")
    assert all(other["failing"] for other in others)


def test_a_way_over_a_failure_comes_after_a_longer_one_and_is_marked() -> None:
    text = CLAIM.replace("{id: failed, at: error, to: sorry}", "{id: failed, at: error, to: payout}").replace(
        "{id: pay, to: payout}", "{id: pay, to: more}"
    )
    text += "  more: {say: More., transitions: [{when: message.text == 'go', to: payout}]}\n"
    first, *others = ways_of(text, "payout")
    assert (first["failing"], first["if"]) == ("", "find_policy returns limit = 1, active = true")
    failing = [one for one in others if one["failing"]]
    assert failing
    assert all(one["count"] < first["count"] for one in failing)


def test_a_node_that_only_a_failure_leads_to_has_that_way() -> None:
    text = CLAIM.replace(
        "{id: inactive, when: policy.active == false, to: sorry}", "{id: inactive, when: false, to: sorry}"
    )
    text = text.replace("{to: sorry}]}", "{to: payout}]}")
    (way,) = ways_of(text, "sorry")
    assert (way["if"], way["failing"]) == ("find_policy fails", "it leads over a failure")


def test_a_result_that_nothing_reads_is_no_failure_and_a_secret_one_is_hidden() -> None:
    plain = CLAIM.replace("tool: {name: find_policy, into: policy}", "tool: find_policy")
    assert (first := ways_of(plain, "payout")[0])["if"] == "find_policy returns nothing"
    assert not first["failing"]
    secret = CLAIM.replace("policy.active == false", 'policy.code == "432143"')
    for node in ("sorry", "payout"):
        ways = ways_of(secret, node)
        assert "code = [secret]" in ways[0]["if"]
        assert "432143" not in json.dumps(ways, default=str)


def test_a_derived_field_of_a_result_is_reached_by_what_it_is_computed_from() -> None:
    first = ways_of(CLAIM.replace("claim.amount > policy.limit", "policy.twice > 100"), "review")[0]
    assert first["if"].startswith("find_policy returns limit = ")
    assert not first["failing"]


def test_a_result_that_one_field_takes_is_supposed_as_its_value() -> None:
    text = CLAIM.replace("into: policy}", "into: policy.limit}").replace("policy.active == false", "false")
    first, *_ = ways_of(text, "review")
    assert (first["if"], first["failing"]) == ("find_policy returns limit = 0", "")
