"""Checking: one function per static rule. It runs nothing."""
