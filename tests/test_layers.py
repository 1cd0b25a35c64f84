"""The structure of the package, written down."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import ast
import re
from pathlib import Path

import pytest

import sklearn_kernelclust

PACKAGE = Path(sklearn_kernelclust.__path__[0])
MODULES = sorted(PACKAGE.rglob("*.py"))
DOC = Path(__file__).parent.parent / "doc" / "api.rst"

# A module imports only from modules with a lower number.
LEVEL = {
    "_block_krylov": 0,
    "_complaints": 0,
    "_joint_classes": 0,
    "_memory": 0,
    "_prefix": 0,
    "_sklearn": 0,
    "_suffixes": 0,
    "_symmetry": 0,
    "_threads": 0,
    "_tree": 0,
    "_warn": 0,
    "_eigen": 1,
    "_matches": 1,
    "_products": 1,
    "_sparse_products": 1,
    "_subsequences": 1,
    "datasets": 1,
    "_agreement": 2,
    "_cluster_sums": 2,
    "_gram": 2,
    "_laplacians": 2,
    "_nearest_means": 2,
    "_rounding": 2,
    "_substrings": 2,
    "_chunked_gram": 3,
    "_factored_gram": 3,
    "_runs": 3,
    "_stored_grams": 3,
    "_combinations": 4,
    "_gram_wrappers": 4,
    "_graph": 4,
    "_run_ends": 4,
    "_score_table": 4,
    "_training_rows": 4,
    "metrics": 4,
    "_hartigan": 5,
    "_kernels": 5,
    "_lloyd": 5,
    "_seeding": 5,
    "_string_models": 5,
    "_base": 6,
    "_cuts": 6,
    "_feature_kernels": 7,
    "_kernel_kmeans": 7,
    "_kernel_pca_kmeans": 7,
    "_kernel_transforms": 7,
    "_prototypes": 7,
    "_spectral": 7,
    "_splitters": 7,
    "_divisive": 8,
    "_in_step": 8,
    "_kernel_steps": 8,
    "_local_scaling": 8,
    "_power_mean": 8,
    "_string_kernels": 8,
    "_bisecting_kernel_kmeans": 9,
    "_halves": 9,
    "_kpddp": 9,
    "_pddp": 9,
    "_display_base": 10,
    "_prediction_strength": 10,
    "_display_gram": 11,
    "_display_prediction_strength": 11,
    "_display_reassignments": 11,
    "_display_spectrum": 11,
    "_display_tree": 11,
    "_display_projection": 12,
    "__init__": 13,
    "_cli": 14,
    "__main__": 15,
}


def level(path):
    folder = path.relative_to(PACKAGE).parts
    return LEVEL[folder[0] if len(folder) > 1 else path.stem]


def imports(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom):
            yield node.module, [alias.name for alias in node.names]
        elif isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, []


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_imports_come_from_below(path):
    for module, _ in imports(path):
        if module.startswith("sklearn_kernelclust."):
            name = module.split(".")[1]
            own_folder = name == path.relative_to(PACKAGE).parts[0]
            assert own_folder or LEVEL[name] < level(path), module


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_private_names_of_scikit_learn_have_one_home(path):
    if path.stem == "_sklearn":
        return
    for module, names in imports(path):
        if module.split(".")[0] == "sklearn":
            private = [n for n in [*module.split("."), *names] if n.startswith("_")]
            assert not private, f"{module} {private}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_warnings_have_one_home(path):
    """It knows where the user's line is."""
    assert path.stem == "_warn" or not re.search(r"\bwarn\(", path.read_text())


def test_public_names():
    names = sklearn_kernelclust.__all__
    # Names in capitals first, as ruff sorts them.
    assert names == sorted(names, key=lambda name: (not name.isupper(), name))
    for name in names:
        assert getattr(sklearn_kernelclust, name).__doc__
    for name in sklearn_kernelclust.metrics.__all__:
        assert ">>>" in getattr(sklearn_kernelclust.metrics, name).__doc__


@pytest.mark.skipif(not DOC.exists(), reason="not a checkout of the repository")
@pytest.mark.parametrize(
    "name", [*sklearn_kernelclust.__all__, *sklearn_kernelclust.metrics.__all__]
)
def test_public_names_are_in_the_reference(name):
    assert name in DOC.read_text()
