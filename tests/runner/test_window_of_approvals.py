"""The results of calls that were approved in the present turn are in its request, however small the window (law 3.6)."""

from __future__ import annotations

from pathlib import Path

import pytest

import turnwise as tw

FLOW = """
flow: bank
start: desk
limits: {window: WINDOW}
SECRET
tools:
  pay: {about: pay, kind: effect, confirm: true, args: {to: string}}
  look: {about: look up, args: {name: string}}
nodes:
  desk: {prompt: Help., tools: [pay, look]}
"""
SAID = ("hello", "pay Ann, look up Bo and pay Cy", "who is Ann?", "yes", "yes")


def pay(to: str) -> str:
    return f"paid {to}"


def look(name: str) -> str:
    return f"saw {name}"


def asked(text: str, store: str, restart: int) -> tw.ModelRequest:
    calls = [tw.CallMade("pay", {"to": "Ann"}), tw.CallMade("look", {"name": "Bo"}), tw.CallMade("pay", {"to": "Cy"})]
    replies = ["Hi.", tw.ModelReply("", calls=tuple(calls)), "A friend.", "All done."]
    model = tw.ScriptedModel(replies)
    for begin, end in ((0, restart), (restart, len(SAID))):
        with tw.open_sync(
            tw.loads(text),
            tools={"pay": pay, "look": look},
            model=model,
            understand=tw.understand_by_rules,
            store=store,
        ) as app:
            for said in SAID[begin:end]:
                app.chat("c").say(said)
    return model.calls[-1]


@pytest.mark.law("3.6")
@pytest.mark.parametrize("secret", ["", "records: {u: {pin: {type: string, secret: true}}}"], ids=["plain", "secret"])
@pytest.mark.parametrize("window", [1, 2, 20])
@pytest.mark.parametrize("restart", [2, 3, 4])
def test_results_of_approved_calls_are_shown_with_the_message_that_ordered_them(
    window: int, secret: str, restart: int, tmp_path: Path
) -> None:
    text = FLOW.replace("WINDOW", str(window)).replace("SECRET", secret)
    request = asked(text, f"sqlite:///{tmp_path / 'c.db'}", restart)
    shown = [(one.role, one.text or str(one.result or "")) for one in request.transcript]
    assert ("user", SAID[1]) in shown
    assert [words for role, words in shown if role == "tool"] == ["paid Ann", "saw Bo", "paid Cy"]
    assert shown[-1] == ("user", "yes")
