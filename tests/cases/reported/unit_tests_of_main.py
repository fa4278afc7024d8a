"""
Unit tests of a script
======================

Decide nothing: a case for the tests.
"""

# https://github.com/jupyter/notebook/issues/2746
# There, unittest.main() took the runner's arguments for names of tests.

import io
import unittest

import numpy as np


class Sums(unittest.TestCase):
    def test_right(self):
        print("a test runs")
        self.assertEqual(np.ones(2).sum(), 2)

    def test_wrong(self):
        with self.assertWarns(RuntimeWarning):
            np.ones(1) / np.zeros(1)
        self.assertEqual(np.ones(2).sum(), 3)


# %%

report = io.StringIO()
runner = unittest.TextTestRunner(stream=report, verbosity=2)
program = unittest.main(exit=False, testRunner=runner)
print(report.getvalue().split("-----\nRan")[0])

# %%

print(program.result.wasSuccessful())
unittest.main(testRunner=runner)
