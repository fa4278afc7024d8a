"""
Appeared warning
================

Decide nothing: a case for the tests.
"""

import warnings

warnings.warn("storm", stacklevel=1), print("calm")
# => calm
