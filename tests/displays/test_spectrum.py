"""What SpectrumDisplay shows."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from sklearn.pipeline import make_pipeline

from sklearn_kernelclust import (
    DiagonalShift,
    KernelKMeans,
    PairwiseKernel,
    SpectrumDisplay,
)

pytest.importorskip("matplotlib")

X = np.random.default_rng(0).normal(size=(200, 12))
K = X @ X.T
VALUES = np.linalg.eigvalsh(K)[::-1]


def test_all_eigenvalues_from_the_largest():
    for kernel in (K, csr_array(K), PairwiseKernel(lazy=True).fit_transform(X)):
        display = SpectrumDisplay.from_kernel(kernel)
        ranks, values = display.line_.get_data()
        assert_array_equal(ranks, np.arange(1, 201))
        assert_allclose(values, VALUES, atol=1e-9)
        assert display.n_samples == 200


def test_the_largest_ones_alone():
    gram = PairwiseKernel(lazy=True).fit_transform(X)
    for kernel in (K, gram):
        display = SpectrumDisplay.from_kernel(kernel, n_eigenvalues=5)
        assert_allclose(display.line_.get_ydata(), VALUES[:5], rtol=1e-6)


def test_a_range_of_ranks():
    display = SpectrumDisplay.from_kernel(K).plot(first=3, last=7)
    assert_array_equal(display.line_.get_xdata(), [3, 4, 5, 6, 7])
    assert_allclose(display.line_.get_ydata(), VALUES[2:7])
    for ranks in ((0, 5), (6, 5), (1, 201)):
        with pytest.raises(ValueError, match=f"from {ranks[0]} to {ranks[1]} are not"):
            display.plot(first=ranks[0], last=ranks[1])


def test_a_shift_moves_the_curve_and_a_line_marks_zero():
    pipeline = make_pipeline(
        DiagonalShift(),
        KernelKMeans(2, kernel="precomputed", algorithm="hartigan", random_state=0),
    ).fit(K)
    plain = SpectrumDisplay(VALUES.clip(0), n_samples=200, name="plain").plot()
    assert plain.zero_ is None
    shifted = SpectrumDisplay.from_estimator(pipeline, K, name="DS", ax=plain.ax_)
    assert_allclose(shifted.eigenvalues, VALUES - K.trace() / 200)
    assert_array_equal(shifted.zero_.get_ydata(), [0, 0])
    legend = [text.get_text() for text in plain.ax_.get_legend().get_texts()]
    assert legend == ["plain", "DS"]
    assert shifted.plot(name="other").line_.get_label() == "other"


@pytest.mark.parametrize("n_eigenvalues", [0, 201])
def test_how_many_there_are(n_eigenvalues):
    with pytest.raises(ValueError, match=f"from 1 to 200, .* got {n_eigenvalues}"):
        SpectrumDisplay.from_kernel(K, n_eigenvalues=n_eigenvalues)
