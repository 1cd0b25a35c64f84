"""Benchmarks, run as files or as modules (``python -m benchmarks.bench_divisive``).

The scripts import each other by their plain names, as files do.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent))
