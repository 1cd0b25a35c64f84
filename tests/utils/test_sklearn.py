"""What is made of scikit-learn's private and recent names."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from sklearn.base import BaseEstimator

from sklearn_kernelclust import PDDP, PairwiseKernel
from sklearn_kernelclust._utils import _sklearn
from sklearn_kernelclust._utils._sklearn import Progress, refuse_frame


def test_all_names_are_there():
    for name in _sklearn.__all__:
        assert hasattr(_sklearn, name)


def test_progress_of_an_estimator_without_callbacks():
    progress = Progress(BaseEstimator(), np.ones((2, 2)), None, 3)
    assert not progress.step("iteration")
    assert not progress.stopped
    progress.end()


class Recorder:
    """A callback that keeps the names of finished tasks and stops at the second."""

    def __init__(self):
        self.names = []

    def setup(self, estimator, context):
        pass

    def on_fit_task_begin(self, estimator, context, **kwargs):
        pass

    def on_fit_task_end(self, estimator, context, **kwargs):
        self.names.append(context.task_name)
        return len(self.names) == 2

    def teardown(self, estimator, context):
        pass


@pytest.mark.filterwarnings("ignore:A callback stopped the fit after 2 splits")
def test_progress_reports_each_step_and_who_stopped():
    pytest.importorskip("sklearn.callback")
    recorder = Recorder()
    X = np.random.default_rng(0).normal(size=(30, 2))
    PDDP(6).set_callbacks(recorder).fit(X)
    assert recorder.names == ["split", "split", "fit"]


def test_a_lazy_kernel_is_no_data_frame():
    pytest.importorskip("pandas")
    kernel = PairwiseKernel(lazy=True)
    refuse_frame(kernel)
    kernel.set_output(transform="pandas")
    with pytest.raises(ValueError, match=r"PairwiseKernel hands on .*pandas"):
        refuse_frame(kernel)
