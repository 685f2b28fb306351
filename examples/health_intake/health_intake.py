"""The health intake in Python: the same flow as with_code.flow.yaml, which the tests hold it to.

Classes are records, functions are guards, and the rest has the names that it has in YAML.
"""

from __future__ import annotations

from guards import route, three_groups

import turnwise as tw


class User(tw.Record):
    """Who is here."""

    name: str | None = tw.field(max_length=60, about="name", names=True)
    age: int | None = tw.field(ge=0, le=120, about="age in years")
    gender: str | None = tw.field(
        type="choice", options={"female": ["woman", "f"], "male": ["man", "m"], "other": []}, about="gender"
    )
    tos_acknowledged: bool | None = tw.field(about="agreement to the terms")


GROUPS = {
    "sleep": ["sleep badly", "cannot sleep", "insomnia"],
    "mood": ["moods", "irritable", "anxious", "sad"],
    "memory": ["forgetful", "forget things", "cannot concentrate"],
    "hot flushes": ["flushes", "sweats", "night sweats"],
    "joints": ["joint pain", "knees", "back pain"],
}


SUMMARY = {"symptoms.summary": 'user.name + " told of " + string(size(symptoms.groups)) + " groups"'}
NO_MORE = "^(no|none|nothing|bye|i feel fine|that.s all)([,. ]*(more|else|thanks|thank you|bye))*[.!]*$"
"""What users say who have nothing more to name."""


class Symptoms(tw.Record):
    """What she is troubled by."""

    groups: list[str] | None = tw.field(
        options=GROUPS, about="symptoms, a word for each (sleep, mood, memory, hot flushes, joints)"
    )
    summary: str | None = None


introduction = tw.Node(
    "introduction",
    description="Name, age and terms.",
    prompt=(
        "Welcome the user. Ask for her name, her age and her agreement to the terms, in your own words and "
        "not all at once. Gender is noted where she tells it; never ask for it. Save what she tells you."
    ),
    collect=["user.name", "user.age", "user.tos_acknowledged", "user.gender"],
    writes=[User],
    before=[
        tw.Transition(guard=route, because="name, age, gender and terms decide"),
        tw.Transition(
            "ineligible_male", mirror=True, when='user.gender == "male"', because="user is male", to="ineligible"
        ),
        tw.Transition("too_young", mirror=True, when="user.age < 38", because="under age 38", to="ineligible"),
        tw.Transition(
            "complete",
            mirror=True,
            when="has(user.name) && user.age >= 38 && user.tos_acknowledged",
            because="name, age and terms collected, age 38 or more",
            to="profiler",
        ),
    ],
)

profiler = tw.Node(
    "profiler",
    description="Symptoms, one group at a time.",
    prompt="Ask {{ user.name }} about symptoms, one group at a time, and save each group.",
    collect=["symptoms.groups"],
    writes=["symptoms.groups"],
    transitions=[
        tw.Transition(
            "three_groups",
            guard=three_groups,
            because="at least three groups of symptoms are known",
            set=SUMMARY,
            to="closing",
        ),
        tw.Transition(
            "nothing_more",
            at="before",
            when=f'message.since_entry && message.text.lower().matches("{NO_MORE}")',
            because="the user has nothing more to name",
            set=SUMMARY,
            to="closing",
        ),
        tw.Transition(
            "asked_enough",
            at="before",
            when="turns > 7",
            because="six messages named too few",
            set=SUMMARY,
            to="closing",
        ),
    ],
)

closing = tw.Node(
    "closing",
    description="Said once; the next message, whatever it is, goes on.",
    say="Thank you, {{ user.name }}. That is all that we need today. Is there anything you want to add?",
    once="farewell",
)

farewell = tw.Node("farewell", say="Take care, {{ user.name }}. We will write to you.", end="completed")

ineligible = tw.Node(
    "ineligible",
    description="Turned away, with half an hour to correct a slip.",
    say='Thank you. This service is for women of 38 or more. Was that a slip? Then say, for example: "sorry, I am 48".',
    collect=["user.gender", "user.age"],
    transitions=[
        tw.Transition(
            "corrected",
            at="before",
            when='(!has(user.age) || user.age >= 38) && (!has(user.gender) || user.gender != "male")',
            because="what is known no longer rules the user out",
            to=introduction,
        ),
        tw.Transition(
            "turned_away",
            at="timer",
            delay_s="30m",
            because="half an hour passed, and what is known still rules the user out",
            end="ineligible",
        ),
    ],
)

flow = tw.Flow(
    "health_intake_with_code",
    version=1,
    title="Health intake in Python",
    description="Finds out who may take part, asks about three groups of symptoms, and says goodbye.",
    start=introduction,
    time_zone="Europe/Berlin",
    language="en",
    fallback="Sorry, I did not understand that.",
    persona="You are Freya, warm and brief. You give no medical advice.",
    records=[User, Symptoms],
    nodes=[introduction, profiler, closing, farewell, ineligible],
)
