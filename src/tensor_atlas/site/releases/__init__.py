"""Pages of releases: upgrades, coverage of environments, charts of what was timed."""
