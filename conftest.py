"""What tests and examples in documents share: figures are drawn, not shown."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import os
import sys

import pytest

os.environ["MPLBACKEND"] = "agg"


@pytest.fixture(autouse=True)
def no_figure_is_left():
    """Matplotlib warns of figures that nobody closes."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
