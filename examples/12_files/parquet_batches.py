"""
Stream a Parquet file to tensors: iter_batches
==============================================

``ParquetFile.iter_batches`` of pyarrow reads some rows at a time: convert each column with
``torch.tensor(column.to_numpy())``, and wrap the loop in an ``IterableDataset``.
"""

# sphinx_gallery_tags = ["parquet", "pyarrow", "files", "table", "loader", "streaming"]

import io

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import torch
from torch.utils.data import DataLoader, IterableDataset

# %%
# This file has a column of numbers, one of labels, and one with a vector in each row.

vectors = np.arange(12.0, dtype=np.float32).reshape(6, 2)
table = pa.table(
    {
        "x": np.arange(6.0),
        "label": np.array([0, 1, 0, 1, 0, 1]),
        "vector": pa.FixedSizeListArray.from_arrays(vectors.ravel(), 2),
    }
)
file = io.BytesIO()
pq.write_table(table, file)

# %%
# Name the columns that you need: the others are not read.

reader = pq.ParquetFile(file)
sizes = [batch.num_rows for batch in reader.iter_batches(batch_size=4, columns=["x"])]
print(sizes)
# => [4, 2]

# %%
# A column of floats or integers without gaps becomes an array without a copy. It is read-only, and
# ``torch.tensor`` copies it. With ``zero_copy_only=False``, missing numbers become NaN.

batch = next(reader.iter_batches(batch_size=4))
array = batch["x"].to_numpy()
print(array.flags.writeable, torch.tensor(array, dtype=torch.float32))
# => False tensor([0., 1., 2., 3.])
print(pa.array([1.0, None]).to_numpy(zero_copy_only=False))
# => [ 1. nan]

# %%
# A column of lists would become an array of objects. If the lists have one length, take the values at
# once, and give them their shape.

flat = batch["vector"].flatten().to_numpy()
print(torch.tensor(flat).reshape(batch.num_rows, -1))
# => tensor([[0., 1.],
# =>         [2., 3.],
# =>         [4., 5.],
# =>         [6., 7.]])

# %%
# As a dataset
# ------------
#
# The dataset yields whole batches, so the loader has ``batch_size=None``.


class Rows(IterableDataset):
    def __iter__(self):
        for batch in pq.ParquetFile(file).iter_batches(batch_size=4):
            x = torch.tensor(batch["x"].to_numpy(), dtype=torch.float32)
            yield x, torch.tensor(batch["label"].to_numpy())


for x, label in DataLoader(Rows(), batch_size=None):
    print(x.shape, label.dtype)
# => torch.Size([4]) torch.int64
# => torch.Size([2]) torch.int64

# %%
# To write tensors, pass their arrays: ``pa.array`` infers no type for tensors.

try:
    pa.array([torch.zeros(2)])
except pa.ArrowInvalid as error:
    print("did not recognize Python value type" in str(error))
# => True
print(pa.array(torch.zeros(2).numpy()).type, pa.array([torch.zeros(2).numpy()]).type)
# => float list<item: float>
