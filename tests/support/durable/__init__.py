"""Processes that die, stop and come back, and what is judged of the store that they leave behind."""
