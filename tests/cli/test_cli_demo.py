"""`turnwise demo`: plays where nobody can type, talks in a terminal."""

from __future__ import annotations

from support.shell import Terminal, run


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
