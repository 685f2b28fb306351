"""The connection to model providers, by the library `pydantic_ai`. Nothing else of turnwise imports that library, and
this package is imported with the first call of a model.
"""

from turnwise.models.wire.connection import ProviderConnection

__all__ = ["ProviderConnection"]
