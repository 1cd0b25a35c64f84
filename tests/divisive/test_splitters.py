"""One split beside numpy's SVD and brute force."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from clusterings import same_partition, spread
from grams import make_gram
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array

from sklearn_kernelclust._divisive import _splitters
from sklearn_kernelclust._divisive._splitters import (
    SPLITS,
    FeatureObjects,
    KernelObjects,
    PrincipalSplitter,
    SeededSplitter,
    principal_weights,
    scatter,
)
from sklearn_kernelclust._gram._stored import DenseGram
from sklearn_kernelclust._gram._wrappers import centered
from sklearn_kernelclust._utils._threads import blas_threads, n_threads
from sklearn_kernelclust.metrics import kernel_inertia

OBJECTS = {
    "features": FeatureObjects,
    "sparse features": lambda X: FeatureObjects(csr_array(X)),
    "linear kernel": lambda X: KernelObjects(make_gram(X, kernel="linear")),
    "array": lambda X: KernelObjects(DenseGram.training(X @ X.T)),
    "rbf": lambda X: KernelObjects(make_gram(X, kernel="rbf", gamma=0.1)),
}


@pytest.mark.parametrize("name", OBJECTS)
def test_a_part_of_a_part_is_what_its_members_are(name, seed):
    X, index = spread(60, 5, seed), np.arange(0, 60, 3)
    part = OBJECTS[name](X).part(index).part(np.arange(5, 15))
    alone = OBJECTS[name](X[index[5:15]])
    assert part.gram.symmetric
    assert part.dual == alone.dual
    assert part.scatter == pytest.approx(alone.scatter)
    assert_allclose(part.gram.toarray(), alone.gram.toarray())


@pytest.mark.parametrize("shape", [(60, 5), (300, 7), (20, 50)])
@pytest.mark.parametrize("name", OBJECTS)
def test_signs_of_the_right_singular_vectors(name, shape, seed):
    # There is a gap in the spectrum, and no projection is near zero.
    objects = OBJECTS[name](spread(*shape, seed))
    K = objects.gram.toarray()
    H = np.eye(len(K)) - 1 / len(K)
    _, V = np.linalg.eigh(H @ K @ H)
    if name != "rbf":
        X = spread(*shape, seed)
        V = np.linalg.svd((X - X.mean(axis=0)).T, full_matrices=False)[2].T[:, ::-1]
    for n_components in (1, 2, 3):
        leading = V[:, ::-1][:, :n_components]
        assert np.abs(leading).min() > 1e-7
        split = PrincipalSplitter(n_components, "sign", 100)
        cut, side = split(objects, 2**n_components)
        assert same_partition(side, (leading > 0) @ 2 ** np.arange(n_components))
        assert cut.directions.shape[1] == n_components


@pytest.mark.parametrize("name", OBJECTS)
@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("n_components", [1, 2, 3])
def test_the_cut_gives_the_sides_back(name, split, n_components, seed):
    X = spread(80, 4, seed)
    objects = OBJECTS[name](X)
    cut, side = PrincipalSplitter(n_components, split, 100)(objects, 8)
    block = objects.gram if objects.dual else DenseGram(X)
    assert_array_equal(cut.side(block), side)
    assert_array_equal(np.unique(side), np.arange(side.max() + 1))
    assert side.max() < 2**n_components
    rows = np.arange(5, 25)
    assert_array_equal(cut.side(block.restrict(rows)), side[rows])


@pytest.mark.parametrize("name", OBJECTS)
def test_optimal_cut_by_trying_all(name, seed):
    objects = OBJECTS[name](spread(50, 4, seed))
    K = objects.gram.toarray()
    H = np.eye(50) - 1 / 50
    order = np.argsort(np.linalg.eigh(H @ K @ H)[1][:, -1])
    tried = []
    for t in range(1, 50):
        labels = np.zeros(50, dtype=int)
        labels[order[:t]] = 1
        tried.append(kernel_inertia(K, labels))
    _, side = PrincipalSplitter(1, "optimal-cut", 100)(objects, 2)
    assert kernel_inertia(K, side) == pytest.approx(min(tried), rel=1e-9)


@pytest.mark.parametrize("name", OBJECTS)
def test_projection_cut_by_trying_all(name, seed):
    objects = OBJECTS[name](spread(50, 4, seed))
    K = objects.gram.toarray()
    H = np.eye(50) - 1 / 50
    line = np.linalg.eigh(H @ K @ H)[1][:, -1]
    order, tried = np.argsort(line), []
    for t in range(1, 50):
        parts = np.split(line[order], [t])
        tried.append(sum(((p - p.mean()) ** 2).sum() for p in parts))
    _, side = PrincipalSplitter(1, "projection-cut", 100)(objects, 2)
    found = sum(((line[side == s] - line[side == s].mean()) ** 2).sum() for s in (0, 1))
    assert found == pytest.approx(min(tried), rel=1e-9)


@pytest.mark.parametrize("name", OBJECTS)
@pytest.mark.parametrize("n_components", [1, 2, 3])
@pytest.mark.parametrize("start", ["sign", "optimal-cut"])
def test_k_means_never_ends_above_its_start(name, n_components, start, seed):
    objects = OBJECTS[name](spread(120, 4, seed))
    after = "2-means" if start == "sign" else f"{start}-2-means"
    ends = [
        kernel_inertia(
            objects.gram, PrincipalSplitter(n_components, s, 100)(objects, 8)[1]
        )
        for s in (start, after)
    ]
    assert ends[1] <= ends[0] * (1 + 1e-9)


def test_fewer_children_wanted_use_fewer_components():
    objects = FeatureObjects(spread(80, 4, 0))
    for most, children in [(2, 2), (3, 2), (4, 4), (7, 4), (8, 8), (100, 8)]:
        cut, side = PrincipalSplitter(3, "sign", 100)(objects, most)
        assert side.max() + 1 <= children
        assert cut.directions.shape[1] == np.log2(children)


@pytest.mark.parametrize("name", OBJECTS)
def test_one_object_many_times_cannot_be_parted(name):
    objects = OBJECTS[name](np.tile([[0.1, 0.3, 1e3]], (7, 1)))
    assert objects.scatter == pytest.approx(0, abs=1e-15 * 1e6 * 7)
    for split in SPLITS:
        assert PrincipalSplitter(2, split, 100)(objects, 4) is None
    for init in ("k-means++", "random"):
        rng = np.random.RandomState(0)
        assert SeededSplitter(init, 3, 100, rng)(objects, 2) is None


def test_directions_have_length_one():
    X = spread(60, 5, 0)
    gram = make_gram(X, kernel="linear")
    W = principal_weights(gram, KernelObjects(gram).prepared()[1], 3)
    assert_allclose(W.T @ (X @ X.T) @ W, np.eye(3), atol=1e-8)
    assert_allclose(W.sum(axis=0), 0, atol=1e-12)
    cut, _ = PrincipalSplitter(3, "sign", 100)(FeatureObjects(X), 8)
    assert_allclose(cut.directions.T @ cut.directions, np.eye(3), atol=1e-9)


@pytest.mark.parametrize("name", OBJECTS)
def test_scatter_is_the_objective_of_one_cluster(name, seed):
    objects = OBJECTS[name](spread(40, 3, seed))
    expected = kernel_inertia(objects.gram, np.zeros(40))
    assert objects.scatter == pytest.approx(expected, rel=1e-9)
    one = objects.gram.restrict([3], [3])
    assert scatter(one, centered(one)) == 0


def test_seeded_splitter_parts_what_lies_apart():
    X = np.r_[spread(30, 3, 0), spread(30, 3, 1) + 50]
    for init in ("k-means++", "random"):
        split = SeededSplitter(init, 4, 100, np.random.RandomState(0))
        cut, side = split(KernelObjects(make_gram(X, kernel="linear")), 2)
        assert same_partition(side, np.arange(60) < 30)
        assert_array_equal(cut.side(make_gram(X, kernel="linear")), side)


def test_one_thread_where_features_are_few(monkeypatch):
    X = spread(60, 5, 0)
    few, other = OBJECTS["linear kernel"](X), OBJECTS["rbf"](X)
    with blas_threads(2):
        before = n_threads()
        with few.threads():
            assert n_threads() == 1
        with other.threads():
            assert n_threads() == before
        monkeypatch.setattr(_splitters, "WORTH_A_THREAD", X.size)
        with few.threads():
            assert n_threads() == before
