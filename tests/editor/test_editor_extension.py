"""The extension for VS Code: its files are valid, its grammar knows the language, and what it starts is there."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from support.shell import ROOT
from turnwise.authoring.dygram.compile.names import CONTEXTS
from turnwise.authoring.dygram.scanner import KEYWORDS
from turnwise.authoring.source import DYGRAM

sys.path.insert(0, str(ROOT / "scripts"))
import build_studio

FOLDER = ROOT / "editors" / "vscode"
JSON_FILES = sorted(path for path in FOLDER.rglob("*.json") if "node_modules" not in path.parts)


def read(name: str) -> Any:
    return json.loads(FOLDER.joinpath(name).read_text("utf-8"))


PACKAGE = read("package.json")
GRAMMAR = read("syntaxes/dygram.tmLanguage.json")


@pytest.mark.parametrize("path", JSON_FILES, ids=lambda path: path.name)
def test_each_json_file_is_valid_and_has_no_key_twice(path: Path) -> None:
    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        assert len({key for key, _ in pairs}) == len(pairs)
        return dict(pairs)

    assert json.loads(path.read_text("utf-8"), object_pairs_hook=unique)


def test_the_files_that_the_package_names_are_there() -> None:
    named = [PACKAGE["main"], *[one["configuration"] for one in PACKAGE["contributes"]["languages"]]]
    named += [one["path"] for one in PACKAGE["contributes"]["grammars"]]
    assert [one for one in named if not FOLDER.joinpath(one).is_file()] == []


def test_the_endings_are_those_of_the_language() -> None:
    (language,) = PACKAGE["contributes"]["languages"]
    assert tuple(language["extensions"]) == DYGRAM
    assert PACKAGE["contributes"]["grammars"][0]["language"] == language["id"]


def rules(group: str) -> list[str]:
    """The patterns of a group of the grammar; Oniguruma's and Python's mean the same for what they use."""
    return [one.get("match") or one["begin"] for one in GRAMMAR["repository"][group]["patterns"]]


def test_every_group_of_the_grammar_is_used_and_every_pattern_can_be_read() -> None:
    text = json.dumps(GRAMMAR)
    assert {one for one in GRAMMAR["repository"] if f"#{one}" not in text} == set()
    for group in GRAMMAR["repository"]:
        for pattern in rules(group):
            re.compile(pattern)
    included = set(re.findall(r'"include": "#(\w+)"', text))
    assert included <= set(GRAMMAR["repository"])


@pytest.mark.parametrize("word", sorted(KEYWORDS))
def test_the_grammar_names_each_keyword(word: str) -> None:
    assert any(re.fullmatch(pattern, word) for pattern in rules("keywords"))


@pytest.mark.parametrize("word", sorted({"task", "state", "init", "tool", "type", "note", "style", *CONTEXTS}))
def test_the_grammar_names_each_type_of_nodes(word: str) -> None:
    found = [match for pattern in rules("types") if (match := re.match(pattern, f"{word} x"))]
    assert found
    assert found[0][0] == word


@pytest.mark.parametrize("arrow", ["->", "-->", "=>", "<-->", "<|--", "*-->", "o-->", "<--x-->", "-", "--", "="])
def test_the_grammar_reads_each_arrow_whole(arrow: str) -> None:
    (pattern,) = rules("arrows")
    found = re.match(pattern, arrow)
    assert found is not None
    assert found[0] == arrow


def test_comments_and_brackets_are_those_of_the_language() -> None:
    configuration = read("language-configuration.json")
    assert configuration["comments"] == {"lineComment": "//", "blockComment": ["/*", "*/"]}
    assert configuration["brackets"] == [["{", "}"], ["[", "]"], ["(", ")"]]
    assert re.fullmatch(configuration["wordPattern"], "greet_2")


def test_what_the_extension_starts_is_a_command_of_turnwise(tmp_path: Path) -> None:
    """The script is run with modules of VS Code that do nothing; the command line that it makes is tried for real."""
    script = tmp_path / "run.js"
    script.write_text(
        "const Module = require('module'), load = Module._load;\n"
        "Module._load = (name, ...rest) => (name === 'vscode' ? {} : name.startsWith('vscode-languageclient')"
        " ? { LanguageClient: class {} } : load(name, ...rest));\n"
        f"const extension = require({str(FOLDER / 'extension.js')!r});\n"
        "const given = JSON.parse(process.argv[2]);\n"
        "console.log(JSON.stringify(extension.commandLine({ get: (name) => given[name] })));\n",
        "utf-8",
    )
    defaults = {
        name.removeprefix("turnwise."): one["default"]
        for name, one in PACKAGE["contributes"]["configuration"]["properties"].items()
    }
    made = []
    for given in (
        defaults,
        {**defaults, "command": ["py", "-m", "turnwise"], "store": "sqlite:///x.db", "python": "c.py"},
    ):
        command = [build_studio.find_node()[0], str(script), json.dumps(given)]
        made.append(json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout))
    assert made[0] == {"command": "turnwise", "args": ["lsp"]}
    assert made[1] == {
        "command": "py",
        "args": ["-m", "turnwise", "lsp", "--store", "sqlite:///x.db", "--python", "c.py"],
    }
    program = Path(sys.executable).parent / made[0]["command"]
    found = subprocess.run([program, *made[0]["args"], "--help"], capture_output=True, text=True, check=True)
    for option in ("--store", "--python", "--stdio"):
        assert option in found.stdout


def test_the_version_is_that_of_the_package() -> None:
    from turnwise import __version__

    assert PACKAGE["version"] == __version__
    assert f"turnwise-{__version__}.vsix" in (ROOT / "docs" / "editor.md").read_text("utf-8")
