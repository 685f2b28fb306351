"""Tools to test flows: scenario files, coverage, a pytest plugin, the contract of stores.

It knows the product as its users do, through `turnwise.api`.
"""
