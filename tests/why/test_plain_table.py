"""The sentence for the person in the conversation, in both languages, over the kinds of what can be asked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import turnwise as tw
from support.why_cases import Talk
from turnwise.core.state import commands as c
from turnwise.errors import ProviderFailed
from turnwise.models.scripted import call

CALL_BACK = Path("examples/health_intake/call_back.flow.yaml").read_text("utf-8")
TABLE = """
flow: table
version: 1
start: ask
language: en
time_zone: UTC
commands: [undo, cancel, hand_over, skip, edit]
person: {queue: hosts, timeout: 10m}
tools:
  look: {about: looks for a free table, args: {day: {type: string}}}
  book: {about: books the table, args: {day: {type: string}}, kind: effect, confirm: true}
records:
  guest:
    people: {type: integer, min: 1, max: 40, about: people}
    day: {type: choice, options: [Friday, Saturday], about: the day}
    phone: {type: string, about: the number}
    pin: {type: string, secret: true, about: the code}
    room: {type: string}
nodes:
  ask:
    form:
      fields:
        - {field: guest.people, ask: "How many?"}
        - {field: guest.day, ask: "Which day?"}
        - {field: guest.phone, ask: "Your number?", ask_when: guest.people > 6}
      confirm: {}
    transitions:
      - {id: large, at: before, when: guest.people > 12, because: a large group needs the host, to: host}
      - {id: remind, at: timer, in: 5m, stay: true, because: nothing was said for five minutes}
      - {id: plans, at: after, when: form.status == "confirmed", to: plan}
  host:
    say: One moment.
    transitions:
      - {id: broken, at: before, when: 1 / (guest.people - 20) > 1, to: plan}
      - {id: on, at: before, when: has(guest.room), to: plan}
  plan:
    prompt: Plan the visit.
    tools: {allow: [look, book]}
    transitions: [{id: thanked, at: before, when: message.text == "bye", because: all is said, to: over}]
  over: {say: See you., end: done}
"""
Step = str | Callable[[tw.SyncChat], object]


def look(day: str) -> str:
    return f"free on {day}"


def book(day: str) -> str:
    return f"booked for {day}"


def take(chat: tw.SyncChat) -> object:
    return chat.take_over("Lena")


def undo(chat: tw.SyncChat) -> object:
    return chat.undo()


def back(**what: Any) -> Step:
    return lambda chat: chat.give_back("ok", **what)


def sent(*commands: c.AnyCommand) -> Step:
    return lambda chat: chat.commands([*commands], by="dora")


def fire(timer: str) -> Step:
    return lambda chat: chat.fire(timer)


PLAN = ("3", "Friday", sent(c.Affirm()))
BOOKING = (call("book", day="Friday"), "Done.", "Fine.", "Well.")
STORIES: dict[str, tuple[str, tuple[Step, ...], tuple[Any, ...]]] = {
    "begun": (TABLE, (), ()),
    "eight": (TABLE, ("8", "Friday", "0170"), ()),
    "two": (TABLE, ("2", "Friday"), ()),
    "unclear": (TABLE, ("2", "Sunday"), ()),
    "many": (TABLE, ("100",), ()),
    "large": (TABLE, ("30",), ()),
    "changed": (TABLE, ("2", "Friday", sent(c.Deny())), ()),
    "broken": (TABLE, ("20", "hm"), ()),
    "sent": (TABLE, ("2", sent(c.Set(field="guest.people", value=4), c.Set(field="guest.pin", value="1234"))), ()),
    "removed": (TABLE, ("2", sent(c.Clear(field="guest.people"))), ()),
    "taken_back": (TABLE, ("2", undo), ()),
    "cancelled": (TABLE, ("2", sent(c.Cancel())), ()),
    "with_lena": (TABLE, ("2", take, "hello?"), ()),
    "noted": (TABLE, ("2", take, back(set={"guest.day": "Friday"})), ()),
    "chosen": (TABLE, ("2", take, back(transition="large")), ()),
    "left": (TABLE, ("2", take, back()), ()),
    "reminded": (TABLE, ("2", fire("remind")), ()),
    "asked_yes": (TABLE, (*PLAN, "go"), ("Hi.", *BOOKING)),
    "said_yes": (TABLE, (*PLAN, "go", sent(c.Affirm())), ("Hi.", *BOOKING)),
    "said_no": (TABLE, (*PLAN, "go", sent(c.Deny())), ("Hi.", *BOOKING)),
    "kept": (TABLE, (*PLAN, "go", sent(c.Affirm()), undo), ("Hi.", *BOOKING)),
    "wrong": (TABLE, (*PLAN, "go"), ("Hi.", call("look", week="x"), "Sorry.")),
    "tried": (TABLE, (*PLAN, "go"), ("Hi.", call("look", week="x"), call("look", day="Friday"), "Free.")),
    "tried_again": (TABLE, (*PLAN, "go"), ("Hi.", call("look", day="Friday"), call("look", week="x"), "Free.")),
    "looked": (TABLE, (*PLAN, "go"), ("Hi.", call("look", day="Friday"), "Free.")),
    "failed": (TABLE, (*PLAN, "go"), ("Hi.", ProviderFailed("quota"))),
    "over": (TABLE, (*PLAN, "bye"), ("Hi.",)),
    "awaited": (CALL_BACK, ("a rash", "0151 234567"), ()),
    "nobody": (CALL_BACK, ("a rash", "0151 234567", fire("person timeout")), ()),
    "helped": (CALL_BACK, ("a rash", "0151 234567", take, lambda chat: chat.give_back("done")), ()),
    "copied": (TABLE, ("2",), ()),
}


def played(story: str, language: str) -> tw.SyncChat:
    flow, steps, plan = STORIES[story]
    tools = [look, book] if flow is TABLE else []
    talk = Talk(flow.replace("language: en", f"language: {language}"), plan, tools=tools)
    talk.chat.start()
    talk.did(*steps)
    return talk.chat.fork("copy") if story == "copied" else talk.chat


ROWS = [
    ("begun", "question", "I ask because I still need people.", "Ich frage, weil mir noch fehlt: people."),
    (
        "begun",
        "guest.day",
        "I do not know the day yet. I ask for this later: the day.",
        "Das weiß ich noch nicht: the day. Danach frage ich später: the day.",
    ),
    (
        "begun",
        "question guest.day",
        "I ask for this later: the day.",
        "Danach frage ich später: the day.",
    ),
    ("begun", "host", "That needs people, which I do not know yet.", "Dafür fehlt mir noch: people."),
    ("begun", "plans", "I ask because I still need people.", "Ich frage, weil mir noch fehlt: people."),
    ("begun", "large", "That needs people, which I do not know yet.", "Dafür fehlt mir noch: people."),
    ("begun", "person", "No person answers here: I do.", "Hier antwortet kein Mensch, sondern ich."),
    (
        "begun",
        "remind",
        "If nothing more is said, I go on by myself at 12:05 PM.",
        "Wenn nichts mehr gesagt wird, mache ich von selbst weiter: 12:05.",
    ),
    (
        "begun",
        "origin",
        "This conversation is no copy of another one.",
        "Dieses Gespräch ist keine Kopie eines anderen.",
    ),
    ("begun", "form", "I ask because I still need people.", "Ich frage, weil mir noch fehlt: people."),
    (
        "eight",
        "question guest.phone",
        "I asked for the number because of what I have for people.",
        "Ich habe danach gefragt (the number), wegen dem, was ich dazu habe: people.",
    ),
    (
        "eight",
        "question guest.people",
        "I asked for people because I needed it.",
        "Ich habe danach gefragt, weil ich es brauchte: people.",
    ),
    (
        "eight",
        "plan",
        "I ask you to confirm because I have all the answers that I need.",
        "Ich bitte um Bestätigung, weil ich alle nötigen Antworten habe.",
    ),
    ("eight", "1", "I asked because I still needed people.", "Ich habe gefragt, weil mir noch fehlte: people."),
    (
        "eight",
        "question",
        "I ask you to confirm because I have all the answers that I need.",
        "Ich bitte um Bestätigung, weil ich alle nötigen Antworten habe.",
    ),
    (
        "two",
        "question guest.phone",
        "I do not need this, as I have “2” for people: the number.",
        "Das brauche ich nicht (the number), weil ich schon dies habe: people „2“.",
    ),
    ("two", "guest.people", "You answered “2” for people.", "people: 2, weil Sie es so gesagt haben."),
    (
        "two",
        "host",
        "I have “2” for people, which stands against that.",
        "Dagegen spricht, was ich dazu habe: people „2“.",
    ),
    (
        "two",
        "on",
        "We have not come to that. I ask you to confirm because I have all the answers that I need.",
        "Dazu sind wir nicht gekommen. Ich bitte um Bestätigung, weil ich alle nötigen Antworten habe.",
    ),
    (
        "unclear",
        "message",
        "I did not understand the answer about the day. That is not one of the options: Friday, Saturday.",
        "Ich habe die Antwort nicht verstanden: the day. Das gehört nicht zu den Möglichkeiten: Friday, Saturday.",
    ),
    (
        "unclear",
        "guest.day",
        "I did not understand the answer about the day. That is not one of the options: Friday, Saturday.",
        "Ich habe die Antwort nicht verstanden: the day. Das gehört nicht zu den Möglichkeiten: Friday, Saturday.",
    ),
    (
        "many",
        "guest.people",
        "I could not take the answer about people. That is more than 40.",
        "Ich konnte die Antwort nicht annehmen (people). Das ist mehr als 40.",
    ),
    (
        "many",
        "message",
        "I could not take the answer about people. That is more than 40.",
        "Ich konnte die Antwort nicht annehmen (people). Das ist mehr als 40.",
    ),
    ("large", "host", "The reason is: a large group needs the host.", "Der Grund ist: a large group needs the host."),
    (
        "large",
        "remind",
        "I did not wait for that any longer. The reason is: a large group needs the host.",
        "Darauf habe ich nicht länger gewartet. Der Grund ist: a large group needs the host.",
    ),
    (
        "large",
        "plans",
        "It went another way. The reason is: a large group needs the host.",
        "Es ging anders weiter. Der Grund ist: a large group needs the host.",
    ),
    ("large", "question", "I have no question for you now.", "Ich habe gerade keine Frage an Sie."),
    ("large", "turn", "The reason is: a large group needs the host.", "Der Grund ist: a large group needs the host."),
    (
        "changed",
        "question",
        "I ask which answer you would like to change because you named none.",
        "Ich frage, welche Antwort Sie ändern möchten, weil Sie keine genannt haben.",
    ),
    (
        "changed",
        "turn",
        "I ask which answer you would like to change because you named none.",
        "Ich frage, welche Antwort Sie ändern möchten, weil Sie keine genannt haben.",
    ),
    (
        "broken",
        "broken",
        "One of the rules by which I go on did not work.",
        "Eine der Regeln, nach denen ich weitergehe, hat nicht funktioniert.",
    ),
    (
        "broken",
        "turn",
        "I had no answer to that here, so I gave a general one.",
        "Darauf hatte ich hier keine Antwort und gab deshalb eine allgemeine.",
    ),
    (
        "sent",
        "guest.people",
        "I have “4” for people because it was entered outside this chat. Before that it was “2”.",
        "people: 4. Das wurde außerhalb dieses Gesprächs eingetragen. Davor war es „2“.",
    ),
    (
        "sent",
        "guest.pin",
        "I have the code because it was entered outside this chat.",
        "the code: Das wurde außerhalb dieses Gesprächs eingetragen.",
    ),
    (
        "removed",
        "guest.people",
        "I no longer have people, because it was removed outside this chat.",
        "Das habe ich nicht mehr, weil es außerhalb dieses Gesprächs gelöscht wurde: people.",
    ),
    ("taken_back", "turn", "I have taken back what I had for people.", "Ich habe das zurückgenommen: people."),
    (
        "taken_back",
        "guest.people",
        "The answer “2” about people was taken back.",
        "Die Antwort „2“ wurde zurückgenommen: people.",
    ),
    ("cancelled", "form", "I stopped there because you wanted to.", "Ich habe dort aufgehört, weil Sie das wollten."),
    ("cancelled", "turn", "I stopped there because you wanted to.", "Ich habe dort aufgehört, weil Sie das wollten."),
    (
        "with_lena",
        "person",
        "A person is answering you now, so I do not.",
        "Ein Mensch antwortet Ihnen gerade, deshalb antworte ich nicht.",
    ),
    (
        "with_lena",
        "message",
        "A person is answering you now, so I do not.",
        "Ein Mensch antwortet Ihnen gerade, deshalb antworte ich nicht.",
    ),
    (
        "with_lena",
        "remind",
        "I am not waiting for any time to pass there.",
        "Dort warte ich nicht auf das Ende einer Frist.",
    ),
    (
        "noted",
        "person",
        "A person noted something down for you: the day.",
        "Ein Mensch hat etwas für Sie eingetragen: the day.",
    ),
    (
        "noted",
        "guest.day",
        "I have “Friday” for the day because a person noted it down.",
        "the day: Friday. Das hat ein Mensch eingetragen.",
    ),
    ("chosen", "host", "A person decided that.", "Das hat ein Mensch entschieden."),
    ("chosen", "person", "A person decided that.", "Das hat ein Mensch entschieden."),
    (
        "left",
        "person",
        "A person answered you, and then left the rest to me.",
        "Ein Mensch hat Ihnen geantwortet und mir dann das Weitere überlassen.",
    ),
    (
        "left",
        "3",
        "A person was answering you then, so I did not.",
        "Damals hat Ihnen ein Mensch geantwortet, deshalb nicht ich.",
    ),
    (
        "reminded",
        "remind",
        "The reason is: nothing was said for five minutes. That was at 12:00 PM.",
        "Der Grund ist: nothing was said for five minutes. Das war: 12:00.",
    ),
    (
        "asked_yes",
        "book",
        "I wait for your yes or no before I do this.",
        "Ich warte auf Ihr Ja oder Nein, bevor ich das tue.",
    ),
    (
        "asked_yes",
        "question",
        "I wait for your yes or no before I do this.",
        "Ich warte auf Ihr Ja oder Nein, bevor ich das tue.",
    ),
    ("said_yes", "book", "I did that because you said yes.", "Ich habe das getan, weil Sie Ja gesagt haben."),
    (
        "said_no",
        "book",
        "I did not do that because you did not say yes.",
        "Ich habe das nicht getan, weil Sie nicht Ja gesagt haben.",
    ),
    (
        "kept",
        "book",
        "I have taken back what was said, but what was done stays done.",
        "Ich habe das Gesagte zurückgenommen, aber was getan wurde, bleibt getan.",
    ),
    (
        "kept",
        "turn",
        "I have taken back what was said, but what was done stays done.",
        "Ich habe das Gesagte zurückgenommen, aber was getan wurde, bleibt getan.",
    ),
    (
        "wrong",
        "look",
        "What I tried there was not possible, so nothing was done.",
        "Was ich dort versucht habe, war nicht möglich, deshalb ist nichts geschehen.",
    ),
    ("looked", "look", "That was done, and it worked.", "Das ist geschehen und hat geklappt."),
    ("looked", "book", "I could have done that, but I did not.", "Ich hätte das tun können, habe es aber nicht getan."),
    (
        "looked",
        "model",
        "I looked something up, or did something else, before I answered.",
        "Ich habe etwas nachgesehen oder etwas anderes getan, bevor ich geantwortet habe.",
    ),
    (
        "failed",
        "turn",
        "The language model that I use did not work then.",
        "Das Sprachmodell, das ich benutze, hat da nicht funktioniert.",
    ),
    (
        "failed",
        "model",
        "The language model that I use did not work then.",
        "Das Sprachmodell, das ich benutze, hat da nicht funktioniert.",
    ),
    ("over", "end", "The reason is: all is said.", "Der Grund ist: all is said."),
    ("over", "plan", "The reason is: all is said.", "Der Grund ist: all is said."),
    ("over", "question", "This conversation has ended.", "Dieses Gespräch ist beendet."),
    (
        "awaited",
        "person",
        "I have been waiting since 12:00 PM for a person who will answer you here, until 8:00 PM at most.",
        "Ich warte seit 12:00 auf einen Menschen, der Ihnen hier antwortet, höchstens bis 20:00.",
    ),
    (
        "awaited",
        "message",
        "You answered “0151 234567” for phone number.",
        "phone number: 0151 234567, weil Sie es so gesagt haben.",
    ),
    (
        "awaited",
        "nobody",
        "I have been waiting since 12:00 PM for a person who will answer you here, until 8:00 PM at most.",
        "Ich warte seit 12:00 auf einen Menschen, der Ihnen hier antwortet, höchstens bis 20:00.",
    ),
    (
        "awaited",
        "conversation",
        "I am waiting for a person who will answer you here.",
        "Ich warte auf einen Menschen, der Ihnen hier antwortet.",
    ),
    (
        "nobody",
        "person",
        "Nobody came in time, so I went on.",
        "Es kam niemand rechtzeitig, deshalb habe ich weitergemacht.",
    ),
    ("nobody", "end", "The reason is: no nurse came in time.", "Der Grund ist: no nurse came in time."),
    (
        "nobody",
        "to_be_called",
        "It went another way. The reason is: no nurse came in time.",
        "Es ging anders weiter. Der Grund ist: no nurse came in time.",
    ),
    (
        "nobody",
        "person timeout",
        "Nobody came in time, so I went on. That was at 12:00 PM.",
        "Es kam niemand rechtzeitig, deshalb habe ich weitergemacht. Das war: 12:00.",
    ),
    (
        "tried",
        "look",
        "That did not work at first, but then it was done.",
        "Das hat zuerst nicht geklappt, aber dann ist es geschehen.",
    ),
    (
        "tried_again",
        "look",
        "That was done at first, but not every time.",
        "Das ist zuerst geschehen, aber nicht jedes Mal.",
    ),
    (
        "tried",
        "turn",
        "That did not work at first, but then it was done.",
        "Das hat zuerst nicht geklappt, aber dann ist es geschehen.",
    ),
    (
        "tried",
        "model",
        "That did not work at first, but then it was done.",
        "Das hat zuerst nicht geklappt, aber dann ist es geschehen.",
    ),
    (
        "over",
        "turn",
        "The reason is: all is said.",
        "Der Grund ist: all is said.",
    ),
    (
        "helped",
        "nobody",
        "What a person did here did not lead to that.",
        "Was ein Mensch hier getan hat, hat nicht dazu geführt.",
    ),
    ("helped", "end", "The reason is: the nurse helped here.", "Der Grund ist: the nurse helped here."),
    (
        "copied",
        "origin",
        "This conversation is a copy of another one.",
        "Dieses Gespräch ist eine Kopie eines anderen.",
    ),
    ("two", "book", "That is not possible where we are now.", "Das ist an dieser Stelle nicht möglich."),
    (
        "two",
        "conversation",
        "I ask you to confirm because I have all the answers that I need.",
        "Ich bitte um Bestätigung, weil ich alle nötigen Antworten habe.",
    ),
]


@pytest.mark.parametrize(("story", "question", "english", "german"), ROWS)
def test_a_question_has_its_sentence_in_both_languages(story: str, question: str, english: str, german: str) -> None:
    assert played(story, "en").why(question).plain == english
    assert played(story, "de").why(question).plain == german


def test_a_yes_in_words_is_said_to_have_been_one() -> None:
    talk = Talk(TABLE, ("Hi.", *BOOKING), tools=[look, book])
    talk.chat.start()
    assert talk.did(*PLAN, "go", "yes").chat.why("message").plain == "I did that because you said yes."
