"""The public interface of a program: open a flow, get a chat, read its turns.

It decides nothing: the core decides, the runner acts.
"""
