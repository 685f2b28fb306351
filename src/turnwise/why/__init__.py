"""Why: an answer to any question about what happened in a conversation, or did not.

One *subject* (a field, a node, a transition, a tool, a turn, …) and one *moment* (a turn) give an `Answer`: facts, each
with the facts that caused it, and what would have to be different. It is computed from the journal when it is asked.
"""

from turnwise.why.answer import Answer, Fact, Subject

__all__ = ["Answer", "Fact", "Subject"]
