"""The guard language, a subset of CEL: parser, syntax tree and writer.

It judges nothing: types, names and values are the core's.
"""

from __future__ import annotations

from turnwise.flow.guard.parse import GuardError, parse
from turnwise.flow.guard.syntax import Expression, text_of

__all__ = ["Expression", "GuardError", "parse", "text_of"]
