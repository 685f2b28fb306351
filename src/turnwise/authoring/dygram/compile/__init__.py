"""Compiles the tree of a DyGram document to the document of a flow: its nodes and edges become nodes with transitions,
its contexts records, its tools tools. What no flow can do is reported by its name.
"""
