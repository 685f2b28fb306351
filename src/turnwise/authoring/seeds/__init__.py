"""Converts two other configuration formats to flow documents: orchestration steps (`steps`) and gates (`gates`).

Each is rewritten, as a tree with its places; the reader of flows does the rest. Nothing is dropped in silence: a key is
used, or a diagnostic names it. `authoring.formats` recognises them.
"""
