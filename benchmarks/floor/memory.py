"""Rows of memory: what a fit takes beyond its data."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import partial
from pathlib import Path

import numpy as np
from bench_kernel_kmeans import corpus
from floor.case import Case
from measuring import peak_memory

from sklearn_kernelclust import KernelKMeans, StringKernel

STATUS, RESET = Path("/proc/self/status"), Path("/proc/self/clear_refs")


def text():
    """Sums of 100 clusters: n k numbers of eight bytes are what is needed."""
    n, k = 100_000, 100
    X = corpus(n)
    start = np.random.RandomState(0).randint(k, size=n)
    model = KernelKMeans(k, kernel="cosine", init=start, max_iter=3)
    yield Case(
        f"cosine, n = {n} k = {k}",
        partial(taken, partial(model.fit, X)),
        at_most=2,
        per=1 / (8 * n * k),
        unit="times the sums",
        memory=True,
        bound="the model's copy of the features and its means: 1.8 times the sums",
    )


def strings():
    """The matrix of a string kernel: n^2 numbers are what is needed."""
    rng, n = np.random.RandomState(0), 5000
    letters = np.array(list("abcdefghijklmnopqrstuvwxyz "))
    docs = ["".join(rng.choice(letters, 300)) for _ in range(n)]
    model = StringKernel(10, kind="boundrange")
    yield Case(
        f"boundrange, {n} strings of 300 characters",
        partial(taken, partial(model.fit_transform, docs)),
        at_most=2,
        per=1 / (8 * n * n),
        unit="times K",
        memory=True,
        bound="the tree of substrings and its features, 0.7 times K, beside K",
    )


def taken(work):
    """Bytes that the work takes at its peak, more than there were before."""
    before = peak_memory()
    if RESET.exists():  # else what made the data hides a lower peak
        RESET.write_text("5")
        before = status("VmHWM")
    work()
    return (status("VmHWM") if RESET.exists() else peak_memory()) - before


def status(name):
    """A size from Linux's account of this process, in bytes."""
    lines = dict(line.split(":", 1) for line in STATUS.read_text().splitlines())
    return 1024 * int(lines[name].split()[0])
