"""Telemetry spans by OpenTelemetry. Needs the package `opentelemetry-api`."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any

from turnwise.errors import TurnwiseError
from turnwise.runner.spans import Attributes, Span

if TYPE_CHECKING:
    from opentelemetry.trace import Span as OtelSpan


class OpenTelemetry:
    """Sends spans to an OpenTelemetry tracer: of `provider`, else of the provider that the program has set."""

    def __init__(self, provider: Any = None) -> None:
        try:
            from opentelemetry import trace
        except ImportError:
            raise TurnwiseError("spans need OpenTelemetry: pip install 'turnwise[telemetry]'") from None
        self._trace = trace
        self._tracer = trace.get_tracer("turnwise", tracer_provider=provider)

    def span(self, name: str, attributes: Attributes, *, is_call: bool = False) -> AbstractContextManager[Span]:
        """Return a context manager that records a span, as a child of the current span. `is_call`: of a call to another
        system.
        """
        kinds = self._trace.SpanKind
        return self._entered(name, attributes, kinds.CLIENT if is_call else kinds.INTERNAL)

    @contextmanager
    def _entered(self, name: str, attributes: Attributes, kind: Any) -> Generator[Span]:
        with self._tracer.start_as_current_span(name, kind=kind, attributes=dict(attributes)) as span:
            yield _Given(span, self._trace)


class _Given:
    """A span of OpenTelemetry, as the runner fills it."""

    def __init__(self, span: OtelSpan, trace: Any) -> None:
        self._span = span
        self._trace = trace

    def add(self, attributes: Attributes) -> None:
        self._span.set_attributes(dict(attributes))

    def event(self, name: str, attributes: Attributes) -> None:
        self._span.add_event(name, dict(attributes))

    def fail(self, kind: str, reason: str) -> None:
        self._span.set_attribute("error.type", kind)
        self._span.set_status(self._trace.Status(self._trace.StatusCode.ERROR, reason))
