"""A flow is drawn in three forms: what is in the flow is in the drawing, and no text of it breaks the form."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest
from hypothesis import given
from hypothesis import strategies as st

import turnwise as tw
from support.chats import FLOWS, INTAKE, flow_of
from support.drawn import Drawn, read_dot, read_mermaid
from turnwise.drawing.build import graph_of
from turnwise.drawing.mermaid import escape_text

EVERYTHING = Path(__file__).with_name("everything.flow.yaml")
ELIGIBILITY = Path(__file__).parents[2] / "examples" / "eligibility" / "eligibility.flow.yaml"
READERS: dict[str, Callable[[str], Drawn]] = {"mermaid": read_mermaid, "dot": read_dot}
HAS_GRAPHVIZ = shutil.which("dot") is not None

both = pytest.mark.parametrize("form", ["mermaid", "dot"])


def flat(label: str) -> str:
    """A label without its breaks, which the forms make at different widths."""
    return label.replace("\n", " ")


def drawn(flow: tw.Flow | Path | str, form: str, **more: object) -> Drawn:
    of = flow_of(flow) if isinstance(flow, str) else flow
    return READERS[form](tw.draw(of, form, **more))


@both
def test_a_node_shows_its_kind_of_work_what_it_is_about_and_what_it_asks_for(form: str) -> None:
    intake = drawn(ELIGIBILITY, form)
    lines = intake.nodes[intake.named("intake")].split("\n")
    assert lines[:2] == ["intake", "form"]
    assert " ".join(lines[2:-6]) == "Five questions about the case."
    assert lines[-6:] == [
        "• case.patient_info",
        "• case.insurance_history",
        "• case.purpose",
        "• case.on_failure",
        "• case.urgency",
        "hands over to planner",
    ]


@both
def test_an_arrow_shows_its_moment_its_priority_why_and_its_guard(form: str) -> None:
    intake = drawn(INTAKE, form)
    ineligible = next(
        key for key, label in intake.nodes.items() if label.startswith("ineligible\nsays its text\n“Thank you.")
    )
    ways = [label for source, target, label in intake.arrows if (source, target) == ("n0", ineligible)]
    assert ways == [
        'before · priority 1\n“user is male”\nuser.gender == "male"',
        "before · priority 2\n“under age 38”\nuser.age < 38",
    ]
    assert [*map(flat, intake.between("closing", "farewell"))] == ["after · once · at the next message"]
    assert intake.between("farewell", "completed") == [""]
    assert intake.between("start", "introduction") == [""]


@both
def test_without_guards_the_reasons_are_left_or_else_the_name(form: str) -> None:
    flow = """
        flow: f
        start: a
        records: {user: {age: integer}}
        nodes:
          a:
            transitions:
              - {id: old, when: user.age > 3, to: b}
              - {id: young, when: user.age < 3, because: too young, to: b}
          b: {say: B.}
    """
    assert drawn(flow, form, with_tests=False).between("a", "b") == ["after\nold", "after\n“too young”"]


@both
def test_each_moment_has_a_line_of_its_own_and_its_word(form: str) -> None:
    found = drawn(EVERYTHING, form)
    heads = [
        (label.split("\n")[0].split(" · ")[0], kind)
        for (_, _, label), kind in zip(found.arrows, found.kinds, strict=True)
    ]
    lines = {word: {kind for one, kind in heads if one == word} for word in _MOMENTS}
    assert all(len(kinds) == 1 for kinds in lines.values())
    assert len(set.union(*lines.values())) == len(_MOMENTS)


_MOMENTS = ("before", "tool", "after", "error", "timer", "choice")


@both
def test_what_holds_in_every_node_leaves_from_one_mark(form: str) -> None:
    found = drawn(EVERYTHING, form)
    any_node = found.named("any node")
    assert [
        (found.nodes[target].split("\n")[0], flat(label))
        for source, target, label in found.arrows
        if source == any_node
    ] == [
        ("end", 'error · always “something "failed" <badly> & | loudly”'),
        ("subgraph", "timer · always · in 2h"),
        ("class", 'before or after a tool message.text.contains("class")'),
    ]


@both
def test_staying_blocking_returning_and_calling_are_told(form: str) -> None:
    found = drawn(EVERYTHING, form)
    assert found.between("graph", "stays here") == ['before\nuser.name == "a"']
    assert flat(found.nodes[found.named("blocks")]) == "blocks “No `markdown` here: [x](y) <script>”"
    assert found.between("ask", "return") == ['after\nform.status == "confirmed"\ngoes back']
    assert ["after · else", "opens it"] in [label.split("\n") for _, _, label in found.arrows]


@both
def test_what_stands_inside_a_scope_is_drawn_inside_it(form: str) -> None:
    found = drawn(EVERYTHING, form)
    prefix = "cluster_" if form == "dot" else ""
    names = {key: [found.nodes[one].split("\n")[0] for one in inside] for key, inside in found.clusters.items()}
    assert found.nodes[f"{prefix}c0"] == "survey"
    assert sorted(names[f"{prefix}c0"]) == ["ask", "end", "no", "return", "survey"]
    assert sorted(names[f"{prefix}c1"]) == ["deep", "end", "end"]
    assert f"{prefix}c1" in found.clusters[f"{prefix}c0"]


@both
def test_overlays_and_schedules_are_notes(form: str) -> None:
    found = drawn(EVERYTHING, form)
    notes = [label for key, label in found.nodes.items() if key.startswith("note")]
    assert notes == [
        "overlay viking_weekend\nfrom 2026-11-20 to 2026-11-22:\nRagnar",
        "schedule feedback_tuesday\n0 10 * * TUE#2: offers survey",
    ]


@both
def test_an_offer_is_an_arrow_with_its_opener(form: str) -> None:
    text = "flow: f\nstart: talk\nrecords: {r: {x: string}}\nnodes:\n"
    text += "  talk: {prompt: Talk., offer: {scope: survey, opener: A minute?}}\n"
    text += "  survey: {scope: {returns: r}, form: {fields: [{field: r.x, ask: X?}]}}\n"
    labels = [flat(label) for _, _, label in drawn(text, form).arrows]
    assert [label for label in labels if "offers it" in label] == ["A minute? offers it"]


def test_an_overlay_without_all_dates_says_when_it_is_active() -> None:
    text = "flow: f\nstart: n\nnodes: {n: {prompt: Talk.}}\noverlays:\n"
    text += "  a: {from: 2026-11-20, addendum: A.}\n  b: {to: 2026-11-20, addendum: B.}\n  c: {addendum: C.}\n"
    text += "  d: {from: 2026-11-20, to: 2026-11-22, every: year, name: D}\n"
    assert [note.text for note in graph_of(flow_of(text)).notes] == [
        "from 2026-11-20: A.",
        "to 2026-11-20: B.",
        "only when it is forced: C.",
        "from 2026-11-20 to 2026-11-22, every year: D",
    ]


@both
def test_a_function_shows_its_name_and_where_it_leads_if_it_is_known(form: str) -> None:
    @tw.guard(to=["subgraph", "class"])
    def route() -> str | None:
        return None

    unknown, known = drawn(EVERYTHING, form), drawn(EVERYTHING, form, guards=[route])
    assert unknown.between("graph", "a node that it names") == ["before\nroute()"]
    assert known.between("graph", "subgraph") == ["before\nroute()"]
    assert "before\nroute()" in known.between("graph", "class")
    assert "a node that it names" not in str(known.nodes)


@both
def test_a_name_that_nothing_has_is_drawn_as_such(form: str) -> None:
    found = drawn(EVERYTHING, form)
    assert found.nodes[found.named("nowhere")] == "nowhere\nno node has this name"


HOSTILE = [
    *("end", "graph", "subgraph", "class", "click", "style", "linkStyle", "default", "flowchart TD", "n0", "c0"),
    *('"', "'", "`", "\\", "]]", "))", "}", "|", "-->", "a --> b", "%%", "%%{init: {}}%%", ";", "#", "#quot;", "&amp;"),
    *("<b>", "</table>", "<script>alert(1)</script>", "]]>", "<!--", "style x fill:#fff;", ":::x", "@{shape: x}"),
    *(
        "line\nbreak",
        "\r\n",
        "tab\t",
        "ä ö ü ß",
        "日本語の名前",
        "עברית",
        "🙂👩‍👩‍👧",
        "\u202eright to left",
        "---\ntitle: x\n---",
    ),
    *("C:\\new", "\\n", "$$x^2$$", "fa:fa-car", "fab:fa-x fa:fa-y", "direction LR", "direction  TB", "ﬂ°°35¶ß", "#br#"),
    *("\x00\x1b[31m", "\ud800", "\ufffe", "x" * 10_000, "word " * 2000, "a/b", "javascript:alert(1)", ""),
]


def of_texts(text: str) -> tw.Flow:
    """A flow that has a text wherever a flow may have one."""
    way = tw.Transition(id=text, at="before", when=text, because=text, to=text or "x")
    block = tw.Transition(at="before", block=text or "x")
    form = tw.Form(fields=(tw.FormField(field=text),), handoff=text)
    nodes = (
        tw.Node(text or "x", description=text, form=form, end=text, transitions=(way, block)),
        tw.Node("b", say=text, once=text),
        tw.Node("c", prompt=text, collect=tw.Collect((text,)), enter_when=text),
    )
    return tw.Flow(text, start=text, title=text, nodes=nodes)


@both
@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_no_text_breaks_the_form(form: str, text: str) -> None:
    plain, hostile = drawn(of_texts("plain"), form), drawn(of_texts(text), form)
    if text not in ("", "c0"):
        assert [arrow[:2] for arrow in hostile.arrows] == [arrow[:2] for arrow in plain.arrows]
    assert max(len(line) for label in hostile.nodes.values() for line in label.split("\n")) < 80


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("end", "end"),
        ('a "b"', "a #34;b#34;"),
        ("[x](y)", "#91;x#93;(y)"),
        ("<b>&lt;", "#60;b#62;#38;lt#59;"),
        ("`code`", "#96;code#96;"),
        ("#quot;", "#35;quot#59;"),
        ("日本語 ä", "日本語 ä"),
        ("🙂", "#128578;"),
        ("a|b", "a#124;b"),
        ("\\name", "#92;#8203;name"),
        ("$$x$$", "#36;#8203;#36;x#36;#8203;#36;"),
        ("fas:fa-car", "fas#58;#8203;fa-car"),
        ("direction LR", "direction#32;LR"),
        ("¶ß", "#182;#8203;ß"),
    ],
)
def test_what_mermaid_would_read_is_written_as_an_entity(text: str, written: str) -> None:
    assert escape_text(text) == written


@both
@given(text=st.text(max_size=200) | st.text("\\n$fa:-drs ¶ßﬂ°", max_size=40))
def test_no_random_text_breaks_the_form(form: str, text: str) -> None:
    drawn(of_texts(text), form)


@both
def test_what_is_too_long_is_shortened_and_says_so(form: str) -> None:
    found = drawn(of_texts("x" * 10_000), form)
    (label,) = {label for label in found.nodes.values() if label.startswith("b\n")}
    assert label.endswith("…")
    assert len(label) < 200


@both
def test_every_flow_of_the_tests_can_be_drawn(form: str) -> None:
    for path in [*sorted((FLOWS / "valid").iterdir()), *sorted((FLOWS / "dsl" / "valid").glob("*.dy"))]:
        if path.suffix in (".yaml", ".json", ".dy"):
            flow = tw.load(path)
            found = drawn(flow, form)
            assert {node.name for node in flow.nodes} <= {label.split("\n")[0] for label in found.nodes.values()}


def test_two_calls_draw_the_same() -> None:
    assert tw.draw(EVERYTHING) == tw.draw(EVERYTHING) == tw.draw(tw.load(EVERYTHING), "mermaid")


def test_a_form_that_is_none_is_refused() -> None:
    with pytest.raises(tw.WrongArgument, match="format must be one of mermaid, dot, svg, not str 'png'"):
        tw.draw(INTAKE, "png")


# SVG ---------------------------------------------------------------------------------------------


@pytest.mark.skipif(not HAS_GRAPHVIZ, reason="Graphviz is not installed")
@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_graphviz_takes_every_text(text: str) -> None:
    Xml.fromstring(tw.draw(of_texts(text), "svg"))


@pytest.mark.skipif(not HAS_GRAPHVIZ, reason="Graphviz is not installed")
@pytest.mark.parametrize("text", ['a "b" <c> & d', "🙂 日本語", "x" * 10_000, "\\N \\G \\l", "javascript:alert(1)"])
def test_svg_is_well_formed_and_calls_nodes_by_their_names(text: str) -> None:
    picture = Xml.fromstring(tw.draw(of_texts(text), "svg"))
    titles = [title.text for title in picture.iter("{http://www.w3.org/2000/svg}title")]
    assert text[:200] in titles
    assert f"b → {text[:200]}" in titles
    assert not [one for one in picture.iter() if one.tag.endswith(("script", "image", "}a"))]


@pytest.mark.skipif(not HAS_GRAPHVIZ, reason="Graphviz is not installed")
def test_svg_has_a_name_and_every_colour_is_another_in_the_dark() -> None:
    text = tw.draw(EVERYTHING, "svg")
    assert 'role="img" aria-label="A &quot;title&quot; with &lt;b&gt;, &amp; and 🙂"' in text
    style, rest = text.split("<style>")[1].split("</style>")
    used = set(re.findall(r'(?:fill|stroke)="(#[0-9a-f]{6})"', rest))
    assert len(used) > 5
    assert {color for color in used if f'[fill="{color}"]' not in style} == set()


@pytest.mark.skipif(not HAS_GRAPHVIZ, reason="Graphviz is not installed")
def test_no_arrow_of_the_svg_crosses_out_a_label() -> None:
    picture = Xml.fromstring(tw.draw(EVERYTHING, "svg"))
    groups = list(picture.iter("{http://www.w3.org/2000/svg}g"))
    classes = [group.get("class") for group in groups if group.get("class") in ("edge", "label")]
    assert classes == sorted(classes)
    edges = [group for group in groups if group.get("class") == "edge"]
    assert not [text for edge in edges for text in edge.iter("{http://www.w3.org/2000/svg}text")]
    labels = [group for group in groups if group.get("class") == "label"]
    said = ["".join(text.itertext()) for label in labels for text in label.iter("{http://www.w3.org/2000/svg}text")]
    arrows = read_dot(tw.draw(EVERYTHING, "dot")).arrows
    assert sorted(said) == sorted(line for _, _, label in arrows if label for line in label.split("\n"))


def test_without_graphviz_svg_is_one_clear_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(tw.NoGraphviz, match="SVG needs Graphviz, and 'dot' is not on the path: install Graphviz"):
        tw.draw(INTAKE, "svg")


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("exit 3", "Graphviz failed: exit 3"),
        ("echo 'no fonts' >&2; exit 1", "Graphviz failed: no fonts"),
        ("cat > /dev/null", "Graphviz returned no SVG"),
    ],
)
def test_a_graphviz_that_fails_is_one_clear_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, script: str, said: str
) -> None:
    program = tmp_path / "dot"
    program.write_text(f"#!/bin/sh\n/bin/{script}\n" if script.startswith("cat") else f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(tw.NoGraphviz, match=re.escape(said)):
        tw.draw(INTAKE, "svg")


@both
def test_a_person_is_drawn_with_the_queue_and_the_way_where_nobody_comes(form: str) -> None:
    flow = """
        flow: f
        start: a
        nodes:
          a: {person: billing, transitions: [{at: timer, to: b}, {when: person.outcome == "solved", end: solved}]}
          b: {say: Nobody came., end: late}
        """
    made = drawn(flow, form)
    assert made.nodes[made.named("a")].split("\n") == ["a", "a person takes over", "queue billing"]
    assert [*map(flat, made.between("a", "b"))] == ["timer · always · if no person comes"]


SCHOOL = """
    flow: school
    start: talk
    commands: [{start: [survey]}]
    records: {feedback: {mood: {type: choice, options: [good, bad]}, text: string}, quiz: {score: integer}}
    nodes:
      talk:
        prompt: Talk.
        tools: {allow: [open_quiz]}
        transitions: [{id: calls, at: before, when: 'message.text.contains("form")', call: short}]
      survey:
        scope:
          returns: feedback
          start: ask
          nodes:
            ask:
              form: {fields: [{field: feedback.mood, ask: How was it?}]}
              transitions:
                - {id: deeper, at: after, when: feedback.mood == "bad", to: detail}
                - {id: fine, at: after, end: fine}
            detail:
              scope:
                returns: feedback
                start: what
                nodes: {what: {form: {fields: [{field: feedback.text, ask: What was bad?}]}}}
              transitions: [{id: back, at: after, return: true}]
      quiz: {scope: {returns: quiz}, prompt: Ask.}
      short: {scope: {returns: feedback}, form: {fields: [{field: feedback.text, ask: Why?}]}}
"""


@both
def test_an_arrow_leads_to_a_scope_from_all_who_open_it(form: str) -> None:
    school = drawn(SCHOOL, form)
    opens = {
        flat(label)
        for source, target, label in school.arrows
        if target
        in {key for key, text in school.nodes.items() if text.startswith(("survey\ninner", "quiz\n", "short\n"))}
    }
    assert opens == {
        "the user begins it opens it",
        "the model calls opens it",
        'before message.text.contains("form") opens it',
    }


@both
def test_one_level_has_what_is_in_one_scope(form: str) -> None:
    outermost = drawn(SCHOOL, form, scope=".")
    assert {label.split("\n")[0] for label in outermost.nodes.values()} >= {"talk", "survey", "quiz", "short", "start"}
    assert "ask" not in {label.split("\n")[0] for label in outermost.nodes.values()}
    assert "inside: ask, detail" in outermost.nodes[outermost.named("survey")]
    survey = drawn(SCHOOL, form, scope="survey")
    assert {label.split("\n")[0] for label in survey.nodes.values()} >= {"ask", "detail", "fine", "return", "start"}
    assert survey.between("start", "ask") == [""]
    assert not {label.split("\n")[0] for label in survey.nodes.values()} & {"talk", "what"}
    detail = drawn(SCHOOL, form, scope="survey/detail")
    assert "• feedback.text" in detail.nodes[detail.named("what")]


def test_a_scope_that_the_flow_does_not_have_is_refused() -> None:
    with pytest.raises(tw.WrongArgument, match="did you mean 'survey'"):
        tw.draw(flow_of(SCHOOL), scope="surve")


def test_a_form_over_data_names_the_field_that_holds_its_questions() -> None:
    flow = tw.loads(
        "flow: quiz\nstart: ask\nrecords: {lib: {questions: {type: list, of: question}}, quiz: {answers: answers}}\n"
        "nodes: {ask: {form: {questions: lib.questions, into: quiz.answers}}}\n"
    )
    assert "asks what is in" in tw.draw(flow)
    assert "lib.questions" in tw.draw(flow)
