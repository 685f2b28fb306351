"""turnwise runs structured conversations for LLM agents, and can always say why.

The public names. Each but the errors is imported when it is first used, so that `import turnwise` is quick.
"""

from __future__ import annotations

import gc
import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from turnwise.errors import CannotBlock as CannotBlock
from turnwise.errors import CannotWrite as CannotWrite
from turnwise.errors import Conflict as Conflict
from turnwise.errors import ConversationExists as ConversationExists
from turnwise.errors import DeliveryFailed as DeliveryFailed
from turnwise.errors import DeliveryReported as DeliveryReported
from turnwise.errors import FlowUnavailable as FlowUnavailable
from turnwise.errors import ForkedProcess as ForkedProcess
from turnwise.errors import ImportRefused as ImportRefused
from turnwise.errors import InDoubt as InDoubt
from turnwise.errors import KeyReused as KeyReused
from turnwise.errors import NoClearSubject as NoClearSubject
from turnwise.errors import NoGraphviz as NoGraphviz
from turnwise.errors import NotDone as NotDone
from turnwise.errors import ProviderFailed as ProviderFailed
from turnwise.errors import ReplyFailed as ReplyFailed
from turnwise.errors import RequestTooLong as RequestTooLong
from turnwise.errors import StoreFailed as StoreFailed
from turnwise.errors import StoreUnavailable as StoreUnavailable
from turnwise.errors import SubjectCandidate as SubjectCandidate
from turnwise.errors import Superseded as Superseded
from turnwise.errors import TurnwiseError as TurnwiseError
from turnwise.errors import UnknownArgument as UnknownArgument
from turnwise.errors import UnknownConversation as UnknownConversation
from turnwise.errors import UnknownDelivery as UnknownDelivery
from turnwise.errors import UnknownField as UnknownField
from turnwise.errors import UnknownFormat as UnknownFormat
from turnwise.errors import UnknownFrame as UnknownFrame
from turnwise.errors import UnknownOverlay as UnknownOverlay
from turnwise.errors import UnknownSchedule as UnknownSchedule
from turnwise.errors import UnknownSubject as UnknownSubject
from turnwise.errors import UnknownTransition as UnknownTransition
from turnwise.errors import UnknownTurn as UnknownTurn
from turnwise.errors import WrongArgument as WrongArgument
from turnwise.errors import WrongEventLoop as WrongEventLoop
from turnwise.errors import WrongUsage as WrongUsage

if TYPE_CHECKING:
    from turnwise.api.app import App as App
    from turnwise.api.chat import Chat as Chat
    from turnwise.api.documents import check as check
    from turnwise.api.documents import draw as draw
    from turnwise.api.documents import load as load
    from turnwise.api.documents import loads as loads
    from turnwise.api.open import open as open  # noqa: A004  `tw.open` is the name that users read
    from turnwise.api.open import open_archive as open_archive
    from turnwise.api.open import open_sync as open_sync
    from turnwise.api.sync import SyncApp as SyncApp
    from turnwise.api.sync import SyncChat as SyncChat
    from turnwise.archive.activity import Activity as Activity
    from turnwise.archive.answer_words import AnswerWords as AnswerWords
    from turnwise.archive.frames import FrameInfo as FrameInfo
    from turnwise.archive.transcript import TranscriptLine as TranscriptLine
    from turnwise.authoring.python import guard as guard
    from turnwise.authoring.python_text import write_python as write_python
    from turnwise.authoring.records import Record as Record
    from turnwise.authoring.records import field as field
    from turnwise.authoring.tools import tool as tool
    from turnwise.authoring.yaml_text import write_yaml as write_yaml
    from turnwise.core.commands.allowed_input import AllowedField as AllowedField
    from turnwise.core.commands.allowed_input import AllowedInput as AllowedInput
    from turnwise.core.explain.hypothetical import judge as judge
    from turnwise.core.link import link as link
    from turnwise.core.migration import Renaming as Renaming
    from turnwise.core.overlay_standing import OverlayStanding as OverlayStanding
    from turnwise.core.prompts import ModelRequest as ModelRequest
    from turnwise.core.state import commands as commands
    from turnwise.core.state import events as events
    from turnwise.core.state.events import Button as Button
    from turnwise.core.state.retention import Retention as Retention
    from turnwise.core.trace import Decision as Decision
    from turnwise.flow.code import ToolCall as ToolCall
    from turnwise.flow.diagnostic import Diagnostic as Diagnostic
    from turnwise.flow.diagnostic import FlowError as FlowError
    from turnwise.flow.guard.parse import GuardError as GuardError
    from turnwise.flow.model import Acknowledge as Acknowledge
    from turnwise.flow.model import Budget as Budget
    from turnwise.flow.model import Collect as Collect
    from turnwise.flow.model import Commands as Commands
    from turnwise.flow.model import Condition as Condition
    from turnwise.flow.model import Confirm as Confirm
    from turnwise.flow.model import Field as Field
    from turnwise.flow.model import Flow as Flow
    from turnwise.flow.model import Form as Form
    from turnwise.flow.model import FormField as FormField
    from turnwise.flow.model import Import as Import
    from turnwise.flow.model import Keep as Keep
    from turnwise.flow.model import Limits as Limits
    from turnwise.flow.model import McpServer as McpServer
    from turnwise.flow.model import Node as Node
    from turnwise.flow.model import NodeTranscript as NodeTranscript
    from turnwise.flow.model import Offer as Offer
    from turnwise.flow.model import Option as Option
    from turnwise.flow.model import OptionsFrom as OptionsFrom
    from turnwise.flow.model import Overlay as Overlay
    from turnwise.flow.model import PersonWork as PersonWork
    from turnwise.flow.model import Price as Price
    from turnwise.flow.model import ReplyGuard as ReplyGuard
    from turnwise.flow.model import Retry as Retry
    from turnwise.flow.model import Schedule as Schedule
    from turnwise.flow.model import Scope as Scope
    from turnwise.flow.model import ScopeLimits as ScopeLimits
    from turnwise.flow.model import SequencePosition as SequencePosition
    from turnwise.flow.model import Settings as Settings
    from turnwise.flow.model import Stop as Stop
    from turnwise.flow.model import Summary as Summary
    from turnwise.flow.model import Tool as Tool
    from turnwise.flow.model import ToolPolicy as ToolPolicy
    from turnwise.flow.model import ToolWork as ToolWork
    from turnwise.flow.model import Transition as Transition
    from turnwise.models import Patience as Patience
    from turnwise.models import model_named as model_named
    from turnwise.models.cassette import CassetteModel as CassetteModel
    from turnwise.models.scripted import ScriptedModel as ScriptedModel
    from turnwise.models.scripted import ScriptedUnderstanding as ScriptedUnderstanding
    from turnwise.models.scripted import call as call
    from turnwise.runner.clocks import ManualClock as ManualClock
    from turnwise.runner.model_port import CallMade as CallMade
    from turnwise.runner.model_port import Delta as Delta
    from turnwise.runner.model_port import Model as Model
    from turnwise.runner.model_port import ModelReply as ModelReply
    from turnwise.runner.model_port import StreamingModel as StreamingModel
    from turnwise.runner.model_port import TextDelta as TextDelta
    from turnwise.runner.model_port import Usage as Usage
    from turnwise.runner.outbox_port import DeliveredMessage as DeliveredMessage
    from turnwise.runner.outbox_port import Delivery as Delivery
    from turnwise.runner.outbox_port import DeliveryRetries as DeliveryRetries
    from turnwise.runner.outbox_port import StoredDelivery as StoredDelivery
    from turnwise.runner.ports import Clock as Clock
    from turnwise.runner.ports import Commit as Commit
    from turnwise.runner.ports import Receipt as Receipt
    from turnwise.runner.ports import Store as Store
    from turnwise.runner.ports import ToolRunner as ToolRunner
    from turnwise.runner.result import Turn as Turn
    from turnwise.server.access import Identity as Identity
    from turnwise.server.addresses import Proxies as Proxies
    from turnwise.server.embedding import asgi as asgi
    from turnwise.server.limits import ServerLimits as ServerLimits
    from turnwise.stores.memory import MemoryStore as MemoryStore
    from turnwise.stores.sqlite import SqliteStore as SqliteStore
    from turnwise.understanding import understand_by_rules as understand_by_rules
    from turnwise.webhooks.webhook import Webhook as Webhook
    from turnwise.why.answer import Answer as Answer

__version__ = "0.2.0"

_SUBMODULES = {"commands": "turnwise.core.state.commands", "events": "turnwise.core.state.events"}
_MODULES: dict[str, tuple[str, ...]] = {
    "turnwise.archive.activity": ("Activity",),
    "turnwise.archive.answer_words": ("AnswerWords",),
    "turnwise.archive.frames": ("FrameInfo",),
    "turnwise.archive.transcript": ("TranscriptLine",),
    "turnwise.authoring.python": ("guard",),
    "turnwise.authoring.python_text": ("write_python",),
    "turnwise.authoring.records": ("Record", "field"),
    "turnwise.authoring.tools": ("tool",),
    "turnwise.authoring.yaml_text": ("write_yaml",),
    "turnwise.core.state.events": ("Button",),
    "turnwise.core.explain.hypothetical": ("judge",),
    "turnwise.core.commands.allowed_input": ("AllowedInput", "AllowedField"),
    "turnwise.core.link": ("link",),
    "turnwise.core.migration": ("Renaming",),
    "turnwise.core.overlay_standing": ("OverlayStanding",),
    "turnwise.core.prompts": ("ModelRequest",),
    "turnwise.core.state.retention": ("Retention",),
    "turnwise.core.trace": ("Decision",),
    "turnwise.why.answer": ("Answer",),
    "turnwise.api.app": ("App",),
    "turnwise.api.chat": ("Chat",),
    "turnwise.api.documents": ("check", "draw", "load", "loads"),
    "turnwise.api.open": ("open", "open_archive", "open_sync"),
    "turnwise.api.sync": ("SyncApp", "SyncChat"),
    "turnwise.flow.code": ("ToolCall",),
    "turnwise.flow.diagnostic": ("Diagnostic", "FlowError"),
    "turnwise.flow.guard.parse": ("GuardError",),
    "turnwise.flow.model": (
        "Budget",
        "Collect",
        "Acknowledge",
        "Confirm",
        "Field",
        "Flow",
        "Form",
        "FormField",
        "Node",
        "Option",
        "OptionsFrom",
        "Condition",
        "Commands",
        "Import",
        "Keep",
        "Limits",
        "McpServer",
        "NodeTranscript",
        "Offer",
        "Overlay",
        "PersonWork",
        "Price",
        "ReplyGuard",
        "Retry",
        "Schedule",
        "Scope",
        "ScopeLimits",
        "SequencePosition",
        "Settings",
        "Summary",
        "ToolPolicy",
        "ToolWork",
        "Stop",
        "Tool",
        "Transition",
    ),
    "turnwise.models.cassette": ("CassetteModel",),
    "turnwise.models": ("Patience", "model_named"),
    "turnwise.understanding": ("understand_by_rules",),
    "turnwise.models.scripted": ("ScriptedModel", "ScriptedUnderstanding", "call"),
    "turnwise.runner.clocks": ("ManualClock",),
    "turnwise.runner.model_port": (
        "CallMade",
        "Delta",
        "Model",
        "ModelReply",
        "StreamingModel",
        "TextDelta",
        "Usage",
    ),
    "turnwise.runner.outbox_port": ("DeliveredMessage", "Delivery", "DeliveryRetries", "StoredDelivery"),
    "turnwise.runner.ports": ("Clock", "Commit", "Receipt", "Store", "ToolRunner"),
    "turnwise.runner.result": ("Turn",),
    "turnwise.server.access": ("Identity",),
    "turnwise.server.addresses": ("Proxies",),
    "turnwise.server.embedding": ("asgi",),
    "turnwise.server.limits": ("ServerLimits",),
    "turnwise.stores.memory": ("MemoryStore",),
    "turnwise.stores.sqlite": ("SqliteStore",),
    "turnwise.webhooks.webhook": ("Webhook",),
}
_WHERE = {name: module for module, names in _MODULES.items() for name in names}
_NEEDS_EXTRA = frozenset(name for name, module in _WHERE.items() if module.startswith("turnwise.server."))
"""Names that need the extra `server`. They are not in `__all__`, so that `from turnwise import *` works without it."""

__all__ = [  # noqa: PLE0604  # pyright: ignore[reportUnsupportedDunderAll]  the table above is the one list
    *[name for name in _WHERE if name not in _NEEDS_EXTRA],
    *_SUBMODULES,
    *[name for name, value in globals().items() if isinstance(value, type) and issubclass(value, TurnwiseError)],
]


def __getattr__(name: str) -> Any:
    if name in _SUBMODULES:
        return _load(_SUBMODULES[name])
    module = _WHERE.get(name)
    if module is None:
        raise AttributeError(f"turnwise has no '{name}'")
    try:
        found = getattr(_load(module), name)
    except ModuleNotFoundError as error:
        if name not in _NEEDS_EXTRA:
            raise
        raise TurnwiseError(f"tw.{name} needs the packages of the server: pip install 'turnwise[server]'") from error
    globals()[name] = found
    return found


def _load(module: str) -> ModuleType:
    """Import a module without garbage collections, which take a tenth of the first load and find nothing.

    Then the new objects join the oldest generation at once, since modules live until the end.
    """
    if not gc.isenabled() or gc.get_freeze_count():
        return import_module(module)
    gc.disable()
    try:
        return import_module(module)
    finally:
        gc.freeze()
        gc.unfreeze()
        gc.enable()


def __dir__() -> list[str]:
    return sorted([*__all__, *_NEEDS_EXTRA, "__version__"])


class _Package(ModuleType):
    """This package: importing its modules `open` or `check` does not hide the functions of these names."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in _WHERE and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
