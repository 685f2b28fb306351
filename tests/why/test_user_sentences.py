"""The sentence for the person in the conversation gives the reason, and repeats neither the question nor the event."""

from __future__ import annotations

from collections.abc import Callable
from os.path import relpath
from pathlib import Path
from typing import Any

import pytest

import turnwise as tw
from support.why_cases import Talk
from turnwise.cli.inputs import code_of
from turnwise.core.state import commands as c
from turnwise.errors import ProviderFailed
from turnwise.models.scripted import call

EXAMPLES = Path("examples")
CASE = EXAMPLES / "eligibility/eligibility.flow.yaml"
HEALTH = EXAMPLES / "health_intake/health_intake.flow.yaml"
CALL_BACK = EXAMPLES / "health_intake/call_back.flow.yaml"
MACHINE = EXAMPLES / "context_machine/context_machine.flow.yaml"
CATCH = EXAMPLES / "context_machine/catch.flow.yaml"
CODED = EXAMPLES / "health_intake/with_code.flow.yaml"
CHAIN = EXAMPLES / "context_machine/write_and_read.flow.yaml"
THINK = EXAMPLES / "thinking_partner/thinking_partner.flow.yaml"

Step = str | Callable[[tw.SyncChat], object]


def undo(chat: tw.SyncChat) -> object:
    return chat.undo()


def run(chat: tw.SyncChat) -> object:
    return chat.run()


def take(chat: tw.SyncChat) -> object:
    return chat.take_over("Lena")


def back(**what: Any) -> Step:
    return lambda chat: chat.give_back("ok", **what)


def sent(*commands: c.AnyCommand) -> Step:
    return lambda chat: chat.commands([*commands], by="the archive")


def end(chat: tw.SyncChat) -> object:
    return chat.fire("turned_away")


def cancel(chat: tw.SyncChat) -> object:
    return chat.commands([c.Cancel()], by="dora")


def fails(query: str) -> str:
    raise RuntimeError("Wikipedia is down")


def is_saved(_: tw.ToolCall) -> bool:
    return False


def tools() -> list[Callable[..., object]]:
    def think(thought: str) -> str:
        return "noted"

    def search(words: str) -> list[str]:
        return []

    def web_search(query: str) -> str:
        return fails(query)

    def list_generation(steps: list[str]) -> str:
        return "1."

    def summarize(points: list[str]) -> str:
        return "sum"

    @tw.tool(kind="effect", check=is_saved)
    def save_result(text: str) -> None:
        raise OSError("the disk is full")

    return [think, search, web_search, list_generation, summarize, save_result]


CASE_DONE = ("hi", "yes", "partial, for billing", "wait", "this week", "yes")
STORIES: dict[str, tuple[Path, tuple[Step, ...], tuple[Any, ...]]] = {
    "begun": (CASE, ("hi",), ()),
    "billing": (CASE, ("hi", "yes", "partial, for billing"), ()),
    "confirmed": (CASE, CASE_DONE, ()),
    "cancelled": (CASE, ("hi", "yes", cancel), ()),
    "changed": (CASE, (*CASE_DONE[:5], "no, the urgency is urgent"), ()),
    "undone": (CASE, (*CASE_DONE[:5], "no, the purpose is treatment", undo), ()),
    "lea": (HEALTH, ("Hi, I'm Lea, 31",), ("Hello.",)),
    "lea_later": (HEALTH, ("Hi, I'm Lea, 31", "what a pity"), ("Hello.",)),
    "restarted": (CASE, ("yes", "no", "start over"), ()),
    "helped": (CASE, ("yes", "help"), ()),
    "listed": (
        HEALTH,
        (
            "I'm Uma, 48, and I agree",
            sent(c.Set(field="symptoms.groups", value=["sleep"])),
            sent(c.Add(field="symptoms.groups", item="mood")),
            take,
            back(set={"symptoms.groups": ["mood"]}),
        ),
        ("Hi.",),
    ),
    "maria": (HEALTH, ("I'm Maria, and I'm 35", "sorry, I am 48", "yes, I agree"), ("Terms?", "Welcome.")),
    "closing": (
        HEALTH,
        ("I'm Uma, 48, and I agree", "I sleep badly, am irritable and forget things", "no"),
        ("Hi.", "So."),
    ),
    "tim": (HEALTH, ("I'm Tim, 44", "I'm 50"), ("Hello.", "Well.")),
    "lena": (HEALTH, ("I'm Greta", take, back(set={"user.tos_acknowledged": True})), ("Hello.", "Thanks.")),
    "lena_asked": (HEALTH, ("I'm Greta", take, "I sleep badly"), ("Hello.",)),
    "refused_lena": (HEALTH, ("I'm Greta", take, back(set={"user.age": 400})), ("Hello.",)),
    "down": (HEALTH, ("I'm Vera",), (ProviderFailed("503 from the provider"),)),
    "down_later": (HEALTH, ("I'm Vera, 48, and I agree",), (ProviderFailed("503"),)),
    "old": (HEALTH, ("I was born long ago",), (call("write_user", set={"age": 300}), "How old are you?")),
    "noted": (HEALTH, ("ask my sister",), (call("write_user", set={"age": 52}), "Thanks.")),
    "awaited": (CALL_BACK, ("hi", "my knees", "0151 234567"), ()),
    "ran": (MACHINE, (run,), (call("write_config", set={"result": "done"}), "There.")),
    "stuck": (MACHINE, (run,), ("Trust me.",)),
    "misnamed": (MACHINE, (run,), (call("write_config", set={"reslt": "done"}), "There.")),
    "caught": (CATCH, (run,), (call("send_mail", to="boss"), "Sent.")),
    "talk": (THINK, ("Should I move?",), ("Tell me more.",)),
    "research": (THINK, ("I need research", "now plan it"), (call("web_search", query="x"), "Nothing.", "Not yet.")),
    "one_group": (HEALTH, ("I'm Uma, 48, and I agree", "I sleep badly, my knees hurt"), ("Hi.", "So.")),
    "endless": (THINK, ("think",), [call("search", words=str(n)) for n in range(13)]),
    "courtesy": (CASE, ("yes", "thanks"), ()),
    "edited": (CASE, (*CASE_DONE[:5], "change the insurance history"), ()),
    "no_data": (CASE, ("hi", "unknown"), ()),
    "stopped": (CALL_BACK, ("hi", cancel, "a cough"), ()),
    "aside": (CASE, ("hi", "unknown", "can we go on?"), ()),
    "chosen": (CALL_BACK, ("hi", "my knees", "0151 234567", take, back(transition="helped")), ()),
    "partly": (
        HEALTH,
        ("I'm Uma, 48, and I agree", take, back(set={"symptoms.groups": ["memory"]}), "and my knees"),
        ("Hi.", "So.", "Well."),
    ),
    "twice": (
        HEALTH,
        ("born in '81",),
        (call("write_user", set={"age": 145}), call("write_user", set={"age": 44}), "Thanks."),
    ),
    "coded": (CODED, ("I'm Yara, 33",), ("Hi.",)),
    "kept": (
        THINK,
        ("let me think", "keep it"),
        (call("think", thought="x"), "Well.", call("summarize", points=["x"]), call("save_result", text="x"), "Kept."),
    ),
    "late": (HEALTH, ("I'm Rita, 22", end, "sorry, I am 42"), ("Hi.",)),
    "removed": (CASE, ("yes", "yes", sent(c.Clear(field="case.insurance_history")), "no"), ()),
    "skipped": (CASE, ("yes", "skip"), ()),
    "vain": (HEALTH, ("hello", "yes to the terms"), ("Name?", "Well.")),
    "free": (CHAIN, (run,), ("I wrote it.", "It is empty.")),
}


def played(story: str, language: str) -> tw.SyncChat:
    path, steps, plan = STORIES[story]
    flow = path.read_text("utf-8").replace("language: en", f"language: {language}")
    flow = flow if "language:" in flow else f"language: {language}\n{flow}"
    flow = flow.replace("from: ", f"from: {relpath(path.parent)}/")
    guards = code_of(EXAMPLES / "health_intake/guards.py").guards if path == CODED else []
    talk = Talk(flow, plan, tools=tools() if path == THINK else [], guards=guards)
    return talk.did(*steps).chat


ROWS = [
    # what a timer does when it comes due
    (
        ("lea", "timer turned_away"),
        "If nothing more is said, I end this conversation at 1:30 PM.",
        "Wenn nichts mehr gesagt wird, beende ich dieses Gespräch: 13:30.",
    ),
    (
        ("lea", "transition turned_away"),
        "If nothing more is said, I end this conversation at 1:30 PM.",
        "Wenn nichts mehr gesagt wird, beende ich dieses Gespräch: 13:30.",
    ),
    (
        ("awaited", "person timeout"),
        "I wait for a person until 8:00 PM at most.",
        "So lange warte ich höchstens auf einen Menschen: 20:00.",
    ),
    # a move that follows from what the user did to a form
    (
        ("confirmed", "handed_over"),
        "I went on because you confirmed your answers.",
        "Es ging weiter, weil Sie Ihre Antworten bestätigt haben.",
    ),
    (
        ("confirmed", "end"),
        "This conversation has ended. I went on because you confirmed your answers.",
        "Dieses Gespräch ist beendet. Es ging weiter, weil Sie Ihre Antworten bestätigt haben.",
    ),
    (
        ("confirmed", "form"),
        "I went on because you confirmed your answers.",
        "Es ging weiter, weil Sie Ihre Antworten bestätigt haben.",
    ),
    (
        ("cancelled", "done"),
        "I stopped there because you wanted to.",
        "Ich habe dort aufgehört, weil Sie das wollten.",
    ),
    # the end, with its reason
    (
        ("closing", "turn"),
        "Your next message was to end this conversation.",
        None,
    ),
    (
        ("closing", "end"),
        "The reason is: at least three groups of symptoms are known. I went by “sleep, mood, memory” for symptoms.",
        None,
    ),
    (
        ("closing", "closing"),
        "The reason is: at least three groups of symptoms are known. I went by “sleep, mood, memory” for symptoms. "
        "From there any message of yours was to lead on.",
        None,
    ),
    (("closing", "too_young"), "This conversation ended before that.", None),
    (
        ("caught", "end"),
        "What I tried there was not possible, so nothing was done.",
        "Was ich dort versucht habe, war nicht möglich, deshalb ist nichts geschehen.",
    ),
    # former values
    (
        ("changed", "case.urgency"),
        "You answered “Urgent” for urgency. Before that it was “This week”.",
        "urgency: Urgent, weil Sie es so gesagt haben. Davor war es „This week“.",
    ),
    (
        ("undone", "case.purpose"),
        "You answered “Billing” for purpose of the check. “Treatment” was taken back.",
        "purpose of the check: Billing, weil Sie es so gesagt haben. „Treatment“ wurde zurückgenommen.",
    ),
    (
        ("maria", "ineligible"),
        "The reason to come to that was: under age 38. "
        "The reason to go on was: what is known no longer rules the user out.",
        None,
    ),
    (
        ("tim", "user.age"),
        "You answered “44” for age in years. I could not take a later answer about that. "
        "I have “44” for age in years already. To change that, say for example “no, I'm 50”.",
        None,
    ),
    # a value as people read it, and from whom it is
    (
        ("lena", "user.tos_acknowledged"),
        "I have “Yes” for agreement to the terms because a person noted it down.",
        "agreement to the terms: Ja. Das hat ein Mensch eingetragen.",
    ),
    (
        ("refused_lena", "user.age"),
        "A person wanted to note down something for age in years, which was not possible. That is more than 120.",
        None,
    ),
    (
        ("noted", "user.age"),
        "I have “52” for age in years because I noted it down myself.",
        "age in years: 52. Das habe ich selbst festgehalten.",
    ),
    (
        ("closing", "symptoms.summary"),
        "I have “Uma told of 3 groups” for summary from what I have for name, symptoms.",
        None,
    ),
    (
        ("lea", "message"),
        "I took this from your message: “Lea” for name, “31” for age in years.",
        None,
    ),
    # what failed
    (
        ("down", "turn"),
        "The language model that I use did not work then.",
        "Das Sprachmodell, das ich benutze, hat da nicht funktioniert.",
    ),
    (
        ("stuck", "turn"),
        "I did not get any further, because I do not have the result of the task.",
        "Ich bin nicht weitergekommen, weil mir das fehlt: the result of the task.",
    ),
    (
        ("endless", "turn"),
        "I tried many steps and came to no end, so I stopped.",
        "Ich habe vieles versucht und kam zu keinem Ende, deshalb habe ich aufgehört.",
    ),
    # what a model tried and did
    (
        ("old", "model"),
        "I could not note down what I had for age in years. That is more than 120.",
        "Ich konnte nicht festhalten, was ich dazu hatte: age in years. Das ist mehr als 120.",
    ),
    (
        ("old", "user.age"),
        "I could not note down what I had for age in years. That is more than 120.",
        "Ich konnte nicht festhalten, was ich dazu hatte: age in years. Das ist mehr als 120.",
    ),
    (
        ("misnamed", "model"),
        "What I wanted to note down has no place here, so I did not note it down.",
        "Für das, was ich festhalten wollte, ist hier kein Platz, deshalb habe ich es nicht festgehalten.",
    ),
    (
        ("ran", "model", 1),
        "I noted down the result of the task.",
        "Ich habe etwas festgehalten: the result of the task.",
    ),
    (
        ("ran", "write_config", 1),
        "I noted down the result of the task.",
        "Ich habe etwas festgehalten: the result of the task.",
    ),
    (
        ("research", "model", 1),
        "What I wanted to do or to look up did not work.",
        "Was ich tun oder nachsehen wollte, hat nicht geklappt.",
    ),
    (
        ("begun", "model"),
        "I answered that by fixed rules, without a language model.",
        "Darauf habe ich nach festen Regeln geantwortet, ohne Sprachmodell.",
    ),
    # what stands against a move
    (
        ("billing", "expert"),
        "I have “Partial” for insurance history, “Billing” for purpose of the check, which stands against that.",
        "Dagegen spricht, was ich dazu habe: insurance history „Partial“, purpose of the check „Billing“.",
    ),
    (
        ("talk", "planning_mode"),
        "Nothing in your message asked for that.",
        "Nichts in Ihrer Nachricht hat danach verlangt.",
    ),
    (
        ("research", "planning_mode"),
        "What I did after “I need research” stands against that.",
        "Dagegen spricht, was ich nach „I need research“ getan habe.",
    ),
    (
        ("research", "post_analysis_step", 1),
        "That needed something that I had not done then.",
        "Dafür fehlte etwas, das ich da noch nicht getan hatte.",
    ),
    (
        ("lea", "farewell"),
        "We have not come to that. The reason is: under age 38.",
        None,
    ),
    (
        ("begun", "case.urgency"),
        "I do not know urgency yet. I ask for this later: urgency.",
        "Das weiß ich noch nicht: urgency. Danach frage ich später: urgency.",
    ),
    (("begun", "case.patient_info"), "I ask because I still need patient information.", None),
    (
        ("confirmed", "expert"),
        "I have “Partial” for insurance history, “Billing” for purpose of the check, which stands against that.",
        None,
    ),
    # what changed before a move, and what was done to a value
    (
        ("maria", "corrected"),
        "The reason is: what is known no longer rules the user out. I went by “48” for age in years.",
        None,
    ),
    (
        ("restarted", "case.patient_info"),
        "I no longer have patient information. I began anew because you asked for it.",
        None,
    ),
    (
        ("listed", "symptoms.groups"),
        "I have “mood” for symptoms because a person noted it down.",
        None,
    ),
    (("helped", "message"), "I did that because you asked for it.", None),
    (("ran", "limit tool_calls"), "There is a limit for that, to which I kept.", None),
    # what was so at the end of an earlier turn
    (("maria", "user.age", 1), "You had answered “35” for age in years.", None),
    (
        ("billing", "expert", 2),
        "That needed insurance history, purpose of the check, which I did not know then.",
        "Dafür fehlte mir noch: insurance history, purpose of the check.",
    ),
    (
        ("billing", "case.urgency", 2),
        "I did not know urgency then. I was to ask for this later: urgency.",
        "Das wusste ich da noch nicht: urgency. Danach wollte ich später fragen: urgency.",
    ),
    (("billing", "case.patient_info", 2), "You answered “Yes” for patient information.", None),
    (
        ("lea_later", "timer turned_away", 1),
        "If nothing more was said, I was to end this conversation at 1:30 PM.",
        None,
    ),
    (
        ("lena", "turn", 2),
        "A person was answering you then, so I did not.",
        "Damals hat Ihnen ein Mensch geantwortet, deshalb nicht ich.",
    ),
    (("one_group", "three_groups"), "I have “sleep” for symptoms, which stands against that.", None),
    (("one_group", "symptoms.groups"), "You answered “sleep” for symptoms.", None),
    (
        ("lena_asked", "symptoms.groups"),
        "I do not need to know this here: symptoms.",
        None,
    ),
    # what was undone, asked again, and not answered
    (
        ("undone", "turn"),
        "I have taken back what I had for purpose of the check.",
        "Ich habe das zurückgenommen: purpose of the check.",
    ),
    (
        ("edited", "question case.insurance_history"),
        "I ask again because you wanted to change your answer.",
        None,
    ),
    (
        ("stopped", "call.topic"),
        "I do not know the topic yet. I stopped there because you wanted to.",
        "Das weiß ich noch nicht: the topic. Ich habe dort aufgehört, weil Sie das wollten.",
    ),
    (("aside", "message"), "At that point I could only take an answer to my question.", None),
    (
        ("free", "to_read", 1),
        "Nothing else was needed to go on from there.",
        "Mehr war nicht nötig, um von dort weiterzugehen.",
    ),
    (("skipped", "message"), "I could not leave out insurance history. This answer is needed.", None),
    (
        ("vain", "message"),
        "I found nothing in that message about name, age in years, agreement to the terms, gender.",
        None,
    ),
    (("no_data", "case.urgency"), "I cannot go on with your answer about patient information. I can with: Yes.", None),
    # several hands, several calls, and a function that decides
    (
        ("partly", "symptoms.groups"),
        "I have “memory, joints” for symptoms, of which you told me only a part.",
        None,
    ),
    (
        ("twice", "model"),
        "I could not note down what I had for age in years. That is more than 120. After that I noted down age in years.",
        None,
    ),
    (
        ("twice", "write_user"),
        "I could not note down what I had for age in years. That is more than 120. After that I noted down age in years.",
        None,
    ),
    (
        ("coded", "to_ineligible"),
        "The reason is: name, age, gender and terms decide. I went by “33” for age in years.",
        None,
    ),
    (
        ("kept", "review"),
        "The reason is: Opens when a summary was made and then saved. Not all of that worked, but trying it counts here.",
        None,
    ),
    (("late", "message"), "This conversation has ended.", None),
    # what is so no more
    (
        ("removed", "case.insurance_history", 3),
        "“Yes” for insurance history was removed outside this chat.",
        "„Yes“ wurde außerhalb dieses Gesprächs gelöscht: insurance history.",
    ),
    # what is awaited
    (("talk", "1"), "I answered that message.", "Ich habe auf diese Nachricht geantwortet."),
    (("chosen", "to_be_called"), "A person decided that.", None),
    (
        ("cancelled", "end"),
        "I stopped there because you wanted to.",
        "Ich habe dort aufgehört, weil Sie das wollten.",
    ),
    (
        ("stuck", "config.result"),
        "I do not know the result of the task yet. I could have noted it down, but I did not.",
        "Das weiß ich noch nicht: the result of the task. Ich hätte es festhalten können, habe es aber nicht getan.",
    ),
    (("research", "end", 1), "I was waiting for your next message.", "Ich habe auf Ihre nächste Nachricht gewartet."),
    (("down_later", "profiler"), "The reason is: name, age and terms collected, age 38 or more.", None),
    (("ran", "conversation", 1), "I went on by myself.", "Ich habe von selbst weitergemacht."),
    (("ran", "end", 1), "I went on by myself.", "Ich habe von selbst weitergemacht."),
    (
        ("courtesy", "message"),
        "I only returned the courtesy, because your message was one.",
        None,
    ),
]


@pytest.mark.parametrize(("asked", "english", "german"), ROWS, ids=[" ".join(map(str, asked)) for asked, *_ in ROWS])
def test_the_sentence_gives_the_reason(asked: tuple[Any, ...], english: str, german: str | None) -> None:
    story, question, *turn = asked
    for language, sentence in (("en", english), ("de", german)):
        if sentence is not None:
            assert played(story, language).why(question, turn=turn[0] if turn else None).plain == sentence


UNASKED = """
flow: unasked
version: 1
start: ask
language: LANGUAGE
records:
  u: {a: {type: integer, about: your age}, note: {type: string, about: a remark}, old: {type: boolean, value: u.a > 60, about: old}}
nodes:
  ask:
    form: {fields: [{field: u.a, ask: "Age?"}, {field: u.note, ask: "Note?", asked: false, required: false}]}
"""


@pytest.mark.parametrize(
    ("language", "note", "computed"),
    [
        ("en", "I do not ask for this, but I take it when you tell me: a remark.", "I work this out myself: old."),
        (
            "de",
            "Danach frage ich nicht, nehme es aber, wenn Sie es sagen: a remark.",
            "Das rechne ich selbst aus: old.",
        ),
    ],
)
def test_what_is_not_asked_has_its_own_reason(language: str, note: str, computed: str) -> None:
    talk = Talk(UNASKED.replace("LANGUAGE", language))
    talk.chat.start()
    assert talk.chat.why("question u.note").plain == note
    assert talk.chat.why("question u.old").plain == computed


def test_a_message_that_gave_more_time_says_until_when() -> None:
    talk = Talk(HEALTH.read_text("utf-8"), ("Hi.",))
    talk.did("I'm Rita, 22", talk.later(600), "what a pity")
    answer = talk.chat.why("timer turned_away")
    assert answer.plain == "If nothing more is said, I end this conversation at 1:40 PM."
