"""Documents that are edited over HTTP: the answers while a text is typed, saving, and each reason to refuse it."""

from __future__ import annotations

import asyncio
import os
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

import turnwise as tw
from support.served import in_loop, served
from turnwise.authoring.source import MAX_BYTES
from turnwise.cli import serve
from turnwise.server import document_writing
from turnwise.server.limits import ServerLimits

CLAIMS = """\
import { adjuster } from "./parts/people.dy";

machine "Claims desk" {
  autonomous: false;
  start: invoice;
}

context claim {
  amount<number>; // the sum on the invoice
}

state invoice "Check the invoice" {
  form: { fields: [{ field: "claim.amount"; }]; };
}

state done {
  say: "Thank you.";
  end: "done";
}

invoice -when: "claim.amount > 10000"-> adjuster;
invoice -when: "claim.amount <= 10000"-> done;
"""
PEOPLE = 'state adjuster {\n  say: "An adjuster calls you.";\n  end: "adjuster";\n}\n'
SOURCE = "/api/flows/claims_desk/source"


def hash_of(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()


def names_in(folder: Path) -> list[str]:
    return sorted(one.name for one in folder.iterdir())


def written(folder: Path) -> Path:
    (folder / "parts").mkdir()
    (folder / "parts" / "people.dy").write_text(PEOPLE, "utf-8")
    path = folder / "claims.dy"
    path.write_text(CLAIMS, "utf-8")
    return path


@asynccontextmanager
async def edited(path: Path, **more: Any) -> Any:
    """Serve a flow so that its documents can be edited; yield a client."""
    app = tw.open(path)
    async with served(app, **more) as client:
        client.server.reloads({app.machine.flow.name: serve.source_of(path, None, (), app.machine.flow.files)})
        client.server.edits()
        yield client


def code(answer: Any, status: int) -> str:
    assert answer.status_code == status, answer.text
    return answer.json()["code"]


@in_loop
async def test_a_document_is_saved_and_new_conversations_begin_with_it(tmp_path: Path) -> None:
    path = written(tmp_path)
    async with edited(path) as client:
        source = (await client.get(SOURCE)).json()
        assert source["is_editable"] is True
        assert source["files"][0]["sha256"] == hash_of(path)
        await client.post("/api/conversations", json={"flow": "claims_desk", "name": "old"})
        before = (await client.get("/api/flows/claims_desk")).json()["flow"]["fingerprint"]
        text = CLAIMS.replace("Thank you.", "We pay.")
        body = {"file": str(path), "text": text, "sha256": hash_of(path)}
        saved = (await client.put(SOURCE, json=body)).json()
        assert path.read_text("utf-8") == saved["file"]["text"] == text
        assert (saved["is_running"], saved["file"]["sha256"]) == (True, hash_of(path))
        assert saved["fingerprint"] != before
        await client.post("/api/conversations", json={"flow": "claims_desk", "name": "new"})
        for name, reply in (("old", "Thank you."), ("new", "We pay.")):
            turn = await client.post(f"/api/conversations/{name}/turns", json={"text": "5"})
            assert reply in turn.json()["text"]
        assert names_in(tmp_path) == ["claims.dy", "parts"]


@in_loop
async def test_a_document_with_errors_is_saved_and_the_version_before_stays(tmp_path: Path) -> None:
    path = written(tmp_path)
    async with edited(path) as client:
        text = CLAIMS.replace("claim.amount > 1", "claim.ammount > 1")
        body = {"file": str(path), "text": text, "sha256": hash_of(path)}
        saved = (await client.put(SOURCE, json=body)).json()
        assert saved["is_running"] is False
        assert [one["line"] for one in saved["problems"] if one["severity"] == "error"] == [21]
        assert path.read_text("utf-8") == text
        begun = await client.post("/api/conversations", json={"flow": "claims_desk", "name": "new"})
        assert begun.status_code == 201


@in_loop
async def test_an_imported_document_is_checked_as_a_part_and_saved(tmp_path: Path) -> None:
    path = written(tmp_path)
    people = tmp_path / "parts" / "people.dy"
    async with edited(path) as client:
        body = {"file": str(people), "text": PEOPLE.replace("say:", "sya:")}
        found = (await client.post(f"{SOURCE}/check", json=body)).json()["files"]
        (of_people,) = [one for one in found if one["file"] == str(people)]
        assert [(one["code"], one["range"]["start"]["line"]) for one in of_people["problems"]] == [("TW137", 1)]
        text = PEOPLE.replace("calls you", "visits you")
        saved = await client.put(SOURCE, json={"file": str(people), "text": text, "sha256": hash_of(people)})
        assert saved.json()["is_running"] is True
        await client.post("/api/conversations", json={"flow": "claims_desk", "name": "anna"})
        turn = await client.post("/api/conversations/anna/turns", json={"text": "20000"})
        assert "visits you" in turn.json()["text"]


@in_loop
async def test_what_is_typed_is_checked_with_the_other_texts_that_are_not_saved(tmp_path: Path) -> None:
    path = written(tmp_path)
    people = tmp_path / "parts" / "people.dy"
    async with edited(path) as client:
        body: dict[str, Any] = {"file": str(path), "text": CLAIMS.replace("adjuster", "expert")}
        alone = (await client.post(f"{SOURCE}/check", json=body)).json()["files"][0]["problems"]
        assert [one["code"] for one in alone if one["severity"] == "error"][:1] == ["TW098"]
        others = [{"file": str(people), "text": PEOPLE.replace("state adjuster", "state expert")}]
        both = (await client.post(f"{SOURCE}/check", json={**body, "others": others})).json()["files"]
        assert not [one for of in both for one in of["problems"] if one["severity"] == "error"]
        assert (path.read_text("utf-8"), people.read_text("utf-8")) == (CLAIMS, PEOPLE), "checking writes nothing"


@in_loop
async def test_a_problem_has_its_repair_as_an_edit_in_utf_16(tmp_path: Path) -> None:
    path = written(tmp_path)
    async with edited(path) as client:
        wrong = "claim.amount <= 10000"
        text = CLAIMS.replace(wrong, "claim.ammount <= 10000").replace("invoice -", "/* 😀 */ invoice -")
        body = {"file": str(path), "text": text}
        found = (await client.post(f"{SOURCE}/check", json=body)).json()["files"][0]["problems"]
        (problem,) = [one for one in found if one["severity"] == "error"]
        (repair,) = problem["repairs"]
        assert repair["title"] == "Change 'ammount' to 'amount'"
        line = text.split("\n")[repair["range"]["start"]["line"]].encode("utf-16-le")
        begin, end = (repair["range"][one]["character"] for one in ("start", "end"))
        assert line[2 * begin : 2 * end].decode("utf-16-le") == "ammount"
        assert repair["text"] == "amount"


@in_loop
async def test_completion_hover_and_format_answer_as_the_language_server_does(tmp_path: Path) -> None:
    path = written(tmp_path)
    async with edited(path) as client:
        await client.post("/api/conversations", json={"flow": "claims_desk", "name": "anna"})
        await client.post("/api/conversations/anna/turns", json={"text": "5"})
        await client.post(f"{SOURCE}/check", json={"file": str(path), "text": CLAIMS})
        text = CLAIMS + 'invoice -when: "claim.am'
        lines = text.split("\n")
        place = {"file": str(path), "text": text, "line": len(lines) - 1, "character": len(lines[-1])}
        offers = (await client.post(f"{SOURCE}/complete", json=place)).json()["offers"]
        assert [one["label"] for one in offers] == ["amount"]
        place = {"file": str(path), "text": CLAIMS, "line": 21, "character": lines[21].index("<= 10000")}
        hover = (await client.post(f"{SOURCE}/hover", json=place)).json()
        assert hover["counts"] == ["transition to_done: judged 1 time, held 1"]
        place["character"] = lines[21].index("done;")
        hover = (await client.post(f"{SOURCE}/hover", json=place)).json()
        assert hover["title"] == "state done"
        assert "node done: entered in 1 conversation" in hover["counts"]
        body = {"file": str(path), "text": CLAIMS.replace("  say:", "      say:")}
        assert (await client.post(f"{SOURCE}/format", json=body)).json()["text"] == CLAIMS
        body["text"] = 'state a { say: "'
        assert code(await client.post(f"{SOURCE}/format", json=body), 409) == "not_formatted"


BODY = {"text": CLAIMS, "sha256": "0" * 64}


@in_loop
async def test_without_the_option_nothing_is_edited(tmp_path: Path) -> None:
    path = written(tmp_path)
    app = tw.open(path)
    async with served(app) as client:
        assert (await client.get(SOURCE)).json()["is_editable"] is False
        place = {"file": str(path), "text": CLAIMS, "line": 0, "character": 0}
        for method, address, body in (
            ("PUT", SOURCE, {"file": str(path), **BODY}),
            ("POST", f"{SOURCE}/check", {"file": str(path), "text": CLAIMS}),
            ("POST", f"{SOURCE}/format", {"file": str(path), "text": CLAIMS}),
            ("POST", f"{SOURCE}/complete", place),
            ("POST", f"{SOURCE}/hover", place),
        ):
            assert code(await client.request(method, address, json=body), 409) == "editing_off"


@in_loop
async def test_a_key_needs_the_scope_edit(tmp_path: Path) -> None:
    path = written(tmp_path)
    async with edited(path, keys=True) as client:
        body = {"file": str(path), "text": CLAIMS + "\n", "sha256": hash_of(path)}
        all_others = client.as_("ada", "chat", "debug:read", "operator", "events")
        assert code(await client.put(SOURCE, json=body, headers=all_others), 403) == "missing_scope"
        assert (await client.get(SOURCE, headers=all_others)).json()["is_editable"] is False
        assert path.read_text("utf-8") == CLAIMS
        for scope in ("edit", "admin"):
            body["sha256"] = hash_of(path)
            assert (await client.put(SOURCE, json=body, headers=client.as_("ada", scope))).status_code == 200


@in_loop
async def test_only_documents_of_the_flow_are_written(tmp_path: Path) -> None:
    folder = tmp_path / "flow"
    folder.mkdir()
    path = written(folder)
    for other in (folder / "notes.dy", tmp_path / "secret.dy"):
        other.write_text(PEOPLE, "utf-8")
    async with edited(path) as client:
        for file in (
            str(folder / "notes.dy"),
            str(tmp_path / "secret.dy"),
            str(folder / ".." / "secret.dy"),
            f"{path}/../../secret.dy",
            "/etc/passwd",
            "claims.dy\0",
            "",
        ):
            answer = await client.put(SOURCE, json={"file": file, "text": "x", "sha256": "0" * 64})
            assert code(answer, 404) == "unknown_document"
            assert code(await client.post(f"{SOURCE}/check", json={"file": file, "text": "x"}), 404)
        others = [{"file": "/etc/passwd", "text": "x"}]
        body = {"file": str(path), "text": CLAIMS, "others": others}
        assert code(await client.post(f"{SOURCE}/check", json=body), 404) == "unknown_document"


@in_loop
async def test_a_symbolic_link_leads_nothing_out_of_the_folder(tmp_path: Path) -> None:
    folder, outside = tmp_path / "flow", tmp_path / "outside"
    folder.mkdir()
    outside.mkdir()
    path = written(folder)
    (outside / "people.dy").write_text(PEOPLE, "utf-8")
    people = folder / "parts" / "people.dy"
    async with edited(path) as client:
        people.unlink()
        people.symlink_to(outside / "people.dy")
        body = {"file": str(people), "text": "x", "sha256": hash_of(outside / "people.dy")}
        answer = await client.put(SOURCE, json=body)
        assert answer.status_code in (403, 404), answer.text
        people.unlink()
        (folder / "parts").rmdir()
        (folder / "parts").symlink_to(outside)
        answer = await client.put(SOURCE, json=body)
        assert answer.status_code in (403, 404), answer.text
        assert (outside / "people.dy").read_text("utf-8") == PEOPLE


def test_a_link_out_of_the_folder_is_refused_by_the_writer_itself(tmp_path: Path) -> None:
    folder, outside = tmp_path / "flow", tmp_path / "outside.dy"
    folder.mkdir()
    outside.write_text(PEOPLE, "utf-8")
    (folder / "link.dy").symlink_to(outside)
    with pytest.raises(Exception, match="symbolic link leads out"):
        document_writing.write_document(str(folder), str(folder / "link.dy"), "x", hash_of(outside))
    assert outside.read_text("utf-8") == PEOPLE


def test_a_folder_that_becomes_a_link_meanwhile_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, outside = tmp_path / "flow", tmp_path / "outside"
    for one in (folder / "parts", outside):
        one.mkdir(parents=True)
        (one / "a.dy").write_text(PEOPLE, "utf-8")
    real = os.path.realpath

    def late(path: Any, **more: Any) -> str:
        found = real(path, **more)
        if str(path).endswith("a.dy"):  # the link appears after the path was resolved
            (folder / "parts").rename(folder / "before")
            (folder / "parts").symlink_to(outside)
        return found

    monkeypatch.setattr(document_writing.os.path, "realpath", late)
    file = folder / "parts" / "a.dy"
    with pytest.raises(Exception, match="cannot be written"):
        document_writing.write_document(str(folder), str(file), "x", hash_of(outside / "a.dy"))
    assert (outside / "a.dy").read_text("utf-8") == PEOPLE


@in_loop
async def test_a_link_inside_of_the_folder_stays_a_link(tmp_path: Path) -> None:
    path = written(tmp_path)
    people = tmp_path / "parts" / "people.dy"
    people.rename(tmp_path / "parts" / "real.dy")
    people.symlink_to("real.dy")
    async with edited(path) as client:
        text = PEOPLE.replace("calls", "visits")
        answer = await client.put(SOURCE, json={"file": str(people), "text": text, "sha256": hash_of(people)})
        assert answer.json()["is_running"] is True
        assert people.is_symlink()
        assert (tmp_path / "parts" / "real.dy").read_text("utf-8") == text


@in_loop
async def test_a_file_that_changed_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    path = written(tmp_path)
    async with edited(path) as client:
        seen = hash_of(path)
        theirs = CLAIMS.replace("Thank you.", "Thanks.")
        path.write_text(theirs, "utf-8")
        mine = CLAIMS.replace("Thank you.", "We pay.")
        body = {"file": str(path), "text": mine, "sha256": seen}
        assert code(await client.put(SOURCE, json=body), 409) == "document_changed"
        assert path.read_text("utf-8") == theirs
        body["sha256"] = (await client.get(SOURCE)).json()["files"][0]["sha256"]
        assert (await client.put(SOURCE, json=body)).status_code == 200
        assert path.read_text("utf-8") == mine


@in_loop
async def test_saving_answers_with_the_hash_of_what_was_written_also_if_the_file_is_newer_by_then(
    tmp_path: Path,
) -> None:
    path = written(tmp_path)
    async with edited(path) as client:
        reload, theirs = client.server.service.editing.reload, CLAIMS.replace("Thank you.", "Thanks.")

        async def late() -> None:
            path.write_text(theirs, "utf-8")
            await reload()

        client.server.service.editing.reload = late
        mine = CLAIMS.replace("Thank you.", "We pay.")
        saved = (await client.put(SOURCE, json={"file": str(path), "text": mine, "sha256": hash_of(path)})).json()
        assert saved["sha256"] == sha256(mine.encode()).hexdigest()
        assert (saved["file"]["text"], saved["file"]["sha256"]) == (theirs, hash_of(path))


@in_loop
async def test_of_two_who_save_at_once_one_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path)
    async with edited(path) as client:
        texts = [CLAIMS.replace("Thank you.", f"Reply {number}.") for number in range(8)]
        bodies = [{"file": str(path), "text": text, "sha256": hash_of(path)} for text in texts]
        answers = await asyncio.gather(*[client.put(SOURCE, json=body) for body in bodies])
        statuses = [one.status_code for one in answers]
        assert sorted(statuses) == [200] + [409] * 7
        assert path.read_text("utf-8") == texts[statuses.index(200)]


@in_loop
async def test_what_is_too_large_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path)
    async with edited(path, limits=ServerLimits(body_bytes=3 * MAX_BYTES)) as client:
        body: dict[str, Any] = {"file": str(path), "sha256": hash_of(path)}
        assert code(await client.put(SOURCE, json={**body, "text": "x" * (MAX_BYTES + 1)}), 422) == "invalid"
        wide = "ä" * (MAX_BYTES // 2 + 1)  # as many characters as are allowed, and too many bytes
        assert code(await client.put(SOURCE, json={**body, "text": wide}), 413) == "document_too_large"
    async with edited(path) as client:
        assert code(await client.put(SOURCE, json={**body, "text": "x" * MAX_BYTES}), 413) == "body_too_large"
        assert path.read_text("utf-8") == CLAIMS


@in_loop
async def test_what_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path)
    async with edited(path) as client:
        kind = {"content-type": "application/json"}
        half = b'{"file": "%s", "sha256": "%s", "text": "\\ud800"}' % (os.fsencode(path), hash_of(path).encode())
        assert code(await client.put(SOURCE, content=half, headers=kind), 422) == "invalid"
        latin = b'{"file": "%s", "sha256": "%s", "text": "\xe4"}' % (os.fsencode(path), hash_of(path).encode())
        assert code(await client.put(SOURCE, content=latin, headers=kind), 400) == "malformed"
        assert path.read_text("utf-8") == CLAIMS
        path.write_bytes(b"state a { say: '\xe4' }")
        (own, _) = [*(await client.get(SOURCE)).json()["files"], None][:2]
        assert (own["text"], own["sha256"], own["saved_ms"]) == ("", "", 0)


@in_loop
async def test_what_the_system_refuses_says_why_and_leaves_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path)
    async with edited(path) as client:

        def full(*_: Any, **__: Any) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(document_writing.os, "fsync", full)
        body = {"file": str(path), "text": "x", "sha256": hash_of(path)}
        answer = await client.put(SOURCE, json=body)
        assert code(answer, 409) == "document_unavailable"
        assert "No space left on device" in answer.json()["detail"]
        assert str(tmp_path) not in answer.json()["detail"]
        assert names_in(tmp_path) == ["claims.dy", "parts"]
        assert path.read_text("utf-8") == CLAIMS


@in_loop
async def test_line_ends_mark_and_permissions_stay(tmp_path: Path) -> None:
    path = written(tmp_path)
    path.write_bytes(b"\xef\xbb\xbf" + CLAIMS.replace("\n", "\r\n").encode())
    path.chmod(0o640)
    async with edited(path) as client:
        text = CLAIMS.replace("Thank you.", "We pay.")
        await client.put(SOURCE, json={"file": str(path), "text": text, "sha256": hash_of(path)})
        assert path.read_bytes() == b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()
        assert path.stat().st_mode & 0o777 == 0o640


@in_loop
async def test_a_flow_of_a_program_has_nothing_to_edit(tmp_path: Path) -> None:
    del tmp_path
    app = tw.open(tw.loads("flow: claims_desk\nstart: a\nnodes: {a: {say: Hi.}}\n"))
    async with served(app) as client:
        client.server.reloads({})
        client.server.edits()
        assert code(await client.put(SOURCE, json={"file": "", **BODY}), 404) == "unknown_document"
