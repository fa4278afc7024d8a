"""A checkout of the project: its paths, what was executed in it last, and executing what is out of date."""
