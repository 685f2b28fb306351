"""Defects of texts and words: secrets, templates, languages, phrases, commas."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

from check.defects.planted import Planted, change_node, collected, fields_of, kind, node_of, node_place, pick
from turnwise.flow.model import Flow


def _said(flow: Flow) -> list[tuple[str, str]]:
    """The texts of nodes that are filled in, by node and key."""
    return [(n.name, key) for n in flow.nodes for key in ("say", "prompt", "entry") if getattr(n, key)]


@kind("secret field shown in a template")
def _secret(flow: Flow, chance: Random) -> Planted | None:
    written = {address for node in flow.nodes for address in collected(flow, node)}
    address = pick(chance, sorted(written))
    record, _, of = address.partition(".")
    records = tuple(
        replace(r, fields=tuple(replace(f, secret=True) if f.name == of else f for f in r.fields))
        if r.name == record
        else r
        for r in flow.records
    )
    name, key = pick(chance, _said(flow))
    told = f"{getattr(node_of(flow, name), key)} {{{{ {address} }}}}"
    changed = change_node(replace(flow, records=records), name, **{key: told})
    return Planted(changed, "TW047", node_place(name, key))


@kind("template that reads nothing")
def _reads_nothing(flow: Flow, chance: Random) -> Planted | None:
    name, key = pick(chance, _said(flow))
    address = pick(chance, [address for address, _ in fields_of(flow)])
    hole = pick(chance, ['{{ "Ada" }}', "{{ 1 + 2 }}", f"{{{address}}}", f"{{ {address} }}"])
    changed = change_node(flow, name, **{key: f"{getattr(node_of(flow, name), key)} {hole}"})
    return Planted(changed, "TW059", node_place(name, key))


@kind("language without phrases")
def _language(flow: Flow, chance: Random) -> Planted | None:
    return Planted(replace(flow, language=pick(chance, ["fr", "xx", "eng"])), "TW027", lambda f: f.span.of("language"))


@kind("phrase that both confirms and edits")
def _phrase(flow: Flow, chance: Random) -> Planted | None:
    key, phrase = pick(chance, [("affirm", "change"), ("affirm", "Edit"), ("edit", "yes"), ("edit", "okay")])
    phrases = ["sure thing", "by all means"]
    at = chance.randint(0, 2)
    phrases.insert(at, phrase)
    changed = replace(flow, texts={**flow.texts, key: phrases})
    return Planted(changed, "TW077", lambda read: read.span.of(f"texts.{key}"))


_PLAIN_TEXT = re.compile(r"(?<=[{ ])(?:say|about|because|ask|description): (?P<text>[A-Za-z][^\"'{}\[\],:]*)(?=[,}])")


@kind("comma in a flow mapping that made a second key")
def _comma(flow: Flow, chance: Random) -> Planted | None:
    def spoilt(text: str) -> tuple[str, int]:
        lines = text.split("\n")
        found = [
            (n, hit) for n, line in enumerate(lines) for hit in _PLAIN_TEXT.finditer(line) if "{" in line[: hit.start()]
        ]
        number, hit = pick(chance, found)
        line = lines[number]
        lines[number] = f"{line[: hit.end()]}, if you like{line[hit.end() :]}"
        return "\n".join(lines), number + 1

    return Planted(flow, "TW008", lambda read: read.span, spoilt)
