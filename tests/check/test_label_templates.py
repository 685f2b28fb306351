"""Braces that no one fills in: where a label cannot be a template, the check says so."""

from __future__ import annotations

import pytest

import turnwise as tw
from turnwise.errors import TurnwiseError

FLOW = """
flow: slots
start: ask
texts: {{{texts}}}
records: {{slot: {{first: {{type: string, default: nine}}, pick: {{type: choice, options: [{option}, late]}}}}}}
nodes:
  ask: {{form: {{fields: [{{field: slot.pick, ask: When?, buttons: {{late: "{label}"}}}}]}}, once: bye}}
  bye: {{say: Bye., end: done}}
"""


@pytest.mark.law("5.2")
@pytest.mark.parametrize(
    ("texts", "option", "label", "code"),
    [
        ("", '"{{ slot.first }}"', "Later", "TW042"),
        ('buttons_confirm: "Book {{ slot.first }}"', "early", "Later", "TW025"),
        ("", "early", "{{ slot.last }}", "TW031"),
    ],
)
def test_a_text_that_is_no_template_is_reported(texts: str, option: str, label: str, code: str) -> None:
    with pytest.raises(TurnwiseError, match=code):
        tw.link(tw.loads(FLOW.format(texts=texts, option=option, label=label)))


ABOUT = """
flow: bank
start: desk
records: {user: {town: {type: string, about: "RECORD"}}}
tools: {pay: {about: "TOOL", kind: effect, confirm: true, args: {to: {type: string, about: "ARG"}}}}
nodes:
  desk: {prompt: Help., collect: [user.town], tools: [pay]}
"""


@pytest.mark.parametrize("place", ["RECORD", "TOOL", "ARG"])
def test_what_a_tool_or_field_is_about_is_no_template(place: str) -> None:
    text = ABOUT.replace(place, "for {{ user.town }}")
    with pytest.raises(TurnwiseError, match="TW025 'about' is a fixed text"):
        tw.link(tw.loads(text))
    tw.link(tw.loads(ABOUT))
