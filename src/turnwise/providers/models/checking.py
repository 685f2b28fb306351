"""The names of models in a flow, before anyone is asked."""

from __future__ import annotations

from collections.abc import Iterator

from turnwise.errors import TurnwiseError
from turnwise.flow.diagnostic import Diagnostic, problem
from turnwise.flow.model import Flow
from turnwise.providers.models.names import read_name


def unknown_models(flow: Flow) -> Iterator[Diagnostic]:
    """Every name of a model, of the flow or of a node, that names none."""
    for part in (flow, *flow.nodes):
        if part.model:
            try:
                read_name(part.model)
            except TurnwiseError as error:
                yield problem("TW082", str(error), part.span.of("model"))
