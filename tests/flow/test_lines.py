"""Texts of several lines: what is wrong in one is told at its own line, in whatever way the text is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from turnwise.api.documents import check, check_text

HEAD = (
    "flow: f\nstart: a\nprompt: Talk.\nrecords: {user: {name: string}}\nnodes:\n  a:\n    collect: [user]\n    end: x\n"
)
WRITTEN = {
    "one line": "prompt: Hello {{ user.nam }}.",
    "quoted": 'prompt: "Hello {{ user.nam }}."',
    "literal": "prompt: |\n      Hello,\n        you are\n\n      {{ user.nam }}.\n",
    "literal, indented": "prompt: |2-\n        Hello,\n      {{ user.nam }}.\n",
    "folded": "prompt: >-\n      Hello,\n      you\n\n      are {{ user.nam }}.\n",
    "plain": "prompt: Hello,\n      you are\n        {{ user.nam }}.\n",
    "double quotes": 'prompt: "Hello,\n      you are\n\n      {{ user.nam }}."\n',
    "single quotes": "prompt: 'Hello,\n      it is {{ user.nam }}.'\n",
    "inline": 'form: {fields: [{field: user.name, ask: "Who,\n      I ask, {{ user.nam }}"}]}\n',
    "a list": 'form: {fields: [{field: user.name, rephrase: [Who?,\n "{{ user.nam }}"]}]}\n',
    "a guard": "transitions:\n      - to: a\n        when: |\n          has(user.name)\n          && user.nam == 'x'\n",
    "a guard, folded": "transitions:\n      - to: a\n        when: >\n          has(user.name)\n          && user.nam == 'x'\n",
    "conditions": "set:\n      user.name: >-\n        user.name\n        + user.nam\n",
}


@pytest.mark.parametrize("name", WRITTEN)
def test_what_is_wrong_in_a_text_is_told_at_its_line(name: str) -> None:
    text = f"{HEAD}    {WRITTEN[name]}"
    (found,) = [one for one in check_text(text.encode(), "f.yaml") if one.severity == "error"]
    line = text.split("\n")[found.span.line - 1]
    assert (found.code, line[found.span.column - 1 :][:3]) == ("TW031", "nam")


def test_lines_end_as_their_system_ends_them() -> None:
    text = f"{HEAD}    {WRITTEN['literal']}".replace("\n", "\r\n")
    (found,) = [one for one in check_text(text.encode(), "f.yaml") if one.severity == "error"]
    assert text.split("\r\n")[found.span.line - 1][found.span.column - 1 :].startswith("nam")


PYTHON = {
    "three quotes": '"""Hello,\n  you are\n\n{{ user.nam }}."""',
    "one after another": '("Hello, "\n  "you are "\n      "{{ user.nam }}.")',
    "one line": '"Hello {{ user.nam }}."',
}


@pytest.mark.parametrize("name", PYTHON)
def test_what_is_wrong_in_a_text_of_python_is_told_at_its_line(tmp_path: Path, name: str) -> None:
    made = f'tw.Node("a", collect=["user"], end="x", prompt={PYTHON[name]})'
    text = f'import turnwise as tw\nclass User(tw.Record):\n    name: str\nflow = tw.Flow("f", "a", records=[User], nodes=[{made}])\n'
    file = tmp_path / "made.py"
    file.write_text(text, "utf-8")
    (found,) = [one for one in check(file) if one.severity == "error"]
    assert text.split("\n")[found.span.line - 1][found.span.column - 1 :].startswith("nam")
