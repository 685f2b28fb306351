"""A flow changed under live conversations (law 6.8): what still fits, and a state carried over.

It reads no store and moves no conversation.
"""
