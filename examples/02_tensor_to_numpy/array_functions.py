"""
Wrap a torch model as a function of NumPy arrays
================================================

Convert at the call: ``torch.as_tensor(x, dtype=torch.float32, device=device)`` going in, ``.cpu().numpy()``
coming out, under ``inference_mode``. So SHAP, scikit-learn, SciPy or a controller can call it.
"""

# sphinx_gallery_tags = ["modules", "wrapper", "predict", "device", "scikit-learn", "library", "shap", "controller"]

import numpy as np
import torch
from sklearn.metrics import accuracy_score

# %%
# The function converts ``float64`` arrays and lists to the dtype of the model, on its device, and
# returns an array.

torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.Softmax(dim=-1)).eval()


def predict_proba(x):
    weight = next(model.parameters())
    with torch.inference_mode():
        inputs = torch.as_tensor(x, dtype=weight.dtype, device=weight.device)
        return model(inputs).cpu().numpy()


probabilities = predict_proba(np.zeros((4, 2)))
print(type(probabilities).__name__, probabilities.dtype, probabilities.shape)
# => ndarray float32 (4, 3)

# %%
# ``as_tensor`` takes a list, too. It does not take a DataFrame: pass ``frame.to_numpy()``.

print(predict_proba([[0.0, 0.0]]).shape)
# => (1, 3)

# %%
# Code that works in NumPy beside tensors on a GPU, such as a controller or a metric, is called the other way round:
# arrays in, and its result back to the device of the inputs.


def controller(state):
    return np.clip(-0.5 * state, -1, 1)


def call_with_arrays(function, *tensors):
    result = function(*(tensor.detach().cpu().numpy() for tensor in tensors))
    return torch.as_tensor(result, dtype=tensors[0].dtype, device=tensors[0].device)


state = torch.tensor([1.0, -4.0])
print(call_with_arrays(controller, state))
# => tensor([-0.5000,  1.0000])

# %%
# With tensors on a GPU, each call copies both ways and waits, so pass whole batches. To stay on the GPU, write the
# function in torch; here one name differs.

print(torch.clip(-0.5 * state, -1, 1))
# => tensor([-0.5000,  1.0000])

# %%
# Gradients end at ``numpy``. For a library that needs them, see
# :doc:`/gallery/10_autograd/numpy_function`.

scores = torch.ones(2, requires_grad=True)
print(call_with_arrays(controller, scores).requires_grad)
# => False

# %%
# ``accuracy_score`` of scikit-learn takes labels, here the ``argmax`` of what the function returns.

labels = np.array([0, 1, 2, 0])
print(accuracy_score(labels, predict_proba(np.zeros((4, 2))).argmax(axis=1)))
# => 0.25
