"""Tool calls in a turn (section 4 of the laws): which tools are offered, checks of a call, approval, results."""
