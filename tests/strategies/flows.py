"""Whole random flows: every class of the model, every key, made from the same tables as the reader.

They are well-formed, not sensible: names lead nowhere, guards are no guards. What reads and writes
flows must not mind.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from strategies.texts import names, texts
from turnwise.flow import kinds as s
from turnwise.flow import model as m
from turnwise.flow.model import Condition, Flow
from turnwise.flow.shapes import SHAPES, Key

_MOST = 2
_KEYS = ((6, 24), (1, 6), (0, 4), (0, 2), (0, 0))
"""The least and the most keys of an object, by its depth, beside those that must be there."""

numbers = st.one_of(st.integers(-(10**12), 10**12), st.floats(allow_nan=False, allow_infinity=False))
data = st.recursive(
    st.one_of(st.none(), st.booleans(), numbers, texts),
    lambda inner: st.lists(inner, max_size=_MOST) | st.dictionaries(texts, inner, max_size=_MOST),
    max_leaves=4,
)
"""Any JSON value."""

durations = st.one_of(
    st.sampled_from([0.0, 0.001, 0.25, 1.0, 60.0, 1800.0, 86_400.0, 604_800.0, 90_061.001]),
    st.integers(0, 10**10).map(lambda ms: ms / 1000),
)
conditions = st.builds(
    Condition,
    type=st.one_of(st.sampled_from(["tool_used", "sequence_match"]), texts),
    value=texts,
    window=st.none() | st.integers(1, 99),
    description=texts,
)
guards = texts | st.lists(conditions, max_size=_MOST).map(tuple)


@st.composite
def flows(draw: st.DrawFn) -> Flow:
    """Any flow that imports nothing."""
    flow: Flow = draw(objects("Flow", 0, imports=()))
    return flow if flow.start else replace(flow, start="start")


@st.composite
def objects(draw: st.DrawFn, of: str, depth: int, **given: Any) -> Any:
    """Any object of a shape; keys that may be left out often are, and deep inside all are."""
    shape = SHAPES[of]
    defaults = {attribute: default for _, attribute, _, default in shape.written}
    optional = [key for key in shape.keys if not key.required]
    least, most = _KEYS[min(depth, len(_KEYS) - 1)]
    sets = st.sets(st.sampled_from(optional), min_size=min(least, len(optional)), max_size=most)
    chosen = draw(sets) if optional and most else set[Key]()
    for key in shape.keys:
        if key.attribute not in given and (key.required or key in chosen):
            given[key.attribute] = draw(values(key.kind, depth, defaults[key.attribute]))
    return shape.of(**given)


def values(kind: s.Kind, depth: int, default: Any = None) -> SearchStrategy[Any]:
    """Any value of a kind."""
    match kind:
        case s.Name():
            return names | st.just("") if default == "" else names
        case s.Integer(least):
            return st.integers(least, 2**40)
        case s.Number(least, most):
            return st.floats(least, most)
        case s.OneOf(words):
            return st.sampled_from(words)
        case s.Many(of):
            return st.lists(values(of, depth), max_size=_MOST).map(tuple)
        case s.Table(of):
            return st.dictionaries(texts, values(of, depth), max_size=_MOST)
        case s.Named(shape, rule):
            return named(shape, depth + 1, names_of(rule))
        case s.Object(shape):
            return objects(shape, depth + 1)
        case _:
            return _PLAIN[type(kind)]


_PLAIN: dict[type, SearchStrategy[Any]] = {
    s.Text: texts,
    s.Bound: numbers | texts.filter(bool),
    s.Flag: st.booleans(),
    s.Duration: durations,
    s.When: guards,
    s.Anything: data,
}


@st.composite
def named(draw: st.DrawFn, shape: str, depth: int, called: SearchStrategy[str] = names) -> tuple[Any, ...]:
    """Some objects, each with a name of its own."""
    return tuple(draw(objects(shape, depth, name=name)) for name in draw(st.lists(called, max_size=_MOST, unique=True)))


def names_of(rule: s.NameRule) -> SearchStrategy[str]:
    """Names that a rule allows."""
    return (
        names
        if rule is s.IDENTIFIER
        else names | st.from_regex(rule.pattern.pattern, fullmatch=True).map(lambda n: n[:12]).filter(rule.allows)
    )


def _node(**parts: Any) -> Flow:
    return Flow("f", "a", nodes=(m.Node("a", **parts),))


def _field(**parts: Any) -> Flow:
    return Flow("f", "a", records=(m.Record("r", (m.Field("x", **parts),)),))


HOLDERS: dict[str, Callable[[Any], Flow]] = {
    "Flow": lambda it: it,
    "Option": lambda it: _field(options=(it,)),
    "OptionsFrom": lambda it: _field(options_from=it),
    "Field": lambda it: Flow("f", "a", records=(m.Record("r", (it,)),)),
    "Record": lambda it: Flow("f", "a", records=(it,)),
    "SequencePosition": lambda it: _node(tools=m.ToolPolicy(sequence=(it,))),
    "Retry": lambda it: _node(retry=it),
    "Settings": lambda it: _node(settings=it),
    "ReplyGuard": lambda it: _node(guard_reply=it),
    "Tool": lambda it: Flow("f", "a", tools=(it,)),
    "McpServer": lambda it: Flow("f", "a", mcp=(it,)),
    "ToolPolicy": lambda it: _node(tools=it),
    "ToolWork": lambda it: _node(tool=it),
    "PersonWork": lambda it: _node(person=it),
    "NodeTranscript": lambda it: _node(transcript=it),
    "Collect": lambda it: _node(collect=it),
    "Stop": lambda it: _node(form=m.Form((m.FormField("r.x", stop=it),))),
    "FormField": lambda it: _node(form=m.Form((it,))),
    "Acknowledge": lambda it: _node(form=m.Form(acknowledge=it)),
    "Confirm": lambda it: _node(form=m.Form(confirm=it)),
    "Form": lambda it: _node(form=it),
    "ScopeLimits": lambda it: _node(scope=m.Scope(limits=it)),
    "Summary": lambda it: _node(scope=m.Scope(summary=it)),
    "Scope": lambda it: _node(scope=it),
    "Offer": lambda it: _node(offer=it),
    "Transition": lambda it: Flow("f", "a", transitions=(it,)),
    "Node": lambda it: Flow("f", "a", nodes=(it,)),
    "Overlay": lambda it: Flow("f", "a", overlays=(it,)),
    "Schedule": lambda it: Flow("f", "a", schedules=(it,)),
    "Import": lambda it: Flow("f", "a", imports=(it,)),
    "Limits": lambda it: Flow("f", "a", limits=it),
    "Budget": lambda it: Flow("f", "a", limits=m.Limits(budgets=[it])),
    "Price": lambda it: Flow("f", "a", limits=m.Limits(prices=[it])),
    "Keep": lambda it: Flow("f", "a", keep=it),
    "Commands": lambda it: Flow("f", "a", commands=it),
}
"""For each class a flow that holds one."""

_NAMED = {key.kind.shape for shape in SHAPES.values() for key in shape.keys if isinstance(key.kind, s.Named)}


def flows_with(of: str) -> SearchStrategy[Flow]:
    """Small flows around any object of one shape."""
    if of == "Flow":
        return flows()
    made = names.flatmap(lambda name: objects(of, 1, name=name)) if of in _NAMED else objects(of, 1)
    return made.map(HOLDERS[of])


@st.composite
def flows_with_key(draw: st.DrawFn, of: str, name: str) -> Flow:
    """Small flows around an object of one shape in which one key is set; of the other keys few are."""
    shape = SHAPES[of]
    key = shape.by_name[name]
    default = next(default for _, attribute, _, default in shape.written if attribute == key.attribute)
    value = draw(values(key.kind, 1, default).filter(lambda value: value != default))
    given: dict[str, Any] = {"name": draw(names)} if of in _NAMED else {"imports": ()} if of == "Flow" else {}
    flow = HOLDERS[of](replace(draw(objects(of, 3, **given)), **{key.attribute: value}))
    return flow if flow.start else replace(flow, start="start")
