"""The runner: loads a state, calls `step`, commits, and performs effects. It decides nothing."""
