"""Explanations: why a conversation moved, and why it did not, made from the journal by the closures that decided.

`decision` explains one decision, `now` a transition that was not judged, `what_if` the past with another value or
rule, `hypothetical` a guard without a flow. `needs` finds what would have had to be different. None decides anew.
"""
