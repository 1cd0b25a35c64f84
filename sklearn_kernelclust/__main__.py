"""``python -m sklearn_kernelclust``: cluster a folder of documents."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import sys

from sklearn_kernelclust._cli import main

if __name__ == "__main__":
    sys.exit(main())
