"""Objects that several partitions do not tell apart are summed once.

The sums over the clusters of some partitions take, one by one, a pass over the
objects for each partition. But a cluster is made of the classes that it has in
common with the clusters of other partitions, and of few clusters there are few
classes: one pass sums over these for several partitions.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csc_array, csr_array

# What adding up the sum of a class costs, in objects: these sums leave the cache.
CLASS_COST = 3

# Memory for the sums of all classes.
CLASSES_BYTES = 2**26


def most_classes(gram):
    """Of how many classes the sums may be held at a time."""
    return CLASSES_BYTES // (8 * gram.shape[0])


@dataclass
class Joint:
    """Some partitions, and the classes of objects that none of them parts.

    `of_object` is the class of each object; `members` are pairs of a partition
    and the cluster that each class has in it.
    """

    of_object: np.ndarray
    n_classes: int
    members: list

    @property
    def cost(self):
        """Of making the sums over clusters of those over classes."""
        return CLASS_COST * len(self.members) * self.n_classes

    def with_one_more(self, partition, labels, n_clusters):
        """The same with another partition."""
        classes, found = renumbered(self.of_object * n_clusters + labels)
        before, cluster = np.divmod(found, n_clusters)
        members = [(other, clusters[before]) for other, clusters in self.members]
        return Joint(classes, len(found), [*members, (partition, cluster)])


def joint_classes(labels, n_clusters, most=np.inf):
    """Joints of all partitions, which are the rows of `labels`.

    Each has its number of clusters. A partition joins the ones before it where
    that costs less than a pass over the objects of its own, and there are not
    more classes than `most` in all.
    """
    n_objects = labels.shape[1]
    nothing = Joint(np.zeros(n_objects, dtype=np.intp), 1, [])
    joint, done = nothing, []
    for partition, each in enumerate(zip(labels, n_clusters)):
        wider = joint.with_one_more(partition, *each)
        share = most * len(wider.members) / len(labels)
        too_many = wider.cost - joint.cost >= n_objects or wider.n_classes > share
        if joint.members and too_many:
            done.append(joint)
            wider = nothing.with_one_more(partition, *each)
        joint = wider
    return [*done, joint]


def by_classes(labels, weight, n_clusters, columns, n_columns, most=np.inf):
    """Two sparse factors of the indicator of all clusters, a row for each.

    The right one sums over the objects of each class, the left one over the
    classes of each cluster. They have fewer entries than the indicator.
    """
    joints = joint_classes(labels, n_clusters, most)
    first = np.cumsum([0, *(joint.n_classes for joint in joints)])
    row = np.cumsum([0, *n_clusters])
    classes = np.stack([c + joint.of_object for c, joint in zip(first, joints)])
    right = indicator_rows(classes, weight, columns, (first[-1], n_columns))
    # By columns: of a joint, each class is in one cluster of each partition.
    rows = [
        np.stack([row[p] + clusters for p, clusters in joint.members], axis=1)
        for joint in joints
    ]
    ends = np.cumsum(np.repeat([each.shape[1] for each in rows], np.diff(first)))
    indices = np.concatenate([each.ravel() for each in rows])
    left = csc_array(
        (np.ones(len(indices)), indices, np.concatenate([[0], ends])),
        shape=(row[-1], first[-1]),
    )
    return left, right


def renumbered(codes):
    """Numbers without gaps in the place of codes, and which codes these are."""
    counts = np.bincount(codes)
    found = np.flatnonzero(counts)
    # The counts are of no more use; the numbers take their place.
    counts[found] = np.arange(len(found))
    return counts[codes], found


def indicator_rows(classes, weight, columns, shape):
    """Sparse matrix that sums over the objects of each class, a row for each.

    There may be several rows of classes, and of weights and columns for them, or
    one row for all.
    """
    small = classes.ravel().astype(np.min_scalar_type(shape[0]))
    # Of small integers this is a radix sort.
    order = np.argsort(small, kind="stable")
    # Small integers, which sparse matrices take as they are.
    index = np.int32 if max(shape[1], len(order)) < 2**31 else np.int64
    ends = np.zeros(shape[0] + 1, dtype=index)
    np.cumsum(np.bincount(small, minlength=shape[0]), out=ends[1:])
    values, columns = (
        np.broadcast_to(each, classes.shape).ravel()[order]
        for each in (weight, columns)
    )
    return csr_array((values, columns.astype(index), ends), shape=shape)
