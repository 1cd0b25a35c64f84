"""The graph of nearest neighbors as a kernel."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from scipy.sparse import csr_array
from sklearn.neighbors import NearestNeighbors

from sklearn_kernelclust._gram._stored import SparseGram
from sklearn_kernelclust._kernels._centers import center_of, gains
from sklearn_kernelclust._kernels._fitted import like
from sklearn_kernelclust._kernels._row_index import RowIndex
from sklearn_kernelclust._utils._arrays import numpy_dtype, on_host
from sklearn_kernelclust._utils._block_rows import moved


class NeighborGraph:
    """Each object linked with its nearest neighbors: ``(A + A.T) / 2``.

    A has a 1 in each row for each of the nearest other objects. A new object is
    linked with its nearest training objects. It is used as a `FittedKernel` is.

    Parameters
    ----------
    X : array or CSR matrix
        Validated training features, which nobody else writes to.
    n_neighbors : int
        All other objects, if there are fewer.
    """

    gamma = None

    def __init__(self, X, n_neighbors):
        self.X, self.n_neighbors = X, n_neighbors
        self._center = far_center(on_host(X))
        self._neighbors = NearestNeighbors(n_neighbors=n_neighbors).fit(self._placed(X))
        self._index = RowIndex(X)

    def gram(self):
        """Graph of the training objects."""
        n = self.X.shape[0]
        A = csr_array((n, n))
        if n > 1:
            k = min(self.n_neighbors, n - 1)
            A = csr_array(self._neighbors.kneighbors_graph(n_neighbors=k))
        return SparseGram.training(((A + A.T) / 2).astype(numpy_dtype(self.X)))

    def against(self, X):
        """Links of objects with the training objects."""
        X, n, dtype = like(X, self.X), self.X.shape[0], numpy_dtype(self.X)
        A = self._neighbors.kneighbors_graph(self._placed(X), min(self.n_neighbors, n))
        zeros = (np.zeros(n_objects, dtype) for n_objects in A.shape)
        gram = SparseGram(csr_array(A).astype(dtype), *zeros)
        gram.training_index = self._index.find(X)
        return gram

    def _placed(self, X):
        """Features on the host; about the centre, if there is one."""
        X = on_host(X)
        if self._center is None:
            return X
        return moved(X, self._center).astype(X.dtype, copy=False)

    def __sklearn_array_api_convert__(self, converter):
        """The graph of the same objects elsewhere, as scikit-learn moves arrays."""
        return NeighborGraph(converter(self.X), self.n_neighbors)

    def on(self, X, *, center=None):
        """The graph of other training objects."""
        return NeighborGraph(X, self.n_neighbors)


def far_center(X):
    """The centre of features that are far from the origin, else None.

    Of sparse features, and of many dense ones, distances come from inner products.
    """
    center = center_of(X)
    return None if center is None or not gains(X, center) else center
