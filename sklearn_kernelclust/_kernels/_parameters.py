"""The parameters of a kernel."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass


@dataclass(frozen=True)
class Parameters:
    """The parameters of a kernel, as the estimators have them; `gamma` resolved.

    With `center`, dense features of a linear kernel are centred on the median of
    the training objects, which no outlier moves: for algorithms to which the origin
    of feature space makes no difference but that of rounding.
    """

    kernel: object
    gamma: float = 1.0
    degree: int = 3
    coef0: float = 1
    kernel_params: dict | None = None
    center: bool = False
