"""Kernels by name."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import pytest

from sklearn_kernelclust import PairwiseKernel, StringKernel
from sklearn_kernelclust._cli._kernel_choice import STRING_KINDS, parse_kernel


@pytest.mark.parametrize(
    ("text", "parameters"),
    [
        ("cosine", {}),
        ("linear", {}),
        ("precomputed", {}),
        ("sigmoid", {"gamma": "scale"}),
        ("rbf", {"gamma": "scale"}),
        ("rbf:0.5", {"gamma": 0.5}),
        ("laplacian:2", {"gamma": 2.0}),
        ("poly", {"gamma": "scale", "degree": 3}),
        ("poly:2", {"gamma": "scale", "degree": 2}),
    ],
)
def test_kernels_of_features(text, parameters):
    kernel = parse_kernel(text)
    assert kernel.parameters == parameters
    assert str(kernel).startswith(text)
    PairwiseKernel(kernel.name, **kernel.parameters).fit([[1.0, 2.0], [2.0, 3.0]])


@pytest.mark.parametrize("kind", STRING_KINDS)
def test_kernels_of_strings(kind):
    kernel = parse_kernel(f"string:{kind}:3")
    assert kernel.parameters == {"kind": kind, "length": 3}
    assert str(kernel) == f"string:{kind}:3"
    StringKernel(**kernel.parameters).fit(["abcd", "bcde"])


def test_strings_have_defaults():
    assert parse_kernel("string").parameters == {"kind": "boundrange", "length": 5}


@pytest.mark.parametrize(
    "text",
    ["", "gauss", "cosine:1", "rbf:1:2", "rbf:-1", "rbf:nan", "rbf:inf", "poly:0"]
    + ["poly:2.5", "string:words", "string:spectrum:0", "string:spectrum:x", "rbf:"]
    + ["string:spectrum:3:4"],
)
def test_others_are_refused(text):
    with pytest.raises(ValueError, match=r"no kernel|should be a positive"):
        parse_kernel(text)
