"""A soak test of a deployment over HTTP: clients, streams and a receiver of deliveries, with a ledger of its own.

It needs nothing but the addresses of the replicas. What they acknowledged stands in a file outside of their store, and
is compared with what they answer at the end.
"""
