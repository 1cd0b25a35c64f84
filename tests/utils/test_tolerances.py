"""Tables of tolerances: both types, and more room in float32."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest

from sklearn_kernelclust._utils import _tolerances

TABLES = {name: t for name, t in vars(_tolerances).items() if isinstance(t, dict)}


@pytest.mark.parametrize("name", [name for name in TABLES if name.isupper()])
def test_more_room_in_float32_and_above_rounding(name):
    table, unit = TABLES[name], name.endswith("_ULPS")
    assert set(table) == {np.dtype(np.float64), np.dtype(np.float32)}
    wide, narrow = (
        table[np.dtype(dtype)] * (np.finfo(dtype).eps if unit else 1)
        for dtype in (np.float64, np.float32)
    )
    assert np.finfo(np.float64).eps < wide < narrow < 1
    assert narrow > np.finfo(np.float32).eps
