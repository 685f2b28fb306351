"""`turnwise demo` without its page: plays where nobody can type, talks in a terminal."""

from __future__ import annotations

import pytest

from support.shell import Terminal, run
from turnwise.api.documents import load
from turnwise.cli.demo_examples import EXAMPLES, examples
from turnwise.models.dialogue import read_dialogue


def test_without_a_terminal_it_plays_and_ends() -> None:
    ran = run("demo")
    assert (ran.code, ran.err) == (0, "")
    assert "\x1b" not in ran.out
    assert "This is an example flow" in ran.lines[0]
    for line in ("you › /why-not expert", "  → handed over to planner", "  (ended: handed_over)"):
        assert line in ran.lines
    assert "trouble understanding" not in ran.out


def test_what_it_plays_shows_values_where_they_came_from_and_what_would_have_to_change() -> None:
    lines = run("demo").lines
    why = lines[lines.index("you › /why") :]
    assert '      ✓ case.purpose == "Referral"   case.purpose is Referral (understood, turn 4)' in why
    assert "    would hold with: case.insurance_history = Yes" in why


def test_it_ends_with_an_invitation() -> None:
    ran = run("demo")
    assert ran.lines[-1] == "Now talk with it yourself: turnwise demo opens a page, with --terminal here."


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("eligibility", "  → handed over to planner"),
        ("health_intake", "    would hold with: user.tos_acknowledged = true"),
        ("thinking_partner", "  tools used: think 1, summarize 1, list_generation 1"),
        ("context_machine", "  done → complete “there is a result”: taken"),
        ("returns_desk", "  (ended: paid)"),
    ],
)
@pytest.mark.requirement("000-81")
def test_each_example_plays_offline_and_names_the_others(name: str, shown: str) -> None:
    ran = run("demo", name)
    assert (ran.code, ran.err) == (0, "")
    assert shown in ran.lines
    (others,) = [line for line in ran.lines if line.startswith("Other examples: ")]
    assert {one for one in EXAMPLES if f"turnwise demo {one}" in others} == {*EXAMPLES} - {name}
    assert ran.lines[-1].startswith("Now talk with it yourself: turnwise demo")


def test_every_folder_of_the_examples_can_be_talked_with() -> None:
    assert {path.name for path in examples().iterdir() if path.is_dir()} == {*EXAMPLES}
    assert all((examples() / name / example.flow).is_file() for name, example in EXAMPLES.items())


def test_an_example_that_does_not_exist_is_one_line_with_the_nearest_name() -> None:
    ran = run("demo", "health-intake")
    assert (ran.code, ran.out) == (2, "")
    assert "no example is called 'health-intake'; did you mean 'health_intake'?" in " ".join(
        ran.err.replace("│", "").split()
    )


def test_it_shows_the_verdict_lines_when_asked() -> None:
    assert "  · after: intake → handed_over by done: the form handed the case over" in run("demo", "--debug").lines


def test_in_a_terminal_it_talks() -> None:
    terminal = Terminal("demo", "--terminal", "eligibility")
    shown = terminal.expect("you › ")
    assert "turnwise demo" in shown
    assert "[1] Yes   [2] No   [3] Unknown" in shown
    terminal.type("No")
    terminal.expect("Please collect the patient's information first.")
    terminal.expect("you › ")
    terminal.press(b"\x04")
    assert terminal.end() == 0


def test_in_a_terminal_it_plays_when_asked() -> None:
    terminal = Terminal("demo", "--play")
    terminal.expect("handed over to planner", timeout_s=60)
    terminal.expect("Now talk with it yourself")
    assert terminal.end() == 0


# offered lines -----------------------------------------------------------------------------------


def test_the_offered_lines_of_the_thinking_partner_open_steps_and_use_tools() -> None:
    shell = Terminal("demo", "--terminal", "thinking_partner")
    shell.expect("[2] I need some research first")
    shell.type("1")
    shell.expect("you › I don't know whether to change my job")
    shell.expect("Which one would you miss?")
    shell.expect("[1] The people. Please keep that thought")
    shell.type("1")
    shell.expect("It is kept, and reviewed.")
    shell.type("/state")
    shell.expect("node review")
    shell.expect("summarize 2, save_result 1")
    shell.type("1")
    shell.expect("decide on Sunday.")
    shell.type("/quit")
    assert shell.end() == 0


def test_an_unknown_line_says_once_that_no_model_is_connected_and_what_to_type() -> None:
    shell = Terminal("demo", "--terminal", "thinking_partner")
    shell.expect("[1] I don't know whether")
    shell.type("what is the weather like")
    shell.expect("No model is connected, so I cannot talk freely here. Please type the number")
    shell.expect("[1] I don't know whether")
    shell.type("and tomorrow")
    assert "No model" not in shell.expect("Please type the number of a line.")
    shell.type("/quit")
    assert shell.end() == 0


def test_no_model_is_said_once_also_where_a_field_is_still_needed() -> None:
    shell = Terminal("demo", "--terminal", "health_intake")
    shell.expect("[1] I'm Maria")
    shell.type("My name is Eva")
    shell.expect("No model is connected, so I cannot talk freely here. I still need: age")
    shell.type("I am 47 and I agree to the terms")
    assert "No model" not in shell.expect("I still need: symptoms")
    shell.type("I sleep badly")
    shell.expect("I still need: symptoms")
    shell.type("also my mood is bad")
    shell.expect("I still need: symptoms")
    shell.type("/state")
    shell.expect("symptoms.groups = sleep, mood")
    shell.type("/quit")
    assert shell.end() == 0


@pytest.mark.parametrize(
    ("name", "before", "again"),
    [
        ("thinking_partner", ["I don't know whether to change my job"], "[1] I don't know whether to change my job"),
        ("context_machine", [], 'The result is "done".'),
    ],
)
def test_a_new_conversation_has_all_its_lines_and_replies_again(name: str, before: list[str], again: str) -> None:
    shell = Terminal("demo", "--terminal", name)
    shell.expect(again)
    for line in before:
        shell.type(line)
        shell.expect("[1]")
    shell.type("/new")
    shell.expect(again)
    shell.type("/quit")
    assert shell.end() == 0


def test_where_no_line_is_left_it_says_how_to_begin_anew() -> None:
    shell = Terminal("demo", "--terminal", "thinking_partner")
    for line in ("1", "1", "1"):
        shell.expect("[1]")
        shell.type(line)
    shell.expect("decide on Sunday.")
    shell.type("Is there some research on that?")
    shell.expect("[1] Then let us plan the decision")
    shell.type("1")
    shell.expect("decide on Sunday.")
    shell.type("thanks, I will think about it")
    shell.expect("There are no more lines:")
    shell.expect("/new begins anew.")
    shell.type("/quit")
    assert shell.end() == 0


@pytest.mark.parametrize("name", ["thinking_partner", "health_intake"])
def test_lines_are_offered_in_nodes_that_the_example_has(name: str) -> None:
    dialogue = read_dialogue(examples() / name / "demo.dialogue.yaml")
    nodes = {node.name for node in load(examples() / name / EXAMPLES[name].flow).nodes}
    assert {line.node for line in dialogue.lines} <= nodes


def test_one_chooses_among_the_examples_and_enter_takes_the_first() -> None:
    shell = Terminal("demo", "--terminal")
    shell.expect("[2] health_intake")
    shell.expect("which example?")
    shell.type("9")
    shell.expect("type a number from 1 to 7, or a name")
    shell.type("2")
    shell.expect("Hello, I am Freya.")
    shell.type("/quit")
    assert shell.end() == 0
    shell = Terminal("demo", "--terminal")
    shell.expect("which example?")
    shell.type("")
    shell.expect("Do we have patient information")
    shell.type("/quit")
    assert shell.end() == 0


def test_after_the_end_one_asks_begins_anew_or_leaves() -> None:
    shell = Terminal("demo", "--terminal", "health_intake")
    shell.expect("[2] I am 30 years old")
    for line in ("I'm Maria, and I'm fifty-two", "yes, I agree", "I sleep badly and forget things", "and my joints"):
        shell.type(line)
        shell.expect("[1]")
    shell.type("1")
    shell.expect("The conversation has ended: /why explains it, /new begins another, Enter leaves")
    shell.type("/why")
    shell.expect("farewell")
    shell.type("/new")
    shell.expect("Hello, I am Freya.")
    shell.type("I am 30")
    shell.expect("Was that a slip?")
    shell.type("/quit")
    assert shell.end() == 0
