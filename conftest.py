"""What tests and examples in documents share: figures are drawn, not shown."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import os
import sys
from importlib.util import find_spec

import pytest

os.environ["MPLBACKEND"] = "agg"

# Needs torch with Triton.
if not (find_spec("torch") and find_spec("triton")):
    collect_ignore = ["sklearn_kernelclust/_utils/_cuda_kernels.py"]


@pytest.fixture(autouse=True)
def no_figure_is_left():
    """Matplotlib warns of figures that nobody closes."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
