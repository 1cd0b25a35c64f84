"""Common refinements of partitions, whose classes are summed once for all of them."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

# Objects for each class of a common refinement, at least: its sums need memory.
OBJECTS = 8


class Refinement(NamedTuple):
    """The coarsest partition that refines those of several runs.

    Objects of a class are in one cluster of each run, so they are summed once.

    Parameters
    ----------
    classes : ndarray of shape (n_objects,)
        Class of each object, without gaps.
    n_classes : int
        Number of classes.
    runs : tuple of int
        Numbers of the runs.
    clusters : tuple of ndarray of shape (n_classes,)
        Cluster of each class in each run.
    """

    classes: np.ndarray
    n_classes: int
    runs: tuple = ()
    clusters: tuple = ()

    def refined_by(self, run, labels):
        """The common refinement with one more run."""
        codes = self.classes * (labels.max() + 1) + labels
        classes, present = renumbered(codes)
        coarser, clusters = np.divmod(present, labels.max() + 1)
        clusters = *(before[coarser] for before in self.clusters), clusters
        return Refinement(classes, len(present), (*self.runs, run), clusters)

    def n_additions(self):
        """Columns added up for the sums of all clusters of the runs."""
        return len(self.classes) + len(self.runs) * self.n_classes


def common_refinements(labels, columns):
    """Refinements of runs on the same columns, one after the other while that pays."""
    n, refinements, column = labels.shape[1], [], None
    trivial = Refinement(np.zeros(n, dtype=np.intp), 1)
    for run in np.argsort(columns, kind="stable").tolist():
        alone = trivial.refined_by(run, labels[run])
        if columns[run] == column:
            wider = refinements[-1].refined_by(run, labels[run])
            saved = refinements[-1].n_additions() + n - wider.n_additions()
            if saved > 0 and OBJECTS * wider.n_classes <= n:
                refinements[-1] = wider
                continue
        refinements.append(alone)
        column = columns[run]
    return refinements


def factors(refinements, first):
    """Two factors of the indicator of all clusters: classes, then clusters of these.

    Parameters
    ----------
    refinements : list of Refinement
        Of all runs.
    first : sequence of int
        Row of the first cluster of each run, and the number of all rows.

    Returns
    -------
    classes : ndarray of shape (n_refinements, n_objects)
        Class of each object, numbered from 0 on through all refinements.
    members : csr_array of shape (first[-1], n_classes)
        Which classes make up a cluster.
    """
    n_classes, classes, entries = 0, [], []
    for refinement in refinements:
        classes.append(n_classes + refinement.classes)
        columns = n_classes + np.arange(refinement.n_classes)
        for run, clusters in zip(refinement.runs, refinement.clusters):
            entries.append((first[run] + clusters, columns))
        n_classes += refinement.n_classes
    places = tuple(np.concatenate(entries, axis=1))
    shape = first[-1], n_classes
    members = csr_array((np.ones(len(places[0])), places), shape=shape)
    return np.array(classes), members


def renumbered(codes):
    """Numbers without gaps in the place of codes, and which codes these are."""
    counts = np.bincount(codes)
    present = np.flatnonzero(counts)
    # The counts are of no more use; the numbers take their place.
    counts[present] = np.arange(len(present))
    return counts[codes], present
