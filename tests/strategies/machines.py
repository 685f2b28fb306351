"""Random flows that link: every kind of work that runs, every moment, action and kind of guard.

A flow is made from one number, so that two processes can make the same one. What happens to it is in
`random_events`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, get_args

from strategies import random_tools
from strategies.chance import Chance
from strategies.random_guards import CLOCKS, DAYS, FAULTS, SPANS, WORDS, Known, field_leaf, guard_text, when
from support.pure_guards import GUARDS, NODES
from turnwise.core.state.commands import CommandName
from turnwise.flow.model import (
    Collect,
    Commands,
    Confirm,
    Field,
    Flow,
    Form,
    FormField,
    Limits,
    Moment,
    Node,
    Option,
    PersonWork,
    Record,
    Stop,
    ToolPolicy,
    Transition,
)

_MOMENTS: dict[Moment, float] = {"before": 25, "after": 33, "tool": 13, "error": 12, "timer": 8, "choice": 14}
_PETS = (Option("cat"), Option("dog", ("hound",)), Option("bird"))
_PLANS = (Option("basic"), Option("gold", ("premium", "best")), Option("none at all"))
_TEXTS = (
    "Hello {{ user.name }}.",
    "Well, {{ user.age + 1 }} it is.",
    "Let us go on.",
    "{{ 10 / user.age }}",
    'This is visit {{ visits("a") }} and turn {{ turns }}.',
    "{{ visit.tags }} {{ visit.day }} {{ user.member }}",
)
_FIELDS = {
    "user": (
        Field("name"),
        Field("age", "integer", min=0, max=120),
        Field("score", "number"),
        Field("member", "boolean"),
        Field("plan", "choice", options=_PLANS),
        Field("note", max=40),
    ),
    "visit": (
        Field("day", "date"),
        Field("at", "datetime"),
        Field("clock", "time"),
        Field("wait", "duration"),
        Field("mail", "email"),
        Field("phone", "phone"),
        Field("tags", "list", max=6),
        Field("pets", "list", options=_PETS),
        Field("ints", "list", of="integer"),
        Field("parts", "list", of="part", max=3),
    ),
}
SIZES = ("Small", "Large")
PART = Record("part", (Field("kind"), Field("size", "choice", options=SIZES), Field("count", "integer", min=0)))
"""What the items of the list of records are: none of its fields is secret."""
_GOOD: dict[str, tuple[Any, ...]] = {
    "string": (*WORDS, "0", "Ann Lee", "😀 é"),
    "integer": (0, 1, 3, 7, 18, 42, "7"),
    "number": (-1, 0, 0.5, 1.5, 7),
    "boolean": (True, False),
    "date": DAYS,
    "datetime": tuple(f"{day}T10:00:00Z" for day in DAYS),
    "time": CLOCKS,
    "duration": SPANS,
    "email": ("me@example.org", "a.b@c.de"),
    "phone": ("+49301234", "030 1234567"),
}
WRONG = (None, "", "§ no such thing", -5, 10**6, 2.5, True, [], ["x", 7], {"a": 1}, "w" * 300, ["cat"] * 300)
"""Values that most fields refuse."""


def good(chance: Chance, field: Field) -> Any:
    """A value that a field takes, its bounds and validators aside."""
    if field.options and field.type != "list":
        option = chance.choice(field.options)
        return chance.choice((option.value, *option.words))
    if field.type != "list":
        return chance.choice(_GOOD[field.type])
    if field.of == "part":
        return [good_item(chance) for _ in range(chance.randint(1, 3))]
    known = [option.value for option in field.options] or (_GOOD["integer"] if field.of else WORDS)
    return [chance.choice(known) for _ in range(chance.randint(1, 3))]


def good_item(chance: Chance) -> dict[str, Any]:
    """An item of the list of records, with some of its values."""
    values = {"kind": chance.choice(WORDS), "size": chance.choice(SIZES), "count": chance.randint(0, 9)}
    return {name: value for name, value in values.items() if chance.is_lucky(0.7)}


def make_flow(chance: Chance, secrets: float = 0.05) -> Flow:
    """A flow that links; `secrets` is how probable it is that a field is secret."""
    return FlowMaker(chance, secrets).flow()


class FlowMaker:
    """A flow in the making."""

    def __init__(self, chance: Chance, secrets: float) -> None:
        self.chance = chance
        self.secrets = secrets
        self.names = NODES[: chance.randint(2, len(NODES))]
        self.language = "de" if chance.is_lucky(0.2) else "en"
        records = tuple(Record(name, tuple(map(self.field, fields))) for name, fields in _FIELDS.items())
        self.fields = {f"{record.name}.{field.name}": field for record in records for field in record.fields}
        self.known = Known(self.fields, self.names, random_tools.USED)
        self.tools = random_tools.tools(chance)
        self.records = (*[Record(r.name, tuple(map(self.validated, r.fields))) for r in records], PART)

    def flow(self) -> Flow:
        """The whole."""
        chance = self.chance
        commands = [name for name in get_args(CommandName) if name != "start"]
        return Flow(
            "random",
            self.names[0],
            language=self.language,
            time_zone=chance.choice(("UTC", "Europe/Berlin")),
            prompt="Talk.",
            persona=chance.choice(("", "You are Freya.")),
            fallback=chance.choice(("", "I have nothing to say, {{ user.name }}.")),
            person=self.person() if chance.is_lucky(0.3) else None,
            commands=Commands(tuple(chance.some(commands, 0, 5))),
            limits=self.limits(),
            records=self.records,
            tools=self.tools,
            autonomous=chance.is_lucky(0.2),
            nodes=tuple(map(self.node, self.names)),
            transitions=tuple(self.transition() for _ in range(chance.choice((0, 0, 1, 2)))),
        )

    def limits(self) -> Limits:
        """The named limits, often narrow."""
        chance = self.chance
        if chance.is_lucky(0.5):
            return Limits()
        return Limits(
            moves=chance.randint(1, 4),
            model_calls=chance.randint(1, 5),
            tool_calls=chance.randint(1, 9),
            run_moves=chance.choice((3, 12, 1000)),
            message_chars=chance.choice((60, 10_000)),
            strings=chance.choice((60, 10_000)),
            lists=chance.choice((3, 200)),
        )

    # fields ----------------------------------------------------------------------------------

    def field(self, field: Field) -> Field:
        """A field with or without a default, secret or not."""
        chance = self.chance
        default = good(chance, field) if chance.is_lucky(0.15) else None
        return replace(field, default=default, secret=chance.is_lucky(self.secrets))

    def validated(self, field: Field) -> Field:
        """A field that has a validator now and then."""
        if not self.chance.is_lucky(0.1):
            return field
        return replace(
            field, validate=field_leaf(self.chance, self.known), refuse=self.chance.choice(("", "Not that."))
        )

    def address(self) -> str:
        """Any field."""
        return self.chance.choice(list(self.fields))

    def writes(self, probability: float) -> dict[str, Any]:
        """Fields that are written on a move: constants and expressions, some of which are refused."""
        if not self.chance.is_lucky(probability):
            return {}
        addresses = self.chance.some(list(self.fields), 1, 2)
        return {address: self.written(address) for address in addresses}

    def written(self, address: str) -> Any:
        """What is written to a field."""
        chance, field = self.chance, self.fields[address]
        if chance.is_lucky(0.2):
            return None
        if field.type in ("integer", "number") and chance.is_lucky(0.6):
            shape = chance.choice(("{} + 1", "{} * 1000", "1 / {}", "visits('a')", "turns"))
            return shape.format(address)
        value = good(chance, field)
        return f'"{value}"' if isinstance(value, str) else value

    # nodes -----------------------------------------------------------------------------------

    def node(self, name: str) -> Node:
        """A node of any kind of work that runs."""
        chance = self.chance
        kind = chance.weighed({"say": 24, "prompt": 30, "form": 25, "tool": 9, "none": 12, "person": 8})
        has_sequence = kind == "prompt" and chance.is_lucky(0.2)
        is_end = kind != "form" and chance.is_lucky(0.07)
        return Node(
            name,
            description=chance.choice(("", "A place.")),
            say=self.text() if kind == "say" else "",
            prompt="Speak about {{ user.name }}."
            if kind == "prompt" or chance.is_lucky(0.1 * (kind == "form"))
            else "",
            form=self.form() if kind == "form" else None,
            entry=self.text() if chance.is_lucky(0.2) else "",
            collect=self.collect() if kind == "prompt" and chance.is_lucky(0.6) else None,
            tool=random_tools.work(chance, self.tools, self.known.addresses("string")) if kind == "tool" else None,
            person=self.person() if kind == "person" else None,
            tools=self.policy(has_sequence=has_sequence) if kind == "prompt" else None,
            reads=self.access(0.4) if kind == "prompt" else (),
            writes=self.access(0.5) if kind == "prompt" else (),
            enter_when=when(chance, self.known, has_sequence=has_sequence) if chance.is_lucky(0.22) else "",
            set=self.writes(0.15),
            set_on_leave=self.writes(0.1),
            once=self.target() if not is_end and chance.is_lucky(0.08) else "",
            end=chance.choice(("done", "refused")) if is_end else "",
            transitions=tuple(self.transition() for _ in range(chance.choice((0, 1, 2, 3, 3, 4, 5)))),
        )

    def person(self) -> PersonWork:
        """A person who takes over."""
        chance = self.chance
        return PersonWork(chance.choice(("human", "desk")), self.text(), chance.choice((None, 1.0, 60.0)))

    def policy(self, *, has_sequence: bool) -> ToolPolicy | None:
        """Which tools a prompted node lets be used, if any."""
        if has_sequence:
            return random_tools.sequence(self.chance)
        return random_tools.policy(self.chance) if self.chance.is_lucky(0.7) else None

    def access(self, probability: float) -> tuple[str, ...]:
        """Fields that a model may read or write, or a whole record."""
        chance = self.chance
        return tuple(chance.some([*self.fields, "user", "visit"], 1, 4)) if chance.is_lucky(probability) else ()

    def text(self) -> str:
        """A text with or without holes."""
        return self.chance.choice(_TEXTS)

    def target(self) -> str:
        """Any node."""
        return self.chance.choice(self.names)

    def collect(self) -> Collect:
        """Fields that a prompted node collects, or a whole record."""
        return Collect(tuple(self.chance.some([*self.fields, "visit"], 1, 4)))

    # transitions -----------------------------------------------------------------------------

    def transition(self) -> Transition:
        """A way out: any moment, any guard, any action."""
        chance = self.chance
        at = chance.weighed(_MOMENTS)
        kind = chance.weighed({"rule": 62, "else": 18 if at != "choice" else 90, "code": 11, "mirror": 9})
        guard = chance.choice(GUARDS) if kind == "code" else None
        is_code_with_targets = guard is not None and bool(guard.targets)
        action = {} if is_code_with_targets else {"to": self.target()} if at == "choice" else self.action(at)
        is_move = is_code_with_targets or bool(action.keys() & {"to", "end"})
        is_next = at == "after" and "to" in action and chance.is_lucky(0.2)
        return Transition(
            at=at,
            when=self.when(at) if kind in ("rule", "mirror") else "",
            guard=guard.name if guard is not None else "",
            mirror=kind == "mirror",
            because=chance.choice(("", "it is so")),
            priority=chance.choice((100, 100, 100, 1, 50, 200)),
            delay_s=chance.choice((1.0, 60.0, 3600.0)) if at == "timer" else None,
            set=self.writes(0.25) if is_move else {},
            reply="next" if is_next else "now",
            **action,
        )

    def when(self, at: Moment) -> Any:
        """A guard; at `error` often one that asks what failed."""
        if at == "error" and self.chance.is_lucky(0.4):
            return f'error.kind == "{self.chance.choice(FAULTS)}"'
        return when(self.chance, self.known)

    def action(self, at: Moment) -> dict[str, Any]:
        """Exactly one action."""
        block = 14 if at == "before" else 0
        match self.chance.weighed({"to": 66, "stay": 14, "end": 6, "block": block}):
            case "to":
                return {"to": self.target()}
            case "stay":
                return {"stay": True}
            case "end":
                return {"end": self.chance.choice(("done", "refused"))}
            case _:
                return {"block": self.text()}

    # forms -----------------------------------------------------------------------------------

    def form(self) -> Form:
        """A form of one to six questions."""
        chance = self.chance
        asked = [address for address, field in self.fields.items() if field.of != "part" or self.may_ask_items(field)]
        addresses = chance.some(asked, 1, 6)
        chance.shuffle(addresses)
        fields = [self.question(address, is_first=not number) for number, address in enumerate(addresses)]
        confirm = Confirm(
            edit=chance.choice(("chooser", "first")), summary=chance.choice(("", "All: {{ user.name }}."))
        )
        return Form(
            fields=tuple(fields),
            confirm=confirm if chance.is_lucky(0.6) else None,
            statement=chance.choice(("", "{{ user.name }} wants {{ user.plan }}.")),
            handoff=chance.choice(("", "", "", "desk")),
            acknowledge=chance.choice(("", "{{ form.number }} of {{ form.total }}.")),
            fresh=chance.is_lucky(0.2),
            prefill=chance.choice(("", "", "ask", "trust")),
        )

    def may_ask_items(self, field: Field) -> bool:
        """Whether forms may ask for the items of a list."""
        return not field.secret

    def items_question(self, address: str) -> FormField:
        """The question for the items of a list of a record: at each of its fields, then for another item."""
        chance = self.chance
        return FormField(
            address,
            ask=chance.choice(("Which parts?", "")),
            help=chance.choice(("", "Any will do.")),
            required=chance.is_lucky(0.7),
            more=chance.choice(("Another one?", "Another one?", "")),
            label=chance.choice(("", "{{ part.kind }}")),
        )

    def question(self, address: str, *, is_first: bool) -> FormField:
        """One question; the first is always asked."""
        chance, field = self.chance, self.fields[address]
        if field.of == "part":
            return self.items_question(address)
        is_required = chance.is_lucky(0.7)
        options = self.options(field)
        then = ["", "hand_over", *(["skip"] if not is_required else []), *(["default"] if field.default else [])]
        return FormField(
            address,
            ask=chance.choice((f"What is your {field.name}?", "")),
            help=chance.choice(("", "Any will do.")),
            required=is_required,
            asked=is_first or chance.is_lucky(0.9),
            options=options,
            other=bool(options or field.options) and chance.is_lucky(0.3),
            ask_when=guard_text(chance, self.known, 2) if not is_first and chance.is_lucky(0.3) else "",
            stop=self.stop(replace(field, options=options or field.options)) if chance.is_lucky(0.3) else None,
            match=chance.choice(("direct_then_model", "direct_then_model", "direct", "model")),
            validate=field_leaf(chance, self.known) if chance.is_lucky(0.12) else "",
            rephrase=tuple(["Say it again.", "Once more?"][: chance.randint(0, 2)]),
            then=chance.choice(then),
        )

    def options(self, field: Field) -> tuple[Option, ...]:
        """Options that a question gives to a field without any."""
        if field.type != "string" or field.default or not self.chance.is_lucky(0.4):
            return ()
        return (Option("yes", ("yep",)), Option("hello"), Option("gold"))

    def stop(self, field: Field) -> Stop:
        """Answers that end the form."""
        chance = self.chance
        if field.type == "boolean":
            values = [{"en": "no", "de": "nein"}[self.language]]
        else:
            found = good(chance, field)
            values = [str(value) for value in (found if isinstance(found, list) else [found])]
        return Stop(tuple(dict.fromkeys(values)), say=chance.choice(("", "We stop here.")))
