"""Servers of the Model Context Protocol that supply tools; they need the package `mcp`, which an extra brings."""
