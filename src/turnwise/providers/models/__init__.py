"""Real models: which one is meant, how long it is waited for, and what of it may be told. Only `wire` knows the library
that reaches them, and it is loaded with the first call.
"""

from turnwise.providers.models.chosen import NamedModels
from turnwise.providers.models.making import model_named
from turnwise.providers.models.names import FORBIDDEN
from turnwise.providers.models.patience import Patience
from turnwise.providers.models.reach import Reach, reach_of
from turnwise.providers.models.real import RealModel

__all__ = ["FORBIDDEN", "NamedModels", "Patience", "Reach", "RealModel", "model_named", "reach_of"]
