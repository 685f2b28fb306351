"""The seventeen defects that probes of the first implementation of DyGram found, each with what happens here instead.

The numbers are those of the list of probes.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import turnwise as tw
from support.dygram_runs import FIRST, Played, codes
from support.shell import run
from turnwise.core.state.events import CallAnswered, CallRefused
from turnwise.errors import ProviderFailed
from turnwise.flow.diagnostic import FlowError


def failed(text: str) -> list[str]:
    """The codes of what keeps a document from being opened."""
    with pytest.raises(FlowError) as refused:
        tw.open(tw.loads(text, format="dygram"))
    return [one.code for one in refused.value.diagnostics]


def test_probe_01_the_seed_example_leaves_its_node_and_asks_the_model_once() -> None:
    played = Played(FIRST, [tw.call("write_config", set={"result": "done"}), "Done."])
    assert [target for _, target, _ in played.moves] == ["complete"]
    assert len(played.model.calls) == 2  # its call, and its words after the result


@pytest.mark.parametrize("guard", ["nothing.x > 1", "c.y == 2", "c.x + 'a' > 2", "c.x >"])
def test_probe_02_a_guard_in_error_is_reported_and_never_true(guard: str) -> None:
    text = f'context c {{ x: 0; }} task a {{ prompt: "A."; }} a -when: "{guard}"-> b; state b;'
    assert [code[:3] for code in failed(text)] == ["TW0"]
    missing = 'context c { x<number>; } task a { prompt: "A."; } a -when: "c.x > 1"-> b; state b;'
    assert Played(missing, ["Done."]).moves == []


def test_probe_03_an_end_a_dead_end_and_a_limit_end_the_run() -> None:
    assert Played('task a { prompt: "A."; }', ["Done."]).last.status == "ended"
    stuck = Played('context c { x: 0; } task a { prompt: "A."; } a -when: "c.x > 1"-> b; state b;', ["Done."])
    assert stuck.last.state is not None
    assert "stuck" in str(stuck.last.state.status)
    around = 'machine "Around" { maxSteps: 7; } state a; state b; a -> b; b -> a;'
    limited = Played(around, [])
    assert limited.last.status == "failed"
    assert len(limited.moves) == 7


def test_probe_04_an_edge_without_a_guard_is_taken_where_the_guard_beside_it_is_false() -> None:
    text = 'context c { x: 0; } state a; a -when: "c.x > 1"-> b; a -> other; state b; state other;'
    assert Played(text, []).last.outcome == "other"


def test_probe_05_the_prompts_of_a_chain_all_run() -> None:
    text = 'task a { prompt: "A."; } task b { prompt: "B."; } task c { prompt: "C."; } a -> b -> c;'
    assert [call.node for call in Played(text, ["1", "2", "3"]).model.calls] == ["a", "b", "c"]


def test_probe_06_templates_have_the_values_of_their_moment() -> None:
    text = """
    context c { x: "old"; }
    task a { prompt: "Write."; }
    task b { prompt: "It is {{ c.x }}."; }
    a -writes-> c; a -> b; b -reads-> c;
    """
    played = Played(text, [tw.call("write_c", set={"x": "new"}), "Written.", "Yes."])
    assert "It is new." in str(played.model.calls[-1])
    assert "{{" not in str(played.model.calls[-1])


def test_probe_07_a_catch_edge_is_taken_and_a_failing_model_ends_no_process() -> None:
    text = 'task a { prompt: "A."; } state rescue; state fine; a -> fine; CATCH'
    caught = text.replace("CATCH", "a -catch-> rescue;")
    for reply in (tw.call("nothing"), ProviderFailed("the network is down")):
        assert Played(caught, [reply, "Hm."]).last.outcome == "rescue"
    assert Played(text.replace("CATCH", ""), [ProviderFailed("the network is down")]).last.status == "failed"


def test_probe_08_permissions_targets_and_fields_are_checked() -> None:
    text = """
    context mine { x: 0; } context other { y: 0; }
    task a { prompt: "A."; } state b;
    a -writes-> mine; a -> b;
    """
    calls = [
        tw.call("write_other", set={"y": 1}),
        tw.call("write_mine", set={"z": 1}),
        tw.call("write_mine", set={"x": "many"}),
        tw.call("go_to_nowhere"),
        "Done.",
    ]
    played = Played(text, calls)
    assert [one.tool for one in played.events if isinstance(one, CallRefused)] == ["write_other", "go_to_nowhere"]
    answered = [one.result["success"] for one in played.events if isinstance(one, CallAnswered)]
    assert answered == [False, False]
    assert (played.last.value("mine.x"), played.last.value("other.y")) == (0, 0)


@pytest.mark.parametrize("construct", ["a -@async-> b;", "a -@spawn-> b;", "task c @meta { prompt: 'C.'; } b -> c;"])
def test_probe_09_further_paths_and_changes_of_the_machine_are_refused_and_not_lost(construct: str) -> None:
    assert "TW136" in failed(f'task a {{ prompt: "A."; }} state b; {construct}')


def test_probe_10_a_barrier_is_refused_and_cannot_deadlock() -> None:
    assert "TW136" in failed('state a; state b; a -@barrier("sync")-> b;')


def test_probe_11_edges_of_data_and_of_nesting_are_not_walked() -> None:
    text = 'context c { x: 0; } task a { prompt: "A."; task inside { prompt: "B."; } } a -writes-> c;'
    played = Played(text, ["Done."])
    assert played.moves == []
    assert played.last.outcome == "a"
    inferred = 'context c { x: 0; } task a { prompt: "{{ c.x }}"; } a -reads-> c;'
    assert Played(inferred, ["Done."]).moves == []


def test_probe_12_notes_tools_and_types_do_not_run() -> None:
    text = """
    note work "Only a note"; tool look { returns: "text"; } type Thing { x<string>; }
    task work { prompt: "Work."; }
    """
    played = Played(text, ["Done."])
    assert [node.name for node in tw.loads(text, format="dygram").nodes] == ["work"]
    assert played.last.outcome == "work"


def test_probe_13_nodes_of_one_name_are_told_apart_by_their_paths() -> None:
    text = 'state a { task step { prompt: "1."; } } state b { task step { prompt: "2."; } } a.step -> b.step;'
    assert [call.node for call in Played(text, ["1", "2"]).model.calls] == ["a.step", "b.step"]


def test_probe_14_imports_work_on_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "lib.dy").write_text('task pay { prompt: "Pay."; } task other { prompt: "No."; }', "utf-8")
    flow = tmp_path / "shop.dy"
    text = 'import { pay as settle } from "./lib";\ntask order { prompt: "Order."; }\norder -> settle;\n'
    flow.write_text(text, "utf-8")
    (tmp_path / "replies.yaml").write_text("- Ordered.\n- Paid.\n", "utf-8")
    assert run("check", flow).out == f"{flow}: no problems\n"
    ran = run("chat", flow, "--model", f"scripted:{tmp_path / 'replies.yaml'}")
    assert (ran.code, ran.lines[-1].strip()) == (0, "(ended: pay)")
    assert "Paid." in ran.lines
    missing = text.replace("pay as", "pax as")
    flow.write_text(missing, "utf-8")
    assert "did you mean 'pay'?" in run("check", flow).err + run("check", flow).out


def test_probe_15_values_of_annotations_are_kept_and_texts_stay_texts() -> None:
    text = """
    context c { one: "1"; yes: "true"; number: 1; }
    task a @retry(3) @timeout("30s") { prompt: "A."; }
    state b;
    a -@priority(2), when: "c.one == '1'"-> b;
    """
    flow = tw.loads(text, format="dygram")
    (node, _) = flow.nodes
    assert (node.retry.times, node.timeout_s, node.transitions[0].priority) == (3, 30.0, 2)
    assert [(one.type, one.default) for one in flow.records[0].fields] == [
        ("string", "1"),
        ("string", "true"),
        ("number", 1),
    ]
    assert Played(text, ["Done."]).last.outcome == "b"


def test_probe_16_priorities_limits_log_levels_and_models_have_an_effect(caplog: pytest.LogCaptureFixture) -> None:
    text = """
    machine "All" { maxSteps: 9; logLevel: "info"; modelId: "openai:small"; }
    task a { prompt: "A."; modelId: "openai:large"; } state b; state c;
    context d { x: true; }
    a -@priority(9), when: "d.x"-> b;
    a -@priority(1), when: "d.x"-> c;
    """
    flow = tw.loads(text, format="dygram")
    assert (flow.model, flow.nodes[0].model, flow.limits.run_moves) == ("openai:small", "openai:large", 9)
    assert Played(text, ["Done."]).last.outcome == "c"
    assert [one.levelname for one in caplog.records if one.name == "turnwise.flow.All"] == ["INFO", "INFO"]
    assert codes(text) == [("TW054", 5)]  # one guard twice, and that the priority decides is said


def test_probe_17_a_loop_of_two_states_goes_round_as_often_as_it_must() -> None:
    text = """
    context c { n: 0; }
    state a { set: { c.n: "c.n + 1"; }; }
    state b;
    state done;
    a -> b;
    b -when: "c.n >= 20"-> done;
    b -> a;
    """
    played = Played(text, [])
    assert (played.last.outcome, played.last.value("c.n")) == ("done", 20)
