"""Seed 002 in its own language: its four listings run as printed, and each kind of edge does what it says."""

from __future__ import annotations

from typing import Any

import pytest

import turnwise as tw
from support.dygram_runs import FIRST, FOURTH, SECOND, THIRD, Played, codes
from turnwise.authoring.formats import WRITABLE_FORMATS
from turnwise.core.link import link
from turnwise.core.state.events import Faulted, Said
from turnwise.flow.diagnostic import FlowError


@pytest.mark.requirement("002-15", "002-16", "002-03", "002-53")
def test_the_first_listing_runs_prompt_write_condition_end() -> None:
    played = Played(FIRST, [tw.call("write_config", set={"result": "done"}), "I wrote it."])
    assert played.tools_at("start") == [["write_config"], ["write_config"]]
    assert "Update config.result with 'done'" in str(played.model.calls[0])
    assert (played.last.status, played.last.outcome) == ("ended", "complete")
    assert played.last.value("config.result") == "done"
    assert [(source, target) for source, target, _ in played.moves] == [("start", "complete")]


@pytest.mark.requirement("002-18")
@pytest.mark.law("2.8")
def test_a_condition_that_stays_false_ends_the_run_as_stuck() -> None:
    played = Played(FIRST, ["I did nothing."])
    assert played.last.status == "failed"
    assert "config.result" in str(played.last.decisions[-1].line)


@pytest.mark.requirement("002-34", "002-35", "002-36", "002-37", "002-38", "002-39", "002-02", "002-04")
def test_the_second_listing_writes_in_one_task_and_reads_in_the_next() -> None:
    replies = [
        tw.call("write_config", set={"value": "hello world"}),
        "Written.",
        tw.call("read_config"),
        "It is there.",
    ]
    played = Played(SECOND, replies)
    assert [sorted(set(names)) for names in played.tools_at("write")] == [["write_config"]] * 2
    assert [sorted(set(names)) for names in played.tools_at("read")] == [["read_config"]] * 2
    assert "hello world" in str(played.model.calls[-1])
    assert [event.text for event in played.events if isinstance(event, Said)] == ["Written.", "It is there."]
    assert (played.last.status, played.last.outcome) == ("ended", "read")


@pytest.mark.requirement("002-40")
@pytest.mark.parametrize(("text", "line"), [(FIRST, 10), (THIRD, 14)])
def test_a_node_that_only_an_edge_names_gets_a_warning(text: str, line: int) -> None:
    assert ("TW138", line) in codes(text)
    tw.loads(text, format="dygram")


@pytest.mark.requirement("002-41", "002-42", "002-43", "002-44", "002-51")
def test_the_third_listing_works_first_and_judges_the_condition_after_it() -> None:
    played = Played(THIRD, [tw.call("write_result", set={"done": True}), "Done."])
    assert played.model.calls[0].node == "work"
    assert (played.last.outcome, played.last.value("result.done")) == ("complete", True)
    flow = tw.loads(THIRD, format="dygram")
    assert [field.type for field in flow.records[0].fields] == ["boolean"]


@pytest.mark.requirement("002-19")
def test_a_guard_that_is_true_at_entry_waits_for_the_prompt() -> None:
    played = Played(THIRD.replace("done: false", "done: true"), ["I looked at it."])
    assert [call.node for call in played.model.calls] == ["work"]
    assert played.last.outcome == "complete"


@pytest.mark.requirement("002-45", "002-46", "002-47", "002-48", "002-49", "002-50", "002-29")
def test_the_fourth_listing_catches_the_call_of_a_tool_that_does_not_exist() -> None:
    played = Played(FOURTH, [tw.call("no_such_tool"), "I tried."])
    assert played.moves == [("risky", "failed", "error caught: refused in no_such_tool")]
    assert played.last.state is not None
    assert played.last.state.errors >= 1
    assert (played.last.status, played.last.outcome) == ("ended", "failed")


@pytest.mark.requirement("002-24")
@pytest.mark.parametrize("label", ["catch", "error", "CATCH", "Error"])
def test_catch_and_error_edges_are_known_in_any_case(label: str) -> None:
    flow = tw.loads(FOURTH.replace("-catch->", f"-{label}->"), format="dygram")
    assert [(way.at, way.to) for way in flow.nodes[0].transitions] == [("error", "failed")]


@pytest.mark.requirement("002-01", "002-02", "002-03", "002-04")
@pytest.mark.parametrize(
    ("edge", "reads", "writes"),
    [
        ("config -> work", ("config",), ()),
        ("work -reads-> config", ("config",), ()),
        ("work -writes-> config", (), ("config",)),
        ("work -stores-> config", (), ("config",)),
        ("work -> config", ("config",), ()),
        ('work -write: "value"-> config', (), ("config.value",)),
        ("work -reads-> config.value", ("config.value",), ()),
        ("work -> done", (), ()),
    ],
)
def test_an_edge_to_a_context_is_a_permission(edge: str, reads: tuple[str, ...], writes: tuple[str, ...]) -> None:
    text = f'task work {{ prompt: "Work."; }} context config {{ value: ""; }} state done; {edge};'
    (work, *_) = tw.loads(text, format="dygram").nodes
    assert (work.reads, work.writes) == (reads, writes)


@pytest.mark.requirement("002-20")
@pytest.mark.parametrize(
    ("node", "prompt"),
    [
        ("task work { prompt: 'Do it.'; }", "Do it."),
        ("task work 'The title'; work -writes-> c;", "The title"),
        ("task work; work -writes-> c;", "work"),
        ("task work; work -> a; work -> b;", "work"),
        ("task work; work -> a;", ""),
        ("state work 'A state'; work -> a; ", ""),
        ("task work; c -> work;", ""),
    ],
)
def test_a_prompt_a_permission_to_write_and_a_choice_are_work(node: str, prompt: str) -> None:
    flow = tw.loads(f'{node} context c {{ x: ""; }} state a; state b;', format="dygram")
    assert next(one.prompt for one in flow.nodes if one.name == "work") == prompt


@pytest.mark.parametrize(
    ("text", "replies"),
    [
        (FIRST, [tw.call("write_config", set={"result": "done"}), "I wrote it."]),
        (SECOND, [tw.call("write_config", set={"value": "hello world"}), "Written.", "It is there."]),
        (THIRD, [tw.call("write_result", set={"done": True}), "Done."]),
        (FOURTH, [tw.call("no_such_tool")]),
    ],
)
def test_a_stored_conversation_of_each_listing_belongs_to_its_converted_document(text: str, replies: list[Any]) -> None:
    """What `convert` writes in each form is the same flow: it explains the stored conversation without a migration."""
    flow, store = tw.loads(text, format="dygram"), tw.MemoryStore()
    with tw.open_sync(flow, store=store, model=tw.ScriptedModel(replies)) as app:
        app.chat("c").run()
        told = app.chat("c").why("end").line
    for form in ("yaml", "json", "dygram"):
        write = WRITABLE_FORMATS[form].write
        assert write is not None
        converted = tw.loads(write(flow), f"flow.{form}", format=form)
        assert link(converted).fingerprint == link(flow).fingerprint
        with tw.open_sync(converted, store=store, model=tw.ScriptedModel([])) as app:
            assert app.chat("c").why("end").line == told


@pytest.mark.requirement("002-52")
def test_the_log_level_of_a_machine_decides_what_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    replies = [tw.call("write_result", set={"done": True}), "Done."]
    lines: dict[str, list[str]] = {}
    for level in ("debug", "info", "error"):
        caplog.clear()
        Played(THIRD.replace('"debug"', f'"{level}"'), replies)
        lines[level] = [one.getMessage() for one in caplog.records if one.name == "turnwise.flow.prompt_priority_test"]
    assert "main: after: work → complete by to_complete (flow.dy:14:6)" in lines["info"]
    assert {*lines["info"]} < {*lines["debug"]}
    assert lines["error"] == []
    assert codes(THIRD) == [("TW138", 14)]


@pytest.mark.requirement("002-54")
@pytest.mark.law("2.8")
def test_a_machine_runs_by_itself_through_a_chain_and_a_loop() -> None:
    text = """
    context draft { ready: false; }
    task write { prompt: "Write."; }
    task review { prompt: "Review."; }
    review -writes-> draft;
    write -> review;
    review -when: "draft.ready"-> sent;
    review -> write;
    state sent;
    """
    done = tw.call("write_draft", set={"ready": True})
    played = Played(text, ["First.", "Not yet.", "Second.", done, "Good."])
    assert [target for _, target, _ in played.moves] == ["review", "write", "review", "sent"]
    assert (played.last.status, played.last.outcome) == ("ended", "sent")


@pytest.mark.requirement("002-56")
def test_tools_that_are_made_at_run_time_are_refused_with_a_reason() -> None:
    with pytest.raises(FlowError, match=r"TW136 @meta does not run: a flow is not changed while it runs"):
        tw.loads('task work @meta { prompt: "Work."; }', format="dygram")
    played = Played('task work { prompt: "Work."; }', [tw.call("construct_tool", name="x"), "I could not."])
    assert [type(event) for event in played.events if isinstance(event, Faulted)] != []
    assert "construct_tool" not in played.tools_at("work")[0]


@pytest.mark.law("2.14")
def test_a_model_chooses_among_edges_without_a_guard() -> None:
    text = """
    task sort { prompt: "Sort."; }
    sort -bills-> office;
    sort -letters-> home;
    state office; state home;
    """
    played = Played(text, [tw.call("go_to_home")])
    assert played.tools_at("sort") == [["go_to_office", "go_to_home"]]
    assert played.last.outcome == "home"


def test_nodes_of_one_name_in_two_modules_are_two() -> None:
    text = """
    state one { task step { prompt: "First."; } }
    state two { task step { prompt: "Second."; } }
    one -> two;
    """
    played = Played(text, ["1", "2"])
    assert [call.node for call in played.model.calls] == ["one.step", "two.step"]
    assert played.last.outcome == "two.step"


def test_a_failure_inside_of_a_module_is_caught_by_the_edge_around_it() -> None:
    text = """
    state outer { task inner { prompt: "Try."; } }
    outer -catch-> rescue;
    outer -> fine;
    state rescue; state fine;
    """
    assert Played(text, [tw.call("nothing"), "Hm."]).last.outcome == "rescue"
    assert Played(text, ["Done."]).last.outcome == "fine"


def test_the_places_of_a_guard_are_those_of_the_document() -> None:
    text = 'context c { value: 0; }\ntask a { prompt: "A."; }\na -when: "c.value > 1 && c.valu < 3"-> b;\na -> b;\nstate b;'
    with pytest.raises(FlowError) as failed:
        tw.open(tw.loads(text, "guard.dy"))
    assert [str(one.span) for one in failed.value.diagnostics] == ["guard.dy:3:28"]


@pytest.mark.requirement("002-26")
def test_a_catch_edge_is_drawn_as_a_way_and_a_permission_is_not() -> None:
    text = FOURTH + "context config { value: ''; }\nrisky -reads-> config;"
    drawn = tw.draw(tw.loads(text, format="dygram"))
    assert "error · always" in drawn
    assert "reads config" in drawn
    assert tw.loads(text, format="dygram").nodes[0].reads == ("config",)
    assert len([line for line in drawn.splitlines() if "--" in line or "==" in line]) == len(
        [line for line in tw.draw(tw.loads(FOURTH, format="dygram")).splitlines() if "--" in line or "==" in line]
    )
