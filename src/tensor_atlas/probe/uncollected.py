"""Imported first by the process that all others are forked from: what it imports is there to stay.

The collector would look at all of it again and again, a tenth of the time that torch takes to be imported. Collection
begins again when all is there: see ``zygote``.
"""

import gc

gc.disable()
