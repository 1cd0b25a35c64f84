"""Options of the program, and its help."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import math
import re
import sys
from functools import partial
from importlib.resources import files
from pathlib import Path

from sklearn_kernelclust import __version__
from sklearn_kernelclust._cli._kernel_choice import parse_kernel

METHODS = ("kernel-kmeans", "pddp", "kpddp", "spectral", "kernel-pca")

DESCRIPTION = """\
Find the topics of documents, and the topics within them. Shows for each topic its
size, the words that set it apart and a central document. Without a PATH, the
documents are the docstrings of scikit-learn, as an example.
"""


PREDICT = """\
Find the topics of new documents by a model.joblib that kernelclust wrote. Loading such
a file can run code: load only files that you trust.
"""


COMPARE = """\
Compare the topics of two runs: how much they agree, and which topics of A are split or
merged in B. A and B are folders that kernelclust --out wrote.
"""


def parse(argv=None):
    """Parse the command line and check that the options agree."""
    argv = sys.argv[1:] if argv is None else argv
    commands = {"predict": make_predict_parser, "compare": make_compare_parser}
    if argv and argv[0] in commands:
        options = commands[argv[0]]().parse_args(argv[1:])
        options.command = argv[0]
        return options
    parser = make_parser()
    options = parser.parse_args(argv)
    problem = contradiction(options)
    if problem:
        parser.error(problem)
    if options.k is None and options.method != METHODS[0]:
        options.k = "auto"
    return options


def make_parser():
    """The parser of the command line."""
    parser = argparse.ArgumentParser(
        prog="kernelclust",
        description=DESCRIPTION,
        epilog=files(__package__).joinpath("help.txt").read_text("utf-8"),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    version = f"%(prog)s {__version__}"
    parser.add_argument("--version", action="version", version=version)
    parser.set_defaults(command=None)
    parser.add_argument("paths", nargs="*", metavar="PATH", type=PATH, help="see below")
    for add_options in (_add_reading, _add_kernel, _add_clustering, _add_output):
        group = parser.add_argument_group(add_options.__name__.removeprefix("_add_"))
        add_options(partial(_add, group))
    return parser


def make_predict_parser():
    """The parser of ``kernelclust predict``."""
    parser = argparse.ArgumentParser(
        prog="kernelclust predict", description=PREDICT, allow_abbrev=False
    )
    parser.add_argument("model", metavar="MODEL", type=PATH, help="a model.joblib")
    new = "new documents, as kernelclust takes them"
    parser.add_argument("paths", nargs="+", metavar="PATH", type=PATH, help=new)
    add = partial(_add, parser)
    _add_reading(add)
    add("--out", "file to write to (default: the screen)", type=PATH, metavar="CSV")
    add("--quiet", "print errors only", action="store_true")
    add("-v", "--verbose", "say what takes the time", action="store_true")
    return parser


def make_compare_parser():
    """The parser of ``kernelclust compare``."""
    parser = argparse.ArgumentParser(
        prog="kernelclust compare", description=COMPARE, allow_abbrev=False
    )
    for letter in "AB":
        result = f"result of the {'first' if letter == 'A' else 'second'} run"
        parser.add_argument(f"run_{letter}", metavar=letter, type=PATH, help=result)
    add = partial(_add, parser)
    level = "level of the topics to compare (default: the lowest)"
    add("--level", level, type=COUNT, metavar="N")
    shared = "file to write to: how many documents the topics have in common"
    add("--out", shared, type=PATH, metavar="CSV")
    return parser


def _add(group, *flags_and_text, **settings):
    """Add an option; its help names the default."""
    *flags, text = flags_and_text
    if settings.get("default") is not None:
        text += " (default: %(default)s)"
    group.add_argument(*flags, help=text, **settings)


def _add_reading(add):
    usual = "default: text, or the only column"
    add("--text-column", f"column with the text in tables ({usual})", metavar="NAME")
    known = "column with known classes, to compare the clusters with"
    add("--label-column", known, metavar="NAME")
    ids = "column that identifies the rows, for labels.csv"
    add("--id-column", ids, metavar="NAME")
    vectors = "compare the texts by these vectors, one a text (.npy or .npz)"
    add("--embeddings", vectors, type=PATH, metavar="FILE")
    add("--lines", "make each line of a text file a document", action="store_true")
    other = "encoding of texts that are not UTF-8, such as latin-1"
    add("--encoding", other, type=ENCODING, metavar="NAME")
    bad = "what to do with text that cannot be decoded"
    add("--decode-errors", bad, choices=("skip", "replace"), default="skip")
    large = "skip larger text files"
    add("--max-size", large, type=SIZE, metavar="SIZE", default="100M")
    add("--strict", "exit with code 1 if anything was skipped", action="store_true")


def _add_kernel(add):
    stop = "words to ignore: of a language (see below), of a file, or none"
    add("--stop-words", stop, metavar="LANG|FILE", default="english")
    rare = "ignore words in fewer documents (default: 3; 1 for fewer than 30 documents)"
    add("--min-df", rare, type=COUNT, metavar="N")
    add("--kernel", "kernel to compare with; see below", type=_kernel, metavar="KERNEL")
    mean = "normalize by the power mean of order T of the self-similarities, 0 to inf"
    add("--t", mean, type=ORDER, metavar="T")
    power = "raise the entries of the kernel to the power P, above 0 and at most 1"
    add("--p", power, type=POWER, metavar="P")
    diagonal = (
        "add S to the diagonal of the kernel: a number, zero-trace or none (default: "
        "zero-trace for kernel-kmeans of texts and kernel matrices with a dominance "
        "ratio above 5, else none)"
    )
    add("--shift", diagonal, type=SHIFT, metavar="S")


def _add_clustering(add):
    k = (
        "number of clusters, instead of a tree of topics; auto takes the one with the "
        "best prediction strength"
    )
    add("--k", k, type=N_CLUSTERS, metavar="auto|N")
    levels = "most levels of topics within topics (default: as many as there are)"
    add("--depth", levels, type=COUNT, metavar="N")
    candidates = "numbers of topics to choose from, at each topic or for --k auto"
    add("--k-range", candidates, type=K_RANGE, metavar="A-B", default="2-10")
    method = "%(choices)s; only kernel-kmeans makes a tree of topics"
    add("--method", method, choices=METHODS, default=METHODS[0], metavar="METHOD")
    add("--seed", "seed of the random numbers", type=SEED, metavar="N", default=0)
    jobs = (
        "processes that choose numbers of topics; -1 for all cores (default: 1; all "
        "cores for a tree of 5,000 documents or more)"
    )
    add("--jobs", jobs, type=JOBS, metavar="N")


def _add_output(add):
    add("--out", "folder to write to; see below", type=PATH, metavar="DIR")
    compare = "compare kernel k-means with and without the shift, if classes are known"
    add("--compare", compare, action="store_true")
    add("--quiet", "print errors only", action="store_true")
    add(
        "-v",
        "--verbose",
        "say what takes the time, and all that was skipped",
        action="store_true",
    )


def contradiction(options):
    """Message about options that exclude each other, None if all agree."""
    name = options.kernel.name if options.kernel else None
    if name == "precomputed" and not options.paths:
        return "--kernel precomputed needs a PATH: an .npy or .npz file."
    if options.embeddings and not options.paths:
        return "--embeddings needs a PATH: the texts that the vectors are of."
    if options.embeddings and name in ("string", "precomputed"):
        return f"--embeddings are vectors: --kernel {options.kernel} does not apply."
    if options.depth is not None and options.k is not None:
        return f"--depth is for a tree of topics: leave out --k {options.k}."
    if options.depth is not None and options.method != METHODS[0]:
        return f"--depth is for a tree of topics, which --method {METHODS[0]} makes."
    if options.method != "pddp":
        return None
    if name not in (None, "cosine", "linear"):
        return f"--method pddp takes no --kernel {name}. Use --method kpddp."
    given = {"t": options.t, "p": options.p, "shift": options.shift or None}
    for option in (option for option, value in given.items() if value is not None):
        return (
            f"--method pddp works on features, not on a kernel: --{option} does not "
            "apply. Use --method kpddp."
        )
    return None


def checked(convert, expected, is_valid=lambda value: True):
    """A converter for argparse that says what it expected."""

    def converter(text):
        try:
            value = convert(text)
        except (ValueError, LookupError):
            value = None
        if value is None or not is_valid(value):
            raise argparse.ArgumentTypeError(f"expected {expected}, got {text!r}")
        return value

    return converter


def _size(text):
    match = re.fullmatch(r"(\d{1,12})([KMG]?)B?", text.upper(), re.ASCII)
    return match and int(match[1]) * 2 ** (10 * ["", "K", "M", "G"].index(match[2]))


def _range(text):
    match = re.fullmatch(r"(\d{1,9})-(\d{1,9})", text, re.ASCII)
    return match and range(int(match[1]), int(match[2]) + 1)


def _encoding(text):
    b"?".decode(text, "replace")
    return text


def _kernel(text):
    try:
        return parse_kernel(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _or_word(convert, **words):
    """A converter that also knows some words."""
    return lambda text: words[text] if text in words else convert(text)


# An empty path is not the current folder.
PATH = checked(
    lambda text: Path(text) if text else None,
    "a path (an empty path usually comes from an unset variable)",
)
ENCODING = checked(_encoding, "an encoding that Python knows")
SIZE = checked(_size, "a size such as 500K, 100M or 2G", bool)
COUNT = checked(int, "a whole number from 1 on", lambda n: 1 <= n < 2**31)
SEED = checked(int, "a whole number from 0 to 4294967295", lambda n: 0 <= n < 2**32)
JOBS = checked(int, "a whole number other than 0", lambda n: 0 < abs(n) < 2**15)
N_CLUSTERS = checked(
    _or_word(int, auto="auto"),
    "auto or a whole number from 2 on",
    lambda k: k == "auto" or 2 <= k < 2**31,
)
K_RANGE = checked(_range, "a range such as 2-10, from 2 on", lambda r: r and r[0] >= 2)
ORDER = checked(float, "a number, 0 or more, or inf", lambda t: t >= 0)
POWER = checked(float, "a number above 0, at most 1", lambda p: 0 < p <= 1)
SHIFT = checked(
    _or_word(float, **{"zero-trace": "zero-trace", "none": 0.0}),
    "a finite number, zero-trace or none",
    lambda sigma: sigma == "zero-trace" or math.isfinite(sigma),
)
