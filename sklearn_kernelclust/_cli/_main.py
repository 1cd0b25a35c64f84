"""The program from start to end, and its exit code."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import shlex
import sys
from dataclasses import replace

import sklearn_kernelclust
from sklearn_kernelclust._cli import _screen
from sklearn_kernelclust._cli._arguments import parse
from sklearn_kernelclust._cli._choice import choose
from sklearn_kernelclust._cli._clustering import (
    Notes,
    cluster,
    make_kernels,
    terms_of,
)
from sklearn_kernelclust._cli._compare import compare
from sklearn_kernelclust._cli._comparison import (
    N_STARTS,
    agreement,
    with_and_without_shift,
)
from sklearn_kernelclust._cli._labels import labels_table, legend
from sklearn_kernelclust._cli._model import make_plan
from sklearn_kernelclust._cli._output import model_writer, prepare, table, write_all
from sklearn_kernelclust._cli._predict import predict
from sklearn_kernelclust._cli._progress import progress
from sklearn_kernelclust._cli._reading import BadInputError, read
from sklearn_kernelclust._cli._report import report
from sklearn_kernelclust._cli._result import Result
from sklearn_kernelclust._cli._topic_report import topic_report
from sklearn_kernelclust._cli._topics import describe_tree
from sklearn_kernelclust._cli._tree import grow
from sklearn_kernelclust._cli._words import describe
from sklearn_kernelclust._utils._warnings import warn_user

SUCCESS, BAD_INPUT, INTERRUPTED = 0, 1, 130


def main(argv=None):
    """Run the program and return its exit code."""
    argv = sys.argv[1:] if argv is None else argv
    options = parse(argv)
    try:
        if options.command == "compare":
            compare(options)
            return SUCCESS
        if options.command == "predict":
            skipped = predict(options)
        else:
            skipped = run(options, shlex.join(["kernelclust", *argv]))
    except KeyboardInterrupt:
        return _fail("interrupted", INTERRUPTED)
    except (BadInputError, ValueError, OSError, MemoryError) as error:
        return _fail(error, BAD_INPUT)
    return BAD_INPUT if skipped and options.strict else SUCCESS


def run(options, command):
    """Read, cluster, show and write. Return whether anything was skipped."""
    screen = _screen.Screen(options.quiet, options.out is not None, options.verbose)
    if options.out is not None:
        prepare(options.out)
    with progress("Reading", options=options) as meter:
        corpus = read(options, meter.step)
    _check_enough(screen, corpus, options)
    with Notes(corpus.features is None) as notes:
        result = _cluster(screen, corpus, options)
    result.notes = notes.texts
    for text in notes.texts:
        screen.say(f"Note: {text}", hang=6)
    if options.out is not None:
        with progress("Writing", options=options):
            write_all(options.out, _files(result, command, options.id_column))
        screen.say(
            f"Written to {_screen.printable(str(options.out))}: see report.html."
        )
    return bool(corpus.skipped)


def _cluster(screen, corpus, options):
    """Compute everything, and show each result as it comes."""
    plan = make_plan(options, corpus)
    kernels = make_kernels(plan, corpus, options)
    _screen.show_reading(screen, corpus, kernels.n_words)
    _screen.show_dominance(screen, plan.words, *kernels.dominance)
    find = _find_topics if options.k is None else _find_clusters
    result = find(screen, corpus, plan, kernels, options)
    screen.line("")
    result.agreement = _compare(screen, corpus, kernels, result.labels, options)
    return result


def _find_topics(screen, corpus, plan, kernels, options):
    """Grow the tree of topics, and show it."""
    model = grow(plan, kernels, options)
    tree = model[-1]
    root = describe_tree(tree, kernels)
    _screen.show_topics(screen, root, corpus)
    leaves = sorted(root.leaves(), key=lambda topic: topic.label)
    return Result(corpus, plan, kernels, None, model, tree.labels_, leaves, root)


def _find_clusters(screen, corpus, plan, kernels, options):
    """Cluster into one number of clusters, given or chosen, and show them."""
    choice, n_clusters = None, options.k
    if n_clusters == "auto":
        choice = choose(kernels, options)
        n_clusters = choice.k
        plan = replace(plan, init=choice.init)
        _screen.show_choice(screen, choice, len(corpus))
    model, labels = cluster(plan, kernels, n_clusters, options)
    clusters = describe(labels, kernels.plain, terms_of(kernels, labels))
    _screen.show_clusters(screen, clusters, corpus)
    return Result(corpus, plan, kernels, choice, model, labels, clusters)


def _compare(screen, corpus, kernels, labels, options):
    """Compare the clusters with the known classes, if there are any."""
    known = corpus.labelled()
    if options.label_column is not None and len(known) < len(corpus):
        warn_user(
            f"{len(corpus) - len(known):,} of {len(corpus):,} documents have no class. "
            "The comparison with the known classes leaves them out."
        )
    if not known:
        return None
    classes = [corpus.labels[i] for i in known]
    score, n_classes = agreement(classes, labels[known]), len(set(classes))
    _screen.show_agreement(screen, n_classes, score)
    if options.compare and kernels.shifted is not kernels.plain:
        with progress("Clustering without the shift", options=options):
            scores = with_and_without_shift(kernels, classes, options.seed)
        _screen.show_shift(screen, n_classes, N_STARTS, *scores)
    return score


def _files(result, command, id_column):
    """Contents of the files to write, by name."""
    # For the command predict, which says what the labels of new documents mean.
    result.model.legend_ = legend(result)
    page = report if result.root is None else topic_report
    return {
        "labels.csv": labels_table(result, id_column),
        "skipped.csv": table(["document", "reason"], result.corpus.skipped),
        "model.joblib": model_writer(result.model),
        "report.html": page(result, command, sklearn_kernelclust.__version__),
    }


def _check_enough(screen, corpus, options):
    needed = options.k if isinstance(options.k, int) else 2
    if len(corpus) >= needed:
        return
    if not len(corpus) and len(corpus.skipped) == 1:
        raise BadInputError("{}: {}.".format(*corpus.skipped[0]))
    _screen.show_reading(screen, corpus, None)
    hint = "" if options.lines else " With --lines, each line is a document."
    raise BadInputError(
        f"At least {needed} documents are needed for {needed} clusters, got "
        f"{len(corpus)}.{hint}"
    )


def _fail(error, code):
    text = str(error).strip() or type(error).__name__
    if not isinstance(error, BadInputError):
        # Errors of libraries may be long. In our own, a new line is in a file name.
        text = text.splitlines()[0]
    print(f"kernelclust: {_screen.printable(text)}", file=sys.stderr)
    return code
