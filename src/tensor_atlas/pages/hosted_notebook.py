"""The notebook that runs the archive of the probe where a hosted GPU can be had."""

from __future__ import annotations

from nbformat import v4


def render_hosted_notebook(address: str) -> str:
    """Text of the notebook; its first code cell holds the site's ``address``, empty where nobody knows it."""
    cells = [
        v4.new_markdown_cell(_INTRODUCTION),
        v4.new_code_cell(f"SITE = {address!r}  # address of the site that this notebook is from"),
        *map(v4.new_code_cell, _STEPS),
        v4.new_markdown_cell(_LAST_STEP.format(page=f"{address}your_machine.html")),
    ]
    for number, cell in enumerate(cells, 1):
        cell["id"] = f"cell-{number}"
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    # Colab starts a runtime with a GPU for a notebook that asks for one.
    metadata = {"kernelspec": kernel, "accelerator": "GPU", "colab": {"gpuType": "T4"}}
    text: str = v4.writes(v4.new_notebook(cells=cells, metadata=metadata))
    return text + "\n"


_INTRODUCTION = """\
# Run the examples on a hosted GPU

Choose a runtime with a GPU (in Colab: *Runtime*, *Change runtime type*), then run all cells.
The last cell gives you `capture.json`: the result of every example with this GPU, driver, torch and NumPy."""
_STEPS = (
    """\
import torch

print("torch", torch.__version__, "CUDA", torch.version.cuda)
print(torch.cuda.get_device_name(0) if torch.cuda.is_available() else "No GPU: change the runtime type")""",
    """\
import urllib.request

urllib.request.urlretrieve(f"{SITE}atlas-probe.pyz", "atlas-probe.pyz")""",
    """\
import subprocess
import sys

run = subprocess.run([sys.executable, "atlas-probe.pyz"], capture_output=True, text=True)
print(run.stdout + run.stderr)
run.check_returncode()""",
    """\
try:
    from google.colab import files
except ImportError:
    from IPython.display import FileLink, display

    display(FileLink("capture.json"))
else:
    files.download("capture.json")""",
)
"""Code of the cells that look for a GPU, fetch the archive, run it, and hand back what it wrote."""
_LAST_STEP = """\
The cell before it lists the results that differ from the records. Give the file to
[the page of your machine]({page}): it shows them on every page of the site, and says how to contribute the
capture. The file stays in your browser."""
