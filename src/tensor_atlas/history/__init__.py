"""Environments as a line of releases, and what changed between two of them."""
