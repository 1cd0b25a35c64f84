"""What this site adds to Sphinx: formulas without scripts, links to scikit-learn.

The site builds without a network, and its pages load nothing from elsewhere. So
formulas are MathML, which browsers show by themselves, and the inventory of
scikit-learn's pages is made of the installed package.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import inspect
import zlib
from importlib import import_module
from pathlib import Path

# Other packages are imported where they are used: pytest, which looks for doctests
# here, runs without Sphinx.

SKLEARN = "https://scikit-learn.org/stable/"
MODULES = [
    *(
        "base",
        "callback",
        "cluster",
        "compose",
        "datasets",
        "decomposition",
        "manifold",
    ),
    *("feature_extraction.text", "kernel_approximation", "metrics"),
    *("metrics.pairwise", "mixture", "model_selection", "neighbors", "pipeline"),
    *("preprocessing", "svm", "utils"),
]
HEADER = """\
# Sphinx inventory version 2
# Project: scikit-learn
# Version: {version}
# The remainder of this file is compressed using zlib.
"""


def gallery_order(name):
    """Sort examples: the tutorial, then by task, then figures of papers."""
    return "tutorial" not in name, "figure" in name, name


def setup(app):
    """Register everything with Sphinx."""
    app.add_html_math_renderer("mathml", (visit_math, None), (visit_math_block, None))
    app.connect("config-inited", add_inventory)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def mathml(formula):
    """A formula in LaTeX as MathML."""
    from docutils.utils.math.latex2mathml import tex2mathml

    return tex2mathml(formula)


def visit_math(translator, node):
    """Write a formula in a line of text."""
    from docutils.nodes import SkipNode

    translator.body.append(mathml(node.astext()))
    raise SkipNode


def visit_math_block(translator, node):
    """Write a formula that stands alone."""
    from docutils.nodes import SkipNode

    formula = mathml(node.astext()).replace("<math ", '<math display="block" ', 1)
    translator.body.append(f'<div class="math-block">{formula}</div>\n')
    raise SkipNode


def add_inventory(app, config):
    """Let names of scikit-learn be links to its pages."""
    path = Path(app.confdir) / "build" / "sklearn.inv"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(inventory())
    config.intersphinx_mapping = {"sklearn": (SKLEARN, str(path))}


def inventory():
    """An inventory of scikit-learn's public names, as Sphinx writes them."""
    import sklearn

    lines = []
    for name, module in public_modules():
        for member in public_names(module):
            value = vars(module).get(member)  # not what must be switched on first
            role = "class" if inspect.isclass(value) else "function"
            if callable(value):
                page = f"modules/generated/{name}.{member}.html"
                lines.append(f"{name}.{member} py:{role} 1 {page}#$ -\n")
    header = HEADER.format(version=sklearn.__version__)
    return header.encode() + zlib.compress("".join(lines).encode())


def public_names(module):
    """Names of a module that have pages of their own."""
    if module.__name__ == "sklearn":
        return ["config_context", "get_config", "set_config", "show_versions"]
    defined = [
        name
        for name, value in vars(module).items()
        if getattr(value, "__module__", None) == module.__name__
    ]
    return [
        name for name in getattr(module, "__all__", defined) if not name.startswith("_")
    ]


def public_modules():
    """Names and modules of scikit-learn that this site refers to."""
    yield "sklearn", import_module("sklearn")
    for name in MODULES:
        try:
            yield f"sklearn.{name}", import_module(f"sklearn.{name}")
        except ImportError:  # a module that came later
            continue
