"""Seed 000: transfers as rules and as code, each decision explained, as the debug panel will show it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from msgspec.json import encode

import turnwise as tw
from support import code
from support.chats import INTAKE, candidate, flow_of, node_of, offline_chat, outcomes_of, scripted_chat, sets
from turnwise.api.open import Turn, check, load
from turnwise.flow.codec import flow_schema
from turnwise.flow.model import Flow
from turnwise.runner.transition_eval import payload_schema

COMPLETE = sets(user__name="Ada", user__age=45, user__tos_acknowledged=True)
RULES = ["ineligible_male", "too_young", "complete"]
VALIDATOR = Draft202012Validator(payload_schema())


def after(*commands: Any, flow: Flow | str | Path = INTAKE, guards: tuple[Any, ...] = ()) -> Turn:
    """The second turn of a conversation, in which these commands come."""
    with scripted_chat(flow, *guards) as chat:
        chat.start()
        return chat.commands(commands)


def payloads(turn: Turn) -> list[dict[str, Any]]:
    """What a debug panel gets of a turn, as JSON; each is valid by the published schema."""
    found: list[dict[str, Any]] = []
    for decision, evaluation in zip(turn.decisions, turn.evaluations, strict=True):
        line = {"type": "debug_transition_eval", "data": json.loads(encode(evaluation))}
        VALIDATOR.validate(line)
        assert (line["data"]["evaluatedRules"] is None) != (line["data"]["rawCode"] is None)
        assert line["data"]["decision"] == json.loads(encode(decision))
        found.append(line["data"])
    return found


def code_flow(**ways: str) -> str:
    """A flow whose introduction has a Python guard for each moment that is named."""
    transitions = "".join(f"      - {{at: {moment}, {way}}}\n" for moment, way in ways.items())
    return f"""
flow: in_code
start: introduction
records:
  user:
    name: string
    age: integer
    gender: {{type: choice, options: [female, male, other]}}
    tos_acknowledged: boolean
  symptoms:
    groups: {{type: list, of: string}}
nodes:
  introduction:
    prompt: Welcome.
    collect: [user]
    transitions:
{transitions}
  profiler:
    prompt: Symptoms.
    transitions: [{{at: after, when: size(symptoms.groups) >= 3, to: done}}]
  ineligible: {{say: Thank you., end: ineligible}}
  done: {{say: Done., end: completed}}
"""


def moving(target: str, rules: str) -> str:
    """A flow of three nodes with these transitions at `before` of the first one."""
    return f"""
flow: f
start: home
records: {{user: {{name: string, age: integer, note: string}}}}
nodes:
  home:
    prompt: Talk.
    collect: [user]
    transitions:
{rules}
  {target}: {{prompt: There.}}
  other: {{prompt: Elsewhere.}}
"""


@tw.guard
def enough(symptoms: Any) -> bool:
    """Three groups are done."""
    return len(symptoms.groups or []) >= 3


# why it stayed --------------------------------------------------------------------------------------


@pytest.mark.requirement("000-01")
def test_a_turn_without_a_move_is_explained_candidate_by_candidate() -> None:
    with offline_chat() as chat:
        turn = chat.say("hi")
        later = chat.explain(turn=1)
    assert node_of(turn) == "introduction"
    (before, after_) = turn.decisions
    assert later == turn.decisions
    assert outcomes_of(before) == {"ineligible_male": "unknown", "too_young": "unknown", "complete": "false"}
    assert all(one.verdict is not None and one.missing for one in before.candidates)
    assert (
        before.line
        == "stayed in introduction: 3 candidates, none held; nearest is → ineligible, which lacks user.gender"
    )
    assert after_.candidates == ()


@pytest.mark.requirement("000-07", "000-28", "000-18")
def test_a_man_is_ineligible_by_the_rule_for_men() -> None:
    with offline_chat() as chat:
        turn = chat.say("I am male")
    assert node_of(turn) == "ineligible"
    assert turn.decisions[0].taken == "ineligible_male"
    assert candidate(turn.decisions[0], "ineligible_male").action == "to"
    assert payloads(turn)[0]["evaluatedRules"]["pre"][0]["result"] == {"action": "transition", "target": "ineligible"}


@pytest.mark.requirement("000-08")
def test_an_age_under_38_is_ineligible_and_an_unknown_one_is_not() -> None:
    turn = after(*sets(user__age=37))
    assert node_of(turn) == "ineligible"
    assert turn.decisions[0].taken == "too_young"
    turn = after(*sets(user__name="Ada"))
    assert node_of(turn) == "introduction"
    assert outcomes_of(turn.decisions[0])["too_young"] == "unknown"


@pytest.mark.requirement("000-09")
@pytest.mark.parametrize("left_out", ["user.name", "user.age", "user.tos_acknowledged"])
def test_it_stays_while_something_is_missing_and_names_it(left_out: str) -> None:
    turn = after(*(one for one in COMPLETE if one.field != left_out))
    assert node_of(turn) == "introduction"
    complete = candidate(turn.decisions[0], "complete")
    assert complete.missing == (left_out,)
    assert [need.field for need in complete.needs[0]] == [left_out]
    assert f"which lacks {left_out}" in turn.decisions[0].line


@pytest.mark.requirement("000-10")
@pytest.mark.parametrize(("age", "node"), [(37, "ineligible"), (38, "profiler"), (39, "profiler")])
def test_38_itself_goes_on(age: int, node: str) -> None:
    assert node_of(after(*sets(user__name="Ada", user__age=age, user__tos_acknowledged=True))) == node


@pytest.mark.requirement("000-11", "000-39")
@pytest.mark.law("2.4")
def test_the_first_rule_wins_and_the_others_are_still_judged() -> None:
    turn = after(*sets(user__gender="male", user__age=25))
    decision = turn.decisions[0]
    assert decision.taken == "ineligible_male"
    assert outcomes_of(decision) == {"ineligible_male": "taken", "too_young": "outranked", "complete": "false"}
    assert candidate(decision, "too_young").by == "ineligible_male"
    pre = payloads(turn)[0]["evaluatedRules"]["pre"]
    assert [(row["id"], row["passed"]) for row in pre] == [
        ("ineligible_male", True),
        ("too_young", True),
        ("complete", False),
    ]


@pytest.mark.requirement("000-03", "000-45")
@pytest.mark.law("3.5")
def test_a_move_before_the_work_leaves_no_reply_of_the_node_and_keeps_its_evaluation() -> None:
    with scripted_chat(INTAKE, understood=[COMPLETE], replies=["from the profiler"]) as chat:
        turn = chat.say("I am Ada, 45, and I agree")
    assert node_of(turn) == "profiler"
    assert turn.text == "from the profiler"
    assert [(d.node, d.moment) for d in turn.decisions] == [
        ("introduction", "before"),
        ("profiler", "before"),
        ("profiler", "after"),
    ]
    assert [p["crewName"] for p in payloads(turn)] == ["introduction", "profiler", "profiler"]
    assert payloads(turn)[0]["didTransition"] is True


@pytest.mark.requirement("000-05", "000-29")
@pytest.mark.law("2.7", "3.3")
def test_a_one_time_stop_delivers_once_and_goes_on_with_the_next_message() -> None:
    with scripted_chat(INTAKE) as chat:
        chat.commands(COMPLETE)
        turn = chat.commands(sets(symptoms__groups=["a", "b", "c"]))
        assert node_of(turn) == "closing"
        assert turn.text.endswith("Thank you, Ada.")
        once = candidate(turn.decisions[-1], "once_farewell")
        assert (once.outcome, once.verdict) == ("taken", None)
        (row,) = payloads(turn)[-1]["evaluatedRules"]["post"]
        assert (row["id"], row["fields"], row["passed"]) == ("once_farewell", [], True)
        turn = chat.say("bye")
    assert turn.text == "Take care."
    assert turn.outcome == "completed"


@pytest.mark.requirement("000-14")
@pytest.mark.parametrize(
    ("groups", "outcome", "node"),
    [(None, "false", "profiler"), (["a", "b"], "false", "profiler"), (["a", "b", "c"], "taken", "closing")],
)
def test_the_size_of_a_list_that_is_absent_is_no_error(groups: list[str] | None, outcome: str, node: str) -> None:
    with scripted_chat(INTAKE) as chat:
        chat.commands(COMPLETE)
        turn = chat.commands(sets(symptoms__groups=groups) if groups else sets(user__name="Eve"))
    decided = next(d for d in turn.decisions if (d.node, d.moment) == ("profiler", "after"))
    assert outcomes_of(decided) == {"three_groups": outcome}
    assert node_of(turn) == node
    assert turn.warnings == ()


@pytest.mark.requirement("000-16")
@pytest.mark.law("2.9")
def test_a_move_may_write_and_moves_and_writes_are_in_one_step_or_not_at_all() -> None:
    with scripted_chat(INTAKE) as chat:
        chat.commands(COMPLETE)
        turn = chat.commands(sets(symptoms__groups=["a", "b", "c"]))
    assert turn.state is not None
    assert turn.state.values["symptoms.summary"].value == "three groups: 3"
    refused = moving(
        "there", "      - {when: has(user.name), to: there, set: {user.note: user.name, user.age: size(user.name) / 0}}"
    )
    turn = after(*sets(user__name="Ada"), flow=refused)
    assert node_of(turn) == "home"
    assert turn.state is not None
    assert "user.note" not in turn.state.values
    assert turn.state.status.reason == "write"  # type: ignore[union-attr]


# the actions ---------------------------------------------------------------------------------------------


@pytest.mark.requirement("000-17")
def test_any_node_may_have_rules() -> None:
    assert check(INTAKE) == []
    flow = load(INTAKE)
    assert {node.name: len(node.transitions) for node in flow.nodes if node.transitions} == {
        "introduction": 3,
        "profiler": 1,
    }


@pytest.mark.requirement("000-19")
@pytest.mark.law("2.5")
def test_stay_holds_and_nothing_after_it_is_judged() -> None:
    rules = """\
      - {id: hold, at: before, when: has(user.name), stay: true, priority: 1, because: not yet}
      - {id: go, at: before, when: has(user.name), to: there}
"""
    turn = after(*sets(user__name="Ada"), flow=moving("there", rules))
    assert node_of(turn) == "home"
    decision = turn.decisions[0]
    assert outcomes_of(decision) == {"hold": "taken", "go": "not_reached"}
    assert candidate(decision, "go").by == "judging ended at hold"
    assert decision.line == "held in home by hold: not yet"
    row = payloads(turn)[0]["evaluatedRules"]["pre"][0]
    assert row["result"] == {"action": "stay"}
    assert payloads(turn)[0]["didTransition"] is False


@pytest.mark.requirement("000-20")
@pytest.mark.law("2.5")
def test_block_says_its_text_does_no_work_and_keeps_the_fields() -> None:
    rules = "      - {id: no, at: before, when: user.age < 18, block: 'Only from 18, and you are {{ user.age }}.'}"
    with scripted_chat(moving("there", rules), replies=["hello"]) as chat:
        chat.start()
        turn = chat.commands(sets(user__age=12))
    assert turn.text == "Only from 18, and you are 12."
    assert node_of(turn) == "home"
    assert turn.state is not None
    assert turn.state.values["user.age"].value == 12
    assert (candidate(turn.decisions[0], "no").outcome, candidate(turn.decisions[0], "no").action) == ("taken", "block")
    assert len(turn.decisions) == 1
    row = payloads(turn)[0]["evaluatedRules"]["pre"][0]
    assert (row["passed"], row["result"]) == (True, {"action": "block"})
    assert payloads(turn)[0]["transitionTo"] is None


@pytest.mark.requirement("000-37")
@pytest.mark.law("2.4")
def test_the_lower_priority_number_comes_first_then_the_order_of_declaration() -> None:
    rules = """\
      - {id: ten, at: before, when: has(user.name), to: other, priority: 10}
      - {id: one, at: before, when: has(user.name), to: there, priority: 1}
      - {id: two, at: before, when: has(user.name), to: other, priority: 1}
"""
    turn = after(*sets(user__name="Ada"), flow=moving("there", rules))
    assert outcomes_of(turn.decisions[0]) == {"one": "taken", "two": "outranked", "ten": "outranked"}
    assert node_of(turn) == "there"


@pytest.mark.requirement("000-38")
@pytest.mark.law("2.2", "2.3")
def test_a_rule_for_after_does_not_fire_before() -> None:
    rules = "      - {id: late, at: after, when: has(user.name), to: there}"
    turn = after(*sets(user__name="Ada"), flow=moving("there", rules))
    assert [(d.node, d.moment, list(outcomes_of(d))) for d in turn.decisions[:2]] == [
        ("home", "before", []),
        ("home", "after", ["late"]),
    ]
    assert turn.said[0].text == "…"


@pytest.mark.requirement("000-24")
def test_a_rule_carries_a_sentence_about_itself() -> None:
    turn = after(*sets(user__gender="male"))
    assert candidate(turn.decisions[0], "ineligible_male").because == "user is male"
    assert turn.decisions[0].line == "introduction → ineligible by ineligible_male: user is male"
    assert [event.because for event in turn.events if type(event).__name__ == "Moved"] == ["user is male"]


@pytest.mark.requirement("000-25")
def test_a_number_changed_in_the_rules_changes_route_and_explanation_together() -> None:
    text = INTAKE.read_text("utf-8")
    assert node_of(after(*sets(user__name="Ada", user__age=39, user__tos_acknowledged=True))) == "profiler"
    changed = text.replace("user.age >= 38", "user.age >= 40").replace("user.age < 38", "user.age < 40")
    turn = after(*sets(user__name="Ada", user__age=39, user__tos_acknowledged=True), flow=changed)
    assert node_of(turn) == "ineligible"
    complete = candidate(turn.decisions[0], "complete")
    assert [(need.field, need.value, need.text) for need in complete.needs[0]] == [
        ("user.age", 40, "user.age >= 40 (is 39)")
    ]
    schema = flow_schema()
    assert {"at", "when", "because", "priority", "to", "stay", "block", "mirror"} <= set(
        schema["$defs"]["Transition"]["properties"]
    )


@pytest.mark.requirement("000-34")
def test_texts_compare_without_case_and_further_words_mean_an_option() -> None:
    for typed in ("MAN", "male", " Male ", "m"):
        turn = after(*sets(user__gender=typed))
        assert turn.state is not None
        assert turn.state.values["user.gender"].value == "male"
        assert node_of(turn) == "ineligible"
    folded = INTAKE.read_text("utf-8").replace('user.gender == "male"', 'user.gender.lower() == "male"')
    assert node_of(after(*sets(user__gender="MAN"), flow=folded)) == "ineligible"


@pytest.mark.requirement("000-35")
@pytest.mark.law("1.3")
def test_blank_text_is_missing_and_the_terms_must_be_agreed_to() -> None:
    turn = after(*sets(user__name="   ", user__age=45, user__tos_acknowledged=False))
    complete = candidate(turn.decisions[0], "complete")
    assert complete.outcome == "false"
    assert complete.missing == ("user.name",)
    assert {need.field: need.value for need in complete.needs[0]} == {
        "user.name": "x",
        "user.tos_acknowledged": True,
    }


@pytest.mark.requirement("000-36")
@pytest.mark.parametrize(
    ("said", "age"), [("I'm forty-five years old", 45), ("I am 45 years old", 45), ("I'm 45ish", 45), ("I am 38", 38)]
)
def test_a_number_is_found_in_a_sentence(said: str, age: int) -> None:
    with offline_chat() as chat:
        chat.start()
        turn = chat.say(said)
    assert turn.state is not None
    assert turn.state.values["user.age"].value == age


# on the wire ------------------------------------------------------------------------------------------------


@pytest.mark.requirement("000-30", "000-31", "000-40", "000-48", "000-54")
def test_a_rule_on_the_wire() -> None:
    turn = after(*sets(user__name="Ada"))
    (before, after_) = payloads(turn)
    pre = before["evaluatedRules"]["pre"]
    assert [row["id"] for row in pre] == RULES
    assert all(set(row) == {"id", "description", "fields", "passed", "result"} for row in pre)
    assert pre[0]["description"] == "user is male"
    assert pre[0]["fields"] == ["gender"]
    assert set(pre[2]["fields"]) == {"name", "age", "tos_acknowledged"}
    assert {row["result"]["action"] for row in pre} == {"transition"}
    assert before["evaluatedRules"]["post"] == []
    assert [row["id"] for row in after_["evaluatedRules"]["pre"]] == RULES


@pytest.mark.requirement("000-51")
def test_a_payload_says_where_it_was_and_where_it_went() -> None:
    stayed, moved = payloads(after(*sets(user__name="Ada")))[0], payloads(after(*COMPLETE))[0]
    assert (stayed["crewName"], stayed["didTransition"], stayed["transitionTo"]) == ("introduction", False, None)
    assert (moved["crewName"], moved["didTransition"], moved["transitionTo"]) == ("introduction", True, "profiler")


@pytest.mark.requirement("000-52")
def test_collected_fields_have_the_values_of_this_very_turn() -> None:
    with offline_chat() as chat:
        chat.start()
        turn = chat.say("I'm 45")
    assert payloads(turn)[0]["collectedFields"] == {"age": "45"}
    assert payloads(turn)[0]["decision"]["moment"] == "before"


@pytest.mark.requirement("000-53")
def test_the_snapshot_holds_the_other_values_that_the_candidates_read() -> None:
    of = INTAKE.read_text("utf-8").replace("    collect: [symptoms.groups]\n", "")
    with scripted_chat(of) as chat:
        chat.commands(COMPLETE)
        turn = chat.commands(sets(symptoms__groups=["emotional"]))
    decided = payloads(turn)[-1]
    assert decided["contextSnapshot"] == {"symptoms.groups": ["emotional"]}
    assert "groups" not in decided["collectedFields"]
    assert decided["evaluatedRules"]["post"][0]["fields"] == ["groups"]


@pytest.mark.requirement("000-56")
@pytest.mark.law("2.4")
def test_a_program_gets_the_evaluation_as_data_the_same_as_would_be_sent() -> None:
    with scripted_chat(INTAKE) as chat:
        chat.start()
        turn = chat.commands(sets(user__age=45))
        later = chat.explain()
    assert later == turn.decisions
    line = turn.debug_events[0]
    assert line.type == "debug_transition_eval"
    assert line.data.decision == turn.decisions[0]
    assert [evaluation.decision for evaluation in turn.evaluations] == list(turn.decisions)


@pytest.mark.requirement("000-55")
def test_every_payload_is_valid_by_the_published_schema() -> None:
    Draft202012Validator.check_schema(payload_schema())
    assert payload_schema()["$defs"]["TransitionEval"]["required"] == [
        "crewName",
        "transitionTo",
        "didTransition",
        "hasStructuredRules",
        "evaluatedRules",
        "rawCode",
        "collectedFields",
        "contextSnapshot",
        "decision",
    ]
    seen: list[dict[str, Any]] = []
    with offline_chat() as chat:
        for line in ("hi", "I am Ada", "I'm 45", "I agree to the terms", "a, b and c", "bye"):
            seen += payloads(chat.say(line))
    for flow, guards in (
        (code_flow(before="guard: route"), (code.route,)),
        (code_flow(before="guard: route", after="guard: enough, to: done"), (code.route, enough)),
        (code_flow(before="guard: route", after="when: has(user.name), to: done"), (code.route,)),
    ):
        for values in (sets(), COMPLETE, sets(user__age=12), sets(user__gender="male")):
            seen += payloads(after(*values, flow=flow, guards=guards))
    assert len(seen) > 25
    wrong = {"type": "debug_transition_eval", "data": {**seen[0], "didTransition": "yes"}}
    assert not VALIDATOR.is_valid(wrong)


@pytest.mark.requirement("000-78")
def test_the_two_printed_rules_route_as_printed() -> None:
    rules = """\
      - id: ineligible_male
        at: before
        when: user.gender == "male"
        because: User is male
        to: ineligible
        priority: 1
      - id: eligible_fields_complete
        at: before
        when: has(user.name) && has(user.age) && user.tos_acknowledged && user.age >= 38
        because: Name, age, and ToS collected, age >= 38
        to: profiler
        priority: 10
"""
    text = INTAKE.read_text("utf-8")
    first, last = text.index("      - {id: ineligible_male"), text.index("  profiler:")
    flow = (
        text[:first]
        + rules.replace("because: Name", 'because: "Name').replace(">= 38\n        to: p", '>= 38"\n        to: p')
        + text[last:]
    )
    rows = {
        values: payloads(after(*commands, flow=flow))[0]
        for values, commands in {
            "male": sets(user__gender="man"),
            "complete": COMPLETE,
            "young": sets(user__name="Ada", user__age=37, user__tos_acknowledged=True),
            "nothing": (),
        }.items()
    }
    assert {values: payload["transitionTo"] for values, payload in rows.items()} == {
        "male": "ineligible",
        "complete": "profiler",
        "young": None,
        "nothing": None,
    }
    first_row, second_row = rows["nothing"]["evaluatedRules"]["pre"]
    assert first_row == {
        "id": "ineligible_male",
        "description": "User is male",
        "fields": ["gender"],
        "passed": False,
        "result": {"action": "transition", "target": "ineligible"},
    }
    assert second_row == {
        "id": "eligible_fields_complete",
        "description": "Name, age, and ToS collected, age >= 38",
        "fields": ["name", "age", "tos_acknowledged"],
        "passed": False,
        "result": {"action": "transition", "target": "profiler"},
    }
    priorities = {c["id"]: c["priority"] for c in rows["nothing"]["decision"]["candidates"]}
    assert priorities == {"ineligible_male": 1, "eligible_fields_complete": 10}


# code --------------------------------------------------------------------------------------------------------


@pytest.mark.requirement("000-02", "000-26", "000-41", "000-47")
def test_a_flow_of_code_alone_runs_and_shows_its_source() -> None:
    flow = code_flow(before="guard: route")
    turn = after(*sets(user__gender="male"), flow=flow, guards=(code.route,))
    assert node_of(turn) == "ineligible"
    told = turn.decisions[0].candidates[0].code
    assert told is not None
    assert told.source == code.route.source
    assert told.returned == "ineligible"
    payload = payloads(turn)[0]
    assert payload["hasStructuredRules"] is False
    assert payload["evaluatedRules"] is None
    assert payload["rawCode"]["pre"] == code.route.source
    assert payload["transitionTo"] == "ineligible"
    assert payloads(after(*sets(user__name="Ada")))[0]["hasStructuredRules"] is True


@pytest.mark.requirement("000-27", "000-50")
def test_one_flow_mixes_nodes_of_rules_of_code_and_of_both() -> None:
    flow = code_flow(before="guard: route")
    assert "size(symptoms.groups) >= 3" in flow
    turn = after(*COMPLETE, flow=flow, guards=(code.route,))
    modes = {payload["crewName"]: payload["hasStructuredRules"] for payload in payloads(turn)}
    assert modes == {"introduction": False, "profiler": True}
    both = code_flow(before="guard: route", after="when: has(user.name), to: done")
    payload = payloads(after(*sets(user__name="Ada"), flow=both, guards=(code.route,)))[0]
    assert payload["hasStructuredRules"] is True
    assert payload["rawCode"] is None
    assert [c["code"]["name"] for c in payload["decision"]["candidates"]] == ["route", "route"]
    assert [row["id"] for row in payload["evaluatedRules"]["post"]] == ["to_done"]


@pytest.mark.requirement("000-49")
def test_the_code_of_each_moment_and_null_where_there_is_none() -> None:
    only_pre = payloads(after(flow=code_flow(before="guard: route"), guards=(code.route,)))[0]["rawCode"]
    assert only_pre["pre"].startswith("def route(")
    assert only_pre["post"] is None
    both = code_flow(before="guard: route", after="guard: enough, to: done")
    found = payloads(after(flow=both, guards=(code.route, enough)))[0]["rawCode"]
    assert found["post"].startswith("def enough(symptoms: Any) -> bool:\n")
    no_ways = payloads(after(*sets(user__age=40), flow=moving("there", "      []")))[0]
    assert no_ways["rawCode"] == {"pre": None, "post": None}


@pytest.mark.requirement("000-15", "000-69")
def test_the_values_that_code_reads_from_another_record_are_told() -> None:
    flow = code_flow(after="guard: enough, to: done")
    turn = after(*sets(symptoms__groups=["emotional"]), flow=flow, guards=(enough,))
    assert node_of(turn) == "introduction"
    decided = turn.decisions[-1].candidates[0]
    assert decided.code is not None
    assert decided.code.reads == {"symptoms.groups": ["emotional"]}
    assert payloads(turn)[-1]["contextSnapshot"] == {"symptoms.groups": ["emotional"]}
    turn = after(*sets(symptoms__groups=["a", "b", "c"]), flow=flow, guards=(enough,))
    assert turn.outcome == "completed"


def test_the_code_flow_of_these_tests_has_no_problems() -> None:
    filled = code_flow(before="guard: route").replace("prompt: Symptoms.", "prompt: Symptoms.\n    collect: [symptoms]")
    assert check(flow_of(filled), [code.route]) == []
