"""KP Figure 4: objective and entropy against k, polynomial kernel."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from benchmarks.papers.kp import kernel_figure

TITLE = "KP Figure 4: kernel k-means, KPDDP and variants, polynomial kernel"


def run(folder, quick):
    return kernel_figure(folder, "polynomial", quick)
