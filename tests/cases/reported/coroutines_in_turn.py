"""
Coroutines in several statements
================================

Decide nothing: a case for the tests.
"""

# https://github.com/python/cpython/issues/81187
# There, each example ended its loop, so that none could go on with the last one's.

import asyncio


async def count(name, pause):
    for number in range(2):
        print(name, number)
        await asyncio.sleep(pause)
    return name


async def both():
    return await asyncio.gather(count("fast", 0.05), count("slow", 0.3))


print(asyncio.run(both()))
print(asyncio.run(count("again", 0)))

# %%

runner = asyncio.Runner()
task = runner.run(asyncio.sleep(0, "kept"))
print(task, runner.run(count("same loop", 0)))
runner.close()


async def forget():
    asyncio.get_running_loop().call_exception_handler({"message": "told to the loop"})
    count("nobody waits", 0)


asyncio.run(forget())
