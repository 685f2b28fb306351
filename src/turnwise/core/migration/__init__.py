"""Changed flows and waiting conversations (law 6.8): compares versions, and carries states over.

It reads no store and moves no conversation.
"""
