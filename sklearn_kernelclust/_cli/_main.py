"""The program from beginning to end, and its exit code."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import sys

from sklearn_kernelclust._cli import _screen
from sklearn_kernelclust._cli._arguments import parse
from sklearn_kernelclust._cli._clustering import (
    Notes,
    cluster,
    make_kernels,
    terms_of,
)
from sklearn_kernelclust._cli._comparison import (
    N_STARTS,
    agreement,
    with_and_without_shift,
)
from sklearn_kernelclust._cli._model import make_plan
from sklearn_kernelclust._cli._output import model_writer, prepare, table, write_all
from sklearn_kernelclust._cli._progress import progress
from sklearn_kernelclust._cli._reading import BadInputError, read
from sklearn_kernelclust._cli._words import describe

SUCCESS, BAD_INPUT, INTERRUPTED = 0, 1, 130


def main(argv=None):
    """Run the program; the exit code says how it went."""
    options = parse(argv)
    try:
        skipped = run(options)
    except KeyboardInterrupt:
        return _fail("interrupted", INTERRUPTED)
    except (BadInputError, ValueError, OSError, MemoryError) as error:
        return _fail(error, BAD_INPUT)
    return BAD_INPUT if skipped and options.strict else SUCCESS


def run(options):
    """Read, cluster, show, write; True if anything was skipped."""
    screen = _screen.Screen(options.quiet, keep_on=options.out is not None)
    if options.out is not None:
        prepare(options.out)
    with progress("Reading", quiet=options.quiet) as meter:
        corpus = read(options, meter.step)
    _check_enough(screen, corpus, options)
    with Notes(corpus.features is None) as notes:
        _cluster(screen, corpus, options)
    for text in notes.texts:
        screen.say(f"Note: {text}", hang=6)
    return bool(corpus.skipped)


def _cluster(screen, corpus, options):
    quiet = options.quiet
    plan = make_plan(options, corpus)
    kernels = make_kernels(plan, corpus, quiet)
    _screen.show_reading(screen, corpus, kernels.n_words)
    _screen.show_dominance(screen, plan.words, *kernels.dominance())
    n_clusters = options.k
    model, labels = cluster(plan, kernels, n_clusters, quiet)
    clusters = describe(labels, kernels.plain, terms_of(kernels, labels))
    _screen.show_clusters(screen, clusters, corpus)
    _compare(screen, corpus, kernels, labels, options)
    if options.out is not None:
        write_all(
            options.out,
            {
                "labels.csv": table(
                    ["document", "cluster"], zip(corpus.names, labels.tolist())
                ),
                "skipped.csv": table(["document", "reason"], corpus.skipped),
                "model.joblib": model_writer(model),
            },
        )


def _compare(screen, corpus, kernels, labels, options):
    """How well the clusters are the classes, where these are known."""
    classes = corpus.classes()
    if classes is None:
        return
    screen.line("")
    _screen.show_agreement(screen, len(set(classes)), agreement(classes, labels))
    if not options.paths and kernels.shifted is not kernels.plain:
        with progress("Comparing with the kernel as it is", quiet=options.quiet):
            scores = with_and_without_shift(kernels, classes, options.seed)
        _screen.show_shift(screen, len(set(classes)), N_STARTS, *scores)


def _check_enough(screen, corpus, options):
    needed = 2 if options.k == "auto" else options.k
    if len(corpus) >= needed:
        return
    if not len(corpus) and len(corpus.skipped) == 1:
        raise BadInputError("{}: {}.".format(*corpus.skipped[0]))
    _screen.show_reading(screen, corpus, None)
    raise BadInputError(
        f"At least {needed} documents are needed for {needed} clusters, got "
        f"{len(corpus)}."
    )


def _fail(error, code):
    text = _screen.printable(str(error) or type(error).__name__)
    print(f"kernelclust: {text}", file=sys.stderr)
    return code
