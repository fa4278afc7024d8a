"""
Vanished warning
================

Decide nothing: a case for the tests.
"""

import warnings

print("calm")
# => calm
# => UserWarning: storm
