"""Model providers, scripts and recordings behind one port. Only `wire` imports the library that reaches providers."""

from turnwise.models.provider_model import ProviderModel
from turnwise.models.reach import FORBIDDEN, Patience, Reach, reach_of
from turnwise.models.selection import NamedModels, model_named

__all__ = ["FORBIDDEN", "NamedModels", "Patience", "ProviderModel", "Reach", "model_named", "reach_of"]
