"""Tools that run: functions, and servers of the Model Context Protocol."""
