"""The DyGram language (`.dy`): its scanner, its parser, its formatter. A parsed document is a tree of its notation;
`compile` decides what it means as a flow.
"""
