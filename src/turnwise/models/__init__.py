"""Models: providers, scripts and recordings behind one port. Only `wire` imports the library that reaches providers."""

from turnwise.models.creation import model_named
from turnwise.models.names import FORBIDDEN
from turnwise.models.provider_model import RealModel
from turnwise.models.reach import Patience, Reach, reach_of
from turnwise.models.selection import NamedModels

__all__ = ["FORBIDDEN", "NamedModels", "Patience", "Reach", "RealModel", "model_named", "reach_of"]
