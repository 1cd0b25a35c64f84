"""Write all files completely, or none of them."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import csv
import io
import os
from contextlib import suppress

import joblib

from sklearn_kernelclust._cli._reading import BadInputError


def prepare(folder):
    """Make the folder to write to, and check it before the work begins."""
    try:
        os.makedirs(folder, exist_ok=True)
        probe = _part(folder, "probe")
        with open(probe, "wb"):
            pass
        os.unlink(probe)
    except OSError as error:
        raise BadInputError(
            f"Cannot write to --out {folder}: {error.strerror or error}."
        ) from None


def write_all(folder, contents):
    """Write all files under temporary names, then rename them.

    A full disk or an interruption leaves the old files as they were.

    Parameters
    ----------
    folder : path
        An existing folder.
    contents : dict of str to (callable or bytes)
        For each name the bytes, or a function that writes them to an open file.
    """
    parts = {name: _part(folder, name) for name in contents}
    try:
        for name, content in contents.items():
            _write(parts[name], content)
        for name, part in parts.items():
            os.replace(part, os.path.join(folder, name))
    except OSError as error:
        path = os.path.join(folder, name)
        raise BadInputError(
            f"Cannot write {path}: {error.strerror or error}."
        ) from None
    finally:
        for part in parts.values():
            with suppress(FileNotFoundError):
                os.unlink(part)


def table(header, rows):
    """A CSV file, as bytes.

    File names that are not UTF-8 keep their bytes; read such a table with
    ``errors="surrogateescape"``.
    """
    text = io.StringIO(newline="")
    # Names are quoted: an unquoted carriage return would end the row.
    writer = csv.writer(text, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue().encode("utf-8", "surrogateescape")


def model_writer(model):
    """A function that writes a fitted pipeline to a file."""
    return lambda file: joblib.dump(model, file, compress=3)


def _part(folder, name):
    return os.path.join(folder, f".{name}.{os.getpid()}.part")


def _write(path, content):
    with open(path, "wb") as file:
        if callable(content):
            content(file)
        else:
            file.write(content)
        file.flush()
        os.fsync(file.fileno())
