"""The command line as it starts: help, what it imports, wrong usage, exit codes."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
import typer

from support.chats import INTAKE
from support.shell import arguments, environment, run
from turnwise.cli import app as commands
from turnwise.cli import (
    conversation_options,
    delivery_options,
    schedule_options,
    server_options,
    soak_options,
    store_options,
)
from turnwise.cli.options import FORM_OF_INPUT, FUNCTION_OF_COMMAND, function_at

HEAVY = ("pydantic", "ruamel", "fastapi", "opentelemetry", "httpx", "pydantic_ai", "uvicorn", "psycopg")


def imported(program: str) -> set[str]:
    """The packages that a program has imported at its end."""
    code = f"{program}\nimport sys\nprint(' '.join(sorted({{name.partition('.')[0] for name in sys.modules}})))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment(), timeout=60
    )
    return set(done.stdout.splitlines()[-1].split())


def test_help_lists_the_commands() -> None:
    for asked in (["--help"], ["-h"], []):
        ran = run(*asked)
        assert ran.code == (0 if asked else 2)
        assert "Usage: turnwise [OPTIONS] COMMAND" in ran.out
        for command in ("demo", "chat", "check", "test"):
            assert f"│ {command} " in ran.out
        assert max(map(len, ran.lines)) <= 80
        assert ran.err == ""


@pytest.mark.parametrize("command", ["demo", "chat", "check", "test"])
def test_every_command_has_help(command: str) -> None:
    ran = run(command, "--help")
    assert ran.code == 0
    assert f"Usage: turnwise {command}" in ran.out


def test_the_version_is_printed_alone() -> None:
    import turnwise

    ran = run("--version")
    assert (ran.code, ran.out, ran.err) == (0, f"turnwise {turnwise.__version__}\n", "")


@pytest.mark.parametrize(
    "program",
    [
        "import turnwise",
        "import turnwise as tw; tw.guard",
        "import turnwise.cli",
        "import sys; sys.argv = ['turnwise', '--help']\n"
        "try:\n from turnwise.cli import main; main()\nexcept SystemExit: pass",
    ],
)
def test_starting_imports_nothing_heavy(program: str) -> None:
    assert not imported(program) & set(HEAVY)


def test_import_of_the_package_imports_almost_nothing() -> None:
    assert not imported("import turnwise") & {"msgspec", "typer", "rich", "re2", "asyncio"}


def test_checking_imports_no_server_and_no_provider() -> None:
    program = f"import turnwise as tw; assert tw.check({str(INTAKE)!r}) == []"
    assert not imported(program) & {"pydantic", "fastapi", "opentelemetry", "httpx", "pydantic_ai", "uvicorn", "rich"}


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["nope"], "No such command 'nope'"),
        (["--nope"], "No such option"),
        (["check"], "name a flow document, or --list"),
        (["chat"], "Missing argument"),
        (["test"], "Missing argument"),
        (["check", "--nope", "x"], "No such option"),
        (["chat", "a.yaml", "b.yaml"], "unexpected extra argument"),
    ],
)
def test_wrong_usage_is_2_and_says_what_is_wrong_on_standard_error(args: list[str], said: str) -> None:
    ran = run(*args)
    assert ran.code == 2
    assert ran.out == ""
    assert said in ran.err


def test_output_that_cannot_be_shown_is_a_question_mark_not_the_end(tmp_path: Path) -> None:
    ran = run("chat", "--debug", INTAKE, given="hi\n/why\n", PYTHONIOENCODING="ascii:strict", PYTHONUTF8="0")
    assert ran.code == 0
    assert "stayed in introduction" in ran.out
    ran = run("check", b"\xff.yaml".decode("utf-8", "surrogateescape"), at=tmp_path)
    assert ran.code == 1
    assert "TW001 there is no such file" in ran.out


def test_a_pipe_that_closes_early_is_no_drama(tmp_path: Path) -> None:
    nodes = "".join(f"  n{number}: {{say: hi, once: nowhere}}\n" for number in range(2000))
    (tmp_path / "f.yaml").write_text(f"flow: f\nstart: n0\nnodes:\n{nodes}", "utf-8")
    command = f"{sys.executable} -c 'from turnwise.cli import main; main()' check f.yaml | head -1"
    done = subprocess.run(
        command, shell=True, cwd=tmp_path, capture_output=True, text=True, check=False, env=environment(), timeout=120
    )
    assert "TW012 transition goes to 'nowhere'" in done.stdout
    assert done.stderr == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
@pytest.mark.parametrize(
    "args", [("check", INTAKE), ("check", "--json", INTAKE), ("chat", INTAKE), ("--help",), ("--version",)]
)
def test_output_that_cannot_be_written_is_one_line_and_no_mistake_of_turnwise(args: tuple[str | Path, ...]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            list(arguments(*args)),
            stdin=subprocess.DEVNULL,
            stdout=full,
            stderr=subprocess.PIPE,
            env=environment(),
            check=False,
            timeout=60,
        )
    assert done.returncode == 1
    assert done.stderr.decode() == "reading or writing failed: [Errno 28] No space left on device\n"


def test_the_package_can_be_run_as_a_module() -> None:
    command = [sys.executable, "-m", "turnwise"]
    done = subprocess.run([*command, "--version"], capture_output=True, text=True, check=False, env=environment())
    assert done.stdout.startswith("turnwise ")
    done = subprocess.run([*command, "check"], capture_output=True, text=True, check=False, env=environment())
    assert done.returncode == 2
    assert done.stderr == "name a flow document, or --list\n"


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("chat", "Read messages from standard input, and print one JSON object per turn."),
        ("check", "Print one JSON list."),
        ("test", "Print one JSON list."),
    ],
)
def test_every_command_says_what_its_json_is(command: str, said: str) -> None:
    assert said in " ".join(run(command, "--help", COLUMNS="200").out.replace("│", " ").split())


def test_a_mistake_of_turnwise_is_one_clear_line_and_a_traceback_when_asked_for() -> None:
    program = (
        "import sys, turnwise.cli.check as c\n"
        "def broken(*a, **k): raise ZeroDivisionError('oh')\n"
        "c.run_check = broken\n"
        "sys.argv = ['turnwise', 'check', 'x']\n"
        "from turnwise.cli import main; main()"
    )
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment(), timeout=60)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines() == [
        "internal error: ZeroDivisionError: oh",
        "This is a mistake in turnwise. Set TURNWISE_DEBUG=1 to see where it happened.",
    ]
    debugging = environment(TURNWISE_DEBUG="1")
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=debugging, timeout=60)
    assert "Traceback" in done.stderr


def place_in(module: ModuleType, command: str) -> str:
    """Which function a command of a module is run by."""
    found = getattr(module, command, None)
    return FUNCTION_OF_COMMAND.get(command, "") if getattr(found, "__module__", "") == module.__name__ else ""


@pytest.mark.parametrize(("command", "place"), FUNCTION_OF_COMMAND.items())
def test_a_command_has_the_arguments_of_the_function_that_runs_it(command: str, place: str) -> None:
    places = (
        commands,
        conversation_options,
        server_options,
        store_options,
        schedule_options,
        delivery_options,
        soak_options,
    )
    module = next(one for one in places if place_in(one, command) == place)
    declared = inspect.signature(getattr(module, command)).parameters
    assert [name for name in declared if name != FORM_OF_INPUT] == list(
        inspect.signature(function_at(place)).parameters
    )


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["check", "flow.yaml"], ["check"]),
        (["what-if", "--store", "x"], ["what-if"]),
        (["store", "info"], ["store"]),
        ([], None),
        (["--help"], None),
        (["chekc", "check"], None),
    ],
)
def test_only_the_command_that_is_called_is_built(arguments: list[str], expected: list[str] | None) -> None:
    from turnwise.cli.app import app, commands_for

    built = list(typer.main.get_group(commands_for(arguments)).commands)
    assert built == (expected or list(typer.main.get_group(app).commands))
