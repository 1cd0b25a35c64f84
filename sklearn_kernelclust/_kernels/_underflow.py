"""An error where a linear kernel is zero, though its features are not."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause


def check_linear_kernel(diagonal, largest_entry):
    """Refuse features whose squares are too small for their type.

    Parameters
    ----------
    diagonal : ndarray of shape (n_samples,)
        k(x, x).
    largest_entry : callable
        Gives that of the features; called only if all k(x, x) are 0.
    """
    if diagonal.any():
        return
    largest = largest_entry()
    if largest > 0:
        raise ValueError(
            "The linear kernel underflowed: k(x, x) is 0 for all objects, and the "
            f"largest entry of X is {largest:.3g}. Rescale X."
        )
