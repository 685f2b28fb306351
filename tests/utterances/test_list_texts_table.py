"""Messages at a question for a list, a text with a pattern, an address, or a choice (laws 5.5, 7.3a): what is stored."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import turnwise as tw

TABLES = sorted(Path(__file__).parent.glob("list_texts*.tsv"))
ROWS = [line.split("\t") for path in TABLES for line in path.read_text("utf-8").splitlines()[1:]]
KINDS = {
    "list": "type: list, of: string, about: things",
    "code": "type: string, pattern: '.{3,}', about: code",
    "order": "type: string, pattern: '[A-Za-z0-9-]{4,12}', about: order number",
    "mail": "type: email, about: e-mail",
    "phone": "type: phone, about: phone",
    "agree": "type: choice, options: [I agree, I do not agree], about: terms",
    "accept": "type: choice, options: [Accept, Decline], about: offer",
    "pay": "type: choice, options: ['Yes by card', 'Yes in cash', 'No'], about: payment",
    "color": "type: choice, options: [Red, Blue, Green], about: colour",
    "zustimmen": "type: choice, options: [Ich stimme zu, Ich lehne ab], about: Bedingungen",
    "annehmen": "type: choice, options: [Annehmen, Ablehnen], about: Angebot",
    "amount": "type: choice, options: ['None', Some, All], about: amount",
    "count": "type: choice, options: ['1', '2', 3 or more], about: people",
    "opts": "type: list, options: [Ham, Eggs, Corn], about: extras",
    "anything": "type: list, of: string, about: things",
}
FLOW = """
flow: t
start: ask
language: %s
records: {u: {name: {type: string, about: Name}, x: {%s}, last: {type: string}}}
nodes:
  ask:
    form:
      fields: [{field: u.name, ask: "Name?"}, {field: u.x, ask: "X?"%s}, {field: u.last, ask: "Last?"}]
      confirm: {}
"""


def stored(language: str, kind: str, message: str) -> str:
    anything = ", anything: true" if kind == "anything" else ""
    with tw.open_sync(tw.loads(FLOW % (language, KINDS[kind], anything))) as app:
        chat = app.chat("c")
        chat.start()
        chat.say("Ada")
        state = chat.say(message.replace("\\n", "\n")).state
    held = state.values.get("u.x")
    found: Any = None if held is None else held.value
    if found is None:
        return "nothing"
    return "|".join(found) or "none" if isinstance(found, list) else found


@pytest.mark.law("7.3a", "5.5", "5.8")
@pytest.mark.parametrize(("language", "kind", "message", "wanted"), [row[1:] for row in ROWS], ids=[r[0] for r in ROWS])
def test_an_answer_is_read_before_it_is_stored(language: str, kind: str, message: str, wanted: str) -> None:
    assert stored(language, kind, message) == wanted


@pytest.mark.law("7.3a")
def test_a_list_that_takes_anything_takes_a_command_as_its_text() -> None:
    assert stored("en", "anything", "yes") == "yes"
