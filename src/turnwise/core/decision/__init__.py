"""Decisions: judge the candidates of a moment, record the decision, make the move."""
