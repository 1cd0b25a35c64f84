"""scikit-learn's own docstrings as a labelled corpus."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import re
from collections import Counter
from importlib import import_module
from inspect import cleandoc
from numbers import Integral
from pkgutil import iter_modules

import numpy as np
import sklearn
from sklearn.utils import Bunch

from sklearn_kernelclust._utils._sklearn import Interval, validate_params

# Modules that are not for users, or that change something when imported.
LEFT_OUT = {"conftest", "estimator_checks", "experimental", "externals", "tests"}

# There or not depending on what else was imported.
ON_DEMAND = {"HalvingGridSearchCV", "HalvingRandomSearchCV", "IterativeImputer"}

EXAMPLES = re.compile(r"^Examples\n-+\n.*", flags=re.MULTILINE | re.DOTALL)
DOTTED_NAME = re.compile(r"\bsklearn(\.\w+)+")

DESCR = """\
The docstrings of scikit-learn {version} as a corpus of documents.

A document is the docstring of a public class or function, without its
examples and without dotted names such as ``sklearn.cluster.KMeans``, which
would give the class away. Its class is the module that it is in.

:Documents: {n_documents}
:Classes: {n_classes}
"""


@validate_params(
    {
        "min_length": [Interval(Integral, 0, None, closed="left")],
        "min_documents": [Interval(Integral, 1, None, closed="left")],
        "return_X_y": ["boolean"],
    },
    prefer_skip_nested_validation=True,
)
def load_docstrings(*, min_length=250, min_documents=8, return_X_y=False):
    """Load scikit-learn's own docstrings as a labelled corpus.

    About 500 real documents in as many classes as there are large modules
    (``sklearn.cluster``, ``sklearn.linear_model``, ...), with nothing to
    download. Their number depends on the version of scikit-learn; their order
    is always the same: by module, then by name.

    Parameters
    ----------
    min_length : int, default=250
        Documents with fewer characters are left out.

    min_documents : int, default=8
        Classes with fewer documents are left out.

    return_X_y : bool, default=False
        Whether to return ``(data, target)`` instead of a Bunch.

    Returns
    -------
    corpus : :class:`~sklearn.utils.Bunch`
        Dictionary-like object, with the following attributes.

        data : list of str
            The documents.
        target : ndarray of shape (n_documents,)
            Class of each document, an integer.
        target_names : list of str
            The modules that the classes stand for.
        names : list of str
            Qualified name of what each document describes.
        DESCR : str
            Description of the corpus.

    (data, target) : tuple if ``return_X_y`` is True
        The documents and their classes.

    Notes
    -----
    Examples, and dotted names such as ``sklearn.cluster.KMeans``, are taken
    out of the documents: they would give the class away. An object that
    several modules offer is taken once, from the first of them; of equal texts
    the first is taken.

    Examples
    --------
    >>> from sklearn_kernelclust.datasets import load_docstrings
    >>> corpus = load_docstrings()
    >>> len(corpus.data) == len(corpus.target) == len(corpus.names)
    True
    >>> "sklearn.cluster" in corpus.target_names
    True
    >>> print(corpus.data[corpus.names.index("sklearn.cluster.KMeans")][:19])
    K-Means clustering.
    """
    documents = [d for d in _documents() if len(d[2]) >= min_length]
    sizes = Counter(module for module, _, _ in documents)
    documents = [d for d in documents if sizes[d[0]] >= min_documents]
    if not documents:
        raise ValueError(
            f"No documents are left with min_length={min_length} and "
            f"min_documents={min_documents}. (Python's option -OO strips all "
            "docstrings.)"
        )
    modules, names, data = map(list, zip(*documents))
    target_names, target = np.unique(modules, return_inverse=True)
    if return_X_y:
        return data, target
    return Bunch(
        data=data,
        target=target,
        target_names=target_names.tolist(),
        names=names,
        DESCR=DESCR.format(
            version=sklearn.__version__,
            n_documents=len(data),
            n_classes=len(target_names),
        ),
    )


def _documents():
    """Module, name and text of each documented object, each text once."""
    texts, objects = set(), set()
    for module in _public_modules(sklearn):
        for name in _public_names(module):
            documented = getattr(module, name)
            if not callable(documented) or id(documented) in objects:
                continue
            text = _clean(documented.__doc__ or "")
            if text not in texts:
                objects.add(id(documented))
                texts.add(text)
                top = ".".join(module.__name__.split(".")[:2])
                yield top, f"{module.__name__}.{name}", text


def _public_modules(package):
    """All public modules below a package, by name, each before its submodules."""
    names = (m.name for m in iter_modules(getattr(package, "__path__", [])))
    for name in sorted(names):
        if not name.startswith("_") and name not in LEFT_OUT:
            module = import_module(f"{package.__name__}.{name}")
            yield module
            yield from _public_modules(module)


def _public_names(module):
    """Names in `__all__`, else those that a module defines without an underscore."""
    names = getattr(module, "__all__", None)
    if names is None:
        names = [
            name
            for name, value in vars(module).items()
            if getattr(value, "__module__", None) == module.__name__
            and not name.startswith("_")
        ]
    return sorted(set(names) - ON_DEMAND)


def _clean(docstring):
    """The text without names and examples that would reveal its module."""
    return DOTTED_NAME.sub("", EXAMPLES.sub("", cleandoc(docstring))).strip()
