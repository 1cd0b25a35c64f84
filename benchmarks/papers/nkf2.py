"""NK Figure 2: kernel-PCA k-means with normalised kernels.

NMI (geometric mean) of kernel-PCA k-means, the mean of five seeds, for the
self-tuning Gaussian kernel and for linear and polynomial kernels normalised
with the power mean of order t; with centred and with uncentred components.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from matplotlib.figure import Figure
from sklearn.metrics import normalized_mutual_info_score

from benchmarks.papers.data import read_features
from benchmarks.papers.published import published
from benchmarks.papers.report import Result, Table
from sklearn_kernelclust import (
    KernelPCAKMeans,
    LocalScalingKernel,
    PowerMeanNormalizer,
)

TITLE = "NK Figure 2: NMI of kernel-PCA k-means"
SETS = ("iris", "ecoli", "pima", "yeast", "segmentation")
ORDERS = (0.0, 1.0, 10.0, np.inf)
KERNELS = {
    "linear": {"kernel": "linear"},
    "polynomial": {"kernel": "poly", "degree": 2, "gamma": 1.0, "coef0": 1.0},
}
SEEDS = range(5)


def run(folder, quick):
    records, paper = [], published("nkf2")
    for data in SETS:
        k = int(paper[data, "clusters"])
        X, y = read_features(folder, data)
        for kernel, t, K in kernels(X):
            for center in (False, True):
                scores = nmi(K, y, k, center)
                records.append(
                    {
                        "data": data,
                        "kernel": kernel,
                        "t": t,
                        "centred": center,
                        "nmi": float(np.mean(scores)),
                        "std": float(np.std(scores)),
                    }
                )
    parts = [
        "Mean of 5 seeds, one k-means start each.",
        *map(table, *by_centre(records)),
    ]
    found = [f for own, _ in zip(*by_centre(records)) for f in findings(own)]
    return Result(records, parts, found, DEVIATIONS, picture(records))


def by_centre(records):
    """Records with uncentred and with centred components, and what to call them."""
    kinds = (False, True)
    own = [[r for r in records if r["centred"] == c] for c in kinds]
    return own, ["Not centred", "Centred"]


def kernels(X):
    """Name of the kernel, order of its normalisation, and its matrix."""
    yield "self-tuning", "", LocalScalingKernel().fit_transform(X)
    for name, parameters in KERNELS.items():
        for t in ORDERS:
            K = PowerMeanNormalizer(t=t, **parameters).fit_transform(X)
            yield name, f"{t:g}", K


def nmi(K, y, k, center):
    """NMI for each seed; one start a run, as in the paper."""
    model = KernelPCAKMeans(k, kernel="precomputed", center=center, n_init=1)
    return [
        normalized_mutual_info_score(
            y,
            model.set_params(random_state=seed).fit_predict(K),
            average_method="geometric",
        )
        for seed in SEEDS
    ]


def column(record):
    return f"{record['kernel']} t={record['t']}" if record["t"] else record["kernel"]


def table(records, heading):
    heads = list(dict.fromkeys(map(column, records)))
    rows = [[data, *[r["nmi"] for r in records if r["data"] == data]] for data in SETS]
    return Table(["data", *heads], rows, heading)


def findings(records):
    """What the paper reads off its figure."""
    centred = "centred" if records[0]["centred"] else "not centred"
    nmi = {(r["data"], r["kernel"], r["t"]): r["nmi"] for r in records}
    orders = [f"{t:g}" for t in ORDERS]
    linear = {d: [nmi[d, "linear", t] for t in orders] for d in SETS}
    poly = {d: [nmi[d, "polynomial", t] for t in orders] for d in SETS}
    own = {d: nmi[d, "self-tuning", ""] for d in SETS}
    claims = [
        (
            "linear: every t > 0 beats the cosine, but for segmentation",
            {d: min(v[1:]) > v[0] for d, v in linear.items() if d != "segmentation"},
        ),
        (
            "linear: some t > 0 beats the cosine, but for segmentation",
            {d: max(v[1:]) > v[0] for d, v in linear.items() if d != "segmentation"},
        ),
        (
            "linear: better and better as t grows, on iris, ecoli, yeast",
            {d: linear[d] == sorted(linear[d]) for d in ("iris", "ecoli", "yeast")},
        ),
        (
            "every t beats the self-tuning kernel, linear",
            {d: min(v) > own[d] for d, v in linear.items()},
        ),
        (
            "every t beats the self-tuning kernel, polynomial",
            {d: min(v) > own[d] for d, v in poly.items()},
        ),
        (
            "polynomial: t = 1 is the best on iris and pima",
            {d: max(poly[d]) == poly[d][1] for d in ("iris", "pima")},
        ),
        (
            "polynomial: t = 10 is the best on segmentation",
            {"segmentation": max(poly["segmentation"]) == poly["segmentation"][2]},
        ),
    ]
    for text, holds in claims:
        failed = [d for d, v in holds.items() if not v]
        seen = f"not on {', '.join(failed)}" if failed else "on all"
        yield f"{text} ({centred})", not failed, seen


def picture(records):
    figure = Figure(figsize=(10, 3.6), layout="constrained")
    uncentred = by_centre(records)[0][0]
    for axes, kernel in zip(figure.subplots(1, 2, sharey=True), KERNELS):
        own = [r for r in uncentred if r["kernel"] in (kernel, "self-tuning")]
        heads = list(dict.fromkeys(map(column, own)))
        for place, head in enumerate(heads):
            values = [r["nmi"] for r in own if column(r) == head]
            x = np.arange(len(SETS)) + (place - 2) * 0.16
            axes.bar(x, values, width=0.16, label=head)
        axes.set_xticks(np.arange(len(SETS)), list(SETS))
        axes.set(ylabel="NMI", title=f"{kernel} kernel, not centred")
        axes.legend(fontsize="x-small")
    return figure


DEVIATIONS = [
    "The paper does not say whether the components are centred: both are shown, and "
    "neither bears out all that it says. It shows its numbers as bars only.",
    "Yeast has more classes than the clusters that the paper asks for; so does this.",
    "Pima's zeros, which stand for missing values, are left as they are.",
]
