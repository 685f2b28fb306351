"""The runner: it loads, steps, commits, performs, and decides nothing."""
