"""The search, the error index that it rests on, and the landing page."""
