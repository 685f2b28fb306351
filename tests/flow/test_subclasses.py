"""Classes that a program derives from those of the flow model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

import turnwise as tw


class Greeting(tw.Node):
    """A node with a constructor of its own."""

    def __init__(self, name: str, greeting: str, **given: Any) -> None:
        super().__init__(name, say=f"{greeting}!", **given)


@dataclass(frozen=True)
class Owned(tw.Node):
    """A node with an attribute of its own, and a default of its own."""

    say: str = "From the default."
    owner: str = ""


def test_a_flow_of_derived_classes_runs_as_one_of_the_models() -> None:
    class Shop(tw.Flow):
        pass

    class Way(tw.Transition):
        pass

    class When(tw.Condition):
        pass

    def make(flow: Any, node: Any, way: Any, condition: Any) -> tw.Flow:
        return flow(
            "shop",
            start="hello",
            nodes=[
                node("hello", say="Hi!", after=[way(to="bye", when=[condition("message_contains", "bye")])]),
                tw.Node("bye", say="See you.", transitions=[way(end="done", at="before")]),
            ],
        )

    class Plain(tw.Node):
        pass

    own = make(Shop, Plain, Way, When)
    assert tw.draw(own) == tw.draw(make(tw.Flow, tw.Node, tw.Transition, tw.Condition))
    assert [one.code for one in tw.check(own) if one.severity == "error"] == []
    with tw.open_sync(own) as app:
        assert app.chat("one").say("hello").text == "Hi!"


def test_a_derived_node_may_have_a_constructor_and_attributes_of_its_own() -> None:
    owned = Owned("b", transitions=[tw.Transition(end="done")], owner="Eva")  # type: ignore[arg-type]
    flow = tw.Flow("f", start="a", nodes=[Greeting("a", "Hello", after=[tw.Transition(to="b")]), owned])
    assert [one.code for one in tw.check(flow) if one.severity == "error"] == []
    assert owned.owner == "Eva"
    with tw.open_sync(flow) as app:
        assert "Hello!" in app.chat("one").say("hi").text


def test_a_derived_class_that_cannot_work_is_told_what_to_do() -> None:
    class Silent(tw.Node):
        say = "Hello"

    class Unmade(tw.Node):
        def __init__(self, name: str) -> None:
            pass

    class UnmadeFlow(tw.Flow):
        def __init__(self) -> None:
            pass

    said = [str(one) for one in tw.check(tw.Flow("f", start="a", nodes=[Silent("a")]))]
    assert any("'say' of the class Silent has no effect" in one and "@dataclass(frozen=True)" in one for one in said)
    said = [str(one) for one in tw.check(tw.Flow("f", start="a", nodes=[Unmade("a")]))]
    assert any("'Unmade.__init__' does not call 'super().__init__()'" in one for one in said)
    with pytest.raises(tw.FlowError, match=r"'UnmadeFlow.__init__' does not call 'super\(\).__init__\(\)'"):
        tw.open_sync(UnmadeFlow())
