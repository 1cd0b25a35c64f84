"""Choosing the number of clusters."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.cluster import AgglomerativeClustering, BisectingKMeans, KMeans, MeanShift
from sklearn.datasets import make_blobs
from sklearn.decomposition import KernelPCA
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.metrics import adjusted_rand_score
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.mixture import GaussianMixture
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KernelCenterer, StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from sklearn_kernelclust import (
    KPDDP,
    PDDP,
    BisectingKernelKMeans,
    DiagonalShift,
    EmpiricalKernelMap,
    KernelKMeans,
    KernelPCAKMeans,
    PairwiseKernel,
    PowerMeanNormalizer,
    PredictionStrengthK,
    PrototypeReducer,
    SpectralClustering,
    StringKernel,
    SubpolynomialKernel,
)
from sklearn_kernelclust._model_selection._splits import Split
from sklearn_kernelclust.metrics import prediction_strength_score

FEW = {"n_clusters": range(2, 6), "n_splits": 4, "random_state": 0}

pytestmark = [
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
    pytest.mark.filterwarnings("ignore:X does not have valid feature names"),
    pytest.mark.filterwarnings("ignore:X has feature names"),
    # On halves of few objects it goes by chance.
    pytest.mark.filterwarnings("ignore:.*clusters are not chosen"),
]


@pytest.fixture(scope="module")
def blobs():
    return make_blobs(120, 3, centers=3, cluster_std=0.4, random_state=1)[0]


class Unbatched(KernelKMeans):
    """Another class, so that the same work is done model by model."""


CHECKED = [
    PredictionStrengthK(KMeans(n_init=1), n_clusters=[2, 3], n_splits=2),
    PredictionStrengthK(KernelKMeans(n_init=2), n_clusters=[2, 3], n_splits=2),
    PredictionStrengthK(
        KernelKMeans(n_init=2, kernel="precomputed"), n_clusters=[2, 3], n_splits=2
    ),
    PredictionStrengthK(
        make_pipeline(DiagonalShift(), KernelKMeans(n_init=2, kernel="precomputed")),
        n_clusters=[2],
        n_splits=2,
    ),
]


def expected_failed_checks(estimator):
    if "precomputed" in repr(estimator.estimator):
        return {
            "check_clustering": "scikit-learn passes features to pairwise clusterers"
        }
    return {}


@pytest.mark.filterwarnings("ignore:.*could not be scored")
@parametrize_with_checks(CHECKED, expected_failed_checks=expected_failed_checks)
def test_checks_of_scikit_learn(estimator, check):
    check(estimator)


# On an indefinite kernel clusters may get lost.
@pytest.mark.filterwarnings("ignore:.*could not be scored")
@pytest.mark.parametrize("init", ["k-means++", "random"])
@pytest.mark.parametrize("algorithm", ["lloyd", "split-merge"])
@pytest.mark.parametrize("shift", [False, True])
def test_batched_is_model_by_model(blobs, init, algorithm, shift):
    K = rbf_kernel(blobs, gamma=0.1)
    scores = []
    for clusterer in (KernelKMeans, Unbatched):
        model = clusterer(
            kernel="precomputed", n_init=3, init=init, algorithm=algorithm
        )
        steps = [DiagonalShift(), model] if shift else [model]
        choice = PredictionStrengthK(make_pipeline(*steps), **FEW).fit(K)
        scores.append(choice.scores_)
    assert_allclose(scores[0], scores[1])


@pytest.mark.parametrize(
    "criterion",
    [
        "prediction-strength",
        pytest.param("partition-similarity", marks=pytest.mark.slow),
        pytest.param(adjusted_rand_score, marks=pytest.mark.slow),
    ],
)
def test_batched_is_model_by_model_for_odd_numbers(blobs, criterion):
    """Of halves of two sizes, each is scored by its own."""
    K = rbf_kernel(blobs[1 - len(blobs) % 2 :], gamma=0.1)
    assert len(K) % 2
    scores = []
    for clusterer in (KernelKMeans, Unbatched):
        model = clusterer(kernel="precomputed", n_init=2)
        choice = PredictionStrengthK(model, criterion=criterion, **FEW).fit(K)
        scores.append(choice.scores_)
    assert_allclose(scores[0], scores[1])
    assert np.nanmax(scores) <= 1


@pytest.mark.parametrize("lazy", [False, True])
def test_batched_is_model_by_model_from_features(blobs, lazy):
    scores = []
    for clusterer in (KernelKMeans, Unbatched):
        pipeline = make_pipeline(
            StandardScaler(),
            PairwiseKernel("rbf", gamma=0.3, lazy=lazy),
            DiagonalShift(0.1),
            clusterer(kernel="precomputed", n_init=3),
        )
        scores.append(PredictionStrengthK(pipeline, **FEW).fit(blobs).scores_)
    assert_allclose(scores[0], scores[1])


@pytest.mark.parametrize(
    "estimator",
    [
        KernelKMeans(n_init=2, gamma=0.1),
        KernelKMeans(n_init=2, kernel="linear", algorithm="hartigan"),
        BisectingKernelKMeans(gamma=0.1),
        PDDP(),
        KPDDP(kernel="linear"),
        SpectralClustering(gamma=0.1),
        KernelPCAKMeans(kernel="rbf", gamma=0.1),
        KMeans(n_init=2),
        BisectingKMeans(),
        make_pipeline(StandardScaler(), KMeans(n_init=2)),
        make_pipeline(
            PairwiseKernel("rbf", gamma=0.1), KernelKMeans(kernel="precomputed")
        ),
    ],
    ids=repr,
)
def test_any_clusterer_that_predicts(blobs, estimator):
    choice = PredictionStrengthK(estimator, **FEW).fit(blobs)
    assert choice.best_k_ == 3
    assert choice.scores_.shape == (4, 4)
    assert_array_equal(choice.predict(blobs), choice.labels_)
    assert len(np.unique(choice.labels_)) == 3


def test_steps_before_are_fitted_once_on_each_half(blobs):
    """For all numbers of clusters, and to the same end as within each model."""
    fitted = []

    class Scaler(StandardScaler):
        def fit(self, X, y=None, sample_weight=None):
            fitted.append(len(X))
            return super().fit(X)

    choice = PredictionStrengthK(make_pipeline(Scaler(), KMeans(n_init=2)), **FEW)
    choice.fit(blobs)
    assert fitted == [60] * 2 * 4 + [120]
    split = Split.drawn(120, 4, np.random.RandomState(0).randint(2**31 - 1, size=5)[0])
    a, b = split.halves
    for k, (of_a, of_b), score in zip(range(2, 6), split.seeds, choice.scores_[:, 0]):
        of_halves = [
            make_pipeline(StandardScaler(), KMeans(k, n_init=2, random_state=seed))
            for seed in (of_a, of_b)
        ]
        labels = [
            m.fit_predict(blobs[half]) for m, half in zip(of_halves, split.halves)
        ]
        values = [
            prediction_strength_score(
                labels[0], of_halves[1].predict(blobs[a]), adjust_for_chance=True
            ),
            prediction_strength_score(
                labels[1], of_halves[0].predict(blobs[b]), adjust_for_chance=True
            ),
        ]
        assert score == pytest.approx(np.mean(values))


def test_a_step_that_fails_has_a_reason():
    pipeline = make_pipeline(CountVectorizer(stop_words=["a"]), KMeans(n_init=1))
    with pytest.raises(ValueError, match=r"could not be scored .* empty vocabulary"):
        PredictionStrengthK(pipeline, **FEW).fit(["a", "a a"] * 20)


def test_another_name_for_the_number_of_clusters(blobs):
    choice = PredictionStrengthK(
        GaussianMixture(n_init=2), param_name="n_components", **FEW
    ).fit(blobs)
    assert choice.best_k_ == 3
    assert choice.best_params_ == {"n_components": 3}
    assert_array_equal(choice.cv_results_["param_n_components"], [2, 3, 4, 5])
    assert choice.best_estimator_.n_components == 3


def test_without_predict():
    with pytest.raises(TypeError, match="AgglomerativeClustering has no predict"):
        PredictionStrengthK(AgglomerativeClustering()).fit(np.eye(8))


@pytest.mark.parametrize("lazy", [False, True])
@pytest.mark.parametrize("rate", [None, 2])
def test_a_pipeline_on_a_kernel(blobs, rate, lazy):
    """Kernel transforms are fitted once on all objects, or on all prototypes."""
    K = rbf_kernel(blobs, gamma=0.1)
    pipeline = make_pipeline(
        SubpolynomialKernel(0.8),
        DiagonalShift(),
        KernelKMeans(kernel="precomputed", n_init=3),
    )
    whole = K if rate is None else PrototypeReducer(rate).fit(K).reduced_gram_
    transformed = pipeline[:-1].fit_transform(whole)
    expected = PredictionStrengthK(pipeline[-1], **FEW).fit(transformed)
    X = PairwiseKernel(kernel="precomputed", lazy=True).fit_transform(K) if lazy else K
    choice = PredictionStrengthK(pipeline, reduction_rate=rate, **FEW).fit(X)
    assert_allclose(choice.scores_, expected.scores_)
    assert choice.best_k_ == 3
    assert len(choice.labels_) == len(K)
    assert_array_equal(choice.predict(X), choice.labels_)


def test_reduction_from_features(blobs):
    """Prototypes need a kernel, wherever in a pipeline it is."""
    K = rbf_kernel(StandardScaler().fit_transform(blobs), gamma=0.3)
    kernel_kmeans = KernelKMeans(kernel="precomputed", n_init=3)
    shift = DiagonalShift()
    expected = PredictionStrengthK(
        make_pipeline(shift, kernel_kmeans), reduction_rate=2, **FEW
    ).fit(K)
    for lazy in (False, True):
        pipeline = make_pipeline(
            StandardScaler(),
            PairwiseKernel("rbf", gamma=0.3, lazy=lazy),
            shift,
            kernel_kmeans,
        )
        choice = PredictionStrengthK(pipeline, reduction_rate=2, **FEW).fit(blobs)
        assert_allclose(choice.scores_, expected.scores_)
        assert choice.predict(blobs).shape == (120,)
    alone = PredictionStrengthK(
        KernelKMeans(kernel="rbf", gamma=0.3, n_init=3), reduction_rate=2, **FEW
    ).fit(StandardScaler().fit_transform(blobs))
    without_shift = PredictionStrengthK(kernel_kmeans, reduction_rate=2, **FEW).fit(K)
    assert_allclose(alone.scores_, without_shift.scores_)
    with pytest.raises(ValueError, match="reduction_rate=4 needs a kernel"):
        PredictionStrengthK(KMeans(), reduction_rate=4).fit(blobs)


@pytest.mark.parametrize(
    "steps",
    [
        [KernelCenterer(), KernelKMeans(kernel="precomputed")],
        [EmpiricalKernelMap(), KernelKMeans(kernel="precomputed")],
        [PowerMeanNormalizer(kernel="precomputed"), KPDDP(kernel="precomputed")],
        [KernelPCA(3, kernel="precomputed"), KMeans(n_init=3)],
    ],
    ids=lambda steps: "-".join(type(step).__name__ for step in steps),
)
@pytest.mark.parametrize("rate", [None, 2])
def test_other_steps_on_a_kernel(blobs, steps, rate):
    K = rbf_kernel(blobs, gamma=0.1)
    choice = PredictionStrengthK(make_pipeline(*steps), reduction_rate=rate, **FEW)
    assert choice.fit(K).best_k_ == 3


# Of a shifted kernel, clusters beyond the three may not be found.
@pytest.mark.filterwarnings("ignore:.*could not be scored")
def test_strings():
    """Raw strings, on each half and by prototypes."""
    rng = np.random.default_rng(0)
    alphabets = ["abc", "def", "ghi"]
    strings = ["".join(rng.choice(list(alphabets[i % 3]), 20)) for i in range(60)]
    pipeline = make_pipeline(
        StringKernel(2, lazy=True), DiagonalShift(), KernelKMeans(kernel="precomputed")
    )
    for rate in (None, 2):
        choice = PredictionStrengthK(pipeline, reduction_rate=rate, **FEW).fit(strings)
        assert choice.best_k_ == 3
        assert adjusted_rand_score(np.arange(60) % 3, choice.labels_) == 1
        assert len(np.unique(choice.predict(["abcabc", "dedede", "ghighi"]))) == 3


def test_the_table(blobs):
    choice = PredictionStrengthK(KernelKMeans(n_init=2, gamma=0.1), **FEW).fit(blobs)
    table = choice.cv_results_
    assert table["params"] == [{"n_clusters": k} for k in range(2, 6)]
    assert_allclose(table["mean_test_score"], choice.scores_.mean(axis=1))
    assert_allclose(table["std_test_score"], choice.scores_.std(axis=1))
    assert (table["mean_raw_score"] >= table["mean_test_score"]).all()
    assert (table["mean_fit_time"] > 0).all()
    by_rank = np.argsort(table["rank_test_score"])
    assert_array_equal(table["param_n_clusters"][by_rank], choice.ranking_)
    assert choice.ranking_[0] == choice.best_k_ == 3
    assert choice.best_index_ == 1
    assert choice.best_score_ == table["mean_test_score"][1]
    plain = PredictionStrengthK(
        KernelKMeans(n_init=2, gamma=0.1), adjust_for_chance=False, **FEW
    ).fit(blobs)
    assert_allclose(plain.scores_.mean(axis=1), table["mean_raw_score"])


def test_criteria(blobs):
    def first_agrees(labels, predicted):
        return float(labels[0] == predicted[0])

    for criterion in ("partition-similarity", first_agrees):
        choice = PredictionStrengthK(KMeans(n_init=2), criterion=criterion, **FEW).fit(
            blobs
        )
        assert choice.scores_.max() <= 1
    similar = PredictionStrengthK(
        KMeans(n_init=2), criterion="partition-similarity", **FEW
    )
    assert similar.fit(blobs).best_k_ == 3


def test_threshold(blobs):
    model = KernelKMeans(n_init=2, gamma=0.1)
    choice = PredictionStrengthK(model, select="threshold", **FEW).fit(blobs)
    assert choice.best_k_ == 3
    assert choice.ranking_[0] == 3
    noise = np.random.default_rng(0).uniform(size=(200, 10))
    with pytest.warns(UserWarning, match=r"above threshold=0\.8, the highest is"):
        choice = PredictionStrengthK(model, select="threshold", **FEW).fit(noise)
    assert choice.best_k_ == 1
    assert choice.best_index_ == -1
    assert np.isnan(choice.best_score_)
    assert not choice.labels_.any()
    assert len(choice.ranking_) == 4


def test_one_cluster_is_no_better_than_chance(blobs):
    choice = PredictionStrengthK(KMeans(n_init=1), n_clusters=[1, 3], n_splits=3)
    choice.fit(blobs)
    assert_array_equal(choice.scores_[0], 0)
    assert_array_equal(choice.cv_results_["mean_raw_score"][0], 1)


def test_numbers_that_cannot_be_scored(blobs):
    few = blobs[:16]
    with pytest.warns(UserWarning, match=r"\[9, 40\] clusters could not be scored on "):
        choice = PredictionStrengthK(
            KernelKMeans(n_init=1), n_clusters=[40, 2, 9, 3, 3], n_splits=3
        ).fit(few)
    assert_array_equal(choice.cv_results_["param_n_clusters"], [2, 3, 9, 40])
    assert np.isnan(choice.scores_[2:]).all()
    assert np.isfinite(choice.scores_[:2]).all()
    assert set(choice.ranking_[2:]) == {9, 40}
    with pytest.raises(ValueError, match=r"\[9\] clusters could not .* 8 objects are"):
        PredictionStrengthK(KMeans(), n_clusters=[9]).fit(few)


def test_not_as_many_clusters_as_objects():
    """The few pairs of nearly as many clusters as objects say nothing."""
    noise = np.random.default_rng(0).uniform(size=(24, 5))
    with pytest.warns(UserWarning, match=r"\[7, 11\] .* not two for each cluster"):
        choice = PredictionStrengthK(
            KernelKMeans(kernel="linear", n_init=2),
            n_clusters=[2, 6, 7, 11],
            n_splits=5,
            random_state=0,
        ).fit(noise)
    assert choice.best_k_ in (2, 6)


def test_fewer_distinct_objects_than_clusters():
    X = np.repeat([[0.0], [1.0], [5.0]], 10, axis=0)
    with pytest.warns(UserWarning, match=r"\[4\].*only 3 clusters were found"):
        choice = PredictionStrengthK(
            KernelKMeans(kernel="linear"), n_clusters=[2, 3, 4], n_splits=5
        ).fit(X)
    assert choice.best_k_ == 3


@pytest.mark.filterwarnings("error::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize(
    "estimator", [KMeans(n_init=1), KernelKMeans(n_init=1, algorithm="hartigan")]
)
def test_one_warning_for_all_halves(estimator):
    X = np.repeat([[0.0], [1.0], [5.0]], 10, axis=0)
    with pytest.warns(UserWarning, match=r"\[4\].*only 3 clusters") as record:
        PredictionStrengthK(estimator, n_clusters=[3, 4], n_splits=5).fit(X)
    assert len(record) == 1
    assert record[0].filename == __file__


def test_the_reason_is_that_of_the_number_told():
    """One half has a single distinct object now and then, which loses no k."""
    X = np.r_[np.zeros(10), 1.0, 2.0][:, None]
    with pytest.warns(UserWarning, match=r"\[4\] .*: 6 objects are not two"):
        PredictionStrengthK(
            KernelKMeans(kernel="linear"),
            n_clusters=[2, 4],
            n_splits=20,
            random_state=0,
        ).fit(X)


@pytest.mark.parametrize(
    "params, error, message",
    [
        ({"n_clusters": []}, ValueError, "at least one number"),
        ({"n_clusters": [0, 2]}, ValueError, "at least 1, got 0"),
        ({"n_clusters": [2.5]}, ValueError, "must hold integers"),
        ({"n_splits": 0}, ValueError, "n_splits"),
        ({"criterion": "strength"}, ValueError, "criterion"),
        ({"param_name": "n_groups"}, ValueError, "'n_groups' is no parameter"),
        ({"select": "min"}, ValueError, "select"),
    ],
)
def test_bad_parameters(blobs, params, error, message):
    with pytest.raises(error, match=message):
        PredictionStrengthK(KMeans(), **params).fit(blobs)


@pytest.mark.parametrize(
    "params, message",
    [({"n_init": 0}, "'n_init' parameter"), ({"kernel": "rbv"}, "'kernel' parameter")],
)
def test_bad_parameters_of_the_model(blobs, params, message):
    with pytest.raises(ValueError, match=message):
        PredictionStrengthK(KernelKMeans(**params), **FEW).fit(blobs)


def test_bad_input():
    with pytest.raises(ValueError, match="at least 4 objects, got n_samples=3"):
        PredictionStrengthK(KMeans(), n_clusters=[2]).fit(np.eye(3))
    with pytest.raises(ValueError, match="NaN"):
        PredictionStrengthK(KMeans(), n_splits=2).fit(np.full((40, 2), np.nan))
    with pytest.raises(ValueError, match="must be symmetric"):
        PredictionStrengthK(KernelKMeans(kernel="precomputed")).fit(
            np.random.default_rng(0).normal(size=(30, 30))
        )


def test_few_prototypes(blobs):
    with pytest.raises(ValueError, match="got n_samples=3 prototypes"):
        PredictionStrengthK(KernelKMeans(), reduction_rate=5).fit(blobs[:15])


def test_a_criterion_that_is_not_a_number(blobs):
    with pytest.raises(ValueError, match="the criterion is NaN"):
        PredictionStrengthK(
            KMeans(n_init=1), criterion=lambda labels, predicted: np.nan, **FEW
        ).fit(blobs)


@pytest.mark.parametrize("rate", [None, 2])
def test_passthrough_in_front_of_a_kernel(blobs, rate):
    K = rbf_kernel(blobs, gamma=0.1)
    model = KernelKMeans(kernel="precomputed", n_init=2)
    alone = PredictionStrengthK(model, reduction_rate=rate, **FEW).fit(K)
    pipeline = make_pipeline("passthrough", model)
    behind = PredictionStrengthK(pipeline, reduction_rate=rate, **FEW).fit(K)
    assert_allclose(behind.scores_, alone.scores_)


def test_prototypes_as_features(blobs):
    """Similarities to prototypes are no kernel: they are learnt on each half."""
    pipeline = make_pipeline(PrototypeReducer(), KMeans(n_init=2))
    choice = PredictionStrengthK(pipeline, **FEW).fit(rbf_kernel(blobs, gamma=0.1))
    assert choice.best_k_ == 3


def test_sparse_kernels(blobs):
    K = csr_array(rbf_kernel(blobs, gamma=0.1))
    for model in (
        KernelKMeans(kernel="precomputed", n_init=2),
        SpectralClustering(kernel="precomputed"),
    ):
        choice = PredictionStrengthK(model, **FEW).fit(K)
        dense = PredictionStrengthK(model, **FEW).fit(K.toarray())
        assert_allclose(choice.scores_, dense.scores_)
    shifted = make_pipeline(DiagonalShift(), KernelKMeans(kernel="precomputed"))
    with pytest.raises(TypeError, match="Sparse data was passed"):
        # At once: the refit would refuse it in the end.
        PredictionStrengthK(shifted, n_splits=10**6).fit(K)


def test_nothing_is_left_of_an_earlier_fit(blobs):
    frame = pytest.importorskip("pandas").DataFrame(blobs, columns=list("abc"))
    choice = PredictionStrengthK(KMeans(n_init=1), **FEW).fit(frame)
    assert list(choice.feature_names_in_) == ["a", "b", "c"]
    choice.fit(blobs)
    assert not hasattr(choice, "feature_names_in_")
    choice.set_params(refit=False).fit(blobs)
    assert not hasattr(choice, "labels_")
    assert not hasattr(choice, "best_estimator_")


def test_an_interrupt_leaves_it_as_it_was(blobs):
    choice = PredictionStrengthK(KMeans(n_init=1), **FEW).fit(blobs)
    before = dict(vars(choice))

    def interrupt(labels, predicted):
        raise KeyboardInterrupt

    choice.set_params(criterion=interrupt)
    with pytest.raises(KeyboardInterrupt):
        choice.fit(blobs[:50])
    assert vars(choice) == before | {"criterion": interrupt}


def test_without_refit(blobs):
    choice = PredictionStrengthK(KMeans(n_init=2), refit=False, **FEW).fit(blobs)
    assert choice.best_k_ == 3
    assert not hasattr(choice, "labels_")
    with pytest.raises(AttributeError, match="predict"):
        choice.predict(blobs)


def test_the_estimator_is_left_alone(blobs):
    model = KernelKMeans(n_init=2, random_state=5)
    before = model.get_params()
    choice = PredictionStrengthK(model, **FEW).fit(blobs)
    assert model.get_params() == before
    assert not hasattr(model, "labels_")
    assert choice.best_estimator_.random_state == 5
    again = pickle.loads(pickle.dumps(choice))
    assert_array_equal(again.predict(blobs), choice.labels_)
    assert clone(choice).fit(blobs).best_k_ == choice.best_k_


def test_last_step_and_search(blobs):
    """It is a clusterer itself."""
    inner = PredictionStrengthK(KMeans(n_init=2), **FEW)
    pipeline = make_pipeline(StandardScaler(), inner).fit(blobs)
    assert pipeline[-1].best_k_ == 3
    assert_array_equal(pipeline.predict(blobs), pipeline[-1].labels_)
    classes = KMeans(3, n_init=5, random_state=0).fit_predict(blobs)
    search = GridSearchCV(
        pipeline,
        {"predictionstrengthk__estimator__n_init": [2]},
        scoring="adjusted_rand_score",
        cv=2,
    )
    assert search.fit(blobs, classes).best_score_ == 1


@pytest.mark.parametrize(
    "estimator", [KMeans(n_init=1), KernelKMeans(n_init=1, kernel="linear")]
)
def test_score_is_that_of_the_best_model(blobs, estimator):
    choice = PredictionStrengthK(estimator, **FEW).fit(blobs)
    assert choice.score(blobs) == choice.best_estimator_.score(blobs)
    search = GridSearchCV(choice, {"estimator__n_init": [1, 2]}, cv=2).fit(blobs)
    assert np.isfinite(search.best_score_)


def test_no_score_without_a_model_that_has_one():
    assert hasattr(PredictionStrengthK(KMeans()), "score")
    assert not hasattr(PredictionStrengthK(KMeans(), refit=False), "score")
    assert not hasattr(PredictionStrengthK(MeanShift()), "score")


def test_progress(blobs):
    """A callback hears of every split, and may end the work."""
    pytest.importorskip("sklearn.callback")

    class Counter:
        n_ends, max_propagation_depth = 0, 0

        def setup(self, *args, **kwargs): ...

        def teardown(self, *args, **kwargs): ...

        def on_fit_task_begin(self, *args, **kwargs): ...

        def on_fit_task_end(self, *args, **kwargs):
            Counter.n_ends += 1
            return Counter.n_ends >= 3

    choice = PredictionStrengthK(KMeans(n_init=1), **FEW)
    choice.set_callbacks(Counter()).fit(blobs)
    assert choice.scores_.shape == (4, 3)
    assert choice.n_splits_ == 3
