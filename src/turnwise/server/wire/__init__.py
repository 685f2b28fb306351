"""The shapes of the HTTP API, as msgspec structs. They hold data for clients and have no behaviour.

Times are milliseconds since 1970, UTC. Positions (`seq`) are positions in the journal. Values of secret fields are
redacted before they come here.
"""
