"""
Title
=====

Decide something.
"""

import warnings
while True:
    warnings.warn('again')
