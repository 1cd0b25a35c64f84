"""The host and the device have the same verbs."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_kernelclust._gram._device import Device
from sklearn_kernelclust._gram._host import Host


def test_the_device_has_all_verbs_of_the_host():
    verbs = {name for name in vars(Host) if not name.startswith("_")}
    assert verbs - {"arrays"} <= set(vars(Device))
