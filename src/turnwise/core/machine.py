"""The machine: a linked, checked, immutable flow that is ready to run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, cached_property
from typing import Any, Literal

from msgspec import Struct

from turnwise.core.addresses import ROOT, local_name, scope_of
from turnwise.core.call_names import CallNames, names_of_flow
from turnwise.core.candidates import Candidate, Candidates, Guard, Write, candidates_of
from turnwise.core.costs import LinkedBudget, LinkedPrice
from turnwise.core.field_titles import short_title_of, title_of
from turnwise.core.guards import Evaluate
from turnwise.core.guards.scope import Names
from turnwise.core.language import Language
from turnwise.core.linked_form import LinkedForm
from turnwise.core.linked_scope import LinkedScope
from turnwise.core.option_sources import OptionSource
from turnwise.core.proposals import LinkedOffer, LinkedOverlay, LinkedSchedule
from turnwise.core.start_phrases import StartPhrases, gaps_of, start_phrases_of
from turnwise.core.state import OptionLists, QuestionLists, State
from turnwise.core.template import Template
from turnwise.core.toolbox import LinkedTool, LinkedToolWork, Toolbox
from turnwise.core.values import Rules
from turnwise.core.values.schema import is_needed
from turnwise.flow.code import PythonGuard
from turnwise.flow.codec import fingerprint
from turnwise.flow.diagnostic import Diagnostic
from turnwise.flow.model import Field, Flow, Moment, Node


class Derived(Struct, frozen=True):
    """A derived field (law 1.5): the closure that computes its value, and the fields that this reads."""

    address: str
    """The address of the derived field."""
    field: Field
    """The declaration of the derived field."""
    value: Evaluate
    """The closure that computes the value in an environment."""
    reads: tuple[str, ...]
    """The addresses of the fields that the value is computed from."""


class LinkedPerson(Struct, frozen=True):
    """The handover to a person, by a node or `hand_over`: the queue, a text for the person, the longest wait."""

    queue: str
    """The name of the queue in which the conversation waits."""
    about: Template | None
    """What the person is asked to do, in words; `None` for no text."""
    timeout_ms: int
    """The longest wait for a person, in milliseconds."""


Work = Literal["none", "say", "prompt", "form", "tool", "person", "scope"]
"""What kind of work a node does."""


class LinkedNode(Struct, frozen=True):
    """A compiled node: its work, texts, writes, tools and transitions."""

    node: Node
    """The declaration of the node."""
    work: Work
    """The kind of work that the node does."""
    persona: Template | None
    """Who speaks at the node, as an instruction to the model; `None` for the flow's persona."""
    prompt: Template | None
    """The node's instructions to the model; `None` without a model."""
    say: Template | None
    """The text that the node sends; `None` if it sends none."""
    form: LinkedForm | None
    """The form of the node; `None` if its work is another."""
    entry: Template | None
    """The text that is sent on each entering of the node; `None` for none."""
    collects: tuple[str, ...]
    """The addresses of the fields that the node collects from messages."""
    tools: frozenset[str]
    """The names of the tools that the node's policy allows."""
    writes: tuple[Write, ...]
    """The fields that are written when the node is entered."""
    writes_on_leave: tuple[Write, ...]
    """The fields that are written when the node is left."""
    candidates: tuple[Candidate, ...]
    """The candidates of the node's own transitions."""
    toolbox: Toolbox
    """The tools of the node with their descriptions for models."""
    tool: LinkedToolWork | None = None
    """The tool that the node runs as its work; `None` if it runs none."""
    person: LinkedPerson | None = None
    """The handover to a person that is the node's work; `None` if its work is another."""
    reply_guard: Candidate | None = None
    """The check of each reply of the node's model; `None` for none."""
    offer: LinkedOffer | None = None
    """The scope that the node proposes to the user; `None` for none."""
    result_targets: Mapping[str, str] = {}
    """The record or field that stores the results of tools called or reported at this node, by tool."""
    settings: dict[str, Any] = {}
    """The model settings for requests of the node, by name: the flow's, overridden by the node's."""
    has_own_persona: bool = False
    """True if the persona is that of the node or a scope around it, not that of the flow."""


class Machine(Struct, frozen=True, dict=True, weakref=True):
    """A compiled flow, ready to run conversations."""

    flow: Flow
    """The flow that was compiled."""
    language: Language
    """The fixed texts and phrases of the flow's language."""
    rules: Rules
    """The settings for reading values: language, time zone, size limits."""
    names: Names
    """The names that guards of the flow may use."""
    fields: Mapping[str, Field]
    """All fields of the flow, by address."""
    validators: Mapping[str, tuple[tuple[Guard, Template | None], ...]]
    """The guards that new values of a field must not fail, each with its reply, by field address."""
    refusals: Mapping[str, Template]
    """The author's replies where a bound or pattern refuses a value, by field address."""
    tools: Mapping[str, LinkedTool]
    """The tools, by name."""
    events: Mapping[str, LinkedTool]
    """The external events, by name; their data is checked like the arguments of a tool."""
    nodes: Mapping[str, LinkedNode]
    """All nodes by address, also those inside scopes."""
    forms_of: Mapping[str, tuple[str, ...]]
    """The nodes whose forms ask for a field, by field address."""
    fallback: Template
    """The reply that is sent when nothing else was."""
    code: Mapping[str, PythonGuard]
    """The Python guards of the flow, by name."""
    person: LinkedPerson | None = None
    """The handover for a user's request for a person; `None` if `hand_over` only informs the host."""
    derived: tuple[Derived, ...] = ()
    """The derived fields, each after the fields that it reads."""
    warnings: tuple[Diagnostic, ...] = ()
    """The diagnostics of linking that are not errors."""
    explain_cache: dict[tuple[str, str], Any] = {}
    """Cached results of explanations, by two names: a node and a moment, or the kind of result."""
    secret_results: Mapping[str, frozenset[str]] = {}
    """The parts of results that go into secret fields, by tool; an empty name stands for the whole result."""
    speaks: Template | None = None
    """The template that names a conversation's language from its fields; `None` if the flow has one language."""
    time_zone: Template | None = None
    """The template that names a conversation's time zone from its fields; `None` if the flow has one zone."""
    schedules: Mapping[str, LinkedSchedule] = {}
    """The schedules by name, in the order in which they fire when several are due at once."""
    scopes: Mapping[str, LinkedScope] = {}
    """The scopes by name, with the outermost conversation, whose name is empty."""
    overlays: Mapping[str, LinkedOverlay] = {}
    """The overlays by name, the lowest priority number first."""
    languages: Mapping[str, Machine] = {}
    """The machines of the flow in each language, by code, if the language may change; else empty."""
    join_lists: Callable[[Machine, QuestionLists | None, OptionLists | None], Machine] | None = None
    """Returns the machine with a conversation's questions and options from data; `None` if the flow has none."""
    declared: Machine | None = None
    """For a machine with questions and options of one conversation: the machine without them; else `None`."""
    question_lists: QuestionLists | None = None
    """The questions read from data, if this machine is for one conversation; else `None`."""
    option_lists: OptionLists | None = None
    """The options read from lists, if this machine is for one conversation; else `None`."""
    with_lists: list[Machine] = []
    """A cache of this flow's machines for single conversations that were used last, the newest last."""
    option_sources: Mapping[str, OptionSource] = {}
    """The lists from which fields read their options, by field address."""
    budgets: tuple[LinkedBudget, ...] = ()
    """The budgets, in the order of the flow."""
    prices: Mapping[str, LinkedPrice] = {}
    """The prices of models, by model name: the program's, else the flow's."""
    model_for_all: str = ""
    """The model for all requests, if the program sets one; else empty."""

    @cached_property
    def fingerprint(self) -> str:
        """Sixteen hex digits that identify the flow and the sources of its functions."""
        return fingerprint(self.flow, tuple(guard.source for guard in self.code.values()))

    @cached_property
    def has_variants(self) -> bool:
        """True if conversations may need machines of their own: other languages, or questions or options from data."""
        return bool(self.languages) or self.join_lists is not None or self.declared is not None

    def for_conversation(self, state: State | None) -> Machine:
        """Return the machine in the language of a conversation, with its questions and options from data; unchanged
        without a state.
        """
        if state is None:
            return self
        machine = self.languages.get(state.language, self) if self.languages else self.declared or self
        join = machine.join_lists
        return machine if join is None else join(machine, state.question_lists, state.option_lists)

    @property
    def flow_candidates(self) -> tuple[Candidate, ...]:
        """The candidates of the flow's own transitions, which apply at every node."""
        return self.scopes[ROOT].flow_candidates

    @property
    def enter_candidates(self) -> tuple[Candidate, ...]:
        """The candidates of the `enter_when` of nodes outside of all scopes."""
        return self.scopes[ROOT].enter_candidates

    def scope(self, node: str) -> LinkedScope:
        """Return the scope that contains a node; the outermost conversation if none else does."""
        return self.scopes[scope_of(node)]

    @cached_property
    def has_scopes(self) -> bool:
        """True if the flow has scopes inside the outermost conversation."""
        return len(self.scopes) > 1

    @cached_property
    def judges_calls(self) -> bool:
        """True if a transition is judged at `calls`, when all calls of a reply have their results."""
        return any(one.moment == "calls" for one in self.all_candidates())

    @cached_property
    def starts(self) -> Mapping[str, StartPhrases]:
        """The scopes that a user may begin, by name, each with the phrases that begin it, its title among them."""
        return {name: self.start_phrases(name) for name in self.flow.commands.start if name in self.nodes}

    def start_phrases(self, scope: str) -> StartPhrases:
        """Return the phrases that begin a scope: its node's, and its title unless a phrase must give it an input."""
        titles = (self.node_title(scope),) if self.begins_by_title(scope) else ()
        return start_phrases_of(scope, titles, self.nodes[scope].node.starts)

    def phrases_of(self, scopes: Iterable[str]) -> tuple[StartPhrases, ...]:
        """Return the phrases of some scopes, also of those that users may begin since they were offered."""
        return tuple([self.starts.get(one) or self.start_phrases(one) for one in scopes])

    def begins_by_title(self, scope: str) -> bool:
        """Return whether a user may begin a scope by its title or button: whether the scope needs no input that only a
        phrase can give.
        """
        given = {name for phrase in self.nodes[scope].node.starts for name in gaps_of(phrase)}
        return not any(is_needed(one) and one.name in given for one in self.scopes[scope].input.values())

    @cached_property
    def rearms_each_turn(self) -> bool:
        """True if a schedule may get another time with each turn: for idle time, or as an offer waits for a form."""
        return any(one.plan.idle_ms or one.schedule.offer for one in self.schedules.values())

    @cached_property
    def longest_pause_ms(self) -> int:
        """The longest pause without a user message that a schedule waits for, in milliseconds."""
        return max([one.pause_ms for one in self.schedules.values()], default=0)

    @cached_property
    def currency(self) -> str:
        """The currency of the budgets; empty if none limits money."""
        return next((one.currency for one in self.budgets if one.currency), "")

    @cached_property
    def opened_anywhere(self) -> tuple[str, ...]:
        """The scopes that can open at any node: those that users may begin, and those of schedules."""
        begun = [name for name in self.flow.commands.start if name in self.nodes]
        return tuple(dict.fromkeys((*begun, *[one.scope for one in self.schedules.values() if one.scope])))

    def node_title(self, node: str) -> str:
        """Return the name of a node for people: its title, else its name in words, even for an unknown node."""
        known = self.nodes.get(node)
        return (known.node.title if known is not None else "") or local_name(node).replace("_", " ").replace(".", " ")

    @cached_property
    def item_lists(self) -> frozenset[str]:
        """The addresses of all fields that are lists of records."""
        return frozenset(address for address, field in self.fields.items() if field.parts)

    @cached_property
    def erases_words(self) -> bool:
        """True if the words of some scope are erased before the conversation is."""
        return any(scope.keep_ms is not None for scope in self.scopes.values())

    @cached_property
    def has_secrets(self) -> bool:
        """True if a field or a tool argument of the flow is secret."""
        args = (arg for one in (*self.tools.values(), *self.events.values()) for arg in one.args.values())
        return any(field.secret for field in (*self.fields.values(), *args))

    @cached_property
    def call_names(self) -> CallNames:
        """The names of all tools that a model may call anywhere in the flow."""
        boxes = [node.toolbox for node in self.nodes.values()]
        of_scopes = [box.specs[name] for box in boxes for name in (*box.opens, box.finish) if name in box.specs]
        tools = {name: tool.args for name, tool in self.tools.items()}
        return names_of_flow(tools, self.names.records, self.nodes, of_scopes)

    @cached_property
    def candidates(self) -> Callable[[str, Moment], Candidates]:
        """Returns the candidates of a node at a moment; computed on first use."""
        nodes, scopes = self.nodes, self.scopes  # not the machine, which could not be freed at once

        @cache  # a later asking calls no function of Python
        def candidates(node: str, moment: Moment) -> Candidates:
            scope = scopes[scope_of(node)]
            everywhere = [one for one in scope.flow_candidates if one.target != node]  # a way to itself is none
            return candidates_of((*nodes[node].candidates, *everywhere, *scope.enter_candidates), moment)

        return candidates

    def all_candidates(self) -> Iterator[Candidate]:
        """Yield every candidate: of the nodes in the order of the flow, of the whole flow, and each `enter_when`."""
        for node in self.nodes.values():
            yield from node.candidates
        for scope in self.scopes.values():
            yield from scope.flow_candidates
            yield from scope.enter_candidates

    def transitions(self, *moments: Moment) -> tuple[str, ...]:
        """Return the names of all transitions, or of those at some moments, each once, in the order of the flow."""
        return tuple(dict.fromkeys(c.id for c in self.all_candidates() if not moments or c.moment in moments))

    def title(self, address: str) -> str:
        """Return the description of a field in words, by its address."""
        return title_of(self.fields[address])

    def short_title(self, address: str) -> str:
        """Return the short name of a field for sentences, by its address."""
        known = self.short_titles.get(address)  # answers to questions that are data are found, and not listed
        return known or short_title_of(self.fields[address], self.language)

    def title_of_question(self, address: str) -> str:
        """Return the short name of a question that is data of the conversation; empty for a field of the flow."""
        field = self.fields.get(address)
        if field is None or self.declared is None or self.declared.fields.get(address) is not None:
            return ""
        return short_title_of(field, self.language)

    @cached_property
    def short_titles(self) -> dict[str, str]:
        """The short name of each field for sentences, by address."""
        return {address: short_title_of(field, self.language) for address, field in self.fields.items()}
