"""The report: one page that needs nothing but a browser."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import re
from functools import cache
from html import escape
from importlib.resources import files
from string import Template

from sklearn_kernelclust._cli import _pictures
from sklearn_kernelclust._cli._screen import printable, things
from sklearn_kernelclust._cli._words import snippet

# Longer lists are in labels.csv and skipped.csv.
MOST_NAMES = 200
MOST_SKIPPED = 1000


class Html(str):
    """HTML, which `render` does not escape again."""


@cache
def _templates():
    """The page and its parts, from ``report.html``."""
    text = files(__package__).joinpath("report.html").read_text("utf-8")
    page, *parts = re.split(r"<!-- part: (\w+) -->\n", text)
    templates = dict(zip(parts[::2], parts[1::2])) | {"page": page}
    return {name: Template(part.rstrip("\n")) for name, part in templates.items()}


def render(template, **values):
    """Fill in a template. Everything but `Html` is escaped."""
    escaped = {
        name: value if isinstance(value, Html) else escape(printable(str(value)))
        for name, value in values.items()
    }
    return Html(_templates()[template].substitute(escaped))


def report(result, command, version):
    """The page, as bytes.

    Parameters
    ----------
    result : Result
        Result of the run.
    command : str
        The command line.
    version : str
        Version of this package.
    """
    corpus, clusters = result.corpus, result.clusters
    page = render(
        "page",
        source=corpus.source,
        lead=f"{things(len(corpus), corpus)} in {len(clusters):,} clusters.",
        facts=_join(render("fact", name=n, value=v) for n, v in result.facts()),
        pictures=_pictures_of(result),
        clusters=_join(_cluster(cluster, corpus) for cluster in clusters),
        skipped=_skipped(corpus.skipped),
        notes=render("notes", items=_items(result.notes)) if result.notes else "",
        command=command,
        version=version,
    )
    return f"{page}\n".encode("utf-8", "replace")


def _pictures_of(result):
    if not _pictures.can_draw():
        return render("no_pictures")
    figures = _join(
        render("figure", address=address, caption=caption)
        for address, caption in _figures(result)
    )
    return render("pictures", figures=figures)


def _figures(result):
    yield (
        _pictures.gram_picture(result.kernels.plain, result.labels),
        "Similarity of all pairs of documents, ordered by cluster. A bright square on "
        "the diagonal is a cluster whose documents are similar to each other.",
    )
    if result.choice is not None:
        yield (
            _pictures.strength_picture(result.choice.chooser),
            "Prediction strength of each number of clusters: how well two random "
            "halves of the documents agree on their clusters. 1 is perfect, 0 is "
            "chance. The bars are standard deviations over the splits.",
        )
    if hasattr(result.clusterer, "tree_"):
        yield (
            _pictures.tree_picture(result.clusterer, result.clusters),
            "How the documents were divided; the root is at the left. The scatter is "
            "the sum of squared distances to the mean.",
        )


def _cluster(cluster, corpus):
    share = cluster.size / len(corpus)
    return render(
        "cluster",
        label=cluster.label,
        name=", ".join(cluster.terms[:3]) or f"Cluster {cluster.label}",
        width=f"{share:.1%}",
        size=f"cluster {cluster.label}: {things(cluster.size, corpus)}, {share:.0%}",
        terms=_items(cluster.terms, ""),
        central=_join(_document(corpus, i) for i in cluster.central),
        members=_members(cluster, corpus),
    )


def _document(corpus, i):
    name = corpus.short_name(i)
    # A first line that is the name is not shown twice.
    text = corpus.texts[i].strip().removeprefix(name) if corpus.texts else ""
    return render("document", name=name, text=snippet(text, 240))


def _members(cluster, corpus):
    names = [corpus.short_name(i) for i in cluster.members[:MOST_NAMES]]
    rest = _rest(cluster.size - MOST_NAMES, "labels.csv")
    return render("members", names=_items(names), rest=rest)


def _skipped(skipped):
    if not skipped:
        return ""
    rows = _join(
        render("row", name=name, reason=reason)
        for name, reason in skipped[:MOST_SKIPPED]
    )
    rest = _rest(len(skipped) - MOST_SKIPPED, "skipped.csv")
    return render("skipped", n_skipped=f"{len(skipped):,}", rows=rows, rest=rest)


def _rest(n_more, file):
    return render("rest", n_more=f"{n_more:,}", file=file) if n_more > 0 else ""


def _items(texts, separator="\n"):
    return _join((render("item", text=text) for text in texts), separator)


def _join(parts, separator="\n"):
    return Html(separator.join(parts))
