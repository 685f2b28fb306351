"""Random walks into scopes and out of them: everything can be asked about after each turn, and no answer is untrue."""

from __future__ import annotations

import os
from random import Random

import pytest

import turnwise as tw
from support.chats import NOON_MS, flow_of
from turnwise.core.explain.now import MOMENTS
from turnwise.core.machine import Machine
from turnwise.core.state import events as e
from turnwise.core.state.in_charge import visited_nodes
from turnwise.drawing.build import graph_of
from turnwise.drawing.path import Walk, path_over_graph
from turnwise.runner.clocks import ManualClock
from turnwise.testing.coverage import Coverage
from turnwise.why.answer import Fact
from turnwise.why.names import subjects

WALKS = 200 if os.environ.get("TURNWISE_SOAK") == "1" else 8
STEPS = 9
FLOW = """
flow: school
start: talk
language: en
commands: [cancel, undo, why, {start: [survey]}]
limits: {frames: 3}
records:
  user: {name: string}
  feedback: {mood: {type: choice, options: [good, bad]}, text: string}
  result: {score: integer}
transitions: [{id: failed, at: error, to: sorry}]
nodes:
  talk:
    prompt: Talk.
    transitions:
      - {id: asks, at: before, when: 'message.text.contains("quiz")', call: quiz, with: {topic: user.name}}
      - {id: enters, at: before, when: 'message.text.contains("lesson")', to: lesson}
  sorry: {say: Sorry., once: talk}
  lesson:
    scope: {start: one, nodes: {one: {say: One., once: two}, two: {say: Two., end: taught}}}
    transitions:
      - {id: taught, at: after, when: scope.outcome == "taught", to: talk}
      - {id: broken, at: after, to: sorry}
  survey:
    title: feedback
    scope:
      inherits: [user, message]
      returns: feedback
      summary: "Feedback: {{ feedback.mood }}"
      limits: {turns: 3, idle: 30m}
      start: ask
      nodes:
        ask:
          form: {fields: [{field: feedback.mood, ask: How was it?}]}
          transitions:
            - {id: deeper, at: after, when: feedback.mood == "bad", to: detail}
            - {id: fine, at: after, end: fine}
        detail:
          scope: {returns: feedback}
          form: {fields: [{field: feedback.text, ask: What was bad?}]}
          transitions: [{id: back, at: after, when: scope.outcome == "completed", return: true}, {at: after, end: no}]
        help: {say: Help., enter_when: message.text == "help", once: ask}
  quiz:
    scope: {input: {topic: string}, returns: result, on_return: re-enter}
    form: {fields: [{field: result.score, ask: "{{ input.topic }}?"}]}
"""
WORDS = [
    "hello",
    "feedback",
    "good",
    "bad",
    "it was dull",
    "cancel",
    "a quiz",
    "the lesson",
    "4",
    "help",
    "undo",
    "why?",
]


class Talk:
    """A random walk, and what it went through by the journal."""

    def __init__(self, number: int) -> None:
        self.random, self.clock = Random(number), ManualClock(NOON_MS)
        self.app = tw.open_sync(flow_of(FLOW), clock=self.clock)
        self.chat = self.app.chat(f"walk {number}")
        self.turns = [self.chat.start()]

    def step(self) -> None:
        """Say something, set the name, or let time pass."""
        match self.random.randrange(10):
            case 0:
                self.turns.append(self.chat.commands([tw.commands.Set(field="user.name", value="Ada")]))
            case 1:
                self.clock.move_s(3600)
                self.app.tick()
            case _:
                self.turns.append(self.chat.say(self.random.choice(WORDS)))

    @property
    def been(self) -> set[str]:
        return {node for entry in self.chat.journal() for node in visited_nodes(entry.event)}


def is_true(talk: Talk, fact: Fact) -> bool:
    """Whether what a first fact says of a node or scope is what the journal says."""
    state, values = talk.chat.state(), fact.values
    nodes = [frame.node for frame in state.frames]
    scopes = [frame.scope.name for frame in state.frames if frame.scope is not None]
    match fact.kind:
        case "scope_is_open":
            return values["scope"] in scopes and values["now"] == state.node
        case "scope_not_open":
            closed = [one.event for one in talk.chat.journal() if isinstance(one.event, e.ScopeClosed)]
            outcomes = [one.outcome for one in closed if one.scope == values["scope"]]
            return values["scope"] not in scopes and values["outcome"] in outcomes
        case "scope_never_opened":
            return values["scope"] not in talk.been
        case "node_never_entered":
            return values["node"] not in talk.been
        case "node_waits":
            return values["node"] in nodes[:-1] and values["scope"] in scopes
        case "node_not_in_charge":
            return values["node"] not in nodes
        case _:
            return True


@pytest.mark.parametrize("number", range(WALKS))
def test_everything_can_be_asked_about_on_a_walk_through_scopes(number: int) -> None:
    talk = Talk(number)
    for _ in range(STEPS):
        talk.step()
    machine = talk.chat.machine
    for subject in subjects(machine):
        answer = talk.chat.why(f"{subject.kind} {subject.name}")
        assert answer.line
        assert is_true(talk, answer.facts[0]), f"{subject}: {answer.line}"
    for node in machine.nodes:
        assert talk.chat.ways_to(node, most_steps=2).line
    draws_and_counts(talk, machine)


def draws_and_counts(talk: Talk, machine: Machine) -> None:
    """The path is drawn over the graph, and coverage counts what the journal has."""
    entries, state = list(talk.chat.journal()), talk.chat.state()
    walk = Walk()
    for entry in entries:
        walk.add(machine, entry)
    path = path_over_graph(graph_of(machine.flow), machine, walk, state, "")
    assert path.current
    assert path.remarks == ()
    coverage = Coverage()
    coverage.add_all(talk.turns)
    seen = {node.name for node in coverage.flows[0].nodes if node.is_entered}
    assert seen == {node for turn in talk.turns for entry in turn.entries for node in visited_nodes(entry.event)}


def test_two_walks_are_compared_where_they_part() -> None:
    app = tw.open_sync(flow_of(FLOW), clock=ManualClock(NOON_MS))
    for number in range(4):
        random, chat = Random(number), app.chat(str(number))
        for _ in range(STEPS):
            chat.say(random.choice(WORDS))
    assert all(app.chat(str(number)).compare(str(number + 1)).line for number in range(3))
    assert {edge.moment for edge in app.history()} <= set(MOMENTS)
