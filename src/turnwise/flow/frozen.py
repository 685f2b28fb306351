"""Defines frozen dataclasses quickly, to keep the start of a process short.

`dataclass` compiles seven functions for each class, and doing so for the classes of the flow model takes a tenth of the
time to the first turn of a process. Here one function of one line is compiled for each class, the constructor.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, fields
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform

Class = TypeVar("Class")
"""The class that is frozen."""


put = object.__setattr__
"""Sets an attribute of an object that is being made."""

_defaults: dict[type, tuple[dict[str, Any], dict[str, Callable[[], Any]]]] = {}
"""The defaults of each class, and what makes those that each object has for itself."""


@dataclass_transform(frozen_default=True)
def frozen(cls: type[Class], finish: Callable[[Any], None] | None = None) -> type[Class]:
    """Return a class as a frozen dataclass with slots, as `@dataclass(frozen=True, slots=True)` makes it. The
    constructor calls `finish` with each object that it made.
    """
    made, known = _dataclass(cls)
    factories = {one.name: one.default_factory for one in known if one.default_factory is not MISSING}
    _defaults[made] = {one.name: one.default for one in known if one.default is not MISSING}, factories
    methods = (*_comparing(known), _showing(known), *_refusing(made), __getstate__, __setstate__)
    for method in methods:
        if method.__name__ not in vars(cls):
            setattr(made, method.__name__, method)
    if "__init__" not in vars(cls):
        made.__init__ = _Constructor(made, known, finish)
    return made


def is_frozen(cls: type) -> bool:
    """Return whether `frozen` made a class; false for a subclass that a program defines."""
    return cls in _defaults


def make(cls: type[Class], **values: Any) -> Class:
    """Return an object of a class with these values, without calling the constructor: they must be in stored form."""
    made = object.__new__(cls)
    defaults, factories = _defaults[cls]
    for name, value in (defaults | values).items():
        put(made, name, value)
    for name, factory in factories.items():
        if name not in values:
            put(made, name, factory())
    return made


def _dataclass(cls: type[Any]) -> tuple[Any, tuple[Field[Any], ...]]:
    """Make a dataclass without methods. It does not see the annotations as texts, in which it would search for
    `ClassVar` and the like, which the classes of the flow model do not have.
    """
    annotations = cls.__annotations__
    cls.__annotations__ = dict.fromkeys(annotations, object)
    made: Any = dataclass(init=False, repr=False, eq=False, slots=True)(cls)
    cls.__annotations__ = made.__annotations__ = annotations
    made.__dataclass_params__.frozen = True  # what a derived dataclass looks at
    known = fields(made)
    for one in known:
        if one.name in annotations:
            one.type = annotations[one.name]
    return made, known


class _Constructor:
    """The constructor of a class, compiled when it is first looked up: a process constructs objects of few classes."""

    def __init__(self, *parts: Any) -> None:
        self.parts = parts

    def __get__(self, made: object, cls: type[Any]) -> Any:
        compiled = _compiled(*self.parts)
        self.parts[0].__init__ = compiled
        return compiled if made is None else compiled.__get__(made, cls)


def _compiled(
    cls: type[Any], known: tuple[Field[Any], ...], finish: Callable[[Any], None] | None
) -> Callable[..., None]:
    names = [field.name for field in known]
    arguments = [field for field in known if field.init]
    made_by: dict[str, Any] = {f"make_{one.name}": one.default_factory for one in known}
    constants: dict[str, Any] = {f"default_{one.name}": one.default for one in known if not one.init}

    def keep(made: Any, values: tuple[Any, ...]) -> None:
        for name, value in zip(names, values, strict=True):
            put(made, name, value)
        if finish is not None:
            finish(made)

    scope: dict[str, Any] = {"_keep": keep, "_MISSING": MISSING, **made_by, **constants}
    takes = "".join([f", {one.name}" for one in arguments])
    text = f"def __init__(self{takes}):\n    _keep(self, ({''.join([_value(one) + ', ' for one in known])}))\n"
    exec(text, scope)  # noqa: S102  as `dataclass` does
    made: Any = scope["__init__"]
    made.__defaults__ = tuple([one.default for one in arguments if {one.default, one.default_factory} != {MISSING}])
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    made.__annotations__ = {one.name: one.type for one in arguments} | {"return": "None"}
    return made


def _value(field: Field[Any]) -> str:
    """Return the text of the value that the constructor keeps."""
    name = field.name
    if not field.init:
        return f"default_{name}"
    return name if field.default_factory is MISSING else f"make_{name}() if {name} is _MISSING else {name}"


def _comparing(known: tuple[Field[Any], ...]) -> tuple[Callable[..., Any], ...]:
    compared: Callable[[Any], Any] = attrgetter(*(field.name for field in known if field.compare))

    def __eq__(self: object, other: object) -> bool:  # noqa: N807
        return compared(self) == compared(other) if other.__class__ is self.__class__ else NotImplemented

    def __hash__(self: object) -> int:  # noqa: N807
        return hash(compared(self))

    return __eq__, __hash__


def _showing(known: tuple[Field[Any], ...]) -> Callable[..., Any]:
    shown = tuple(field.name for field in known if field.repr)

    def __repr__(self: object) -> str:  # noqa: N807
        values = ", ".join([f"{name}={getattr(self, name)!r}" for name in shown])
        return f"{self.__class__.__qualname__}({values})"

    return __repr__


def _refusing(cls: type[Any]) -> tuple[Callable[..., Any], ...]:
    """Refuse changes of the fields; an object of a derived class may have other attributes."""
    names = frozenset(cls.__slots__)

    def __setattr__(self: object, name: str, value: object) -> None:  # noqa: N807
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    def __delattr__(self: object, name: str) -> None:  # noqa: N807
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    return __setattr__, __delattr__


def __getstate__(self: Any) -> list[Any]:  # noqa: N807
    return [getattr(self, field.name) for field in fields(self)]


def __setstate__(self: Any, state: list[Any]) -> None:  # noqa: N807
    for field, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)
