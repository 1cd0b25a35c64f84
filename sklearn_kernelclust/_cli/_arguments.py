"""What can be asked of the program, and what it answers to ``--help``."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import math
import re
from pathlib import Path

from sklearn_kernelclust._cli._kernel_choice import parse_kernel

METHODS = ("kernel-kmeans", "pddp", "kpddp", "spectral", "kernel-pca")

# What a size may end in.
UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30}

DESCRIPTION = """\
Cluster documents and show what is in them: how many clusters there are, the
words that tell them apart, and the documents in the middle of each. Without a
PATH, the docstrings of scikit-learn are clustered, to see what comes out.
"""

EPILOG = """\
what a PATH may be:
  a folder            its files, and those of its folders, each a document;
                      hidden files and symbolic links are left out
  .csv, .tsv, .jsonl  a document a row, the text in --text-column
  .npy, .npz          features, an object a row, dense or sparse (of scipy);
                      with --kernel precomputed, a kernel matrix
  any other text      one document; with --lines, a document a line
Each may be compressed (.gz). Text is UTF-8, or what its byte order mark says, or
else what --encoding says.

kernels:
  cosine, linear, rbf[:GAMMA], laplacian[:GAMMA], poly[:DEGREE], sigmoid
  string:KIND[:LENGTH]  common substrings of the texts as they are; KIND is
                        spectrum, boundrange, constant, exponential, subsequence
  precomputed           the .npy or .npz file is the kernel matrix
The default is cosine for texts (log tf x idf of their words), rbf for features;
linear with --t, which then says how lengths count, and for --method pddp.

what --out writes:
  labels.csv    a row for each document, in the order read: document, cluster
  model.joblib  the fitted pipeline; joblib.load(...).predict(texts). Loading such a
                file runs what it holds: load only files that you trust
  report.html   all that the screen shows, with pictures, in one page
  skipped.csv   what was not read, and why

exit codes:
  0  done (files that cannot be read are skipped, and named)
  1  nothing to be done with the input, or the output cannot be written; with
     --strict, also if anything was skipped
  2  wrong usage
  130  interrupted; no half-written file is left

examples:
  kernelclust                                  the docstrings of scikit-learn
  kernelclust papers/ --out result             a folder, and a page to look at
  kernelclust tickets.csv --text-column body --k 8
  kernelclust names.txt --lines --kernel string:spectrum:3
  kernelclust kernel.npy --kernel precomputed --method spectral --k 4
"""


def parse(argv=None):
    """Arguments of the command line, checked against each other."""
    parser = make_parser()
    options = parser.parse_args(argv)
    problem = contradiction(options)
    if problem:
        parser.error(problem)
    return options


def make_parser():
    """The parser; its help is for reading."""
    parser = argparse.ArgumentParser(
        prog="kernelclust",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("paths", nargs="*", metavar="PATH", type=path, help="see below")
    _add_reading(parser.add_argument_group("reading"))
    _add_words(parser.add_argument_group("words"))
    _add_clustering(parser.add_argument_group("clustering"))
    _add_output(parser.add_argument_group("output"))
    return parser


def _add_reading(group):
    group.add_argument(
        "--text-column",
        metavar="NAME",
        help="column of the text in tables (default: text, or the only column)",
    )
    group.add_argument(
        "--label-column",
        metavar="NAME",
        help="column of known classes, to compare the clusters with",
    )
    group.add_argument(
        "--lines", action="store_true", help="each line of a text file is a document"
    )
    group.add_argument(
        "--encoding",
        type=encoding,
        metavar="NAME",
        help="of texts that are not UTF-8, such as latin-1 (default: skip them)",
    )
    group.add_argument(
        "--decode-errors",
        choices=("skip", "replace"),
        default="skip",
        help="what to do with text that cannot be decoded (default: %(default)s)",
    )
    group.add_argument(
        "--max-size",
        type=size,
        metavar="SIZE",
        default="100M",
        help="skip text files that are larger (default: %(default)s)",
    )
    group.add_argument(
        "--strict", action="store_true", help="exit code 1 if anything was skipped"
    )


def _add_words(group):
    group.add_argument(
        "--stop-words",
        metavar="WORDS",
        default="english",
        help="words to leave out: english, none, or a file with a word a line "
        "(default: %(default)s)",
    )
    group.add_argument(
        "--min-df",
        type=count,
        metavar="N",
        help="leave out words in fewer documents (default: 3, of fewer than 30 "
        "documents 1)",
    )


def _add_clustering(group):
    group.add_argument(
        "--k",
        type=number_of_clusters,
        metavar="auto|N",
        default="auto",
        help="number of clusters; auto: the most stable one, by prediction strength "
        "(default: %(default)s)",
    )
    group.add_argument(
        "--k-range",
        type=k_range,
        metavar="A-B",
        default="2-10",
        help="what --k auto chooses from (default: %(default)s)",
    )
    group.add_argument(
        "--method",
        choices=METHODS,
        default="kernel-kmeans",
        help="%(choices)s (default: %(default)s)",
        metavar="METHOD",
    )
    group.add_argument(
        "--kernel", type=kernel, metavar="KERNEL", help="how to compare; see below"
    )
    group.add_argument(
        "--t",
        type=order,
        metavar="T",
        help="normalise the kernel by the power mean of order T of the "
        "self-similarities: 0 or more, or inf",
    )
    group.add_argument(
        "--p",
        type=power,
        metavar="P",
        help="raise the entries of the kernel to the power P, above 0 and at most 1",
    )
    group.add_argument(
        "--shift",
        type=shift,
        metavar="S",
        help="add S to the diagonal of the kernel: a number, zero-trace or none "
        "(default: zero-trace for kernel-kmeans of texts and kernel matrices, where "
        "the dominance ratio is above 5; else none)",
    )
    group.add_argument(
        "--seed",
        type=seed,
        metavar="N",
        default=0,
        help="of all that is random (default: %(default)s)",
    )
    group.add_argument(
        "--jobs",
        type=jobs,
        metavar="N",
        default=1,
        help="processes to choose k with; -1: all cores (default: %(default)s)",
    )


def _add_output(group):
    group.add_argument(
        "--out", type=path, metavar="DIR", help="folder to write to; see below"
    )
    group.add_argument(
        "--quiet", action="store_true", help="print errors and nothing else"
    )


def contradiction(options):
    """What does not go together, None if all does."""
    name = options.kernel.name if options.kernel else None
    if options.method == "pddp":
        # No shift is what pddp does; an order of 0 normalises as any other.
        given = {"t": options.t, "p": options.p, "shift": options.shift or None}
        for option, value in given.items():
            if value is not None:
                return (
                    f"--method pddp works on features, not on a kernel: --{option} "
                    "does not apply. Use --method kpddp."
                )
        if name not in (None, "cosine", "linear"):
            return f"--method pddp takes no --kernel {name}. Use --method kpddp."
    if name == "precomputed" and not options.paths:
        return "--kernel precomputed needs a PATH: an .npy or .npz file."
    return None


def path(text):
    """A path; an empty one, as of a variable that is not set, is none."""
    if not text:
        raise argparse.ArgumentTypeError("an empty path")
    return Path(text)


def encoding(text):
    """A name that Python has a decoder for, to text."""
    try:
        b"?".decode(text, "replace")
    except (LookupError, ValueError):
        raise argparse.ArgumentTypeError(f"unknown encoding {text!r}") from None
    return text


def size(text):
    """Bytes, from a number and a unit."""
    found = re.fullmatch(r"(\d{1,12})([KMG]?)B?", text, re.IGNORECASE | re.ASCII)
    if not found or not int(found[1]):
        raise argparse.ArgumentTypeError(
            f"expected a size such as 500K, 100M or 2G, got {text!r}"
        )
    return int(found[1]) * UNITS[found[2].upper()]


def integer(text, smallest, largest, what):
    """A whole number within bounds."""
    try:
        value = int(text)
    except ValueError:
        value = None
    if value is None or not smallest <= value <= largest:
        raise argparse.ArgumentTypeError(f"expected {what}, got {text!r}")
    return value


def count(text):
    """A number of things, at least one."""
    return integer(text, 1, 2**31 - 1, "a whole number from 1 on")


def seed(text):
    """What numpy takes as a seed."""
    return integer(text, 0, 2**32 - 1, "a whole number from 0 to 4294967295")


def jobs(text):
    """As joblib counts them: any whole number but 0."""
    value = integer(text, -(2**15), 2**15, "a whole number other than 0")
    if value == 0:
        raise argparse.ArgumentTypeError("expected a whole number other than 0, got 0")
    return value


def number_of_clusters(text):
    """A number from 2 on, or auto."""
    if text == "auto":
        return text
    return integer(text, 2, 2**31 - 1, "auto or a whole number from 2 on")


def k_range(text):
    """``A-B``, both included, as a range."""
    found = re.fullmatch(r"(\d{1,9})-(\d{1,9})", text, re.ASCII)
    if not found or not 2 <= int(found[1]) <= int(found[2]):
        raise argparse.ArgumentTypeError(
            f"expected a range such as 2-10, from 2 on, got {text!r}"
        )
    return range(int(found[1]), int(found[2]) + 1)


def number(text, what):
    """A number that is one: NaN is not."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if math.isnan(value):
        raise argparse.ArgumentTypeError(f"expected {what}, got {text!r}")
    return value


def order(text):
    """Of a power mean."""
    value = number(text, "a number from 0 on, or inf")
    if value < 0:
        raise argparse.ArgumentTypeError(f"expected 0 or more, got {text!r}")
    return value


def power(text):
    """Of a subpolynomial kernel."""
    value = number(text, "a number above 0 and at most 1")
    if not 0 < value <= 1:
        raise argparse.ArgumentTypeError(f"expected above 0, at most 1, got {text!r}")
    return value


def shift(text):
    """A number, 0 for none, or zero-trace."""
    if text == "zero-trace":
        return text
    value = 0.0 if text == "none" else number(text, "a number, zero-trace or none")
    if math.isinf(value):
        raise argparse.ArgumentTypeError(f"expected a finite number, got {text!r}")
    return value


def kernel(text):
    """A kernel by its name and parameter."""
    try:
        return parse_kernel(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
