"""A bare no at an open question changes no earlier answer, whatever is asked (laws 7.3 and 7.3a)."""

from __future__ import annotations

import pytest

import turnwise as tw

FLOW = """
flow: order
start: ask
language: {language}
records:
  order:
    terms: {{type: boolean, about: terms}}
    cover: {{type: choice, options: [Yes, No], about: cover}}
    other: {type}
nodes:
  ask:
    form:
      fields: [{fields}, {{field: order.other, ask: "What else?"}}]
      confirm: {{}}
"""
NOES = {
    "en": ("no", "none", "nothing", "not now", "never", "false", "no thanks", "I don't"),
    "de": ("nein", "keine", "nichts", "nicht jetzt", "nie", "falsch", "nein danke", "nö"),
}
TYPES = (
    "{type: string}", "{type: integer}", "{type: date}", "{type: email}", "{type: choice, options: [Red, Blue]}",
    "{type: list, options: [Milk, Sugar]}",
)  # fmt: skip
ASKED = {"terms": "{field: order.terms, ask: Do you accept?}", "cover": "{field: order.cover, ask: With cover?}"}


@pytest.mark.law("7.3", "7.3a")
@pytest.mark.parametrize("field", ASKED)
@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize(("language", "message"), [(code, one) for code, some in NOES.items() for one in some])
def test_a_bare_no_changes_no_earlier_answer(language: str, message: str, kind: str, field: str) -> None:
    flow = tw.loads(FLOW.format(language=language, type=kind, fields=ASKED[field]))
    with tw.open_sync(flow) as app:
        chat = app.chat("c")
        chat.start()
        before = chat.say("yes" if language == "en" else "ja").value(f"order.{field}")
        assert before in (True, "Yes")
        assert chat.say(message).value(f"order.{field}") == before


@pytest.mark.law("7.3a")
@pytest.mark.parametrize("message", ["I don't accept the terms", "no, I don't accept the terms"])
def test_a_no_that_names_the_answer_changes_it(message: str) -> None:
    with tw.open_sync(tw.loads(FLOW.format(language="en", type="{type: date}", fields=ASKED["terms"]))) as app:
        chat = app.chat("c")
        chat.start()
        chat.say("yes")
        turn = chat.say(message)
        assert turn.value("order.terms") is False
