"""Checks of input, and fits that leave an estimator as it was."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.sparse import csr_array

from sklearn_kernelclust import (
    PDDP,
    KernelKMeans,
    LocalScalingKernel,
    PairwiseKernel,
)
from sklearn_kernelclust._utils._sklearn import InvalidParameterError
from sklearn_kernelclust._utils._validation import (
    all_or_nothing,
    canonical,
    check_n_clusters,
    check_weight,
    refuse_what_numbers_would_hide,
    weight_or_none,
)


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, MemoryError])
def test_a_fit_that_fails_leaves_all_as_it_was(error):
    class Estimator:
        kept_ = None

        @all_or_nothing
        def fit(self, fails):
            self.kept_, self.new_ = fails, 1
            if fails:
                raise error
            return self

    model = Estimator()
    with pytest.raises(error):
        model.fit(True)
    assert vars(model) == {}
    assert vars(model.fit(False)) == {"kept_": False, "new_": 1}
    with pytest.raises(error):
        model.fit(True)
    assert vars(model) == {"kept_": False, "new_": 1}


def test_numbers_of_clusters():
    with pytest.raises(InvalidParameterError, match=r"Got True instead"):
        check_n_clusters(KernelKMeans(True), 5)
    with pytest.raises(ValueError, match="n_samples=2 should be >= n_clusters=3"):
        check_n_clusters(KernelKMeans(3), 2)
    check_n_clusters(KernelKMeans(3), 3)


def test_weights():
    assert_array_equal(check_weight(None, 3), np.ones(3))
    assert_array_equal(check_weight([0, 2, 1], 3), [0.0, 2, 1])
    with pytest.raises(ValueError, match="at least one non-zero"):
        check_weight(np.zeros(3), 3)
    with pytest.raises(ValueError, match=r"[Nn]egative"):
        check_weight([-1, 1, 1], 3)


def test_repeated_entries_are_summed_in_a_copy():
    X = csr_array((np.array([1.0, 2.0]), [1, 1], [0, 2]), shape=(1, 3))
    once = canonical(X)
    assert X.nnz == 2 and once.nnz == 1
    assert_array_equal(once.toarray(), [[0, 3, 0]])
    assert canonical(once) is once


def test_masked_entries_and_dates():
    with pytest.raises(ValueError, match="masked values"):
        refuse_what_numbers_would_hide(np.ma.masked_less([[1.0, -1.0]], 0))
    with pytest.raises(TypeError, match="dates or times"):
        refuse_what_numbers_would_hide(np.zeros((2, 2), "datetime64[s]"))


def test_a_lazy_kernel_is_no_matrix_of_features():
    X = np.random.default_rng(0).normal(size=(20, 3))
    gram = PairwiseKernel(lazy=True).fit_transform(X)
    with pytest.raises(TypeError, match=r"PDDP takes features, .* shape \(20, 20\)"):
        PDDP(2).fit(gram)
    assert PDDP(2).fit(np.asarray(gram)).labels_.shape == (20,)
    with pytest.raises(TypeError, match="LocalScalingKernel takes features"):
        LocalScalingKernel().fit(X).transform(gram)


def test_weights_of_one_are_none():
    assert weight_or_none(None, 3) is None
    assert weight_or_none([1, 1, 1], 3) is None
    assert_array_equal(weight_or_none([1, 2, 0], 3), [1.0, 2.0, 0.0])


def test_an_array_that_cannot_become_numpy_says_what_to_switch_on():
    class Tensor:
        """An array of a device, as numpy sees it."""

        __module__ = "library.tensors"
        shape, ndim, dtype = (2, 2), 2, np.dtype(float)
        __dlpack__ = __array__ = lambda self, *args, **kwargs: self.refuse()

        def refuse(self):
            raise TypeError("can't convert cuda:0 device type tensor to numpy.")

    for work in (KernelKMeans(2).fit, KernelKMeans(2, kernel="precomputed").fit):
        with pytest.raises(TypeError, match="can't convert") as caught:
            work(Tensor())
        (note,) = caught.value.__notes__
        assert "library arrays" in note
        assert "SCIPY_ARRAY_API=1" in note
        assert "array_api_dispatch=True" in note
