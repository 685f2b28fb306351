"""Bad input of `.dy` files that import others, and of their names: each is one problem with its place, or has its meaning."""

from __future__ import annotations

from pathlib import Path

import pytest

import turnwise as tw
from turnwise.authoring.document import read_document
from turnwise.authoring.source import read_source
from turnwise.core.link import link
from turnwise.flow.diagnostic import Diagnostic, FlowError

SHOP = 'context stock { count: 1; }\ntask pay "Pays" { prompt: "Pay."; }\nstate closed "Closed";\npay -> closed;\n'


def problems(folder: Path, main: str, shop: str = SHOP) -> list[str]:
    """The codes and messages of a document beside another."""
    (folder / "shop.dy").write_text(shop, "utf-8")
    (folder / "main.dy").write_text(main, "utf-8")
    return [f"{one.span.line}:{one.code} {one.message}" for one in tw.check(folder / "main.dy")]


def test_two_names_for_what_two_files_call_alike(tmp_path: Path) -> None:
    main = (
        'import { pay as cash, closed as shut, stock } from "./shop.dy";\n'
        'task pay { prompt: "Ask who pays."; }\npay -reads-> stock;\npay -> cash;\ncash -> shut;\n'
    )
    (tmp_path / "shop.dy").write_text(SHOP.replace("pay -> closed;\n", ""), "utf-8")
    (tmp_path / "main.dy").write_text(main, "utf-8")
    flow = tw.load(tmp_path / "main.dy")
    assert [one.name for one in flow.nodes] == ["pay", "cash", "shut"]
    assert flow.nodes[0].reads == ("stock",)


def test_one_name_that_two_files_define_is_reported_with_both_places(tmp_path: Path) -> None:
    found = problems(tmp_path, 'import { pay } from "./shop.dy";\ntask pay { prompt: "Mine."; }\n')
    assert any("1:TW098 'pay' stands twice in 'nodes'" in one for one in found), found


def test_a_name_that_the_other_file_lacks_has_a_hint(tmp_path: Path) -> None:
    (tmp_path / "shop.dy").write_text(SHOP, "utf-8")
    (tmp_path / "main.dy").write_text('import { pai } from "./shop.dy";\ntask a { prompt: "A."; }\n', "utf-8")
    (one,) = [one for one in tw.check(tmp_path / "main.dy") if one.code == "TW098"]
    assert "did you mean 'pay'?" in one.hint


def test_a_circle_of_imports_is_reported_once(tmp_path: Path) -> None:
    shop = 'import { a } from "./main.dy";\n' + SHOP
    found = problems(tmp_path, 'import { pay } from "./shop.dy";\ntask a { prompt: "A."; }\na -> pay;\n', shop)
    circles = [one for one in found if "leads back to itself" in one]
    assert len(circles) == 1
    assert "main.dy → shop.dy → main.dy" in circles[0]


@pytest.mark.parametrize("kind", ["path", "link to a file", "link to a folder"])
def test_what_is_outside_of_the_folder_is_not_read(kind: str, tmp_path: Path) -> None:
    outside, inside = tmp_path / "outside", tmp_path / "inside"
    outside.mkdir()
    inside.mkdir()
    (outside / "secret.dy").write_text("state pay;", "utf-8")
    if kind == "link to a file":
        (inside / "other.dy").symlink_to(outside / "secret.dy")
    if kind == "link to a folder":
        (inside / "lib").symlink_to(outside)
    source = {"path": "../outside/secret.dy", "link to a file": "./other.dy"}.get(kind, "./lib/secret.dy")
    found = problems(inside, f'import {{ pay }} from "{source}";\ntask a {{ prompt: "A."; }}\na -> pay;\n')
    assert any("TW097" in one and "is not in the folder of the flow" in one for one in found), found


def test_a_file_that_changes_while_it_is_read_is_read_once(tmp_path: Path) -> None:
    """Two statements that import one file see one text of it, whatever another program writes meanwhile."""
    shop = tmp_path / "shop.dy"
    texts = list[str]()

    def changing(path: str | Path) -> str | Diagnostic:
        text = read_source(path)
        texts.append(str(text))
        shop.write_text("state other;", "utf-8")
        return text

    main = (
        'import { pay } from "./shop.dy";\nimport { closed } from "./shop.dy";\ntask a { prompt: "A."; }\na -> pay;\n'
    )
    shop.write_text(SHOP, "utf-8")
    flow, problems = read_document(main, str(tmp_path / "main.dy"), changing)
    assert not problems
    assert [one.name for one in flow.nodes] == ["a", "pay", "closed"]
    assert texts == [SHOP]


def test_a_file_that_is_cut_while_it_is_written_is_a_problem_or_has_what_is_imported(tmp_path: Path) -> None:
    main = 'import { pay } from "./shop.dy";\ntask a { prompt: "A."; }\na -> pay;\n'
    faulty = 0
    for size in range(len(SHOP)):
        if problems(tmp_path, main, SHOP[:size]):
            faulty += 1
        else:
            assert [one.name for one in tw.load(tmp_path / "main.dy").nodes] == ["a", "pay"]
    assert faulty > len(SHOP) // 3


def test_names_that_differ_by_case_are_two() -> None:
    flow = tw.loads('task pay { prompt: "A."; } task Pay { prompt: "B."; } pay -> Pay;', format="dygram")
    assert [one.name for one in flow.nodes] == ["pay", "Pay"]


def test_a_guard_that_is_not_in_the_language_is_reported_at_its_place() -> None:
    text = 'context c { n: 0; }\ntask a { prompt: "A."; }\na -when: "c.n => 3"-> b;\na -> b;\nstate b;'
    with pytest.raises(FlowError) as failed:
        link(tw.loads(text, "guard.dy"))
    assert str(failed.value.diagnostics[0].span).startswith("guard.dy:3:")
