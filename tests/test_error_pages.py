"""Each error readers search for has a page, which shows its exact text in what it claims or in what was
recorded.
"""

from __future__ import annotations

import re

import pytest
from committed import committed_evidence, committed_examples, committed_records
from samples import ROOT

from tensor_atlas.examples.messages import ERROR, FIX, is_error_page, read_fix
from tensor_atlas.model.runs import Observation
from tensor_atlas.pages.fix_view import find_message, watch_fix

SEARCHED = {
    "13_errors/cuda_to_numpy": [
        "can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host"
    ],
    "13_errors/numpy_requires_grad": [
        "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.",
        "Can't export tensors that require gradient, use tensor.detach()",
    ],
    "13_errors/meta_tensor": ["Cannot copy out of meta tensor; no data!"],
    "13_errors/mixed_devices": [
        "Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!"
    ],
    "13_errors/bfloat16": ["Got unsupported ScalarType BFloat16"],
    "13_errors/negative_strides": ["At least one stride in the given numpy array is negative"],
    "13_errors/dlpack_abort": [
        "terminate called after throwing an instance of 'c10::Error'",
        "Storage size calculation overflowed",
    ],
    "13_errors/read_only_array": ["The given NumPy array is not writable"],
    "13_errors/read_only_buffer": ["The given buffer is not writable"],
    "13_errors/object_array": [
        "can't convert np.ndarray of type numpy.object_. The only supported types are: "
    ],
    "13_errors/expected_ndarray": ["expected np.ndarray (got list)"],
    "13_errors/numpy_not_available": ["Numpy is not available"],
    "13_errors/infer_dtype": ["Could not infer dtype of numpy.float32"],
    "13_errors/list_of_arrays": ["Creating a tensor from a list of numpy.ndarrays is extremely slow."],
    "13_errors/copy_keyword": [
        "__array__ implementation doesn't accept a copy keyword",
        "Unable to avoid copy while creating an array as requested.",
    ],
    "13_errors/array_operator_tensor": [
        "__array_wrap__ must accept context and return_scalar arguments",
        "unsupported operand type(s) for *: 'numpy.ndarray' and 'Tensor'",
        "Concatenation operation is not implemented for NumPy arrays",
    ],
    "13_errors/array_argument": [
        "_ARRAY_API not found",  # whichever conversion comes first in a process warns
        "Failed to initialize NumPy: ",
        "add(): argument 'other' (position 2) must be Tensor, not numpy.ndarray",
        "expected Tensor as element 1 in argument 0, but got numpy.ndarray",
        "can't assign a numpy.ndarray to a torch.FloatTensor",
    ],
    "13_errors/reduction_keywords": ["sum() got an unexpected keyword argument 'axis'"],
    "13_errors/matmul_dtype": ["mat1 and mat2 must have the same dtype, but got Double and Float"],
    "13_errors/list_of_tensors": [
        "only integer tensors of a single element can be converted to an index",
        "only one element tensors can be converted to Python scalars",
    ],
    "13_errors/byte_order": ["given numpy array has byte order different from the native byte order."],
    "13_errors/packed_fields": ["given numpy array strides not a multiple of the element byte size."],
    "13_errors/conjugate_bit": ["Can't call numpy() on Tensor that has conjugate bit set."],
    "13_errors/sparse_layout": ["can't convert Sparse layout tensor to numpy. Use Tensor.to_dense() first."],
    "13_errors/tensor_subclass": [".numpy() is not supported for tensor subclasses."],
    "13_errors/worker_resize": ["Trying to resize storage that is not resizable"],
    "13_errors/pin_an_array": ["Can't pin tensor constructed from numpy"],
    "13_errors/used_capsule": ["from_dlpack received an invalid capsule."],
    "13_errors/mask_shape": ["The shape of the mask [2] at index 0 does not match"],
    "13_errors/index_on_gpu": ["indices should be either on cpu or on the same device"],
    "13_errors/float64_on_mps": ["Cannot convert a MPS Tensor to float64 dtype"],
    "13_errors/scalar_from_graph": ["Converting a tensor with requires_grad=True to a scalar"],
    "13_errors/weights_only": ["Weights only load failed."],
    "13_errors/wrong_method": [
        "'Tensor' object has no attribute 'astype'",
        "'numpy.ndarray' object has no attribute 'cpu'",
    ],
    "13_errors/collate_none": [
        (
            "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; "
            "found <class 'NoneType'>"
        )
    ],
    "13_errors/pin_cuda_tensor": ["only dense CPU tensors can be pinned"],
    "13_errors/channel_count": ["to have 3 channels, but got 8 channels instead"],
    "13_errors/conv_axes": [
        "Expected 2D (unbatched) or 3D (batched) input to conv1d, but got input of size: ",
        "Expected 3D (unbatched) or 4D (batched) input to conv2d, but got input of size: ",
    ],
    "13_errors/permute_dims": ["input.dim() = 2 is not equal to len(dims) = 3", "axes don't match array"],
    "13_errors/imshow_shape": ["Invalid shape (1, 3, 5, 6) for image data"],
    "09_protocols/dlpack_bool": ["Bool type is not supported by dlpack"],
    "13_errors/dlpack_copy_false": [
        "cannot move (i.e. copy=False) tensor from cpu to cuda:0 without copying."
    ],
    "13_errors/soundfile_format": ["Error opening 'stereo.wav': Format not recognised."],
    "13_errors/safetensors_bfloat16": ["data type 'bfloat16' not understood"],
    "13_errors/array_of_tensors": ["The requested array has an inhomogeneous shape after 1 dimensions."],
    "13_errors/ancdata": [
        "received 0 items of ancdata",
        "Too many open files",
    ],
    "13_errors/cuda_not_compiled": ["Found no NVIDIA driver on your system"],
    "13_errors/cuda_out_of_memory": ["CUDA out of memory"],
    "13_errors/deserialize_cuda": [
        "Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False"
    ],
    "13_errors/forked_cuda": [
        "Cannot re-initialize CUDA in forked subprocess. To use CUDA with multiprocessing, you must use the"
    ],
    "13_errors/input_and_bias_type": [
        "Input type (double) and bias type (float) should be the same",
        "Input type (unsigned char) and bias type (float) should be the same",
        "expected scalar type Double but found Float",
    ],
    "13_errors/cast_in_place": [
        "result type Float can't be cast to the desired output type Long",
        "result type Float can't be cast to the desired output type long int",
    ],
    "13_errors/mean_of_integers": [
        "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype.",
        "std and var only support floating point and complex dtypes",
    ],
    "13_errors/removed_numpy_names": [
        "module 'numpy' has no attribute 'float'",
        "module 'numpy' has no attribute 'bool'",
        "`np.float_` was removed in the NumPy 2.0 release. Use `np.float64` instead.",
    ],
    "13_errors/size_of_an_array": ["'int' object is not callable", "'torch.Size' object is not callable"],
    "13_errors/target_size": [
        "Using a target size (torch.Size([3])) that is different to the input size (torch.Size([3, 1])).",
        "Target size (torch.Size([3])) must be the same as input size (torch.Size([3, 1]))",
    ],
    "13_errors/zero_dim": [
        "len() of a 0-d tensor",
        "iteration over a 0-d tensor",
        "invalid index of a 0-dim tensor. Use `tensor.item()` in Python",
        "len() of unsized object",
    ],
    "13_errors/broadcast_shapes": [
        "The size of tensor a (5) must match the size of tensor b (3) at non-singleton dimension 2",
        "operands could not be broadcast together with shapes (3,4,5) (3,)",
    ],
    "13_errors/device_side_assert": [
        "CUDA error: device-side assert triggered",
        "Target 3 is out of bounds.",
        "index 3 is out of bounds for dimension 0 with size 3",
    ],
    "13_errors/host_memory": [
        "DefaultCPUAllocator: can't allocate memory: you tried to allocate 1125899906842624 bytes.",
        "Unable to allocate 1.00 PiB for an array with shape (140737488355328,) and data type float64",
    ],
    "13_errors/leaf_in_place": [
        "a leaf Variable that requires grad is being used in an in-place operation.",
        "a view of a leaf Variable that requires grad is being used in an in-place operation.",
    ],
    "13_errors/no_cuda_gpus": ["No CUDA GPUs are available"],
    "13_errors/invalid_device_ordinal": ["CUDA error: invalid device ordinal"],
    "13_errors/no_gradient_function": [
        "element 0 of tensors does not require grad and does not have a grad_fn"
    ],
    "13_errors/ragged_lists": [
        "expected sequence of length 3 at dim 1 (got 2)",
        "The requested array has an inhomogeneous shape after 1 dimensions.",
    ],
    "13_errors/unequal_sizes": [
        "stack expects each tensor to be equal size, but got [3] at entry 0 and [2] at entry 1",
        "all input arrays must have the same shape",
    ],
    "12_files/numpy2_pickles": ["No module named 'numpy._core.numeric'"],
    "13_errors/input_and_weight_type": [
        "Input type (torch.FloatTensor) and weight type (torch.cuda.FloatTensor) should be the same",
        "Input type (torch.cuda.FloatTensor) and weight type (torch.FloatTensor) should be the same",
    ],
    "13_errors/one_element_tensors": [
        "only one element tensors can be converted to Python scalars",
        "a Tensor with 3 elements cannot be converted to Scalar",
    ],
    "13_errors/onnx_input_type": [
        "Unexpected input data type. Actual: (tensor(double)) , expected: (tensor(float))",
        "Input must be a list of dictionaries or a single numpy array for input 'x'.",
        "Got invalid dimensions for input: x for the following indices",
        "Required inputs (['x']) are missing from input feed (['input']).",
    ],
    "13_errors/pil_image_or_ndarray": [
        "pic should be PIL Image or ndarray. Got <class 'torch.Tensor'>",
        "pic should be 2/3 dimensional. Got 4 dimensions.",
        "img should be Tensor Image. Got <class 'numpy.ndarray'>",
    ],
    "13_errors/damaged_file": [
        "PytorchStreamReader failed reading zip archive: failed finding central directory",
        "Unsupported operand 118",
        "invalid load key, 'v'.",
        "(truncated file: eof =",
        "Error while deserializing header: header too large",
        "File is not a zip file",
    ],
    "13_errors/shared_memory_object": ["unable to open shared memory object", "Too many open files (24)"],
    "13_errors/cannot_pickle": [
        "Can't pickle local object 'train.<locals>.<lambda>'",
        "cannot pickle 'module' object",
        "cannot pickle '_thread.lock' object",
    ],
    "13_errors/collate_own_class": [
        "numpy arrays, numbers, dicts or lists; found <class 'PIL.Image.Image'>",
        "numpy arrays, numbers, dicts or lists; found object",
    ],
    "13_errors/compiled_numpy": [
        "'ndarray' object has no attribute '__round__'",
        "'ndarray' object has no attribute 'mul'",
    ],
    "13_errors/no_dlpack_method": [
        "'array.array' object has no attribute '__dlpack__'",
        "device and copy kwargs not supported when ext_tensor is already a DLPack capsule.",
    ],
    "13_errors/numba_type": ["Cannot determine Numba type of <class 'torch.Tensor'>"],
    "13_errors/pillow_data_type": [
        "Cannot handle this data type: (1, 1, 3), <f4",
        "Cannot handle this data type: (1, 1, 3), <u2",
        "Cannot handle this data type: (1, 1, 1), |u1",
    ],
    "13_errors/python_number": [
        "'float' object has no attribute 'item'",
        "'int' object has no attribute 'backward'",
    ],
    "13_errors/safetensors_entries": [
        "Key `epoch` is invalid, expected torch.Tensor but received <class 'int'>",
        "'int' object has no attribute 'contiguous'",
    ],
    "13_errors/torchvision_normalize": [
        "The size of tensor a (4) must match the size of tensor b (3) at non-singleton dimension 0",
        "output with shape [1, 5, 6] doesn't match the broadcast shape [3, 5, 6]",
    ],
    "13_errors/tuple_output": [
        "'tuple' object has no attribute 'cpu'",
        "argument 'input' (position 1) must be Tensor, not tuple",
        "a bytes-like object or a real number, not 'ModelOutput'",
    ],
    "13_errors/none_attribute": [
        "'NoneType' object has no attribute 'numpy'",
        "'NoneType' object has no attribute 'shape'",
    ],
    "13_errors/got_tuple": ["expected np.ndarray (got tuple)", "'tuple' object has no attribute 'shape'"],
    "13_errors/stft_complex": [
        "stft requires the return_complex parameter be given for real inputs",
        "istft requires a complex-valued input tensor",
    ],
    "13_errors/operator_argument": [
        "Expected a value of type 'Tensor' for argument 'self' but instead found type 'ndarray'.",
    ],
    "13_errors/no_backend_type": ["No backend type associated with device type cpu"],
    "13_errors/pil_attribute": ["'Image' object has no attribute 'shape'"],
    "13_errors/worker_exited": ["DataLoader worker (pid(s) …) exited unexpectedly"],
    "13_errors/main_guard": ["An attempt has been made to start a new process before the current process"],
    "13_errors/main_attribute": ["Can't get attribute 'Net' on <module 'train'>"],
    "13_errors/invalid_cast": ["invalid value encountered in cast"],
    "13_errors/histogram_range": ["autodetected range of [nan, nan] is not finite"],
    "13_errors/transform_input": [
        "img should be PIL Image. Got <class 'numpy.ndarray'>",
        "Input tensor should be a float tensor. Got torch.uint8.",
    ],
    "13_errors/tensor_as_index": ["only integer tensors of a single element can be converted to an index"],
    "12_files/two_numpys": ["expected np.ndarray (got numpy.ndarray)"],
    "13_errors/scalar_from_array": ["only 0-dimensional arrays can be converted to Python scalars"],
    "13_errors/pandas_key_error": ["Caught KeyError in DataLoader worker process 0."],
    "13_errors/sklearn_dimensions": ["Found array with dim 3, while dim <= 2 is required"],
    "13_errors/sklearn_metrics": [
        "Classification metrics can't handle a mix of multiclass and continuous-multioutput"
    ],
    "13_errors/axis_out_of_bounds": ["axis 1 is out of bounds for array of dimension 1"],
    "13_errors/squeeze_axis": ["cannot select an axis to squeeze out which has size not equal to one"],
    "13_errors/reshape_size": ["cannot reshape array of size 48 into shape (1,3,8,8)"],
    "13_errors/concatenate_outputs": ["zero-dimensional arrays cannot be concatenated"],
    "13_errors/not_implemented_for": ["\"mse_cpu\" not implemented for 'Long'"],
    "13_errors/strings": ["too many dimensions 'str'"],
    "13_errors/infer_dtype_of_object": ["Could not infer dtype of NoneType"],
    "13_errors/json_serializable": ["Object of type ndarray is not JSON serializable"],
    "13_errors/onnx_input_shape": ["Got invalid dimensions for input: x for the following indices"],
    "13_errors/jax_tracer": ["The numpy.ndarray conversion method __array__() was called on traced array"],
    "13_errors/hdf5_dtypes": ["Object dtype dtype('O') has no native HDF5 equivalent"],
    "13_errors/object_ufunc": [
        "loop of ufunc does not support argument 0 of type float which has no callable sqrt"
    ],
    "13_errors/compiled_for_numpy1": ["A module that was compiled using NumPy 1.x cannot be run in"],
    "13_errors/sparse_matrix": ["sparse array length is ambiguous; use getnnz() or shape[0]"],
    "13_errors/jit_inputs": ["Tracer cannot infer type of (array([1., 1.], dtype=float32),)"],
    "13_errors/dataframe_attribute": ["'DataFrame' object has no attribute 'to'"],
    "13_errors/batch_to_device": ["'list' object has no attribute 'to'"],
    "13_errors/arrays_as_parameters": ["cannot assign 'numpy.ndarray' as parameter 'weight'"],
    "13_errors/broadcast_input": ["could not broadcast input array from shape (3,4,4) into shape (4,4,3)"],
    "13_errors/too_many_indices": ["too many indices for tensor of dimension 1"],
    "13_errors/matmul_shapes": ["matmul: Input operand 1 has a mismatch in its core dimension 0"],
}
"""Page: what its readers have pasted into a search box."""


def shown(page: str) -> str:
    """All that a page claims, and all that its record holds: output, warnings, errors."""
    example = committed_examples()[page]
    claimed = [line for s in example.statements if s.claim is not None for line in s.claim.lines]
    record = committed_records().records.get(page)
    runs = [] if record is None else [run for run in record.runs.values() if run.digest == example.digest]
    return "\n".join([*claimed, *(text for run in runs for o in run.observations for text in texts(o))])


def texts(observation: Observation) -> list[str]:
    """What a statement said."""
    raised = [] if observation.raised is None else [observation.raised]
    return [
        observation.stdout,
        observation.stderr,
        *(warned.message for warned in observation.warnings),
        *(error.message for error in (*observation.caught, *raised)),
    ]


@pytest.mark.parametrize("page", SEARCHED)
def test_error_that_readers_search_for_is_on_its_page(page: str) -> None:
    """In the words they have before them, and with the fix under its heading."""
    words = shown(page)
    assert not [text for text in SEARCHED[page] if text not in words]
    if page.startswith("13_errors/"):
        assert {block.section for block in committed_examples()[page].blocks} >= {ERROR, FIX}


def test_every_error_page_is_looked_for() -> None:
    """A page of the chapter whose error is not listed above could lose it unseen."""
    assert {name for name in committed_examples() if name.startswith("13_errors/")} <= set(SEARCHED)


# --- the top of a page ---------------------------------------------------------------------------

PAGES = sorted(name for name in committed_examples() if name.startswith("13_errors/"))
LONGEST_TITLE = 70
"""Characters."""


@pytest.mark.parametrize("name", PAGES)
def test_title_is_the_class_and_the_message(name: str) -> None:
    """Words of a message that the page shows, with the class shown beside; short enough for a list."""
    page = committed_evidence().pages[name]
    assert is_error_page(page.example)
    assert len(page.example.title) <= LONGEST_TITLE
    _, box = find_message(page)
    if box.kind in ("error", "warning"):
        assert page.example.title.startswith(f"{box.label}: ")


@pytest.mark.parametrize("name", PAGES)
def test_fix_is_code_that_the_script_runs(name: str) -> None:
    """Or commands for a shell; and the lead is one sentence."""
    example = committed_examples()[name]
    if read_fix(example) is None:
        assert ".. code-block:: bash" in example.source
    else:
        assert watch_fix(committed_evidence().pages[name])[1]
    lead = example.summary
    assert not lead.startswith("Decide")
    assert lead.endswith(".")
    assert ". " not in lead


@pytest.mark.parametrize("name", PAGES)
def test_fix_is_what_a_reader_runs(name: str) -> None:
    """The box leaves comments out: no line may need one, as a device that stands for another does."""
    lead = committed_examples()[name].source.split('"""')[1]
    added = [line for line in lead.splitlines() if line.startswith("   + ")]
    assert [line for line in added if "  # " in line] == []


def test_check_of_versions_says_what_it_ignores() -> None:
    """The system, as Windows needs a newer torch, and a NumPy that is too old: ``False`` is not enough."""
    example = committed_examples()["13_errors/numpy_not_available"]
    prose = example.source.partition("numpy_major = ")[0].rpartition("# The fix\n")[2]
    assert [words for words in ("``False``", "Windows", "too old", "0x10") if words not in prose] == []


@pytest.mark.parametrize("name", PAGES)
def test_warning_says_when_it_is_safe_to_ignore(name: str) -> None:
    """A reader of a warning wants to know whether anything must be done at all."""
    example = committed_examples()[name]
    if "Warning: " in example.title:
        assert "**Safe to ignore**" in example.source.split('"""')[1]


def test_error_index_lists_every_error_page_with_a_short_fix() -> None:
    """Each once, and at most six words of fix."""
    text = (ROOT / "docs" / "reference" / "errors.md").read_text(encoding="utf-8")
    listed = [line.split(": ", 1) for line in text.split("\n") if ": " in line and "/" in line.split(": ")[0]]
    pages = [name for name, shown in committed_evidence().pages.items() if is_error_page(shown.example)]
    assert sorted(name for name, _ in listed) == sorted(pages)
    assert [fix for _, fix in listed if not 1 <= len(fix.split()) <= 6] == []


OLD_NUMPY = re.compile(r"numpy<(1\.24|2)\b")
"""The install of a NumPy that has no wheel for the newer releases of Python."""


@pytest.mark.parametrize(
    "name", [name for name, page in committed_examples().items() if "numpy<" in page.source]
)
def test_install_of_an_old_numpy_says_for_which_python(name: str) -> None:
    """Elsewhere pip finds no wheel and starts a build from source."""
    paragraphs = re.split(r"\n(?:#?\s*\n|# %%)", committed_examples()[name].source)
    installs = [text for text in paragraphs if OLD_NUMPY.search(text)]
    assert installs
    assert any("Python 3.1" in text for text in installs)
