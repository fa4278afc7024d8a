"""Stand-ins for what a host of repositories brings to a workflow; `runner` runs one on this machine."""
