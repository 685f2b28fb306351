"""Model providers, scripts and recordings behind one port. Only `wire` imports the library that reaches providers.

The names are imported when they are first used: a flow without models needs none of them.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from turnwise.models.provider_model import ProviderModel
    from turnwise.models.reach import NO_MODELS_VARIABLE, CallSettings, Patience, call_settings
    from turnwise.models.selection import NamedModels, model_named

_MODULES = {
    "provider_model": ("ProviderModel",),
    "reach": ("NO_MODELS_VARIABLE", "CallSettings", "Patience", "call_settings"),
    "selection": ("NamedModels", "model_named"),
}
_WHERE = {name: module for module, names in _MODULES.items() for name in names}

__all__ = [
    "NO_MODELS_VARIABLE",
    "CallSettings",
    "NamedModels",
    "Patience",
    "ProviderModel",
    "call_settings",
    "model_named",
]


def __getattr__(name: str) -> Any:
    """Import a name from its module."""
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"turnwise.models.{_WHERE[name]}"), name)
