"""
ONNX and PyTorch outputs differ: eval(), dropout and tolerance
==============================================================

Call ``model.eval()`` before you export and compare: in training mode, dropout and batch normalisation
give other numbers. The rest is often rounding in ``float32``: compare with a larger tolerance.
"""

# sphinx_gallery_tags = ["onnx", "onnxruntime", "dropout", "compare", "tolerance", "export"]

import numpy as np
import onnxruntime
import torch
from onnx import TensorProto, helper, numpy_helper

# %%
# Dropout and batch normalisation
# -------------------------------
#
# A new model is in training mode, so its dropout changes the output with each call. ``eval`` switches that
# off. ``no_grad`` does not.

torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(64, 8), torch.nn.Dropout(0.5))
x = torch.rand(4, 64)
with torch.no_grad():
    print(torch.equal(model(x), model(x)))
# => False
model.eval()
print(torch.equal(model(x), model(x)))
# => True

# %%
# In training mode, batch normalisation uses the statistics of the batch, and by default each call
# changes the stored ones.

norm = torch.nn.BatchNorm1d(64)
before = norm.running_mean.clone()
training = norm(x)
print(torch.equal(norm.running_mean, before))
# => False
print(torch.allclose(training, norm.eval()(x), atol=0.01))
# => False

# %%
# Last digits
# -----------
#
# This ONNX model has the weights of the linear layer. Its results agree with those of torch within the
# tolerance.

linear = model[0]
weights = [
    numpy_helper.from_array(linear.weight.detach().numpy(), "w"),
    numpy_helper.from_array(linear.bias.detach().numpy(), "b"),
]
graph = helper.make_graph(
    [helper.make_node("Gemm", ["x", "w", "b"], ["y"], transB=1)],
    "linear",
    [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["batch", 64])],
    [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["batch", 8])],
    weights,
)
proto = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
session = onnxruntime.InferenceSession(
    proto.SerializeToString(), providers=["CPUExecutionProvider"]
)
(exported,) = session.run(None, {"x": x.numpy()})
expected = model(x).detach().numpy()
np.testing.assert_allclose(exported, expected, rtol=1e-4, atol=1e-5)
print(np.abs(exported - expected).max() < 1e-5)
# => True

# %%
# A relative tolerance alone can fail for values near zero, though the difference is tiny. That is
# why a few per cent of the elements can fail though the export is right. Give ``atol``, too.

close, exact = np.array([1e-7], np.float32), np.array([3e-7], np.float32)
print(np.allclose(close, exact, rtol=1e-3, atol=0), np.allclose(close, exact, rtol=1e-3, atol=1e-5))
# => False True

# %%
# In half precision the last digit is much larger: allow for about three digits.

print(torch.finfo(torch.float32).eps, torch.finfo(torch.float16).eps)
# => 1.1920928955078125e-07 0.0009765625

# %%
# To see which of two results is nearer, compute in ``float64``. If both are near it, the export is
# right for this input; if one is far away, look at the input's layout, range and dtype.

reference = model.double()(x.double()).detach().numpy()
print(np.abs(exported - reference).max() < 1e-5, np.abs(expected - reference).max() < 1e-5)
# => True True
