"""What several tests stand on: small machines, and short ways to ask them something."""
