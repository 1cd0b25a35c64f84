"""The report: one page that needs nothing but a browser."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import re
from functools import cache
from html import escape
from importlib.resources import files
from string import Template

from sklearn_kernelclust._cli import _pictures
from sklearn_kernelclust._cli._central import central
from sklearn_kernelclust._cli._screen import printable, things
from sklearn_kernelclust._cli._words import snippet

# Longer lists are in labels.csv and skipped.csv.
MOST_NAMES = 200
MOST_SKIPPED = 1000


class Html(str):
    """HTML, which `render` does not escape again."""


def resource(name):
    """Text of a file that comes with the program."""
    return files(__package__).joinpath(name).read_text("utf-8")


@cache
def _templates():
    """The pages and their parts, from ``report.html`` and ``topics.html``."""
    text = resource("report.html") + resource("topics.html")
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
        facts=facts(result),
        pictures=pictures_of(result),
        clusters=join(_cluster(cluster, corpus) for cluster in clusters),
        skipped=skipped_part(corpus.skipped),
        notes=notes(result.notes),
        style=Html(resource("report.css")),
        command=command,
        version=version,
    )
    return f"{page}\n".encode("utf-8", "replace")


def facts(result):
    """Names and values, for a list."""
    return join(render("fact", name=name, value=v) for name, v in result.facts())


def notes(texts):
    """The warnings, if there are any."""
    return render("notes", items=items(texts)) if texts else ""


def pictures_of(result):
    """Pictures of the result, or how to get them."""
    if not _pictures.can_draw():
        return render("no_pictures")
    figures = join(
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
    if result.root is None and hasattr(result.clusterer, "tree_"):
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
        terms=items(cluster.terms, ""),
        central=join(document(corpus, i) for i in central(cluster.members, corpus)),
        members=_members(cluster, corpus),
    )


def document(corpus, i):
    """A document in a list: its name and its beginning."""
    name = corpus.short_name(i)
    # A first line that is the name is not shown twice.
    text = corpus.texts[i].strip().removeprefix(name) if corpus.texts else ""
    return render("document", name=name, text=snippet(text, 240))


def _members(cluster, corpus):
    names = [corpus.short_name(i) for i in cluster.members[:MOST_NAMES]]
    rest = _rest(cluster.size - MOST_NAMES, "labels.csv")
    return render("members", names=items(names), rest=rest)


def skipped_part(skipped):
    """What was skipped, if anything."""
    if not skipped:
        return ""
    rows = join(
        render("row", name=name, reason=reason)
        for name, reason in skipped[:MOST_SKIPPED]
    )
    rest = _rest(len(skipped) - MOST_SKIPPED, "skipped.csv")
    return render("skipped", n_skipped=f"{len(skipped):,}", rows=rows, rest=rest)


def _rest(n_more, file):
    return render("rest", n_more=f"{n_more:,}", file=file) if n_more > 0 else ""


def items(texts, separator="\n"):
    """Texts as items of a list."""
    return join((render("item", text=text) for text in texts), separator)


def join(parts, separator="\n"):
    """Parts of a page, one after the other."""
    return Html(separator.join(parts))
