from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.language_client import LanguageClient

PARCEL = """machine "Parcel desk";
context parcel { weight: 0; address: ""; }
task measure "Weigh" { prompt: "Ask for {{ parcel.address }}."; }
task pack { prompt: "Pack it."; }
measure -writes-> parcel;
measure -when: "parcel.weight > 3"-> pack;
pack -> measure;
"""
ORDER = """flow: order
start: ask
records:
  order: {size: {type: choice, options: [Small, Large]}, note: string}
tools:
  price: {about: says what it costs, args: {size: string}}
nodes:
  ask:
    prompt: Ask for the size {{ order.size }}.
    writes: [order]
    tools: [price]
    transitions:
      - {when: "order.size == 'Large'", to: done}
  done: {say: "Your {{ order.size }} comes.", end: sold}
"""


@pytest.fixture
def client(tmp_path: Path) -> Iterator[LanguageClient]:
    made = LanguageClient(tmp_path)
    yield made
    assert made.stop() == 0
    assert made.may_log_errors or b"Traceback" not in made.stderr, made.stderr.decode()


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LanguageClient]:
    """One server for the tests of a module, which name their documents apart."""
    made = LanguageClient(tmp_path_factory.mktemp("project"))
    yield made
    assert made.stop() == 0
    assert b"Traceback" not in made.stderr, made.stderr.decode()
