"""A language server for documents of flows: what an editor asks about a text that is being written.

Only `server`, `features` and `answers` know the protocol; the other modules answer about texts, offsets and names.
"""
