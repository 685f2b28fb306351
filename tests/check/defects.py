"""Known defects, each planted at a random place of a flow: what becomes of the flow, and what must be said where."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from random import Random
from typing import Any

from turnwise.flow import model as m
from turnwise.flow.diagnostic import Span
from turnwise.flow.model import Flow, Node, Transition

Place = Callable[[Flow], Span]
"""Where the planted part stands, in the flow as it was read back from its text."""


@dataclass(frozen=True)
class Planted:
    """A flow with one defect, the code that must be reported, and the place where."""

    flow: Flow
    code: str
    place: Place
    spoil: Callable[[str], tuple[str, int]] | None = field(default=None)
    """What only the text can have: gives the spoilt text, and the line."""


Plant = Callable[[Flow, Random], Planted | None]
"""Plants one defect; `None` where the flow has no place for it."""

KINDS: dict[str, Plant] = {}


def kind(name: str) -> Callable[[Plant], Plant]:
    """Names a kind of defect."""

    def noted(plant: Plant) -> Plant:
        KINDS[name] = plant
        return plant

    return noted


class NoPlace(Exception):
    """A flow has nothing of what a defect is planted into."""


def pick(chance: Random, options: Sequence[Any]) -> Any:
    """One of some options. Raises `NoPlace` where there is none."""
    if not options:
        raise NoPlace
    return chance.choice(options)


# places and changes ---------------------------------------------------------------------------------


def node_of(flow: Flow, name: str) -> Node:
    """A node by its name."""
    return next(node for node in flow.nodes if node.name == name)


def change_node(flow: Flow, name: str, **changes: Any) -> Flow:
    """The flow with another node in the place of one."""
    return replace(flow, nodes=tuple(replace(n, **changes) if n.name == name else n for n in flow.nodes))


def change_transition(flow: Flow, name: str, number: int, **changes: Any) -> Flow:
    """The flow with one transition of a node changed."""
    ways = list(node_of(flow, name).transitions)
    ways[number] = replace(ways[number], **changes)
    return change_node(flow, name, transitions=tuple(ways))


def insert(flow: Flow, name: str, number: int, *added: Transition) -> Flow:
    """The flow with transitions put into a node."""
    ways = node_of(flow, name).transitions
    return change_node(flow, name, transitions=(*ways[:number], *added, *ways[number:]))


def add_nodes(flow: Flow, chance: Random, *nodes: Node) -> Flow:
    """The flow with further nodes, together at a random place."""
    at = chance.randint(0, len(flow.nodes))
    return replace(flow, nodes=(*flow.nodes[:at], *nodes, *flow.nodes[at:]))


def transition_at(flow: Flow, name: str, id_: str) -> Transition:
    """A transition of a node by its name."""
    return next(way for way in node_of(flow, name).transitions if way.id == id_)


def way_place(name: str, id_: str, key: str = "") -> Place:
    """Where a transition stands, or the value of one of its keys."""
    return lambda flow: transition_at(flow, name, id_).span.of(key)


def node_place(name: str, key: str = "") -> Place:
    """Where a node stands, or the value of one of its keys."""
    return lambda flow: node_of(flow, name).span.of(key)


def staying(flow: Flow) -> list[str]:
    """The nodes in which a conversation goes on."""
    return [node.name for node in flow.nodes if not node.end]


def ways_of(flow: Flow, keep: Callable[[Transition], object] = bool) -> list[tuple[str, int]]:
    """The transitions that nodes declare, by node and number."""
    return [(n.name, i) for n in flow.nodes for i, way in enumerate(n.transitions) if keep(way)]


def fields_of(flow: Flow, *types: str) -> Iterator[tuple[str, m.Field]]:
    """The fields of some types, each with its address."""
    for record in flow.records:
        yield from ((f"{record.name}.{f.name}", f) for f in record.fields if not types or f.type in types)


def collected(flow: Flow, node: Node) -> list[str]:
    """The fields that a node lets be filled."""
    form = [question.field for question in node.form.fields] if node.form else []
    return [*(node.collect.fields if node.collect else ()), *form]


def misspelt(name: str, known: object, chance: Random) -> str:
    """A name with one slip in it."""
    while True:
        at = chance.randrange(1, len(name))
        slips = (name[:at] + name[at + 1 :], name[:at] + name[at] + name[at:], name[:at] + "q" + name[at:])
        found = pick(chance, slips)
        if found not in known and re.fullmatch(r"[A-Za-z_]\w*", found):
            return found


def lead_to(flow: Flow, chance: Random, target: str, number: int = 7) -> Flow:
    """A way to an added node from a random one that was there, which nothing hides."""
    name = pick(chance, [n for n in staying(flow) if not n.startswith(("planted", "extra", "late"))])
    way = Transition("lead", at="before", when=f"turns > {number}", to=target, because="planted")
    return insert(flow, name, len(node_of(flow, name).transitions), way)


def with_field(flow: Flow, added: m.Field, chance: Random) -> tuple[Flow, str]:
    """A further field in a random record; gives its address too."""
    record = pick(chance, flow.records)
    records = tuple(replace(r, fields=(*r.fields, added)) if r is record else r for r in flow.records)
    return replace(flow, records=records), f"{record.name}.{added.name}"


def with_tools(flow: Flow, *tools: m.Tool) -> Flow:
    """Further tools, as far as they are not there."""
    known = {tool.name for tool in flow.tools}
    return replace(flow, tools=(*flow.tools, *(tool for tool in tools if tool.name not in known)))


def leads_anywhere(flow: Flow) -> bool:
    """True if some ways lead out of every node."""
    return bool(flow.transitions) or any(node.enter_when for node in flow.nodes)


def has_policies(flow: Flow) -> bool:
    """True if nodes say already which tools may be used."""
    return any(node.tools for node in flow.nodes)


def guarded(flow: Flow, chance: Random, guard: str, *, at: m.Moment = "after") -> tuple[Flow, Place]:
    """A guard at a random transition: in place of its own, or at a new transition."""
    chosen = ways_of(flow, lambda way: isinstance(way.when, str) and way.when and way.to)
    if chosen and chance.random() < 0.5:
        name, number = pick(chance, chosen)
        changed = change_transition(flow, name, number, id="planted", when=guard)
        return changed, way_place(name, "planted", "when")
    name = pick(chance, staying(flow))
    target = pick(chance, [n.name for n in flow.nodes if n.name != name])
    way = Transition("planted", at=at, when=guard, to=target, because="planted", priority=pick(chance, (50, 100)))
    return insert(flow, name, 0, way), way_place(name, "planted", "when")


# names ---------------------------------------------------------------------------------------------


@kind("unknown target")
def _target(flow: Flow, chance: Random) -> Planted | None:
    names = [node.name for node in flow.nodes]
    found = [(name, number) for name, number in ways_of(flow, lambda way: way.to)]
    name, number = pick(chance, found)
    target = misspelt(node_of(flow, name).transitions[number].to, names, chance)
    changed = change_transition(flow, name, number, id="planted", to=target)
    return Planted(changed, "TW012", way_place(name, "planted", "to"))


@kind("unknown start")
def _start(flow: Flow, chance: Random) -> Planted | None:
    wrong = misspelt(flow.start, [node.name for node in flow.nodes], chance)
    return Planted(replace(flow, start=wrong), "TW018", lambda read: read.span.of("start"))


@kind("unknown field to collect or ask for")
def _field(flow: Flow, chance: Random) -> Planted | None:
    name = pick(chance, [node.name for node in flow.nodes if collected(flow, node)])
    node = node_of(flow, name)
    record, _, of = pick(chance, collected(flow, node)).partition(".")
    wrong = f"{record}.{misspelt(of, collected(flow, node), chance)}"
    if node.form:
        number = chance.randrange(len(node.form.fields))
        asked = [replace(q, field=wrong) if i == number else q for i, q in enumerate(node.form.fields)]
        changed = change_node(flow, name, form=replace(node.form, fields=tuple(asked)))
        return Planted(changed, "TW020", lambda read: node_of(read, name).form.fields[number].span.of("field"))
    number = chance.randint(0, len(node.collect.fields))
    listed = (*node.collect.fields[:number], wrong, *node.collect.fields[number:])
    changed = change_node(flow, name, collect=replace(node.collect, fields=listed))
    return Planted(changed, "TW020", lambda read: node_of(read, name).collect.span.of(f"fields.{number}"))


@kind("unknown field to write")
def _written(flow: Flow, chance: Random) -> Planted | None:
    name = pick(chance, [node.name for node in flow.nodes])
    address, _ = pick(chance, list(fields_of(flow)))
    wrong = f"{address}{pick(chance, 'xyz')}"
    changed = change_node(flow, name, set={**node_of(flow, name).set, wrong: 1})
    return Planted(changed, "TW020", node_place(name, f"set.{wrong}"))


@kind("rule field not in its record")
def _rule_field(flow: Flow, chance: Random) -> Planted | None:
    address, _ = pick(chance, list(fields_of(flow)))
    record, _, name = address.partition(".")
    others = [known.partition(".")[2] for known, _ in fields_of(flow)]
    changed, place = guarded(flow, chance, f"has({record}.{misspelt(name, others, chance)})")
    return Planted(changed, "TW031", place)


@kind("unknown record in a guard")
def _rule_record(flow: Flow, chance: Random) -> Planted | None:
    address, _ = pick(chance, list(fields_of(flow)))
    record, _, name = address.partition(".")
    wrong = misspelt(record, [r.name for r in flow.records], chance)
    changed, place = guarded(flow, chance, f"turns > 3 && has({wrong}.{name})")
    return Planted(changed, "TW031", place)


@kind("unknown tool in a guard")
def _rule_tool(flow: Flow, chance: Random) -> Planted | None:
    changed, place = guarded(with_tools(flow, m.Tool("think")), chance, 'tools.used("thikn")')
    return Planted(changed, "TW021", place)


@kind("unknown tool in a policy")
def _policy_tool(flow: Flow, chance: Random) -> Planted | None:
    name = pick(chance, [node.name for node in flow.nodes if node.prompt])
    key = pick(chance, ("allow", "deny"))
    policy = m.ToolPolicy(**{"allow": ("think",), key: ("think", "thikn") if key == "allow" else ("thikn",)})
    changed = change_node(with_tools(flow, m.Tool("think"), m.Tool("save")), name, tools=policy)
    number = len(getattr(policy, key)) - 1
    return Planted(changed, "TW021", lambda read: node_of(read, name).tools.span.of(f"{key}.{number}"))


@kind("unknown function in a guard")
def _rule_function(flow: Flow, chance: Random) -> Planted | None:
    address, _ = pick(chance, list(fields_of(flow, "string", "choice")))
    changed, place = guarded(flow, chance, pick(chance, [f"sise({address}) > 2", f"{address}.startWith('a')"]))
    return Planted(changed, "TW031", place)


@kind("unknown Python guard")
def _function(flow: Flow, chance: Random) -> Planted | None:
    name = pick(chance, staying(flow))
    target = pick(chance, [node.name for node in flow.nodes if node.name != name])
    way = Transition("planted", at="before", guard="route", to=target)
    changed = insert(flow, name, chance.randint(0, len(node_of(flow, name).transitions)), way)
    return Planted(changed, "TW024", way_place(name, "planted", "guard"))


@kind("unknown overlay")
def _overlay(flow: Flow, chance: Random) -> Planted | None:
    changed, place = guarded(flow, chance, 'turns > 2 && overlay.active("viking_weekend")')
    return Planted(changed, "TW022", place)


@kind("unknown node in a guard")
def _rule_node(flow: Flow, chance: Random) -> Planted | None:
    names = [node.name for node in flow.nodes]
    changed, place = guarded(flow, chance, f'visits("{misspelt(pick(chance, names), names, chance)}") > 1')
    return Planted(changed, "TW023", place)


# ways ------------------------------------------------------------------------------------------------


@kind("unreachable node")
def _unreachable(flow: Flow, chance: Random) -> Planted | None:
    if chance.random() < 0.5:
        leads = chance.random() < 0.5
        ways = (Transition("on", when="turns > 9", to=pick(chance, staying(flow))),) if leads else ()
        lost = Node("planted", say="Nobody hears this.", end="" if leads else "planted", transitions=ways)
        return Planted(add_nodes(flow, chance, lost), "TW051", node_place("planted"))
    name = pick(chance, [node.name for node in flow.nodes if node.name != flow.start])
    kept = tuple(
        replace(
            node,
            once="" if node.once == name else node.once,
            end="planted" if node.once == name else node.end,
            transitions=tuple(way for way in node.transitions if way.to != name or node.name == name),
        )
        for node in flow.nodes
    )
    if any(node.enter_when for node in flow.nodes if node.name == name) or any(w.to == name for w in flow.transitions):
        return None
    return Planted(replace(flow, nodes=kept), "TW051", node_place(name))


@kind("node with no way out")
def _no_way_out(flow: Flow, chance: Random) -> Planted | None:
    if leads_anywhere(flow):
        return None
    said = [node.name for node in flow.nodes if node.say and node.name != flow.start]
    if chance.random() < 0.5 and said:
        name = pick(chance, said)
        return Planted(change_node(flow, name, end="", once="", transitions=()), "TW055", node_place(name))
    changed = add_nodes(flow, chance, Node("planted", say="And now?"))
    return Planted(lead_to(changed, chance, "planted"), "TW055", node_place("planted"))


@kind("transition shadowed by an earlier one")
def _shadowed(flow: Flow, chance: Random) -> Planted | None:
    name = pick(chance, staying(flow))
    number = chance.randint(0, len(node_of(flow, name).transitions))
    targets = [node.name for node in flow.nodes if node.name != name]
    weaker, stronger = pick(chance, list(_implied(flow)))
    at = pick(chance, ("before", "after"))
    first = Transition("first", at=at, when=weaker, to=pick(chance, targets), priority=7)
    planted = Transition("planted", at=at, when=stronger, to=pick(chance, targets), priority=8)
    both = (first, planted) if chance.random() < 0.5 else (planted, first)
    return Planted(insert(flow, name, number, *both), "TW050", way_place(name, "planted"))


def _implied(flow: Flow) -> Iterator[tuple[str, str]]:
    """Guards, and others that hold only where they do."""
    yield "turns > 5", "turns > 8"
    for address, of in fields_of(flow):
        match of.type:
            case "integer":
                yield f"{address} > 40", f"{address} >= 50"
                yield f"{address} != 40", f"{address} > 50 && {address} < 90"
            case "boolean":
                yield address, f"{address} && turns > 3"
                yield f"!{address} || turns > 3", f"turns > 4 && has({address})"
            case "choice" if len(of.options) > 1:
                one, other, *_ = [option.value for option in of.options]
                yield f'{address} != "{one}"', f'{address} == "{other}"'
                yield f'{address} in ["{one}", "{other}"]', f'{address} == "{other}" && turns > 2'
                yield f"has({address})", f'{address} == "{one}"'
            case "list":
                yield f"size({address}) >= 2", f"size({address}) == 4"
            case _:
                yield f"has({address})", f'{address} == "planted"'


@kind("an else after an else")
def _second_else(flow: Flow, chance: Random) -> Planted | None:
    name = pick(chance, staying(flow))
    targets = [node.name for node in flow.nodes if node.name != name]
    first = Transition("first", at="before", to=pick(chance, targets))
    planted = Transition("planted", at="before", to=pick(chance, targets))
    return Planted(insert(flow, name, 0, first, planted), "TW050", way_place(name, "planted"))


@kind("two transitions with equal guards")
def _twins(flow: Flow, chance: Random) -> Planted | None:
    found = ways_of(flow, lambda way: way.when and way.at in ("before", "after"))
    name, number = pick(chance, found)
    first = node_of(flow, name).transitions[number]
    targets = [node.name for node in flow.nodes if node.name not in (name, first.to)]
    planted = replace(first, id="planted", to=pick(chance, targets), set={})
    at = chance.randint(number + 1, len(node_of(flow, name).transitions))
    return Planted(insert(flow, name, at, planted), "TW054", way_place(name, "planted"))


@kind("loop without a wait")
def _loop(flow: Flow, chance: Random) -> Planted | None:
    guard = pick(chance, ["", "turns > 3"])
    size = chance.randint(2, 3)
    names = [f"planted_{number}" for number in range(size)]
    nodes = [
        Node(name, say="On.", transitions=(Transition(f"on_{name}", when=guard, to=names[(n + 1) % size]),))
        for n, name in enumerate(names)
    ]
    changed = lead_to(add_nodes(flow, chance, *nodes), chance, pick(chance, names))
    return Planted(changed, "TW056", way_place(names[0], f"on_{names[0]}"))


@kind("loop through a node that is there")
def _loop_back(flow: Flow, chance: Random) -> Planted | None:
    said = [node.name for node in flow.nodes if node.say and node.name != flow.start]
    if not said:
        return None
    name = pick(chance, said)
    guard = "turns > 1"
    changed = change_node(flow, name, end="", transitions=(Transition("planted", when=guard, to="planted"),))
    back = Node("planted", say="Back.", transitions=(Transition("back", to=name),))
    changed = replace(changed, nodes=(*changed.nodes, back))
    return Planted(changed, "TW056", way_place(name, "planted"))


@kind("cascade longer than the limit")
def _cascade(flow: Flow, chance: Random) -> Planted | None:
    if flow.transitions:
        return None
    size = flow.limits.moves + chance.randint(1, 3)
    names = [f"planted_{number}" for number in range(size)]
    nodes = [
        Node(name, say="On.", transitions=(Transition(f"on_{name}", to=after),)) for name, after in pairwise(names)
    ]
    nodes.append(Node(names[-1], say="There.", end="planted"))
    changed = lead_to(add_nodes(flow, chance, *nodes), chance, names[0])
    return Planted(changed, "TW057", way_place(names[0], f"on_{names[0]}"))


@kind("pending move without target")
def _pending(flow: Flow, chance: Random) -> Planted | None:
    name = pick(chance, staying(flow))
    if not node_of(flow, name).once and not node_of(flow, name).end and chance.random() < 0.3:
        wrong = misspelt(flow.start, [node.name for node in flow.nodes], chance)
        return Planted(change_node(flow, name, once=wrong), "TW012", node_place(name, "once"))
    action = pick(chance, [{"stay": True}, {"end": "planted"}])
    way = Transition("planted", when="turns > 9", reply="next", **action)
    return Planted(insert(flow, name, 0, way), "TW041", way_place(name, "planted", "reply"))


# guards ----------------------------------------------------------------------------------------------


@kind("guard always true")
def _always(flow: Flow, chance: Random) -> Planted | None:
    found = ["turns >= 0", "errors >= 0 || turns > 3", "true", f'visits("{flow.start}") >= 0']
    for address, of in fields_of(flow):
        found.append(f"has({address}) || !has({address})")
        if of.type == "choice":
            rest = " || ".join(f'{address} == "{option.value}"' for option in of.options)
            found.append(f"!has({address}) || {rest}")
    changed, place = guarded(flow, chance, pick(chance, found))
    return Planted(changed, "TW053", place)


@kind("guard never true")
def _never(flow: Flow, chance: Random) -> Planted | None:
    found = ["turns < 0", "false", "turns > 3 && errors < 0"]
    found += [f"!has({address}) && {address} > 3" for address, _ in fields_of(flow, "integer")]
    found += [f"has({address}) && !has({address})" for address, _ in fields_of(flow)]
    changed, place = guarded(flow, chance, pick(chance, found))
    return Planted(changed, "TW052", place)


@kind("guard that contradicts itself")
def _contradictory(flow: Flow, chance: Random) -> Planted | None:
    found = ["turns > 5 && turns < 3"]
    for address, of in fields_of(flow):
        match of.type:
            case "integer":
                found.append(f"{address} > 60 && {address} < 50")
            case "boolean":
                found.append(f"{address} && turns > 2 && !{address}")
            case "choice" if len(of.options) > 1:
                one, other, *_ = [option.value for option in of.options]
                found.append(f'{address} == "{one}" && {address} == "{other}"')
                found.append(" && ".join([f"has({address})", *(f'{address} != "{o.value}"' for o in of.options)]))
            case "list":
                found.append(f"size({address}) >= 3 && size({address}) == 2")
            case _:
                found.append(f'{address} == "a" && {address} == "b"')
    changed, place = guarded(flow, chance, pick(chance, found))
    return Planted(changed, "TW052", place)


@kind("guard that compares with what is no option")
def _no_option(flow: Flow, chance: Random) -> Planted | None:
    address, of = pick(chance, list(fields_of(flow, "choice")))
    wrong = misspelt(pick(chance, of.options).value.replace(" ", ""), [o.value for o in of.options], chance)
    changed, place = guarded(flow, chance, f'turns > 1 && {address} {pick(chance, ("==", "!="))} "{wrong}"')
    return Planted(changed, "TW049", place)


@kind("guard beyond the bounds")
def _beyond(flow: Flow, chance: Random) -> Planted | None:
    found = [(a, f) for a, f in fields_of(flow, "integer", "number") if f.max is not None]
    if not found:
        return None
    address, of = pick(chance, found)
    changed, place = guarded(flow, chance, f"{address} > {of.max + chance.randint(0, 9)}")
    return Planted(changed, "TW049", place)


@kind("uses of three tools that never come together")
def _and_meant_as_or(flow: Flow, chance: Random) -> Planted | None:
    if has_policies(flow):
        return None
    names = ("think", "search", "save")
    changed = with_tools(flow, *(m.Tool(name, about=name) for name in names))
    now, *later = chance.sample(names, 3)
    before = pick(chance, [node.name for node in flow.nodes if node.prompt])
    changed = change_node(changed, before, tools=m.ToolPolicy(allow=(now,)))
    used = tuple(m.Condition("tool_used", name) for name in names)
    guard: m.Guard = used if chance.random() < 0.5 else " && ".join(f'tools.used("{name}")' for name in names)
    step = Node("planted", prompt="Sum it up.", enter_when=guard, tools=m.ToolPolicy(allow=tuple(later)))
    step = replace(step, transitions=(Transition("back", when="turns > 9", to=before),))
    return Planted(add_nodes(changed, chance, step), "TW071", node_place("planted", "enter_when"))


@kind("field read before anything can write it")
def _unwritten(flow: Flow, chance: Random) -> Planted | None:
    if "set" in flow.commands.names:
        return None
    changed, address = with_field(flow, m.Field("planted", type="integer"), chance)
    if chance.random() < 0.3:
        name = pick(chance, [node.name for node in flow.nodes if node.say])
        said = f"{node_of(flow, name).say} {{{{ {address} }}}}"
        return Planted(change_node(changed, name, say=said), "TW058", node_place(name, "say"))
    if chance.random() < 0.5:  # what fills it comes too late
        late = Node("late", prompt="Ask.", collect=m.Collect((address,)), transitions=(Transition("on", end="late"),))
        changed = lead_to(replace(changed, nodes=(*changed.nodes, late)), chance, "late")
    changed, place = guarded(changed, chance, f"{address} > 3")
    if transition_owner(changed) == "late":
        return None
    return Planted(changed, "TW058", place)


def transition_owner(flow: Flow) -> str:
    """The node with the planted transition."""
    return next(node.name for node in flow.nodes if any(way.id == "planted" for way in node.transitions))


@kind("mirror without the code that it mirrors")
def _mirror(flow: Flow, chance: Random) -> Planted | None:
    name = pick(chance, staying(flow))
    target = pick(chance, [node.name for node in flow.nodes if node.name != name])
    way = Transition("planted", at="before", when="turns > 5", mirror=True, to=target)
    return Planted(insert(flow, name, 0, way), "TW078", way_place(name, "planted", "mirror"))


# forms -----------------------------------------------------------------------------------------------


def form_in(flow: Flow, chance: Random) -> tuple[Flow, str]:
    """A flow with a form: its own, or one that was added; and the node of it."""
    found = [node.name for node in flow.nodes if node.form]
    if found and chance.random() < 0.7:
        return flow, pick(chance, found)
    options = (m.Option("Tea"), m.Option("Coffee"))
    record = m.Record("drink", (m.Field("kind", "choice", options=options), m.Field("cups", "integer", min=1, max=9)))
    form = m.Form((m.FormField("drink.kind", ask="What?"), m.FormField("drink.cups", ask="How many?")))
    node = Node("extra", form=form, transitions=(Transition("over", at="after", end="served"),))
    changed = add_nodes(replace(flow, records=(*flow.records, record)), chance, node)
    return lead_to(changed, chance, "extra"), "extra"


def change_question(flow: Flow, name: str, number: int, **changes: Any) -> Flow:
    """The flow with one question of a form changed."""
    form = node_of(flow, name).form
    asked = tuple(replace(q, **changes) if i == number else q for i, q in enumerate(form.fields))
    return change_node(flow, name, form=replace(form, fields=asked))


def question_place(name: str, number: int, key: str = "") -> Place:
    """Where a question stands, or the value of one of its keys."""
    return lambda flow: node_of(flow, name).form.fields[number].span.of(key)


@kind("form without fields")
def _no_fields(flow: Flow, chance: Random) -> Planted | None:
    changed, name = form_in(flow, chance)
    form = node_of(changed, name).form
    asked = () if chance.random() < 0.5 else tuple(replace(q, asked=False) for q in form.fields)
    changed = change_node(changed, name, form=replace(form, fields=asked))
    return Planted(changed, "TW045", lambda read: node_of(read, name).form.span)


@kind("form field never askable")
def _never_asked(flow: Flow, chance: Random) -> Planted | None:
    changed, name = form_in(flow, chance)
    number = chance.randrange(len(node_of(changed, name).form.fields))
    address = node_of(changed, name).form.fields[number].field
    if chance.random() < 0.3 and len(node_of(changed, name).form.fields) > 1:
        return Planted(change_question(changed, name, number, asked=False), "TW076", question_place(name, number))
    guard = pick(chance, [f"has({address})", f"turns > 2 && has({address})"])
    changed = change_question(changed, name, number, ask_when=guard)
    return Planted(changed, "TW076", question_place(name, number, "ask_when"))


@kind("stop value that is no option")
def _stop_value(flow: Flow, chance: Random) -> Planted | None:
    changed, name = form_in(flow, chance)
    fields = dict(fields_of(changed))
    questions = [i for i, q in enumerate(node_of(changed, name).form.fields) if fields[q.field].options]
    number = pick(chance, questions)
    options = [o.value for o in fields[node_of(changed, name).form.fields[number].field].options]
    values = (options[0], "Perhaps") if chance.random() < 0.5 else ("Perhaps",)
    changed = change_question(changed, name, number, stop=m.Stop(values, "That ends it."))
    at = len(values) - 1
    return Planted(changed, "TW042", lambda read: node_of(read, name).form.fields[number].stop.span.of(f"values.{at}"))


@kind("stop value without a message")
def _stop_silent(flow: Flow, chance: Random) -> Planted | None:
    changed, name = form_in(flow, chance)
    fields = dict(fields_of(changed))
    number = pick(chance, [i for i, q in enumerate(node_of(changed, name).form.fields) if fields[q.field].options])
    options = [o.value for o in fields[node_of(changed, name).form.fields[number].field].options]
    changed = change_question(changed, name, number, stop=m.Stop((pick(chance, options),)))
    return Planted(changed, "TW075", lambda read: node_of(read, name).form.fields[number].stop.span)


# tools -----------------------------------------------------------------------------------------------


def prompted(flow: Flow, chance: Random) -> str:
    """A node with a prompt."""
    return pick(chance, [node.name for node in flow.nodes if node.prompt])


@kind("sequence tool not allowed")
def _sequence_tool(flow: Flow, chance: Random) -> Planted | None:
    changed = with_tools(flow, m.Tool("think"), m.Tool("save"), m.Tool("send"))
    at = chance.randrange(3)
    tools = ["think", "save"]
    tools.insert(at, "send")
    sequence = tuple(m.SequencePosition((tool,)) for tool in tools)
    policy = pick(
        chance,
        [
            m.ToolPolicy(allow=("think", "save"), sequence=sequence),
            m.ToolPolicy(deny=("send",), sequence=sequence),
        ],
    )
    name = prompted(flow, chance)
    changed = change_node(changed, name, tools=policy)
    return Planted(changed, "TW043", lambda read: node_of(read, name).tools.span.of(f"sequence.{at}"))


@kind("policy that allows nothing")
def _allows_nothing(flow: Flow, chance: Random) -> Planted | None:
    changed = with_tools(flow, m.Tool("think"), m.Tool("save"))
    policy = pick(
        chance,
        [
            m.ToolPolicy(allow=("think",), deny=("think",)),
            m.ToolPolicy(allow=("*",), deny=("think", "s*")),
            m.ToolPolicy(deny=("*",)),
            m.ToolPolicy(deny=("*_*", "think", "s*")),
            m.ToolPolicy(allow=("save",), deny=("think", "*")),
        ],
    )
    name = prompted(flow, chance)
    return Planted(change_node(changed, name, tools=policy), "TW043", lambda read: node_of(read, name).tools.span)


@kind("tool never usable")
def _unusable(flow: Flow, chance: Random) -> Planted | None:
    if has_policies(flow):
        return None
    changed = with_tools(flow, m.Tool("think"), m.Tool("planted"))
    policy = pick(chance, [m.ToolPolicy(allow=("think",)), m.ToolPolicy(deny=("plan*",)), None])
    if policy is not None:
        changed = change_node(changed, prompted(flow, chance), tools=policy)
    return Planted(changed, "TW070", lambda read: next(t.span for t in read.tools if t.name == "planted"))


@kind("effect without the confirmation that it asks for")
def _unconfirmed(flow: Flow, chance: Random) -> Planted | None:
    changed = with_tools(flow, m.Tool("book", about="book", kind="effect", expects="confirmed"))
    if chance.random() < 0.5:
        name = prompted(flow, chance)
        changed = change_node(changed, name, tools=m.ToolPolicy(allow=("book",)))
        return Planted(changed, "TW072", lambda read: node_of(read, name).tools.span)
    changed, form = form_in(changed, chance)
    guard = pick(chance, ['form.status == "confirmed" || turns > 5', 'form.status != "stopped"', ""])
    way = Transition("to_planted", at="after", when=guard, to="planted", priority=9)
    back = Transition("done", when="turns > 30", end="booked")
    act = Node("planted", prompt="Book.", tools=m.ToolPolicy(allow=("book",)), transitions=(back,))
    changed = add_nodes(insert(changed, form, 0, way), chance, act)
    return Planted(changed, "TW072", lambda read: node_of(read, "planted").tools.span)


@kind("sequence_match without sequence")
def _no_sequence(flow: Flow, chance: Random) -> Planted | None:
    name = pick(chance, [node.name for node in flow.nodes if not node.enter_when])
    conditions = (m.Condition("tool_used", "think"), m.Condition("sequence_match"))[chance.randrange(2) :]
    changed = change_node(with_tools(flow, m.Tool("think")), name, enter_when=conditions)
    return Planted(changed, "TW035", lambda read: node_of(read, name).enter_when[-1].span)


@kind("sequence or window longer than the history kept")
def _too_long(flow: Flow, chance: Random) -> Planted | None:
    changed = with_tools(flow, m.Tool("think"))
    name = pick(chance, [node.name for node in flow.nodes if node.prompt and not node.enter_when])
    match chance.randrange(3):
        case 0:
            changed, place = guarded(changed, chance, f'tools.used("think", within: {chance.randint(65, 99)})')
            return Planted(changed, "TW044", place)
        case 1:
            conditions = (m.Condition("not_recently_used", "think", chance.randint(65, 99)),)
            changed = change_node(changed, name, enter_when=conditions)
            return Planted(changed, "TW044", node_place(name, "enter_when"))
        case _:
            sequence = (m.SequencePosition(("think",)),) * chance.randint(65, 70)
            changed = change_node(changed, name, tools=m.ToolPolicy(sequence=sequence))
            return Planted(changed, "TW044", lambda read: node_of(read, name).tools.span.of("sequence"))


# texts and words -------------------------------------------------------------------------------------


def _said(flow: Flow) -> list[tuple[str, str]]:
    """The texts of nodes that are filled in, by node and key."""
    return [(n.name, key) for n in flow.nodes for key in ("say", "prompt", "entry") if getattr(n, key)]


@kind("secret field shown in a template")
def _secret(flow: Flow, chance: Random) -> Planted | None:
    written = {address for node in flow.nodes for address in collected(flow, node)}
    address = pick(chance, sorted(written))
    record, _, of = address.partition(".")
    records = tuple(
        replace(r, fields=tuple(replace(f, secret=True) if f.name == of else f for f in r.fields))
        if r.name == record
        else r
        for r in flow.records
    )
    name, key = pick(chance, _said(flow))
    told = f"{getattr(node_of(flow, name), key)} {{{{ {address} }}}}"
    changed = change_node(replace(flow, records=records), name, **{key: told})
    return Planted(changed, "TW047", node_place(name, key))


@kind("template that reads nothing")
def _reads_nothing(flow: Flow, chance: Random) -> Planted | None:
    name, key = pick(chance, _said(flow))
    address = pick(chance, [address for address, _ in fields_of(flow)])
    hole = pick(chance, ['{{ "Ada" }}', "{{ 1 + 2 }}", f"{{{address}}}", f"{{ {address} }}"])
    changed = change_node(flow, name, **{key: f"{getattr(node_of(flow, name), key)} {hole}"})
    return Planted(changed, "TW059", node_place(name, key))


@kind("language without phrases")
def _language(flow: Flow, chance: Random) -> Planted | None:
    return Planted(replace(flow, language=pick(chance, ["fr", "xx", "eng"])), "TW027", lambda f: f.span.of("language"))


@kind("phrase that both confirms and edits")
def _phrase(flow: Flow, chance: Random) -> Planted | None:
    key, phrase = pick(chance, [("affirm", "change"), ("affirm", "Edit"), ("edit", "yes"), ("edit", "okay")])
    phrases = ["sure thing", "by all means"]
    at = chance.randint(0, 2)
    phrases.insert(at, phrase)
    changed = replace(flow, texts={**flow.texts, key: phrases})
    return Planted(changed, "TW077", lambda read: read.span.of(f"texts.{key}"))


_PLAIN_TEXT = re.compile(r"(?<=[{ ])(?:say|about|because|ask|description): (?P<text>[A-Za-z][^\"'{}\[\],:]*)(?=[,}])")


@kind("comma in a flow mapping that made a second key")
def _comma(flow: Flow, chance: Random) -> Planted | None:
    def spoilt(text: str) -> tuple[str, int]:
        lines = text.split("\n")
        found = [
            (n, hit) for n, line in enumerate(lines) for hit in _PLAIN_TEXT.finditer(line) if "{" in line[: hit.start()]
        ]
        number, hit = pick(chance, found)
        line = lines[number]
        lines[number] = f"{line[: hit.end()]}, if you like{line[hit.end() :]}"
        return "\n".join(lines), number + 1

    return Planted(flow, "TW008", lambda read: read.span, spoilt)
