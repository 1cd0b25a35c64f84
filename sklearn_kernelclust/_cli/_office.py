"""Text of PDF and Word files, if the packages that read them are installed."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import io
from importlib import import_module

from sklearn_kernelclust._cli._files import Skipped, read_bytes

# Other files of office programs, and how to save them.
SAVE_AS = dict.fromkeys((".doc", ".odt", ".rtf"), ".docx or .txt") | dict.fromkeys(
    (".xls", ".xlsx", ".ods", ".parquet"), ".csv"
)


def office_text(path, suffix, options):
    """The text of a file."""
    if suffix in SAVE_AS:
        raise Skipped(f"{suffix} files are not read; save it as {SAVE_AS[suffix]}")
    module, package, text_of = READERS[suffix]
    try:
        library = import_module(module)
    except ImportError:
        raise Skipped(
            f"to read {suffix} files, python -m pip install {package}"
        ) from None
    file = io.BytesIO(read_bytes(path, options.max_size))
    try:
        return text_of(library, file)
    except Exception as error:  # each library has errors of its own
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise Skipped(f"damaged, or not a {suffix} file ({reason})") from None


def pdf_text(pypdf, file):
    """The text of all pages. Scanned pages have none."""
    return "\n".join(page.extract_text() or "" for page in pypdf.PdfReader(file).pages)


def word_text(docx, file):
    """The text of all paragraphs, then of the tables."""
    document = docx.Document(file)
    paragraphs = [paragraph.text for paragraph in document.paragraphs]
    rows = [row for table in document.tables for row in table.rows]
    return "\n".join(
        [*paragraphs, *("\t".join(cell.text for cell in row.cells) for row in rows)]
    )


# Module, package that has it, and function, by suffix.
READERS = {
    ".pdf": ("pypdf", "pypdf", pdf_text),
    ".docx": ("docx", "python-docx", word_text),
}
OFFICE = (*READERS, *SAVE_AS)
