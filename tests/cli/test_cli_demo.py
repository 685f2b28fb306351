"""`turnwise demo`: plays where nobody can type, talks in a terminal."""

from __future__ import annotations

from support.shell import Terminal, run


def test_without_a_terminal_it_plays_and_ends() -> None:
    ran = run("demo")
    assert (ran.code, ran.err) == (0, "")
    assert "\x1b" not in ran.out
    assert "This is an example flow" in ran.lines[0]
    for line in ("you › hello", "you › /why-not done", "  → handed over to planner", "  (ended: handed_over)"):
        assert line in ran.lines
    assert ran.lines[-1] == "Now talk with it yourself: turnwise demo, in a terminal."


def test_it_shows_the_verdict_lines_when_asked() -> None:
    assert "  · after: intake → handed_over by done: the answers were confirmed" in run("demo", "--debug").lines


def test_in_a_terminal_it_talks() -> None:
    terminal = Terminal("demo")
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
