"""Schedules (law 6.7): recurring triggers of a conversation. `arming` computes when they fire, `firing` performs their
actions, with the input that `inputs` finds for a period.
"""
