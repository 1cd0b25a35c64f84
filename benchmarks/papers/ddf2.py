"""DD Figure 2: eigenvalues before and after the diagonal shift."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from matplotlib.figure import Figure

from benchmarks.papers.data import DD_WEIGHTING, load, weighted
from benchmarks.papers.report import Result, Table
from sklearn_kernelclust import DiagonalShift

TITLE = "DD Figure 2: trailing eigenvalues of the kernel of cstr"
FIRST = 100


def run(folder, quick):
    data = load(folder, "cstr")
    X = weighted(data.counts, DD_WEIGHTING)
    K = (X @ X.T).toarray()
    values = {
        "original": np.linalg.eigvalsh(K)[::-1],
        "DS": np.linalg.eigvalsh(DiagonalShift().fit_transform(K))[::-1],
    }
    records = [
        {"index": i + 1, **{name: float(v[i]) for name, v in values.items()}}
        for i in range(len(K))
    ]
    rows = [
        [name, float(v[0]), float(v[-1]), int((v < -1e-10).sum())]
        for name, v in values.items()
    ]
    shift = values["original"] - values["DS"]
    findings = [
        (
            "The shift turns a positive semi-definite kernel into an indefinite one",
            bool(values["original"][-1] > -1e-10 and values["DS"][-1] < 0),
            f"{rows[1][-1]} of {len(K)} eigenvalues below zero",
        ),
        (
            "It lowers each eigenvalue by the same amount",
            bool(np.ptp(shift) < 1e-8),
            f"by {shift.mean():.3f}",
        ),
    ]
    table = Table(["kernel", "largest", "smallest", "negative"], rows)
    return Result(records, [table], findings, figure=picture(values))


def picture(values):
    figure = Figure(figsize=(5, 3.5))
    axes = figure.subplots()
    for name, v in values.items():
        axes.plot(np.arange(FIRST, len(v) + 1), v[FIRST - 1 :], label=name)
    axes.axhline(0, color="gray", linewidth=0.8)
    axes.set(xlabel="index", ylabel="eigenvalue")
    axes.legend()
    return figure
