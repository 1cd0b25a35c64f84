"""Notice kernels that tell no objects apart, or all of them."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_kernelclust._utils._warnings import warn_user

# Rows that are looked at, and the fewest objects that tell anything.
N_ROWS, FEWEST = 32, 10

# Similarities to others that count as none, relative to the self-similarity, and the
# share of objects without any that is too large.
NO_SIMILARITY, ALONE = 1e-6, 0.9

# Relative spread of all similarities that counts as none. Objects that are exactly
# the same are another matter.
NO_SPREAD = 1e-9

# Kernels that go to the identity or to a constant with gamma.
WITH_WIDTH = ("chi2", "laplacian", "rbf")


def warn_if_degenerate(gram, gamma=None, given=None, cure="scale"):
    """Warn if a sample of rows looks like an identity or a constant matrix.

    Without `gamma` the kernel was made elsewhere. `given` is the parameter that it
    comes from, and `cure` the rule that chooses it by the data.
    """
    n = gram.shape[0]
    if n < FEWEST:
        return
    rows = np.unique(np.linspace(0, n - 1, N_ROWS).astype(np.intp))
    # Few similarities are enough to see that all is well.
    spread, alone = _spread_and_alone(gram, rows, rows)
    if spread > NO_SPREAD and alone < ALONE:
        return
    which = "matrix" if gamma is None else f"(gamma={gamma:g})"
    also = f", or gamma={cure!r}"
    if gamma is None:
        also = ", where it was made"
    elif isinstance(given, str) and given == cure:
        also = ", or scale the features"
    spread, alone = _spread_and_alone(gram, rows, np.arange(n))
    if 0 < spread <= NO_SPREAD:
        warn_user(
            f"The kernel {which} is constant up to {spread:.1g}: it tells no objects "
            f"apart. Choose a larger gamma{also}.",
        )
    if alone >= ALONE:
        warn_user(
            f"The kernel {which} is nearly the identity: {alone:.0%} of the objects "
            f"have no similarity above {NO_SIMILARITY:g} to any other, so that "
            f"clusters are arbitrary. Choose a smaller gamma{also}.",
        )


def _spread_and_alone(gram, rows, columns):
    """Relative spread of a block, and the share of its rows without similar objects."""
    K = np.abs(gram.restrict(rows, columns).toarray())
    self_similarity = np.abs(gram.diagonal())[rows]
    spread = (K.max() - K.min()) / max(K.max(), np.finfo(K.dtype).tiny)
    K[rows[:, None] == columns] = 0
    alone = K.max(axis=1) <= NO_SIMILARITY * self_similarity
    return spread, alone.mean() if self_similarity.any() else 0.0
