"""The HTTP server: conversations, their turns, streams and explanations over HTTP, and the studio."""
