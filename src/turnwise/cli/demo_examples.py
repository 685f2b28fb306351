"""The shipped examples: what each is, where its files are, and what replaces a model in it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from turnwise.errors import TurnwiseError

DIALOGUE = "demo.dialogue.yaml"
"""The file with the replies where no model is connected."""
FIRST_EXAMPLE = "eligibility"
"""The example that is shown first."""


@dataclass(frozen=True, slots=True)
class Example:
    """A shipped example of the demonstration."""

    flow: str
    """The name of the flow's file."""
    about: str
    """What the example is, in one line."""
    tries: str
    """A remark about what a visitor may try."""
    code: str = ""
    """The name of the file with the flow's tools; empty for none."""
    dialogue: str = ""
    """The name of the file with replies to known lines, used without a model; empty for none."""
    replies: str = ""
    """The name of the file with a model's replies in a flow without a user, used without a model; empty for none."""


EXAMPLES = {
    FIRST_EXAMPLE: Example(
        "eligibility.flow.yaml",
        "five questions before an insurance check.",
        """\
Answer in your own words or with the number of a button. After some answers
ask /why, or /why-not expert; at the end try: "no, that's not correct".""",
    ),
    "health_intake": Example(
        "health_intake.flow.yaml",
        "who may take part, three groups of symptoms, goodbye.",
        """\
Tell your name and age, a bit at a time or all at once, and agree to the terms.
After each message ask /why, or /why-not complete. Then try an age under 38.""",
        dialogue=DIALOGUE,
    ),
    "thinking_partner": Example(
        "thinking_partner.flow.yaml",
        "steps that open after certain messages and tool calls.",
        """\
Type the number of a line and see which step opens, and which tools are used.
Ask /why, /why-not enter_planning_mode or /state. --model NAME talks freely.""",
        code="tools.py",
        dialogue=DIALOGUE,
    ),
    "context_machine": Example(
        "context_machine.dy",
        "a machine that works without messages, and moves on when the work is done.",
        """\
It needs no message. Ask /why-not done: why it moved on, and /state: its values.""",
        replies="demo.replies.yaml",
    ),
    "language_buddy": Example(
        "language_buddy.flow.yaml",
        "a tutor who stops for feedback and a quiz, and comes back with a line of summary.",
        """\
Answer a few questions, then say "give me a quiz", or "I am so frustrated!!".
Ask /why quiz, and /state: the quiz is gone, and its score is there.""",
        code="tools.py",
        dialogue=DIALOGUE,
    ),
    "returns_desk": Example(
        "returns_desk.dy",
        "a returns desk in DyGram: modules, permissions, caught failures.",
        """\
It runs by itself: a script stands for the model. Then ask /why-not manager,
or /why claim.check: two tasks are called check, one in each module.""",
        replies="demo.replies.yaml",
    ),
    "pizza": Example(
        "pizza.flow.yaml",
        "an order of several pizzas, in sentences or by buttons.",
        """\
Say "a large salami and two small margheritas", then "make the second one large".
Ask /why order.pizzas[1].size, and at the end: "yes, but what does it cost?".""",
    ),
}
"""The examples of `turnwise demo`, by name."""


TRIES = {
    "health_intake_with_code": "Its rules are Python, with two planted mistakes.",
    "call_back": "Try both sides: answer two questions, then take over as the nurse.",
    "context_machine": "It needs no message: begin, and look why it moved on.",
    "returns_desk": "It needs no message: begin, and look why it paid.",
}
"""What a visitor should know before a conversation begins, by name of the flow. What to say is in `seeds.yaml`."""


def examples() -> Path:
    """Return the folder of the examples: inside an installed package, or beside the sources."""
    for folder in (Path(__file__).parents[1] / "examples", Path(__file__).parents[3] / "examples"):
        if (folder / FIRST_EXAMPLE / EXAMPLES[FIRST_EXAMPLE].flow).is_file():
            return folder
    raise TurnwiseError("the examples are not installed with this copy of turnwise")
