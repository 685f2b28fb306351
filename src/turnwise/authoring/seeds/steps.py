"""Converts a configuration of orchestration steps to a flow: a node for each step, with `enter_when` and tools.

A step has no words of its own, so all work with one prompt, made from the descriptions. The
conversion judges no condition: an unknown one is left to linking.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from turnwise.authoring.seeds.rewriting import (
    Rewriting,
    escaped,
    is_nothing,
    list_of,
    mapping,
    mapping_of_pairs,
    name_from,
    name_of_file,
    scalar,
    unique_name,
    without_templates,
)
from turnwise.flow.kinds import IDENTIFIER
from turnwise.flow.located import Items, Located, Pairs, Scalar

_STEP = ("name", "description", "conditions", "availableTools", "sequence", "isDefault", "persona", "prompt", "model")
_TELLING = {"conditions", "availabletools", "isdefault"}
_HOLDER = ("steps", "name", "description", "personality", "tools", "defaultStep", "initialMessages")
_ABOUT_TOOLS = ("tool_used", "not_recently_used")
_WILD = frozenset("*?[")


class _Configuration(NamedTuple):
    """The steps, and the other keys of the configuration in lower case."""

    steps: list[Located]
    parts: Mapping[str, Located]


class _Step(Struct, frozen=True):
    """A step: the name of its node, and its parts by their keys in lower case."""

    name: Scalar
    place: Pairs
    parts: Mapping[str, Located]
    is_default: bool

    def part(self, key: str) -> Located | None:
        """Return the value of a key, `None` where it says nothing."""
        found = self.parts.get(key.casefold())
        return None if is_nothing(found) else found


def are_steps(tree: Located) -> bool:
    """Return whether a tree is a step, a list of steps, or a mapping that contains such a list."""
    match tree:
        case Items():
            return any(isinstance(item, Pairs) and bool(_keys(item) & {"name", *_TELLING}) for item in tree.items)
        case Pairs():
            keys = _keys(tree)
            if "flow" in keys:
                return False
            is_step = bool(keys & _TELLING) or ("name" in keys and keys <= {key.casefold() for key in _STEP})
            return "orchestration" in keys or ("nodes" not in keys and ("steps" in keys or is_step))
        case Scalar():
            return False


def rewrite_steps(tree: Located, file: str) -> Rewriting:
    """Return the flow document for a configuration of steps."""
    found = Rewriting(file, tree)
    configuration = _configuration(found, tree)
    steps = [step for step in (_step(found, item) for item in configuration.steps) if step is not None]
    if not configuration.steps:
        found.report("TW013", "there are no steps in it", tree)
    steps = _renamed(found, steps)
    start = _start(found, steps, configuration.parts.get("defaultstep"))
    _check_ways(found, steps, start)
    description = _description(found, configuration.parts.get("description"))
    prompt = scalar(_prompt(description, steps), tree)
    nodes = [(step.name, _node(found, step, prompt)) for step in steps]
    if not any(step.name is start for step in steps) and start.value not in {step.name.value for step in steps}:
        everything = mapping(start, tools=mapping(start, allow=list_of(start, [scalar("*", start)])))
        nodes.insert(0, (start, everything))
    entrance = _entrance(found, steps, start, configuration.parts.get("initialmessages"))
    nodes = [entrance, *nodes] if entrance is not None else nodes
    own_name = configuration.parts.get("name")
    name = found.text(own_name) if own_name is not None else None
    found.document = mapping(
        tree,
        flow=scalar(name_from(name or "", name_of_file(file, "steps")), own_name or tree),
        title=own_name if name and not IDENTIFIER.allows(name) else None,
        description=description,
        start=entrance[0] if entrance is not None else start,
        persona=_description(found, configuration.parts.get("personality"), is_template=True),
        prompt=prompt,
        tools=_tools(found, configuration.parts.get("tools"), steps, tree),
        nodes=mapping_of_pairs(tree, nodes),
    )
    return found


# the configuration -------------------------------------------------------------------------------


def _keys(tree: Pairs) -> set[str]:
    return {key.text.casefold() for key, _ in tree.pairs}


def _configuration(found: Rewriting, tree: Located) -> _Configuration:
    """Return the steps, and what stands beside them."""
    if isinstance(tree, Items):
        return _Configuration(tree.items, {})
    assert isinstance(tree, Pairs)
    keys = _keys(tree)
    if not keys & {"steps", "orchestration"}:
        return _Configuration([tree], {})
    outer = list(found.pairs(tree, "a mapping"))
    orchestration = next((value for folded, _, value in outer if folded == "orchestration"), None)
    parts = {folded: value for folded, _, value in outer if folded in _HOLDER_FOLDED}
    others = [key for folded, key, _ in outer if folded not in (*_HOLDER_FOLDED, "orchestration")]
    if orchestration is not None:
        for key in others:
            found.report_ignored(key, "only the steps of an agent are read")
        inner = list(found.pairs(orchestration, "a mapping with 'steps'"))
        parts |= {folded: value for folded, _, value in inner if folded in _HOLDER_FOLDED}
        others = [key for folded, key, _ in inner if folded not in _HOLDER_FOLDED]
    for key in others:
        if key.text.casefold() == "resetsequenceon":
            found.report_ignored(key, "a sequence is judged by the last uses, and has no place that could be reset")
        else:
            found.report_unknown(key, "an orchestration", _HOLDER)
    steps = found.items(parts["steps"], "a list of steps") if "steps" in parts else []
    return _Configuration(steps, parts)


_HOLDER_FOLDED = {key.casefold() for key in _HOLDER}


# a step ------------------------------------------------------------------------------------------


def _step(found: Rewriting, tree: Located) -> _Step | None:
    """Return a step by its keys, `None` where it has no name."""
    parts: dict[str, Located] = {}
    known = {key.casefold() for key in _STEP}
    for folded, key, value in found.pairs(tree, "a step: a mapping of name, description, conditions, …"):
        if folded in known:
            parts[folded] = value
        else:
            found.report_unknown(key, "a step", _STEP)
    if not isinstance(tree, Pairs):
        return None
    if "name" not in parts:
        found.report("TW013", "a step needs 'name'", tree)
        return None
    name = found.text(parts["name"])
    if name is None:
        return None
    default = parts.get("isdefault")
    if not is_nothing(default) and not (isinstance(default, Scalar) and isinstance(default.value, bool)):
        found.report_wrong(default or tree, "true or false")
    is_default = isinstance(default, Scalar) and default.value not in (None, False)
    return _Step(Scalar(name, parts["name"].line, parts["name"].column, name), tree, parts, is_default)


def _renamed(found: Rewriting, steps: list[_Step]) -> list[_Step]:
    """Return the steps, renamed where their names cannot be names of nodes."""
    taken = {step.name.text: 1 for step in steps}
    renamed: list[_Step] = []
    for number, step in enumerate(steps, 1):
        text = step.name.text
        if IDENTIFIER.allows(text):
            renamed.append(step)
            continue
        made = unique_name(name_from(text, f"step_{number}"), taken)
        found.report("TW063", f"the step {text!r} is called '{made}' here", step.name, "letters, digits and _ only")
        renamed.append(replace(step, name=scalar(made, step.name)))
    return renamed


def _start(found: Rewriting, steps: list[_Step], named: Located | None) -> Scalar:
    """Return the name of the node to start at: the default step, or a new node in which every tool is allowed."""
    defaults = [step.name for step in steps if step.is_default]
    if named is not None and not is_nothing(named):
        text = found.text(named)
        if text is not None and not defaults:
            step = next((step for step in steps if getattr(step.parts["name"], "text", "") == text), None)
            if step is not None:
                return step.name
            found.report("TW018", f"no step is called '{text}'", named)
        elif text is not None and text != defaults[0].text:
            found.report("TW060", f"'defaultStep' has no effect: '{defaults[0].text}' is the default", named)
    if defaults:
        return defaults[0]
    place = steps[0].place if steps else found.document
    return scalar(unique_name("general", {step.name.text: 1 for step in steps}), place)


def _check_ways(found: Rewriting, steps: list[_Step], start: Scalar) -> None:
    """Steps without conditions that are not the start: nothing can lead there."""
    for step in steps:
        if step.name is start or step.part("conditions") is not None:
            continue
        if step.is_default:
            message = f"'{step.name.text}' is never entered: the conversation starts at the first default step"
        else:
            message = f"'{step.name.text}' is never entered: it has no conditions and is not the default"
        found.report("TW061", message, step.name, "give it conditions")


def _entrance(
    found: Rewriting, steps: list[_Step], start: Scalar, greeting: Located | None
) -> tuple[Scalar, Pairs] | None:
    """Return the node that says the initial messages and waits; the first message then enters the start.

    The start itself has a prompt, and a model would word the text of its entry anew.
    """
    if greeting is None or is_nothing(greeting):
        return None
    parts = greeting.items if isinstance(greeting, Items) else [greeting]
    texts = [text.strip() for text in (found.text(part) for part in parts) if text and text.strip()]
    if not texts:
        return None
    name = scalar(unique_name("greeting", {start.text: 1} | {step.name.text: 1 for step in steps}), greeting)
    way = mapping(
        greeting,
        id=scalar("first_message", greeting),
        at=scalar("before", greeting),
        when=scalar("has(message.text)", greeting),
        to=start,
    )
    said = scalar(escaped("\n\n".join(texts)), greeting)
    return name, mapping(greeting, entry=said, transitions=list_of(greeting, [way]))


def _node(found: Rewriting, step: _Step, prompt: Scalar) -> Pairs:
    """Return the node that a step becomes."""
    conditions = step.part("conditions")
    if isinstance(conditions, Scalar):
        found.report_wrong(conditions, 'a list of condition objects such as {"type": "tool_used", "value": "think"}')
        conditions = None
    elif isinstance(conditions, Pairs):
        conditions = list_of(conditions, [conditions])
    policy = _policy(found, step)
    own_prompt = step.part("prompt")
    return mapping(
        step.place,
        description=_description(found, step.part("description")),
        persona=_template(step.part("persona")),
        model=step.part("model"),
        prompt=_template(own_prompt) if own_prompt is not None or policy is not None else prompt,
        enter_when=conditions,
        tools=policy,
    )


def _policy(found: Rewriting, step: _Step) -> Pairs | None:
    """Return the tool policy of a step, `None` if it allows nothing."""
    sequence, available = step.part("sequence"), step.parts.get("availabletools")
    lists: dict[str, Located] = {}
    if available is not None and not (isinstance(available, Scalar) and available.value is None):
        for folded, key, value in found.pairs(available, "a mapping of 'allowed' and 'denied'"):
            if folded in ("allowed", "denied"):
                lists[folded] = value
            else:
                found.report_unknown(key, "availableTools", ("allowed", "denied"))
    allowed, denied = lists.get("allowed"), lists.get("denied")
    place = available or step.place
    if isinstance(allowed, Items) and not allowed.items:
        if sequence is None:
            return None
        if _is_trigger(step):
            return mapping(place, deny=list_of(place, [scalar("*", place)]), sequence=sequence)
        found.report("TW043", "nothing is allowed, and the sequence needs tools", allowed)
    if allowed is None or is_nothing(allowed):
        allowed = list_of(place, [scalar("*", place)])
    return mapping(place, allow=allowed, deny=None if is_nothing(denied) else denied, sequence=sequence)


def _is_trigger(step: _Step) -> bool:
    """Return whether the sequence of a step only opens it: a condition `sequence_match` reads it (law 4.2)."""
    conditions = step.part("conditions")
    parts = conditions.items if isinstance(conditions, Items) else [conditions]
    pairs = [pair for part in parts if isinstance(part, Pairs) for pair in part.pairs]
    return any(
        key.value == "type" and isinstance(value, Scalar) and value.value == "sequence_match" for key, value in pairs
    )


# texts -------------------------------------------------------------------------------------------


def _template(tree: Located | None) -> Located | None:
    return None if tree is None else without_templates(tree)


def _description(found: Rewriting, tree: Located | None, *, is_template: bool = False) -> Scalar | None:
    """One text, or a list of texts, as one text."""
    if tree is None or is_nothing(tree):
        return None
    parts = tree.items if isinstance(tree, Items) else [tree]
    description = "\n".join(text for text in (found.text(part) for part in parts) if text)
    if isinstance(tree, Scalar) and not is_template:
        return tree if description else None
    return scalar(escaped(description) if is_template else description, tree) if description else None


def _prompt(description: Scalar | None, steps: list[_Step]) -> str:
    """Return the prompt of all steps: the description of the whole, and a line about each step."""
    lines = [str(description.value) if description is not None else "Help the user, with the tools that are allowed."]
    described = [(step.name.text, _one_line(step.part("description"))) for step in steps]
    if any(about for _, about in described):
        lines += ["", "The steps of this conversation, each with its own tools:"]
        lines += [f"- {name}: {about}" if about else f"- {name}" for name, about in described]
    return escaped("\n".join(lines))


def _one_line(tree: Located | None) -> str:
    parts = tree.items if isinstance(tree, Items) else [tree]
    return " ".join(" ".join(part.text for part in parts if isinstance(part, Scalar)).split())


# tools -------------------------------------------------------------------------------------------


def _tools(found: Rewriting, declared: Located | None, steps: list[_Step], place: Located) -> Pairs:
    """Return the tools: those that the configuration declares, else all that its steps name."""
    if declared is None or is_nothing(declared):
        named = {name.text: name for step in steps for name in _named_in(step)}
        return mapping_of_pairs(place, [(name, scalar(None, name)) for name in named.values()])
    if isinstance(declared, Pairs):
        return mapping_of_pairs(declared, [(key, _tool(value)) for key, value in declared.pairs])
    names = [item for item in found.items(declared, "a list of tools") if found.text(item) is not None]
    return mapping_of_pairs(declared, [(name, scalar(None, name)) for name in names if isinstance(name, Scalar)])


def _tool(tree: Located) -> Located:
    """Return a tool that is declared by a text about it."""
    return mapping(tree, about=tree) if isinstance(tree, Scalar) and tree.value is not None else tree


def _named_in(step: _Step) -> Iterator[Scalar]:
    """Yield the tools that a step names, where it names them; wildcards name none."""
    available = step.part("availableTools")
    for tree in (*_values(available, "allowed", "denied"), step.part("sequence")):
        yield from _names_in(tree)
    conditions = step.part("conditions")
    for condition in conditions.items if isinstance(conditions, Items) else ():
        kind = next(iter(_values(condition, "type")), None)
        if isinstance(kind, Scalar) and kind.value in _ABOUT_TOOLS:
            yield from _names_in(next(iter(_values(condition, "value")), None))


def _values(tree: Located | None, *keys: str) -> list[Located]:
    return [value for key, value in tree.pairs if key.text.casefold() in keys] if isinstance(tree, Pairs) else []


def _names_in(tree: Located | None) -> Iterator[Scalar]:
    """Yield the tools in a list, in lists inside it, and in positions of a sequence."""
    match tree:
        case Scalar(value=str(name)) if name and not _WILD & set(name):
            yield Scalar(name, tree.line, tree.column, name)
        case Items():
            for item in tree.items:
                yield from _names_in(item)
        case Pairs():
            for value in _values(tree, "tool", "tools"):
                yield from _names_in(value)
        case _:
            pass
