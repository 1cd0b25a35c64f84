"""Labels of dask arrays, when they are asked for."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.exceptions import NotFittedError

workers = pytest.importorskip("workers")
da = workers.da

from sklearn_kernelclust import KernelKMeans  # noqa: E402

X = np.vstack([np.eye(4), 5 + np.eye(4)])


@pytest.fixture(scope="module", params=["linear", "rbf"])
def model(request):
    model = KernelKMeans(2, kernel=request.param, n_init=1, random_state=0)
    return model.fit(workers.dask_array(X, height=3))


def test_blocks_of_unknown_height(model):
    array = workers.dask_array(X, height=3)
    array = array[array[:, 0] > 0.5]
    labels = model.predict(array)
    assert isinstance(labels, da.Array)
    assert_array_equal(labels.compute(), model.predict(X[X[:, 0] > 0.5]))


def test_blocks_of_no_height_and_of_columns(model):
    array = da.from_array(X, chunks=((3, 0, 5), 2))
    labels = model.predict(array)
    assert labels.shape == (8,) and labels.dtype == np.intp
    assert_array_equal(labels.compute(), model.labels_)


def test_what_is_refused(model):
    with pytest.raises(ValueError, match="X has 3 features, but KernelKMeans is"):
        model.predict(workers.dask_array(X[:, :3]))
    with pytest.raises(NotFittedError):
        KernelKMeans().predict(workers.dask_array(X))
