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
from turnwise.core.linked_scope import LinkedScope
from turnwise.core.option_sources import OptionSource
from turnwise.core.proposals import LinkedOffer, LinkedOverlay, LinkedSchedule
from turnwise.core.start_phrases import StartPhrases, gaps_of, start_phrases_of
from turnwise.core.state import OptionLists, QuestionLists, State
from turnwise.core.state.events import Button
from turnwise.core.template import Template
from turnwise.core.toolbox import LinkedTool, LinkedToolWork, Toolbox
from turnwise.core.values import Rules
from turnwise.core.values.schema import is_needed
from turnwise.flow.code import PythonGuard
from turnwise.flow.codec import fingerprint
from turnwise.flow.diagnostic import Diagnostic
from turnwise.flow.model import Field, Flow, Form, FormField, MatchMode, Moment, Node


class Question(Struct, frozen=True):
    """A linked question of a form: its field as the form sees it, its texts, its tests."""

    form_field: FormField
    """How the form asks for the field."""
    field: Field
    """The field, with the options that the form allows."""
    address: str
    """The address of the field."""
    key: str
    """Its name for clients."""
    ask: Template
    """The text of the question."""
    help: Template | None
    """The reply when the user asks for help."""
    match: MatchMode
    """Whether a model may read the answer."""
    ask_when: Guard | None
    """When it is asked."""
    validators: tuple[tuple[Guard, Template | None], ...]
    """Guards that a new value must not fail, each with its reply."""
    stop_values: frozenset[Any]
    """The answers that end the form."""
    stop_say: Template | None
    """The reply to such an answer."""
    rephrase: tuple[Template, ...]
    """Other wordings, one for each time that the answer was not understood."""
    buttons: tuple[Button, ...]
    """Its options as buttons."""
    labels: Mapping[str, Template] = {}
    """The labels of its buttons that are templates, by the value of the option."""
    refuse: Template | None = None
    """The reply to a value that is refused."""
    right: tuple[str, ...] = ()
    """The right answers, of a question that is data."""
    items: tuple[str, ...] = ()
    """Of a list of a record: the fields of the record that are asked for each item."""
    item_of: str = ""
    """Of the question of an item: the list that takes the item; else empty."""
    more: Template | None = None
    """Of a list of a record: asks whether another item follows."""
    first_buttons: tuple[Button, ...] = ()  # of a list of a record: the buttons while it has no items
    label: Template | None = None
    """Of a list of a record: the template by which users read one item."""


class Acknowledgement(Struct, frozen=True):
    """What a form says after an answer: before the next question, after a right answer, after a wrong one."""

    say: Template | None
    """Before the next question."""
    right: Template | None
    """After a right answer."""
    wrong: Template | None
    """After a wrong answer."""


class LinkedForm(Struct, frozen=True):
    """A linked form: its questions and its texts."""

    form: Form
    questions: tuple[Question, ...]
    """Its questions, in the order of the flow."""
    in_order: tuple[Question, ...]  # those that are asked of their own accord, the required ones first
    by_address: Mapping[str, Question]
    acknowledge: Acknowledgement | None
    """What it says after an answer."""
    statement: Template | None
    """The template of the problem statement."""
    draft: Template | None
    """The problem statement with visible gaps."""
    summary: Template | None
    """The template of the summary to confirm."""
    labels: Mapping[str, Template] = {}
    """The labels of the buttons of its confirmation that are templates, by button."""
    has_conditions: bool = False
    """True where a question has an `ask_when`."""
    has_validators: bool = False
    """True where a question has a `validate`."""
    has_items: bool = False  # it asks for the items of a list of a record, question by question
    source: str = ""
    """The address of the field that holds the questions as data; empty where the flow has the questions."""
    answers: str = ""
    """The address of the field that takes the answers to questions that are data."""


class Derived(Struct, frozen=True):
    """A derived field (law 1.5): its value as a closure, and the fields that it reads."""

    address: str
    field: Field
    value: Evaluate
    reads: tuple[str, ...]


class LinkedPerson(Struct, frozen=True):
    """A person as the work of a node, or for `hand_over`: the queue, a text for the person, the longest wait."""

    queue: str
    about: Template | None
    timeout_ms: int


Work = Literal["none", "say", "prompt", "form", "tool", "person", "scope"]
"""What kind of work a node does."""


class LinkedNode(Struct, frozen=True):
    """A linked node: its work, its compiled texts and writes, the tools that it allows, its own transitions."""

    node: Node
    """Its declaration."""
    work: Work
    """What kind of work it does."""
    persona: Template | None
    prompt: Template | None
    say: Template | None
    form: LinkedForm | None
    entry: Template | None
    """The text for each arrival."""
    collects: tuple[str, ...]
    """The fields that it collects from messages."""
    tools: frozenset[str]
    """The names of the tools that it allows."""
    writes: tuple[Write, ...]
    """The fields that are written on entering."""
    writes_on_leave: tuple[Write, ...]
    """The fields that are written on leaving."""
    candidates: tuple[Candidate, ...]
    """Its own transitions."""
    toolbox: Toolbox
    """The tools as models are shown them."""
    tool: LinkedToolWork | None = None
    person: LinkedPerson | None = None
    reply_guard: Candidate | None = None
    """The check of each reply of its model."""
    offer: LinkedOffer | None = None
    """The scope that it proposes."""
    result_targets: Mapping[str, str] = {}
    """The record or field that takes the results of a tool here, where a model calls it or the program reports it."""
    settings: dict[str, Any] = {}
    """What requests to its model ask for: the settings of the flow, and those of the node in their place."""
    has_own_persona: bool = False
    """True if the persona is that of the node, or of a scope around it, and not that of the flow."""


class Machine(Struct, frozen=True, dict=True, weakref=True):
    """A flow ready to run."""

    flow: Flow
    language: Language
    rules: Rules
    """How values are read: language, zone, size limits."""
    names: Names
    """The names that guards of the flow may use."""
    fields: Mapping[str, Field]
    validators: Mapping[str, tuple[tuple[Guard, Template | None], ...]]
    """Guards that new values of a field must not fail, each with its reply."""
    refusals: Mapping[str, Template]  # said where a bound or the pattern of a field refuses a value
    tools: Mapping[str, LinkedTool]
    events: Mapping[str, LinkedTool]
    """The events of other systems, by name: their data is checked as the arguments of a tool are."""
    nodes: Mapping[str, LinkedNode]
    """All nodes, also those inside scopes, by address."""
    forms_of: Mapping[str, tuple[str, ...]]
    """The nodes whose forms ask for a field."""
    fallback: Template
    """The reply when nothing else was said."""
    code: Mapping[str, PythonGuard]
    """The Python guards, by name."""
    person: LinkedPerson | None = None
    """Who comes where the user asks for a person; `None` where `hand_over` only tells the host."""
    derived: tuple[Derived, ...] = ()  # each after what it reads
    warnings: tuple[Diagnostic, ...] = ()
    """What linking found that is no error."""
    explain_cache: dict[tuple[str, str], Any] = {}
    """What explanations of this machine have computed once, by two names: a node and a moment, or what it is."""
    secret_results: Mapping[str, frozenset[str]] = {}
    """The parts of results, by tool, that belong into secret fields; an empty name is a whole result."""
    speaks: Template | None = None
    """Names the language of a conversation from its fields; `None` where the flow has one language."""
    time_zone: Template | None = None
    """Names the time zone of a conversation from its fields; `None` where the flow names it."""
    schedules: Mapping[str, LinkedSchedule] = {}
    """The schedules by name, in the order in which they fire when several are due at once."""
    scopes: Mapping[str, LinkedScope] = {}
    """The scopes by name, with the outermost conversation, whose name is empty."""
    overlays: Mapping[str, LinkedOverlay] = {}
    """The overlays by name, the one with the lowest priority number first."""
    languages: Mapping[str, Machine] = {}
    """The machine of the flow in each language, by code, where the language may change; this one is among them."""
    join_lists: Callable[[Machine, QuestionLists | None, OptionLists | None], Machine] | None = None
    """Returns a machine with questions and options that are data; `None` for a flow that has neither."""
    declared: Machine | None = None
    """The machine without questions and options that are data, of one that has those of a conversation."""
    question_lists: QuestionLists | None = None
    """The questions that are data, in the machine of one conversation."""
    option_lists: OptionLists | None = None
    """The questions, and the options, that are data, of the conversation for which this machine is."""
    with_lists: list[Machine] = []
    """The machines of this flow with such lists that were used last, the newest last."""
    option_sources: Mapping[str, OptionSource] = {}
    """The lists from which fields have their options, by the address of the field."""
    budgets: tuple[LinkedBudget, ...] = ()
    prices: Mapping[str, LinkedPrice] = {}
    """What models cost, by their names: as the flow says, or the program in its place."""
    model_for_all: str = ""
    """The model that answers all requests, where the program names one."""

    @cached_property
    def fingerprint(self) -> str:
        """Sixteen hex digits for the flow and the sources of its functions."""
        return fingerprint(self.flow, tuple(guard.source for guard in self.code.values()))

    @cached_property
    def has_variants(self) -> bool:
        """True if a conversation may need a machine in its language, or with questions and options that are data."""
        return bool(self.languages) or self.join_lists is not None or self.declared is not None

    def for_conversation(self, state: State | None) -> Machine:
        """Return the machine in the language of a conversation, with its questions and options that are data."""
        if state is None:
            return self
        machine = self.languages.get(state.language, self) if self.languages else self.declared or self
        join = machine.join_lists
        return machine if join is None else join(machine, state.question_lists, state.option_lists)

    @property
    def flow_candidates(self) -> tuple[Candidate, ...]:
        """The transitions of the flow."""
        return self.scopes[ROOT].flow_candidates

    @property
    def enter_candidates(self) -> tuple[Candidate, ...]:
        """The `enter_when` of the nodes outside of all scopes."""
        return self.scopes[ROOT].enter_candidates

    def scope(self, node: str) -> LinkedScope:
        """The scope in which a node stands."""
        return self.scopes[scope_of(node)]

    @cached_property
    def has_scopes(self) -> bool:
        """True if the conversation may be in a scope inside the outermost one."""
        return len(self.scopes) > 1

    @cached_property
    def judges_calls(self) -> bool:
        """True if a transition is judged when all calls of a reply have their results."""
        return any(one.moment == "calls" for one in self.all_candidates())

    @cached_property
    def starts(self) -> Mapping[str, StartPhrases]:
        """The scopes that a user may begin, each with the phrases that begin it, its title among them."""
        return {name: self.start_phrases(name) for name in self.flow.commands.start if name in self.nodes}

    def start_phrases(self, scope: str) -> StartPhrases:
        """The phrases that begin a scope: those of its node and, unless its input needs a phrase, its title."""
        titles = (self.node_title(scope),) if self.begins_by_title(scope) else ()
        return start_phrases_of(scope, titles, self.nodes[scope].node.starts)

    def phrases_of(self, scopes: Iterable[str]) -> tuple[StartPhrases, ...]:
        """The phrases of some scopes, also of those that users may begin since they were offered."""
        return tuple([self.starts.get(one) or self.start_phrases(one) for one in scopes])

    def begins_by_title(self, scope: str) -> bool:
        """Whether a user may begin a scope by its title and its button: no phrase gives it an input that it needs."""
        given = {name for phrase in self.nodes[scope].node.starts for name in gaps_of(phrase)}
        return not any(is_needed(one) and one.name in given for one in self.scopes[scope].input.values())

    @cached_property
    def rearms_each_turn(self) -> bool:
        """True if a schedule may be armed anew with each turn: for idle time, or since an offer waits for a form."""
        return any(one.plan.idle_ms or one.schedule.offer for one in self.schedules.values())

    @cached_property
    def longest_pause_ms(self) -> int:
        """The longest pause of the user for which a schedule waits."""
        return max([one.pause_ms for one in self.schedules.values()], default=0)

    @cached_property
    def currency(self) -> str:
        """The currency of the budgets, empty if none is of money."""
        return next((one.currency for one in self.budgets if one.currency), "")

    @cached_property
    def opened_anywhere(self) -> tuple[str, ...]:
        """The scopes that open wherever the conversation is: those that users may begin, and those of schedules."""
        begun = [name for name in self.flow.commands.start if name in self.nodes]
        return tuple(dict.fromkeys((*begun, *[one.scope for one in self.schedules.values() if one.scope])))

    def node_title(self, node: str) -> str:
        """What people call a node: its title, else its name in words, also of one that this version does not have."""
        known = self.nodes.get(node)
        return (known.node.title if known is not None else "") or local_name(node).replace("_", " ")

    @cached_property
    def item_lists(self) -> frozenset[str]:
        """The addresses of the lists of records."""
        return frozenset(address for address, field in self.fields.items() if field.parts)

    @cached_property
    def erases_words(self) -> bool:
        """True if the words of a scope are erased before the conversation is."""
        return any(scope.keep_ms is not None for scope in self.scopes.values())

    @cached_property
    def has_secrets(self) -> bool:
        """True if there is a field, or an argument of a tool, that is secret."""
        args = (arg for one in (*self.tools.values(), *self.events.values()) for arg in one.args.values())
        return any(field.secret for field in (*self.fields.values(), *args))

    @cached_property
    def call_names(self) -> CallNames:
        """The names that a model may call anywhere in the flow."""
        boxes = [node.toolbox for node in self.nodes.values()]
        of_scopes = [box.specs[name] for box in boxes for name in (*box.opens, box.finish) if name in box.specs]
        tools = {name: tool.args for name, tool in self.tools.items()}
        return names_of_flow(tools, self.names.records, self.nodes, of_scopes)

    @cached_property
    def candidates(self) -> Callable[[str, Moment], Candidates]:
        """The candidates of a node at a moment: made at the first asking, the same ever after."""
        nodes, scopes = self.nodes, self.scopes  # not the machine, which could not be freed at once

        @cache  # a later asking calls no function of Python
        def candidates(node: str, moment: Moment) -> Candidates:
            scope = scopes[scope_of(node)]
            everywhere = [one for one in scope.flow_candidates if one.target != node]  # a way to itself is none
            return candidates_of((*nodes[node].candidates, *everywhere, *scope.enter_candidates), moment)

        return candidates

    def all_candidates(self) -> Iterator[Candidate]:
        """Every candidate: of the nodes in the order of the flow, then of the whole flow, then each `enter_when`."""
        for node in self.nodes.values():
            yield from node.candidates
        for scope in self.scopes.values():
            yield from scope.flow_candidates
            yield from scope.enter_candidates

    def transitions(self, *moments: Moment) -> tuple[str, ...]:
        """The names of all transitions, or of those at some moments, each once, in the order of the flow."""
        return tuple(dict.fromkeys(c.id for c in self.all_candidates() if not moments or c.moment in moments))

    def title(self, address: str) -> str:
        """What a field is about, in words."""
        return title_of(self.fields[address])

    def short_title(self, address: str) -> str:
        """What a field is called in a sentence."""
        known = self.short_titles.get(address)  # answers to questions that are data are found, and not listed
        return known or short_title_of(self.fields[address], self.language)

    @cached_property
    def short_titles(self) -> dict[str, str]:
        """What each field is called in a sentence, by its address."""
        return {address: short_title_of(field, self.language) for address, field in self.fields.items()}
