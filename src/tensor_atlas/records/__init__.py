"""The committed evidence: folding runs by environment, reading and writing files."""
