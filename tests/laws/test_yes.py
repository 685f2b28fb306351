"""The one reading of yes: what people answer to an approval, a summary, a yes-or-no question and a choice (law 5.5).

Each row of `utterances/yes*.tsv` is played through the whole machine: nothing may be run, confirmed or stored that was not
wanted, and nearly every plain answer must be understood.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from support.chats import OneSyncChat, flow_of, offline_chat
from support.tools import facts, made, uses
from turnwise.core.state import Ended
from turnwise.core.state import events as e
from turnwise.models.scripted import ScriptedModel

FOLDER = Path(__file__).parents[1] / "utterances"
LEAST_UNDERSTOOD = 0.95
ROWS = [
    tuple(line.split("\t"))
    for file in sorted(FOLDER.glob("yes*.tsv"))
    for line in file.read_text("utf-8").splitlines()[1:]
    if line
]

APPROVAL = """
    flow: pay
    language: LANG
    start: desk
    tools:
      transfer: {about: transfer money, kind: effect, confirm: true, args: {to: string, amount: number}}
    nodes:
      desk: {prompt: Help with the account., tools: {allow: [transfer]}}
"""
CONFIRM = """
    flow: order
    language: LANG
    start: ask
    records: {o: {n: {type: integer, about: amount}}}
    nodes:
      ask:
        form: {fields: [{field: o.n, ask: How much?}], confirm: {}}
        transitions: [{id: c, when: form.status == "confirmed", to: bye}]
      bye: {say: Ordered., end: ordered}
"""
FIELD = """
    flow: intake
    language: LANG
    start: ask
    records: {u: {x: FIELD, note: string}}
    nodes:
      ask:
        form: {fields: [{field: u.x, ask: "QUESTION"}, {field: u.note, ask: Notes}]}
        transitions: [{id: c, when: form.status == "confirmed", to: bye}]
      bye: {say: Noted., end: noted}
"""
QUESTIONS = {
    ("boolean", "en"): ("boolean", "Do you want the newsletter?"),
    ("boolean", "de"): ("boolean", "Möchten Sie den Newsletter?"),
    ("choice", "en"): ("{type: choice, options: ['Yes', 'No']}", "Do you have insurance?"),
    ("choice", "de"): ("{type: choice, options: [Ja, Nein]}", "Haben Sie eine Versicherung?"),
}
Played = tuple[str, str]


def approval(lang: str, message: str) -> str:
    ran: list[str] = []

    def transfer(to: str, amount: float) -> str:
        ran.append(f"{amount} to {to}")
        return "done"

    model = ScriptedModel([uses(made("transfer", to="Bo", amount=5)), *["Well."] * 8])
    chat = OneSyncChat(flow_of(APPROVAL.replace("LANG", lang)), tools=[transfer], model=model)
    chat.say("send 5 to Bo")
    turn = chat.say(message)
    if ran:
        return "yes"
    is_declined = any(one.reason == "declined" for one in facts(turn, e.CallRefused))
    return "no" if is_declined else "nothing"


def confirm(lang: str, message: str) -> str:
    chat = offline_chat(CONFIRM.replace("LANG", lang))
    chat.say("hallo" if lang == "de" else "hello")
    chat.say("50")
    turn = chat.say(message)
    if isinstance(turn.state.status, Ended):
        return "yes"
    is_denied = any(one.command in ("deny", "edit", "cancel") for one in facts(turn, e.CommandApplied))
    value = turn.state.values.get("o.n")
    return "no" if is_denied else "nothing" if value is not None and value.value == 50 else "changed"


def field(setting: str, lang: str, message: str) -> str:
    kind, question = QUESTIONS[setting, lang]
    text = FIELD.replace("LANG", lang).replace("FIELD", kind).replace("QUESTION", question)
    chat = offline_chat(text)
    chat.say("hallo" if lang == "de" else "hello")
    values = chat.say(message).state.values
    if "u.note" in values:
        return "stored"
    if "u.x" not in values:
        return "nothing"
    return "yes" if values["u.x"].value in (True, "Yes", "Ja") else "no"


def played(setting: str, lang: str, message: str) -> str:
    if setting == "approval":
        return approval(lang, message)
    return confirm(lang, message) if setting == "confirm" else field(setting, lang, message)


@pytest.fixture(scope="module")
def results() -> list[tuple[tuple[str, ...], str]]:
    return [(row, played(*row[1:4])) for row in ROWS]


def _lines(some: list[tuple[tuple[str, ...], str]]) -> str:
    return "\n".join(f"{' | '.join(row)} -> {found}" for row, found in some)


@pytest.mark.law("5.5", "4.5")
def test_nothing_is_run_confirmed_or_stored_that_was_not_wanted(results: list[tuple[tuple[str, ...], str]]) -> None:
    allowed = {
        "yes": ("yes", "nothing"),
        "no": ("no", "nothing"),
        "not_yes": ("no", "nothing", "changed"),
        "nothing": ("nothing",),
    }
    wrong = [(row, found) for row, found in results if found not in allowed[row[4]]]
    assert not wrong, _lines(wrong)


@pytest.mark.law("5.5", "4.5")
def test_nearly_every_plain_answer_is_understood(results: list[tuple[tuple[str, ...], str]]) -> None:
    asked = [(row, found) for row, found in results if row[4] in ("yes", "no")]
    missed = [(row, found) for row, found in asked if found != row[4]]
    assert len(asked) - len(missed) >= LEAST_UNDERSTOOD * len(asked), _lines(missed)


@pytest.mark.law("5.5")
def test_every_setting_has_rows_of_both_languages() -> None:
    counts: dict[tuple[str, str], int] = defaultdict(int)
    for row in ROWS:
        counts[row[1], row[2]] += 1
    assert len(counts) == 8
    assert min(counts.values()) >= 10
