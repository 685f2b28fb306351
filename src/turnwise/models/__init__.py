"""Model providers, scripts and recordings behind one port. Only `wire` imports the library that reaches providers."""

from turnwise.models.provider_model import ProviderModel
from turnwise.models.reach import FORBIDDEN, CallSettings, Patience, call_settings
from turnwise.models.selection import NamedModels, model_named

__all__ = ["FORBIDDEN", "CallSettings", "NamedModels", "Patience", "ProviderModel", "call_settings", "model_named"]
