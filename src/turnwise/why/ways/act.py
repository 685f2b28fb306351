"""One act on a way: what a user, a program, a timer, another system or a person in charge could do next.

`acts` finds those that are possible in a state, `running` tries them.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from turnwise.core.state import events as e

ActKind = Literal["button", "answer", "message", "tool", "timer", "event", "continue", "person"]
"""Who could do it, and how: the user by a button, an answer to a question or a message; the program by the use of a
tool; time by a timer or a schedule; another system by an event; an autonomous flow by going on; a person who takes
part.
"""


class Act(Struct, frozen=True):
    """Something that a user, a program, a person, a timer or another system could do next.

    Nothing of it is stored: the acts of a way are made again whenever someone asks. What only the user could say stands
    for it where a word of any content is enough.
    """

    kind: ActKind
    """Who acts, and how."""
    text: str
    """The act in words."""
    event: e.OutsideEvent
    """The outside event of the act, which a program can give to the machine."""
    after_ms: int = 0
    """How long after the turn before the act is done, in milliseconds."""
