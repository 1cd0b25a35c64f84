"""Where in a pipeline the kernel is: what comes before it, and what after."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from sklearn.base import clone
from sklearn.pipeline import Pipeline
from sklearn.utils import get_tags

from sklearn_kernelclust._base import KernelMatrixMixin, KernelMixin
from sklearn_kernelclust._gram import DenseGram, Gram


class Steps:
    """The steps of a pipeline, or a lone estimator, and a parameter of theirs.

    Parameters
    ----------
    estimator : estimator object
    param : str
        Name of the parameter; of a pipeline that has none of this name it is
        that of its last step.
    """

    def __init__(self, estimator, param):
        estimator = clone(estimator)
        self.steps = [(None, estimator)]
        if isinstance(estimator, Pipeline):
            used = [
                step for step in estimator.steps if step[1] not in ("passthrough", None)
            ]
            self.steps = used
        self.param = self._known(estimator, param)

    def _known(self, estimator, param):
        names = estimator.get_params(deep=True)
        last = self.steps[-1][0]
        for name in (param, f"{last}__{param}"):
            if name in names:
                return name
        raise ValueError(
            f"param_name={param!r} is no parameter of {type(estimator).__name__}; it "
            f"has {', '.join(sorted(name for name in names if '__' not in name))}."
        )

    def first(self, n):
        """The first `n` steps as one transformer; they are taken away."""
        gone, self.steps = self.steps[:n], self.steps[n:]
        return Pipeline(gone)

    def rest(self):
        """What is left, as one estimator, and the name of its parameter."""
        if len(self.steps) > 1:
            return Pipeline(self.steps), self.param
        name, model = self.steps[0]
        return model, self.param if name is None else self.param.split("__", 1)[1]

    def n_to_kernel(self):
        """How many steps there are before the first that takes a kernel; 0 if none."""
        for i, (_, step) in enumerate(self.steps):
            if takes_kernel(step):
                return i
        return 0

    def n_on_kernels(self):
        """How many steps turn kernels into kernels, before the parameter's own."""
        n = 0
        while n < len(self.steps) - 1:
            name, step = self.steps[n]
            kernel_follows = takes_kernel(self.steps[n + 1][1])
            if self.param.split("__")[0] == name or not (
                kernel_follows or isinstance(step, KernelMatrixMixin)
            ):
                break
            n += 1
        return n

    def kernel_of(self, X):
        """The kernel that is made of features on the way, and whether as an array.

        Steps that were needed to make it are taken away. None if there is no
        kernel on the way.
        """
        n = self.n_to_kernel()
        if n:
            K = self.first(n).fit_transform(X)
            return as_gram(K), not isinstance(K, Gram)
        name, last = self.steps[-1]
        if not isinstance(last, KernelMixin) or takes_kernel(last):
            return None
        if len(self.steps) > 1:
            X = self.first(len(self.steps) - 1).fit_transform(X)
        gram, _, _ = last._training_gram(X)
        self.steps = [(name, clone(last).set_params(kernel="precomputed"))]
        return gram, False


def takes_kernel(step):
    """Whether a step expects a kernel matrix."""
    return get_tags(step).input_tags.pairwise


def as_gram(K):
    """A Gram of what a kernel transform gave."""
    return K if isinstance(K, Gram) else DenseGram.training(np.asarray(K))
