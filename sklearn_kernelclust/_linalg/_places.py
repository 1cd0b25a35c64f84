"""Where blocks of vectors are: numpy arrays, or arrays of the operator's device.

Small matrices are numpy arrays in both cases.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import scipy.linalg


def place_of(operator):
    """Where an operator multiplies: on the device that its `arrays` names, if any."""
    arrays = getattr(operator, "arrays", None)
    return HOST if arrays is None else DevicePlace(arrays)


class HostPlace:
    """Blocks are numpy arrays."""

    def empty(self, shape, dtype):
        """A block of columns that each lie together in memory."""
        return np.empty(shape, dtype, order="F")

    def native(self, block):
        """A numpy array, where blocks are."""
        return block

    def host(self, block):
        """A block as a numpy array."""
        return block

    def product(self, operator, block):
        """``operator @ block`` in the type of the operator."""
        return np.asarray(operator @ block)

    def qr(self, block):
        """Orthonormal columns, and the small factor as a numpy array."""
        return scipy.linalg.qr(block, mode="economic", check_finite=False)


class DevicePlace:
    """Blocks are arrays of a device.

    Parameters
    ----------
    arrays : Arrays
        The namespace and the device.
    """

    def __init__(self, arrays):
        self.arrays = arrays
        self.empty, self.native = arrays.zeros, arrays.native
        self.host = arrays.host

    def product(self, operator, block):
        return self.arrays.astype(operator @ block, operator.dtype)

    def qr(self, block):
        Q, R = self.arrays.xp.linalg.qr(block, mode="reduced")
        return Q, self.host(R)


HOST = HostPlace()
