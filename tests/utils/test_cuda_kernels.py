"""Kernels in Triton's language: in its interpreter, or on a GPU."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import os

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("triton")

GPU = torch.cuda.is_available()
if not GPU and os.environ.get("TRITON_INTERPRET") != "1":
    pytest.skip("no GPU, and TRITON_INTERPRET is not 1", allow_module_level=True)

from sklearn_kernelclust._utils import _cuda_kernels as kernels  # noqa: E402

DEVICE = "cuda" if GPU else "cpu"
on_types = pytest.mark.parametrize("dtype", [torch.float32, torch.float64])


def tensor(array, dtype=None):
    return torch.tensor(array, dtype=dtype, device=DEVICE)


@on_types
def test_differences_to_the_transpose(dtype):
    rng = np.random.RandomState(0)
    K = rng.standard_normal((150, 150))
    K += K.T
    assert kernels.largest_asymmetry(tensor(K, dtype)) == 0
    K[3, 149] += 2
    for A in (tensor(K, dtype), tensor(K, dtype).T):
        assert float(kernels.largest_asymmetry(A)) == pytest.approx(2, rel=1e-6)


@on_types
@pytest.mark.parametrize("weighted", [False, True])
def test_sums_of_rows(dtype, weighted):
    rng = np.random.RandomState(0)
    K = tensor(rng.standard_normal((200, 700)), dtype)
    rows, groups = tensor(rng.randint(200, size=300)), tensor(rng.randint(5, size=300))
    weight = tensor(rng.standard_normal(300)) if weighted else None
    out = tensor(rng.standard_normal((6, 700)))
    summands = K[rows].double() * (1 if weight is None else weight[:, None])
    expected = out.index_add(0, groups, summands)
    kernels.added_rows(K, rows, groups, out, weight)
    torch.testing.assert_close(out, expected)


@on_types
def test_moves_of_rows(dtype):
    rng = np.random.RandomState(0)
    K, moved = tensor(rng.standard_normal((90, 300)), dtype), tensor([3, 4, 50])
    old, new = tensor(rng.randint(4, size=(2, 90)), torch.int8)
    weight = tensor(rng.uniform(size=90))
    out = tensor(rng.standard_normal((4, 300)))
    rows = K[moved].double() * weight[moved, None]
    expected = out.index_add(0, old[moved].long(), rows, alpha=-1)
    expected = expected.index_add(0, new[moved].long(), rows)
    kernels.move_rows(K, moved, old, new, weight, out)
    torch.testing.assert_close(out, expected)


def test_nearest_means_and_ties():
    """Costs are whole numbers: many tie, and of these the first or the own counts."""
    rng = np.random.RandomState(0)
    S, factor = rng.randint(4, size=(5, 333)).astype(float), np.full(5, -2.0)
    norms, labels = rng.randint(3, size=5).astype(float), rng.randint(5, size=333)
    costs = S * factor[:, None] + norms[:, None]
    own, smallest = costs[labels, np.arange(333)], costs.min(axis=0)
    expected = np.where(own > smallest, costs.argmin(axis=0), labels)
    facts = tensor(np.ones(333)), tensor(factor), tensor(norms), 1e-12
    found = kernels.nearest(tensor(S), tensor(labels, torch.int8), *facts)
    assert found.dtype == torch.int8
    np.testing.assert_array_equal(found.cpu().numpy(), expected)
