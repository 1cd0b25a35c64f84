"""KernelKMeans: algorithms, kernels, sparse text, starts."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score
from sklearn.metrics.pairwise import rbf_kernel

from sklearn_kernelclust import DiagonalShift, KernelKMeans
from suite.data import documents


class AlgorithmSuite:
    param_names = ["algorithm", "n_samples"]
    params = (["lloyd", "split-merge", "hartigan"], [1_000, 4_000])

    def setup(self, algorithm, n_samples):
        X, self.y = make_blobs(n_samples, 20, centers=10, cluster_std=5, random_state=0)
        self.K = rbf_kernel(X, gamma=1 / (20 * X.var()))
        self.model = KernelKMeans(
            10, kernel="precomputed", algorithm=algorithm, random_state=0
        )

    def time_fit(self, *params):
        self.model.fit(self.K)

    peakmem_fit = time_fit

    def track_ari(self, *params):
        return adjusted_rand_score(self.y, self.model.fit_predict(self.K))


class KernelSuite:
    param_names = ["kernel", "dtype"]
    params = (["linear", "cosine", "rbf", "polynomial"], ["float32", "float64"])

    def setup(self, kernel, dtype):
        X, self.y = make_blobs(4_000, 20, centers=10, random_state=0)
        self.X = X.astype(dtype)
        self.model = KernelKMeans(
            10, kernel=kernel, gamma="scale", n_init=1, random_state=0
        )

    def time_fit(self, *params):
        self.model.fit(self.X)

    peakmem_fit = time_fit

    def track_ari(self, *params):
        return adjusted_rand_score(self.y, self.model.fit_predict(self.X))


class SparseTextSuite:
    param_names = ["n_clusters"]
    params = ([10, 50],)

    def setup(self, n_clusters):
        self.X, self.y = documents(10_000, n_clusters)
        self.model = KernelKMeans(
            n_clusters, kernel="cosine", init="random", n_init=1, random_state=0
        )

    def time_fit(self, *params):
        self.model.fit(self.X)

    peakmem_fit = time_fit

    def track_ari(self, *params):
        return adjusted_rand_score(self.y, self.model.fit_predict(self.X))


class ShiftedTextSuite:
    """An indefinite kernel, on which single moves finish most runs."""

    param_names = ["algorithm"]
    params = (["lloyd", "split-merge", "hartigan"],)

    def setup(self, algorithm):
        X, self.y = documents(2_000, 10)
        self.K = DiagonalShift().fit_transform((X @ X.T).toarray())
        self.model = KernelKMeans(
            10, kernel="precomputed", algorithm=algorithm, random_state=0
        )

    def time_fit(self, *params):
        self.model.fit(self.K)

    def track_inertia(self, *params):
        return self.model.fit(self.K).inertia_


class StartsSuite:
    param_names = ["init", "n_init"]
    params = (["k-means++", "random"], [1, 10])

    def setup(self, init, n_init):
        X, _ = make_blobs(2_000, 20, centers=10, cluster_std=5, random_state=0)
        self.K = rbf_kernel(X, gamma=1 / (20 * X.var()))
        self.model = KernelKMeans(
            10, kernel="precomputed", init=init, n_init=n_init, random_state=0
        )

    def time_fit(self, *params):
        self.model.fit(self.K)

    def track_inertia(self, *params):
        return self.model.fit(self.K).inertia_


class PredictSuite:
    param_names = ["method"]
    params = (["predict", "transform", "score"],)

    def setup(self, method):
        X, self.y = make_blobs(6_000, 20, centers=10, random_state=0)
        model = KernelKMeans(10, gamma="scale", n_init=1, random_state=0)
        self.call, self.new = getattr(model.fit(X[:3_000]), method), X[3_000:]

    def time_call(self, *params):
        self.call(self.new)

    peakmem_call = time_call
