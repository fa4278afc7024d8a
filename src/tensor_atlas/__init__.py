"""Tensor Atlas: executed, recorded and compared examples of PyTorch tensors meeting NumPy arrays."""

__version__ = "0.1.0"
