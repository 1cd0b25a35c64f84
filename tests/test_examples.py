"""The examples run without a warning, and draw something."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import runpy
from pathlib import Path

import pytest

plt = pytest.importorskip("matplotlib.pyplot")

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("plot_*.py"))


@pytest.mark.slow
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example(path):
    runpy.run_path(str(path))
    assert plt.get_fignums()


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_title_is_underlined_as_sphinx_wants_it(path):
    _, over, title, under, *_ = path.read_text().splitlines()
    assert over == under == "=" * len(title)
