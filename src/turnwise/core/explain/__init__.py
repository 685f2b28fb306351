"""Explaining: decisions are told from what the journal keeps of them, by the closures that made them.

It never decides anew: the outcome is the recorded one.
"""
