"""Going through the parts of a flow by the shapes of its documents. It decides nothing."""

from __future__ import annotations

from typing import Any

from turnwise.flow.shape import Kind, Many, Named, Part, Shape
from turnwise.flow.shapes import SHAPES

SHAPE_OF: dict[type, Shape] = {shape.of: shape for shape in SHAPES.values()}
"""The shape of each class of the model."""


def inside(kind: Kind, value: Any) -> tuple[Any, ...]:
    """The parts that stand under a key of this kind."""
    match kind:
        case Named() | Many(Part()):
            return tuple(value)
        case Part() if value is not None:
            return (value,)
        case _:
            return ()
