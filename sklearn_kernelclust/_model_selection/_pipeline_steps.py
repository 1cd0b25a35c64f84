"""Where in a pipeline the kernel is: what comes before it, and what after."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn.base import clone
from sklearn.pipeline import Pipeline
from sklearn.utils import get_tags

from sklearn_kernelclust._gram._base import Gram
from sklearn_kernelclust._gram._checks import as_gram
from sklearn_kernelclust._kernels._base import KernelMatrixMixin, KernelMixin
from sklearn_kernelclust._model_selection._prototypes import PrototypeReducer


class Steps:
    """The steps of a pipeline, or a lone estimator, and a parameter of theirs.

    Steps are known by the names that lead to them, ``"outer__inner"`` in a
    pipeline within a pipeline, ``""`` if an estimator is alone.

    Parameters
    ----------
    estimator : estimator object
    param : str
        Name of the parameter; of a pipeline that has none of this name it is
        that of its last step.
    """

    def __init__(self, estimator, param):
        estimator = clone(estimator)
        self.steps = flat(estimator)
        self.memory = estimator.memory if isinstance(estimator, Pipeline) else None
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

    def takes_kernel(self):
        """Whether a kernel matrix goes in."""
        return takes_kernel(self.steps[0][1])

    def first(self, n):
        """The first `n` steps as one transformer; they are taken away."""
        gone, self.steps = self.steps[:n], self.steps[n:]
        self._check_owner()
        return self._joined(gone)

    def before_param(self):
        """The steps before the parameter's own as one transformer, None if none.

        They are taken away: no value of the parameter changes what they do.
        """
        n = [name for name, _ in self.steps].index(self._check_owner())
        return self.first(n) if n else None

    def rest(self):
        """What is left, as one estimator, and the name of its parameter."""
        owner = self._check_owner()
        own = self.param.removeprefix(f"{owner}__")
        if len(self.steps) > 1:
            return self._joined(self.steps), f"{one_name(owner)}__{own}"
        return self.steps[0][1], own

    def _joined(self, steps):
        named = [(one_name(name), step) for name, step in steps]
        return Pipeline(named, memory=self.memory)

    def _owner(self):
        """Name of the step that has the parameter, None if it was taken away."""
        for name, _ in self.steps:
            if not name or self.param.startswith(f"{name}__"):
                return name
        return None

    def _check_owner(self):
        owner = self._owner()
        if owner is None:
            raise ValueError(
                f"The parameter {self.param!r} is that of a step before the kernel, "
                "which is fitted once: only later steps can be tried with several "
                "values."
            )
        return owner

    def n_to_kernel(self):
        """How many steps there are before the first that takes a kernel; 0 if none."""
        for i, (_, step) in enumerate(self.steps):
            if takes_kernel(step):
                return i
        return 0

    def n_on_kernels(self):
        """How many steps turn kernels into kernels, before the parameter's own."""
        n, owner = 0, self._owner()
        while n < len(self.steps) - 1 and self.steps[n][0] != owner:
            if not (
                takes_kernel(self.steps[n + 1][1])
                or is_kernel_transform(self.steps[n][1])
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
        last._validate_params()
        if len(self.steps) > 1:
            X = self.first(len(self.steps) - 1).fit_transform(X)
        gram, _ = last._training_gram(X)
        self.steps = [(name, clone(last).set_params(kernel="precomputed"))]
        return gram, False


def flat(estimator, name=""):
    """Name and estimator of each step, those of pipelines in pipelines too."""
    if not isinstance(estimator, Pipeline):
        return [(name, estimator)]
    return [
        step
        for inner, part in estimator.steps
        if part not in ("passthrough", None)
        for step in flat(part, f"{name}__{inner}" if name else inner)
    ]


def one_name(name):
    """A name that a single pipeline can give to a step of a pipeline in it."""
    return name.replace("__", "-")


def takes_kernel(step):
    """Whether a step expects a kernel matrix."""
    return get_tags(step).input_tags.pairwise


def is_kernel_transform(step):
    """Whether a step of this package turns a kernel into a kernel."""
    return isinstance(step, KernelMatrixMixin) and not isinstance(
        step, PrototypeReducer
    )
