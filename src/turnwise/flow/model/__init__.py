"""The flow model: immutable classes for everything that an author can write.

Names are the keys of the documents, units stand in the names. Nothing here runs: a Python function is named,
and lies beside the name for the runner.
"""

from turnwise.flow.model.budgets import Budget, Price
from turnwise.flow.model.flows import Commands, Flow, Import, Keep, Limits, Overlay, Schedule
from turnwise.flow.model.forms import Acknowledge, Collect, Confirm, Form, FormField, Stop
from turnwise.flow.model.nodes import Node, NodeTranscript, Offer, PersonWork, Scope, ScopeLimits, Summary, Transition
from turnwise.flow.model.settings import ReplyGuard, Settings
from turnwise.flow.model.tools import McpServer, Retry, SequencePosition, Tool, ToolPolicy, ToolWork
from turnwise.flow.model.values import Condition, Field, Guard, Option, OptionsFrom, Record
from turnwise.flow.model.words import FieldType, MatchMode, Moment

__all__ = [
    "Acknowledge",
    "Budget",
    "Collect",
    "Commands",
    "Condition",
    "Confirm",
    "Field",
    "FieldType",
    "Flow",
    "Form",
    "FormField",
    "Guard",
    "Import",
    "Keep",
    "Limits",
    "MatchMode",
    "McpServer",
    "Moment",
    "Node",
    "NodeTranscript",
    "Offer",
    "Option",
    "OptionsFrom",
    "Overlay",
    "PersonWork",
    "Price",
    "Record",
    "ReplyGuard",
    "Retry",
    "Schedule",
    "Scope",
    "ScopeLimits",
    "SequencePosition",
    "Settings",
    "Stop",
    "Summary",
    "Tool",
    "ToolPolicy",
    "ToolWork",
    "Transition",
]
