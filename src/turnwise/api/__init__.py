"""The public interface of a program: open a flow, take a chat, read its turns.

It decides nothing: the core decides, the runner acts.
"""
