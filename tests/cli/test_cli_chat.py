"""`turnwise chat`: through pipes, as JSON, and in a terminal."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from support.chats import INTAKE
from support.shell import ROOT, Terminal, arguments, environment, run

ELIGIBILITY = ROOT / "examples" / "eligibility" / "eligibility.flow.yaml"
FIRST = "Do we have patient information available?"
SECOND = "Does the patient have a known history of inconsistencies in their insurance coverage?"
THIRD = "What is the check for?"


def talked(*lines: str | bytes, flow: Path = ELIGIBILITY, args: tuple[str, ...] = ()) -> list[str]:
    """What is printed for some lines, without a style in it."""
    given = b"".join((line.encode() if isinstance(line, str) else line) + b"\n" for line in lines)
    ran = run("chat", flow, *args, given=given)
    assert ran.code == 0
    assert ran.err == ""
    assert "\x1b" not in ran.out
    return ran.lines


def test_a_flow_cannot_come_from_where_messages_come_from() -> None:
    ran = run("chat", "-", given=ELIGIBILITY.read_bytes())
    assert (ran.code, ran.out) == (2, "")
    said = " ".join(ran.err.replace("│", "").split())
    assert "chat reads messages from standard input, so it cannot read the flow there; name a flow document" in said


# through a pipe ---------------------------------------------------------------------------------------


def test_buttons_are_numbers_and_words_do_as_well() -> None:
    assert talked("1", "Partial") == [
        FIRST,
        "[1] Yes   [2] No   [3] Unknown",
        SECOND,
        "[1] Yes   [2] No   [3] Partial",
        THIRD,
        "[1] Billing   [2] Treatment   [3] Referral",
    ]


@pytest.mark.parametrize("line", ["4", "0", "-1", "٤", "99999999999999999999999"])
def test_a_number_of_no_button_is_a_message(line: str) -> None:
    assert talked(line)[2].startswith("I'm having trouble understanding your response.")


def test_the_end_of_input_is_the_end_without_a_last_newline_too() -> None:
    assert talked() == [FIRST, "[1] Yes   [2] No   [3] Unknown"]
    ran = run("chat", ELIGIBILITY, given=b"1")
    assert SECOND in ran.out


def test_the_commands_of_a_talk() -> None:
    lines = talked("1", "/state", "/undo", "/why", "/help", "/quit", "1")
    text = "\n".join(lines)
    assert (
        "node intake, turn 2, waiting for a button\nform collecting\n  case.patient_info = Yes   (button, turn 2)"
        in text
    )
    assert f"I have taken that back.\n\n{FIRST}" in text
    assert (
        "/why-not [NAME]       why a transition or each, or the way to a node or scope was not taken, and what would make it hold"
        in text
    )
    assert lines[-1] == "/quit                 leave"
    assert text.count(SECOND) == 1


def test_why_tells_each_decision_and_what_was_heard() -> None:
    lines = talked("I am Ada and I'm 45", "/why", flow=INTAKE)
    text = "\n".join(lines)
    assert "understood: user.name = Ada\nunderstood: user.age = 45" in text
    assert "nearest is → profiler, which lacks user.tos_acknowledged" in text
    assert "  complete → profiler “name, age and terms collected, age 38 or more”: not known" in lines
    assert "      ? user.tos_acknowledged   user.tos_acknowledged is not known" in lines
    assert "    would hold with: user.tos_acknowledged = true" in lines


def test_why_and_why_not_name_their_turn_after_an_undo_and_after_a_refusal() -> None:
    lines = talked("I am Ada and I'm 45", "/undo", "/why", "/why-not complete", " ", "/why", flow=INTAKE)
    assert "turn 3, an undo back to turn 1" in lines
    assert "nothing was decided in this turn" not in lines
    at = lines.index("turn 3, an undo back to turn 1")
    assert lines[at + 1] == "turn 1, the start"
    at = lines.index("  complete → profiler “name, age and terms collected, age 38 or more”: false")
    assert not any("user.name is Ada" in line or "user.age is 45" in line for line in lines)
    assert (
        "the last message was refused (message_empty): this is no turn, and changed nothing; the turn before it:"
        in lines
    )
    refused = next(number for number, line in enumerate(lines) if line.startswith("the last message was refused"))
    assert lines[refused + 2 : refused + 4] == ["turn 3, an undo back to turn 1", "turn 1, the start"]


def test_why_not_tells_one_transition_as_it_was_judged_or_as_it_stands() -> None:
    lines = talked("/why-not too_young", "/why-not three_groups", "/why not too_young", flow=INTAKE)
    assert lines.count("  too_young → ineligible “under age 38”: not known") == 2
    assert not any("ineligible_male →" in line for line in lines)
    assert (
        "three_groups was not judged in turn 1: it leads out of profiler, and the conversation was in introduction."
    ) in lines
    lines = talked("1", "/why-not done")
    assert any(line.startswith("done was not judged in turn 2: it is judged when the work") for line in lines)
    assert '    would need: form.status == "handed_off"' in lines


def test_why_not_without_a_name_tells_each_that_was_not_taken() -> None:
    lines = talked("I'm 30", "/why-not", flow=INTAKE)
    assert "  complete → profiler “name, age and terms collected, age 38 or more”: false" in lines
    assert not any(line.startswith("  too_young → ") for line in lines)  # this one was taken
    assert "before: introduction → ineligible by too_young: under age 38" in lines


def test_why_tells_what_was_not_judged_in_a_line_and_why_not_with_its_conditions(tmp_path: Path) -> None:
    flow = tmp_path / "steps.flow.yaml"
    flow.write_text(STEPS, "utf-8")
    lines = talked("hello", "/why", "/why-not enter_second", flow=flow)
    head = "  enter_second → second: not_reached, nothing that it reads has changed since it was judged; "
    head += "it did not hold then"
    assert lines.count(head) == 2
    first, second = (number for number, line in enumerate(lines) if line == head)
    assert not lines[first + 1].startswith("    ")
    assert lines[second + 1].startswith("    ✗ ")


def test_why_not_of_a_timer_says_that_it_would_be_taken_and_when(tmp_path: Path) -> None:
    flow = tmp_path / "timer.flow.yaml"
    flow.write_text(
        "flow: f\nstart: a\nnodes:\n  a: {say: Hello., transitions: [{id: late, at: timer, in: 30m, to: b}]}\n  b: {say: B.}\n",
        "utf-8",
    )
    turn, when, outcome = talked("/why-not late", flow=flow)[1:4]
    assert turn == "turn 1, the start"
    assert when.startswith(
        "late was not judged in turn 1: it is judged when its delay has come, 30m: not due yet, but at 20"
    )
    assert outcome == "  late → b: would be taken"


def test_what_is_no_command_is_told_with_what_is_near() -> None:
    assert "there is no /stat; did you mean '/state'?" in talked("/stat")
    assert "there is no /xyz; /help lists the commands" in talked("/xyz")
    assert talked("/")[2].startswith("I'm having trouble")


@pytest.mark.parametrize("line", ["/WHY", "/ why", " /Why ", "/why", "why?", "Why not?"])
def test_a_command_is_known_however_it_is_written(line: str) -> None:
    assert "understood: user.age = 45" in talked("I am 45", line, flow=INTAKE)


@pytest.mark.parametrize(
    "line", ["/Why-Not too_young", "/ why-not too_young", "/WHY NOT too_young", "/why-not   too_young"]
)
def test_what_follows_a_command_is_taken_as_it_is(line: str) -> None:
    assert "  too_young → ineligible “under age 38”: not known" in talked(line, flow=INTAKE)


@pytest.mark.parametrize("line", ["/QUIT", "/ quit", "/Exit", "/q"])
def test_every_way_to_leave(line: str) -> None:
    assert talked(line, "1") == talked()


def test_a_message_may_begin_with_a_stroke() -> None:
    assert talked("/ male", flow=INTAKE)[2:] == talked("male", flow=INTAKE)[2:]


def test_debug_prints_the_verdict_lines() -> None:
    lines = talked("hi", flow=INTAKE, args=("--debug",))
    assert lines.count("  · after: stayed in introduction: no candidates after the work") == 2


def test_an_empty_line_says_so_and_changes_nothing() -> None:
    lines = talked("", "   ", "1")
    assert lines[2:4] == ["I did not get any text. Please type a message."] * 2
    assert SECOND in lines


def test_a_line_of_a_megabyte_is_refused_in_words() -> None:
    lines = talked("x" * 1_000_000, "1")
    assert lines[2] == "That message is too long for me: 1,000,000 characters, and I can take 10,000."
    assert SECOND in lines


def test_control_characters_and_bytes_that_are_no_utf8_do_no_harm() -> None:
    lines = talked(b"a\x00\x07\x1b[31mb\x9b", b"\xff\xfe", b"\x00", b"\xef\xbb\xbfYes\r")
    assert lines[-2] == SECOND
    assert sum(line.startswith("I'm having trouble") for line in lines) == 2


def test_texts_cannot_steer_the_terminal(tmp_path: Path) -> None:
    flow = tmp_path / "f.yaml"
    flow.write_text('flow: f\nstart: a\nnodes: {a: {say: "one\\e[2Jtwo\\x07", end: "x\\e[31m"}}\n', "utf-8")
    assert talked(flow=flow) == ["one[2Jtwo", "  (ended: x[31m)"]


def test_a_talk_that_has_ended_says_so() -> None:
    lines = talked("I am male", "hello", flow=INTAKE)
    thanks = lines.index("Thank you. This service is for women of 38 or more.")
    ended = "  (ended: ineligible)"
    assert lines[thanks + 1 :] == [ended, "This conversation has ended.", ended]


@pytest.mark.parametrize(
    ("content", "said"),
    [(None, "TW001 there is no such file"), ("", "TW007"), ("flow: f\nstart: x\nnodes: {a: {say: hi}}\n", "TW018")],
)
def test_a_flow_that_cannot_be_opened_is_told_on_standard_error(tmp_path: Path, content: str | None, said: str) -> None:
    flow = tmp_path / "f.yaml"
    if content is not None:
        flow.write_text(content, "utf-8")
    ran = run("chat", flow, given="hi\n")
    assert (ran.code, ran.out) == (1, "")
    assert said in ran.err


# as JSON --------------------------------------------------------------------------------------------------


def as_json(*lines: str, flow: Path = ELIGIBILITY) -> list[dict[str, Any]]:
    ran = run("chat", "--json", flow, given="".join(f"{line}\n" for line in lines))
    assert (ran.code, ran.err) == (0, "")
    return [json.loads(line) for line in ran.lines]


def test_json_is_one_line_per_turn() -> None:
    turns = as_json("1", "", "Partial")
    assert [turn["turn"] for turn in turns] == [1, 2, 0, 3]
    assert [turn["refused"] for turn in turns] == [None, None, "message_empty", None]
    assert [turn["text"] for turn in turns if not turn["refused"]] == [FIRST, SECOND, THIRD]
    assert turns[0]["buttons"][0] == {"label": "Yes", "value": "Yes"}
    assert turns[3]["form"]["gates"]["2_insurance_history"]["classified"] == "Partial"
    keys = {"turn", "text", "buttons", "node", "refused", "outcome", "form", "artefacts", "warnings", "decisions"}
    keys |= {"failed", "failures", "about", "person", "note", "scopes", "starts"}
    assert [turn["about"] for turn in turns] == [
        "turn 1, the start",
        "turn 2, a button",
        "refused (message_empty): this is no turn, and changed nothing",
        "turn 3, a message",
    ]
    assert all(set(turn) == keys for turn in turns)


def test_json_has_the_decisions_and_the_outcome() -> None:
    turns = as_json("I am male", "more", flow=INTAKE)
    assert (turns[1]["outcome"], turns[1]["node"]) == ("ineligible", "ineligible")
    (candidate, *_) = turns[1]["decisions"][0]["candidates"]
    assert (candidate["id"], candidate["outcome"]) == ("ineligible_male", "taken")
    assert turns[2]["refused"] == "conversation_ended"


STEPS = """\
flow: steps
start: first
nodes:
  first: {prompt: Talk.}
  second: {prompt: Talk on., enter_when: 'tools.used("think")'}
tools:
  think: {}
"""

CAUGHT = """\
flow: f
start: a
nodes:
  a: {prompt: A., transitions: [{at: error, to: b}]}
  b: {say: Over.}
"""


def test_json_says_why_a_turn_failed(tmp_path: Path) -> None:
    flow, script = tmp_path / "f.yaml", tmp_path / "replies.yaml"
    flow.write_text("flow: f\nstart: a\nnodes:\n  a: {prompt: A.}\n", "utf-8")
    script.write_text("- Hi.\n", "utf-8")
    ran = run("chat", "--json", flow, "--model", f"scripted:{script}", given="x\n\n")
    told = [(turn["text"], turn["failed"], turn["failures"]) for turn in map(json.loads, ran.lines)]
    why = "the script has no further reply"
    assert told[-3:] == [
        ("Hi.", None, []),
        ("Something went wrong on our side. Please try again.", {"reason": "model", "message": why}, [why]),
        (told[-1][0], None, []),
    ]


def test_json_says_why_a_model_did_not_answer_where_the_turn_went_on(tmp_path: Path) -> None:
    flow, script = tmp_path / "f.yaml", tmp_path / "replies.yaml"
    flow.write_text(CAUGHT, "utf-8")
    script.write_text("- Hi.\n", "utf-8")
    ran = run("chat", "--json", flow, "--model", f"scripted:{script}", given="x\n")
    turn = json.loads(ran.lines[-1])
    assert (turn["node"], turn["failed"], turn["failures"]) == ("b", None, ["the script has no further reply"])


# signals and terminals --------------------------------------------------------------------------------------


def test_an_interrupt_ends_it_with_130() -> None:
    process = subprocess.Popen(
        arguments("chat", ELIGIBILITY),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509  what runs the tests may ignore it
    )
    assert process.stdout is not None
    assert process.stdout.readline().decode().strip() == FIRST
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"Traceback" not in out + err


def test_a_session_in_a_terminal() -> None:
    terminal = Terminal("chat", ELIGIBILITY)
    shown = terminal.expect("you › ")
    assert FIRST in shown
    assert "[1] Yes   [2] No   [3] Unknown" in shown
    terminal.type("1")
    terminal.expect("Does the patient have a known history")
    terminal.expect("you › ")
    for answer in ("2", "1", "1"):
        terminal.type(answer)
        terminal.expect("you › ")
    terminal.type("1")
    shown = terminal.expect("you › ")
    assert "Summary of Collected Information" in shown
    assert "## " not in shown
    assert "**" not in shown
    assert any(line.rstrip().endswith("  Yes") for line in shown.splitlines())
    terminal.type("edit")
    shown = terminal.expect("you › ")
    assert f"[1] {FIRST}\n" in shown
    assert all(len(line) <= 80 for line in shown.splitlines())
    terminal.type("/why-not done")
    shown = terminal.expect("you › ")
    assert all(len(line) <= 80 for line in shown.splitlines())
    assert "would need: form.status" in " ".join(shown.split())
    assert "\x1b[31m" in terminal.raw
    terminal.press(b"\x04")
    assert terminal.end() == 0


def test_a_line_in_a_terminal_can_be_edited_and_called_back() -> None:
    pytest.importorskip("readline")
    terminal = Terminal("chat", ELIGIBILITY)
    terminal.expect("you › ")
    terminal.press(b"Yess\x7f\n")  # backspace
    terminal.expect("Does the patient have")
    terminal.expect("you › ")
    terminal.press(b"/stato\x1b[D\x1b[C\x7fe\n")  # left, right, backspace
    terminal.expect("case.patient_info = Yes")
    terminal.expect("you › ")
    terminal.press(b"\x1b[A\n")  # up: the line before
    terminal.expect("case.patient_info = Yes")
    terminal.expect("you › ")
    terminal.press(b"\x03")
    assert terminal.end(again=b"\x03") == 130


def test_long_lines_of_an_explanation_go_on_at_their_own_margin() -> None:
    terminal = Terminal("chat", INTAKE, columns=50)
    terminal.expect("you › ")
    terminal.type("/why")
    shown = terminal.expect("you › ")
    lines = shown.splitlines()
    assert all(len(line) <= 50 for line in lines)
    first = next(number for number, line in enumerate(lines) if line.startswith("  complete → profiler"))
    assert lines[first + 1].startswith("    ")
    terminal.type("/quit")
    assert terminal.end() == 0


@pytest.mark.law("5.2")
def test_why_tells_no_secret_that_a_result_says_again(tmp_path: Path) -> None:
    (tmp_path / "safe.flow.yaml").write_text(
        "flow: safe\nstart: a\nrecords: {user: {pin: {type: string, secret: true}}}\n"
        "tools: {look: {about: look, args: {code: {type: string, secret: true, optional: true}}}}\n"
        "nodes: {a: {prompt: Talk., tools: {allow: ['*']}, writes: [user]}}\n",
        "utf-8",
    )
    (tmp_path / "replies.yaml").write_text(
        "- Hello.\n- calls: [{tool: write_user, arguments: {set: {pin: 'a\"4321'}}}, {tool: look}, {tool: look, arguments:"
        " {code: '9876'}}]\n- So.\n",
        "utf-8",
    )
    (tmp_path / "tools.py").write_text(
        "def look(code=None):\n    return {'pin': 'a\"4321', 'said': ['it is a\"4321 again'], code or 'code': code}\n",
        "utf-8",
    )
    ran = run(
        "chat", "safe.flow.yaml", "--python", "tools.py", "--model", "scripted:replies.yaml", "--debug",
        given="go\n/why\n", at=tmp_path,
    )  # fmt: skip
    assert [line for line in ran.lines if line.startswith("called: look")] == [
        'called: look {} => {"pin": "[secret]", "said": ["it is [secret] again"], "code": null}',
        'called: look {"code": "[secret]"} => {"pin": "[secret]", "said": ["it is [secret] again"], "[secret]": "[secret]"}',
    ]
    assert not any(part in ran.out for part in ("4321", "9876"))


def test_why_tells_the_calls_of_a_turn_without_secrets_and_state_which_tools_were_used(tmp_path: Path) -> None:
    (tmp_path / "safe.flow.yaml").write_text(
        "flow: safe\nstart: a\nrecords: {user: {pin: {type: string, secret: true}}}\n"
        "tools: {open: {about: open, args: {code: {type: string, secret: true}}}, look: {about: look}}\n"
        "nodes: {a: {prompt: Talk., tools: {allow: ['*']}, writes: [user]}}\n",
        "utf-8",
    )
    (tmp_path / "replies.yaml").write_text(
        "- Hello.\n- calls: [{tool: open, arguments: {code: '4321'}}, {tool: write_user, arguments: {set: {pin: '4321'}}},"
        " {tool: shut}]\n- So.\n",
        "utf-8",
    )
    (tmp_path / "tools.py").write_text("def open(code):\n    return 'opened'\n\n\ndef look():\n    return 1\n", "utf-8")
    ran = run(
        "chat", "safe.flow.yaml", "--python", "tools.py", "--model", "scripted:replies.yaml",
        given="go\n/why\n/state\n", at=tmp_path,
    )  # fmt: skip
    assert [line for line in ran.lines if line.startswith("called: ")] == [
        'called: open {"code": "[secret]"} => "opened"',
        'called: write_user {"set": {"pin": "[secret]"}} => {"success": true, "context": "user", "written": ["pin"], "values": {"pin": "[secret]"}}',
        "called: shut {} refused unknown_tool",
    ]
    assert "  tools used: open 1, write_user 1" in ran.lines
    assert "4321" not in ran.out


IDLE = """\
flow: f
start: ask
nodes:
  ask: {say: Ready?, transitions: [{id: idle, at: timer, in: 1s, to: nudge}]}
  nudge: {say: Are you still there?}
"""


ANYWHERE = """\
flow: f
start: ask
transitions: [{id: idle, at: timer, in: 1s, to: nudge}]
nodes:
  ask: {say: Ready?}
  nudge: {say: Are you still there?, end: completed}
"""


@pytest.mark.parametrize(("args", "text"), [((), IDLE), (("--json",), ANYWHERE)])
def test_a_piped_talk_prints_what_a_timer_says_while_it_waits(tmp_path: Path, args: tuple[str, ...], text: str) -> None:
    flow = tmp_path / "idle.flow.yaml"
    flow.write_text(text)
    talk = subprocess.Popen(
        arguments("chat", flow, *args), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment()
    )
    assert talk.stdout is not None
    shown = ""
    while "Are you still there?" not in shown:  # nothing has been typed
        line = talk.stdout.readline()
        assert line, shown
        shown += line
    rest, _ = talk.communicate("hello\n", timeout=60)
    assert "This conversation has ended." in rest
    assert (shown + rest).count('"text":"Are you still there?"' if args else "Are you still there?") == 1


def test_a_terminal_prints_what_a_timer_says_while_nobody_types(tmp_path: Path) -> None:
    flow = tmp_path / "idle.flow.yaml"
    flow.write_text(IDLE)
    terminal = Terminal("chat", flow)
    terminal.expect("you › ")
    terminal.expect("Are you still there?")
    terminal.expect("you › ")
    terminal.type("/quit")
    assert terminal.end() == 0


LEFT = """
flow: f
start: home
records: {u: {age: integer, tries: integer}}
nodes:
  home:
    say: Your age?
    collect: [u.age]
    transitions:
      - {id: expert, at: before, when: u.age > 50, to: review}
      - {id: done, to: closing, when: u.age > 5}
  review: {say: An expert will look at it., collect: [u.tries]}
  closing: {say: Anything to add?, once: farewell}
  farewell: {say: Goodbye., end: completed}
"""


def left(tmp_path: Path, *lines: str) -> list[str]:
    flow = tmp_path / "left.flow.yaml"
    flow.write_text(LEFT, "utf-8")
    return talked(*lines, flow=flow)


def test_why_not_says_why_a_scope_did_not_open() -> None:
    buddy = ROOT / "examples" / "language_buddy" / "language_buddy.flow.yaml"
    lines = talked(
        "hello", "/why-not feedback", "/why-not quiz", flow=buddy, args=("--python", str(buddy.parent / "tools.py"))
    )
    assert any(line.startswith("feedback was never opened: ") for line in lines), lines
    assert any(line.startswith("quiz was never opened: ") for line in lines), lines


def test_why_not_says_how_the_node_was_left_before_the_moment_of_the_transition(tmp_path: Path) -> None:
    lines = left(tmp_path, "60", "/why-not done")
    assert (
        "done was not judged in turn 2: home was left for review at `before` by expert, before `after` was judged."
    ) in lines


def test_why_not_takes_a_node_and_proposes_the_nearest_name(tmp_path: Path) -> None:
    lines = left(tmp_path, "hello", "/why-not review", "/why-not closng", "/why-not home", "/why-not zz")
    assert "  expert → review: not known" in lines
    assert "no transition is called 'closng'; did you mean 'closing'?" in lines
    assert "no transition is called 'home'; and none leads to the node 'home'; home has expert, done" in lines
    known = "closing, done, expert, farewell, home, once_farewell, review"
    assert f"no transition is called 'zz'; known: {known}" in lines


def test_a_planned_move_is_said_to_be_planned_and_explained_by_the_turn_that_makes_it(tmp_path: Path) -> None:
    lines = left(tmp_path, "20", "/why", "no", "/why", "/why-not", "/why-not once_farewell")
    assert "after: stayed in closing: goes to farewell with the next message, by once_farewell" in lines
    assert "  once_farewell → farewell: planned, to be made with the next message" in lines
    assert lines.count("closing was left for farewell by once_farewell, the move that an earlier turn had planned") == 2
    assert (
        "once_farewell was not judged in turn 3: an earlier turn had chosen it, and it was taken when this turn began: "
        "closing → farewell."
    ) in lines


def test_why_says_of_a_collecting_node_that_nothing_was_understood(tmp_path: Path) -> None:
    assert "understood: nothing" in left(tmp_path, "hello", "/why")
    assert "understood: nothing" not in left(tmp_path, "20", "/why")


def test_an_undo_that_was_typed_is_told_as_one(tmp_path: Path) -> None:
    lines = talked("I am Ada and I'm 45", "/undo", "/why-not", "/why-not complete", flow=INTAKE)
    assert lines.count("turn 3, an undo back to turn 1") == 2
    assert lines.count("turn 1, the start") == 2


def test_an_event_of_another_system_can_be_played(tmp_path: Path) -> None:
    flow = tmp_path / "order.flow.yaml"
    flow.write_text(
        """
flow: order
start: pay
events: {paid: {amount: integer}}
nodes:
  pay: {say: Please pay., transitions: [{at: event, event: paid, when: event.amount > 9, to: thanks}]}
  thanks: {say: "Thank you for {{ event.amount }}.", end: paid}
"""
    )
    lines = talked("/event payd {}", "/event paid [1]", '/event paid {"amount": 20}', flow=flow)
    shown = "\n".join(lines)
    assert "did you mean 'paid'?" in shown
    assert "write it like payment_received" in shown
    assert shown.count("Thank you for 20.") == 1
