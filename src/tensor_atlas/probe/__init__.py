"""The probe: runs examples and observes what they did.

Imports the standard library, torch and numpy only, so that it runs on a bare machine.
"""
