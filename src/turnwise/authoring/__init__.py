"""The front doors: each turns what an author wrote into a `Flow` with the places it came from.

It links nothing and runs nothing.
"""
