"""KP Figure 5: objective and entropy against k, gaussian kernel."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from benchmarks.papers.kp import kernel_figure

TITLE = "KP Figure 5: kernel k-means, KPDDP and variants, gaussian kernel"


def run(folder, quick):
    return kernel_figure(folder, "gaussian", quick)
