"""The committed evidence: folding runs by environment, merging captures, reading and writing files."""
