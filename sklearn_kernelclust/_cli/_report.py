"""The result as one page that needs nothing but a browser."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from html import escape

from sklearn_kernelclust._cli import _pictures
from sklearn_kernelclust._cli._screen import printable, things
from sklearn_kernelclust._cli._words import snippet

# More names than this are for labels.csv.
MOST_NAMES = 200
MOST_SKIPPED = 1000

STYLE = """
:root { color-scheme: light; --ink: #1d2733; --soft: #5b6876; --line: #dde3e9;
  --tint: #f4f6f8; --mark: #2f6f9f; }
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: #fff;
  max-width: 68rem; margin: 0 auto; padding: 2rem 1.5rem 4rem; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .3rem; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin: 2.5rem 0 .8rem; }
h3 { font-size: 1rem; margin: 0; }
p.lead { color: var(--soft); margin: 0 0 1.5rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.2rem;
  margin: 0; padding: 1rem 1.2rem; background: var(--tint); border-radius: .5rem; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
.pictures { display: flex; flex-wrap: wrap; gap: 1.5rem; align-items: flex-start; }
figure { margin: 0; flex: 1 1 26rem; min-width: 0; }
figure img { width: 100%; height: auto; }
figcaption { color: var(--soft); font-size: .9rem; }
.cluster { border: 1px solid var(--line); border-radius: .5rem; padding: 1rem 1.2rem;
  margin: 0 0 1rem; break-inside: avoid; }
.cluster header { display: flex; align-items: center; gap: 1rem; }
.cluster header span { color: var(--soft); white-space: nowrap; }
.bar { flex: 1; height: .5rem; background: var(--tint); border-radius: .25rem; }
.bar i { display: block; height: 100%; background: var(--mark);
  border-radius: .25rem; min-width: 2px; }
.terms { margin: .6rem 0; padding: 0; list-style: none; display: flex;
  flex-wrap: wrap; gap: .35rem; }
.terms li { background: var(--tint); border-radius: 1rem; padding: .05rem .7rem;
  white-space: pre-wrap; overflow-wrap: anywhere; }
.central { margin: .6rem 0 0; padding-left: 1.2rem; }
.central b, table { overflow-wrap: anywhere; }
.central span, summary { color: var(--soft); }
summary { cursor: pointer; margin-top: .6rem; }
details ul { columns: 18rem; font-size: .9rem; margin: .5rem 0 0;
  padding-left: 1.2rem; overflow-wrap: anywhere; }
table { border-collapse: collapse; font-size: .9rem; }
td { padding: .15rem 1.2rem .15rem 0; vertical-align: top; }
footer { margin-top: 3rem; color: var(--soft); font-size: .9rem; }
code { background: var(--tint); padding: .1rem .3rem; border-radius: .25rem;
  overflow-wrap: anywhere; }
"""

PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>Clusters of {title}</title>
<style>{style}</style>
</head>
<body>
<h1>Clusters of {title}</h1>
<p class="lead">{lead}</p>
{facts}
<h2>Pictures</h2>
{pictures}
<h2>Clusters</h2>
{clusters}
{skipped}
{notes}
<footer>
<p><code>{command}</code></p>
<p>sklearn_kernelclust {version}. The cluster of each document is in
<code>labels.csv</code>. <code>model.joblib</code> finds the cluster of new ones; like
every such file it runs what it holds when it is loaded: load only files that you
trust.</p>
</footer>
</body>
</html>
"""


def report(result, command, version):
    """The page, as bytes.

    Parameters
    ----------
    result : Result
        What was found.
    command : str
        What was asked for.
    version : str
        Of this package.
    """
    corpus = result.corpus
    n_clusters = len(result.clusters)
    page = PAGE.format(
        title=_safe(corpus.source),
        style=STYLE,
        lead=f"{things(len(corpus), corpus)} in {n_clusters:,} clusters.",
        facts=_facts(result),
        pictures=_pictures_of(result),
        clusters="\n".join(_cluster(found, corpus) for found in result.clusters),
        skipped=_skipped(corpus.skipped),
        notes=_notes(result.notes),
        command=_safe(command),
        version=_safe(version),
    )
    return page.encode("utf-8", "replace")


def _safe(text):
    """Text that stays text, wherever it stands in the page."""
    return escape(printable(str(text)), quote=True)


def _facts(result):
    rows = "\n".join(
        f"<dt>{_safe(name)}</dt><dd>{_safe(value)}</dd>"
        for name, value in result.facts()
    )
    return f"<dl>\n{rows}\n</dl>"


def _pictures_of(result):
    if not _pictures.can_draw():
        return (
            "<p>There are none: matplotlib is not installed. "
            "<code>python -m pip install matplotlib</code></p>"
        )
    figures = [
        _figure(
            _pictures.gram_picture(result.kernels.plain, result.labels),
            "Similarity of all pairs of documents, ordered by cluster. A bright square "
            "on the diagonal is a cluster whose documents are similar to each other.",
        )
    ]
    if result.choice is not None:
        figures.append(
            _figure(
                _pictures.strength_picture(result.choice.chooser),
                "How well two halves of the documents agree on their clusters, by the "
                "number of clusters: 1 is perfect, 0 is chance. The bars are standard "
                "deviations over random halves.",
            )
        )
    if hasattr(result.clusterer, "tree_"):
        figures.append(
            _figure(
                _pictures.tree_picture(result.clusterer, result.clusters),
                "How the documents were divided, the root at the left. The scatter is "
                "the sum of squared distances to the mean.",
            )
        )
    return '<div class="pictures">\n' + "\n".join(figures) + "\n</div>"


def _figure(address, caption):
    return (
        f'<figure><img src="{address}" alt="{_safe(caption)}">'
        f"<figcaption>{_safe(caption)}</figcaption></figure>"
    )


def _cluster(cluster, corpus):
    share = cluster.size / len(corpus)
    terms = "".join(f"<li>{_safe(term)}</li>" for term in cluster.terms)
    central = "\n".join(f"<li>{_document(corpus, i)}</li>" for i in cluster.central)
    return f"""<section class="cluster" id="cluster-{cluster.label}">
<header><h3>Cluster {cluster.label}</h3>
<div class="bar"><i style="width: {share:.1%}"></i></div>
<span>{things(cluster.size, corpus)}, {share:.0%}</span></header>
{f'<ul class="terms">{terms}</ul>' if terms else ""}
<ol class="central">
{central}
</ol>
{_members(cluster, corpus)}
</section>"""


def _document(corpus, i):
    name = f"<b>{_safe(corpus.short_name(i))}</b>"
    if not corpus.texts:
        return name
    return f"{name}<br><span>{_safe(snippet(corpus.texts[i], 240))}</span>"


def _members(cluster, corpus):
    names = [corpus.short_name(i) for i in cluster.members[:MOST_NAMES]]
    items = "\n".join(f"<li>{_safe(name)}</li>" for name in names)
    more = cluster.size - len(names)
    rest = f"<p>And {more:,} more, in labels.csv.</p>" if more else ""
    summary = "<summary>All of them, the most central first</summary>"
    return f"<details>{summary}<ul>\n{items}\n</ul>{rest}</details>"


def _skipped(skipped):
    if not skipped:
        return ""
    rows = "\n".join(
        f"<tr><td>{_safe(name)}</td><td>{_safe(reason)}</td></tr>"
        for name, reason in skipped[:MOST_SKIPPED]
    )
    more = len(skipped) - MOST_SKIPPED
    rest = f"<p>And {more:,} more, in skipped.csv.</p>" if more > 0 else ""
    return f"<h2>Skipped: {len(skipped):,}</h2>\n<table>\n{rows}\n</table>{rest}"


def _notes(notes):
    if not notes:
        return ""
    items = "\n".join(f"<li>{_safe(text)}</li>" for text in notes)
    return f"<h2>Notes</h2>\n<ul>\n{items}\n</ul>"
