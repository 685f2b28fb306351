"""Explanations: why a conversation moved or did not, computed from the journal and the machine.

`decision` explains one decision, `now` a transition that was not judged, `what_if` the past with another value or
rule, `hypothetical` a guard without a flow. `needs` finds what would have had to be different. None decides anew.
"""
