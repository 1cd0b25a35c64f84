"""Fixtures that all tests share."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import os

# Before scipy is imported: without it, scikit-learn skips its array API checks.
os.environ.setdefault("SCIPY_ARRAY_API", "1")

import pytest


@pytest.fixture(params=range(3))
def seed(request):
    """What is true for one seed must be true for all."""
    return request.param
