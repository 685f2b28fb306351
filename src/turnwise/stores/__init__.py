"""Stores: where journals, states and receipts are kept, behind one protocol."""
