"""Guards at work: a tree compiled once to closures, judged three-valued on a state.

It has no effects and no clock: `now` is the time of the event.
"""
