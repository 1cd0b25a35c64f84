"""The contract of the Gram, checked against the matrix that a Gram stands for."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import pickle
import sys
from functools import reduce

import numpy as np
from numpy.testing import assert_allclose
from scipy.sparse import csc_array, csr_array
from scipy.sparse import random as random_sparse
from scipy.sparse.csgraph import connected_components
from sklearn import config_context

from sklearn_kernelclust._gram._product import ProductGram
from sklearn_kernelclust._gram._wrappers import CenteredGram, EntrywiseGram, ShiftedGram

# Megabytes that cut a matrix of a few dozen objects into some and into many tiles.
SOME_TILES, TINY_TILES = 0.01, 0.001

RTOL = {np.dtype(np.float64): 1e-9, np.dtype(np.float32): 1e-4}
ATOL = {np.dtype(np.float64): 1e-10, np.dtype(np.float32): 2e-5}


def check_gram(gram, matrix, *, self_similarity=None, rtol=None, atol=None):
    """Check that a Gram keeps its contract.

    Every verb and every fact is compared with the dense matrix that the Gram
    stands for: of the Gram itself, of its transpose, of its parts, and of the
    Grams that the package makes of it (shifted, scaled, centered, a function of
    its entries, the empirical kernel map). Products are evaluated with large
    and with tiny tiles.

    Parameters
    ----------
    gram : Gram
        The Gram to check. A few dozen objects are enough.

    matrix : array-like of shape (n_rows, n_columns)
        The matrix that it stands for.

    self_similarity : array-like of shape (n_rows,), default=None
        k(x, x) of the row objects. By default the diagonal of `matrix` if the
        Gram is symmetric, and otherwise not checked.

    rtol : float, default=None
        Relative tolerance; 1e-9 by default, 1e-4 for float32.

    atol : float, default=None
        Tolerance relative to the largest entry of `matrix`, or to 1 if that is
        larger; 1e-10 by default, 2e-5 for float32.

    Raises
    ------
    AssertionError
        If something differs. The message names the verb, and says by how much.

    Notes
    -----
    That the Gram can be pickled is checked if its class can be imported, which
    pickling needs.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_kernelclust import PairwiseKernel
    >>> from sklearn_kernelclust.gram import check_gram
    >>> X = np.array([[0.0, 1.0], [2.0, 1.0], [3.0, 5.0]])
    >>> gram = PairwiseKernel("linear", lazy=True).fit_transform(X)
    >>> check_gram(gram, X @ X.T)
    """
    K = np.asarray(matrix)
    if self_similarity is None and gram.symmetric:
        self_similarity = K.diagonal()
    rtol = RTOL.get(gram.dtype, 0) if rtol is None else rtol
    atol = ATOL.get(gram.dtype, 0) if atol is None else atol
    check = Check(rtol, atol * max(1, np.abs(K).max(initial=0)))
    check_facts(check, gram, K, self_similarity)
    check_dense(check, gram, K)
    check_parts(check, gram, K)
    check_as_array(check, gram, K)
    check_transpose(check, gram, K)
    check_products(check, gram, K)
    with config_context(working_memory=TINY_TILES):
        check_products(check, gram, K)
        check_dense(check, gram, K)
    for columns in (None, 10**6):
        stored = gram.stored(columns)
        check(f".stored({columns}).toarray()", stored.toarray, K)
    check_pickle(check, gram, K)
    check_wrappers(check, gram, K)
    if gram.symmetric:
        check_square_verbs(check, gram, K)
        check_training_wrappers(check, gram, K)


class Check:
    """Compare, and say in which Gram and in which verb there is a difference.

    Parameters
    ----------
    rtol, atol : float
        Tolerances of one entry.
    of : str
        What the Gram is, for the message.
    """

    def __init__(self, rtol, atol, of="gram"):
        self.rtol, self.atol, self.of = rtol, atol, of

    def on(self, of):
        """The same tolerances for another Gram."""
        return Check(self.rtol, self.atol, of)

    def attempt(self, verb, compute):
        """``compute()``, or an error that names the verb."""
        try:
            return compute()
        except Exception as error:
            raise AssertionError(
                f"{self.of}{verb} raised {type(error).__name__}: {error}"
            ) from error

    def __call__(self, verb, compute, expected, n_terms=1):
        """``compute()`` gives `expected`, each of whose entries sums so many."""
        actual = self.attempt(verb, compute)
        assert_allclose(
            actual,
            expected,
            rtol=self.rtol,
            atol=self.atol * max(n_terms, 1),
            err_msg=f"{self.of}{verb} differs from what the matrix gives.",
        )

    def true(self, condition, message):
        """Raise, also where assertions are switched off."""
        if not condition:
            raise AssertionError(f"{self.of}{message}")


def check_facts(check, gram, K, self_similarity):
    """Shape, type, symmetry, cost and self-similarities."""
    check.true(
        tuple(gram.shape) == K.shape,
        f".shape is {gram.shape}, the matrix has shape {K.shape}.",
    )
    check.true(gram.dtype in RTOL, f".dtype is {gram.dtype}, not float64 or float32.")
    check.true(gram.cost >= 0, f".cost is {gram.cost}.")
    if self_similarity is not None:
        check(".diagonal()", gram.diagonal, self_similarity)
    elif gram.self_similarity is None:
        message = ""
        try:
            gram.diagonal()
        except ValueError as error:
            message = str(error)
        check.true(
            "self_similarity=" in message, ".diagonal() must raise: it is not known."
        )


def check_products(check, gram, K):
    """Products with dense and sparse blocks, and their types."""
    n = K.shape[1]
    Z = np.random.RandomState(0).normal(size=(n, 3))
    few = csr_array(random_sparse(n, 4, density=0.1, random_state=0))
    check(" @ Z", lambda: gram @ Z, K @ Z, n)
    check(" @ Z with one column", lambda: gram @ Z[:, :1], K @ Z[:, :1], n)
    check(" @ z with a vector", lambda: gram @ Z[:, 0], K @ Z[:, 0], n)
    check(".matvec(z)", lambda: gram.matvec(Z[:, 1]), K @ Z[:, 1], n)
    for kind in (csr_array, csc_array):
        check(f" @ {kind.__name__}", lambda: gram @ kind(few), K @ few.toarray(), n)  # noqa: B023
    nothing = np.zeros((K.shape[0], 4))
    check(" @ Z without entries", lambda: gram @ csr_array((n, 4)), nothing)
    wide, narrow = (gram @ Z).dtype, (gram @ Z.astype(gram.dtype)).dtype
    check.true(wide == np.float64, f" @ Z in float64 has type {wide}.")
    check.true(narrow == gram.dtype, f" @ Z in {gram.dtype} has type {narrow}.")
    try:
        gram @ np.ones(n + 1)
    except ValueError:
        return
    check.true(False, f" @ z must refuse a vector of length {n + 1}.")


def check_dense(check, gram, K):
    """The dense matrix, and what is made of all of it."""
    check(".toarray()", gram.toarray, K)
    dtype = gram.toarray().dtype
    check.true(dtype == gram.dtype, f".toarray() has type {dtype}, not {gram.dtype}.")
    if gram.symmetric and np.array_equal(K, K.T):
        check.true(is_symmetric(gram), ".toarray() is not exactly symmetric.")
    norms = np.square(K, dtype=np.float64).sum(axis=1)
    size = np.abs(K).max(initial=1)
    check(".squared_row_norms()", gram.squared_row_norms, norms, K.shape[1] * size)


def check_as_array(check, gram, K):
    """What numpy takes for the array, and indices."""
    check(", as np.asarray(gram),", lambda: np.asarray(gram), K)
    check.true(len(gram) == len(K), f" has length {len(gram)}, not {len(K)}.")
    if K.size:
        check("[0]", lambda: gram[0], K[0])
        check("[:, -1]", lambda: gram[:, -1], K[:, -1])
        check("[-1, 0]", lambda: gram[-1, 0], K[-1, 0])
        check("[:2]", lambda: gram[:2].toarray(), K[:2])


def is_symmetric(gram):
    """Whether the dense matrix is symmetric to the last bit."""
    K = gram.toarray()
    return np.array_equal(K, K.T)


def check_parts(check, gram, K):
    """Parts by slices, index arrays, bools, and with no objects at all."""
    m, n = K.shape
    rows = np.arange(0, m, 2)[::-1]
    cols = np.array([n - 1, 0, 0, n // 2]) if n else np.arange(0)
    every, none = slice(None), np.arange(0)
    for r, c, name in [
        (rows, cols, "rows backwards, columns repeated"),
        (every, cols, "all rows, columns repeated"),
        (rows, every, "rows backwards, all columns"),
        (np.arange(m) % 2 == 1, every, "bools, all columns"),
        (slice(1, m), slice(0, n // 2), "slice, slice"),
        (none, cols, "no rows, columns repeated"),
        (rows, none, "rows backwards, no columns"),
        ([], [], "[], []"),
    ]:
        of_part = check.on(f"gram.restrict({name})")
        part = of_part.attempt("", lambda: gram.restrict(r, c))  # noqa: B023
        expected = K[as_rows(r)][:, as_rows(c)]
        of_part.true(
            part.shape == expected.shape,
            f" has shape {part.shape}, expected {expected.shape}.",
        )
        of_part(".toarray()", part.toarray, expected)
        ones = np.ones(expected.shape[1])
        of_part(" @ z", lambda: part @ ones, expected.sum(axis=1), n)  # noqa: B023
        for fact, index in [("self_similarity", r), ("column_self_similarity", c)]:
            check_fact_of_part(of_part, gram, part, fact, as_rows(index))
    if gram.symmetric:
        same = gram.restrict(rows, rows.copy())
        check.true(same.symmetric, ".restrict(rows, rows) is not symmetric.")


def as_rows(index):
    """An index that takes rows of an array, empty lists too."""
    if isinstance(index, slice) or len(index):
        return index
    return np.empty(0, dtype=np.intp)


def check_fact_of_part(check, gram, part, fact, index):
    """Self-similarities of a part are those of its objects."""
    known = getattr(gram, fact)
    if known is not None:
        check(f".{fact}", lambda: getattr(part, fact), known[index])


def check_transpose(check, gram, K):
    """The transpose, its products, its self-similarities, and its transpose."""
    check = check.on("gram.T")
    check_products(check, gram.T, K.T)
    check(".toarray()", gram.T.toarray, K.T)
    check(".T.toarray()", gram.T.T.toarray, K)
    if gram.column_self_similarity is not None:
        check(".diagonal()", gram.T.diagonal, gram.column_self_similarity)
    check.true(gram.T.symmetric == gram.symmetric, ".symmetric differs from gram's.")


def check_pickle(check, gram, K):
    """A pickled Gram is the same, if its class can be imported."""
    cls, module = type(gram), sys.modules.get(type(gram).__module__)
    path = cls.__qualname__.split(".")
    if reduce(lambda found, name: getattr(found, name, None), path, module) is not cls:
        return
    check(" pickled", lambda: pickle.loads(pickle.dumps(gram)).toarray(), K)


def check_verbs(check, gram, K):
    """What a wrapper must have of the Gram in it, in some tiles."""
    with config_context(working_memory=SOME_TILES):
        Z = np.random.RandomState(0).normal(size=(K.shape[1], 2))
        check(" @ Z", lambda: gram @ Z, K @ Z, K.shape[1])
        check(" @ sparse Z", lambda: gram @ csr_array(Z), K @ Z, K.shape[1])
        check(".toarray()", gram.toarray, K)
        check(".T.toarray()", gram.T.toarray, K.T)
        rows, cols = np.arange(K.shape[0])[::3], np.arange(K.shape[1])[::-2]
        part = gram.restrict(rows, cols)
        check(".restrict(rows, cols).toarray()", part.toarray, K[rows][:, cols])
        if gram.symmetric:
            check.true(is_symmetric(gram), ".toarray() is not exactly symmetric.")


def check_wrappers(check, gram, K):
    """Wrappers of any Gram: scaled, and a function of each entry."""
    left, right = (np.linspace(0.5, 1.5, n) for n in K.shape)
    scaled = gram.scaled(left, right)
    check_verbs(check.on("gram.scaled(...)"), scaled, left[:, None] * K * right)
    check_verbs(check.on("EntrywiseGram(gram)"), EntrywiseGram(gram, softened), soft(K))


def softened(block, left, right):
    """A function of the entries, of a block that may be overwritten."""
    return soft(block)


def soft(K):
    """Smooth, bounded by its argument, and exact in both types."""
    return K / (1 + abs(K))


def check_training_wrappers(check, gram, K):
    """Wrappers of the Gram of training objects."""
    n = len(K)
    shifted = ShiftedGram(gram, -0.5)
    check_verbs(check.on("ShiftedGram(gram)"), shifted, K - 0.5 * np.eye(n))
    means = K.mean(axis=1)
    centered = K - means[:, None] - means + means.mean()
    check_verbs(check.on("CenteredGram(gram)"), CenteredGram.training(gram), centered)
    scale = 1 / np.sqrt(np.maximum(np.square(K).sum(axis=1), 1e-12))
    rows = gram.scaled(scale, np.ones(n))
    expected = (scale[:, None] * K) @ (scale[:, None] * K).T
    norms = expected.diagonal().astype(gram.dtype)
    empirical = ProductGram(rows, rows, norms, norms, symmetric=True)
    check_verbs(check.on("ProductGram(gram, gram)"), empirical, expected)


def check_square_verbs(check, gram, K):
    """Verbs of the Gram of training objects."""
    n, size = len(K), np.abs(K).max(initial=0)
    W = csr_array(random_sparse(n // 2 + 1, n, density=3 / max(n, 3), random_state=0))
    of_sums = W @ K @ W.T.toarray()
    check(".combine(W)", lambda: gram.combine(W).toarray(), of_sums, 9)
    check(".quadratic_forms(W)", lambda: gram.quadratic_forms(W), of_sums.diagonal(), 9)
    order = np.random.RandomState(0).permutation(n)
    sums = np.tril(K[order][:, order], -1).sum(axis=1, dtype=np.float64)
    check(".prefix_sums(order)", lambda: gram.prefix_sums(order), sums, n)
    A = gram.factor()
    if A is not None:
        check(".factor()", lambda: A @ A.T, K)
    off = np.where(np.eye(n, dtype=bool), 0, K)
    smallest, largest = gram.entry_range()
    check(".entry_range()[0]", lambda: smallest, off.min(initial=0))
    bound = off.max(initial=0) - check.atol - check.rtol * size
    check.true(largest >= bound, f".entry_range()[1] is {largest}, below {bound}.")
    check_components(check, gram, K)


def check_components(check, gram, K):
    """Components of the graph; two objects are linked if their entry is positive."""
    eps = np.finfo(gram.dtype).eps
    scale = np.full(len(K), 1 / np.sqrt(max(np.abs(K).max(initial=0), 1)))
    weights = scale[:, None] * K * scale
    if K.min(initial=0) < 0 or ((weights > 0) & (weights < 100 * eps)).any():
        return  # not a graph, or what is an edge is a matter of rounding
    expected = connected_components(csr_array(weights > 0), directed=False)[1]
    actual = gram.connected_components(scale)
    pairs = np.unique(np.column_stack([expected, actual]), axis=0)
    check.true(
        len(pairs) == len(np.unique(expected)) == len(np.unique(actual)),
        f".connected_components(scale) gives {len(np.unique(actual))} components, "
        f"expected {len(np.unique(expected))}.",
    )
