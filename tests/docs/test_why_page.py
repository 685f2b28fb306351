"""The page "Ask why" shows answers that are given: it is written by running its examples."""

from __future__ import annotations

import importlib.util
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_page_shows_the_answers_that_are_given() -> None:
    spec = importlib.util.spec_from_file_location("why_page", ROOT / "scripts" / "why_page.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    path, text = module.why_page()
    assert (ROOT / path).read_text("utf-8") == text, f"{path} is out of date: run scripts/why_page.py"
