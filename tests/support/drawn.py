"""Reading drawings back in tests: small strict parsers of the Mermaid and the DOT that turnwise writes.

They know no more than what is written, and refuse all else; labels come back as people read them.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.etree import ElementTree as Xml


@dataclass
class Drawn:
    """What was read: labels by node, arrows with their labels, what each cluster holds, attributes."""

    nodes: dict[str, str] = field(default_factory=dict)
    arrows: list[tuple[str, str, str]] = field(default_factory=list)
    clusters: dict[str, list[str]] = field(default_factory=dict)
    looks: dict[str, dict[str, str]] = field(default_factory=dict)
    styles: dict[int, str] = field(default_factory=dict)
    kinds: list[str] = field(default_factory=list)

    def named(self, name: str) -> str:
        """The id of the one node whose first line this is."""
        (found,) = [key for key, label in self.nodes.items() if label.split("\n")[0] == name]
        return found

    def between(self, source: str, target: str) -> list[str]:
        """The labels of the arrows between two nodes, by their names."""
        ends = (self.named(source), self.named(target))
        return [label for one, other, label in self.arrows if (one, other) == ends]


# Mermaid -----------------------------------------------------------------------------------------

_ID = r"[a-z]+\d*"
_QUOTED = r'"([^"]*)"'
_NODE = re.compile(
    rf"({_ID})(?:\({_QUOTED}\)|\(\[{_QUOTED}\]\)|\[\[{_QUOTED}\]\]|\{{\{{{_QUOTED}\}}\}}|\[/{_QUOTED}/\]|\[/{_QUOTED}\\\]|\[{_QUOTED}\]"
    rf"|>{_QUOTED}\]|\{{{_QUOTED}\}}|\[\\{_QUOTED}\\\]|\(\({_QUOTED}\)\)|\(\(\({_QUOTED}\)\)\))"
)
_ARROW = re.compile(rf"({_ID}) (-->|-\.->|==>|--x|-\.-o|--o)(?:\|{_QUOTED}\|)? ({_ID})")
_INERT = re.compile(r"[\w .,\-+/()!?=*•…·“”→▶]|#\d+;|</?[bi]>|<br/>")


_READ_LATER = re.compile(r"\\n|\$\$|fa[bklrs]?:fa-|¶ß|ﬂ°")


def read_mermaid(text: str) -> Drawn:
    """A flowchart; fails on any line that is not of the few known forms, and on any label that could mean something."""
    first, *lines = text.splitlines()
    assert first == "flowchart TD"
    found, open_ = Drawn(), [""]
    for line in map(str.strip, lines):
        assert not re.search(r"direction\s+(TB|BT|RL|LR)", line), f"Mermaid takes the whole line for a command: {line}"
        if line.startswith("subgraph "):
            opened = re.fullmatch(rf"subgraph (c\d+)\[{_QUOTED}\]", line)
            assert opened, line
            found.nodes[opened[1]] = _plain(opened[2])
            found.clusters.setdefault(open_[-1], []).append(opened[1])
            open_.append(opened[1])
        elif line == "end":
            open_.pop()
        else:
            _mermaid_line(found, line, open_[-1])
    assert open_ == [""]
    for source, target, _ in found.arrows:
        assert {source, target} <= set(found.nodes)
    return found


def _mermaid_line(found: Drawn, line: str, cluster: str) -> None:
    node, arrow = _NODE.fullmatch(line), _ARROW.fullmatch(line)
    style = re.fullmatch(r"linkStyle (\d+) ([a-z\-:.,0-9 ]+)", line)
    if arrow:
        found.arrows.append((arrow[1], arrow[4], _plain(arrow[3] or "")))
        found.kinds.append(arrow[2])
    elif node:
        assert node[1] not in found.nodes
        found.nodes[node[1]] = _plain(next(one for one in node.groups()[1:] if one is not None))
        found.clusters.setdefault(cluster, []).append(node[1])
    elif style:
        found.styles[int(style[1])] = style[2]
    elif line.startswith("class "):
        chosen = re.fullmatch(r"class ([a-z0-9,]+) (entered|current)", line)
        assert chosen, line
        found.looks |= {one: {"class": chosen[2]} for one in chosen[1].split(",")}
    else:
        assert re.fullmatch(r"classDef [a-z]+ stroke-width:\dpx|%% .*", line), line


def _plain(label: str) -> str:
    assert _INERT.sub("", label) == "", f"not encoded: {_INERT.sub('', label)!r}"
    text = label.replace("<br/>", "\n")
    text = re.sub(r"#(\d+);", lambda one: chr(int(one[1])), re.sub(r"</?[bi]>", "", text))
    assert not _READ_LATER.search(text), f"Mermaid reads this after its entities: {text!r}"
    return text.replace("\u200b", "")


# DOT ---------------------------------------------------------------------------------------------

_TOKEN = re.compile(r'\s+|(->|[{}\[\];=,])|([A-Za-z_][A-Za-z_0-9]*|-?\d+(?:\.\d+)?)|"((?:[^"\\]|\\.)*)"')


def read_dot(text: str) -> Drawn:
    """A directed graph; fails on anything that the grammar of DOT, or that of XML in labels, does not have."""
    tokens = list(_tokens(text))
    assert tokens[:3] == [("name", "digraph"), ("name", "flow"), ("sign", "{")]
    found = Drawn()
    end = _statements(found, tokens, 3, "")
    assert end == len(tokens)
    return found


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    at = 0
    while at < len(text):
        if text[at] == "<":
            end = _end_of_markup(text, at)
            yield "markup", text[at + 1 : end - 1]
            at = end
            continue
        found = _TOKEN.match(text, at)
        assert found, text[at : at + 40]
        at = found.end()
        for kind, value in zip(("sign", "name", "text"), found.groups(), strict=True):
            if value is not None:
                yield kind, value


def _end_of_markup(text: str, at: int) -> int:
    depth = 0
    for place in range(at, len(text)):
        depth += {"<": 1, ">": -1}.get(text[place], 0)
        if not depth:
            return place + 1
    raise AssertionError("a label is never closed")


def _statements(found: Drawn, tokens: list[tuple[str, str]], at: int, cluster: str) -> int:
    while tokens[at] != ("sign", "}"):
        kind, name = tokens[at]
        assert kind == "name", tokens[at]
        if name == "subgraph":
            inner = tokens[at + 1][1]
            assert tokens[at + 2] == ("sign", "{")
            found.clusters.setdefault(cluster, []).append(inner)
            at = _statements(found, tokens, at + 3, inner)
            continue
        target = ""
        if tokens[at + 1] == ("sign", "->"):
            target, at = tokens[at + 2][1], at + 2
        look, at = _look(tokens, at + 1)
        _put(found, name, target, look, cluster)
    return at + 1


def _look(tokens: list[tuple[str, str]], at: int) -> tuple[dict[str, str], int]:
    assert tokens[at] == ("sign", "["), tokens[at]
    look: dict[str, str] = {}
    while tokens[at] != ("sign", "]"):
        (_, key), (_, sign), (kind, value) = tokens[at + 1 : at + 4]
        assert sign == "="
        look[key] = _markup(value) if kind == "markup" else value
        at += 4
        assert tokens[at] in (("sign", ","), ("sign", "]")), tokens[at]
    return look, at + 1


def _markup(text: str) -> str:
    tree = Xml.fromstring(f"<all>{text}</all>")
    rows = ["".join(row.itertext()) for row in tree.iter("tr")]
    return "\n".join(rows) if rows else html.unescape("".join(tree.itertext()))


def _put(found: Drawn, name: str, target: str, look: dict[str, str], cluster: str) -> None:
    if target:
        found.arrows.append((name, target, look.get("label", "")))
        found.styles[len(found.arrows) - 1] = look.get("penwidth", "")
        found.kinds.append(look.get("arrowhead", ""))
    elif name == "graph" and cluster:
        found.nodes[cluster] = look["label"]
    elif name not in ("graph", "node", "edge"):
        assert name not in found.nodes
        found.nodes[name], found.looks[name] = look.get("label", ""), look
        found.clusters.setdefault(cluster, []).append(name)
