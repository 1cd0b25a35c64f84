"""Models keep features of their own, copied once, after the fit."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from contract import features
from numpy.testing import assert_array_equal
from scipy.sparse import csc_array, csr_array
from sklearn.preprocessing import normalize

from sklearn_kernelclust import KernelKMeans
from sklearn_kernelclust._kernels._evaluate import fit_kernel
from sklearn_kernelclust._kernels._own_features import with_own_features
from sklearn_kernelclust._utils._validation import shares_memory


@pytest.mark.parametrize("kernel", ["linear", "cosine", "poly", "laplacian"])
@pytest.mark.parametrize("container", [np.array, csr_array])
def test_nothing_of_the_users_is_left(container, kernel):
    X = container(normalize(features()))
    model = KernelKMeans(3, kernel=kernel, n_init=2, random_state=0).fit(X)
    assert not shares_memory(model.X_fit_, X)
    assert not shares_memory(model._kernel._form.columns, X)
    assert model._kernel._index.X is model.X_fit_
    new = X.copy()
    (X if isinstance(X, np.ndarray) else X.data)[:] = 7.0
    assert_array_equal(model.predict(new), model.labels_)


@pytest.mark.parametrize("other", [csc_array, np.float32, np.asfortranarray])
def test_only_what_is_shared_is_copied(other):
    X = features()
    given = other(X)
    kernel = fit_kernel(csr_array(X), kernel="linear")
    assert not shares_memory(kernel.X, given)
    assert with_own_features(kernel, given) is kernel
    again = with_own_features(kernel, kernel.X)
    assert again.X is not kernel.X
    assert again._form.columns is again.X
    assert kernel._form.columns is kernel.X


def test_parts_of_an_array_are_shared():
    X = features()
    assert shares_memory(X[:5], X)
    assert not shares_memory(X[:5], X[5:])
    assert not shares_memory(X, [[1.0]])
    A = csr_array(X)
    B = csr_array((A.data, A.indices.copy(), A.indptr.copy()), shape=A.shape)
    assert shares_memory(A, B)
    assert not shares_memory(A, B.copy())
