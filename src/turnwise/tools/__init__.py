"""Implementations of tools: Python functions, and servers of the Model Context Protocol."""
