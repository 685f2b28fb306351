"""The documents of a flow over HTTP: its own and those that it imports, and where each part of it stands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import turnwise as tw
from support.served import in_loop, served
from turnwise.cli import serve

CLAIMS = """\
import { adjuster as expert } from "./parts/people.dy";
import { closing, done } from "./parts/closing.flow.yaml";

machine "Claims desk" {
  autonomous: false;
  start: invoice;
}

context claim {
  amount<number>;
}

task invoice "Check the invoice" {
  prompt: "Ask for the sum.";
}

invoice
  -when: "claim.amount > 10000"-> expert;
invoice -when: "claim.amount <= 10000"-> closing;
"""
PEOPLE = """\
// who may decide
task adjuster "An adjuster" {
  say: "An adjuster calls you.";
  end: "adjuster";
}
"""
CLOSING = """\
flow: closing
start: closing
nodes:

  closing:
    scope:
      flow: survey.flow.yaml
    transitions:
      - id: over
        to: done
  done:
    end: done
"""
SURVEY = """\
flow: survey
start: ask
nodes:
  ask:
    say: Were you content?
    transitions:
      - id: bye
        to: bye
  bye:
    end: done
"""


def written(folder: Path) -> Path:
    (folder / "parts").mkdir()
    for name, text in (("people.dy", PEOPLE), ("closing.flow.yaml", CLOSING), ("survey.flow.yaml", SURVEY)):
        (folder / "parts" / name).write_text(text, "utf-8")
    path = folder / "claims.dy"
    path.write_text(CLAIMS, "utf-8")
    return path


def places(folder: Path, parts: list[dict[str, Any]], key: str) -> dict[str, tuple[str, int]]:
    return {
        one[key]: (Path(one.get("file", "")).relative_to(folder).as_posix(), one["line"])
        for one in parts
        if one.get("line")
    }


@in_loop
async def test_each_part_has_its_file_and_line_also_in_imported_documents(tmp_path: Path) -> None:
    path = written(tmp_path)
    async with served(tw.open(path)) as client:
        source = (await client.get("/api/flows/claims_desk/source")).json()
        texts = {one["name"]: one["text"] for one in source["files"]}
        assert list(texts) == ["claims.dy", "parts/people.dy", "parts/closing.flow.yaml", "parts/survey.flow.yaml"]
        assert (texts["parts/people.dy"], texts["parts/survey.flow.yaml"]) == (PEOPLE, SURVEY)
        assert [one["format"] for one in source["files"]] == ["dygram", "dygram", "yaml", "yaml"]
        assert source["is_followed"] is False
        page = (await client.get("/api/flows/claims_desk")).json()
        levels = {one["scope"]: one["graph"] for one in page["levels"]}
        nodes = places(tmp_path, levels[""]["nodes"], "address") | places(
            tmp_path, levels["closing"]["nodes"], "address"
        )
        assert nodes == {
            "invoice": ("claims.dy", 13),
            "expert": ("parts/people.dy", 2),
            "closing": ("parts/closing.flow.yaml", 5),
            "done": ("parts/closing.flow.yaml", 11),
            "closing/ask": ("parts/survey.flow.yaml", 4),
            "closing/bye": ("parts/survey.flow.yaml", 9),
        }
        edges = places(tmp_path, levels[""]["edges"], "transition")
        assert edges["over"] == ("parts/closing.flow.yaml", 9)
        ways = {(Path(one["file"]).name, one["line"]) for one in levels[""]["edges"] if one["node"] == "invoice"}
        assert ways == {("claims.dy", 18), ("claims.dy", 19)}
        assert places(tmp_path, levels["closing"]["edges"], "transition")["bye"] == ("parts/survey.flow.yaml", 7)


@in_loop
async def test_a_document_that_is_missing_or_wrong_is_listed_with_what_is_known(tmp_path: Path) -> None:
    path = written(tmp_path)
    app = tw.open(path)
    async with served(app) as client:
        client.server.reloads({"claims_desk": serve.source_of(path, None, (), app.machine.flow.files)})
        (tmp_path / "parts" / "people.dy").unlink()
        source = (await client.get("/api/flows/claims_desk/source")).json()
        assert source["is_followed"] is True
        (people,) = [one for one in source["files"] if one["name"] == "parts/people.dy"]
        assert (people["text"], people["saved_ms"]) == ("", 0)
        page = (await client.get("/api/flows/claims_desk")).json()
        assert {one["code"] for one in page["diagnostics"] if one["severity"] == "error"} == {"TW097"}


@in_loop
async def test_a_flow_of_a_program_has_no_documents(tmp_path: Path) -> None:
    async with served(tw.open(tw.loads("flow: one\nstart: a\nnodes: {a: {say: Hi.}}\n"))) as client:
        assert (await client.get("/api/flows/one/source")).json()["files"] == []
