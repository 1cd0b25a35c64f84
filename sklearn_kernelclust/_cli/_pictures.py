"""Figures as data URLs, for the report."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import base64
import io
import warnings

from sklearn_kernelclust import (
    ClusterTreeDisplay,
    GramDisplay,
    PredictionStrengthDisplay,
)

TYPES = {"png": "image/png", "svg": "image/svg+xml"}


def can_draw():
    """Whether matplotlib is installed."""
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError:
        return False
    return True


def gram_picture(gram, labels):
    """Kernel of the documents, ordered by cluster, without its diagonal."""

    def draw(ax):
        display = GramDisplay.from_kernel(gram, labels, ax=ax, cmap="magma")
        display.colorbar_.set_label("similarity")

    return picture(draw, (6.2, 5.2), "png")


def strength_picture(chooser):
    """Prediction strength against the number of clusters."""
    return picture(
        lambda ax: PredictionStrengthDisplay.from_estimator(chooser, ax=ax),
        (5.6, 3.6),
        "svg",
    )


def tree_picture(clusterer, clusters):
    """Tree of a divisive clustering; the leaves are named by their terms."""
    names = [
        _name(cluster)
        for cluster in sorted(clusters, key=lambda cluster: cluster.label)
    ]
    return picture(
        lambda ax: ClusterTreeDisplay.from_estimator(
            clusterer, leaf_names=names, ax=ax, orientation="left"
        ),
        (6.4, max(2.4, 0.9 + 0.32 * len(names))),
        "svg",
    )


def picture(draw, size, kind):
    """Call ``draw(ax)`` on a new figure and return it as a data URL."""
    import matplotlib
    from matplotlib.figure import Figure

    # Text stays text: the browser has fonts for more characters.
    style = {"svg.fonttype": "none", "svg.hashsalt": "kernelclust", "font.size": 9}
    content = io.BytesIO()
    with warnings.catch_warnings(), matplotlib.rc_context(style):
        warnings.filterwarnings("ignore", "Glyph")
        figure = Figure(figsize=size, layout="constrained")
        draw(figure.subplots())
        metadata = {"Date": None} if kind == "svg" else {}
        figure.savefig(content, format=kind, dpi=150, metadata=metadata)
    code = base64.b64encode(content.getvalue()).decode("ascii")
    return f"data:{TYPES[kind]};base64,{code}"


def _name(cluster):
    """Name of a cluster: its first terms, with ``$`` escaped for matplotlib."""
    words = ", ".join(cluster.terms[:3])
    words = "".join(c if c.isprintable() else "?" for c in words)
    return f"{cluster.label}: {words} ({cluster.size:,})".replace("$", r"\$")
