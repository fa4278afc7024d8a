"""
Timestamps in a DataLoader batch: datetime64 and default_collate
================================================================

``default_collate`` takes no ``datetime64``: return the date as an integer, ``date.astype("datetime64[s]")
.astype("int64")``, or as text, and convert it back after the loader.
"""

# sphinx_gallery_tags = ["dataloader", "collate", "dates", "dtype"]

import numpy as np
import torch
from torch.utils.data import DataLoader, default_collate

# %%
# A sample that holds a date raises, as an array and as a scalar.

time = np.datetime64("2024-01-01T06:00")
for date in [time, np.array([time])]:
    try:
        default_collate([{"x": 1.0, "time": date}])
    except TypeError as error:
        print(error)
# => default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found <class 'numpy.datetime64'>
# => can't convert np.ndarray of type numpy.datetime64. The only supported types are: float64, float32, float16, complex64, complex128, int64, int32, int16, int8, uint64, uint32, uint16, uint8, and bool.

# %%
# An integer goes through: the number of units since 1970. Choose the unit yourself, because it is
# not kept. Seconds fit into ``int64``, but not exactly into ``float32``.

samples = [
    {"x": torch.ones(2), "time": date.astype("datetime64[s]").astype("int64")}
    for date in time + np.arange(4).astype("timedelta64[h]")
]
batch = next(iter(DataLoader(samples, batch_size=2)))
print(batch["time"])
# => tensor([1704088800, 1704092400])

# %%
# After the loader, make dates of the integers again.

print(batch["time"].numpy().astype("datetime64[s]"))
# => ['2024-01-01T06:00:00' '2024-01-01T07:00:00']

# %%
# Text is left as it is, in a list. It suits dates that you show or log.

print(default_collate([str(time), str(time + 1)]))
# => ['2024-01-01T06:00', '2024-01-01T06:01']

# %%
# Or collate the dates by themselves, in a function of your own.


def collate(items):
    dates = np.array([date for _, date in items])
    return default_collate([x for x, _ in items]), dates


x, dates = next(iter(DataLoader([(torch.ones(2), time)] * 2, batch_size=2, collate_fn=collate)))
print(x.shape, dates.dtype)
# => torch.Size([2, 2]) datetime64[m]

# %%
# The same holds for a pandas ``Timestamp`` (``timestamp.value`` is its nanoseconds) and for
# ``datetime.datetime`` (``moment.timestamp()`` is a float of seconds). For ``NaT`` and for
# features of a model see :doc:`/gallery/03_dtypes/dates_and_bytes`.
