"""Reads flows from YAML, JSON, DyGram, Python and other formats; each reader returns a `Flow` with source positions.

It links nothing and runs nothing.
"""
