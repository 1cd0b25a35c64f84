"""Smallest eigenvectors of the three Laplacians, and their extension.

With the weights A of a graph, their sums D and S = D^(-1/2):

- unnormalised, L = D - A;
- symmetric, L_sym = S L S;
- random walk, L_rw = D^(-1) L, whose eigenvectors are S times those of L_sym.

No Laplacian is formed, only multiplied.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_kernelclust._linalg._eigenpairs import leading_eigenpairs
from sklearn_kernelclust._linalg._filtered import chebyshev
from sklearn_kernelclust._linalg._spectrum_checks import spectrum_floor

# Residual relative to the largest eigenvalue of a Laplacian. Its smallest ones
# may be some 1e-5 of that, and as near to each other.
TOL = 1e-9


class TurnedLaplacian:
    """``c I - L - 2 c V V'``: the smallest eigenvectors of L but V lead.

    The columns of V span a part of the null space of L, which is known. No
    eigenvalue of L exceeds c, so that only V has a negative eigenvalue here, -c,
    and comes last. L stands for L_sym if `normalized`.
    """

    def __init__(self, graph, V, normalized):
        self.gram, self.arrays = graph.weights, graph.weights.arrays
        self.shape, self.dtype = self.gram.shape, self.gram.dtype
        degree = graph.degree.astype(self.dtype)
        scale = 1 / np.sqrt(degree) if normalized else np.ones_like(degree)
        self.c = 2 if normalized else float(2 * degree.max())
        # What belongs to the diagonal; the Gram has one that no graph has.
        rest = self.c - scale**2 * (degree + graph.loops)
        parts = scale[:, None], rest[:, None], V
        if self.arrays is not None:
            parts = [self.arrays.native(part, self.dtype) for part in parts]
        self.scale, self.rest, self.V = parts

    @property
    def cost(self):
        return self.gram.cost

    @property
    def top(self):
        return self.c

    def __matmul__(self, Z):
        if self.arrays is not None and isinstance(Z, np.ndarray):
            product = self @ self.arrays.native(Z, self.dtype)
            return self.arrays.host(product).astype(self.dtype, copy=False)
        product = self.scale * (self.gram @ (self.scale * Z))
        product += self.rest * Z
        product -= (2 * self.c) * (self.V @ (self.V.T @ Z))
        return product

    def damped(self, Z, degree, cut):
        """``T(c I - L) @ Z``, with T a Chebyshev polynomial: at most 1 up to `cut`.

        V comes out by projection, before and after, not in each product.
        """
        half = cut / 2
        scale = (np.sqrt(2 / half) * self.scale[:, 0]).astype(self.dtype)
        rest = ((self.rest - half) * (2 / half)).astype(self.dtype)
        gram = self.gram.scaled(scale, scale)
        Z = chebyshev(lambda Z: gram @ Z + rest * Z, self._without_known(Z), degree)
        return self._without_known(Z)

    def _without_known(self, Z):
        return Z - self.V @ (self.V.T @ Z)


def smallest_eigenvectors(graph, group, k, normalized, seed=0):
    """The `k` smallest eigenvalues of a Laplacian, and vectors on the objects.

    Parameters
    ----------
    graph : Graph
        Without isolated objects.
    group : ndarray of shape (n,)
        Components of the graph, or `k` unions of components.
    k : int
        At least the number of groups.
    normalized : bool
        Eigenvectors of L_rw if true, else of L.
    seed : int
        Where the iteration starts.

    Returns
    -------
    values : ndarray of shape (k,)
        In ascending order.
    U : ndarray of shape (n, k)
        Columns whose mean square is 1, weighted by the degrees if
        `normalized`, so that neither depends on the scale of the weights.
    """
    dtype = graph.gram.dtype
    degree = graph.degree.astype(np.float64)
    mass = degree if normalized else np.ones_like(degree)
    V = _of_groups(group, mass).astype(dtype)
    values = np.zeros(V.shape[1])
    if V.shape[1] < k:
        operator = TurnedLaplacian(graph, V, normalized)
        turned, vectors = leading_eigenpairs(
            operator,
            k - V.shape[1],
            noise=spectrum_floor(len(V), dtype, operator.c),
            seed=seed,
            tol=TOL,
        )
        values = np.concatenate([values, operator.c - turned])
        V = np.hstack([V, vectors])
    U = V * np.sqrt(mass.sum() / mass)[:, None]
    return values, U.astype(dtype)


def _of_groups(group, mass):
    """Orthonormal vectors, one a group: the root of `mass` there, 0 elsewhere."""
    n, k = len(group), group.max() + 1
    V = np.zeros((n, k))
    V[np.arange(n), group] = np.sqrt(mass / np.bincount(group, weights=mass)[group])
    return V


def is_flat(values, graph, normalized):
    """Whether all larger eigenvalues equal the last of `values`: no eigengap.

    They are not smaller than it, and the trace of the Laplacian gives their
    mean. If `values` are all eigenvalues, whether all objects are the same, that
    is as similar to each other as to themselves.
    """
    n, rounding = len(graph.degree), np.sqrt(np.finfo(graph.gram.dtype).eps)
    n_left = n - len(values)
    if n_left == 0:
        return np.allclose(graph.degree, (n - 1) * graph.diagonal, rounding, atol=0)
    trace = n if normalized else float(graph.degree.sum())
    mean = (trace - values.sum()) / n_left
    return mean - values[-1] <= rounding * mean


def share_of_own(sums, self_similarity, values, normalized):
    """Factor of u_i in the Nyström equation, divided by the row sum.

    The equation of a training object i is
    ``u_i * (sums_i - value * (sums_i - K_ii)) = S_i`` for L_rw and
    ``u_i * (sums_i - value) = S_i`` for L, where ``S = K @ u`` and
    ``sums = K @ 1``, self-similarities included.
    """
    degree = sums - self_similarity if normalized else np.ones_like(sums)
    return 1 - values * (degree / sums)[:, None]


class Extension:
    """Values of the eigenvectors at new objects, by the Nyström method.

    The equation that holds at all training objects, solved for u, is continuous
    wherever the kernel is, except at poles. No training object is at a pole, so
    the divisor, relative to the row sum, is clipped to the range that the
    training objects have.

    Parameters
    ----------
    sums, self_similarity : ndarray of shape (n,)
        Sums of the rows of the kernel, self-similarities included, and k(x, x)
        of the training objects with edges.
    values : ndarray of shape (k,)
        Eigenvalues.
    normalized : bool
        Of L_rw if true, else of L.
    """

    def __init__(self, sums, self_similarity, values, normalized):
        self.values, self.normalized = values, normalized
        share = share_of_own(sums, self_similarity, values, normalized)
        self.low, self.high = share.min(axis=0), share.max(axis=0)
        self.least = np.abs(share).min(axis=0)

    def __call__(self, S, sums, self_similarity):
        """Values at new objects; 0 where the row sum is 0.

        Parameters
        ----------
        S : ndarray of shape (n_new, k)
            Products of the new rows with the eigenvectors.
        sums, self_similarity : ndarray of shape (n_new,)
            Sums of the new rows, and k(x, x) of the new objects.
        """
        positive = sums > 0
        share = np.ones_like(S)
        share[positive] = share_of_own(
            sums[positive], self_similarity[positive], self.values, self.normalized
        )
        share = np.clip(share, self.low, self.high)
        share = np.where(np.abs(share) < self.least, self.least, share)
        denominator = share * sums[:, None]
        # The divisor is 0 where all of it is rounding: the value is unknown.
        known = np.abs(denominator) > 0
        return np.divide(S, denominator, out=np.zeros_like(S), where=known)
