"""Frozen dataclasses that take little time to define.

`dataclass` compiles seven functions for each class, and doing so for the classes of the flow model takes a tenth of the
time to the first turn of a process. Here one function is compiled for each class, the constructor.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, fields
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform

Class = TypeVar("Class")


@dataclass_transform(frozen_default=True)
def frozen(cls: type[Class]) -> type[Class]:
    """Make a frozen dataclass with slots. It behaves as one of `@dataclass(frozen=True, slots=True)`."""
    made: Any = dataclass(init=False, repr=False, eq=False, slots=True)(cls)
    made.__dataclass_params__.frozen = True  # what a derived dataclass looks at
    known = fields(made)
    methods = (*_comparing(known), _showing(known), *_refusing(made), __getstate__, __setstate__)
    for method in (_constructor(made, known), *methods):
        if method.__name__ not in vars(cls):
            setattr(made, method.__name__, method)
    return made


def _constructor(cls: type[Any], known: tuple[Field[Any], ...]) -> Callable[..., None]:
    names: dict[str, Any] = {"put": object.__setattr__, "MISSING": MISSING}
    takes, body = ["self"], list[str]()
    for field in known:
        name, value = field.name, field.name
        if field.default_factory is not MISSING:
            names[f"make_{name}"] = field.default_factory
            takes.append(f"{name}=MISSING")
            value = f"make_{name}() if {name} is MISSING else {name}"
        elif field.default is not MISSING:
            names[f"default_{name}"] = field.default
            value = name if field.init else f"default_{name}"
            takes += [f"{name}=default_{name}"] if field.init else []
        else:
            takes.append(name)
        body.append(f"    put(self, {name!r}, {value})\n")
    exec(f"def __init__({', '.join(takes)}):\n{''.join(body)}", names)  # noqa: S102  as `dataclass` does
    made: Callable[..., None] = names["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    made.__annotations__ = {field.name: field.type for field in known if field.init} | {"return": "None"}
    return made


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
