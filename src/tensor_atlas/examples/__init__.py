"""Example scripts as text: blocks, statements, claims, tags, and what an example needs."""
