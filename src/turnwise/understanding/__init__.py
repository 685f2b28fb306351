"""The offline rules: a message becomes commands without a model.

They reach no network. The rules, and the words of a language, are loaded by the first message that needs them.
"""

from __future__ import annotations

from typing import Any

from turnwise.core.commands.allowed_input import AllowedInput
from turnwise.core.state.commands import CommandsByRules, Edit, ItemCommand

__all__ = ["understand", "understand_by_rules"]


def understand(message: str, allowed: AllowedInput) -> CommandsByRules:
    """Return the commands that a message proposes, in its order; only for allowed fields and commands."""
    from turnwise.understanding import rules

    return rules.understand(message, allowed)


def says_other(words: str, value: Any, address: str, allowed: AllowedInput) -> bool:
    """Return whether words that a model quotes mean another value of a field (law 7.1a). For a list of records the
    value is the command about an item, or the whole list, and the words are the message.
    """
    shown = allowed.field(address)
    if shown is not None and shown.field.parts:
        from turnwise.understanding.items.contradiction import says_other_choice, says_other_items

        if isinstance(value, Edit):
            return says_other_choice(words, value, allowed)
        return isinstance(value, ItemCommand) and says_other_items(words, value, allowed)
    from turnwise.understanding import quoted_values

    return quoted_values.says_other(words, value, address, allowed)


understand_by_rules = understand
"""The name under which programs call the rules: `tw.understand_by_rules(message, allowed)`."""
