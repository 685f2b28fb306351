"""Makes the transitions of a flow from the edges of a DyGram document: their moment, guard, reason and order."""

from __future__ import annotations

from turnwise.authoring.dygram.compile.links import Link, Option
from turnwise.authoring.dygram.compile.names import Declared, World
from turnwise.authoring.dygram.compile.placed import Output, Pair, hint_of_similar, value_of_annotation
from turnwise.authoring.dygram.compile.texts import guard_text
from turnwise.authoring.dygram.syntax import Annotation, Scalar
from turnwise.flow.located import Located
from turnwise.flow.shapes import SHAPES

GUARDS = ("when", "unless", "if")
"""Names under which an edge has its guard."""
REFUSED = {
    "at": "the kind of an edge says when it is judged",
    "to": "an edge leads to its target",
    "guard": "code is supplied by Python flows only",
    "mirror": "code is supplied by Python flows only",
}
"""Attributes that an edge cannot have, each with the reason."""


def is_open(link: Link) -> bool:
    """Return whether an edge has neither a guard nor a delay."""
    return not any(name in link.options for name in GUARDS) and _delay(link) is None


def transitions_of(world: World, links: list[Link], caught: list[Link], *, has_choice: bool) -> list[Located]:
    """Return the transitions of a node for its edges `links` and the edges `caught` that catch its errors: with guards,
    then those that catch errors, last those without guards. With `has_choice`, the model chooses among the edges
    without a guard.
    """
    open_ = [link for link in links if is_open(link)]
    chosen = [link for link in open_ if "auto" not in link.annotations] if has_choice else []
    guarded = [link for link in links if not is_open(link)]
    last = [link for link in open_ if link not in chosen]
    found = [_transition(world, link, "timer" if _delay(link) is not None else "") for link in guarded]
    found += [_transition(world, link, "choice") for link in chosen]
    found += [_transition(world, link, "error") for link in sorted(caught, key=is_open)]
    highest = max((_priority_of(link) for link in guarded), default=0)
    return [*found, *[_transition(world, link, "", highest) for link in last]]


def _priority_of(link: Link) -> int:
    """Return the priority of an edge, 0 where it has none."""
    annotation = link.annotations.get("priority")
    option = link.options.get("priority")
    value = value_of_annotation(annotation) if annotation is not None else option.value if option is not None else None
    text = str(value.value) if isinstance(value, Scalar) else ""
    return int(text) if text.isdigit() else 0


_USUAL = 100
"""The priority of a transition that says none."""


def _transition(world: World, link: Link, moment: str, above: int = 0) -> Located:
    """Return one transition. One that is judged last comes behind those up to some priority."""
    output = world.output
    pairs: list[Pair] = [(output.key("at", link.at), output.text(moment, link.at))] if moment else []
    guard = _guard(world, link)
    if guard is not None:
        pairs.append((output.key("when", link.at), guard))
    if link.label:
        pairs.append((output.key("because", link.at), output.text(link.label, link.at)))
    delay = _delay(link)
    if delay is not None:
        pairs.append((output.key("in", delay.at), _seconds(output, delay)))
    pairs += _further(output, link)
    if above >= _USUAL and not _priority_of(link):
        pairs.append((output.key("priority", link.at), output.plain(above + 1, link.at)))
    pairs.append((output.key("to", link.at), output.text(link.target.name, link.at)))
    return output.pairs(pairs, link.at)


def _further(output: Output, link: Link) -> list[Pair]:
    """Return the other keys of a transition that an edge is given."""
    known = SHAPES["Transition"].by_name
    pairs: list[Pair] = []
    priority = link.annotations.get("priority")
    if priority is not None:
        pairs.append((output.key("priority", priority.name.at), _number_in(output, priority)))
    for name, option in link.options.items():
        if name in GUARDS or name == "timeout" or option.value is None:
            continue
        if name in REFUSED:
            output.report("TW137", f"'{name}' has no effect on an edge: {REFUSED[name]}", option.at)
        elif name not in known:
            output.report(
                "TW137", f"'{name}' has no effect on an edge", option.at, hint_of_similar(name, [*GUARDS, *known])
            )
        elif (name == "because" and link.label) or (name == "priority" and priority is not None):
            output.report("TW137", f"'{name}' has no effect: the label of the edge says it already", option.at)
        else:
            value = _integer(output, option) if name == "priority" else output.value(option.value)
            pairs.append((output.key(name, option.at), value))
    return pairs


def _integer(output: Output, option: Option) -> Located:
    """Return a number that may stand in quotes."""
    value = option.value
    if isinstance(value, Scalar) and value.kind == "string" and str(value.value).isdigit():
        return output.plain(int(str(value.value)), value.at)
    assert value is not None
    return output.value(value)


def _number_in(output: Output, annotation: Annotation) -> Located:
    """Return the number that an annotation is given."""
    value = value_of_annotation(annotation)
    return output.plain(None, annotation.name.at) if value is None else _integer(output, Option(value, value.at))


def _delay(link: Link) -> Option | None:
    """Return after which time an edge is taken."""
    annotation = link.annotations.get("timeout")
    if annotation is not None:
        return Option(value_of_annotation(annotation), annotation.name.at)
    return link.options.get("timeout")


def _seconds(output: Output, option: Option) -> Located:
    """Return a time span; a bare number counts seconds."""
    value = option.value
    if isinstance(value, Scalar) and value.kind == "number":
        return output.text(f"{value.value}s", value.at)
    return output.plain(None, option.at) if value is None else output.value(value)


def time_span(output: Output, annotation: Annotation) -> Located:
    """Return the time span that an annotation contains: `@timeout(5 minutes)`."""
    return _seconds(output, Option(value_of_annotation(annotation), annotation.name.at))


def _guard(world: World, link: Link) -> Located | None:
    """Return the guard of an edge; all of several must hold."""
    scope: Declared | None = link.source
    found: list[tuple[str, Scalar]] = []
    for name in GUARDS:
        option = link.options.get(name)
        if option is None:
            continue
        if not isinstance(option.value, Scalar):
            world.output.report("TW136", f"'{name}' takes a condition in quotes", option.at)
            continue
        text = guard_text(world, str(option.value.value), scope)
        found.append((f"!({text})" if name == "unless" else text, option.value))
    if not found:
        return None
    first = found[0][1]
    if len(found) == 1:
        text = found[0][0]
        return world.output.scalar(first, None if text == first.value else text)
    return world.output.scalar(first, " && ".join(f"({text})" for text, _ in found))
