"""Testing: scenario files and what plays them. A public part of the product.

It knows the product as its users do, through `turnwise.api`.
"""
