"""NK Figure 1: normalised similarity against the ratio of the norms.

J. Ah-Pine, "Normalized Kernels as Similarity Indices", PAKDD 2010.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from itertools import pairwise

import numpy as np
from matplotlib.figure import Figure

from benchmarks.papers.published import published
from benchmarks.papers.report import Result, Table
from sklearn_kernelclust import PowerMeanNormalizer

TITLE = "NK Figure 1: normalised kernel by ratio of norms"
ORDERS = (0.0, 1.0, 10.0, 100.0, np.inf)
RATIOS = np.linspace(1, 2, 21)


def run(folder, quick):
    curves = {(c, t): curve(c, t) for c in (-1.0, 1.0) for t in ORDERS}
    records = [
        {"cos": c, "t": f"{t:g}", "gamma": float(g), "ours": float(v)}
        for (c, t), values in curves.items()
        for g, v in zip(RATIOS, values)
    ]
    paper = published("nkf1")
    rows = []
    for record in records:
        key = f"t={record['t']}", f"gamma={record['gamma']:g} cos={record['cos']:g}"
        if key in paper:
            record["published"] = paper[key]
            rows.append([key[0], paper[key], record["ours"]])
    ends = [curves[1.0, t] for t in ORDERS]
    findings = [
        (
            "The larger the ratio, the closer to 0, for t > 0",
            all(np.all(np.diff(np.abs(curves[c, t])) < 0) for c, t in curves if t > 0),
            "",
        ),
        (
            "The larger t, the closer to 0",
            all(np.all(a[1:] >= b[1:]) for a, b in pairwise(ends)),
            "",
        ),
    ]
    head = ["order", "published", "ours"]
    return Result(
        records,
        [Table(head, rows, "At a cosine of 1 and norms of ratio 2")],
        findings,
        [
            f"{order}: the paper's text says {said:g}, its own Eq. 9 gives "
            f"{value:.2f}, as here: a slip of the text."
            for order, said, value in rows
            if abs(said - value) > 1e-9
        ],
        picture(curves),
    )


def curve(cosine, t):
    """Similarity of two parallel vectors of norms 1 and each ratio."""
    vectors = np.concatenate([[1.0], cosine * RATIOS])[:, None]
    return PowerMeanNormalizer(t=t).fit_transform(vectors)[0, 1:]


def picture(curves):
    figure = Figure(figsize=(8, 3.4), layout="constrained")
    for axes, c in zip(figure.subplots(1, 2), (-1.0, 1.0)):
        for t in ORDERS:
            axes.plot(RATIOS, curves[c, t], label=f"t = {t:g}")
        axes.set(xlabel="ratio of norms", ylabel="similarity", title=f"cosine {c:g}")
        axes.legend(fontsize="small")
    return figure
