"""Frozen classes of the flow model behave as the dataclasses that they are declared as."""

from __future__ import annotations

import copy
import inspect
import pickle
from dataclasses import FrozenInstanceError, dataclass, field, fields, is_dataclass, replace
from typing import Any

import pytest

import turnwise as tw
from turnwise.flow.frozen import frozen


class Declared:
    """Declared once, decorated twice."""

    name: str
    sizes: tuple[int, ...] = ()
    table: dict[str, Any] = field(default_factory=dict)
    is_read: bool = field(default=False, init=False, compare=False, repr=False)
    note: str = field(default="", compare=False, repr=False)


def declared() -> type[Any]:
    body = {name: value for name, value in vars(Declared).items() if name not in ("__dict__", "__weakref__")}
    return type("Parts", (), {**body, "__qualname__": "Parts"})


OURS: Any = frozen(declared())
THEIRS: Any = dataclass(frozen=True, slots=True)(declared())
BOTH = pytest.mark.parametrize("cls", [OURS, THEIRS], ids=["ours", "dataclass"])
Parts = OURS  # pickle looks the class up by its name


@BOTH
def test_values_defaults_and_factories(cls: Any) -> None:
    one, other = cls("a", (1,)), cls(name="a", sizes=(1,), note="elsewhere")
    assert (one.name, one.sizes, one.table, one.is_read, one.note) == ("a", (1,), {}, False, "")
    assert one.table is not other.table
    assert one == other
    assert one != cls("b", (1,))
    assert one != ("a", (1,), {})
    assert repr(one) == "Parts(name='a', sizes=(1,), table={})"
    assert replace(one, name="c") == cls("c", (1,))
    assert is_dataclass(one)
    assert [f.name for f in fields(one)] == ["name", "sizes", "table", "is_read", "note"]
    assert cls.__match_args__ == ("name", "sizes", "table", "note")


@BOTH
def test_hashes_follow_equality(cls: Any) -> None:
    assert hash(cls("a", table=())) == hash(cls("a", table=(), note="b"))
    with pytest.raises(TypeError, match="unhashable"):
        hash(cls("a"))


@BOTH
def test_changes_are_refused(cls: Any) -> None:
    one = cls("a")
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'name'"):
        one.name = "b"
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'name'"):
        del one.name


@BOTH
def test_wrong_arguments_name_the_class(cls: Any) -> None:
    with pytest.raises(TypeError, match=r"Parts\.__init__\(\) got an unexpected keyword argument 'wide'"):
        cls("a", wide=1)
    with pytest.raises(TypeError, match=r"Parts\.__init__\(\) missing 1 required positional argument: 'name'"):
        cls()
    with pytest.raises(TypeError, match="unexpected keyword argument 'is_read'"):
        cls("a", is_read=True)


@BOTH
def test_the_signature_names_the_parameters(cls: Any) -> None:
    assert list(inspect.signature(cls).parameters) == ["name", "sizes", "table", "note"]


@BOTH
def test_derived_classes(cls: Any) -> None:
    @dataclass(frozen=True)
    class More(cls):
        owner: str = ""

    class Plain(cls):
        pass

    assert More("a", owner="Eva").owner == "Eva"
    assert More("a") == More("a")
    assert More("a", owner="Eva") != More("a")
    with pytest.raises(FrozenInstanceError):
        Plain("a").name = "b"
    with pytest.raises(TypeError, match="cannot inherit non-frozen dataclass from a frozen one"):

        @dataclass
        class Loose(cls):
            pass


def test_a_derived_class_may_have_attributes_of_its_own() -> None:
    class Plain(OURS):
        def __init__(self, name: str) -> None:
            super().__init__(name)
            self.own = name

    one = Plain("a")
    assert one.own == "a"
    del one.own
    with pytest.raises(AttributeError):
        _ = one.own
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'other'"):
        OURS("a").other = "b"


def test_copies_and_pickles_are_equal() -> None:
    one = OURS("a", (1,), {"b": 2}, note="kept")
    for copied in (copy.copy(one), copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
        assert (copied, copied.note, copied.is_read) == (one, "kept", False)
    flow = tw.Flow("f", start="a", nodes=[tw.Node("a", say="Hi!", transitions=[tw.Transition(end="done")])])
    assert copy.deepcopy(flow) == flow
