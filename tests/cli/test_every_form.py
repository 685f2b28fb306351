"""Each command takes a flow in every form: DyGram with each of its endings, YAML and JSON; from a file and from `-`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from support.shell import run

DYGRAM = """\
machine "Desk" {
  autonomous: false;
  start: ask;
}
context user {
  age<number>;
}
state ask "Ask" {
  form: { fields: [{ field: "user.age" }]; };
}
state old { say: "Old."; end: "old"; }
state young { say: "Young."; end: "young"; }
ask -when: "user.age > 40"-> old;
ask -when: "user.age <= 40"-> young;
"""
FORMS = {"dy": "dygram", "dygram": "dygram", "mach": "dygram", "flow.yaml": "yaml", "yml": "yaml", "json": "json"}
ENDINGS = tuple(FORMS)


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The same flow in each form."""
    file = tmp_path_factory.mktemp("forms") / "desk.dy"
    file.write_text(DYGRAM, "utf-8")
    found = {form: run("convert", file, "--to", form) for form in ("dygram", "yaml", "json")}
    assert [(one.code, one.err) for one in found.values()] == [(0, "")] * 3
    return {form: one.out for form, one in found.items()}


@pytest.fixture
def flow(request: pytest.FixtureRequest, texts: dict[str, str], tmp_path: Path) -> Path:
    file = tmp_path / f"desk.{request.param}"
    file.write_text(texts[FORMS[request.param]], "utf-8")
    return file


COMMANDS = {
    "check": (("check", "FLOW"), "no problems"),
    "check --json": (("check", "FLOW", "--json"), "[]"),
    "draw": (("draw", "FLOW"), "flowchart TD"),
    "draw --format dot": (("draw", "FLOW", "--format", "dot"), "digraph"),
    "convert --to yaml": (("convert", "FLOW", "--to", "yaml"), "flow: Desk"),
    "convert --to json": (("convert", "FLOW", "--to", "json"), '"flow": "Desk"'),
    "convert --to dygram": (("convert", "FLOW", "--to", "dygram"), 'machine "Desk"'),
    "convert --to python": (("convert", "FLOW", "--to", "python"), "tw.Flow("),
    "diff": (("diff", "FLOW", "FLOW"), "node ask: compatible"),
    "schedule list": (("schedule", "list", "FLOW"), "has no schedules"),
}


@pytest.mark.parametrize("flow", ENDINGS, indirect=True)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_reads_a_file_of_every_form(flow: Path, command: str) -> None:
    words, expected = COMMANDS[command]
    ran = run(*[flow if word == "FLOW" else word for word in words])
    assert (ran.code, ran.err) == (0, ""), ran
    assert expected in ran.out
    assert flow.suffix == ".yaml" or "YAML" not in ran.out


@pytest.mark.parametrize("form", ["dygram", "yaml", "json"])
@pytest.mark.parametrize("command", [name for name in COMMANDS if name != "diff"])
def test_a_command_reads_standard_input_of_every_form(texts: dict[str, str], command: str, form: str) -> None:
    words, expected = COMMANDS[command]
    ran = run(*["-" if word == "FLOW" else word for word in words], "--from", form, given=texts[form])
    assert (ran.code, ran.err) == (0, ""), ran
    assert expected in ran.out


@pytest.mark.parametrize("flow", ENDINGS, indirect=True)
def test_a_conversation_is_talked_stored_explained_and_asked(flow: Path, tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path}/talks.db"
    talked = run("chat", flow, "--store", store, given="50\n")
    assert talked.code == 0
    assert "Old." in talked.out
    explained = run("explain", "main", "node old", "--store", store)
    assert explained.code == 0
    assert re.search(rf"{re.escape(flow.name)}:\d+", explained.out), "it names the line"
    what_if = run("what-if", "main", "--store", store, "--flow", flow, "--set", "user.age=20")
    assert what_if.code == 0, what_if
    assert "young" in what_if.out
    assert run("history", "--store", store).code == 0
    replayed = run("replay", "main", "--store", store, "--flow", flow)
    assert replayed.code == 0, replayed
    compared = run("diff", flow, flow, "--store", store)
    assert compared.code == 0, compared
    moved = run("migrate", flow, "--store", store, "--dry-run")
    assert moved.code == 0, moved


@pytest.mark.parametrize("flow", ENDINGS, indirect=True)
def test_scenarios_and_their_coverage(flow: Path, tmp_path: Path) -> None:
    (tmp_path / "desk.scenario").write_text(f"flow: {flow.name}\n\nuser: 50\nbot: Old.\n", "utf-8")
    ran = run("test", tmp_path, "--coverage")
    assert ran.code == 0, ran
    assert "1 passed" in ran.out
    assert "young" in ran.out, "what was not covered"


@pytest.mark.parametrize("flow", ["dy", "dygram", "mach", "flow.yaml", "json"], indirect=True)
def test_format_of_a_file_and_of_standard_input_agree(flow: Path) -> None:
    form = FORMS[flow.name.partition(".")[2]]
    flow.write_text(f"{flow.read_text('utf-8')}\n", "utf-8")
    piped = run("format", "-", "--from", form, given=flow.read_text("utf-8"))
    assert run("format", flow, "--check").code == 1
    assert run("format", "-", "--check", "--from", form, given=flow.read_text("utf-8")).code == 1
    assert run("format", flow).code == 0
    assert (piped.code, piped.out, piped.err) == (0, flow.read_text("utf-8"), "")
    assert run("format", "-", "--check", "--from", form, given=piped.out).code == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("check", "-", "--from", "dygran"), "--from: no form is called 'dygran'; did you mean 'dygram'?"),
        (("check", "desk.dy", "--from", "dygram"), "--from is for standard input, whose flow is '-'"),
        (("convert", "desk.dy", "--to", "json", "--from", "yaml"), "--from is for standard input, whose flow is '-'"),
    ],
)
def test_a_form_that_is_none_and_one_that_nothing_needs_are_refused(words: tuple[str, ...], message: str) -> None:
    ran = run(*words, given=DYGRAM)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err


def test_a_problem_of_standard_input_has_its_line() -> None:
    ran = run("check", "-", "--from", "dygram", given=DYGRAM.replace("user.age > 40", "user.aeg > 40"))
    assert ran.code == 1
    assert re.match(r"<stdin>\.dy:13:\d+: TW\d+ ", ran.lines[0])
    assert "    ask -when" in ran.out, "the line is shown"
