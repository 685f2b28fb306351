"""Every code that a diagnostic can have: its severity and what it is about, in one table.

The documentation, `turnwise check --list` and the tests read this table; codes are never reused.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct


class Code(Struct, frozen=True):
    """What a code stands for, in one line."""

    about: str
    severity: Literal["error", "warning"] = "error"


CODES: dict[str, Code] = {
    # the document as text
    "TW001": Code("the file cannot be read"),
    "TW002": Code("the document is too large"),
    "TW003": Code("the text is not YAML or JSON"),
    "TW004": Code("the document is nested too deeply"),
    "TW005": Code("the document has too many parts, or its aliases make too many of them"),
    "TW006": Code("a key stands twice in one mapping"),
    "TW007": Code("the document is empty"),
    "TW008": Code("a text with a comma became a second key and needs quotes"),
    "TW009": Code("the document has a format that this version does not read"),
    # the document as a flow
    "TW010": Code("a key that is not known here"),
    "TW011": Code("a value of the wrong kind"),
    "TW012": Code("a transition goes to a node that does not exist"),
    "TW013": Code("a key is missing"),
    "TW014": Code("a value that is not among the allowed ones"),
    "TW015": Code("keys that exclude each other, or none where one is needed"),
    "TW016": Code("a name that cannot be used as one"),
    "TW017": Code("a name is used twice"),
    "TW018": Code("the flow starts at a node that does not exist"),
    "TW019": Code("a derived field that something writes, or that is derived from itself"),
    # names
    "TW020": Code("a field or record that is not declared"),
    "TW021": Code("a tool that is not declared"),
    "TW022": Code("an overlay that is not declared"),
    "TW023": Code("a node that does not exist is named"),
    "TW024": Code("a function that nobody supplied"),
    "TW025": Code("a fixed text or a phrase that does not exist"),
    "TW026": Code("a command that does not exist"),
    "TW027": Code("a language that has no phrases"),
    "TW028": Code("a time zone that is not known"),
    "TW029": Code("an argument that the tool does not take, or one that it needs"),
    # guards and templates
    "TW030": Code("a guard cannot be read"),
    "TW031": Code("a name in a guard is not known"),
    "TW032": Code("types in a guard do not fit"),
    "TW033": Code("a part of CEL that guards do not have"),
    "TW034": Code("a regular expression is refused"),
    "TW035": Code("a condition object is wrong"),
    "TW036": Code("a Python guard cannot be used"),
    "TW037": Code("a template cannot be read"),
    "TW038": Code("a format of a text that does not exist, or does not fit the value"),
    "TW039": Code("a transition `before` without a guard, so that its node does nothing", "warning"),
    # meaning
    "TW040": Code("a node without a prompt of its own in a flow that has none"),
    "TW041": Code("a key that needs another moment or another key"),
    "TW042": Code("a default, option or bound does not fit the type"),
    "TW043": Code("a tool policy allows nothing"),
    "TW044": Code("a sequence or window is longer than the history kept"),
    "TW045": Code("a form cannot ask anything"),
    "TW046": Code("a value that is written cannot be stored there"),
    "TW047": Code("a text or another field would tell a secret", "warning"),
    "TW048": Code("a guard compares with a value that does not exist"),
    "TW049": Code("a guard compares with a value that the field never has", "warning"),
    "TW050": Code("a transition that never fires", "warning"),
    "TW051": Code("a node that nothing leads to", "warning"),
    "TW052": Code("a guard that never holds", "warning"),
    "TW053": Code("a guard that always holds", "warning"),
    "TW054": Code("two transitions have the same guard", "warning"),
    "TW055": Code("a node that nothing leads out of", "warning"),
    "TW056": Code("nodes that follow each other in a circle without a wait", "warning"),
    "TW057": Code("more moves in a row than a turn may have", "warning"),
    "TW058": Code("a field is read where nothing can have filled it", "warning"),
    "TW059": Code("a text with a hole that reads nothing, or with a field outside of one", "warning"),
    # configurations that are taken over from elsewhere
    "TW060": Code("a key of a configuration that means nothing here", "warning"),
    "TW061": Code("a step that nothing leads to, or a gate that is never asked", "warning"),
    "TW062": Code("a part of a configuration that leaves something open", "warning"),
    "TW063": Code("a name of a configuration that had to be changed", "warning"),
    # values that are written
    "TW065": Code("a value is set from a field that can be missing there", "warning"),
    # tools, forms and words
    "TW070": Code("a tool that nothing can use", "warning"),
    "TW071": Code("a guard asks for the use of a tool that cannot be used before", "warning"),
    "TW072": Code("an effect that can be had without what it expects"),
    "TW073": Code("a sequence begins with the tool that opens its node", "warning"),
    "TW074": Code("a transition that waits for a hand-over by a form that makes none", "warning"),
    "TW075": Code("an answer stops a form without a word", "warning"),
    "TW076": Code("a question that is never asked", "warning"),
    "TW077": Code("a phrase both confirms and edits", "warning"),
    "TW078": Code("a mirror without the code that it mirrors", "warning"),
    "TW079": Code("a Python guard that no transition uses", "warning"),
    # comments
    "TW080": Code("a comment to the checker that it cannot heed", "warning"),
    "TW081": Code("a comment that sets nothing aside", "warning"),
    # models
    "TW082": Code("a name that names no model"),
    # flows that are written in Python
    "TW085": Code("a class that cannot be a record, or says what no field can say"),
    "TW086": Code("a function that cannot be a tool, or takes what no argument can be"),
    "TW087": Code("a Python file or module cannot be run"),
    "TW088": Code("a Python file or module that has no flow, or several"),
    "TW089": Code("what is supplied for a tool does not fit it"),
    # limits of this version
    "TW090": Code("a construct that this version cannot run yet"),
    "TW091": Code("a construct that this version runs only in part", "warning"),
}
