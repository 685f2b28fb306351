"""Writes the page "Ask why": every example is a question to a conversation that runs when the page is written."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import NamedTuple

import turnwise as tw
from turnwise.why.answer import lines_of

PAGE = Path("docs/why.md")
CLOCK = 1_700_000_000_000
MOST_LINES = 7
FLOW = """flow: table
version: 1
start: ask
language: en
commands: [why, undo]
person: {queue: host}
tools:
  find_table: {about: looks for a free table, args: {people: {type: integer, max: 12}}}
records:
  guest:
    people: {type: integer, min: 1, max: 40, about: how many of you there are}
    day: {type: choice, options: [Friday, Saturday], about: the day}
    phone: {type: string, about: your phone number}
    is_large: {type: boolean}
nodes:
  ask:
    form:
      fields:
        - {field: guest.people, ask: "For how many?"}
        - {field: guest.day, ask: "Friday or Saturday?"}
        - {field: guest.phone, ask: "Your phone number?", ask_when: guest.people > 6}
      confirm: {}
    transitions:
      - {id: large, at: before, when: guest.people > 12, because: a large group needs the host, to: host,
         set: {guest.is_large: true}}
      - {id: remind, at: timer, in: 10m, stay: true, because: nothing was said for ten minutes}
      - {id: booked, at: after, when: form.status == "confirmed", because: the guest confirmed, to: booked}
  host:
    person: {queue: host, about: a large group}
    transitions:
      - {id: agreed, at: after, to: booked, because: the host agreed}
  booked: {say: "See you on {{ guest.day }}!", end: booked}
"""
SMALL = ("4", "on Saturday please")
"""What the guest of the first conversation says."""
LARGE = ("thirty",)


ORDER = """flow: pizzeria
version: 1
start: cart
language: en
records:
  pizza:
    kind: {type: choice, options: [Salami, Margherita, Tonno], about: the pizza}
    size: {type: choice, options: [Small, Large], about: the size}
  order: {items: {type: list, of: pizza, max: 4, about: your pizzas}}
nodes:
  cart: {say: "What may it be?", collect: [order.items], transitions: [{when: size(order.items) > 3, end: full}]}
"""
ORDERED = ("a salami pizza", "two small margherita", "make the first one large", "remove the last one")
ABOUT_ITEMS = """An item of a list of records is named by its position from 0, as in guards, or by its id:
`order.items[0]`, `order.items[-1]`, `order.items[i3]`, and one value of it `order.items[i3].size`. A position is that
at the end of the turn that is asked about; the answer names the id, which never changes and is never used again. So an
item that was removed is asked about by its id. Questions in words name items by their place (*why is the second pizza
small?*) and by values that they have or had (*where is the salami?*). The examples are about this flow:
"""


class Example(NamedTuple):
    """A question: the conversation, the question, the turn, and what the page says about it."""

    about: str
    conversation: str
    question: str
    turn: int | None = None


EXAMPLES = (
    Example("A field that has a value: where it comes from, back to the words of the user", "small", "guest.people"),
    Example("A field that has none", "small", "guest.phone"),
    Example("A value that the flow set: through the transition to what that read", "large", "guest.is_large"),
    Example("A value that was refused", "refused", "guest.people"),
    Example("The open question", "small", "question"),
    Example("A transition that was taken", "large", "large"),
    Example("A transition that was not taken, and what would have to be different", "small", "large"),
    Example("A node that is not in charge", "small", "host"),
    Example("A tool", "small", "find_table"),
    Example("A timer", "small", "remind"),
    Example("A person", "large", "person"),
    Example("A message", "small", "message 3"),
    Example("A turn, by its number", "refused", "2"),
    Example("The end of the conversation", "small", "end"),
    Example("A value that the program set with a command", "changed", "guest.people", 2),
    Example("An undo", "changed", "turn 3"),
    Example("Where a conversation comes from", "copy", "origin"),
    Example("A limit", "large", "moves"),
    Example("The model, where none was called", "small", "model"),
    Example("A question in plain words", "small", "why is there no phone number?"),
)

ABOUT_REFUSED = """An event that is refused before a turn begins is the event `event_refused` of the journal, between
two turns; only the values that are refused when a person gives back are `give_back_refused`. No turn begins with it,
and no button, question or value changes. A message leaves no words, and a press that may answer a secret question no
value. The same refusal is recorded once between two turns, with its first time and without the number of repeats;
sixteen different ones are recorded at most.

What is refused during a turn (`busy`) is recorded after that turn, and without its time. Until then only the process
that refused it knows it: where that process ends first, nothing of it is recorded. Its sender got the reason in either
case.

[Errors](errors.md#refusals-that-no-journal-has) lists the refusals that no journal has. The terminal (`turnwise chat`)
and the HTTP API send the same events, so their refusals are recorded alike.
"""

HEAD = """# Ask why

This page shows how to ask why anything in a conversation is as it is. An answer is computed from the
[journal](concepts.md) when it is asked; it says only what the journal and the flow prove.

| where | how |
|---|---|
| Python | `chat.why("user.age")`, `chat.why("expert", turn=3)`: an `Answer` to `print`, with `line`, `facts`, `plain` |
| terminal | `/why user.age` in a talk; `turnwise explain --store STORE CONVERSATION user.age` |
| HTTP | `GET /api/conversations/{id}/why?subject=user.age&turn=3` |
| studio | *why?* beside every name, and the tab *Ask* |
| the user | `commands: [why]` in the flow: the chat answers *why?* in one sentence ([below](#the-user-asks)) |

The subject decides the answer: the name of a field, node, transition, tool, timer, form, overlay or limit;
`scope survey` (or `frame survey`), an [inner conversation](inner-conversations.md); `turn 7` or `7`;
`message 7`; `call ID`; `question`, `person`, `model`, `conversation`, `origin` or `end`. A kind before the name, such
as `node expert`, tells names apart. `order.items[2].size` is a value of an item of a list
([below](#lists-of-records)). Where a flow has a name such as `end`, `end` is that name, and `the end` the end of
the conversation. The answer about a subject has the same facts in the same order however it was asked: first what the
subject came to, then how often, how long, when and by whom, and what was undone later. Each fact has its `causes`;
printed, they end at the first event that a person would name (words, a press, the result of a tool), and `--all` prints
the rest. `plain` is the sentence for the user, without names of the flow. Secrets are in neither.

Why words of a message were not taken is read from the journal: when the offline rules leave out a value, they record
its words, the field, the value and the reason (`dropped` of `tw.events.Understood`). Nothing is recorded of a message
that a model, a function of yours, or a person in charge read, nor of an answer to a secret question.

A question in words is not understood: it is ranked against the subjects, by the names, titles, options and texts of the
flow, by values, quoted words and numbers of the conversation, by persons, turn numbers, and a few words for each kind
(English and German). Rare words count most. If one subject is clearly ahead, it is answered, `read_as` says so, and
`also` names the next ones. Else a [model](models.md#a-model-that-reads-questions) chooses, if one is configured. Else
`tw.NoClearSubject` has at most six `candidates`, each with its `subject`, `title`, and why it is offered
(`because`): the studio shows them as buttons, the terminal as a numbered list, and HTTP in the problem
`no_clear_subject`. A wording decides nothing else: not the order of facts, not a turn but one that is named by its
number. What would have been is asked by [what-if](asked-later.md#what-if).

## The user asks

With `commands: [why]` the user of a conversation asks in the chat itself, and gets the sentence `plain`; then the
open question is asked again. *Why?* is about the open question or the last move. Where no model answers questions, a
whole question that begins with *why*, *how come*, *warum* or the like and has the title or an option of one field is
about that field (*why do you need my phone number?*), one that only names a scope and its opening or closing about that
(*why did the quiz stop?*); every other one, and one of more than 500 characters, is answered
as *why?*.
*Warum?* with its question mark is understood in an English flow, too, and *why?* in a German one. The name of an
option is an answer, and so is every message for a field with `anything: true`, whatever words are in it. A node that
goes on with the next message (`once`) waits for another one after a question of why; a message that says more (*why
not? I am 46*) goes on, and the next node reads it. After the end such a message is refused like any other, and its
sender gets the answer, which is not recorded. Users are answered why, never what if. The journal keeps each other
answer with the command `why`, so a replay gives it again.

While a person is awaited, no message is understood: a question of why is passed on like any other, and the reply adds
the reason for the wait, which is the `because` of the transition to the node of the person, or that the user asked for
one. While a person is in charge, that person gets the question and answers it; the machine says nothing.

Without `commands: [why]` users get no answer: then *why?* in the terminal is the author's `/why`, with ids and guards.

## In German, and with titles

An answer is in English, with the names of the flow. `chat.why("user.age", words=tw.AnswerWords("de", has_titles=True))`
returns it in German, with titles in place of names: of nodes, fields and tools, with conditions and values as people
write them. Over HTTP the language is that of `Accept-Language`, and `?titles=true` asks for titles. The values of each
fact have the same names in both languages; what people said is never translated.
"""


async def page() -> str:
    """Return the page."""
    clock = tw.ManualClock(CLOCK)
    app = tw.open(tw.loads(FLOW), clock=clock)
    for name, texts in {"small": SMALL, "large": LARGE, "refused": ("200",)}.items():
        chat = app.chat(name)
        await chat.start()
        for text in texts:
            await chat.say(text)
    pressed = app.chat("pressed")
    await pressed.start()
    await pressed.choose("Sunday")
    usual = await app.chat("small").why("large", usual=True)
    await app.chat("small").fork("copy", turn=1)
    changed = app.chat("changed")
    await changed.start()
    await changed.commands([tw.commands.Set(field="guest.people", value=8)], by="the booking page")
    await changed.undo()
    examples = [line for example in EXAMPLES for line in await _example(app, example)]
    compared = await app.chat("small").compare("large")
    ways = [await app.chat("small").ways_to(node) for node in ("booked", "host")]
    parts = [
        HEAD,
        "## One example of each kind\n",
        "The examples are questions to conversations with this flow. In `small` the guest says “4” and “on",
        "Saturday please”, in `large` “thirty”, in `refused` “200”; `copy` is a fork of `small` before any answer.",
        "In `changed` a program sets a value, which an undo takes back. In `pressed` the guest begins with a button",
        "“Sunday”.\n",
        f"```yaml\n{FLOW}```\n",
        *examples,
        "## Lists of records\n",
        ABOUT_ITEMS,
        f"```yaml\n{ORDER}```\n",
        *await _about_items(),
        "## Refused events\n",
        ABOUT_REFUSED,
        _block("pressed.why('message')", await pressed.why("message")),
        "## How usual it is\n",
        "With `usual=True` (`--usual` in the terminal, `?usual=true` over HTTP) the second fact says in how many",
        "conversations of the flow that was so, and since which version never. For this the conversations of the store",
        "are read; when it is asked again, only those that changed since.\n",
        _block("small.why('large', usual=True)", usual),
        "## Where two conversations differ\n",
        "`chat.compare(other)` finds the first move that only one of them made, and tries each value in which they",
        "differ alone in the other one: a value with which its decision would have been the same is decisive.\n",
        _block(f"small.compare({'large'!r})", compared),
        "## How to get to a node\n",
        "`chat.ways_to(node)` searches the shortest sequences of answers, messages, timers, schedules, events and uses",
        "of tools. The machine runs each on a copy of the state: no model and no tool is called, nothing is stored.",
        "The search supposes that a tool returns values for the fields that the rules read. A way on which a tool",
        "fails, or returns none of these values, comes last and is marked: *it leads over a failure*.",
        "With `turn=3` the ways begin at the end of that turn, where a fork can begin. The name may also be that of a",
        "transition, or of an outcome of a [scope](inner-conversations.md): `survey:completed`. Ways lead into scopes",
        "by whatever opens them, through their nodes (`survey/ask`), and out of them.\n",
        *[_block(f"small.ways_to({node!r})", way) for node, way in zip(("booked", "host"), ways, strict=True)],
    ]
    return "\n".join(parts).rstrip() + "\n"


async def _about_items() -> list[str]:
    """Return the examples about items of a list."""
    chat = tw.open(tw.loads(ORDER), clock=tw.ManualClock(CLOCK)).chat("pizzas")
    await chat.start()
    for text in ORDERED:
        await chat.say(text)
    asked = ("order.items[0].size", "order.items[i3]", "why is the second pizza small?")
    said = ", ".join(f"“{text}”" for text in ORDERED)
    return [
        f"In `pizzas` the guest says {said}.\n",
        *[_block(f"pizzas.why({one!r})", await chat.why(one)) for one in asked],
    ]


async def _example(app: tw.App, example: Example) -> tuple[str, str]:
    answer = await app.chat(example.conversation).why(example.question, turn=example.turn)
    turn = f", turn={example.turn}" if example.turn is not None else ""
    return f"**{example.about}.**\n", _block(f"{example.conversation}.why({example.question!r}{turn})", answer)


def _block(call: str, answer: tw.Answer) -> str:
    lines = [line.text for line in lines_of(answer)][1:]
    more = ["…"] if len(lines) > MOST_LINES else []
    plain = [f"to the user: {answer.plain}"] if answer.plain else []
    return "\n".join(["```text", f">>> {call}", *lines[:MOST_LINES], *more, *plain, "```", ""])


def why_page() -> tuple[Path, str]:
    """Return where the page is, and its text."""
    return PAGE, asyncio.run(page())


def main() -> int:
    """Write the page."""
    path, text = why_page()
    path.write_text(text, "utf-8")
    print(f"wrote {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
