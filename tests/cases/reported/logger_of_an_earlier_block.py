"""
A logger of an earlier block
============================

Decide nothing: a case for the tests.
"""

# https://github.com/sphinx-gallery/sphinx-gallery/issues/672
# There, a logger printed in the block that made it, and nowhere else.

import logging
import sys

logger = logging.getLogger("atlas")
logger.setLevel(logging.INFO)
logger.propagate = False

# %%

logger.addHandler(logging.StreamHandler(sys.stdout))
logger.info("where it is made")

# %%

logger.info("in a later block")
print("printed between")
logger.warning("and again")

# %%

logging.getLogger("atlas.child").error("from a child of it")
logging.lastResort.setLevel(logging.ERROR)
logging.getLogger("other").warning("too low")
logging.getLogger("other").error("without a handler")
