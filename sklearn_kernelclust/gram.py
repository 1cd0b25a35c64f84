"""The Gram: the base class of kernel matrices, and the check of its contract."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_kernelclust._gram._base import Gram
from sklearn_kernelclust._gram._contract_check import check_gram

__all__ = ["Gram", "check_gram"]
