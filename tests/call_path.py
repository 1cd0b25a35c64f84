"""Which files of the package a call goes through."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import sys
from itertools import groupby
from pathlib import Path

import sklearn_kernelclust

ROOT = Path(sklearn_kernelclust.__file__).parent


def files_of(call):
    """Files of the package in which functions run, one entry for each change."""
    path = []

    def record(frame, event, argument):
        file = Path(frame.f_code.co_filename)
        if event in ("call", "return") and file.is_relative_to(ROOT):
            inside = frame if event == "call" else frame.f_back
            while inside is not None:
                file = Path(inside.f_code.co_filename)
                if file.is_relative_to(ROOT):
                    path.append(str(file.relative_to(ROOT)))
                    break
                inside = inside.f_back

    sys.setprofile(record)
    try:
        call()
    finally:
        sys.setprofile(None)
    return [file for file, _ in groupby(path)]
