"""Questions of why in the terminal: `/why NAME` in a talk, and `turnwise explain` of a stored conversation."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import turnwise as tw
from support.shell import run

FLOW = "examples/eligibility/eligibility.flow.yaml"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    address = f"sqlite:///{tmp_path_factory.mktemp('why') / 'x.db'}"
    with tw.open_sync(FLOW, store=address) as app:
        for name, texts in {"a": ("Yes", "Yes", "Referral"), "b": ("Yes", "No", "Billing")}.items():
            for text in texts:
                app.chat(name).say(text)
    return address


EXPLAINED: list[tuple[tuple[str, ...], list[str]]] = [
    (("case.purpose",), ["case.purpose was set to Referral, answered by the user", "  ← the user said “Referral”"]),
    (("question case.purpose",), ["why question case.purpose, at the end of turn 3"]),
    (
        ("--to", "handed_over"),
        ["no way to handed_over was found: the conversation has ended (expert): only an undo goes on"],
    ),
    (("--turn", "3", "--against-turn", "1"), ["turn 3 went to expert by expert in turn 3, and turn 1 made no move"]),
    (("--against", "b"), ["a went to expert by expert in turn 3, and b made no move"]),
]
"""Arguments behind the conversation, and lines that the answer has."""


@pytest.mark.parametrize(("arguments", "lines"), EXPLAINED)
def test_explain_answers_about_any_subject(store: str, arguments: tuple[str, ...], lines: list[str]) -> None:
    ran = run("explain", "--store", store, "a", *arguments)
    assert (ran.code, ran.err) == (0, "")
    for line in lines:
        assert line in ran.lines


def test_the_answer_as_json_is_the_one_of_python(store: str) -> None:
    ran = run("explain", "--store", store, "a", "end", "--json")
    with tw.open_sync(FLOW, store=store) as app:
        assert json.loads(ran.out) == json.loads(json.dumps(app.chat("a").why("end").to_dict()))


WRONG: list[tuple[tuple[str, ...], str]] = [
    (("case.purpse",), "nothing is called 'case.purpse'; did you mean 'case.purpose'?"),
    (("99",), "conversation 'a' has no turn 99; there are 1 to 3"),
    (("case.purpose", "--to", "expert"), "SUBJECT and --to are two questions; ask one at a time"),
    (("--to", "exprt"), "nothing is called 'node exprt'; did you mean 'expert'?"),
    (("--against", "nobody"), "there is no conversation 'nobody'"),
]


@pytest.mark.parametrize(("arguments", "text"), WRONG)
def test_a_wrong_question_is_refused_in_one_line(store: str, arguments: tuple[str, ...], text: str) -> None:
    ran = run("explain", "--store", store, "a", *arguments)
    assert ran.code != 0
    assert text in ran.err


def test_why_in_a_talk_takes_any_name(tmp_path: Path) -> None:
    typed = "Yes\nYes\n/why insurance_history\n/why insurance_histry\n/why\n"
    ran = run("chat", FLOW, "--store", f"sqlite:///{tmp_path / 'talk.db'}", given=typed)
    assert "case.insurance_history was set to Yes, answered by the user" in ran.lines
    assert "nothing is called 'insurance_histry'; did you mean 'case.insurance_history'?" in ran.lines
    assert any(line.startswith("before: stayed in intake") for line in ran.lines)


UNCLEAR = "did anything strange happen here?"


def test_what_is_not_clear_is_a_numbered_list_of_which_a_number_is_taken(tmp_path: Path) -> None:
    ran = run(
        "chat", FLOW, "--store", f"sqlite:///{tmp_path / 'talk.db'}", given=f"Yes\n/why {UNCLEAR}\n1\n1\n/state\n"
    )
    at = ran.lines.index(f"it is not clear what “{UNCLEAR}” is about; it may be:")
    first = ran.lines[at + 1].removeprefix("[1] ").partition(":")[0]
    assert ran.lines[at + 1].startswith(f"[1] {first}: ")
    assert any(line.startswith(f"why {first}") for line in ran.lines[at:]), "the number chooses"
    assert "  case.insurance_history = Yes   (button, turn 3)" in ran.lines, "the next number presses a button"


def test_what_is_not_clear_is_refused_with_candidates_as_data(store: str) -> None:
    ran = run("explain", "--store", store, "a", UNCLEAR, "--json")
    found = json.loads(ran.out)["candidates"]
    assert (ran.code, 1 < len(found) <= 6) == (1, True)
    again = run("explain", "--store", store, "a", found[1]["subject"], "--json")
    assert json.loads(again.out)["read_as"].startswith(f"why {found[1]['subject']}")


GUARDED = """\
flow: f
start: a
records: {u: {age: integer}}
nodes:
  a: {say: Your age?, collect: [u.age], transitions: [{guard: decide, to: b}]}
  b: {say: Done., end: done}
"""


def test_a_question_that_needs_python_guards_says_how_to_give_them(tmp_path: Path) -> None:
    flow, code, address = tmp_path / "f.flow.yaml", tmp_path / "rules.py", f"sqlite:///{tmp_path}/x.db"
    flow.write_text(GUARDED, "utf-8")
    code.write_text(
        "import turnwise as tw\n\n\n@tw.guard\ndef decide(u):\n    return u.age is not None and u.age > 40\n", "utf-8"
    )
    assert run("chat", flow, "--python", code, "--store", address, "--conversation", "x", given=b"hello\n").code == 0
    ran = run("explain", "--store", address, "x", "--to", "b")
    expected = "this flow decides by Python functions, and this question needs them: add --python FILE\n"
    assert (ran.code, ran.err) == (1, expected)
    assert run("explain", "--store", address, "x", "--to", "b", "--python", code).code == 0


@pytest.mark.parametrize(("commands", "is_for_flow"), [("commands: [why]\n", True), ("", False)])
def test_why_without_a_stroke_goes_to_a_flow_that_answers_it(tmp_path: Path, commands: str, is_for_flow: bool) -> None:
    flow = tmp_path / "f.flow.yaml"
    flow.write_text(
        f"flow: f\nstart: a\n{commands}records: {{u: {{name: string}}}}\n"
        "nodes: {a: {form: {fields: [{field: u.name, ask: 'Your name?'}]}}}\n",
        "utf-8",
    )
    told = "turn 2, a message"
    said = run("chat", flow, given=b"hello\nwhy?\n").lines
    assert (told in said, any(line.startswith("I ask because") for line in said)) == (not is_for_flow, is_for_flow)
    assert told in run("chat", flow, given=b"hello\n/why\n").lines


NOT_TAKEN = [
    (("No",), "the form of intake stopped because case.patient_info is No, one of its stop values No and Unknown"),
    (("Yes", "Yes", "a painting"), "the answer about case.purpose was not understood, so nothing was stored"),
]


@pytest.mark.parametrize(("texts", "first"), NOT_TAKEN)
def test_what_became_of_the_message_comes_before_the_decisions(
    tmp_path: Path, texts: tuple[str, ...], first: str
) -> None:
    address = f"sqlite:///{tmp_path / 'x.db'}"
    asked = "\n".join((*texts, "/why", "")).encode()
    said = run("chat", FLOW, "--store", address, "--conversation", "x", given=asked).lines
    story = run("explain", "--store", address, "x").lines
    assert story[0].startswith("after turn ")
    assert story[1].startswith(first)
    assert said[-len(story) :] == story


STANDS = """
flow: f
start: a
person: {queue: desk}
commands: [undo]
records: {u: {n: integer}}
nodes:
  a:
    form: {fields: [{field: u.n, ask: N?}]}
    transitions: [{when: u.n > 5, to: b}, {when: u.n < 3, to: b}]
  b: {say: Bye., end: b}
"""


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("9", "after turn 2: Ended: b"),
        ("what?", "after turn 2: Asks for “n”: 0 of 1 answered (/why question says why)"),
        ("talk to a human", "after turn 2: Waits for a person, 0 s"),
    ],
)
def test_the_story_begins_with_what_the_conversation_does_now(tmp_path: Path, said: str, line: str) -> None:
    (tmp_path / "f.flow.yaml").write_text(STANDS, "utf-8")
    address = f"sqlite:///{tmp_path / 'x.db'}"
    with tw.open_sync(str(tmp_path / "f.flow.yaml"), store=address) as app:
        chat = app.chat("x")
        chat.start()
        chat.say(said)
    assert run("explain", "--store", address, "x").lines[0].startswith(line)


def test_the_story_of_a_turn_that_was_undone_says_so(tmp_path: Path) -> None:
    (tmp_path / "f.flow.yaml").write_text(STANDS, "utf-8")
    address = f"sqlite:///{tmp_path / 'x.db'}"
    with tw.open_sync(str(tmp_path / "f.flow.yaml"), store=address) as app:
        chat = app.chat("x")
        chat.start()
        chat.say("9")
        chat.undo()
    assert any(
        line.startswith("turn 3 undid this turn")
        for line in run("explain", "--store", address, "x", "--turn", "2").lines
    )
    assert not any("undid this turn" in line for line in run("explain", "--store", address, "x").lines)
