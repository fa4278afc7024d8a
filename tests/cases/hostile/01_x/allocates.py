"""
Title
=====

Decide something.
"""

import resource

with open("/proc/self/statm") as file:
    pages = int(file.read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + 2**30,) * 2)
hold = []
while True:
    hold.append(bytearray(2**26))
