"""Decisions: the candidates of a moment are judged, the decision is recorded, and the move is made."""
