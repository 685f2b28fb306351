"""The shared language: a flow as frozen plain data, its guard language, its diagnostics, its codec.

This package runs nothing: it knows what a flow *says*, never what a conversation *does*.
"""
