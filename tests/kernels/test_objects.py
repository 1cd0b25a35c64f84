"""Objects of any kind."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

from sklearn_kernelclust._kernels._objects import (
    ObjectIndex,
    Objects,
    are_features,
    check_objects,
)


class Graph:
    """Has a length and numbers as elements, as graphs of networkx have."""

    def __init__(self, nodes):
        self.nodes = nodes

    def __len__(self):
        return len(self.nodes)

    def __iter__(self):
        return iter(self.nodes)

    def __getitem__(self, node):
        return {}


FEATURES = {
    "array": np.ones((3, 2)),
    "list": [[1, 2], [3, 4]],
    "one dimension": [1.0, 2.0],
    "arrays": [np.ones(2), np.zeros(2)],
    "tuples": ((1, 2), (3, 4)),
    "sparse": csr_array(np.ones((3, 2))),
    "frame": pd.DataFrame({"a": ["x", "y"]}),
    "empty": [],
}
OTHERS = {
    "strings": ["a", "bc"],
    "string array": np.array(["a", "bc"]),
    "series": pd.Series(["a", "bc"]),
    "ragged": [[1.0], [2.0, 3.0]],
    "three dimensions": np.ones((3, 2, 2)),
    "sets": [{1}, {2}],
    "tokens": [["a", "b"], ["c"]],
    "graphs": [Graph([0, 1]), Graph([2, 3])],
}


@pytest.mark.parametrize("name", FEATURES)
def test_features(name):
    assert are_features(FEATURES[name])


@pytest.mark.parametrize("name", OTHERS)
def test_other_objects(name):
    X = OTHERS[name]
    assert not are_features(X)
    objects = check_objects(X)
    assert objects.shape == (len(X),)
    assert isinstance(objects.sequence, (list, np.ndarray))
    assert len(objects[:1].sequence) == 1
    assert len(objects[np.array([1, 0, 1])].sequence) == 3
    assert len(objects[np.array([True] + [False] * (len(X) - 1))].sequence) == 1
    index = ObjectIndex(objects).find(objects[::-1])
    equal = name == "three dimensions"
    assert index.tolist() == ([0, 1, 2] if equal else [1, 0])


def test_arrays_stay_arrays_and_are_copied():
    X = np.ones((3, 2, 2))
    objects = check_objects(X)
    X[:] = 0
    assert objects[[0, 2]].sequence.shape == (2, 2, 2)
    assert objects.sequence.all()


def test_what_is_no_sequence_is_refused():
    with pytest.raises(TypeError, match=r"must be a sequence.*got str"):
        check_objects("abc")
    with pytest.raises(TypeError, match="got generator"):
        check_objects(x for x in "abc")
    with pytest.raises(ValueError, match="Found 0 objects"):
        check_objects([])


def test_objects_that_do_not_pickle_are_known_by_identity():
    one, two = (lambda: 1), (lambda: 2)
    assert ObjectIndex(Objects([one, two])).find(Objects([two, min])).tolist() == [
        1,
        -1,
    ]


def test_a_matrix_that_numpy_cannot_have_is_one_of_features():
    class OnDevice:
        ndim, shape = 2, (3, 2)

        def __len__(self):
            return 3

        def __array__(self, *args, **kwargs):
            raise TypeError("Implicit conversion to a NumPy array is not allowed.")

    assert are_features(OnDevice())


@pytest.mark.parametrize("X", [{"a", "b"}, {"a": 1, "b": 2}, b"ab", "ab"])
def test_what_has_no_order_is_no_sequence_of_objects(X):
    with pytest.raises(TypeError, match=rf"must be a sequence, .* {type(X).__name__}"):
        check_objects(X)
