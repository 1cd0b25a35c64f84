"""Products with a Gram, by the way it is held."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from scipy.sparse import csr_array
from sklearn.metrics.pairwise import laplacian_kernel

from sklearn_kernelclust import PairwiseKernel
from sklearn_kernelclust._gram._stored import DenseGram
from suite.data import documents


def make_gram(leaf, n_samples, dtype):
    """A Gram of each kind, through the public door where there is one."""
    if leaf == "factored sparse":
        X = documents(n_samples, 10)[0].astype(dtype)
        return PairwiseKernel("cosine", lazy=True).fit_transform(X)
    X = np.random.RandomState(0).standard_normal((n_samples, 50)).astype(dtype)
    if leaf == "dense":
        return DenseGram.training(X @ X.T)
    kernel = {"factored": "linear", "tiled rbf": "rbf", "chunked": laplacian_kernel}
    return PairwiseKernel(kernel[leaf], lazy=True).fit_transform(X)


class ProductSuite:
    param_names = ["leaf", "dtype", "n_columns"]
    leaves = ["dense", "factored", "factored sparse", "tiled rbf", "chunked"]
    params = (leaves, ["float32", "float64"], [20, 100])

    def setup(self, leaf, dtype, n_columns):
        n = 1_000 if leaf == "chunked" else 4_000
        self.gram = make_gram(leaf, n, dtype)
        labels = np.random.RandomState(0).randint(n_columns, size=n)
        self.Z = csr_array((np.ones(n), labels, np.arange(n + 1)), shape=(n, n_columns))
        self.dense = self.Z.toarray()

    def time_indicator(self, *params):
        self.gram @ self.Z

    def time_dense(self, *params):
        self.gram @ self.dense

    peakmem_indicator = time_indicator


class PartSuite:
    """What delta updates ask for: the columns of a few objects."""

    param_names = ["leaf"]
    params = (["dense", "factored", "factored sparse", "tiled rbf"],)

    def setup(self, leaf):
        self.gram = make_gram(leaf, 4_000, "float32")
        self.moved = np.random.RandomState(0).permutation(4_000)[:100]

    def time_restrict_toarray(self, *params):
        self.gram.restrict(self.moved).toarray()

    def time_few_rows(self, *params):
        self.gram @ csr_array(
            (np.ones(100), (self.moved, self.moved % 20)), (4_000, 20)
        )
