"""
Device types that parse
=======================

Decide whether a device type from an older list still exists, and whether it can hold a tensor.
"""

# sphinx_gallery_tags = ["device", "error", "correction"]

import torch

# %%
# This list of names has been copied from page to page. Parsing all of them
# shows which ones PyTorch still knows, and one that it wants to forget:
# ``mkldnn`` is no device (`pull request 137553 <https://github.com/pytorch/pytorch/pull/137553>`__).

listed = """cpu cuda ipu xpu mkldnn opengl opencl ideep hip ve fpga ort xla lazy vulkan mps
meta hpu mtia privateuseone""".split()
unknown = []
for name in listed:
    try:
        torch.device(name)
    except RuntimeError:
        unknown.append(name)
# => UserWarning: 'mkldnn' is no longer used as device type. So torch.device('mkldnn') will be deprecated and removed in the future. Please use other valid device types instead.
print(unknown)
# => ['ort']

# %%
# The error for the missing one lists the types of this release. The list is
# not sorted by use: most entries need a plug-in or have no backend any more.

try:
    torch.device("ort")
except RuntimeError as error:
    print(error)
# => Expected one of cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, fpga, maia, xla, lazy, vulkan, mps, meta, hpu, mtia, privateuseone device type at start of device string: ort

# %%
# That a name parses says nothing about the installation. These types have no
# backend in the packages that PyTorch publishes.

for name in ("ipu", "opengl", "opencl", "ideep", "ve", "fpga", "maia"):
    try:
        torch.empty(1, device=name)
    except RuntimeError as error:
        print(error)
# => Could not run 'aten::empty.memory_format' with arguments from the 'IPU' backend. This could be because the operator doesn't exist for this backend, or was omitted during the selective/custom build process (if using custom build). If you are a Facebook employee using PyTorch on mobile, please visit https://fburl.com/ptmfixes for possible resolutions. 'aten::empty.memory_format' is only available for these backends: [CPU, Meta, QuantizedCPU, QuantizedMeta, MkldnnCPU, SparseCPU, SparseMeta, SparseCsrCPU, SparseCsrMeta, BackendSelect, Python, FuncTorchDynamicLayerBackMode, Functionalize, Conjugate, Negative, ZeroTensor, ADInplaceOrView, AutogradOther, AutogradCPU, AutogradCUDA, AutogradHIP, AutogradXLA, AutogradMPS, AutogradIPU, AutogradXPU, AutogradHPU, AutogradVE, AutogradLazy, AutogradMTIA, AutogradMAIA, AutogradPrivateUse1, AutogradPrivateUse2, AutogradPrivateUse3, AutogradMeta, AutogradNestedTensor, Tracer, AutocastCPU, AutocastMTIA, AutocastMAIA, AutocastXPU, AutocastMPS, AutocastCUDA, FuncTorchBatched, BatchedNestedTensor, FuncTorchVmapMode, Batched, VmapMode, FuncTorchGradWrapper, PythonTLSSnapshot, FuncTorchDynamicLayerFrontMode, PreDispatch, PythonDispatcher].
# =>
# => CPU: registered at /__w/pytorch/pytorch/build/aten/src/ATen/RegisterCPU_1.cpp:2401 [kernel]
# => Meta: registered at /__w/pytorch/pytorch/build/aten/src/ATen/RegisterMeta_0.cpp:4882 [kernel]
# => QuantizedCPU: registered at /__w/pytorch/pytorch/build/aten/src/ATen/RegisterQuantizedCPU_0.cpp:300 [kernel]
# => QuantizedMeta: registered at /__w/pytorch/pytorch/build/aten/src/ATen/RegisterQuantizedMeta_0.cpp:105 [kernel]
# => MkldnnCPU: registered at /__w/pytorch/pytorch/build/aten/src/ATen/RegisterMkldnnCPU_0.cpp:219 [kernel]
# => SparseCPU: registered at /__w/pytorch/pytorch/build/aten/src/ATen/RegisterSparseCPU_0.cpp:880 [kernel]
# => SparseMeta: registered at /__w/pytorch/pytorch/build/aten/src/ATen/RegisterSparseMeta_0.cpp:176 [kernel]
# => SparseCsrCPU: registered at /__w/pytorch/pytorch/build/aten/src/ATen/RegisterSparseCsrCPU_0.cpp:726 [kernel]
# => SparseCsrMeta: registered at /__w/pytorch/pytorch/build/aten/src/ATen/RegisterSparseCsrMeta_0.cpp:691 [kernel]
# => BackendSelect: registered at /__w/pytorch/pytorch/build/aten/src/ATen/RegisterBackendSelect.cpp:728 [kernel]
# => Python: registered at /__w/pytorch/pytorch/aten/src/ATen/core/PythonFallbackKernel.cpp:192 [backend fallback]
# => FuncTorchDynamicLayerBackMode: registered at /__w/pytorch/pytorch/aten/src/ATen/functorch/DynamicLayer.cpp:479 [backend fallback]
# => Functionalize: registered at /__w/pytorch/pytorch/aten/src/ATen/FunctionalizeFallbackKernel.cpp:411 [backend fallback]
# => Conjugate: fallthrough registered at /__w/pytorch/pytorch/aten/src/ATen/ConjugateFallback.cpp:21 [kernel]
# => Negative: fallthrough registered at /__w/pytorch/pytorch/aten/src/ATen/native/NegateFallback.cpp:22 [kernel]
# => ZeroTensor: fallthrough registered at /__w/pytorch/pytorch/aten/src/ATen/ZeroTensorFallback.cpp:119 [kernel]
# => ADInplaceOrView: fallthrough registered at /__w/pytorch/pytorch/aten/src/ATen/core/VariableFallbackKernel.cpp:103 [backend fallback]
# => AutogradOther: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradCPU: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradCUDA: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradHIP: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradXLA: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradMPS: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradIPU: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradXPU: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradHPU: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradVE: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradLazy: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradMTIA: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradMAIA: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradPrivateUse1: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradPrivateUse2: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradPrivateUse3: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradMeta: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradNestedTensor: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => Tracer: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/TraceType_7.cpp:9838 [kernel]
# => AutocastCPU: fallthrough registered at /__w/pytorch/pytorch/aten/src/ATen/autocast_mode.cpp:330 [backend fallback]
# => AutocastMTIA: fallthrough registered at /__w/pytorch/pytorch/aten/src/ATen/autocast_mode.cpp:472 [backend fallback]
# => AutocastMAIA: fallthrough registered at /__w/pytorch/pytorch/aten/src/ATen/autocast_mode.cpp:510 [backend fallback]
# => AutocastXPU: fallthrough registered at /__w/pytorch/pytorch/aten/src/ATen/autocast_mode.cpp:548 [backend fallback]
# => AutocastMPS: fallthrough registered at /__w/pytorch/pytorch/aten/src/ATen/autocast_mode.cpp:221 [backend fallback]
# => AutocastCUDA: fallthrough registered at /__w/pytorch/pytorch/aten/src/ATen/autocast_mode.cpp:177 [backend fallback]
# => FuncTorchBatched: registered at /__w/pytorch/pytorch/aten/src/ATen/functorch/LegacyBatchingRegistrations.cpp:730 [backend fallback]
# => BatchedNestedTensor: registered at /__w/pytorch/pytorch/aten/src/ATen/functorch/LegacyBatchingRegistrations.cpp:757 [backend fallback]
# => FuncTorchVmapMode: fallthrough registered at /__w/pytorch/pytorch/aten/src/ATen/functorch/VmapModeRegistrations.cpp:22 [backend fallback]
# => Batched: registered at /__w/pytorch/pytorch/aten/src/ATen/LegacyBatchingRegistrations.cpp:1072 [backend fallback]
# => VmapMode: fallthrough registered at /__w/pytorch/pytorch/aten/src/ATen/VmapModeRegistrations.cpp:32 [backend fallback]
# => FuncTorchGradWrapper: registered at /__w/pytorch/pytorch/aten/src/ATen/functorch/TensorWrapper.cpp:210 [backend fallback]
# => PythonTLSSnapshot: registered at /__w/pytorch/pytorch/aten/src/ATen/core/PythonFallbackKernel.cpp:200 [backend fallback]
# => FuncTorchDynamicLayerFrontMode: registered at /__w/pytorch/pytorch/aten/src/ATen/functorch/DynamicLayer.cpp:475 [backend fallback]
# => PreDispatch: registered at /__w/pytorch/pytorch/aten/src/ATen/core/PythonFallbackKernel.cpp:204 [backend fallback]
# => PythonDispatcher: registered at /__w/pytorch/pytorch/aten/src/ATen/core/PythonFallbackKernel.cpp:196 [backend fallback]
# =>
# => 0 INTERNAL ASSERT FAILED at "/__w/pytorch/pytorch/c10/core/TensorOptions.h":663, please report a bug to PyTorch. This is a grandfathered Caffe2 device type opengl, it shouldn't ever convert to a DispatchKey.  File a bug describing what you were doing if you think this is in error.
# => 0 INTERNAL ASSERT FAILED at "/__w/pytorch/pytorch/c10/core/TensorOptions.h":663, please report a bug to PyTorch. This is a grandfathered Caffe2 device type opencl, it shouldn't ever convert to a DispatchKey.  File a bug describing what you were doing if you think this is in error.
# => 0 INTERNAL ASSERT FAILED at "/__w/pytorch/pytorch/c10/core/TensorOptions.h":663, please report a bug to PyTorch. This is a grandfathered Caffe2 device type ideep, it shouldn't ever convert to a DispatchKey.  File a bug describing what you were doing if you think this is in error.
# => Could not run 'aten::empty.memory_format' with arguments from the 'VE' backend. This could be because the operator doesn't exist for this backend, or was omitted during the selective/custom build process (if using custom build). If you are a Facebook employee using PyTorch on mobile, please visit https://fburl.com/ptmfixes for possible resolutions. 'aten::empty.memory_format' is only available for these backends: [CPU, Meta, QuantizedCPU, QuantizedMeta, MkldnnCPU, SparseCPU, SparseMeta, SparseCsrCPU, SparseCsrMeta, BackendSelect, Python, FuncTorchDynamicLayerBackMode, Functionalize, Conjugate, Negative, ZeroTensor, ADInplaceOrView, AutogradOther, AutogradCPU, AutogradCUDA, AutogradHIP, AutogradXLA, AutogradMPS, AutogradIPU, AutogradXPU, AutogradHPU, AutogradVE, AutogradLazy, AutogradMTIA, AutogradMAIA, AutogradPrivateUse1, AutogradPrivateUse2, AutogradPrivateUse3, AutogradMeta, AutogradNestedTensor, Tracer, AutocastCPU, AutocastMTIA, AutocastMAIA, AutocastXPU, AutocastMPS, AutocastCUDA, FuncTorchBatched, BatchedNestedTensor, FuncTorchVmapMode, Batched, VmapMode, FuncTorchGradWrapper, PythonTLSSnapshot, FuncTorchDynamicLayerFrontMode, PreDispatch, PythonDispatcher].
# =>
# => CPU: registered at /__w/pytorch/pytorch/build/aten/src/ATen/RegisterCPU_1.cpp:2401 [kernel]
# => Meta: registered at /__w/pytorch/pytorch/build/aten/src/ATen/RegisterMeta_0.cpp:4882 [kernel]
# => QuantizedCPU: registered at /__w/pytorch/pytorch/build/aten/src/ATen/RegisterQuantizedCPU_0.cpp:300 [kernel]
# => QuantizedMeta: registered at /__w/pytorch/pytorch/build/aten/src/ATen/RegisterQuantizedMeta_0.cpp:105 [kernel]
# => MkldnnCPU: registered at /__w/pytorch/pytorch/build/aten/src/ATen/RegisterMkldnnCPU_0.cpp:219 [kernel]
# => SparseCPU: registered at /__w/pytorch/pytorch/build/aten/src/ATen/RegisterSparseCPU_0.cpp:880 [kernel]
# => SparseMeta: registered at /__w/pytorch/pytorch/build/aten/src/ATen/RegisterSparseMeta_0.cpp:176 [kernel]
# => SparseCsrCPU: registered at /__w/pytorch/pytorch/build/aten/src/ATen/RegisterSparseCsrCPU_0.cpp:726 [kernel]
# => SparseCsrMeta: registered at /__w/pytorch/pytorch/build/aten/src/ATen/RegisterSparseCsrMeta_0.cpp:691 [kernel]
# => BackendSelect: registered at /__w/pytorch/pytorch/build/aten/src/ATen/RegisterBackendSelect.cpp:728 [kernel]
# => Python: registered at /__w/pytorch/pytorch/aten/src/ATen/core/PythonFallbackKernel.cpp:192 [backend fallback]
# => FuncTorchDynamicLayerBackMode: registered at /__w/pytorch/pytorch/aten/src/ATen/functorch/DynamicLayer.cpp:479 [backend fallback]
# => Functionalize: registered at /__w/pytorch/pytorch/aten/src/ATen/FunctionalizeFallbackKernel.cpp:411 [backend fallback]
# => Conjugate: fallthrough registered at /__w/pytorch/pytorch/aten/src/ATen/ConjugateFallback.cpp:21 [kernel]
# => Negative: fallthrough registered at /__w/pytorch/pytorch/aten/src/ATen/native/NegateFallback.cpp:22 [kernel]
# => ZeroTensor: fallthrough registered at /__w/pytorch/pytorch/aten/src/ATen/ZeroTensorFallback.cpp:119 [kernel]
# => ADInplaceOrView: fallthrough registered at /__w/pytorch/pytorch/aten/src/ATen/core/VariableFallbackKernel.cpp:103 [backend fallback]
# => AutogradOther: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradCPU: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradCUDA: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradHIP: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradXLA: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradMPS: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradIPU: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradXPU: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradHPU: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradVE: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradLazy: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradMTIA: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradMAIA: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradPrivateUse1: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradPrivateUse2: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradPrivateUse3: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradMeta: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradNestedTensor: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => Tracer: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/TraceType_7.cpp:9838 [kernel]
# => AutocastCPU: fallthrough registered at /__w/pytorch/pytorch/aten/src/ATen/autocast_mode.cpp:330 [backend fallback]
# => AutocastMTIA: fallthrough registered at /__w/pytorch/pytorch/aten/src/ATen/autocast_mode.cpp:472 [backend fallback]
# => AutocastMAIA: fallthrough registered at /__w/pytorch/pytorch/aten/src/ATen/autocast_mode.cpp:510 [backend fallback]
# => AutocastXPU: fallthrough registered at /__w/pytorch/pytorch/aten/src/ATen/autocast_mode.cpp:548 [backend fallback]
# => AutocastMPS: fallthrough registered at /__w/pytorch/pytorch/aten/src/ATen/autocast_mode.cpp:221 [backend fallback]
# => AutocastCUDA: fallthrough registered at /__w/pytorch/pytorch/aten/src/ATen/autocast_mode.cpp:177 [backend fallback]
# => FuncTorchBatched: registered at /__w/pytorch/pytorch/aten/src/ATen/functorch/LegacyBatchingRegistrations.cpp:730 [backend fallback]
# => BatchedNestedTensor: registered at /__w/pytorch/pytorch/aten/src/ATen/functorch/LegacyBatchingRegistrations.cpp:757 [backend fallback]
# => FuncTorchVmapMode: fallthrough registered at /__w/pytorch/pytorch/aten/src/ATen/functorch/VmapModeRegistrations.cpp:22 [backend fallback]
# => Batched: registered at /__w/pytorch/pytorch/aten/src/ATen/LegacyBatchingRegistrations.cpp:1072 [backend fallback]
# => VmapMode: fallthrough registered at /__w/pytorch/pytorch/aten/src/ATen/VmapModeRegistrations.cpp:32 [backend fallback]
# => FuncTorchGradWrapper: registered at /__w/pytorch/pytorch/aten/src/ATen/functorch/TensorWrapper.cpp:210 [backend fallback]
# => PythonTLSSnapshot: registered at /__w/pytorch/pytorch/aten/src/ATen/core/PythonFallbackKernel.cpp:200 [backend fallback]
# => FuncTorchDynamicLayerFrontMode: registered at /__w/pytorch/pytorch/aten/src/ATen/functorch/DynamicLayer.cpp:475 [backend fallback]
# => PreDispatch: registered at /__w/pytorch/pytorch/aten/src/ATen/core/PythonFallbackKernel.cpp:204 [backend fallback]
# => PythonDispatcher: registered at /__w/pytorch/pytorch/aten/src/ATen/core/PythonFallbackKernel.cpp:196 [backend fallback]
# =>
# => Could not run 'aten::empty.memory_format' with arguments from the 'FPGA' backend. This could be because the operator doesn't exist for this backend, or was omitted during the selective/custom build process (if using custom build). If you are a Facebook employee using PyTorch on mobile, please visit https://fburl.com/ptmfixes for possible resolutions. 'aten::empty.memory_format' is only available for these backends: [CPU, Meta, QuantizedCPU, QuantizedMeta, MkldnnCPU, SparseCPU, SparseMeta, SparseCsrCPU, SparseCsrMeta, BackendSelect, Python, FuncTorchDynamicLayerBackMode, Functionalize, Conjugate, Negative, ZeroTensor, ADInplaceOrView, AutogradOther, AutogradCPU, AutogradCUDA, AutogradHIP, AutogradXLA, AutogradMPS, AutogradIPU, AutogradXPU, AutogradHPU, AutogradVE, AutogradLazy, AutogradMTIA, AutogradMAIA, AutogradPrivateUse1, AutogradPrivateUse2, AutogradPrivateUse3, AutogradMeta, AutogradNestedTensor, Tracer, AutocastCPU, AutocastMTIA, AutocastMAIA, AutocastXPU, AutocastMPS, AutocastCUDA, FuncTorchBatched, BatchedNestedTensor, FuncTorchVmapMode, Batched, VmapMode, FuncTorchGradWrapper, PythonTLSSnapshot, FuncTorchDynamicLayerFrontMode, PreDispatch, PythonDispatcher].
# =>
# => CPU: registered at /__w/pytorch/pytorch/build/aten/src/ATen/RegisterCPU_1.cpp:2401 [kernel]
# => Meta: registered at /__w/pytorch/pytorch/build/aten/src/ATen/RegisterMeta_0.cpp:4882 [kernel]
# => QuantizedCPU: registered at /__w/pytorch/pytorch/build/aten/src/ATen/RegisterQuantizedCPU_0.cpp:300 [kernel]
# => QuantizedMeta: registered at /__w/pytorch/pytorch/build/aten/src/ATen/RegisterQuantizedMeta_0.cpp:105 [kernel]
# => MkldnnCPU: registered at /__w/pytorch/pytorch/build/aten/src/ATen/RegisterMkldnnCPU_0.cpp:219 [kernel]
# => SparseCPU: registered at /__w/pytorch/pytorch/build/aten/src/ATen/RegisterSparseCPU_0.cpp:880 [kernel]
# => SparseMeta: registered at /__w/pytorch/pytorch/build/aten/src/ATen/RegisterSparseMeta_0.cpp:176 [kernel]
# => SparseCsrCPU: registered at /__w/pytorch/pytorch/build/aten/src/ATen/RegisterSparseCsrCPU_0.cpp:726 [kernel]
# => SparseCsrMeta: registered at /__w/pytorch/pytorch/build/aten/src/ATen/RegisterSparseCsrMeta_0.cpp:691 [kernel]
# => BackendSelect: registered at /__w/pytorch/pytorch/build/aten/src/ATen/RegisterBackendSelect.cpp:728 [kernel]
# => Python: registered at /__w/pytorch/pytorch/aten/src/ATen/core/PythonFallbackKernel.cpp:192 [backend fallback]
# => FuncTorchDynamicLayerBackMode: registered at /__w/pytorch/pytorch/aten/src/ATen/functorch/DynamicLayer.cpp:479 [backend fallback]
# => Functionalize: registered at /__w/pytorch/pytorch/aten/src/ATen/FunctionalizeFallbackKernel.cpp:411 [backend fallback]
# => Conjugate: fallthrough registered at /__w/pytorch/pytorch/aten/src/ATen/ConjugateFallback.cpp:21 [kernel]
# => Negative: fallthrough registered at /__w/pytorch/pytorch/aten/src/ATen/native/NegateFallback.cpp:22 [kernel]
# => ZeroTensor: fallthrough registered at /__w/pytorch/pytorch/aten/src/ATen/ZeroTensorFallback.cpp:119 [kernel]
# => ADInplaceOrView: fallthrough registered at /__w/pytorch/pytorch/aten/src/ATen/core/VariableFallbackKernel.cpp:103 [backend fallback]
# => AutogradOther: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradCPU: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradCUDA: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradHIP: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradXLA: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradMPS: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradIPU: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradXPU: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradHPU: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradVE: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradLazy: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradMTIA: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradMAIA: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradPrivateUse1: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradPrivateUse2: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradPrivateUse3: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradMeta: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradNestedTensor: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => Tracer: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/TraceType_7.cpp:9838 [kernel]
# => AutocastCPU: fallthrough registered at /__w/pytorch/pytorch/aten/src/ATen/autocast_mode.cpp:330 [backend fallback]
# => AutocastMTIA: fallthrough registered at /__w/pytorch/pytorch/aten/src/ATen/autocast_mode.cpp:472 [backend fallback]
# => AutocastMAIA: fallthrough registered at /__w/pytorch/pytorch/aten/src/ATen/autocast_mode.cpp:510 [backend fallback]
# => AutocastXPU: fallthrough registered at /__w/pytorch/pytorch/aten/src/ATen/autocast_mode.cpp:548 [backend fallback]
# => AutocastMPS: fallthrough registered at /__w/pytorch/pytorch/aten/src/ATen/autocast_mode.cpp:221 [backend fallback]
# => AutocastCUDA: fallthrough registered at /__w/pytorch/pytorch/aten/src/ATen/autocast_mode.cpp:177 [backend fallback]
# => FuncTorchBatched: registered at /__w/pytorch/pytorch/aten/src/ATen/functorch/LegacyBatchingRegistrations.cpp:730 [backend fallback]
# => BatchedNestedTensor: registered at /__w/pytorch/pytorch/aten/src/ATen/functorch/LegacyBatchingRegistrations.cpp:757 [backend fallback]
# => FuncTorchVmapMode: fallthrough registered at /__w/pytorch/pytorch/aten/src/ATen/functorch/VmapModeRegistrations.cpp:22 [backend fallback]
# => Batched: registered at /__w/pytorch/pytorch/aten/src/ATen/LegacyBatchingRegistrations.cpp:1072 [backend fallback]
# => VmapMode: fallthrough registered at /__w/pytorch/pytorch/aten/src/ATen/VmapModeRegistrations.cpp:32 [backend fallback]
# => FuncTorchGradWrapper: registered at /__w/pytorch/pytorch/aten/src/ATen/functorch/TensorWrapper.cpp:210 [backend fallback]
# => PythonTLSSnapshot: registered at /__w/pytorch/pytorch/aten/src/ATen/core/PythonFallbackKernel.cpp:200 [backend fallback]
# => FuncTorchDynamicLayerFrontMode: registered at /__w/pytorch/pytorch/aten/src/ATen/functorch/DynamicLayer.cpp:475 [backend fallback]
# => PreDispatch: registered at /__w/pytorch/pytorch/aten/src/ATen/core/PythonFallbackKernel.cpp:204 [backend fallback]
# => PythonDispatcher: registered at /__w/pytorch/pytorch/aten/src/ATen/core/PythonFallbackKernel.cpp:196 [backend fallback]
# =>
# => Could not run 'aten::empty.memory_format' with arguments from the 'MAIA' backend. This could be because the operator doesn't exist for this backend, or was omitted during the selective/custom build process (if using custom build). If you are a Facebook employee using PyTorch on mobile, please visit https://fburl.com/ptmfixes for possible resolutions. 'aten::empty.memory_format' is only available for these backends: [CPU, Meta, QuantizedCPU, QuantizedMeta, MkldnnCPU, SparseCPU, SparseMeta, SparseCsrCPU, SparseCsrMeta, BackendSelect, Python, FuncTorchDynamicLayerBackMode, Functionalize, Conjugate, Negative, ZeroTensor, ADInplaceOrView, AutogradOther, AutogradCPU, AutogradCUDA, AutogradHIP, AutogradXLA, AutogradMPS, AutogradIPU, AutogradXPU, AutogradHPU, AutogradVE, AutogradLazy, AutogradMTIA, AutogradMAIA, AutogradPrivateUse1, AutogradPrivateUse2, AutogradPrivateUse3, AutogradMeta, AutogradNestedTensor, Tracer, AutocastCPU, AutocastMTIA, AutocastMAIA, AutocastXPU, AutocastMPS, AutocastCUDA, FuncTorchBatched, BatchedNestedTensor, FuncTorchVmapMode, Batched, VmapMode, FuncTorchGradWrapper, PythonTLSSnapshot, FuncTorchDynamicLayerFrontMode, PreDispatch, PythonDispatcher].
# =>
# => CPU: registered at /__w/pytorch/pytorch/build/aten/src/ATen/RegisterCPU_1.cpp:2401 [kernel]
# => Meta: registered at /__w/pytorch/pytorch/build/aten/src/ATen/RegisterMeta_0.cpp:4882 [kernel]
# => QuantizedCPU: registered at /__w/pytorch/pytorch/build/aten/src/ATen/RegisterQuantizedCPU_0.cpp:300 [kernel]
# => QuantizedMeta: registered at /__w/pytorch/pytorch/build/aten/src/ATen/RegisterQuantizedMeta_0.cpp:105 [kernel]
# => MkldnnCPU: registered at /__w/pytorch/pytorch/build/aten/src/ATen/RegisterMkldnnCPU_0.cpp:219 [kernel]
# => SparseCPU: registered at /__w/pytorch/pytorch/build/aten/src/ATen/RegisterSparseCPU_0.cpp:880 [kernel]
# => SparseMeta: registered at /__w/pytorch/pytorch/build/aten/src/ATen/RegisterSparseMeta_0.cpp:176 [kernel]
# => SparseCsrCPU: registered at /__w/pytorch/pytorch/build/aten/src/ATen/RegisterSparseCsrCPU_0.cpp:726 [kernel]
# => SparseCsrMeta: registered at /__w/pytorch/pytorch/build/aten/src/ATen/RegisterSparseCsrMeta_0.cpp:691 [kernel]
# => BackendSelect: registered at /__w/pytorch/pytorch/build/aten/src/ATen/RegisterBackendSelect.cpp:728 [kernel]
# => Python: registered at /__w/pytorch/pytorch/aten/src/ATen/core/PythonFallbackKernel.cpp:192 [backend fallback]
# => FuncTorchDynamicLayerBackMode: registered at /__w/pytorch/pytorch/aten/src/ATen/functorch/DynamicLayer.cpp:479 [backend fallback]
# => Functionalize: registered at /__w/pytorch/pytorch/aten/src/ATen/FunctionalizeFallbackKernel.cpp:411 [backend fallback]
# => Conjugate: fallthrough registered at /__w/pytorch/pytorch/aten/src/ATen/ConjugateFallback.cpp:21 [kernel]
# => Negative: fallthrough registered at /__w/pytorch/pytorch/aten/src/ATen/native/NegateFallback.cpp:22 [kernel]
# => ZeroTensor: fallthrough registered at /__w/pytorch/pytorch/aten/src/ATen/ZeroTensorFallback.cpp:119 [kernel]
# => ADInplaceOrView: fallthrough registered at /__w/pytorch/pytorch/aten/src/ATen/core/VariableFallbackKernel.cpp:103 [backend fallback]
# => AutogradOther: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradCPU: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradCUDA: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradHIP: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradXLA: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradMPS: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradIPU: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradXPU: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradHPU: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradVE: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradLazy: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradMTIA: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradMAIA: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradPrivateUse1: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradPrivateUse2: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradPrivateUse3: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradMeta: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => AutogradNestedTensor: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/VariableType_7.cpp:10102 [autograd kernel]
# => Tracer: registered at /__w/pytorch/pytorch/torch/csrc/autograd/generated/TraceType_7.cpp:9838 [kernel]
# => AutocastCPU: fallthrough registered at /__w/pytorch/pytorch/aten/src/ATen/autocast_mode.cpp:330 [backend fallback]
# => AutocastMTIA: fallthrough registered at /__w/pytorch/pytorch/aten/src/ATen/autocast_mode.cpp:472 [backend fallback]
# => AutocastMAIA: fallthrough registered at /__w/pytorch/pytorch/aten/src/ATen/autocast_mode.cpp:510 [backend fallback]
# => AutocastXPU: fallthrough registered at /__w/pytorch/pytorch/aten/src/ATen/autocast_mode.cpp:548 [backend fallback]
# => AutocastMPS: fallthrough registered at /__w/pytorch/pytorch/aten/src/ATen/autocast_mode.cpp:221 [backend fallback]
# => AutocastCUDA: fallthrough registered at /__w/pytorch/pytorch/aten/src/ATen/autocast_mode.cpp:177 [backend fallback]
# => FuncTorchBatched: registered at /__w/pytorch/pytorch/aten/src/ATen/functorch/LegacyBatchingRegistrations.cpp:730 [backend fallback]
# => BatchedNestedTensor: registered at /__w/pytorch/pytorch/aten/src/ATen/functorch/LegacyBatchingRegistrations.cpp:757 [backend fallback]
# => FuncTorchVmapMode: fallthrough registered at /__w/pytorch/pytorch/aten/src/ATen/functorch/VmapModeRegistrations.cpp:22 [backend fallback]
# => Batched: registered at /__w/pytorch/pytorch/aten/src/ATen/LegacyBatchingRegistrations.cpp:1072 [backend fallback]
# => VmapMode: fallthrough registered at /__w/pytorch/pytorch/aten/src/ATen/VmapModeRegistrations.cpp:32 [backend fallback]
# => FuncTorchGradWrapper: registered at /__w/pytorch/pytorch/aten/src/ATen/functorch/TensorWrapper.cpp:210 [backend fallback]
# => PythonTLSSnapshot: registered at /__w/pytorch/pytorch/aten/src/ATen/core/PythonFallbackKernel.cpp:200 [backend fallback]
# => FuncTorchDynamicLayerFrontMode: registered at /__w/pytorch/pytorch/aten/src/ATen/functorch/DynamicLayer.cpp:475 [backend fallback]
# => PreDispatch: registered at /__w/pytorch/pytorch/aten/src/ATen/core/PythonFallbackKernel.cpp:204 [backend fallback]
# => PythonDispatcher: registered at /__w/pytorch/pytorch/aten/src/ATen/core/PythonFallbackKernel.cpp:196 [backend fallback]

# %%
# Two types are always there: ``cpu``, and ``meta`` for tensors without values.
# For the rest, ask the accelerator that this build has, if any.

print(torch.empty(1, device="cpu").device, torch.empty(1, device="meta").device)
# => cpu meta
accelerator = torch.accelerator.current_accelerator()
print(accelerator is None or accelerator.type in listed)
# => True
