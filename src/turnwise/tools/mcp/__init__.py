"""Servers of the Model Context Protocol that supply tools. They need the package `mcp` (`turnwise[mcp]`)."""
