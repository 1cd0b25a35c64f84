"""What counts as rounding, by dtype: every such table of the package.

An algorithm that compares two computed numbers must not let rounding decide, or
the result would depend on the processor, the number of threads and the storage
of the kernel.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

FLOAT64, FLOAT32 = np.dtype(np.float64), np.dtype(np.float32)

# Asymmetry of a kernel, relative to its largest entry: more is not rounding.
ASYMMETRY = {FLOAT64: 1e-8, FLOAT32: 1e-4}

# Units in the last place by which two equal rows of a kernel may differ if they are
# evaluated at different times, and after sums in another order. Few in float32, or
# rows that are merely alike would be equal.
ROW_ULPS = {FLOAT64: 1e6, FLOAT32: 256}
SUM_ULPS = {FLOAT64: 1e3, FLOAT32: 32}

# Absolute rounding that the exponent of a Gaussian kernel may carry.
EXPONENT_ROUNDING = {FLOAT64: 1e-12, FLOAT32: 1e-5}

# Residual of an eigenpair, relative to the largest eigenvalue.
RESIDUAL = {FLOAT64: 1e-9, FLOAT32: 1e-6}

# Two distances to means tie if they differ by less than this, relative to the
# self-similarity of the object: well above the rounding of sums.
DISTANCE_TIE = {FLOAT64: 1e-12, FLOAT32: 5e-6}

# Two projections are the same if they differ by less than this, relative to what
# was summed up: no cut goes between them.
PROJECTION_TIE = {FLOAT64: 1e-12, FLOAT32: 2e-6}

# Two scores of an embedded object for a cluster tie, relative to their size.
EMBEDDING_TIE = {FLOAT64: 1e-9, FLOAT32: 1e-4}

# A negative weight in a graph is rounding up to this share of the largest weight.
NEGATIVE_WEIGHT = {FLOAT64: 1e-10, FLOAT32: 1e-5}
