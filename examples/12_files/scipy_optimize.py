"""
scipy.optimize.minimize with a loss and gradient from torch
===========================================================

With ``jac=True``, make a ``float64`` tensor of SciPy's parameters inside the function, call
``backward``, and return ``loss.item()`` and ``x.grad.numpy()``.
"""

# sphinx_gallery_tags = ["scipy", "optimize", "gradient", "dtype"]

import numpy as np
import torch
from scipy.optimize import minimize
from torch.nn.utils import parameters_to_vector, vector_to_parameters

# %%
# SciPy calls this function with ``float64``, the dtype of the start, and expects a number and an
# array. With ``jac=True``, the function returns the value and the gradient together.


def rosenbrock(x):
    return (1 - x[0]) ** 2 + 100 * (x[1] - x[0] ** 2) ** 2


def value_and_gradient(array):
    x = torch.tensor(array, requires_grad=True)
    loss = rosenbrock(x)
    loss.backward()
    return loss.item(), x.grad.numpy()


result = minimize(value_and_gradient, np.zeros(2), jac=True, method="L-BFGS-B")
print(result.success, result.x.round(3))
# => True [1. 1.]

# %%
# A loss that is still a tensor with a gradient fails here, because SciPy converts it to an array.


def unconverted(array):
    x = torch.tensor(array, requires_grad=True)
    loss = rosenbrock(x)
    return loss, torch.autograd.grad(loss, x, retain_graph=True)[0]


try:
    minimize(unconverted, np.zeros(2), jac=True, method="L-BFGS-B")
except RuntimeError as error:
    print(error)
# => Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.

# %%
# ``torch.tensor`` keeps the ``float64`` of the array. In ``float32`` the loss has six reliable digits,
# and L-BFGS-B by default stops at a relative change of about 2e-9.

print(
    torch.tensor(np.zeros(2)).dtype, np.finfo(np.float32).precision, np.finfo(np.float64).precision
)
# => torch.float64 6 15

# %%
# The weights of a model
# ----------------------
#
# For a model, put SciPy's vector into the parameters, and join the gradients of the parameters into one
# vector again.

inputs = torch.linspace(-1, 1, 20, dtype=torch.float64)[:, None]
targets = 3 * inputs + 1
model = torch.nn.Linear(1, 1, dtype=torch.float64)
parameters = list(model.parameters())


def loss_of_model(array):
    vector_to_parameters(torch.from_numpy(array), parameters)
    model.zero_grad()
    loss = ((model(inputs) - targets) ** 2).mean()
    loss.backward()
    gradient = parameters_to_vector([parameter.grad for parameter in parameters])
    return loss.item(), gradient.numpy()


start = parameters_to_vector(parameters).detach().numpy().copy()
result = minimize(loss_of_model, start, jac=True)
print(result.x.round(3))
# => [3. 1.]

# %%
# ``vector_to_parameters`` makes the parameters views of the vector of the last call. Copy the result
# into the model at the end.

vector_to_parameters(torch.tensor(result.x), parameters)
print(model.weight.dtype, round(model.weight.item(), 3), round(model.bias.item(), 3))
# => torch.float64 3.0 1.0
