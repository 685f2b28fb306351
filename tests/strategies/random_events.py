"""Random events of callers and results of effects, that fit where a conversation stands.

Or that do not: stale buttons, late timers, values of a wrong type, results that nobody waits for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from strategies import random_tools
from strategies.chance import Chance
from strategies.machines import WRONG, good_item
from strategies.machines import good as good_of_any
from strategies.random_guards import WORDS
from strategies.random_tools import TOOLS
from turnwise.core.addresses import scope_of
from turnwise.core.candidates import PERSON_TIMEOUT
from turnwise.core.commands.allowed_input import allowed_input
from turnwise.core.forms import buttons
from turnwise.core.handover import transitions_at
from turnwise.core.machine import Machine
from turnwise.core.state import Ended, State
from turnwise.core.state import commands as c
from turnwise.core.state import events as e
from turnwise.core.state.effects import AnyEffect, CallModel, RecallState, RecallWords, RunTool, Understand
from turnwise.core.step.receive import awaits_continuation
from turnwise.core.tools import consent
from turnwise.flow.model import Field

_KINDS = {"said": 36, "chose": 18, "commands": 17, "tool": 12, "timer": 11, "undo": 4, "unasked": 2}
_NONSENSE = (
    "",
    "   ",
    "\x00",
    "§§§",
    "what?",
    "b",
    "ab 42",
    "hello, gold and 7",
    "x" * 11_000,
    "y" * 61,
    "NaN",
    "{{ 1 }}",
)


_SECRETS = {"string": ("Xanthippe", "Quetzal 81"), "email": ("xq@zz.example",)}
"""Values of secret fields that no guard and no text of a flow has."""


def good(chance: Chance, field: Field) -> Any:
    """A value that a field takes; of a secret field, often one that stands nowhere else."""
    if field.secret and field.type in _SECRETS and not field.options and chance.is_lucky(0.5):
        return chance.choice(_SECRETS[field.type])
    return good_of_any(chance, field)


class RandomEvents:
    """What happens to one conversation, as a seeded generator has it."""

    def __init__(self, chance: Chance, machine: Machine) -> None:
        self.chance = chance
        self.machine = machine
        self.fields = dict(machine.fields)
        self.scopes = machine.opened_anywhere
        self.phrases = [phrase for kind in sorted(machine.language.phrases) for phrase in self.phrases_of(kind)]

    def phrases_of(self, kind: str) -> list[str]:
        """The phrases of a kind, in an order that does not depend on hashes."""
        return sorted(self.machine.language.phrases[kind])

    # from outside ----------------------------------------------------------------------------

    def event(self, state: State | None) -> e.OutsideEvent:
        """Any event from outside, more often one that fits."""
        chance = self.chance
        weights = dict(_KINDS)
        if self.scopes and state is not None and chance.is_lucky(0.2):
            return self.start()
        if state is not None and isinstance(state.status, Ended):
            weights["undo"] = 60
        if state is not None and chance.is_lucky(0.04 if state.person is None else 0.5):
            return self.operator(state)
        if awaits_continuation(state) and chance.is_lucky(0.85):
            return e.Continued()
        if state is not None and state.awaiting_approval is not None and chance.is_lucky(0.6):
            return self.consent()
        match chance.weighed(weights):
            case "said":
                return e.UserSaid(self.text(state))
            case "chose":
                return self.choice(state)
            case "commands":
                return e.Commands(tuple(self.command(state, self.fields) for _ in range(chance.randint(0, 3))))
            case "tool":
                tool = chance.choice((*TOOLS, *TOOLS, *TOOLS, "unknown"))
                given = {chance.choice(("x", "q")): chance.choice(WRONG)} if chance.is_lucky(0.4) else {}
                return e.ToolUsed(tool, given, chance.choice(WRONG))
            case "timer":
                return self.timer(state)
            case "undo":
                return e.UndoAsked(chance.choice((None, None, 1, 0, 2, 999, -1)))
            case _:
                return chance.choice((e.TimerFired("no such timer"), e.Continued()))

    def start(self) -> e.OutsideEvent:
        """Somebody begins scopes: a user by the title of one, a program one or two."""
        chance = self.chance
        if chance.is_lucky(0.3):
            return e.UserSaid(self.machine.node_title(chance.choice(self.scopes)))
        return e.Commands(tuple([c.Start(target=one) for one in chance.some(self.scopes, 1, 2)]))

    def consent(self) -> e.OutsideEvent:
        """What the user says to a call that is held."""
        chance = self.chance
        said = e.UserSaid(chance.choice(self.phrases_of(chance.choice(("affirm", "false")))))
        command = e.Commands((chance.choice((c.Affirm(), c.Affirm(), c.Deny())),))
        button = e.UserChose(chance.choice(consent.answer_buttons(self.machine.language)).value)
        return chance.choice((said, said, command, button))

    def operator(self, state: State) -> e.OutsideEvent:
        """What a person does: takes over, speaks, gives back with values, a transition or an end; also in vain."""
        chance = self.chance
        is_in_charge = state.person is not None and bool(state.person.operator)
        kind = chance.weighed({"take": 2 if is_in_charge else 20, "say": 5, "give": 20 if is_in_charge else 2})
        if state.person is not None and not is_in_charge and chance.is_lucky(0.3):
            return e.TimerFired(PERSON_TIMEOUT)
        if kind == "take":
            return e.TakenOver(chance.choice(("Lena", "Max", "")), chance.choice(("", "on shift")))
        if kind == "say":
            return e.OperatorSaid(chance.choice(("Hello.", "", "z" * 11_000)), chance.choice(("", "", "Max")))
        values = {address: self.value(field) for address, field in chance.some(list(self.fields.items()), 0, 2)}
        known = [one.id for one in transitions_at(self.machine, state.node)]
        transition = chance.choice(known) if known and chance.is_lucky(0.3) else ""
        end = chance.choice(("", "", "", "closed")) if not transition else ""
        return e.GivenBack(chance.choice(("", "done", "solved")), values, transition, end, "because")

    def value(self, field: Field) -> Any:
        """A value that the field takes, none, or a wrong one."""
        chance = self.chance
        return good(chance, field) if chance.is_lucky(0.85) else chance.choice((None, *WRONG))

    def text(self, state: State | None) -> str:
        """A message: an answer to what is asked, a phrase, words, nonsense."""
        chance = self.chance
        kind = chance.weighed({"answer": 45, "phrase": 25, "yes": 12, "words": 10, "nonsense": 8})
        question = self.asked(state)
        if kind == "answer" and state is not None and state.question is not None and state.question.kind == "chooser":
            return chance.choice([field.name for field in self.fields.values()] + self.phrases_of("leave_chooser")[:3])
        if kind == "answer" and question is not None:
            value = good(chance, question)
            return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
        if kind == "phrase":
            return chance.choice((", ", " ", ". ")).join(chance.choices(self.phrases, k=chance.choice((1, 1, 1, 2))))
        if kind == "yes":
            return chance.choice(self.phrases_of(chance.choice(("affirm", "affirm", "edit"))))
        if kind == "nonsense":
            return chance.choice(_NONSENSE)
        return " ".join(chance.choices(WORDS, k=chance.randint(1, 3)))

    def asked(self, state: State | None) -> Field | None:
        """The field whose question is open."""
        run = state.frame.form if state is not None else None
        form = self.machine.nodes[state.node].form if state is not None else None
        return form.by_address[run.asked].field if run is not None and form is not None and run.asked else None

    def choice(self, state: State | None) -> e.UserChose:
        """A button that is offered, one that was, or one that never was."""
        chance = self.chance
        question = state.question if state is not None else None
        form = self.machine.nodes[state.node].form if state is not None else None
        offered: Sequence[e.Button] = ()
        if state is not None and form is not None and state.frame.form is not None:
            offered = buttons.form_buttons(self.machine, state, form)
        if not offered or chance.is_lucky(0.1):
            return e.UserChose(chance.choice((*WORDS, "confirm", "yes")), chance.choice((None, 1, 5, 10**6)))
        button = chance.choice(offered)
        value = chance.choice((button.value, button.label))
        position = chance.choice((None, question.first, question.last, 1)) if question is not None else None
        return e.UserChose(value, position)

    def timer(self, state: State | None) -> e.TimerFired:
        """A timer that is armed, of an earlier visit, or none."""
        chance = self.chance
        armed = state.timers if state is not None else ()
        if not armed:
            return e.TimerFired("t", chance.choice((None, 1)))
        timer = chance.choice(armed)
        return e.TimerFired(timer.transition, chance.choice((timer.visit, timer.visit, None, timer.visit - 1)))

    # commands --------------------------------------------------------------------------------

    def command(self, state: State | None, fields: Mapping[str, Field]) -> c.AnyCommand:
        """Any command, about these fields."""
        chance = self.chance
        kind = chance.weighed({"set": 46, "list": 12, "clear": 5, "edit": 7, "affirm": 8, "other": 14, "wrong": 2})
        address = self.near(state, fields, kind) if fields else ""
        if kind == "wrong" or (not fields and kind in ("set", "list", "clear")):
            return c.Set(field="no.field", value=1)
        match kind:
            case "set":
                is_named = chance.is_lucky(0.8)
                value = good(chance, fields[address]) if chance.is_lucky(0.75) else chance.choice(WRONG)
                is_correction = chance.is_lucky(0.2)
                return c.Set(self.words(), field=address if is_named else "", value=value, correction=is_correction)
            case "list":
                if fields[address].of == "part" or chance.is_lucky(0.1):
                    return self.item_command(address)
                make = chance.choice((c.Add, c.Remove))
                return make(field=address, item=chance.choice(("cat", "a", 7, *WRONG)))
            case "clear":
                return c.Clear(field=address)
            case "edit":
                return chance.choice((c.Edit(field=address), c.Edit(), c.Deny()))
            case "affirm":
                return c.Affirm()
            case _:
                return chance.choice(_OTHERS)

    def near(self, state: State | None, fields: Mapping[str, Field], kind: str) -> str:
        """Any field, but often the one that is asked for, or a list of a record that can be changed now."""
        chance, frame = self.chance, state.frame if state is not None else None
        asked = frame.form.asked if frame is not None and frame.form is not None else ""
        place = frame.scope.name if frame is not None and frame.scope is not None else ""
        lists = [name for name, field in fields.items() if field.of == "part" and scope_of(name) == place]
        if kind == "list" and lists and chance.is_lucky(0.8):
            return chance.choice(lists)
        return asked if asked in fields and chance.is_lucky(0.35) else chance.choice(list(fields))

    def item_command(self, address: str) -> c.AnyCommand:
        """Any command about items of a list of records."""
        chance = self.chance
        ref = chance.choice((1, -1, 2, 0, "i1", "i2", "i9", good_item(chance)))
        value = chance.choice(("Large", 3, "cat", None, *WRONG))
        return chance.choice(
            (
                c.Add(self.words(), field=address, item=good_item(chance)),
                c.Add(self.words(), field=address, item=chance.choice(WRONG)),
                c.Change(
                    self.words(), field=address, item=ref, name=chance.choice(("kind", "size", "count")), value=value
                ),
                c.Remove(field=address, item=ref),
                c.Move(field=address, item=ref, to=chance.choice((1, -1, 3))),
                c.Copy(field=address, item=ref, count=chance.choice((1, 2, 9)), changes=good_item(chance)),
            )
        )

    def words(self) -> tuple[int, int] | None:
        """Where the words stand that a command came from, also beyond the end of the message."""
        return self.chance.choice((None, (0, 1), (0, 4), (2, 9), (50, 70)))

    # results of effects ----------------------------------------------------------------------

    def result(self, effect: AnyEffect, state: State, journal: Mapping[int, str], states: Mapping[int, State]) -> Any:
        """What comes back: understanding right and wrong, replies, failures; recalled is what there was."""
        chance = self.chance
        match effect:
            case Understand(id=id_):
                if chance.is_lucky(0.12):
                    return e.UnderstandingFailed(id_, "it did not understand")
                return e.Understood(id_, self.understood(state), claims={"is_complete": True})
            case CallModel(id=id_):
                if chance.is_lucky(0.2):
                    return e.ModelFailed(id_, chance.choice(("it is down", "", "z" * 20_000)))
                said = chance.choice(("Well.", "Tell me more.", "", "w" * 300))
                has_calls = effect.purpose not in ("aside", "summary") and chance.is_lucky(0.6)
                return e.ModelReplied(
                    id_, said, random_tools.calls(chance, self.machine, state, id_) if has_calls else ()
                )
            case RunTool():
                return random_tools.result(chance, effect)
            case RecallWords(id=id_, places=places):
                found = [journal.get(seq, None) for seq, _, _ in places]
                cut = [
                    None if text is None else text[place[1] : place[2]]
                    for text, place in zip(found, places, strict=True)
                ]
                return e.WordsRecalled(id_, tuple(None if chance.is_lucky(0.05) else text for text in cut))
            case RecallState(id=id_, turn=turn):
                then = None if chance.is_lucky(0.1) else states.get(turn)
                return e.StateRecalled(id_, turn, then, ("save",) if chance.is_lucky(0.3) else ())

    def understood(self, state: State) -> tuple[c.AnyCommand, ...]:
        """Commands for what is allowed, and a few that are not."""
        shown = {field.address: field.field for field in allowed_input(self.machine, state).fields}
        known = shown if self.chance.is_lucky(0.85) else self.fields
        return tuple(self.command(state, known) for _ in range(self.chance.choice((0, 1, 1, 1, 2, 3))))

    def unasked(self, state: State) -> e.ResultEvent | e.OutsideEvent:
        """A result that nobody waits for, or an event that comes in between."""
        return self.chance.choice(
            (
                e.ModelReplied("0.0", "Hi."),
                e.Understood("9.9"),
                e.StateRecalled("1.1", 1),
                e.WordsRecalled("x", ()),
                e.ToolReturned("0.1", "think"),
            )
        )


_OTHERS: tuple[c.AnyCommand, ...] = (
    c.Skip(), c.Skip(), c.Help(), c.Repeat(), c.Wait(), c.Cancel(), c.Restart(), c.Undo(), c.HandOver(), c.Ask(text="Why?"),
    c.Ask(text="q" * 300), c.Start(target="a"), c.Deny(),
)  # fmt: skip
