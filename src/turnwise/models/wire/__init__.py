"""The wire: our requests in the words of the library that reaches providers, its events in ours. Nothing else of
turnwise knows that library, and this is loaded when a model is called for the first time.
"""

from turnwise.models.wire.connection import Line

__all__ = ["Line"]
