"""Labels of dask arrays, block by block, when they are asked for."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from sklearn.utils.validation import validate_data

from sklearn_kernelclust._utils._block_checks import row_blocks
from sklearn_kernelclust._utils._blocks import RowBlocks
from sklearn_kernelclust._utils._dask import constant, later


def predicted_later(model, X):
    """Labels of a dask array as a lazy dask array.

    A model that needs its training objects on the workers for each label predicts
    now: then the array is in memory.
    """
    import dask.array as da

    on_block = model._block_predictor()
    if on_block is None:
        labels = model._predict_now(X)
        known = not np.isnan(X.chunks[0]).any()
        return da.from_array(labels, chunks=(X.chunks[0],) if known else "auto")
    validate_data(model, X, reset=False, skip_check_array=True)
    on_block = constant(on_block)
    tasks = [later(predict_block, block, on_block) for block in row_blocks(X)]
    labels = [
        da.from_delayed(task, (height,), dtype=np.intp)
        for task, height in zip(tasks, X.chunks[0])
    ]
    return da.concatenate(labels, allow_unknown_chunksizes=True)


def predict_block(block, on_block):
    """Labels of the objects of a block, which may have none."""
    return on_block(block) if block.shape[0] else np.empty(0, np.intp)


def fitted_on_workers(model):
    """Whether a model has its training objects on workers."""
    return isinstance(getattr(getattr(model, "_kernel", None), "X", None), RowBlocks)
