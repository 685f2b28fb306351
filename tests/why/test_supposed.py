"""Questions about what would have been with other values: one past decision, judged again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import turnwise as tw
from asked_stories import CASE, HEALTH, said
from support.chats import flow_of
from support.whys import Asked, check, lines_of, table
from turnwise.core.state import commands as c

TABLE = """
flow: table
version: 1
start: ask
language: en
time_zone: UTC
records:
  guest:
    people: {type: integer, min: 1, max: 40, about: how many of you there are}
    children: {type: integer, min: 0, about: how many of these are children}
    grown: {type: integer, value: guest.people - guest.children}
    day: {type: choice, options: [Friday, Saturday], about: the day}
    phone: {type: string, about: your phone number}
    pin: {type: integer, secret: true, about: the code of the door}
    guess: {type: integer, about: the guess}
    even: {type: integer, validate: "guest.even % 2 == 0", about: pairs}
nodes:
  ask:
    form:
      fields:
        - {field: guest.people, ask: "For how many?"}
        - {field: guest.day, ask: "Which day?", stop: {values: [Friday], say: We are closed.}}
        - {field: guest.phone, ask: "Your number?", ask_when: guest.people > 6}
      confirm: {}
    transitions:
      - {id: large, at: before, when: guest.people > 12, because: a large group needs the host, to: host}
      - {id: family, at: before, when: guest.grown < 2, because: children need grown people, to: host}
      - {id: opens, at: before, when: guest.guess == guest.pin, to: host}
      - {id: booked, at: after, when: form.status == "confirmed", because: the guest confirmed, to: booked}
  host: {say: One moment., end: host}
  booked: {say: See you., end: booked}
"""


PRACTICE = """
flow: praxis
version: 1
start: frage
language: de
time_zone: Europe/Berlin
records:
  patient:
    alter: {type: integer, min: 0, max: 120, about: Alter in Jahren}
    gewicht: {type: number, about: Gewicht in kg}
    versichert: {type: boolean, about: versichert}
    kasse: {type: choice, options: {Privat: [private], Gesetzlich: []}, about: Art der Versicherung}
    termin: {type: date, about: Tag des Termins}
    dauer: {type: duration, about: Dauer der Beschwerden}
nodes:
  frage:
    prompt: Frage.
    collect: [patient]
    transitions:
      - {id: kind, at: before, when: patient.alter < 18, because: Kinder gehen zum Kinderarzt, to: kinderarzt}
      - {id: schwer, at: before, when: patient.gewicht > 150, because: die Waage reicht nicht, to: klinik}
      - {id: lang, at: before, when: 'patient.dauer > duration("14d")', because: es dauert lange, to: klinik}
      - {id: frueh, at: before, when: 'patient.termin < date("2026-12-01")', because: zu früh, to: klinik}
      - {id: kassen, at: before, when: patient.kasse == "Gesetzlich", because: wir nehmen nur Private, to: klinik}
      - {id: fertig, at: before, when: has(patient.alter) && patient.versichert, because: alles ist da, to: ende}
  kinderarzt: {say: Kinderarzt., end: kind}
  klinik: {say: Klinik., end: klinik}
  ende: {say: Ende., end: fertig}
"""


def dora() -> tw.SyncChat:
    return said(HEALTH, "Hi, I'm Dora and I'm 29")


def quirin() -> tw.SyncChat:
    first = ("Hi, I'm Quirin and I'm 50", "I am a man", "sorry, I am a woman")
    return said(HEALTH, *first, "I do not agree to the terms", "all right, I agree", "I sleep badly")


def carl() -> tw.SyncChat:
    return said(CASE, "Yes", "Yes", "Referral")


def guest() -> tw.SyncChat:
    chat = tw.open_sync(flow_of(TABLE), clock=tw.ManualClock(1_795_000_000_000)).chat("a")
    chat.say("4")
    chat.commands(
        [
            c.Set(field="guest.children", value=1),
            c.Set(field="guest.pin", value=4711),
            c.Set(field="guest.guess", value=1234),
        ],
        by="the desk",
    )
    chat.say("Saturday")
    return chat


def practice() -> tw.SyncChat:
    chat = tw.open_sync(flow_of(PRACTICE), clock=tw.ManualClock(1_795_000_000_000)).chat("a")
    chat.commands([c.Set(field="patient.alter", value=30), c.Set(field="patient.gewicht", value=80)], by="the desk")
    chat.commands([c.Set(field="patient.kasse", value="Privat")], by="the desk")
    chat.commands([c.Set(field="patient.versichert", value=True)], by="the desk")
    return chat


def ruth() -> tw.SyncChat:
    return said(HEALTH, "Hi, I'm Ruth and I agree to the terms", "I am 36", "I am a man", "sorry, I am 46")


STORIES = {"dora": dora, "quirin": quirin, "carl": carl, "guest": guest, "practice": practice, "ruth": ruth}
STAYS = "with user.age = 40 (was 29 since turn 1), nothing would be taken, and introduction would stay in charge"
YOUNG = "introduction → ineligible by too_young would be taken: under age 38"
ONLY = "supposed_reach: only this decision of turn"
LACKS = (
    "in turn 1 too_young was taken, which leads to ineligible",
    "too_young would not hold: it needs user.age < 38; it was taken",
    "complete would not hold: it lacks user.tos_acknowledged",
    ONLY,
    "decided: before: introduction → ineligible by too_young: under age 38",
    "message_received: the user said “Hi, I'm Dora and I'm 29”",
)
NO_EXPERT = "with case.insurance_history = No (was Yes since turn 2), expert would not be taken: nothing would be taken"
NEEDS_YES = ('expert would not hold: it needs case.insurance_history == "Yes"; it was taken', ONLY)

ASKED = [
    # a number, without a name
    *(
        Asked("dora", question, STAYS, "supposed", LACKS, ("corrected",))
        for question in (
            "Would she have been let in at 40?",
            "Hätte sie mit 40 weitermachen dürfen?",
            "Würde sie mit vierzig weiterkommen?",
            "Was wäre gewesen, wenn sie 40 wäre?",
            "Was wäre passiert, wenn sie 40 gesagt hätte?",
            "What if she had been 40?",
            "What if she were forty?",
            "What would have happened if she had said 40 instead of 29?",
            "If she had been 40, what would have happened?",
            "Had she been 40, would she have been let in?",
            "Would it have gone on with an age of 40?",
            "could she have continued at 40?",
            "Suppose she were 40",
        )
    ),
    Asked("dora", "Would 37 have been enough?", f"{YOUNG}; as in turn 1", "supposed", (ONLY,), ("complete would",)),
    Asked(
        "dora", "Would 41 be enough?", "with user.age = 41 (was 29 since turn 1), nothing would be taken", "supposed"
    ),
    Asked("dora", "Wäre sie mit 37 abgewiesen worden?", f"{YOUNG}; as in turn 1", "supposed"),
    Asked("dora", "Would 150 have been enough?", "150 would have been refused for user.age: That is more than 120"),
    # with a name
    Asked("dora", "Would too_young have held at 37?", f"{YOUNG}; as in turn 1", "supposed"),
    Asked(
        "dora",
        "Would she still have been turned away at 40?",
        "ineligible would not be reached: nothing would be taken",
        "supposed",
        LACKS,
    ),
    Asked("dora", "would it have gone to the profiler at 40?", "profiler would not be reached", "supposed", LACKS),
    Asked(
        "quirin",
        "Would he have been turned away at 37?",
        f"ineligible would be reached: {YOUNG}; in turn 5 complete was taken, which leads to profiler",
        "supposed",
        ("complete would not hold: it needs user.age >= 38; it was taken",),
    ),
    Asked("quirin", "What if he were 37?", f"{YOUNG}; in turn 1 nothing was taken", "supposed"),
    Asked(
        "quirin", "Would he have been let in with 37 in turn 4?", f"{YOUNG}; in turn 1 nothing was taken", "supposed"
    ),
    # several values, and values taken away
    Asked(
        "dora",
        "What if she had been 40 and agreed to the terms?",
        "with user.age = 40 and user.tos_acknowledged = true (was 29 since turn 1 and missing), introduction → profiler",
        "supposed",
    ),
    Asked("dora", "What if she had been a woman of 45?", "user.gender = female and user.age = 45 (was missing and 29"),
    Asked(
        "dora", "What if her name had been “Anna K.”?", "with user.name = Anna K. (was Dora since turn 1), introduction"
    ),
    Asked("dora", "what-if user.age = 45", "with user.age = 45 (was 29 since turn 1), nothing would be taken"),
    Asked("dora", "What if she had been a man?", "→ ineligible by ineligible_male would be taken: user is male"),
    Asked("dora", "Hätte sie als Mann weitermachen dürfen? user.gender man", "ineligible_male would be taken"),
    Asked(
        "dora", "What if she had not given her name?", "with user.name = missing (was Dora since turn 1)", "supposed"
    ),
    Asked("dora", "Would she have been turned away without an age?", "user.age = missing (was 29 since turn 1)"),
    Asked(
        "quirin",
        "What if she had not agreed to the terms?",
        "with user.tos_acknowledged = false (was true since turn 5), nothing would be taken",
        "supposed",
        ("complete would not hold: it needs user.tos_acknowledged; it was taken",),
    ),
    Asked(
        "quirin",
        "What if she had said sleep, mood and joints?",
        "symptoms.groups = sleep, mood, joints (was sleep since turn 6), profiler → closing by three_groups would be",
    ),
    # options
    *(
        Asked("carl", question, NO_EXPERT, "supposed", NEEDS_YES, ("patient_info = No",))
        for question in (
            "Would it still have gone to the expert if I had said No at the end?",
            "Would the expert have been reached with No?",
            "Wäre es mit Nein zum Experten gegangen?",
            "Would the expert have been reached if I had answered “No”?",
        )
    ),
    Asked(
        "carl",
        "What if there had been no inconsistencies?",
        "with case.insurance_history = No (was Yes since turn 2), nothing would be taken",
        "supposed",
        NEEDS_YES,
    ),
    Asked(
        "carl", "What if I had said Partial instead of Yes?", "case.insurance_history = Partial (was Yes since turn 2)"
    ),
    *(
        Asked("carl", question, "with case.insurance_history = Partial (was Yes since turn 2), ", "supposed", NEEDS_YES)
        for question in (
            "what happens if the history was Partial instead of Yes?",
            "what would happen if the history was Partial?",
            "If the history were Partial, would the expert be needed?",
            "Was passiert, wenn die history Partial wäre?",
        )
    ),
    Asked(
        "carl",
        "suppose the purpose had been Billing, where would it have ended?",
        "case.purpose = Billing (was Referral",
    ),
    Asked("carl", "Would the expert have been reached with Billing?", "purpose = Billing (was Referral since turn 3)"),
    Asked(
        "carl",
        "Would it have gone to the planner with Billing?",
        "it is not known whether handed_over would be reached, as it was not judged: nothing would be taken",
    ),
    Asked(
        "carl",
        "What would have happened with Escalate?",
        "with case.on_failure = Escalate no decision that can be judged again would differ, because none reads case.on_failure",
        "supposed_not_read",
    ),
    Asked(
        "carl",
        "Was wäre mit asap gewesen?",
        "with case.urgency = Urgent no decision that can be judged again would differ",
    ),
    Asked(
        "carl",
        "Would it have gone to the expert if patient information had been Unknown?",
        "intake → expert by expert would be taken",
        "supposed",
        (
            "supposed_stop: the form of intake would stop, because case.patient_info = Unknown is one of its stop values",
        ),
    ),
    Asked("guest", "What if it had been Friday?", "the form of ask would stop, because guest.day = Friday"),
    # a value that is denied: all that could have been in its place
    *(
        Asked(
            "carl",
            question,
            "with case.purpose = Billing or Treatment or missing (was Referral since turn 3), ",
            "supposed",
            (
                "expert would not hold: ",
                "nothing would be taken, and intake would stay in charge; in turn 3 expert was",
            ),
            ("purpose = Referral",),
        )
        for question in (
            "Would it have gone differently without Referral?",
            "Would the expert not have been needed if she had not said Referral?",
            "What if she had said anything but Referral?",
            "What if the purpose had not been Referral?",
            "What if it hadn't been Referral?",
            "Was wäre gewesen, wenn sie nicht Referral gesagt hätte?",
            "Was wäre gewesen, wenn sie Referral nicht gesagt hätte?",
            "Wäre sie auch ohne Referral beim Experten gelandet?",
            "Would it have gone on had she not said Referral?",
        )
    ),
    Asked("carl", "What if the history had not been Yes?", "insurance_history = No or Partial or missing (was Yes"),
    Asked(
        "ruth",
        "Was, wenn sie kein Mann gewesen wäre?",
        "user.gender = female or other or missing (was male since turn 3)",
    ),
    Asked(
        "ruth", "Would it have gone on if she had not been a man?", "user.gender = female or other or missing (was male"
    ),
    Asked(
        "ruth", "Would she have been accepted had she not said that she is a man?", "user.gender = female or other or"
    ),
    Asked(
        "quirin",
        "What if she had not been a woman?",
        "with user.gender = male (was female since turn 3), nothing would be taken",
        "supposed",
        ("with user.gender = other or missing (was female since turn 3), ineligible → introduction by corrected", ONLY),
    ),
    Asked(
        "ruth", "What if she had not said 46?", "user.age = missing (was 46 since turn 4), nothing would", "supposed"
    ),
    Asked("quirin", "What if she had not said sleep?", "symptoms.groups = missing (was sleep since turn 6)"),
    # a value that was corrected later
    Asked(
        "ruth",
        "Would she have been let in with 38 instead of 36?",
        "with user.age = 38 (was 36 since turn 2), introduction → profiler by complete would be taken",
        "supposed",
        ("in turn 2 too_young was taken, which leads to ineligible",),
    ),
    Asked(
        "ruth",
        "Hätte sie mit 38 statt 36 weitermachen dürfen?",
        "with user.age = 38 (was 36 since turn 2), introduction",
    ),
    Asked(
        "ruth",
        "Would Ruth have been let in if she had been 38?",
        "with user.age = 38 (was 36 since turn 2), introduction",
    ),
    # questions of a form
    Asked(
        "guest",
        "Would it have asked for my phone number with 8 people?",
        "with guest.people = 8 (was 4 since turn 1) at the end of turn 3 guest.phone would be among the questions of ask, "
        "because its `ask_when`, guest.people > 6, would hold",
        "supposed_question",
    ),
    Asked(
        "guest", "Would I have been asked for the phone number if we were 5?", "would not be among the questions of ask"
    ),
    # fields that are computed, and fields with a rule of their own
    Asked(
        "guest", "What if there had been 3 children?", "ask → host by family would be taken: children need grown people"
    ),
    Asked("guest", "What if the pairs had been 3?", "3 would have been refused for guest.even: ", "supposed_refused"),
    # values of every type, in German
    Asked(
        "practice", "Wäre er mit 17 zum Kinderarzt gegangen?", "kinderarzt would be reached: frage → kinderarzt by kind"
    ),
    Asked(
        "practice", "Was wäre bei 12 Jahren gewesen?", "patient.alter = 12 (was 30 since turn 1), frage → kinderarzt"
    ),
    Asked(
        "practice",
        "Was wäre gewesen, wenn er 200 kg gewogen hätte?",
        "patient.gewicht = 200 (was 80 since turn 1), frage",
    ),
    Asked(
        "practice", "Was, wenn er nicht versichert gewesen wäre?", "patient.versichert = false (was true since turn 3)"
    ),
    Asked(
        "practice",
        "Was wäre, wenn er gesetzlich versichert wäre?",
        "patient.kasse = Gesetzlich (was Privat since turn 2)",
    ),
    Asked(
        "practice",
        "Wäre es anders mit einem Termin am 20. November?",
        "patient.termin = 2026-11-20 (was missing), frage",
    ),
    Asked(
        "practice",
        "Was wäre gewesen, wenn die Beschwerden drei Wochen gedauert hätten?",
        "patient.dauer = 3w (was missing), frage → klinik by lang would be taken: es dauert lange",
    ),
    Asked(
        "practice",
        "Hätte er mit 17 Jahren und ohne Versicherung enden können?",
        "with patient.alter = 17 and patient.versichert = false (was 30 since turn 1 and true since turn 3), ende would not",
    ),
    # what reveals a secret
    Asked(
        "guest",
        "What if the guess had been 4711?",
        "no other value of guest.guess is tried here, because it is secret, or a rule reads it together with a secret",
        "supposed_not_tried",
    ),
    Asked("guest", "What if the code of the door had been 4711?", "no other value of guest.pin is tried"),
]


@table(STORIES, ASKED)
def test_a_decision_is_judged_again(play: Any, asked: Asked) -> None:
    check(play(), asked)


@pytest.mark.parametrize(
    ("story", "question", "hint"),
    [
        (dora, "What if she had been happy?", "name one with its field: user.name, user.age"),
        (practice, "Würde er mit 110 angenommen?", "“110” may be a value of patient.alter or patient.gewicht"),
        (ruth, "What if she were not 36?", "user.age is not 36: ask with the value that it would have had"),
        (ruth, "What if she had not been 46?", "name the value that user.age would have had"),
        *(
            (dora, question, "is the bound of many values: ask with one of them")
            for question in (
                "What if she had been under 38?",
                "What if she were over 40?",
                "Would she have been let in at 38 or older?",
                "Would she have been let in if she were older than 38?",
                "Would it have gone on with at least 38?",
                "Wäre sie mit mehr als 38 weitergekommen?",
                "Was wäre gewesen, wenn sie älter als 38 gewesen wäre?",
            )
        ),
        (dora, "Would two groups have been enough?", "symptoms.groups takes sleep, mood"),
        (dora, "What if her name had been Anna?", "user.name takes a text in quotation marks"),
        (dora, "What would have been if too_young had failed?", "ask why about too_young"),
        (
            dora,
            "What if nobody had asked?",
            "is tried in a copy from before it: turnwise fork CONVERSATION COPY --turn ",
        ),
        (dora, "Would she be let in if she were older?", "name one with its field"),
        (dora, "if she had three groups, where would it go?", "name one with its field"),
        (carl, "what if he had said no?", "“no” may be a value of case.patient_info or case.insurance_history"),
        (carl, "what if the purpose had been Foo?", "case.purpose takes Billing, Treatment, Referral"),
        (dora, "Would 39 or 41 have been enough?", "39 and 41 are two values of user.age"),
        (guest, "What would have been if it had been 5?", "may be a value of guest.people or guest.children"),
    ],
)
def test_a_value_that_is_not_clear_is_refused_and_says_why(story: Any, question: str, hint: str) -> None:
    with pytest.raises(tw.UnknownSubject) as refused:
        story().why(question)
    assert str(refused.value).startswith("no other value is clear in")
    assert hint in refused.value.hint


@pytest.mark.parametrize(
    "question",
    ["Would she have been let in?", "What would happen if nobody answers?", "Would she get in 10 years from now?"],
)
def test_a_question_without_another_value_is_one_of_why(question: str) -> None:
    assert not {fact.kind for fact in dora().why(question).facts} & {"supposed", "supposed_reach"}


@pytest.mark.parametrize(
    ("story", "question", "plain"),
    [
        (
            dora,
            "Would she have been let in at 40?",
            "With “40” for age in years I would have stayed at that point, and still needed agreement to the terms.",
        ),
        (dora, "Would 37 have been enough?", "With “37” for age in years I would have done the same."),
        (dora, "Would 150 have been enough?", "I could not have taken “150” for age in years. That is more than 120."),
        (
            quirin,
            "Would too_young have held at 37?",
            "With “37” for age in years it would have gone another way. The reason would be: under age 38.",
        ),
        (carl, "Would the expert have been reached with No?", "With “No” for insurance history I would have stayed"),
        (
            guest,
            "Would it have asked for my phone number with 8 people?",
            "With “8” for how many of you there are this would be one of my questions: your phone number.",
        ),
        (guest, "What if it had been Friday?", "I could not go on with that answer about the day."),
        (
            carl,
            "What if the purpose had not been Referral?",
            "With “Billing, Treatment” for purpose of the check I would have stayed",
        ),
        (guest, "What if the guess had been 4711?", "I do not say what another answer about the guess would change."),
    ],
)
def test_the_sentence_for_the_user_names_the_value_and_what_would_be_lacking(
    story: Any, question: str, plain: str
) -> None:
    assert story().why(question).plain.startswith(plain)


def test_no_answer_says_whether_a_supposed_value_is_a_secret() -> None:
    chat = guest()
    texts = {number: lines_of(chat.why(f"What if we had been {number} people?")) for number in (4711, 4712)}
    assert texts[4711].replace("4711", "4712") == texts[4712]
    phones = {number: chat.why(f"What if my phone number had been “{number}”?") for number in (4711, 4712)}
    assert phones[4711].facts[0].text.startswith("with guest.phone = 4711 ")
    assert lines_of(phones[4711]).replace("4711", "4712") == lines_of(phones[4712])
    chat.commands([c.Set(field="guest.people", value=12)], by="the desk")
    answers = {number: chat.why(f"What if there had been {number} children?") for number in (4711, 4712)}
    assert lines_of(answers[4711]).replace("4711", "4712") == lines_of(answers[4712])
    assert answers[4711].plain.replace("4711", "4712") == answers[4712].plain


def test_an_answer_names_what_was_supposed_as_data() -> None:
    answer = dora().why("Would she have been let in at 40?")
    values = answer.facts[0].values
    assert (values["others"], values["differs"], values["taken"], values["was_taken"]) == (
        {"user.age": "40"},
        True,
        "",
        "too_young",
    )
    assert answer.read_as == "what would have been with user.age = 40, about field user.age, up to the end of turn 1"
    assert [str(one) for one in answer.facts[0].about] == ["transition too_young", "field user.age"]
    assert [one.taken for one in answer.decisions] == ["too_young"]


def test_how_a_question_was_read_shows_values_as_people_read_them() -> None:
    read = practice().why("Was wäre gewesen, wenn die Beschwerden drei Wochen gedauert hätten?").read_as
    assert read == "what would have been with patient.dauer = 3w, about field patient.dauer, up to the end of turn 3"


def test_what_was_undone_is_not_judged_again() -> None:
    chat = said(CASE, "Yes", "Yes", "Referral")
    other = chat.fork("other", turn=2)
    other.say("Billing")
    other.undo()
    other.say("Treatment")
    fact = other.why("Would the expert have been reached with Referral?").facts[0]
    assert (fact.turn, fact.values["before"]) == (5, "Treatment since turn 5")


def test_the_german_sentence_for_the_user() -> None:
    flow = Path(HEALTH).read_text("utf-8").replace("language: en", "language: de")
    chat = tw.open_sync(flow_of(flow), clock=tw.ManualClock(1_795_000_000_000)).chat("a")
    chat.say("Ich bin 29")
    answer = chat.why("Hätte sie mit 40 weitermachen dürfen?")
    assert answer.plain == (
        "Mit age in years „40“ wäre ich an dieser Stelle geblieben, und mir würde noch fehlen: "
        "name, agreement to the terms."
    )
