"""Figure 2 of "Normalized Kernels as Similarity Indices" as a table.

``python benchmarks/papers/nk_figure2.py --data DIR`` reads iris, ecoli, pima,
yeast and segmentation (CSV files, the last column is the label) from DIR and
writes ``results/nk_figure2.csv`` and ``results/nk_figure2.md`` beside itself:
NMI (geometric mean) of kernel-PCA k-means, the mean of five seeds, for the
self-tuning Gaussian kernel and for linear and polynomial kernels normalised
with the power mean of order t; with centred and with uncentred components.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import csv
import warnings
from pathlib import Path

import numpy as np
from sklearn.metrics import normalized_mutual_info_score
from sklearn.preprocessing import StandardScaler

from sklearn_kernelclust import (
    KernelPCAKMeans,
    LocalScalingKernel,
    PowerMeanNormalizer,
)

# Number of clusters as the paper gives it.
CLUSTERS = {"iris": 3, "ecoli": 8, "pima": 2, "yeast": 8, "segmentation": 7}
ORDERS = [0.0, 1.0, 10.0, np.inf]
KERNELS = {
    "linear": {"kernel": "linear"},
    "polynomial": {"kernel": "poly", "degree": 2, "gamma": 1.0, "coef0": 1.0},
}
SEEDS = range(5)
RESULTS = Path(__file__).parent / "results"


def load(folder, name):
    """Standardised features without constant ones, and labels."""
    with open(folder / f"{name}.csv", newline="") as file:
        rows = list(csv.reader(file))[1:]
    X = np.array([row[:-1] for row in rows], dtype=float)
    X = X[:, np.ptp(X, axis=0) > 0]
    return StandardScaler().fit_transform(X), np.array([row[-1] for row in rows])


def kernels(X):
    """Name of the kernel, order of its normalisation, and its matrix."""
    yield "self-tuning", "", LocalScalingKernel().fit_transform(X)
    for name, parameters in KERNELS.items():
        for t in ORDERS:
            yield name, t, PowerMeanNormalizer(t=t, **parameters).fit_transform(X)


def measure(K, y, k, center):
    """Mean and standard deviation of the NMI over all seeds."""
    scores = []
    for seed in SEEDS:
        # One start a run, as in the paper.
        model = KernelPCAKMeans(
            k, kernel="precomputed", center=center, n_init=1, random_state=seed
        )
        labels = model.fit_predict(K)
        scores.append(
            normalized_mutual_info_score(y, labels, average_method="geometric")
        )
    return float(np.mean(scores)), float(np.std(scores))


def run(folder):
    rows = []
    for data, k in CLUSTERS.items():
        X, y = load(folder, data)
        for kernel, t, K in kernels(X):
            for center in (False, True):
                mean, deviation = measure(K, y, k, center)
                rows.append((data, kernel, t, center, mean, deviation))
        print(data, "done", flush=True)
    return rows


def findings(rows, center):
    """What the paper reads off its figure, checked on this table."""
    nmi = {(d, name, t): mean for d, name, t, c, mean, _ in rows if c == center}
    linear = {d: [nmi[d, "linear", t] for t in ORDERS] for d in CLUSTERS}
    poly = {d: [nmi[d, "polynomial", t] for t in ORDERS] for d in CLUSTERS}
    yield (
        "linear: every t > 0 beats t = 0",
        {d: min(v[1:]) > v[0] for d, v in linear.items()},
    )
    yield (
        "linear: some t > 0 beats t = 0",
        {d: max(v[1:]) > v[0] for d, v in linear.items()},
    )
    yield "linear: rises with t", {d: v == sorted(v) for d, v in linear.items()}
    yield (
        "linear: every t beats the self-tuning kernel",
        {d: min(v) > nmi[d, "self-tuning", ""] for d, v in linear.items()},
    )
    yield (
        "polynomial: t = 1 is the best t",
        {d: max(v) == v[1] for d, v in poly.items()},
    )
    yield (
        "polynomial: t = 10 is the best t",
        {d: max(v) == v[2] for d, v in poly.items()},
    )


def markdown(rows):
    heads = ["self-tuning"] + [f"{n} t={t:g}" for n in KERNELS for t in ORDERS]
    lines = ["# NMI of kernel-PCA k-means (Figure 2 of the paper)", ""]
    lines += [
        "Mean of 5 seeds, one k-means start each; written by `nk_figure2.py`.",
        "",
    ]
    for center in (False, True):
        lines += [f"## {'Centred' if center else 'Not centred'}", ""]
        lines += ["| data | " + " | ".join(heads) + " |", "|---" * 10 + "|"]
        for data in CLUSTERS:
            values = [f"{r[4]:.3f}" for r in rows if r[0] == data and r[3] == center]
            lines.append(f"| {data} | " + " | ".join(values) + " |")
        lines += ["", "| finding | holds for | does not hold for |", "|---|---|---|"]
        for text, holds in findings(rows, center):
            yes, no = ([d for d in holds if holds[d] == v] for v in (True, False))
            lines.append(f"| {text} | {', '.join(yes)} | {', '.join(no)} |")
        lines.append("")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of CSV files")
    folder = parser.parse_args().data
    warnings.simplefilter("error")
    rows = run(folder)
    RESULTS.mkdir(exist_ok=True)
    with open(RESULTS / "nk_figure2.csv", "w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["data", "kernel", "t", "centred", "nmi_mean", "nmi_std"])
        table.writerows([*r[:4], f"{r[4]:.4f}", f"{r[5]:.4f}"] for r in rows)
    text = markdown(rows)
    (RESULTS / "nk_figure2.md").write_text(text)
    print(text)


if __name__ == "__main__":
    main()
