"""The flow as plain data, the guard language, diagnostics, and the codec: shared by all other packages.

This package runs nothing: it knows what a flow *says*, never what a conversation *does*.
"""
