"""Why a form asks what it asks: order, conditions, changes, misses, stop, confirmation, a person."""

from __future__ import annotations

from collections.abc import Callable

from support.chats import flow_of, offline_chat, scripted_chat, talk
from support.whys import Asked, Chat, check, table
from turnwise.core.state.commands import Edit, Set

SIGNUP = """
flow: signup
start: intake
commands: [undo, hand_over]
person: {queue: help, timeout: 10m}
records:
  user:
    name: {type: string, about: full name}
    age: {type: integer, min: 18, max: 120, about: age}
    kind: {type: choice, options: {private: [], company: [firm]}, about: kind of customer}
    vat: {type: string, pattern: "[A-Z]{2}[0-9]+", about: VAT number}
    hobby: {type: string, about: hobby}
    note: {type: string, about: remark}
    terms: {type: boolean, about: terms of use}
nodes:
  intake:
    description: Collects who the customer is.
    form:
      fields:
        - {field: user.hobby, ask: Hobby?, required: false}
        - {field: user.name, ask: Your name?}
        - {field: user.age, ask: How old are you?, rephrase: ["A number, please."], then: hand_over}
        - {field: user.kind, ask: "Private or company?"}
        - {field: user.vat, ask: VAT number?, ask_when: user.kind == "company"}
        - {field: user.terms, ask: Do you agree?, stop: {values: ["false"], say: Then not.}}
        - {field: user.note, ask: Note?, asked: false, required: false}
      confirm: {}
    transitions:
      - {id: done, at: after, when: form.status == "confirmed", to: goodbye}
      - {id: seven, at: before, when: user.age == 77, block: Not today.}
  goodbye: {say: Goodbye., end: done}
"""


def said(*texts: str, flow: str = SIGNUP, understand: tuple[object, ...] = ()) -> Callable[[], Chat]:
    """A conversation with some messages; without scripted understandings the offline rules read them."""

    def play() -> Chat:
        chat = talk(flow, understand=understand).chat if understand else offline_chat(flow)  # type: ignore[arg-type]
        chat.start()
        for text in texts:
            chat.say(text)
        return chat

    return play


ANSWERED = ("Ann", "45", "firm", "DE123")
STORIES = {
    "start": said(),
    "named": said("Ann"),
    "young": said("Ann", "17"),
    "missed": said("Ann", "hmm"),
    "missed twice": said("Ann", "hmm", "hmm"),
    "private": said("Ann", "45", "private"),
    "blocked": said("Ann", "77"),
    "company": said("Ann", "45", "firm"),
    "bad vat": said("Ann", "45", "firm", "nonsense"),
    "required": said("Ann", "skip"),
    "stopped": said(*ANSWERED, "no"),
    "optional": said(*ANSWERED, "yes"),
    "skipped": said(*ANSWERED, "yes", "skip"),
    "editing": said(*ANSWERED, "yes", "skip", "change my full name"),
    "edited": said(*ANSWERED, "yes", "skip", "no, private"),
    "revived": said(*ANSWERED, "yes", "skip", "no, private", "no, company"),
    "chooser": said(*ANSWERED, "yes", "skip", "edit"),
    "confirmed": said(*ANSWERED, "yes", "skip", "yes"),
    "cancelled": said("Ann", "cancel"),
    "restarted": said("Ann", "restart"),
}
ASKED = [
    Asked(
        "restarted",
        "message",
        "the command restart was applied, which removed user.name = Ann",
        "command_applied",
        ("user.name lost its value Ann, because the form of intake began anew",),
    ),
    Asked(
        "stopped",
        "done",
        'done did not hold, because it needs form.status == "confirmed" (is stopped); the form of intake stopped because '
        "user.terms is false",
        "transition_judged",
        ("value_read: user.terms was false", "the user said “no”"),
    ),
    Asked(
        "start",
        "question",
        "user.name is asked because it is the first question of intake without an answer",
        "question_next",
    ),
    Asked(
        "start",
        "question user.hobby",
        "user.hobby is not asked yet because user.name is asked first",
        "question_later",
        ("this one is optional, and comes after the required ones",),
    ),
    Asked(
        "start",
        "form",
        "user.name is asked because",
        "question_next",
        (
            "has 0 of 4 required answers, 0 %",
            "it lacks user.name, user.age, user.kind and user.terms",
            "asks to confirm when no question is left",
        ),
    ),
    Asked(
        "named",
        "question user.age",
        "user.age is asked because it is the first",
        "question_next",
        ("user.name has an answer",),
    ),
    Asked(
        "named",
        "question user.vat",
        "user.vat is not asked because its `ask_when`",
        "question_condition_failed",
        ('user.kind == "company"', "user.kind has no value", "it would hold with user.kind = company"),
    ),
    Asked(
        "private",
        "question user.vat",
        "user.vat is not asked because its `ask_when`",
        "question_condition_failed",
        ("user.kind is private", "field_set: user.kind was set to private", "the user said “private”"),
    ),
    Asked(
        "company",
        "question user.vat",
        "user.vat is asked because",
        "question_next",
        ("user.name, user.age and user.kind have answers",),
    ),
    Asked(
        "private",
        "question user.kind",
        "the user was asked for user.kind in turn 3",
        "question_was_asked",
        ("question_answered: user.kind is not asked because it has an answer already",),
    ),
    Asked("start", "question user.note", "user.note is never asked", "question_never_put"),
    Asked(
        "young",
        "question",
        "user.age is asked again: the value 17 was refused for user.age",
        "question_again",
        (
            "question_next: user.age",
            "value_refused: the value 17 was refused for user.age because it is less than the minimum 18",
        ),
    ),
    Asked(
        "missed",
        "question",
        "user.age is asked again because the answer was not understood",
        "question_repeated",
        (
            "the next one that is not understood is followed by `hand_over`",
            "it is no whole number",
            "the user said “hmm”",
        ),
    ),
    Asked(
        "missed twice",
        "question",
        "asks nothing while the conversation is waiting for a person in the queue help",
        "form_waits_for_person",
    ),
    Asked(
        "missed twice",
        "question user.age",
        "the user was asked for user.age in turn 3",
        "question_was_asked",
        ("form_waits_for_person",),
    ),
    Asked(
        "blocked",
        "question",
        "the form of intake stands at user.kind, but the user was not asked in turn 3",
        "question_not_put",
        ("blocked in intake by seven", "question_next: user.kind is asked because"),
    ),
    Asked(
        "required",
        "message",
        "the command skip on user.age was refused because its question is required",
        "command_refused",
    ),
    Asked(
        "stopped",
        "form",
        "the form of intake stopped because user.terms is false, one of its stop values false",
        "form_stopped",
        ("the user said “no”",),
    ),
    Asked(
        "stopped",
        "question user.hobby",
        "user.hobby is not asked now: the form of intake stopped",
        "question_not_due",
    ),
    Asked(
        "optional",
        "question",
        "user.hobby is asked because",
        "question_next",
        ("it is optional, and no required one is left",),
    ),
    Asked(
        "skipped",
        "question",
        "the form of intake asks to confirm because no question is left to ask",
        "confirmation_due",
    ),
    Asked(
        "skipped",
        "question hobby",
        "the user was asked for user.hobby in turn 6",
        "question_was_asked",
        (
            "question_skipped: user.hobby is not asked because it is optional and was skipped",
            "command_applied: the command skip on user.hobby was applied",
            "the user said “skip”",
        ),
    ),
    Asked(
        "skipped",
        "hobby",
        "user.hobby has no value: nothing has set it yet; user.hobby is not asked because it is "
        "optional and was skipped",
        "field_empty",
    ),
    Asked(
        "editing",
        "question",
        "user.name is asked again because the user wanted to change this answer",
        "question_edited",
        ("command_applied: the command edit on user.name was applied",),
    ),
    Asked(
        "edited",
        "vat",
        "user.vat is inactive: its answer DE123 is kept, and counts as missing",
        "field_inactive",
        (
            '`ask_when`, user.kind == "company", does not hold: user.kind is private',
            "field_set: user.kind was set to private",
            "(was company)",
        ),
    ),
    Asked(
        "revived",
        "vat",
        "user.vat was set to DE123",
        "field_set",
        ("field_revived: the answer user.vat counts again", 'user.kind == "company", holds'),
    ),
    Asked(
        "chooser",
        "question",
        "asks which answer to change because the user named none",
        "chooser_due",
        ("it has user.name, user.age, user.kind, user.vat and user.terms", "the command edit was applied"),
    ),
    Asked(
        "confirmed",
        "form",
        "the form of intake was left after it was confirmed, and goodbye is in charge",
        "form_left",
        ("node_left: intake → goodbye by done", "the command affirm was applied"),
    ),
    Asked("confirmed", "question", "no question is open: goodbye asks none", "question_none"),
    Asked(
        "confirmed",
        "question user.note",
        "user.note is never asked: the form of intake only takes this answer when the user gives it",
        "question_never_put",
        ("form_left: user.note is not asked because the form of intake was left after it was confirmed",),
    ),
    Asked(
        "cancelled",
        "question",
        "the form of intake asks nothing because the user cancelled it",
        "form_cancelled",
        ("command_applied: the command cancel was applied", "the user said “cancel”"),
    ),
    Asked(
        "restarted",
        "user.name",
        "user.name has no value: user.name lost its value Ann, because the form of intake began anew",
        "field_empty",
        ("question_next: user.name is asked",),
    ),
]


@table(STORIES, ASKED)
def test_a_form_says_why_it_asks(play: Callable[[], Chat], asked: Asked) -> None:
    check(play(), asked)


WALK = """
flow: walk
start: intake
records: {u: {a: {type: string, about: first name}, b: {type: string, about: last name}, n: {type: integer, default: 3}}}
nodes:
  intake:
    form:
      fields: [{field: u.a, ask: A?}, {field: u.b, ask: B?}, {field: u.n, ask: N?}]
      confirm: {edit: first}
"""
CORRECTIONS = (
    (Set(field="u.a", value="Al"), Set(field="u.b", value="Lee")),
    (Set(value="Max"),),
    (Edit(),),
)
OTHERS = {
    "default": said("Al Lee", flow=WALK, understand=CORRECTIONS),
    "agreed": said("Al Lee", "yes", flow=WALK, understand=CORRECTIONS),
    "unclear": said("Al Lee", "yes", "it is Max", flow=WALK, understand=CORRECTIONS),
    "walked": said("Al Lee", "yes", "it is Max", "no", "no", flow=WALK, understand=CORRECTIONS),
}
ASKED_OTHERS = [
    Asked(
        "default",
        "question",
        "3 is suggested for u.n because it is its default, and counts when the user agrees",
        "value_suggested",
        ("question_next: u.n is asked because",),
    ),
    Asked(
        "default", "n", "u.n has no value of its own; guards read its default 3", "field_default", ("value_suggested",)
    ),
    Asked("agreed", "n", "u.n was set to 3, answered by the user", "field_set", ("the user said “yes”",)),
    Asked("unclear", "question", "asks which answer to change because Max fits u.a and u.b", "correction_unclear"),
    Asked(
        "walked",
        "question",
        "u.a is asked again because the user goes through all answers again",
        "question_walked",
        ("next: u.b and u.n",),
    ),
]


@table(OTHERS, ASKED_OTHERS)
def test_suggestions_and_corrections_say_why(play: Callable[[], Chat], asked: Asked) -> None:
    check(play(), asked)


def test_a_form_that_failed_to_open_says_so() -> None:
    flow = flow_of(
        "flow: f\nversion: 1\nstart: a\nrecords: {u: {name: string, n: {type: integer, max: 5}}}\n"
        "nodes:\n  a: {set: {u.n: 3 + 4}, form: {fields: [{field: u.name, ask: Your name?}]}}\n"
    )
    with scripted_chat(flow) as chat:
        chat.start()
        for subject in ("form a", "u.name"):
            assert "the form of a is not open: the turn failed before it opened" in chat.why(subject).line
