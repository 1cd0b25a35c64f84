"""Parameters of fit, such as weights of objects, through meta-estimators."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn import get_config
from sklearn.base import clone
from sklearn.pipeline import Pipeline
from sklearn.utils.metadata_routing import (
    MetadataRouter,
    MethodMapping,
    process_routing,
)

from sklearn_kernelclust._model_selection._pipeline_steps import Steps
from sklearn_kernelclust._model_selection._splits import clustered, seeded
from sklearn_kernelclust._utils._sklearn import _num_samples, _safe_indexing


class RoutingMixin:
    """For meta-estimators whose `fit` hands parameters on to the `fit` of others.

    A subclass has ``_routed()``, which gives the others by name.
    """

    def _routed(self):
        return {"estimator": self.estimator}

    def get_metadata_routing(self):
        """Get metadata routing of this object.

        Please check :ref:`User Guide <metadata_routing>` on how the routing
        mechanism works.

        Returns
        -------
        routing : MetadataRouter
            Routing information.
        """
        router = MetadataRouter(owner=type(self).__name__)
        for name, estimator in self._routed().items():
            mapping = MethodMapping().add(caller="fit", callee="fit")
            router.add(**{name: estimator}, method_mapping=mapping)
        return router

    def _fit_params(self, params):
        """Parameters for the `fit` of each of the others, by name.

        Without metadata routing all go to `estimator`, as in `GridSearchCV`.
        """
        if params and get_config()["enable_metadata_routing"]:
            routed = process_routing(self, "fit", **params)
            return {name: dict(routed[name].fit) for name in self._routed()}
        return {name: params if name == "estimator" else {} for name in self._routed()}


def of_objects(params, index, n_samples):
    """The parameters of a subset of the objects."""
    return {
        name: _safe_indexing(value, index) if has_length(value, n_samples) else value
        for name, value in params.items()
    }


def has_length(value, n_samples):
    """Whether a parameter has a value for each object."""
    return hasattr(value, "__len__") and _num_samples(value) == n_samples


class WithFitParams:
    """Objects to split, and parameters of fit that are split with them.

    Parameters
    ----------
    data : Features, Kernel or Transformed
        The objects.
    params : dict
        Parameters of the `fit` of `model`.
    n_samples : int
        Number of objects.
    """

    def __init__(self, data, params, n_samples):
        self.data, self.params, self.n_samples = data, params, n_samples

    def halves(self, split):
        """Both halves to fit on, and both as input to the other's `predict`."""
        return self.data.halves(split)

    def fit_params(self, split):
        """The parameters of both halves."""
        return [of_objects(self.params, half, self.n_samples) for half in split.halves]


def with_fit_params(chooser, model, data, params, n_samples):
    """Objects with their parameters."""
    if chooser.reduction_rate is not None:
        raise ValueError(
            f"{', '.join(params)} cannot be used with reduction_rate="
            f"{chooser.reduction_rate}: prototypes have none of their own."
        )
    if not isinstance(model, Pipeline):
        # What is left of a pipeline takes its parameters without the name of a step.
        params = {name.rpartition("__")[2]: value for name, value in params.items()}
    return WithFitParams(data, params, n_samples)


def refitted(chooser, X, k, seed, params):
    """A model of `k` clusters of all objects, and their labels."""
    model = seeded(clone(chooser.estimator), seed, only_unset=True)
    model.set_params(**{Steps(chooser.estimator, chooser.param_name).param: k})
    return model, clustered(model, X, **params)
