"""Features in blocks, as dask's workers have them; tests skip where dask is missing."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.base import BaseEstimator

from sklearn_kernelclust._utils._block_checks import check_blocks

da = pytest.importorskip("dask.array")
dask = pytest.importorskip("dask")

# Threads would take longer to start than these tests take.
dask.config.set(scheduler="synchronous")

CONTAINERS = [np.asarray, csr_array]


def dask_array(X, container=np.asarray, height=17):
    """A dask array of dense or sparse blocks of rows."""
    array = da.from_array(X, chunks=(height, X.shape[1]))
    return array if container is np.asarray else array.map_blocks(container)


def on_workers(X, container=np.asarray, height=17):
    """The checked blocks of rows."""
    array = dask_array(X, container, height)
    return check_blocks(BaseEstimator(), array, reset=True)


class Counted:
    """Counts the blocks that were read."""

    n_blocks = 0

    def __call__(self, block):
        Counted.n_blocks += block.shape[0] > 0
        return block


counted = Counted()


def counted_array(X, container=np.asarray, height=17):
    """A dask array whose blocks are counted when they are read."""
    array = dask_array(X, container, height)
    return array.map_blocks(counted, dtype=X.dtype, meta=array._meta)
