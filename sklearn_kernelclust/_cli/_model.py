"""The pipeline that the options ask for, from texts or features to clusters."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

from sklearn.feature_extraction.text import (
    CountVectorizer,
    TfidfTransformer,
    TfidfVectorizer,
)
from sklearn.preprocessing import Normalizer, StandardScaler

from sklearn_kernelclust import (
    KPDDP,
    PDDP,
    DiagonalShift,
    KernelKMeans,
    KernelPCAKMeans,
    PairwiseKernel,
    PowerMeanNormalizer,
    SpectralClustering,
    StringKernel,
    SubpolynomialKernel,
)
from sklearn_kernelclust._cli._kernel_choice import KernelChoice
from sklearn_kernelclust._cli._languages import (
    stop_words,
    token_pattern,
    warn_of_language,
)
from sklearn_kernelclust._cli._reading import BadInputError
from sklearn_kernelclust._utils._warnings import warn_user

# Above this ratio the diagonal dominates. Below it, a shift would make clusters
# of single objects.
DOMINANT = 5.0

# Words in fewer documents are ignored, unless there are few documents.
MIN_DF = 3
FEW_DOCUMENTS = 30


@dataclass
class Plan:
    """Unfitted steps of a pipeline, with a description of the kernel.

    Attributes
    ----------
    features : list of (str, transformer)
        From texts to features; empty for features and for string kernels.
    kernel : list of (str, transformer)
        From features or texts to a lazy kernel.
    sigma : float, "zero-trace" or "auto"
        Shift of the diagonal of the kernel, 0 for none. "auto" depends on the
        dominance ratio, see `shift`.
    method : str
        Name of the clusterer, which `clusterer` makes.
    words : str
        Description of the kernel.
    seed : int
        Seed of the random numbers.
    init : str or None
        How kernel k-means starts, None for the first of `starts`.
    describer : TfidfVectorizer or None
        Counts words that describe clusters, where vectors are clustered.
    n_once : int
        Number of steps that a tree fits once: what counts words, compares
        strings, or scales the columns of a table. All others are fitted in each
        of its nodes.
    """

    features: list
    kernel: list
    sigma: object
    method: str
    words: str
    seed: int
    init: str | None = None
    n_once: int = 0
    describer: object = None

    @property
    def on_features(self):
        """Whether the clusterer takes features instead of a kernel."""
        return self.method == "pddp"

    def shift(self, dominance):
        """Steps that shift the diagonal of a kernel with this dominance ratio."""
        sigma = self.sigma
        if sigma == "auto":
            sigma = "zero-trace" if dominance > DOMINANT else 0.0
        return [] if sigma == 0 else [("shift", DiagonalShift(sigma))]

    def clusterer(self, n_clusters, shifted):
        """The last step, for a kernel with or without a shift."""
        kernel, seed = "precomputed", self.seed
        if self.method == "pddp":
            return PDDP(n_clusters, split="2-means")
        if self.method == "kpddp":
            return KPDDP(n_clusters, split="2-means", kernel=kernel)
        if self.method == "spectral":
            return SpectralClustering(n_clusters, kernel=kernel, random_state=seed)
        if self.method == "kernel-pca":
            return KernelPCAKMeans(n_clusters, kernel=kernel, random_state=seed)
        init = self.init or starts(shifted)[0]
        return KernelKMeans(n_clusters, kernel=kernel, init=init, random_state=seed)


def starts(shifted):
    """Starts of kernel k-means to try, the usual one first.

    Where the diagonal dominates, seeds far from each other are mostly outliers, and
    random labels are better, as in the papers. But random labels merge clusters that
    are far apart.
    """
    return ["random", "k-means++"] if shifted else ["k-means++"]


def make_plan(options, corpus):
    """Steps for this corpus."""
    is_text = corpus.features is None
    has_texts = is_text or bool(corpus.texts)
    kernel = options.kernel or default_kernel(options, has_texts)
    _check_kernel(kernel, is_text, corpus)
    words_beside = has_texts and not is_text
    if corpus.left_out:
        warn_user(
            f"Left out {', '.join(corpus.left_out)}: these columns are categories, "
            "empty, or count the rows."
        )
    return Plan(
        _feature_steps(kernel, options, corpus),
        _kernel_steps(kernel, options),
        _sigma(kernel, options, is_text),
        options.method,
        _in_words(kernel, options, is_text),
        options.seed,
        n_once=int(is_text or bool(corpus.feature_names)),
        describer=(
            vectorizer(options, len(corpus), corpus.texts) if words_beside else None
        ),
    )


def default_kernel(options, is_text):
    """Default kernel. With `--t` it is linear, because `--t` normalizes the lengths."""
    if options.method == "pddp" or options.t is not None:
        return KernelChoice("linear")
    return (
        KernelChoice("cosine") if is_text else KernelChoice("rbf", {"gamma": "scale"})
    )


def vectorizer(options, n_documents, texts=()):
    """Weights (1 + ln tf) (1 + ln n/df), of unit length unless `--t` is given."""
    warn_of_language(texts, options.stop_words)
    min_df = options.min_df
    if min_df is None:
        min_df = MIN_DF if n_documents >= FEW_DOCUMENTS else 1
    return TfidfVectorizer(
        stop_words=stop_words(options),
        token_pattern=token_pattern(texts),
        min_df=min_df,
        sublinear_tf=True,
        smooth_idf=False,
        norm="l2" if options.t is None else None,
    )


def counter_and_weights(options, n_documents, texts=()):
    """The same as two steps: a tree counts words once, and weighs them in each node."""
    both = vectorizer(options, n_documents, texts)
    counter = CountVectorizer(
        stop_words=both.stop_words,
        token_pattern=both.token_pattern,
        min_df=both.min_df,
    )
    # Smoothed: a word of new documents may be in none of a node.
    weights = TfidfTransformer(norm=both.norm, sublinear_tf=True, smooth_idf=True)
    return [("words", counter), ("weights", weights)]


def _check_kernel(kernel, is_text, corpus):
    if kernel.name == "string" and not is_text:
        raise BadInputError(
            f"--kernel {kernel} needs texts, and {corpus.source} holds numbers."
        )
    if kernel.name == "precomputed" and (is_text or corpus.feature_names):
        raise BadInputError(
            f"--kernel precomputed needs an .npy or .npz file, not {corpus.source}."
        )
    if kernel.name == "precomputed":
        n_rows, n_columns = corpus.features.shape
        if n_rows != n_columns:
            raise BadInputError(
                f"A kernel matrix must be square; {corpus.source} has shape "
                f"{corpus.features.shape}."
            )


def _feature_steps(kernel, options, corpus):
    if corpus.features is None and kernel.name != "string":
        if options.k is None:
            return counter_and_weights(options, len(corpus), corpus.texts)
        return [("words", vectorizer(options, len(corpus), corpus.texts))]
    # Columns of a table have units of their own.
    steps = [("scale", StandardScaler())] if corpus.feature_names else []
    if options.method == "pddp" and kernel.name == "cosine":
        steps.append(("unit", Normalizer()))
    return steps


def _kernel_steps(kernel, options):
    steps = []
    if kernel.name == "string":
        normalize = options.t is None
        steps.append(
            (
                "kernel",
                StringKernel(**kernel.parameters, normalize=normalize, lazy=True),
            )
        )
    elif options.t is None:
        given = PairwiseKernel(kernel.name, **kernel.parameters, lazy=True)
        steps.append(("kernel", given))
    if options.t is not None:
        given = {} if steps else {"kernel": kernel.name, **kernel.parameters}
        steps.append(("normalizer", PowerMeanNormalizer(options.t, **given, lazy=True)))
    if options.p is not None:
        steps.append(("power", SubpolynomialKernel(options.p)))
    return steps


def _sigma(kernel, options, is_text):
    """Shift of the diagonal. Features get none: their origin is arbitrary."""
    if options.shift is not None:
        return options.shift
    comparable = is_text or kernel.name == "precomputed"
    return "auto" if options.method == "kernel-kmeans" and comparable else 0.0


def _in_words(kernel, options, is_text):
    of = "log tf x idf" if is_text and kernel.name != "string" else None
    parts = [f"{kernel} of {of}" if of else str(kernel)]
    if options.t is not None:
        parts.append(f"normalized of order {options.t:g}")
    if options.p is not None:
        parts.append(f"to the power {options.p:g}")
    return ", ".join(parts)
