"""From what a user gave as a kernel matrix to a Gram."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from scipy.sparse import issparse
from sklearn.utils import assert_all_finite, check_array
from sklearn.utils.validation import validate_data

from sklearn_kernelclust._gram._base import Gram
from sklearn_kernelclust._gram._device_checks import (
    device_gram,
    is_symmetric,
    subnormal_error,
)
from sklearn_kernelclust._gram._distances import warn_of_distances
from sklearn_kernelclust._gram._stored import DenseGram, SparseGram
from sklearn_kernelclust._gram._symmetry import (
    check_symmetric,
    check_symmetric_gram,
    probe_products,
)
from sklearn_kernelclust._utils._arrays import is_numpy, on_host
from sklearn_kernelclust._utils._validation import (
    canonical,
    refuse_dask,
    refuse_what_numbers_would_hide,
    validated,
)


def check_kernel(estimator, X, *, reset, accept_sparse=False):
    """A Gram of what the user gave as kernel matrix; checked once, not copied."""
    if isinstance(X, Gram):
        return _check_gram(estimator, X, reset=reset)
    refuse_dask(f"{type(estimator).__name__} with a kernel matrix", X, "features")
    refuse_what_numbers_would_hide(X)
    how = {"accept_sparse": accept_sparse, "reset": reset}
    try:
        # A training kernel is looked at below, in one pass with its symmetry.
        K = validated(validate_data, estimator, X, **how, ensure_all_finite=not reset)
        products = _check_finite(K, type(estimator).__name__) if reset else None
    except ValueError as error:
        place = _first_not_finite(X)
        if not place:
            raise
        raise ValueError(f"{error}{place}") from None
    return _leaf(K, training=reset, products=products)


def as_gram(K, *, training=True):
    """A Gram of a kernel from anywhere: square, or a block of new rows."""
    if not isinstance(K, Gram):
        refuse_dask("What needs a kernel matrix", K, "features")
        how = {"accept_sparse": "csr", "ensure_all_finite": not training}
        K = validated(check_array, K, **how)
        products = _check_finite(K) if training else None
        return _leaf(K, training=training, products=products)
    if training:
        _check_square(K.shape)
        check_symmetric_gram(K)
    return K


def _leaf(K, *, training, products):
    """The Gram of a checked matrix, copied only where entries repeat."""
    if not is_numpy(K):
        if training:
            _check_square(tuple(K.shape))
        return device_gram(K, training=training)
    K = canonical(K)
    leaf = SparseGram if issparse(K) else DenseGram
    if not training:
        return leaf(K)
    _check_square(K.shape)
    check_symmetric(K, products)
    _check_not_subnormal(K)
    if not issparse(K):
        warn_of_distances(K)
    return leaf.training(K)


def _check_finite(K, name=None):
    """Refuse NaN and infinity; the products that show symmetry, if they were used.

    They are finite only if all entries are, so that one pass serves two checks.
    """
    products = None
    if not issparse(K) and is_numpy(K) and K.shape[0] == K.shape[1]:
        products = probe_products(K)
    if products is None or not all(np.isfinite(p).all() for p in products):
        assert_all_finite(K, estimator_name=name, input_name="X" if name else "")
    return products


def _first_not_finite(X):
    """Where the first NaN or infinity is, for the end of an error message."""
    values = X.tocoo() if issparse(X) else np.asarray(on_host(X))
    entries = values.data if issparse(X) else values
    if entries.dtype.kind != "f" or values.ndim != 2 or np.isfinite(entries).all():
        return ""
    at = np.argwhere(~np.isfinite(entries))[0]
    i, j = (values.row[at[0]], values.col[at[0]]) if issparse(X) else at
    return f"\nThe first is at K[{i}, {j}]."


def _check_gram(estimator, gram, *, reset):
    if reset:
        _check_square(gram.shape)
        check_symmetric_gram(gram)
        estimator.n_features_in_ = gram.shape[1]
        vars(estimator).pop("feature_names_in_", None)
        return gram
    if gram.shape[1] != estimator.n_features_in_:
        raise ValueError(
            f"X has {gram.shape[1]} features, but {type(estimator).__name__} is "
            f"expecting {estimator.n_features_in_} features as input."
        )
    return gram


def _check_square(shape):
    if shape[0] == shape[1]:
        return
    hint = ""
    if shape[0] and shape[1] % shape[0] == 0:
        hint = (
            f" If these are {shape[1] // shape[0]} kernels side by side, as "
            "FeatureUnion and ColumnTransformer put them, use KernelUnion, which adds "
            "them."
        )
    raise ValueError(f"A precomputed kernel must be square, got {shape}.{hint}")


def _check_not_subnormal(K):
    """Refuse a kernel whose numbers are so small that they have lost digits."""
    smallest = 1e5 * np.finfo(K.dtype).tiny
    # The diagonal first: it is cheap, and most often large enough.
    if not 0 < np.abs(K.diagonal()).max() < smallest:
        return
    largest = abs(K).max()
    if largest < smallest:
        raise subnormal_error(largest, K.dtype)


def looks_like_a_kernel(X):
    if X.shape[0] != X.shape[1] or X.shape[0] < 3:
        return False
    if not is_numpy(X):
        return is_symmetric(X)
    try:
        check_symmetric(X)
    except ValueError:
        return False
    return True
