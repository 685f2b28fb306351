"""Every rule both ways: small flows that it must report, with the line, and near misses of which it must say nothing.

A false alarm is worse than silence: a near miss gets no report of any rule.
"""

from __future__ import annotations

import pytest

import turnwise as tw
from turnwise.api.documents import check_text
from turnwise.check import RULES

OF_RULES = {code for codes in RULES.values() for code in codes}
HEAD = """\
flow: f
start: a
records:
  user: {name: string, age: {type: integer, min: 0, max: 120}, sex: {type: choice, options: [f, m]}, ok: boolean, day: date}
  extra: {note: string, list: {type: list}, level: {type: integer, default: 3}, pin: {type: string, secret: true}}
tools: {think: {}, save: {}, book: {kind: effect, expects: confirmed}}
"""
FIRST = HEAD.count("\n") + 1


@tw.guard(to=["b"])
def route(user):
    """Who may go on."""
    return "b" if user.name else None


def found(rest: str) -> list[str]:
    """What the rules say of a flow, each with the line after the head."""
    text = HEAD + rest
    told = check_text(text.encode(), "f.yaml", [route])
    assert not [one for one in told if one.severity == "error" and one.code not in OF_RULES], [*map(str, told)]
    return [f"{one.code}:{one.span.line - FIRST + 1}" for one in told if one.code in OF_RULES and one.code != "TW070"]


def ways(*transitions: str, more: str = "") -> str:
    """A flow whose first node knows all of the user, and has these ways out."""
    lines = "".join(f"\n      - {way}" for way in transitions)
    return f"""nodes:
  a:
    prompt: Talk.
    collect: [user, extra]
    transitions:
      - {{at: timer, in: 1h, to: b}}
      - {{at: timer, in: 2h, to: c}}{lines}
  b: {{say: B., end: b}}
  c: {{say: C., end: c}}
{more}"""


IN_WAYS = 8
"""The line of the first transition of `ways`."""

NODE = "nodes:\n  a: {prompt: A.}\n"
"""A flow with one node, before its overlays."""

EVENTS = "events: {paid: {sum: number, note: {type: string, optional: true}, by: {type: string, default: x}}, sent: {to: string}}\n"


def event_says(text: str, more: str = "") -> str:
    """A flow that says something at an event."""
    return f"{EVENTS}nodes:\n  a:\n    prompt: A.\n    transitions: [{{at: event, {more} stay: true, say: '{text}'}}]"


REPORTED: dict[str, tuple[str, str]] = {
    # events of other systems
    "optional data of an event": (event_says("{{ event.note }}."), "TW111:5"),
    "optional data of the event that a transition names": (
        event_says("{{ event.note }}.", "event: paid, when: event.sum > 1,"),
        "TW111:5",
    ),
    "data that one of two events has": (event_says("{{ event.sum }}.", "event: [paid, sent],"), "TW111:5"),
    "optional data in the text of a node": (
        f"{EVENTS}nodes:\n  a: {{prompt: A., transitions: [{{at: event, to: b}}]}}\n  b: {{say: '{{{{ event.note }}}}', end: b}}",
        "TW111:4",
    ),
    "optional data in a text of the whole flow": (
        f"{EVENTS}{NODE}transitions: [{{at: event, stay: true, say: '{{{{ event.note }}}}'}}]",
        "TW111:4",
    ),
    # overlays
    "an overlay without a text": (f"{NODE}overlays: {{x: {{from: 2026-01-01}}}}", "TW108:3"),
    "a persona that no node shows": (
        "nodes:\n  a: {prompt: A., persona: Ann.}\noverlays: {x: {persona: Xi., name: Xi}}",
        "TW108:3",
    ),
    "two personas on one day": (
        f"{NODE}overlays:\n  x: {{from: 2026-01-01, to: 2026-01-05, persona: X.}}\n  y: {{from: 2026-01-05, persona: Y.}}",
        "TW108:5",
    ),
    "two names, one of which comes back": (
        f"{NODE}overlays:\n  x: {{from: 2026-12-30, to: 2027-01-02, every: year, name: X}}\n"
        "  y: {from: 2041-01-01, to: 2041-01-01, name: Y}",
        "TW108:5",
    ),
    # budgets
    "a model without a price": (
        f"{NODE}model: openai:a\nsettings: {{max_tokens: 9}}\nlimits: {{budgets: [{{money: 1 USD}}]}}",
        "TW113:3",
    ),
    "a budget that no call fits": (f"{NODE}limits: {{budgets: [{{tokens: 900}}]}}", "TW113:3"),
    "a cheaper model that comes too late": (
        f"{NODE}settings: {{max_tokens: 9}}\nlimits:\n  budgets:\n    - {{tokens: 900}}\n"
        "    - {tokens: 900, then: model, model: 'openai:a'}",
        "TW113:7",
    ),
    # guards
    "an option misspelt": (ways("{when: user.sex == 'x', to: b}"), f"TW049:{IN_WAYS}"),
    "an option misspelt in a list": (ways('{when: \'user.sex in ["f", "x"]\', to: b}'), f"TW049:{IN_WAYS}"),
    "beyond the greatest": (ways("{when: user.age > 120, to: b}"), f"TW049:{IN_WAYS}"),
    "below the least, mirrored": (ways("{when: -1 > user.age, to: b}"), f"TW049:{IN_WAYS}"),
    "no button": (ways("{at: before, when: message.button == 'go', to: b}"), f"TW049:{IN_WAYS}"),
    "bounds that exclude each other": (ways("{when: user.age > 60 && user.age < 50, to: b}"), f"TW052:{IN_WAYS}"),
    "two options at once": (ways('{when: \'user.sex == "f" && user.sex == "m"\', to: b}'), f"TW052:{IN_WAYS}"),
    "none of all options": (
        ways('{when: \'has(user.sex) && user.sex != "f" && user.sex != "m"\', to: b}'),
        f"TW052:{IN_WAYS}",
    ),
    "true and false": (ways("{when: user.ok && turns > 3 && !user.ok, to: b}"), f"TW052:{IN_WAYS}"),
    "missing and compared": (ways("{when: '!has(user.age) && user.age > 3', to: b}"), f"TW052:{IN_WAYS}"),
    "a count below nought": (ways("{when: turns < 0, to: b}"), f"TW052:{IN_WAYS}"),
    "an alternative that is none": (ways("{when: user.ok || user.age > 9 && user.age < 3, to: b}"), f"TW052:{IN_WAYS}"),
    "days that exclude each other": (
        ways('{when: \'user.day > "2026-01-02" && user.day < "2026-01-01"\', to: b}'),
        f"TW052:{IN_WAYS}",
    ),
    "times that exclude each other": (
        ways('{when: \'now > timestamp("2026-01-02") && now < timestamp("2026-01-01")\', to: b}'),
        f"TW052:{IN_WAYS}",
    ),
    "a list of two sizes": (ways("{when: size(extra.list) > 3 && size(extra.list) < 2, to: b}"), f"TW052:{IN_WAYS}"),
    "there or not": (ways("{when: has(user.age) || !has(user.age), to: b}"), f"TW053:{IN_WAYS}"),
    "a default is always there": (ways("{when: has(extra.level), to: b}"), f"TW053:{IN_WAYS}"),
    "just true": (ways("{when: true, to: b}"), f"TW053:{IN_WAYS}"),
    # values that are written
    "set from a collected field that nobody has asked for": (
        ways("{when: user.ok, to: b, set: {user.age: user.age + 1}}"),
        f"TW065:{IN_WAYS}",
    ),
    "an item of a list that may be empty": (
        ways("{when: user.ok, to: b, set: {extra.note: 'extra.list[0]'}}"),
        f"TW065:{IN_WAYS}",
    ),
    "one alternative of a guard does not need the field": (
        ways("{when: user.ok || user.age > 3, to: b, set: {user.age: user.age + 1}}"),
        f"TW065:{IN_WAYS}",
    ),
    "the default may be missing too": (
        ways("{when: user.ok, to: b, set: {user.name: 'default(user.name, user.name) + \"!\"'}}"),
        f"TW065:{IN_WAYS}",
    ),
    "set on entering, over one of two ways": (
        ways(
            "{when: user.age > 3, to: d}",
            "{when: user.ok, to: d}",
            more="  d: {say: D., end: d, set: {user.age: user.age + 1}}",
        ),
        "TW065:12",
    ),
    "set on leaving": (
        ways(
            "{when: user.ok, to: d}",
            more="  d: {prompt: D., set_on_leave: {user.age: user.age + 1}, transitions: [{to: b}]}",
        ),
        "TW065:11",
    ),
    "set on leaving, where a scope returns": (
        ways(
            "{when: user.ok, to: d}",
            more="  d: {scope: {returns: user, inherits: [user], start: e, nodes: {e: {prompt: E., set_on_leave: {user.age: user.age + 1}, "
            "transitions: [{at: before, when: user.ok, return: true}]}}}, transitions: [{to: b}]}",
        ),
        "TW065:11",
    ),
    "a bound that a limit never lets a text reach": (
        ways(
            "{when: user.ok, to: d}",
            more="  d: {scope: {records: {memo: {note: {type: string, max: 20000}}}, start: e, nodes: {e: {prompt: E., "
            "collect: [memo.note], transitions: [{when: has(memo.note), return: true}]}}}, transitions: [{to: b}]}",
        ),
        "TW119:11",
    ),
    "a question with an empty text": (
        "nodes:\n  a: {form: {fields: [{field: user.age, help: ''}]}, transitions: [{to: b}]}\n  b: {say: B., end: b}",
        "TW141:2",
    ),
    "a scope that fills nothing of what it returns": (
        ways(
            "{when: user.ok, to: d}",
            more="  d: {scope: {returns: user, start: e, nodes: {e: {say: E., end: over}}}, transitions: [{to: b}]}",
        ),
        "TW122:11",
    ),
    "set on leaving, where the form of a scope completes": (
        ways(
            "{when: user.ok, to: d}",
            more="  d: {scope: {returns: user, start: e, nodes: {e: {form: {fields: [{field: user.name, ask: N?}]}, "
            "set_on_leave: {user.age: user.age + 1}}}}, transitions: [{to: b}]}",
        ),
        "TW065:11",
    ),
    "set on leaving, where a model finishes a scope": (
        ways(
            "{when: user.ok, to: d}",
            more="  d: {scope: {returns: user}, prompt: P., set_on_leave: {user.age: user.age + 1}, transitions: [{to: b}]}",
        ),
        "TW065:11",
    ),
    "set on leaving, where a form completes the conversation": (
        ways(
            "{when: user.ok, to: d}",
            more="  d: {form: {fields: [{field: user.name, ask: N?}]}, set_on_leave: {user.age: user.age + 1}}",
        ),
        "TW065:11",
    ),
    "set on leaving, at an end": (
        ways("{when: user.ok, to: d}", more="  d: {say: D., set_on_leave: {user.age: user.age + 1}, end: d}"),
        "TW065:11",
    ),
    "an optional answer": (
        ways(
            "{when: user.ok, to: d}",
            more="  d: {form: {fields: [{field: user.age, ask: Age?, required: false}]}, transitions: [{to: b, set: {user.age: user.age + 1}}]}",
        ),
        "TW065:11",
    ),
    # people
    "a person for whom nobody comes": (
        "nodes:\n  a:\n    person: desk\n    transitions: [{when: person.outcome == 'solved', end: x}]",
        "TW066:3",
    ),
    "a person for whom nobody comes, with two outcomes": (
        "nodes:\n  a:\n    person: desk\n"
        "    transitions: [{when: 'person.outcome in [\"x\", \"y\"]', end: x}, {when: person.outcome == 'z' && user.ok, end: y}]",
        "TW066:3",
    ),
    "the outcome of a person read elsewhere": (
        "nodes:\n  a: {person: desk, transitions: [{to: b}]}\n"
        "  b: {prompt: B., transitions: [{when: person.outcome == 'x', end: x}]}",
        "TW068:3",
    ),
    "a person for whom nobody can ask": ("person: desk\nnodes:\n  a: {say: A., end: a}", "TW069:1"),
    # nodes that do not wait
    "a node without work and without an else": (
        ways("{when: user.ok, to: d}", more="  d: {transitions: [{when: user.age > 3, to: b}]}"),
        "TW066:11",
    ),
    "a tool without an else, for its guards do not cover a missing value": (
        ways(
            "{when: user.ok, to: d}",
            more="  d: {tool: think, transitions: [{when: user.age > 3, to: b}, {when: user.age <= 3, to: c}]}",
        ),
        "TW066:11",
    ),
    # order
    "narrower after wider": (
        ways("{when: user.age > 3, to: b}", "{when: user.age > 5, to: c}"),
        f"TW050:{IN_WAYS + 1}",
    ),
    "narrower first, with a later priority": (
        ways("{when: user.age > 5, to: c, priority: 9}", "{when: user.age > 3, to: b, priority: 8}"),
        f"TW050:{IN_WAYS}",
    ),
    "two that cover all together": (
        ways("{when: has(user.age), to: b}", "{when: '!has(user.age)', to: c}", "{to: b}"),
        f"TW050:{IN_WAYS + 2}",
    ),
    "an else after an else": (ways("{to: b}", "{to: c}"), f"TW050:{IN_WAYS + 1}"),
    "a once beside an else": (
        ways("{when: user.ok, to: d}", more="  d: {say: D., once: b, transitions: [{to: c}]}"),
        "TW050:11",
    ),
    "the same guard twice": (ways("{when: user.ok, to: b}", "{when: user.ok, to: c}"), f"TW054:{IN_WAYS + 1}"),
    "the same guard, in other signs": (
        ways("{when: 'user.sex==\"f\"', to: b}", "{when: user.sex == 'f', to: c}"),
        f"TW054:{IN_WAYS + 1}",
    ),
    "two nodes that the same guard opens": (
        "nodes:\n  a: {prompt: A.}\n"
        "  b: {say: B., end: b, enter_when: message.text == 'c'}\n  c: {say: C., end: c, enter_when: message.text == 'c'}",
        "TW054:4",
    ),
    "a narrower condition behind a wider one": (
        "nodes:\n  a: {prompt: A., collect: [user]}\n"
        "  b: {say: B., end: b, enter_when: user.age > 3}\n  c: {say: C., end: c, enter_when: user.age > 5}",
        "TW050:4",
    ),
    "a longer sequence behind its own end": (
        "nodes:\n  a: {prompt: A., tools: {allow: [think, save]}}\n"
        "  b: {prompt: B., enter_when: [{type: sequence_match}], tools: {allow: [think, save], sequence: [save]}, transitions: [{to: a}]}\n"
        "  c: {prompt: C., enter_when: [{type: sequence_match}], tools: {allow: [think, save], sequence: [think, save]}, transitions: [{to: a}]}",
        "TW050:4",
    ),
    "errors, the same guard twice": (
        ways(
            "{at: error, when: error.kind == 'tool', to: b}",
            "{at: error, when: error.kind == 'tool', to: c}",
            "{to: b}",
        ),
        f"TW054:{IN_WAYS + 1}",
    ),
    "what its own condition keeps from firing": (
        "nodes:\n  a: {prompt: A.}\n"
        "  b:\n    prompt: B.\n    enter_when: message.text.contains('help')\n    transitions:\n"
        "      - {at: before, when: 'message.text.contains(\"help\") && turns > 3', to: a, priority: 200}",
        "TW050:7",
    ),
    "the same condition as its own": (
        "nodes:\n  a: {prompt: A.}\n"
        "  b:\n    prompt: B.\n    enter_when: message.text == 'b'\n    transitions:\n"
        "      - {at: before, when: message.text == 'b', to: a, priority: 200}",
        "TW050:7",
    ),
    # other calls of a reply
    "a call that is lost after a move": (
        "nodes:\n  a: {prompt: A., form: {fields: [{field: user.age}], confirm: {}}, transitions: [{to: c, when: form.status == 'confirmed'}]}\n"
        "  c: {prompt: C., tools: {allow: [think, book]}, transitions: [{id: t, at: tool, when: 'tools.used(\"think\")', to: b}]}\n"
        "  b: {prompt: B.}",
        "TW092:3",
    ),
    "a call that is lost after a move without a condition": (
        "nodes:\n  a: {prompt: A., form: {fields: [{field: user.age}], confirm: {}}, transitions: [{to: c, when: form.status == 'confirmed'}]}\n"
        "  c: {prompt: C., tools: {allow: [think, book]}, transitions: [{id: t, at: tool, to: b}]}\n"
        "  b: {prompt: B.}",
        "TW092:3",
    ),
    "a call that is lost after a move by a result": (
        "nodes:\n  a: {prompt: A., form: {fields: [{field: user.age}], confirm: {}}, transitions: [{to: c, when: form.status == 'confirmed'}]}\n"
        "  c: {prompt: C., tools: {allow: [think, book], into: {think: extra.note}}, transitions: [{id: t, at: tool, when: has(extra.note), to: b}]}\n"
        "  b: {prompt: B.}",
        "TW092:3",
    ),
    "no model calls a tool where calls are judged": (
        "nodes:\n  a: {prompt: A., transitions: [{at: calls, to: b}]}\n  b: {say: B., end: b}",
        "TW118:2",
    ),
    "a form where calls are judged": (
        "nodes:\n  a: {form: {fields: [{field: user.age}]}, transitions: [{to: b}, {at: calls, to: b}]}\n  b: {say: B., end: b}",
        "TW118:2",
    ),
    "no model calls a tool anywhere where calls are judged": (
        "nodes:\n  a: {prompt: A., transitions: [{at: before, when: message.text == 'b', to: b}]}\n  b: {say: B., end: b}\n"
        "transitions: [{at: calls, to: b}]",
        "TW118:4",
    ),
    "a person on one way of two": (
        "nodes:\n  a: {say: A., transitions: [{when: message.text == 'p', to: p}, {to: c}]}\n"
        "  p: {person: desk, transitions: [{to: c}]}\n  c: {say: 'C {{ user.name }}.', end: c}",
        "TW058:4",
    ),
    "a person for whom nobody came": (
        "nodes:\n  a: {person: desk, transitions: [{to: b}, {at: timer, in: 1h, to: c}]}\n"
        "  b: {say: B., end: b}\n  c: {say: 'C {{ user.name }}.', end: c}",
        "TW058:4",
    ),
    # ways
    "a count that has the message of the entry": (
        "nodes:\n  a: {say: A., transitions: [{to: b}]}\n  b: {say: B., transitions: [{at: before, when: turns > 0, to: c}]}\n  c: {say: C., end: c}",
        "TW095:3",
    ),
    "a message that is the one of the entry": (
        "nodes:\n  a: {say: A., transitions: [{to: b}]}\n  b: {say: B., transitions: [{at: before, when: turns >= 1 && has(message.text), to: c}]}\n  c: {say: C., end: c}",
        "TW095:3",
    ),
    "two handovers in one": (
        "nodes:\n  a: {form: {fields: [{field: user.age}], confirm: {}, handoff: desk}, transitions: [{to: b}]}\n  b: {person: desk, transitions: [{to: c}]}\n  c: {say: C., end: c}",
        "TW146:2",
    ),
    "no turn for a prompt": (
        "nodes:\n  a: {prompt: A., transitions: [{at: before, to: b}]}\n  b: {say: B., end: b}",
        "TW039:2",
    ),
    "a returned text that keep does not erase": (
        "commands: [{start: [b]}]\nnodes:\n  a: {prompt: A.}\n  b: {scope: {keep: 1d, limits: {idle: 1d}, returns: extra}, form: {fields: [{field: extra.note, ask: What?}]}}",
        "TW100:4",
    ),
    "a summary of a model that keep does not erase": (
        "commands: [{start: [b]}]\nnodes:\n  a: {prompt: A.}\n  b: {scope: {keep: 1d, limits: {idle: 1d}, summary: {prompt: Sum up.}}, prompt: Ask.}",
        "TW100:4",
    ),
    "a text in a summary that keep does not erase": (
        'commands: [{start: [b]}]\nnodes:\n  a: {prompt: A.}\n  b: {scope: {keep: 1d, limits: {idle: 1d}, records: {own: {x: string}}, summary: "{{ own.x }}", start: c, nodes: {c: {form: {fields: [{field: own.x, ask: What?}]}}}}}',
        "TW100:4",
    ),
    "a scope that keeps its words while it stays open": (
        "commands: [{start: [b]}]\nnodes:\n  a: {prompt: A.}\n  b: {scope: {keep: 1d, records: {own: {x: integer}}, start: c, nodes: {c: {form: {fields: [{field: own.x, ask: What?}]}}}}}",
        "TW120:4",
    ),
    "a note for a node that says a text": (ways("{when: user.ok, to: b, note: Be kind.}"), f"TW121:{IN_WAYS}"),
    "an outcome that no scope has": (
        "commands: [{start: [b]}]\nnodes:\n  a: {prompt: A., transitions: [{at: before, when: scope.outcome == 'dine', to: c}]}\n"
        "  b: {scope: {returns: user, start: d, nodes: {d: {form: {fields: [{field: user.age, ask: A?}]}, transitions: [{at: after, end: done}]}}}}\n"
        "  c: {say: C., end: c}",
        "TW101:3",
    ),
    "a limit that a scope does not have": (
        "nodes:\n  a: {scope: {returns: user}, form: {fields: [{field: user.age, ask: A?}]}, transitions: [{when: \"scope.outcome in ['limit']\", to: c}, {to: c}]}\n"
        "  c: {say: C., end: c}",
        "TW101:2",
    ),
    "a day of the month and a weekday": (
        "nodes:\n  a: {prompt: A.}\n  b: {scope: {returns: user}, form: {fields: [{field: user.age, ask: A?}]}}\nschedules:\n  s: {cron: '0 18 8-14 * 2', call: b}",
        "TW103:5",
    ),
    "a schedule that never fires": (
        "nodes:\n  a: {prompt: A.}\n  b: {scope: {returns: user}, form: {fields: [{field: user.age, ask: A?}]}}\nschedules:\n  s: {every: 1d, anchor: 9999-12-01, at: '18:00', call: b}",
        "TW103:5",
    ),
    "schedules that always meet": (
        "nodes:\n  a: {prompt: A.}\n  b: {scope: {returns: user}, form: {fields: [{field: user.age, ask: A?}]}}\n"
        "  c: {scope: {returns: user}, form: {fields: [{field: user.age, ask: A?}]}}\n"
        "schedules:\n  s: {cron: '0 18 * * *', call: b}\n  t: {at: '18:00', call: c}",
        "TW103:7",
    ),
    "a grace of a schedule that fires however late it is": (
        "nodes:\n  a: {prompt: A.}\n  b: {scope: {returns: user}, form: {fields: [{field: user.age, ask: A?}]}}\nschedules:\n  s: {at: '18:00', offer: b, grace: 1h}",
        "TW104:5",
    ),
    "each missed time of an offer": (
        "nodes:\n  a: {prompt: A.}\n  b: {scope: {returns: user}, form: {fields: [{field: user.age, ask: A?}]}}\nschedules:\n  s: {at: '18:00', offer: b, missed: each}",
        "TW104:5",
    ),
    "each missed time of a silence": (
        "nodes:\n  a: {prompt: A.}\n  b: {scope: {returns: user}, form: {fields: [{field: user.age, ask: A?}]}}\nschedules:\n  s: {idle: 3d, call: b, missed: each}",
        "TW104:5",
    ),
    "an offer at a node that is left at once": (
        "nodes:\n  a: {say: A., offer: {scope: b}, transitions: [{to: c}]}\n  b: {scope: {returns: user}, form: {fields: [{field: user.age, ask: A?}]}}\n"
        "  c: {say: C., end: c}",
        "TW106:2",
    ),
    "an offer at an end": (
        "nodes:\n  a: {say: A., offer: {scope: b}, end: x}\n  b: {scope: {returns: user}, form: {fields: [{field: user.age, ask: A?}]}}",
        "TW106:2",
    ),
    "a scope that nothing opens, once": (
        "nodes:\n  a: {prompt: A.}\n  b: {scope: {returns: user, start: d, nodes: {d: {form: {fields: [{field: user.age, ask: A?}]}}}}}",
        "TW051:3",
    ),
    "a node in a scope that nothing leads to": (
        "nodes:\n  a:\n    scope:\n      start: d\n      nodes:\n        d: {say: D., end: d}\n        e: {say: E., end: e}\n    end: x",
        "TW051:7",
    ),
    "no time to wait": (
        "nodes:\n  a: {say: A., transitions: [{to: b}]}\n  b: {transitions: [{at: before, end: x}, {at: timer, in: 1h, end: y}]}",
        "TW039:3",
    ),
    "no turn for any node": (
        "transitions: [{at: before, to: b}]\nnodes:\n  a: {prompt: A.}\n  b: {say: B., end: b}",
        "TW039:1",
    ),
    "nothing leads there": (ways("{to: b}", more="  d: {say: D., end: d}"), "TW051:11"),
    "only lost ones lead there": (ways("{to: b}", more="  d: {say: D., transitions: [{to: d}]}"), "TW051:11"),
    "a text and no more": (ways("{to: d}", more="  d: {say: D.}"), "TW055:11"),
    "only an error leads out": (ways("{to: d}", more="  d: {say: D., transitions: [{at: error, to: b}]}"), "TW055:11"),
    "a talk without an end among ends": (ways("{to: d}", more="  d: {prompt: D.}"), "TW055:11"),
    "round and round": (
        ways(
            "{when: user.ok, to: d}",
            more="  d: {say: D., transitions: [{to: e}]}\n  e: {say: E., transitions: [{to: d}]}",
        ),
        "TW056:11",
    ),
    "round under a guard that nothing changes": (
        ways(
            "{when: user.ok, to: d}",
            more="  d: {say: D., transitions: [{when: user.ok, to: e}]}\n  e: {transitions: [{to: d}]}",
        ),
        "TW056:11",
    ),
    "five in a row": (
        ways(
            "{when: user.ok, to: d1}",
            more="".join(f"  d{n}: {{say: D., transitions: [{{to: d{n + 1}}}]}}\n" for n in range(1, 5))
            + "  d5: {say: D., end: d}",
        ),
        "TW057:11",
    ),
    # fields
    "nothing fills it": (
        "nodes:\n  a: {prompt: Talk., transitions: [{when: user.ok, to: b}]}\n  b: {say: B., end: b}",
        "TW058:2",
    ),
    "filled too late": (
        "nodes:\n  a: {prompt: Talk., transitions: [{when: user.ok, to: b}]}\n  b: {prompt: Ask., collect: [user.ok], transitions: [{end: b}]}",
        "TW058:2",
    ),
    "a text of what nobody asks": ("nodes:\n  a: {say: 'Hello {{ user.name }}.', end: a}", "TW058:2"),
    # texts
    "a hole that reads nothing": ("nodes:\n  a: {say: 'Hello {{ 1 + 2 }}.', end: a}", "TW059:2"),
    "single braces": ("nodes:\n  a: {prompt: 'Greet {user.name}.', collect: [user.name]}", "TW059:2"),
    "single braces with room": ("nodes:\n  a: {prompt: 'Greet { user.name }.', collect: [user.name]}", "TW059:2"),
    # tools
    "uses of what comes later": (
        "nodes:\n"
        "  a: {prompt: Talk., tools: {allow: [think]}}\n"
        "  b: {prompt: Save., enter_when: [{type: tool_used, value: think}, {type: tool_used, value: save}], tools: {allow: [save]}}",
        "TW071:3",
    ),
    "a list that mixes a tool that a model may use with one that nobody allows": (
        "nodes:\n"
        "  a: {prompt: Talk., tools: {allow: [think]}}\n"
        "  b: {say: B., end: b, enter_when: [{type: tool_used, value: think}, {type: tool_used, value: save}]}",
        "TW071:3",
    ),
    "booked without being asked": ("nodes:\n  a: {prompt: Talk., tools: {allow: [book]}}", "TW072:2"),
    "booked on one way without being asked": (
        "nodes:\n"
        "  a: {form: {fields: [{field: user.name}], confirm: {}}, transitions: [{when: has(user.name), to: b}]}\n"
        "  b: {prompt: Book., tools: {allow: ['b*']}}",
        "TW072:3",
    ),
    "handed over without being asked": (
        "nodes:\n"
        "  a: {form: {fields: [{field: user.name}], handoff: x}, transitions: [{when: form.status == 'handed_off', to: b}]}\n"
        "  b: {prompt: Book., tools: {allow: [book]}}",
        "TW072:3",
    ),
    "confirmed, or handed over by a word": (
        "nodes:\n"
        "  a: {form: {fields: [{field: user.name}], confirm: {}, handoff: x}, transitions: [{when: form.status == 'handed_off', to: b}]}\n"
        "  b: {prompt: Book., tools: {allow: [book]}}",
        "TW072:3",
    ),
    "a form that asks for no confirmation": (
        "nodes:\n"
        "  a: {form: {fields: [{field: user.name}]}, transitions: [{when: form.status == 'confirmed', to: b}]}\n"
        "  b: {prompt: Book., tools: {allow: [book]}}",
        "TW072:3",
    ),
    "the trigger asked for again": (
        "nodes:\n"
        "  a: {prompt: Talk., tools: {allow: [think]}}\n"
        "  b: {prompt: Save., enter_when: tools.used('think'), tools: {allow: [think, save], sequence: [think, save]}}",
        "TW073:3",
    ),
    # forms and words
    "a silent stop": ("nodes:\n  a: {form: {fields: [{field: user.sex, stop: {values: [m]}}]}}", "TW075:2"),
    "asked where it is answered": (
        "nodes:\n  a: {form: {fields: [{field: user.sex, ask_when: has(user.sex)}]}}",
        "TW076:2",
    ),
    "needed and never asked": (
        "nodes:\n  a: {form: {fields: [{field: user.sex}, {field: user.ok, asked: false}]}}",
        "TW076:2",
    ),
    "handed over where nothing is": (
        "nodes:\n  a: {form: {fields: [{field: user.name}]}, transitions: [{when: form.status == 'handed_off', end: x}]}",
        "TW074:2",
    ),
    "handed over or stopped": (
        "nodes:\n  a: {form: {fields: [{field: user.sex, stop: {values: [m], say: No.}}]},\n"
        '      transitions: [{when: \'form.status in ["handed_off", "stopped"]\', end: x}]}',
        "TW074:3",
    ),
    "awaited without a confirmation": (
        "nodes:\n  a: {form: {fields: [{field: user.name}]}, transitions: [{at: before, when: form.status == 'awaiting_confirmation', end: x}]}",
        "TW049:2",
    ),
    "stopped by no answer": (
        "nodes:\n  a: {form: {fields: [{field: user.name}]}, transitions: [{when: form.status == 'stopped', end: x}]}",
        "TW049:2",
    ),
    "a yes that edits": ("texts: {affirm: [fine, Change]}\nnodes:\n  a: {say: A., end: a}", "TW077:1"),
    "both lists of one's own": ("texts: {affirm: [fine], edit: [hm, Fine]}\nnodes:\n  a: {say: A., end: a}", "TW077:1"),
    "a mirror of nothing": (ways("{when: user.ok, mirror: true, to: b}", "{to: b}"), f"TW078:{IN_WAYS}"),
    "a mirror at another moment": (
        ways("{at: before, when: user.ok, mirror: true, to: b}", "{at: after, guard: route}"),
        f"TW078:{IN_WAYS}",
    ),
    "a mirror of nothing for the whole flow": (
        "transitions: [{when: turns > 3, mirror: true, to: b}]\nnodes:\n  a: {prompt: A., transitions: [{to: b}]}\n  b: {say: B., end: b}",
        "TW078:1",
    ),
}


@pytest.mark.parametrize(("flow", "code"), REPORTED.values(), ids=REPORTED)
def test_what_must_be_reported(flow: str, code: str) -> None:
    assert found(flow) == [code]


NEAR_MISSES: dict[str, str] = {
    "a note for a model": ways(
        "{when: user.ok, to: d, note: Be kind.}", more="  d: {prompt: D., transitions: [{to: b}]}"
    ),
    "data that an event always has": event_says("{{ event.sum }} by {{ event.by }}: {{ event.name }}.", "event: paid,"),
    "optional data that the guard asks for": event_says("{{ event.note }}.", "when: has(event.note),"),
    "optional data that the text requires": event_says("{{ event.note | required }}."),
    "optional data with something in its place": event_says('{{ has(event.note) ? event.note : "nothing" }}.'),
    "every call is made before the move": (
        "nodes:\n  a: {prompt: A., form: {fields: [{field: user.age}], confirm: {}}, transitions: [{to: c, when: form.status == 'confirmed'}]}\n"
        "  c: {prompt: C., tools: {allow: [think, book]}, transitions: [{id: t, at: calls, when: 'tools.used(\"think\")', to: b}]}\n"
        "  b: {say: B., end: b}"
    ),
    "calls of one tool alone, before a move without a condition": (
        "nodes:\n  a: {prompt: A., form: {fields: [{field: user.age}], confirm: {}}, transitions: [{to: c, when: form.status == 'confirmed'}]}\n"
        "  c: {prompt: C., tools: {allow: [book]}, transitions: [{id: t, at: tool, to: b}]}\n"
        "  b: {say: B., end: b}"
    ),
    "calls of the flow, where one node has tools": (
        "nodes:\n  a: {prompt: A., tools: {allow: [think]}, transitions: [{at: before, when: message.text == 'c', to: c}]}\n"
        "  c: {say: C., transitions: [{to: b}]}\n  b: {say: B., end: b}\n"
        "transitions: [{at: calls, when: 'tools.count(\"think\") > 2', to: b}]"
    ),
    "writes of a record, where calls are judged": (
        "nodes:\n  a: {prompt: A., writes: [user.name], transitions: [{at: calls, when: has(user.name), to: b}]}\n  b: {say: B., end: b}"
    ),
    "a copy of what has a value outside, and an input that the scope needs": ways(
        "{when: has(user.age), to: d}",
        "{when: user.ok, call: f, with: {age: 3}}",
        more="  d: {scope: {returns: user, inherits: [user], start: e, nodes: {e: {prompt: E., set_on_leave: {user.age: user.age + 1}, "
        "transitions: [{at: before, when: user.ok, return: true}]}}}, transitions: [{to: b}]}\n"
        "  f: {scope: {records: {own: {old: integer}}, input: {age: integer}, start: g, nodes: {g: {prompt: G., "
        "set_on_leave: {own.old: input.age + 1}, transitions: [{at: before, when: own.old > 3, return: true}]}}}}",
    ),
    # overlays
    "an overlay that a guard asks for": (
        "overlays: {x: {from: 2026-01-01}}\n" + ways("{at: before, when: 'overlay.active(\"x\")', to: b}")
    ),
    "an overlay that is only forced": f"{NODE}overlays: {{x: {{addendum: Be kind.}}}}",
    "a persona that one node shows": (
        "nodes:\n  a: {prompt: A., persona: Ann., transitions: [{to: b}]}\n  b: {prompt: B.}\n"
        "overlays: {x: {persona: Xi.}}"
    ),
    "two personas on days that follow each other": (
        f"{NODE}overlays:\n  x: {{from: 2026-01-01, to: 2026-01-04, persona: X.}}\n  y: {{from: 2026-01-05, persona: Y.}}"
    ),
    "two personas with priorities": (
        f"{NODE}overlays:\n  x: {{from: 2026-01-01, persona: X., priority: 1}}\n  y: {{from: 2026-01-05, persona: Y.}}"
    ),
    "a persona beside an addendum": (
        f"{NODE}overlays:\n  x: {{from: 2026-01-01, persona: X.}}\n  y: {{from: 2026-01-05, addendum: Y.}}"
    ),
    "two personas that are only forced": f"{NODE}overlays: {{x: {{persona: X.}}, y: {{persona: Y.}}}}",
    "an offer at a node that waits": (
        "nodes:\n  a: {say: A., offer: {scope: b}, transitions: [{at: before, when: message.text == 'on', to: c}]}\n"
        "  b: {scope: {returns: user}, form: {fields: [{field: user.age, ask: A?}]}}\n  c: {say: C., end: c}"
    ),
    "an offer at a node that goes on with the next message": (
        "nodes:\n  a: {say: A., offer: {scope: b}, once: c}\n"
        "  b: {scope: {returns: user}, form: {fields: [{field: user.age, ask: A?}]}}\n  c: {say: C., end: c}"
    ),
    "an offer at a prompt": (
        "nodes:\n  a: {prompt: A., offer: {scope: b}}\n  b: {scope: {returns: user}, form: {fields: [{field: user.age, ask: A?}]}}"
    ),
    "outcomes that scopes have": (
        "commands: [{start: [b]}]\nnodes:\n"
        "  a: {prompt: A., transitions: [{at: before, when: scope.outcome == 'done' || scope.outcome == 'limit', to: c}]}\n"
        "  b: {scope: {returns: user, limits: {turns: 2}, start: d, nodes: {d: {form: {fields: [{field: user.age, ask: A?}]}, transitions: [{at: after, end: done}]}}}}\n"
        "  c: {say: C., end: c}"
    ),
    "a scope that a transition of the flow opens": (
        "transitions: [{at: before, when: message.text == 'x', call: b}]\nnodes:\n  a: {prompt: A.}\n"
        "  b: {scope: {returns: user}, form: {fields: [{field: user.age, ask: A?}]}}"
    ),
    "a field that is known where a schedule opens the scope that reads it": (
        "nodes:\n  a: {prompt: Talk., collect: [user.name]}\n"
        "  b: {scope: {inherits: [user], start: c, nodes: {c: {say: 'Hello {{ user.name }}.', end: c}}}}\n"
        "schedules:\n  s: {at: '18:00', call: b}"
    ),
    "a returned text that is kept with all others": (
        "commands: [{start: [b]}]\nnodes:\n  a: {prompt: A.}\n  b: {scope: {returns: extra, summary: '{{ extra.note }}'}, form: {fields: [{field: extra.note, ask: What?}]}}"
    ),
    "a choice in a summary whose words are erased": (
        "commands: [{start: [b]}]\nnodes:\n  a: {prompt: A.}\n  b: {scope: {keep: 1d, limits: {idle: 1d}, records: {own: {sort: {type: choice, options: [x, y]}}}, summary: '{{ own.sort }}', start: c, nodes: {c: {form: {fields: [{field: own.sort, ask: What?}]}}}}}"
    ),
    "a message since the entry": "nodes:\n  a: {say: A., transitions: [{to: b}]}\n  b: {say: B., transitions: [{at: before, when: message.since_entry, to: c}]}\n  c: {say: C., end: c}",
    "a second message": "nodes:\n  a: {say: A., transitions: [{to: b}]}\n  b: {say: B., transitions: [{at: before, when: turns > 1, to: c}]}\n  c: {say: C., end: c}",
    "a message since the entry, and a count": "nodes:\n  a: {say: A., transitions: [{to: b}]}\n  b: {say: B., transitions: [{at: before, when: turns > 0 && message.since_entry, to: c}]}\n  c: {say: C., end: c}",
    # values that are written
    "the guard reads the field": ways("{when: user.age > 3, to: b, set: {user.age: user.age + 1}}"),
    "every alternative of the guard reads the field": ways(
        "{when: has(user.age) && user.ok || user.age > 3, to: b, set: {user.age: user.age + 1}}"
    ),
    "a default in the expression": ways("{when: user.ok, to: b, set: {user.age: 'default(user.age, 0) + 1'}}"),
    "a list that grows from nothing": ways("{when: user.ok, to: b, set: {extra.list: 'extra.list + [\"n\"]'}}"),
    "how many items an empty list has": ways("{when: user.ok, to: b, set: {extra.level: size(extra.list)}}"),
    "a copy": ways("{when: user.ok, to: b, set: {extra.note: user.name}}"),
    "an alternative without the field": ways(
        "{when: user.ok, to: b, set: {user.age: 'has(user.age) ? user.age + 1 : 1'}}"
    ),
    "a default of the field": ways("{when: user.ok, to: b, set: {extra.level: extra.level + 1}}"),
    "set just before": ways("{when: user.ok, to: b, set: {user.age: 1, extra.level: user.age + 1}}"),
    "set over both ways": ways(
        "{when: user.age > 3, to: d}",
        "{when: user.ok, to: d, set: {user.age: 3}}",
        more="  d: {say: D., end: d, set: {user.age: user.age + 1}}",
    ),
    "a required answer": ways(
        "{when: user.ok, to: d}",
        more="  d: {form: {fields: [{field: user.age, ask: Age?}]}, transitions: [{to: b, set: {user.age: user.age + 1}}]}",
    ),
    "a Python guard may have seen to it": ways("{guard: route, set: {user.age: user.age + 1}}"),
    "a condition that cannot be solved": ways(
        "{when: user.age + extra.level > 3, to: b, set: {user.age: user.age + 1}}"
    ),
    # nodes that do not wait
    "guards that cover every case": ways(
        "{when: user.ok, to: d}",
        more="  d: {tool: think, transitions: [{when: has(user.age), to: b}, {when: '!has(user.age)', to: c}]}",
    ),
    "a way out of every node without a guard": ways(
        "{when: user.ok, to: d}", more="  d: {transitions: [{when: user.age > 3, to: c}]}\ntransitions: [{to: b}]"
    ),
    "a text that waits": ways("{when: user.ok, to: d}", more="  d: {say: D., transitions: [{when: turns > 3, to: b}]}"),
    # guards
    "a value that only reading it can refuse": ways("{when: user.name == 'x', to: b}"),
    "an option of a question with other": (
        "nodes:\n  a: {form: {fields: [{field: user.sex, other: true}]}, transitions: [{when: user.sex == 'x', end: a}, {end: b}]}"
    ),
    "at the bounds": ways("{when: user.age >= 120, to: b}", "{when: user.age <= 0, to: c}"),
    "the key of a question is a button": (
        "nodes:\n"
        "  a: {form: {fields: [{field: user.name, key: 1_name}], confirm: {}},\n"
        "      transitions: [{at: before, when: message.button == '1_name', end: x}]}"
    ),
    "buttons of every form": ways('{at: before, when: \'message.button in ["yes", "no", "edit"]\', to: b}'),
    "bounds that leave one value": ways("{when: user.age > 3 && user.age < 5, to: b}"),
    "bounds of different fields": ways("{when: user.age > 60 && size(extra.list) < 50, to: b}"),
    "texts that only look alike": ways('{when: \'user.name == "a" || user.name == "b"\', to: b}'),
    "contains both": ways('{when: \'message.text.contains("a") && message.text.contains("b")\', to: b}'),
    "neither nor": ways("{when: '!(user.sex == \"f\") && user.age > 3', to: b}"),
    "there and compared": ways("{when: has(user.age) && user.age > 3, to: b}"),
    "unknown is not false": ways("{when: 'user.ok', to: b}", "{when: '!user.ok', to: c}", "{end: unknown}"),
    "a default that changes": ways("{when: extra.level > 3, to: b}", "{when: extra.level < 3, to: c}"),
    "used and not lately": ways('{when: \'tools.used("think") && !tools.used("think", within: 3)\', to: b}'),
    "a test and its two outcomes": ways("{when: 'has(user.age) ? user.age > 5 : turns > 3', to: b}"),
    "divided by what may be nought": ways("{when: '10 / user.age > 3', to: b}"),
    "an hour of the day": ways("{when: now.getHours() >= 8 && now.getHours() < 18, to: b}"),
    "list of whatever": ways('{when: \'extra.list.exists(i, i == "a") && extra.list.all(i, i == "a")\', to: b}'),
    # order
    "wider after narrower": ways("{when: user.age > 5, to: b}", "{when: user.age > 3, to: c}"),
    "overlapping": ways("{when: user.age > 5, to: b}", "{when: user.age < 9, to: c}"),
    "the same guard at other moments": ways("{at: before, when: user.ok, to: b}", "{at: after, when: user.ok, to: c}"),
    "timers side by side": ways("{at: timer, in: 1h, to: b}", "{at: timer, in: 2h, to: c}"),
    "an else before the guards": ways("{to: b}", "{when: user.ok, to: c}"),
    "a node has its own way beside the flow's": (
        "transitions: [{id: all, at: before, when: message.text == 'x', to: b}]\n"
        + ways("{id: own, at: before, when: message.text == 'x', to: c}")
    ),
    "code before rules": ways("{at: before, guard: route}", "{at: before, when: has(user.name), to: c}"),
    "a mirror has the rule's guard": ways(
        "{at: before, when: has(user.name), mirror: true, to: b}",
        "{at: before, guard: route}",
        "{at: before, when: has(user.name), to: c}",
    ),
    "yes and no": ways("{when: user.ok, to: b}", "{when: '!user.ok', to: c}"),
    "missing in the earlier": ways(
        "{when: user.age < 38, to: b}", "{when: '!(user.age >= 38)', to: c}", more=""
    ).replace("!(user.age >= 38)", "!has(user.age)"),
    "a narrow entrance": ways("{to: b}", more='  d: {say: D., end: d, enter_when: message.text == "d"}'),
    "a wider condition behind a narrower one": (
        "nodes:\n  a: {prompt: A., collect: [user]}\n"
        "  b: {say: B., end: b, enter_when: user.age > 5}\n  c: {say: C., end: c, enter_when: user.age > 3}"
    ),
    "two uses behind one of them": (
        "nodes:\n  a: {prompt: A., tools: {allow: [think, save]}}\n"
        "  b: {prompt: B., enter_when: tools.used('think'), tools: {allow: [think, save]}, transitions: [{to: a}]}\n"
        "  c: {prompt: C., enter_when: tools.used('think') && tools.used('save'), transitions: [{to: a}]}"
    ),
    "a longer sequence before its own end": (
        "nodes:\n  a: {prompt: A., tools: {allow: [think, save]}}\n"
        "  b: {prompt: B., enter_when: [{type: sequence_match}], tools: {allow: [think, save], sequence: [think, save]}, transitions: [{to: a}]}\n"
        "  c: {prompt: C., enter_when: [{type: sequence_match}], tools: {allow: [think, save], sequence: [save]}, transitions: [{to: a}]}"
    ),
    "the same tool twice behind once": (
        "nodes:\n  a: {prompt: A., tools: {allow: [think, save]}}\n"
        "  b: {prompt: B., enter_when: [{type: sequence_match}], tools: {allow: [think, save], sequence: [think]}, transitions: [{to: a}]}\n"
        "  c: {prompt: C., enter_when: [{type: sequence_match}], tools: {allow: [think, save], sequence: [think, think]}, transitions: [{to: a}]}"
    ),
    "two errors": ways("{at: error, when: error.kind == 'tool', to: b}", "{at: error, to: c}", "{to: b}"),
    "what a division by zero hides": ways(
        "{when: '10 / user.age > 1', to: b}", "{when: '10 / user.age > 2 || user.ok', to: c}"
    ),
    "its own condition comes later": (
        "nodes:\n  a: {prompt: A.}\n"
        "  b: {prompt: B., enter_when: message.text == 'b', transitions: [{at: before, when: message.text == 'b', to: a}]}"
    ),
    "its own condition is not changed again": (
        "nodes:\n  a: {prompt: A., collect: [user]}\n"
        "  b: {prompt: B., enter_when: user.age > 3, transitions: [{at: before, when: user.age > 5, to: a, priority: 200}]}"
    ),
    "its own condition leaves some": (
        "nodes:\n  a: {prompt: A.}\n"
        "  b: {prompt: B., enter_when: message.text == 'b', transitions: [{at: before, when: turns > 3, to: a, priority: 200}]}"
    ),
    # ways
    "before with a guard": "nodes:\n  a: {prompt: A., transitions: [{at: before, when: turns > 0, to: b}]}\n  b: {say: B., end: b}",
    "before behind a stay": (
        "nodes:\n  a: {prompt: A., transitions: [{at: before, when: turns < 3, stay: true}, {at: before, to: b}]}\n"
        "  b: {say: B., end: b}"
    ),
    "before in a node of its own condition": (
        "nodes:\n  a: {prompt: A.}\n  b: {prompt: B., enter_when: message.text == 'b', transitions: [{at: before, to: a}]}"
    ),
    "before on the way through": (
        "nodes:\n  a: {transitions: [{at: before, to: b}, {at: after, to: c}]}\n  b: {say: B., end: b}\n  c: {say: C., end: c}"
    ),
    "before with a way back": (
        "nodes:\n  a: {prompt: A., transitions: [{at: before, to: b}]}\n  b: {say: B., transitions: [{to: a}]}"
    ),
    "a block for all": "nodes:\n  a: {prompt: A., transitions: [{at: before, block: Closed.}]}",
    "entered by a use": ways("{to: b}", more="  d: {say: D., end: d, enter_when: tools.used('think')}"),
    "entered from the whole flow": "transitions: [{at: before, when: turns > 3, to: b}]\nnodes:\n  a: {prompt: A.}\n  b: {say: B., end: b}",
    "entered by code": ways("{at: before, guard: route}").replace("say: B.", "say: Good."),
    "entered by a timer": "nodes:\n  a: {prompt: A., transitions: [{at: timer, in: 1h, to: b}]}\n  b: {say: B., end: b}",
    "entered by an error": "nodes:\n  a: {prompt: A., transitions: [{at: error, to: b}]}\n  b: {say: B., end: b}",
    "entered by once": "nodes:\n  a: {say: A., once: b}\n  b: {say: B., end: b}",
    "a talk that goes on": "nodes:\n  a: {say: A., transitions: [{to: b}]}\n  b: {prompt: Talk.}",
    "a form is an end": "nodes:\n  a: {say: A., transitions: [{to: b}]}\n  b: {form: {fields: [{field: user.name}]}}",
    "a text with the flow's way out": (
        "transitions: [{at: before, when: message.text == 'x', to: a}]\n"
        "nodes:\n  a: {prompt: A., transitions: [{when: turns > 3, to: b}]}\n  b: {say: B.}"
    ),
    "a text that a use leads out of": (
        "nodes:\n  a: {say: A.}\n  b: {prompt: B., enter_when: tools.used('think'), transitions: [{to: a}]}"
    ),
    "round with a wait": "nodes:\n  a: {say: A., once: b}\n  b: {say: B., transitions: [{to: a}]}",
    "round with a talk": "nodes:\n  a: {say: A., transitions: [{to: b}]}\n  b: {prompt: B., transitions: [{to: a}]}",
    "round as often as it counts": (
        "nodes:\n  a: {say: A., transitions: [{to: b}]}\n"
        "  b: {say: B., transitions: [{when: 'visits(\"b\") < 3', to: a}, {end: x}]}"
    ),
    "round until it is set": (
        "nodes:\n  a: {say: A., set: {extra.level: extra.level + 1}, transitions: [{to: b}]}\n"
        "  b: {say: B., transitions: [{when: extra.level < 9, to: a}, {end: x}]}"
    ),
    "round under guards that exclude each other": ways(
        "{when: user.ok, to: d}",
        more="  d: {say: D., transitions: [{when: user.age > 5, to: e}, {to: b}]}\n"
        "  e: {say: E., transitions: [{when: user.age < 3, to: d}, {to: b}]}",
    ),
    "four in a row": ways(
        "{when: user.ok, to: d1}",
        more="".join(f"  d{n}: {{say: D., transitions: [{{to: d{n + 1}}}]}}\n" for n in range(1, 4))
        + "  d4: {say: D., end: d}",
    ),
    "five in a row where five are allowed": "limits: {moves: 5}\n"
    + ways(
        "{when: user.ok, to: d1}",
        more="".join(f"  d{n}: {{say: D., transitions: [{{to: d{n + 1}}}]}}\n" for n in range(1, 5))
        + "  d5: {say: D., end: d}",
    ),
    # fields
    "anything may be set": "commands: [set]\nnodes:\n  a: {prompt: A., transitions: [{when: user.ok, end: x}]}",
    "a model writes it": "nodes:\n  a: {prompt: A., writes: [user], transitions: [{when: user.ok, end: x}]}",
    "a whole record is collected": "nodes:\n  a: {prompt: A., collect: [user], transitions: [{when: user.ok, end: x}]}",
    "set on the way": (
        "nodes:\n  a: {prompt: A., transitions: [{when: turns > 3, to: b, set: {extra.note: x}}]}\n  b: {say: '{{ extra.note }}', end: b}"
    ),
    "set on leaving": "nodes:\n  a: {prompt: A., set_on_leave: {extra.note: x}, transitions: [{to: b}]}\n  b: {say: '{{ extra.note }}', end: b}",
    "set by the flow's own way": (
        "transitions: [{at: before, when: turns > 3, to: b, set: {extra.note: x}}]\n"
        "nodes:\n  a: {prompt: A.}\n  b: {say: '{{ extra.note }}', end: b}"
    ),
    "filled later, read on coming back": (
        "nodes:\n  a: {prompt: A., transitions: [{when: user.ok, end: x}, {to: b}]}\n"
        "  b: {prompt: B., collect: [user.ok], transitions: [{to: a}]}"
    ),
    "a default": "nodes:\n  a: {say: 'Level {{ extra.level }}.', end: a}",
    "a question asks what another one reads": (
        "nodes:\n  a: {form: {fields: [{field: user.ok}, {field: user.name, ask_when: user.ok}]}}"
    ),
    "a question aside fills it": (
        "nodes:\n  a: {form: {fields: [{field: user.ok}], statement: '{{ user.ok }}', handoff: x}}"
    ),
    # texts
    "time is read": "nodes:\n  a: {say: 'It is {{ now.getHours() }}.', end: a}",
    "visits are read": "nodes:\n  a: {say: '{{ visits(\"a\") }}', end: a}",
    "uses are counted": "nodes:\n  a: {say: '{{ tools.count(\"think\") }}', end: a}",
    "progress of a form": "nodes:\n  a: {form: {fields: [{field: user.ok, ask: '{{ form.number }} of {{ form.total }}: ok?'}]}}",
    "braces of something else": "nodes:\n  a: {prompt: 'Answer as {json.object} or {name}.'}",
    # tools
    "the host uses tools": "nodes:\n  a: {prompt: A.}\n  b: {say: B., end: b, enter_when: tools.used('think') && tools.used('save')}",
    "uses of what is allowed before": (
        "nodes:\n  a: {prompt: A., tools: {allow: ['*'], deny: [book]}}\n"
        "  b: {say: B., end: b, enter_when: tools.used('think') && tools.used('save')}"
    ),
    "one of two uses": (
        "nodes:\n  a: {prompt: A., tools: {allow: [think]}}\n"
        "  b: {prompt: B., enter_when: tools.used('think') || tools.used('save'), tools: {allow: [save]}}"
    ),
    "not used": (
        "nodes:\n  a: {prompt: A., tools: {allow: [think]}, transitions: [{when: '!tools.used(\"save\") && turns > 3', to: b}]}\n"
        "  b: {prompt: B., tools: {allow: [save]}, transitions: [{when: turns > 9, to: a}]}"
    ),
    "confirmed before it is booked": (
        "nodes:\n"
        "  a: {form: {fields: [{field: user.name}], confirm: {}}, transitions: [{when: form.status == 'confirmed', to: b}, {end: x}]}\n"
        "  b: {prompt: Book., tools: {allow: [book]}, transitions: [{when: tools.used('book'), end: b}]}"
    ),
    "confirmed and more": (
        "nodes:\n"
        "  a: {form: {fields: [{field: user.name}], confirm: {}},\n"
        "      transitions: [{when: form.status == 'confirmed' && has(user.name), to: m}, {end: x}]}\n"
        "  m: {say: One moment., transitions: [{to: b}]}\n"
        "  b: {prompt: Book., tools: {allow: [book]}, transitions: [{when: tools.used('book'), end: b}]}"
    ),
    "a sequence that its own trigger reads": (
        "nodes:\n  a: {prompt: A., tools: {allow: [think, save]}}\n"
        "  b: {prompt: B., enter_when: [{type: sequence_match}], tools: {allow: [think, save], sequence: [think, save]}}"
    ),
    "a sequence without the tool": ("nodes:\n  a: {prompt: A., tools: {sequence: [think, save]}}"),
    "a sequence after another trigger": (
        "nodes:\n  a: {prompt: A., tools: {allow: [think]}}\n"
        "  b: {prompt: B., enter_when: tools.used('think'), tools: {sequence: [save, think]}}"
    ),
    # forms and words
    "a stop that speaks": "nodes:\n  a: {form: {fields: [{field: user.sex, stop: {values: [m], say: Sorry.}}]}}",
    "asked where it is missing": "nodes:\n  a: {form: {fields: [{field: user.sex, ask_when: '!has(user.sex)'}]}}",
    "asked where another is known": (
        "nodes:\n  a: {form: {fields: [{field: user.sex}, {field: user.ok, ask_when: has(user.sex)}]}}"
    ),
    "never asked and not needed": (
        "nodes:\n  a: {form: {fields: [{field: user.sex}, {field: user.ok, asked: false, required: false}]}}"
    ),
    "never asked, and set elsewhere": (
        "nodes:\n  a: {say: A., set: {user.ok: true}, transitions: [{to: b}]}\n"
        "  b: {form: {fields: [{field: user.sex}, {field: user.ok, asked: false}]}}"
    ),
    "handed over by the user": (
        "nodes:\n  a: {form: {fields: [{field: user.name}]}, transitions: [{when: form.status == 'handed_off', end: x}, {end: y}]}"
    ),
    "handed over by the form": (
        "nodes:\n  a: {form: {fields: [{field: user.name}], handoff: desk}, transitions: [{when: form.status == 'handed_off', end: x}]}"
    ),
    "handed over or confirmed": (
        "nodes:\n  a: {form: {fields: [{field: user.name}]},\n"
        '      transitions: [{when: \'form.status in ["handed_off", "confirmed"]\', end: x}]}'
    ),
    "stopped by an answer": (
        "nodes:\n  a: {form: {fields: [{field: user.sex, stop: {values: [m], say: No.}}]},\n"
        "      transitions: [{when: form.status == 'stopped', end: x}]}"
    ),
    "a form that only confirms": (
        "nodes:\n  a: {say: A., set: {user.ok: true}, transitions: [{to: b}]}\n"
        "  b: {form: {fields: [{field: user.ok, asked: false}], confirm: {}}}"
    ),
    "a person with a timer": (
        "nodes:\n  a: {person: desk, transitions: [{at: timer, end: late}, {when: person.outcome == 'x', end: x}]}"
    ),
    "a person whose absence has a way": (
        "nodes:\n  a: {person: desk, transitions: [{when: person.outcome == 'x', end: x}, {when: person.outcome == 'timeout', end: y}]}"
    ),
    "a person without a way out": "nodes:\n  a: {person: desk}",
    "a person on every way": (
        "nodes:\n  a: {person: desk, transitions: [{to: c}]}\n  c: {say: 'C {{ user.name }}.', end: c}"
    ),
    "what a person may have set": "nodes:\n  a: {person: desk, transitions: [{when: user.ok, end: x}, {end: y}]}",
    "a person for whom a form can ask": "person: desk\nnodes:\n  a: {form: {fields: [{field: user.name}]}}",
    "a person for whom a command can ask": (
        "person: desk\ncommands: [hand_over]\nnodes:\n  a: {prompt: A., transitions: [{when: person.outcome == 'x', end: x}]}"
    ),
    "phrases of one's own": "texts: {affirm: [fine], edit: [other way]}\nnodes:\n  a: {say: A., end: a}",
    "a shipped phrase moved over": "texts: {affirm: [change], edit: [edit]}\nnodes:\n  a: {say: A., end: a}",
    "a mirror beside its code": ways("{at: before, when: user.ok, mirror: true, to: b}", "{at: before, guard: route}"),
    "a mirror of the flow's code": (
        "transitions: [{at: before, guard: route}]\n" + ways("{at: before, when: user.ok, mirror: true, to: b}")
    ),
    "a mirror for the whole flow, of a node's code": (
        "transitions: [{at: before, when: turns > 3, mirror: true, to: b}]\n" + ways("{at: before, guard: route}")
    ),
}


@pytest.mark.parametrize("flow", NEAR_MISSES.values(), ids=NEAR_MISSES)
def test_what_must_not_be_reported(flow: str) -> None:
    assert found(flow) == []


def test_every_rule_is_tried() -> None:
    tried = {code.partition(":")[0] for _, code in REPORTED.values()} | {
        "TW070",
        "TW083",
    }  # they have tests of their own
    assert tried == OF_RULES


@pytest.mark.parametrize(
    ("flow", "lines"),
    [
        ("nodes:\n  a: {prompt: A.}", [6, 6, 6]),
        ("nodes:\n  a: {prompt: A., tools: {allow: [think]}}", [6, 6]),
        ("nodes:\n  a: {prompt: A., tools: {deny: [book]}}", [6]),
        (
            'nodes:\n  a: {prompt: A., transitions: [{when: \'tools.last == "think" || tools.count("save") > 3\', end: x}]}',
            [6],
        ),
        ("nodes:\n  a: {prompt: A., tools: {allow: ['*']}}", []),
    ],
)
def test_a_tool_that_nothing_can_use_is_reported_once(flow: str, lines: list[int]) -> None:
    told = check_text(f"{HEAD}{flow}\n".encode(), "f.yaml")
    assert [one.span.line for one in told if one.code == "TW070"] == lines
