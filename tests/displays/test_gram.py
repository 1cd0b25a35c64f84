"""What GramDisplay shows."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import tracemalloc

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from scipy.sparse import random as random_sparse
from sklearn import config_context
from sklearn.pipeline import make_pipeline

from sklearn_kernelclust import DiagonalShift, GramDisplay, KernelKMeans, PairwiseKernel
from sklearn_kernelclust._displays._gram import block_means, color_limits
from sklearn_kernelclust._gram._stored import DenseGram

pytest.importorskip("matplotlib")


def kernel(n, seed=0):
    A = np.random.default_rng(seed).normal(size=(n, 5))
    return A @ A.T


def test_objects_are_ordered_by_cluster_and_keep_their_order_within():
    K, labels = kernel(5), np.array(["b", "a", "b", "c", "a"])
    display = GramDisplay.from_kernel(K, labels, diagonal=True)
    order = [1, 4, 0, 2, 3]
    assert_allclose(display.im_.get_array(), K[np.ix_(order, order)])
    assert_array_equal(display.bounds, [0, 2, 4, 5])
    assert [t.get_text() for t in display.ax_.get_yticklabels()] == ["a", "b", "c"]
    assert_allclose(display.ax_.get_yticks(), [1, 3, 4.5])
    places = sorted({line.get_xdata()[0] for line in display.lines_[1::2]})
    assert places == [2, 4]


def test_without_labels_the_order_is_that_of_the_kernel():
    K = kernel(6)
    display = GramDisplay.from_kernel(K, diagonal=True, colorbar=False)
    assert_allclose(display.im_.get_array(), K)
    assert display.lines_ == [] and display.colorbar_ is None
    assert_allclose(display.im_.get_clim(), (K.min(), K.max()))


@pytest.mark.parametrize("diagonal", [False, True])
@pytest.mark.parametrize("n", [40, 41, 57])
def test_many_objects_are_averaged(n, diagonal):
    K, order = kernel(n), np.random.default_rng(1).permutation(n)
    image = block_means(DenseGram.training(K), order, 10, diagonal=diagonal)
    block = np.arange(n) * 10 // n
    assert np.ptp(np.bincount(block)) <= 1
    ordered = K[np.ix_(order, order)]
    if not diagonal:
        np.fill_diagonal(ordered, np.nan)
    expected = [
        [np.nanmean(ordered[block == a][:, block == b]) for b in range(10)]
        for a in range(10)
    ]
    assert_allclose(image, expected)


@pytest.mark.parametrize("megabytes", [1024, 0.001])
@pytest.mark.parametrize("max_size", [7, 100])
def test_storage_makes_no_difference(megabytes, max_size):
    X = csr_array(random_sparse(60, 30, density=0.2, random_state=0))
    labels = np.arange(60) % 3
    lazy = PairwiseKernel("cosine", lazy=True).fit_transform(X)
    dense = lazy.toarray()
    with config_context(working_memory=megabytes):
        images = [
            GramDisplay.from_kernel(K, labels, max_size=max_size).image
            for K in (dense, csr_array(dense), lazy, dense.tolist())
        ]
    for image in images[1:]:
        assert_allclose(image, images[0], atol=1e-12)


def test_single_objects_have_no_similarity_without_the_diagonal():
    display = GramDisplay.from_kernel(kernel(4))
    assert np.isnan(display.image.diagonal()).all()
    assert np.isfinite(display.image).sum() == 12
    assert GramDisplay.from_kernel([[2.0]]).limits is None


def test_a_few_entries_do_not_take_all_colours():
    image = np.random.default_rng(0).uniform(size=(50, 50))
    image[0, :3] = 1000
    low, high = color_limits(image)
    assert 0 < low < 0.02 and 0.98 < high < 1
    display = GramDisplay(image, n_samples=50, limits=(low, high)).plot()
    assert display.im_.get_clim() == (low, high)
    assert display.plot(vmax=5).im_.get_clim() == (low, 5)


def test_a_norm_has_the_last_word():
    from matplotlib.colors import LogNorm

    norm = LogNorm(1e-3, 1)
    display = GramDisplay.from_kernel(np.exp(kernel(5)), norm=norm)
    assert display.im_.norm is norm


def test_names_that_would_overlap_are_left_out():
    labels = np.repeat([0, 1, 2], [97, 2, 1])
    display = GramDisplay.from_kernel(np.eye(100), labels)
    assert [t.get_text() for t in display.ax_.get_yticklabels()] == ["0"]
    assert len(display.lines_) == 4


def test_of_a_pipeline_it_is_the_kernel_of_the_last_step():
    K = kernel(30)
    model = make_pipeline(
        DiagonalShift(),
        KernelKMeans(3, kernel="precomputed", algorithm="hartigan", random_state=0),
    ).fit(K)
    display = GramDisplay.from_estimator(model, K, diagonal=True)
    order = np.argsort(model[-1].labels_, kind="stable")
    shifted = K - K.trace() / 30 * np.eye(30)
    assert_allclose(display.image, shifted[np.ix_(order, order)])


@pytest.mark.filterwarnings("ignore:.*rows of zeros")
def test_a_large_kernel_is_not_formed():
    n = 20_000  # 3 GiB
    X = csr_array(random_sparse(n, 200, density=0.02, random_state=0))
    gram = PairwiseKernel("cosine", lazy=True).fit_transform(X)
    with config_context(working_memory=8):
        tracemalloc.start()
        image = block_means(gram, np.arange(n), 100, diagonal=False)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < 100 * 2**20
    rows = gram.restrict(range(200), range(200, 400)).toarray()
    assert image[0, 1] == pytest.approx(rows.mean())


def test_what_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="max_size must be at least 1, got 0"):
        GramDisplay.from_kernel(np.eye(3), max_size=0)
    with pytest.raises(ValueError, match=r"inconsistent numbers of samples: \[3, 2\]"):
        GramDisplay.from_kernel(np.eye(3), labels=[0, 1])
