"""Deliveries to an HTTP address, signed after Standard Webhooks."""
