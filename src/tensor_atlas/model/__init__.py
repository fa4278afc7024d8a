"""The dataclasses that every room passes on: environments, runs, cells, captures."""
