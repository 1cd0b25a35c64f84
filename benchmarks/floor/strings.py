"""Rows of string kernels."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import subprocess
import tempfile
from functools import partial
from pathlib import Path

import numpy as np
from floor.case import Case, Timed
from measuring import installed_in_r

from sklearn_kernelclust import StringKernel

R_CODE = """
suppressMessages(library(kernlab))
file <- commandArgs(trailingOnly = TRUE)
x <- as.list(readLines(file[1]))
kernel <- stringdot(type = "string", length = 3, lambda = 0.5, normalized = TRUE)
seconds <- system.time(K <- kernelMatrix(kernel, x))
writeBin(as.double(K), file[2])
cat(seconds[["elapsed"]], seconds[["user.self"]] + seconds[["sys.self"]])
"""


def subsequence():
    """Gap-weighted subsequences against kernlab's compiled loop of a like kernel."""
    rng = np.random.RandomState(0)
    for n, length in ((100, 100), (50, 300)):
        letters = list("abcdefghijklmnopqrst")
        docs = ["".join(rng.choice(letters, rng.poisson(length))) for _ in range(n)]
        peers = {}
        if installed_in_r("kernlab"):
            peers["kernlab"] = partial(kernlab, docs)
        yield Case(
            f"{n} strings of {length} characters",
            partial(StringKernel(3, kind="subsequence").fit_transform, docs),
            peers,
            1,
            note=difference,
        )


def difference(results):
    mine, theirs = results.values()
    largest = np.abs(mine - theirs).max()
    return f"kernlab's kernel is another one, the matrices differ by {largest:.1g}"


def kernlab(docs):
    with tempfile.TemporaryDirectory() as folder:
        text, matrix = Path(folder, "text"), Path(folder, "matrix")
        text.write_text("\n".join(docs) + "\n", encoding="utf-8")
        command = ["Rscript", "-e", R_CODE, text, matrix]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        wall, cpu = map(float, done.stdout.split())
        return Timed(cpu, wall, np.fromfile(matrix).reshape(len(docs), -1))
