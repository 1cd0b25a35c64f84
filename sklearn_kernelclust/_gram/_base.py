"""The Gram: a kernel matrix known by its verbs, not by its storage.

No algorithm of this package sees how a kernel matrix is held. It asks for
products, for self-similarities, for a part; each kind of Gram answers in the
way that its storage makes cheap. This file has the contract and the defaults.
The leaves are in ``_stored``, ``_factored`` and ``_chunked``; ``_wrappers``
has the Grams made of other Grams.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_kernelclust._gram._array_protocol import ALL, CURE, ArrayProtocol
from sklearn_kernelclust._gram._host import HOST
from sklearn_kernelclust._utils._memory import require_memory

# Multiply-adds that the evaluation of an entry takes as long as, at least.
EVALUATION = 10


class Gram(ArrayProtocol):
    """A kernel matrix of row objects against column objects.

    A subclass must have ``_tile(rows, cols)``, ``_part(rows, cols)`` and the
    property ``T``. Every other verb has a default that is made of these; a
    subclass overrides one where it knows a cheaper way.

    Parameters
    ----------
    shape : tuple of two int
        Numbers of row objects and of column objects.

    dtype : dtype, default=float64
        Type of the entries, float64 or float32.

    self_similarity : ndarray of shape (n_rows,) or None, default=None
        k(x, x) of the row objects, None if it is not known. A symmetric Gram
        then evaluates it when it is first asked for.

    column_self_similarity : ndarray of shape (n_columns,) or None, default=None
        k(y, y) of the column objects. Of a symmetric Gram, those of the rows
        by default.

    symmetric : bool, default=False
        Whether rows and columns are the same objects in the same order.

    Notes
    -----
    Required of a subclass:

    ``_tile(rows, cols)``
        A dense block as an array of `dtype` that the caller may write into.
        `rows` and `cols` are slices with a start and a stop.
    ``_part(rows, cols)``
        The Gram of some of the row and column objects. `rows` and `cols` are
        slices or arrays of integers or bools, empty ones too. `restrict` calls
        it, sets `symmetric` of the result, and hands on the self-similarities
        that the result was not given.
    ``T``
        The transpose.

    The public function `sklearn_kernelclust.gram.check_gram` checks a subclass
    against the matrix that it stands for.

    A Gram is an array to numpy, and so to scikit-learn: ``np.asarray(gram)`` is the
    dense matrix, refused if it does not fit into memory. ``gram[i, j]`` is an entry,
    ``gram[i]`` a row; slices, masks and ``np.ix_(rows, cols)`` give Grams.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_kernelclust.gram import Gram
    >>> class MinimumGram(Gram):
    ...     def __init__(self, s, t, symmetric=False):
    ...         super().__init__((len(s), len(t)), s.dtype, s, t, symmetric)
    ...         self.s, self.t = s, t
    ...
    ...     @property
    ...     def T(self):
    ...         return MinimumGram(self.t, self.s, self.symmetric)
    ...
    ...     def _tile(self, rows, cols):
    ...         return np.minimum.outer(self.s[rows], self.t[cols])
    ...
    ...     def _part(self, rows, cols):
    ...         return MinimumGram(self.s[rows], self.t[cols])
    >>> times = np.array([1.0, 2.0, 8.0])
    >>> gram = MinimumGram(times, times, symmetric=True)
    >>> gram @ np.ones(3)
    array([ 3.,  5., 11.])
    >>> gram.restrict([0, 2], [1]).toarray()
    array([[1.],
           [2.]])
    >>> float(gram[2, 1]), gram[0]
    (2.0, array([1., 1., 1.]))
    >>> np.asarray(gram[1:])
    array([[1., 2., 2.],
           [1., 2., 8.]])
    """

    ndim = 2
    training_index = None  # column object that each row object is, -1 if new
    __array_ufunc__ = None  # an array on the left must not take us for a scalar

    # What the defaults of `stored`, `combine` and `scaled` return. Both are
    # Grams themselves: they are set in `_stored` and in `_wrappers`.
    _of_array = None
    _of_scales = None

    # Where tiles are, and who passes over them there.
    _place = HOST

    def __init__(
        self,
        shape,
        dtype=np.float64,
        self_similarity=None,
        column_self_similarity=None,
        symmetric=False,
    ):
        self.shape, self.dtype = tuple(shape), np.dtype(dtype)
        self._self_similarity = self_similarity
        self._column_self_similarity = column_self_similarity
        self.symmetric = symmetric

    def __repr__(self):
        return f"<{type(self).__name__} of shape {self.shape}, {self.dtype}>"

    # Required

    def _tile(self, rows, cols):
        raise NotImplementedError(f"{type(self).__name__} has no _tile(rows, cols).")

    def _part(self, rows, cols):
        raise NotImplementedError(f"{type(self).__name__} has no _part(rows, cols).")

    @property
    def T(self):
        """The transpose."""
        raise NotImplementedError(f"{type(self).__name__} has no property T.")

    # Facts

    @property
    def arrays(self):
        """The namespace and device of the tiles; None if they are numpy arrays."""
        return self._place.arrays

    @property
    def cost(self):
        """Multiply-adds of a product with one dense column.

        The default is one for each entry. A Gram that evaluates its entries
        for each product says how many more that takes.
        """
        return self.shape[0] * self.shape[1]

    @property
    def self_similarity(self):
        """k(x, x) of the row objects, None if they are not known."""
        if self._self_similarity is None and self.symmetric:
            self._self_similarity = self._place.diagonal(self)
        return self._self_similarity

    @property
    def column_self_similarity(self):
        """k(y, y) of the column objects, None if they are not known."""
        if self._column_self_similarity is None and self.symmetric:
            return self.self_similarity
        return self._column_self_similarity

    def diagonal(self):
        """Self-similarities k(x, x) of the row objects, which must be known."""
        if self.self_similarity is None:
            raise ValueError(
                "The self-similarities k(y, y) of the row objects are not in a "
                "precomputed block of new rows. Pass them as self_similarity= "
                "where that is offered, or give features with a kernel."
            )
        return self.self_similarity

    # Verbs

    def __matmul__(self, Z):
        if isinstance(Z, Gram) or not (hasattr(Z, "dtype") and hasattr(Z, "ndim")):
            Z = np.asarray(Z)  # a Gram, a list or a frame
        if Z.shape[0] != self.shape[1]:
            raise ValueError(f"Cannot multiply {self.shape} by {Z.shape}.")
        return self._place.multiply(self, Z)

    def matvec(self, v):
        """Product with one vector, the name scipy's solvers call it by."""
        return self @ v

    def _product(self, Z):
        """Product with a block of two dimensions, which is where the tiles are."""
        return self._place.product(self, Z)

    def product_parts(self, Z):
        """Slices of the rows and of the columns of ``gram @ Z``, and this block of it.

        One block, unless a Gram needs less memory for several at no cost.
        """
        yield slice(0, self.shape[0]), slice(0, Z.shape[1]), self @ Z

    def restrict(self, rows=ALL, cols=ALL):
        """Gram of some of the row and of the column objects, in that order."""
        rows, cols = as_index(rows), as_index(cols)
        part = self._part(rows, cols)
        part.symmetric = self.symmetric and same_index(rows, cols)
        if self.training_index is not None and same_index(cols, ALL):
            part.training_index = self.training_index[rows]
        if part._self_similarity is None:
            part._self_similarity = take(self.self_similarity, rows)
        if part._column_self_similarity is None:
            part._column_self_similarity = take(self.column_self_similarity, cols)
        return part

    def toarray(self):
        """Dense matrix; refused before it is allocated if it does not fit.

        That of a symmetric Gram is symmetric to the last bit.
        """
        self._require_memory()
        return self._place.dense(self)

    def native_array(self):
        """Dense matrix where the tiles are: an array of numpy, or of a device."""
        return self._place.array(self)

    def matrix(self):
        """The matrix as other packages take it: sparse if it is stored so."""
        return self.toarray()

    def stored(self, columns=None):
        """The same Gram, held in memory if that is cheaper and fits.

        Parameters
        ----------
        columns : int or None, default=None
            Number of columns that the Gram will be multiplied by.

        Returns
        -------
        gram : Gram
            A stored array if it fits ``working_memory`` (on a device, a quarter of
            the free memory there) and saves work: if
            products with so many columns have more multiply-adds than the
            matrix has entries; without a number of columns, if a product with
            one column has at least twice as many. Otherwise this Gram.
        """
        if not self._worth_storing(columns):
            return self
        n_bytes = self.shape[0] * self.shape[1] * self.dtype.itemsize
        if n_bytes > self._place.storage():
            return self
        known = self.self_similarity, self.column_self_similarity
        return self._of_array(self.native_array(), *known, self.symmetric)

    def scaled(self, left, right):
        """``diag(left) @ gram @ diag(right)``: objects scaled in feature space."""
        return self._of_scales(self, left, right)

    def combine(self, W):
        """Gram of weighted sums of the objects: ``W @ gram @ W.T``, for a square one.

        A row of `W`, dense or sparse, has the weights of a sum.
        """
        return self._of_array.training(self._place.kernel_of_sums(self, W))

    def quadratic_forms(self, W):
        """``w @ gram @ w`` for each row w of a sparse `W`, for a square Gram."""
        return self._place.quadratic_forms(self, W)

    def prefix_sums(self, order):
        """Similarities of each object to all that are before it in an order.

        Entry t is ``sum_{s < t} K[order[t], order[s]]``; all come from one
        pass over a square Gram.
        """
        return self._place.prefix_sums(self, order)

    def squared_row_norms(self):
        """Sums of the squares of the entries of each row, in one pass.

        In float64: squares leave the range of float32 long before entries do.
        """
        return self._place.squared_row_norms(self)

    def cluster_sums(self, n_clusters, weight=None, self_similarity=None):
        """Sums over the clusters of several runs of k-means; see `ClusterSums`."""
        return self._place.cluster_sums(self, n_clusters, weight, self_similarity)

    def factor(self):
        """A dense A with ``A @ A.T`` equal to this Gram; None if there is none."""
        return None

    def entry_range(self):
        """Bounds of the entries off the diagonal, of a square Gram.

        Returns
        -------
        smallest, largest : float
            At most 0, and at least 0. The smallest is exact; the largest may
            be an upper bound where nothing is negative.
        """
        return self._place.entry_range(self)

    def connected_components(self, scale):
        """Component of each object in the graph of a square Gram.

        Two objects are linked if ``scale[i] * K[i, j] * scale[j]`` is more than
        rounding beside 1. Components have arbitrary numbers from 0 on.
        """
        return self._place.connected_components(self, scale)

    # For subclasses

    @property
    def _evaluated(self):
        """Whether a product evaluates the entries, a tile at a time."""
        return type(self)._product is Gram._product

    def _worth_storing(self, columns):
        """Whether an array would be cheaper; see `stored`."""
        n_entries = self.shape[0] * self.shape[1]
        if columns is None:
            return self.cost >= 2 * n_entries
        return columns * self.cost > n_entries

    def _require_memory(self):
        """Refuse a dense matrix that does not fit."""
        require_memory(self.shape, self.dtype, CURE)


def as_index(index):
    """A slice as it is, anything else as an array of integers (empty ones too)."""
    if isinstance(index, slice):
        return index
    index = np.asarray(index)
    return index if index.dtype.kind == "b" else index.astype(np.intp, copy=False)


def same_index(rows, cols):
    """Whether two indices take the same objects in the same order."""
    if isinstance(rows, slice) and isinstance(cols, slice):
        return rows == cols
    if isinstance(rows, slice) or isinstance(cols, slice):
        return False
    return rows is cols or np.array_equal(rows, cols)


def take(vector, index):
    """Part of a vector that may be unknown."""
    return None if vector is None else vector[index]


def scaled_similarity(similarity, scale):
    """Self-similarities, which may be unknown, of objects scaled in feature space."""
    # In this order nothing overflows of objects scaled to unit length.
    return None if similarity is None else scale * similarity * scale
