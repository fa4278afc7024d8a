"""
xarray, dask and Zarr samples in a Dataset: lazy tensors
========================================================

Select a sample, take ``.values``, then call ``torch.from_numpy``, which raises for a ``DataArray``.
In a ``Dataset``, open the store with ``chunks=None``, so that reading a sample does not go by dask.
"""

# sphinx_gallery_tags = ["xarray", "zarr", "dask", "dataloader"]

import tempfile

import numpy as np
import torch
import xarray as xr
import zarr
from torch.utils.data import DataLoader, Dataset

# %%
# This store has six time steps, each in a chunk of its own, so that one sample is read without
# its neighbours.

folder = tempfile.mkdtemp()
values = np.arange(24, dtype="float32").reshape(6, 2, 2)
weather = xr.Dataset({"t2m": (("time", "lat", "lon"), values)})
store = f"{folder}/weather.zarr"
_ = weather.to_zarr(store, encoding={"t2m": {"chunks": (1, 2, 2)}}, consolidated=False)

# %%
# torch takes the array in ``values``, not the ``DataArray``.

try:
    torch.from_numpy(weather["t2m"])
except TypeError as error:
    print(error)
# => expected np.ndarray (got DataArray)
print(torch.from_numpy(weather["t2m"].values).shape)
# => torch.Size([6, 2, 2])

# %%
# If dask is installed, ``open_zarr`` by default returns dask arrays: each read of ``values`` builds
# and runs a graph of tasks. With ``chunks=None`` xarray reads the chunks itself, when a sample is
# asked for.

by_dask = xr.open_zarr(store, consolidated=False)["t2m"]
direct = xr.open_zarr(store, consolidated=False, chunks=None)["t2m"]
print(by_dask.chunks, direct.chunks)
# => ((1, 1, 1, 1, 1, 1), (2,), (2,)) None
print(torch.from_numpy(direct.isel(time=2).values))
# => tensor([[ 8.,  9.],
# =>         [10., 11.]])

# %%
# Compute mean and standard deviation once, and normalise in ``__getitem__``: that needs no second
# store. Here ``mean()`` also reads the whole field into memory, where the samples then come from.


class Weather(Dataset):
    def __init__(self, path):
        self.field = xr.open_zarr(path, consolidated=False, chunks=None)["t2m"]
        self.mean, self.std = float(self.field.mean()), float(self.field.std())

    def __len__(self):
        return self.field.sizes["time"]

    def __getitem__(self, index):
        sample = self.field.isel(time=index).values
        return torch.from_numpy((sample - self.mean) / self.std)


batch = next(iter(DataLoader(Weather(store), batch_size=3)))
print(batch.shape, batch.dtype)
# => torch.Size([3, 2, 2]) torch.float32

# %%
# If the data fits into memory, ``load()`` reads it once. ``from_numpy`` then shares the memory of
# the loaded array.

loaded = direct.load()
shared = torch.from_numpy(loaded.values)
shared[0, 0, 0] = -1
print(float(loaded[0, 0, 0]))
# => -1.0

# %%
# An array of the zarr library gives a NumPy array when it is indexed.

array = zarr.open(f"{store}/t2m", mode="r")
print(type(array[2]).__name__, torch.from_numpy(array[2:4]).shape)
# => ndarray torch.Size([2, 2, 2])

# %%
# For the dates of a time axis see :doc:`/gallery/03_dtypes/dates_and_bytes`.
