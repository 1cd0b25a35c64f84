"""PV Figure 2: a kernel, and its reductions by chance and by density."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from matplotlib.figure import Figure

from benchmarks.papers.data import DD_WEIGHTING, counted, read_lines, weighted
from benchmarks.papers.pv import cosine_kernel
from benchmarks.papers.report import Result, Table
from sklearn_kernelclust import PrototypeReducer
from sklearn_kernelclust._model_selection._prototypes import averages
from sklearn_kernelclust.metrics import dominance_ratio

TITLE = "PV Figure 2: Gram matrix in full, reduced by chance, reduced by density"
SIZES = {"sci.crypt": 300, "rec.sport.hockey": 150}
# Subsets that are drawn, the first of which is shown, and seeds drawn from it.
N_SUBSETS, N_DRAWS = 50, 1000


def run(folder, quick):
    subsets = list(draw_subsets(folder, 10 if quick else N_SUBSETS))
    K, hockey = subsets[0]
    reducer = PrototypeReducer(reduction_rate=4, n_neighbors=5).fit(K)
    n = len(reducer.prototypes_)
    rng = np.random.RandomState(0)
    draws = [rng.permutation(len(K))[:n] for _ in range(N_DRAWS)]
    by_chance, members = draws[0], reducer.neighborhoods_
    seeds = {"full": None, "by chance": by_chance, "by density": reducer.prototypes_}
    matrices, records = {}, []
    for name, chosen in seeds.items():
        classes = hockey if chosen is None else hockey[chosen]
        gram = K if chosen is None else combined(K, members[chosen])
        order = np.argsort(classes, kind="stable")
        matrices[name] = gram[np.ix_(order, order)]
        records.append(
            {
                "matrix": name,
                "objects": len(gram),
                "hockey": int(classes.sum()),
                "share of hockey": float(classes.mean()),
                "within a class": within(gram, classes),
                "between classes": between(gram, classes),
                "dominance ratio": dominance_ratio(gram),
            }
        )
    shares = np.array([hockey[chosen].mean() for chosen in draws])
    kept = np.array([share_by_density(*subset) for subset in subsets])
    pure = float((hockey[members[:, 1:]] == hockey[:, None]).mean())
    parts = [
        "300 messages about cryptography, then 150 about hockey; of prototypes the "
        "class is that of the seed.",
        Table(list(records[0]), [list(r.values()) for r in records]),
        f"Neighbours of the class of their seed: {100 * pure:.1f} %. Share of hockey "
        f"in {N_DRAWS} draws by chance: {spread(shares)}; by density, in "
        f"{len(kept)} subsets of other messages: {spread(kept)}.",
    ]
    return Result(
        records,
        parts,
        list(findings(records, shares, kept, pure)),
        ["Which messages the paper drew is not known; the seed here is fixed."],
        figure=picture(matrices),
    )


def draw_subsets(folder, count):
    """Kernels of subsets, and whether each of the messages is about hockey."""
    records = [r for r in read_lines(folder, "ng20_bydate") if r["label"] in SIZES]
    counts, labels = counted(records)
    for seed in range(count):
        rng = np.random.RandomState(seed)
        chosen = np.concatenate(
            [
                rng.permutation(np.flatnonzero(labels == group))[:size]
                for group, size in SIZES.items()
            ]
        )
        own = counts[chosen]
        df = np.bincount(own.indices, minlength=own.shape[1])
        K = cosine_kernel(weighted(own[:, df >= 3], DD_WEIGHTING))
        yield K, labels[chosen] == "rec.sport.hockey"


def share_by_density(K, hockey):
    return hockey[
        PrototypeReducer(reduction_rate=4, n_neighbors=5).fit(K).prototypes_
    ].mean()


def spread(shares):
    return (
        f"{shares.mean():.3f}, standard deviation {shares.std():.3f}, from "
        f"{shares.min():.3f} to {shares.max():.3f}"
    )


def combined(K, members):
    W = averages(members, len(K))
    return W @ (W @ K).T


def within(K, classes):
    """Mean similarity of two objects of one class."""
    same = classes[:, None] == classes
    np.fill_diagonal(same, False)
    return float(K[same].mean())


def between(K, classes):
    return float(K[classes[:, None] != classes].mean())


def findings(records, shares, kept, pure):
    own = {r["matrix"]: r for r in records}
    full = own["full"]["share of hockey"]
    off, chance = np.abs(kept - full).mean(), np.abs(shares - full).mean()
    text = "selection by density keeps the share of the smaller class (within 0.05)"
    yield text, bool(off <= 0.05), f"off by {off:.3f} on average"
    text = "draws by chance are clearly further from it (1.2 times)"
    yield text, bool(chance > 1.2 * off), f"off by {chance:.3f}"
    text = "neighbourhoods are mostly of one class (90 % of the neighbours)"
    yield text, pure >= 0.9, f"{100 * pure:.1f} %"
    contrast = {m: r["within a class"] / r["between classes"] for m, r in own.items()}
    text = "the classes stand out more in the reduced matrix than in the full one"
    seen = ", ".join(f"{m} {c:.2f}" for m, c in contrast.items())
    yield text, contrast["by density"] > contrast["full"], f"within / between: {seen}"


def picture(matrices):
    figure = Figure(figsize=(11, 3.6))
    for axes, (name, K) in zip(figure.subplots(1, 3), matrices.items()):
        off = K[~np.eye(len(K), dtype=bool)]
        image = axes.imshow(K, cmap="gray_r", vmin=0, vmax=np.quantile(off, 0.99))
        figure.colorbar(image, ax=axes, shrink=0.8)
        axes.set(title=f"{name}, {len(K)} objects")
    figure.tight_layout()
    return figure
