"""The package as its users import it: its public names are there, however its modules were imported before, and
each part loads only what it needs (rule 10 of the performance page).
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import turnwise as tw

ROOT = Path(__file__).parents[1]

FIRST = [
    "tw.load('tests/flows/health_intake.flow.yaml')",
    "tw.check('tests/flows/health_intake.flow.yaml')",
    "tw.Chat",
    "import turnwise.api.open",
    "import turnwise.api.documents",
    "from turnwise.api.open import check, open as other",
    "import turnwise.testing.play, turnwise.cli.app",
    "pass",
]


@pytest.mark.parametrize("first", FIRST)
def test_open_and_check_are_the_functions_whatever_was_imported_before(first: str) -> None:
    program = f"import turnwise as tw; {first}; assert callable(tw.open), tw.open; assert callable(tw.check), tw.check"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_every_public_name_is_there_and_what_is_not_public_is_refused() -> None:
    for name in tw.__all__:
        assert getattr(tw, name) is getattr(tw, name)
    assert set(tw.__all__) <= set(dir(tw))
    with pytest.raises(AttributeError, match="turnwise has no 'opne'"):
        _ = tw.opne  # type: ignore[attr-defined]


def test_without_the_packages_of_the_server_its_names_say_what_to_install() -> None:
    program = """
import sys
sys.modules["starlette"] = sys.modules["fastapi"] = None
from turnwise import *
import turnwise as tw
try:
    tw.asgi
except tw.TurnwiseError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout == "tw.asgi needs the packages of the server: pip install 'turnwise[server]'\n", done.stderr


@pytest.mark.parametrize("page", ["docs/*.md", "examples/*/README.md", "README.md"])
def test_a_page_names_what_is_public_by_its_short_name(page: str) -> None:
    """What lies deeper has no name in the package: the helpers of tests, which are no part of a product."""
    for path in ROOT.glob(page):
        deep = re.findall(r"^from (turnwise\.[\w.]+) import", path.read_text("utf-8"), re.MULTILINE)
        assert [one for one in deep if not one.startswith("turnwise.testing.")] == [], path


HEAVY = ("pydantic", "ruamel", "fastapi", "opentelemetry", "httpx", "importlib.metadata", "typer", "rich", "asyncio")
OURS_THAT_RUN = (
    "turnwise.api.open",
    "turnwise.models",
    "turnwise.tools",
    "turnwise.understanding",
    "turnwise.runner",
    "turnwise.stores",
    "turnwise.core.explain",
)
EXAMPLE = "tests/flows/health_intake.flow.yaml"
CORE = "import turnwise.core.link, turnwise.core.step, turnwise.core.replay, turnwise.core.explain.decision"
COMMAND = "import sys; from turnwise.cli import main; sys.argv = ['turnwise', {}]\ntry: main()\nexcept SystemExit: pass"
FIRST_TURN = (
    "import turnwise as tw; tw.open_sync('examples/eligibility/eligibility.flow.yaml').chat('main').say('we have some')"
)
RARE = (
    "turnwise.api.delivery",
    "turnwise.archive.asking",
    "turnwise.archive.migrating",
    "turnwise.authoring.python",
    "turnwise.authoring.seeds",
    "turnwise.check",
    "turnwise.core.commands.starts",
    "turnwise.core.prompts.understanding",
    "turnwise.core.state.codec",
    "turnwise.core.explain",
    "turnwise.core.migration",
    "turnwise.core.trace",
    "turnwise.drawing",
    "turnwise.flow.describe",
    "turnwise.models.reach",
    "turnwise.models.selection",
    "turnwise.understanding.corrections",
    "turnwise.understanding.free_items",
    "turnwise.understanding.free_text_answers",
    "turnwise.understanding.left_out",
    "turnwise.understanding.vocabulary.de",
    "turnwise.runner.tool_execution",
    "turnwise.runner.model_calls",
    "turnwise.runner.received_reply",
    "turnwise.runner.replies",
    "turnwise.stores.sqlite",
    *("babel", "difflib", "html", "pydantic", "random", "ruamel", "sqlite3", "urllib", "zoneinfo"),
)
"""What a first turn with a form does without."""

LOADS = [
    ("import turnwise", (*HEAVY, "msgspec", "re2", "turnwise.core", "turnwise.flow")),
    (f"{CORE}", (*HEAVY, "turnwise.authoring", "turnwise.runner", "turnwise.models", "turnwise.understanding")),
    ("import turnwise as tw; tw.open, tw.load, tw.link", ("pydantic", "importlib.metadata", "typer", "rich")),
    (FIRST_TURN, RARE),
    (f"import turnwise as tw; tw.check({EXAMPLE!r})", (*OURS_THAT_RUN, "asyncio", "pydantic", "typer", "rich")),
    (COMMAND.format(f"'check', {EXAMPLE!r}"), (*OURS_THAT_RUN, "asyncio")),
    (COMMAND.format("'--help'"), (*OURS_THAT_RUN, "turnwise.core", "turnwise.flow", "asyncio", "pydantic", "ruamel")),
]


@pytest.mark.parametrize(
    ("program", "refused"), LOADS, ids=["package", "core", "open", "first turn", "check", "command", "help"]
)
def test_nothing_is_loaded_before_it_is_needed(program: str, refused: tuple[str, ...]) -> None:
    told = "import sys; sys.stdout.write('\\nLOADED ' + ' '.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", f"{program}\n{told}"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    loaded = done.stdout.rpartition("LOADED ")[2].split()
    assert "turnwise" in loaded
    assert [name for name in loaded if any(f"{name}.".startswith(f"{one}.") for one in refused)] == []


def test_no_import_by_a_string_leaves_its_package() -> None:
    """The rules of layers do not see it; what is loaded when it is first used is imported in a function."""
    sources = [path for path in (ROOT / "src/turnwise").rglob("*.py") if path.parent.name != "turnwise"]
    found = {path: re.findall(r"import_module\(\s*f?[\"']turnwise\.(\w+)", path.read_text("utf-8")) for path in sources}
    assert any(found.values())
    assert all(package in path.parts for path, packages in found.items() for package in packages), found
