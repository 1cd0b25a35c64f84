"""``kernelclust predict``: topics of new documents."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import os
import sys

import joblib
import numpy as np

from sklearn_kernelclust._cli._labels import merged
from sklearn_kernelclust._cli._output import prepare, write_all
from sklearn_kernelclust._cli._progress import progress
from sklearn_kernelclust._cli._reading import BadInputError, read


def predict(options):
    """Read new documents and write their topics. Return whether any was skipped."""
    model = load(options.model)
    with progress("Reading", options=options) as meter:
        corpus = read(options, meter.step)
    if not len(corpus):
        raise BadInputError(f"No documents in {corpus.source}.")
    with progress("Predicting", options=options):
        try:
            labels = labels_of(model, corpus)
        except AttributeError as error:
            raise BadInputError(
                f"{options.model} does not fit the versions of the packages here "
                f"({error}). Write it again."
            ) from None
    n_unknown = np.count_nonzero(labels < 0)
    if n_unknown and not options.quiet:
        print(
            f"Note: {n_unknown:,} of {len(corpus):,} documents have no word that the "
            "model knows; they get no topic.",
            file=sys.stderr,
        )
    content = merged(corpus, options.id_column, model.legend_, labels)
    if options.out is None:
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
    else:
        folder, name = os.path.split(os.path.abspath(options.out))
        prepare(folder)
        write_all(folder, {name: content})
    return bool(corpus.skipped)


def load(path):
    """Load a model that this program wrote."""
    if not os.path.isfile(path):
        raise BadInputError(f"There is no model {path}.")
    try:
        model = joblib.load(path)
    except Exception as error:
        raise BadInputError(f"{path} is no model.joblib ({error}).") from None
    if not hasattr(model, "legend_"):
        raise BadInputError(f"{path} was not written by this version of kernelclust.")
    return model


def labels_of(model, corpus):
    """Label of each document, -1 for those without a word that the model knows."""
    check_kind(model.legend_.takes_texts, corpus)
    first = model.steps[0][1]
    if corpus.features is not None:
        return model.predict(features_of(model.legend_.columns, corpus))
    if not hasattr(first, "vocabulary_"):
        return model.predict(corpus.texts)
    known = np.diff(first.transform(corpus.texts).indptr) > 0
    labels = np.full(len(corpus), -1)
    if known.any():
        texts = [corpus.texts[i] for i in np.flatnonzero(known)]
        labels[known] = model.predict(texts)
    return labels


def features_of(columns, corpus):
    """The columns that the model was fitted on, in their order."""
    names = corpus.feature_names
    missing = [name for name in columns if name not in names]
    if missing:
        raise BadInputError(
            f"The model needs the columns {', '.join(missing)}, which "
            f"{corpus.source} does not have as numbers."
        )
    if not columns:
        return corpus.features
    return corpus.features[:, [names.index(name) for name in columns]]


def check_kind(takes_texts, corpus):
    """Refuse numbers for a model of texts, and texts for a model of numbers."""
    if takes_texts and corpus.features is not None:
        raise BadInputError(
            "The model compares words, not numbers: give texts, and no --embeddings."
        )
    if not takes_texts and corpus.features is None:
        raise BadInputError(
            "The model compares vectors: give those of the texts by --embeddings FILE."
        )
