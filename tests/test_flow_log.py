"""The log of a flow: its level decides which lines there are, and no other flow is concerned."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest

import turnwise as tw
from support.served import in_loop, served
from support.shell import run

FLOW = """
flow: sorted_mail
start: sort
autonomous: true
log: LEVEL
records: {mail: {kind: string, pin: {type: string, secret: SECRET}}}
tools: {look: {about: look, args: {at: string, code: {type: string, secret: SECRET, optional: true}}}}
nodes:
  sort:
    prompt: Sort.
    writes: [mail]
    tools: {allow: [look]}
    transitions:
      - {id: sorted, when: has(mail.kind), to: done}
      - {id: lost, at: error, to: done}
  done: {end: over}
"""


def logged(level: str, model: list[Any], caplog: Any, *, secret: bool = False, look: Any = None) -> list[str]:
    """The lines of a run; handlers that a program has configured receive them whatever their loggers let through."""
    caplog.clear()

    @tw.tool
    def look_up(at: str, code: str = "") -> str:
        """Look."""
        if look is not None:
            raise look
        return f"seen at {at}{code}"

    text = FLOW.replace("LEVEL", level).replace("SECRET", str(secret).lower())
    flow = tw.loads(text if level else text.replace("log: \n", ""), format="yaml")
    with tw.open_sync(flow, model=tw.ScriptedModel(model), tools={"look": look_up}) as app:
        app.chat("main").run()
    return [f"{one.levelname} {one.getMessage()}" for one in caplog.records if one.name == "turnwise.flow.sorted_mail"]


def replies() -> list[Any]:
    return [tw.call("look", at="the door"), tw.call("write_mail", set={"kind": "bill"}), "There."]


def test_each_level_has_the_lines_of_those_above_it(caplog: pytest.LogCaptureFixture) -> None:
    lines = {level: logged(level, replies(), caplog) for level in ("", "error", "warning", "info", "debug")}
    assert lines[""] == lines["error"] == lines["warning"] == []
    assert [line.replace(line[line.find("after ") :], "") if "look" in line else line for line in lines["info"]] == [
        "INFO main: look returned ",
        "INFO main: write_mail was answered",
        "INFO main: after: sort → done by sorted (flow.yaml:14:9)",
        "INFO main: the conversation ended: over",
    ]
    assert [line for line in lines["debug"] if line.startswith("INFO")][1:] == lines["info"][1:]
    assert "DEBUG main: look is called" in lines["debug"]
    assert any("the model scripted replied" in line and "calls look" in line for line in lines["debug"])
    assert any("stayed in sort" in line for line in lines["debug"])


def test_a_failure_is_an_error_and_a_refused_call_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    failed = logged("error", [tw.call("look", at="x"), "Oh."], caplog, look=OSError("no light"))
    assert len(failed) == 1
    assert failed[0].startswith("ERROR main: the tool look failed: OSError: no light (")
    refused = logged("warning", [tw.call("nothing"), "Oh."], caplog)
    assert "WARNING main: a call of nothing was refused: unknown_tool" in refused


def test_neither_secrets_nor_line_breaks_get_into_a_line(caplog: pytest.LogCaptureFixture) -> None:
    secret = [
        tw.call("write_mail", set={"pin": "4711-0815"}),
        tw.call("look", at="x", code="opensesame"),
        "Your pin is 4711-0815.",
    ]
    error = ValueError("4711-0815\nERROR main: opensesame is forged")
    lines = logged("debug", secret, caplog, secret=True, look=error)
    assert any("ValueError" in line and "\\nERROR" in line for line in lines)
    assert not [line for line in lines if "4711" in line or "opensesame" in line or "\n" in line]


def test_a_level_that_is_none_is_reported_with_the_nearest() -> None:
    with pytest.raises(tw.FlowError, match="did you mean 'warning'"):
        tw.loads(FLOW.replace("LEVEL", "warnin").replace("SECRET", "false"))


def test_the_lines_are_on_standard_error_where_nothing_is_configured(tmp_path: Any) -> None:
    flow = tmp_path / "a.dy"
    text = 'machine "Loud" { LEVEL } task work { prompt: "Work."; } state over; work -> over;'
    errors: dict[str, list[str]] = {}
    for level in ("", 'logLevel: "debug";', 'logLevel: "info";', 'log: "info";'):
        flow.write_text(text.replace("LEVEL", level), "utf-8")
        (tmp_path / "replies.yaml").write_text("- Done.\n", "utf-8")
        ran = run("chat", flow, "--model", f"scripted:{tmp_path / 'replies.yaml'}")
        assert ran.code == 0
        errors[level] = ran.err.splitlines()
    assert errors[""] == []
    assert [line[:50] for line in errors['logLevel: "info";']] == [line[:50] for line in errors['log: "info";']]
    assert errors['log: "info";'][0].startswith("info turnwise.flow.Loud: main: after: work → over by to_over")
    assert any(line.startswith("debug turnwise.flow.Loud: ") for line in errors['logLevel: "debug";'])


def test_the_level_of_one_flow_changes_neither_loggers_nor_other_flows(caplog: pytest.LogCaptureFixture) -> None:
    logger = logging.getLogger("turnwise.flow.sorted_mail")
    logged("debug", replies(), caplog)
    assert logger.level == logging.NOTSET
    assert logged("", replies(), caplog) == []


@in_loop
async def test_one_flow_of_a_server_is_logged_and_the_other_is_not(capfd: pytest.CaptureFixture[str]) -> None:
    text = 'machine "NAME" { LEVEL } task work { prompt: "Work."; } state over; work -> over;'
    loud = tw.loads(text.replace("NAME", "loud").replace("LEVEL", 'logLevel: "debug";'), format="dygram")
    quiet = tw.loads(text.replace("NAME", "quiet").replace("LEVEL", ""), format="dygram")
    apps = [tw.open(flow, model=tw.ScriptedModel(["Done."])) for flow in (loud, quiet)]
    root = logging.getLogger()
    handlers, root.handlers = root.handlers, []  # as in a process that has configured none
    try:
        async with served(*apps) as client:
            for name in ("loud", "quiet"):
                begun = await client.post("/api/conversations", json={"flow": name, "name": f"run-{name}"})
                assert begun.status_code == 201
                while (await client.get(f"/api/conversations/run-{name}")).json()["status"] != "ended":
                    await asyncio.sleep(0.01)
    finally:
        root.handlers = handlers
    lines = capfd.readouterr().err.splitlines()
    assert any(line.startswith("info turnwise.flow.loud: run-loud: after: work → over") for line in lines)
    assert not [line for line in lines if "quiet" in line]
