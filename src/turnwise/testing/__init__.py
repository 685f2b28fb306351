"""Tools to test flows: scenario files, coverage, a pytest plugin, conformance tests for stores.

It knows the product as its users do, through `turnwise.api`.
"""
