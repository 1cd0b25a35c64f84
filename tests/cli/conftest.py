"""What several tests of the program begin with."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import csv

import pytest
from nested_topics import nested_texts

from sklearn_kernelclust._cli import main


@pytest.fixture(scope="session")
def table_of_topics(tmp_path_factory):
    """Folder with a table of nested topics, and the result of a run."""
    texts, _, parts = nested_texts()
    folder = tmp_path_factory.mktemp("labels")
    with open(folder / "in.csv", "w", newline="") as file:
        rows = zip(range(100, 250), texts, parts)
        csv.writer(file).writerows([["key", "text", "topic_1"], *rows])
    argv = [str(folder / "in.csv"), "--id-column", "key", "--quiet"]
    assert main([*argv, "--out", str(folder / "out")]) == 0
    return folder
