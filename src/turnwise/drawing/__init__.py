"""Drawing: a flow as a picture, in Mermaid, DOT or SVG, and the path of a conversation laid over it.

It decides nothing and reads no store: it is given a flow, and the journal of a conversation.
"""
