"""Random flows about lists of records: items that are asked for outside of scopes and inside, and scopes that give one
back; with conversations that mostly speak of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from strategies.chance import Chance
from strategies.machines import PART, FlowMaker, good
from strategies.random_events import RandomEvents
from strategies.random_scopes import SCOPES, with_scopes
from turnwise.core.state import Ended, State
from turnwise.core.state import commands as c
from turnwise.core.state import events as e
from turnwise.flow.model import Confirm, Field, Flow, Form, FormField, Node, Scope, ScopeLimits

PARTS = "visit.parts"
"""The list of records."""
MAKING = "t"
"""The scope whose form fills one item, which it gives back to the list."""


def make_flow_of_items(chance: Chance, secrets: float = 0.0) -> Flow:
    """A flow that links, with scopes: forms ask for items in some of its nodes, and in some of its scopes."""
    maker = FlowMaker(chance, secrets)
    flow = with_scopes(chance, maker, maker.flow())
    commands = replace(flow.commands, start=(*SCOPES, MAKING))
    nodes = [_asking(chance, maker, node) for node in flow.nodes]
    return replace(flow, nodes=(*nodes, _making(chance, maker)), commands=commands)


def _asking(chance: Chance, maker: FlowMaker, node: Node) -> Node:
    """A node whose form asks for items first; of a scope also the nodes inside."""
    if node.scope is None:
        return node if node.form is None else replace(node, form=_with_items(chance, maker, node.form))
    scope = replace(node.scope, records=(PART,), on_return=chance.choice(("resume", "re-enter", "replace", "replace")))
    inside = tuple([_asking(chance, maker, one) if one.scope is None else one for one in scope.nodes])
    form = node.form if node.form is None else _with_items(chance, maker, node.form)
    return replace(node, scope=replace(scope, nodes=inside), form=form)


def _with_items(chance: Chance, maker: FlowMaker, form: Form) -> Form:
    if not chance.is_lucky(0.8) or any(one.field == PARTS for one in form.fields):
        return form
    return replace(form, fields=(maker.items_question(PARTS), *form.fields[:2]))


def _making(chance: Chance, maker: FlowMaker) -> Node:
    """The node of a scope that fills one item by a form."""
    fields = [
        FormField("part.kind", ask="Which kind?", required=chance.is_lucky(0.7)),
        FormField("part.size", ask="Which size?", required=chance.is_lucky(0.7)),
    ]
    scope = Scope(
        records=chance.choice(((), (PART,))),
        returns="part",
        into=PARTS,
        limits=ScopeLimits(turns=chance.choice((None, 2, 5))),
        on_return=chance.choice(("resume", "re-enter", "replace")),
    )
    confirm = Confirm() if chance.is_lucky(0.4) else None
    transitions = tuple([one for one in (maker.transition(), maker.transition()) if one.at in ("after", "error")])
    return Node(MAKING, form=Form(tuple(fields), confirm=confirm), scope=scope, transitions=transitions)


class RandomItemEvents(RandomEvents):
    """What happens to a conversation that mostly speaks of items: answers, commands about items, choices."""

    def event(self, state: State | None) -> e.OutsideEvent:
        """Any event from outside, more often commands."""
        is_open = state is not None and not isinstance(state.status, Ended) and state.person is None
        if is_open and self.chance.is_lucky(0.55):
            return e.Commands(tuple(self.command(state, self.fields) for _ in range(self.chance.randint(1, 2))))
        return super().event(state)

    def command(self, state: State | None, fields: Mapping[str, Field]) -> c.AnyCommand:
        """Any command, more often an answer to the open question, or one about items."""
        chance, frame = self.chance, state.frame if state is not None else None
        run = frame.form if frame is not None else None
        asked = fields.get(run.asked) if run is not None else None
        match chance.weighed({"answer": 40, "item": 25, "yes": 10, "no": 6, "cancel": 3, "other": 16}):
            case "answer" if asked is not None and run is not None and asked.of != "part":
                return c.Set(field=run.asked, value=good(chance, asked), correction=chance.is_lucky(0.1))
            case "answer" | "yes":
                return c.Affirm()
            case "item":
                lists = [name for name, field in fields.items() if field.of == "part"]
                return self.item_command(self.near(state, fields, "list")) if lists else c.Affirm()
            case "no":
                return c.Deny()
            case "cancel":
                return c.Cancel()
            case _:
                return super().command(state, fields)
