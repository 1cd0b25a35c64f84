"""PDDP and KPDDP where leading variances are equal: all copies are found."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics import adjusted_rand_score

from sklearn_kernelclust import KPDDP, PDDP
from sklearn_kernelclust.datasets import load_docstrings

pytestmark = pytest.mark.filterwarnings("ignore:The kernel matrix is nearly the ident")


def n_labels(model):
    return len(np.unique(model.labels_))


@pytest.mark.parametrize("n", range(2, 13))
def test_objects_that_share_nothing(n):
    """Any partition will do, with as many clusters as are asked for."""
    for k in {2, 3, n // 2 + 1, n - 1, n} & set(range(2, n + 1)):
        assert n_labels(PDDP(k).fit(np.eye(n))) == k
        assert n_labels(PDDP(k).fit(csr_array(np.eye(n)))) == k
        assert n_labels(KPDDP(k, kernel="precomputed").fit(np.eye(n))) == k


@pytest.mark.parametrize("n", [50, 130, 200])
def test_many_objects_that_share_nothing(n):
    for k in (2, 7, 12):
        assert n_labels(PDDP(k).fit(np.eye(n))) == k
        assert n_labels(KPDDP(k, kernel="precomputed").fit(np.eye(n))) == k


def test_titles_of_one_word():
    titles = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"]
    model = PDDP(2).fit(TfidfVectorizer().fit_transform(titles))
    assert n_labels(model) == 2


@pytest.mark.parametrize("n", [100, 128, 132, 200, 300])
def test_equal_classes_by_two_components(n):
    y = np.arange(n) % 4
    K = np.where(y[:, None] == y, 0.3, 0.1)
    np.fill_diagonal(K, 1)
    model = KPDDP(4, n_components=2, kernel="precomputed").fit(K)
    assert adjusted_rand_score(y, model.labels_) == 1
    # The same kernel from features: all objects, their class, themselves.
    roots = np.sqrt([0.1, 0.2, 0.7])
    X = np.hstack([np.full((n, 1), roots[0]), roots[1] * np.eye(4)[y]])
    X = csr_array(np.hstack([X, roots[2] * np.eye(n)]))
    model = PDDP(4, n_components=2).fit(X)
    assert adjusted_rand_score(y, model.labels_) == 1


@pytest.mark.parametrize("k", [50, 400])
def test_names_of_the_docstrings(k):
    names = load_docstrings().names
    X = TfidfVectorizer().fit_transform(names)
    n_distinct = len(np.unique(X.toarray().round(12), axis=0))
    model = PDDP(min(k, n_distinct)).fit(X)
    assert n_labels(model) == min(k, n_distinct)
