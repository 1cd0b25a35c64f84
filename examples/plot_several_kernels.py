"""
======================================
Texts, categories and numbers together
======================================

A table has columns of different kinds. ``KernelUnion`` gives each kind a kernel of its
own and adds them up, with weights that a search can choose.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

# %%
# The table
# ---------
# Classes and functions of scikit-learn: the text is the docstring, the category is the
# last word of the name (``Classifier``, ``kernel``), the numbers are a length and a
# count. The module that each is in is to be found.

import re

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.compose import make_column_selector
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics import normalized_mutual_info_score
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from sklearn_kernelclust import KernelKMeans, KernelUnion, PairwiseKernel
from sklearn_kernelclust.datasets import load_docstrings

corpus = load_docstrings()
n_clusters = len(corpus.target_names)
last_word = [re.findall("[A-Z]?[a-z]+|[A-Z]+", name)[-1] for name in corpus.names]
table = pd.DataFrame({"text": corpus.data, "kind": [w.lower() for w in last_word]})
table["length"] = np.log(table["text"].str.len())
table["defaults"] = np.log1p(table["text"].str.count("default"))
print(table.drop(columns="text").sample(5, random_state=0))

# %%
# Three kernels
# -------------
# Columns are selected as in ``ColumnTransformer``: by a string (for vectorizers), by a
# list, or by a selector of types. Each kernel is divided by its mean self-similarity,
# so that weights compare. With ``lazy=True`` no kernel matrix is formed.

numbers = make_column_selector(dtype_include="number")
tfidf = TfidfVectorizer(stop_words="english", min_df=2, sublinear_tf=True)
one_hot = OneHotEncoder(handle_unknown="ignore")
union = KernelUnion(
    [
        ("text", make_pipeline(tfidf, PairwiseKernel("linear", lazy=True)), "text"),
        ("kind", make_pipeline(one_hot, PairwiseKernel("linear", lazy=True)), ["kind"]),
        ("numbers", make_pipeline(StandardScaler(), PairwiseKernel("rbf")), numbers),
    ]
)
model = make_pipeline(
    union, KernelKMeans(n_clusters, kernel="precomputed", random_state=0)
)
print(union.fit_transform(table))

# %%
# Which weights
# -------------
# The text says most here. In equal shares the other kernels hide what it says: weights
# matter.

WEIGHTS = {
    "text": [1, 0, 0],
    "kind": [0, 1, 0],
    "numbers": [0, 0, 1],
    "text + kind / 5": [1, 0.2, 0],
    "all": [1, 1, 1],
}
scores = {}
for name, weights in WEIGHTS.items():
    labels = model.set_params(kernelunion__weights=weights).fit_predict(table)
    scores[name] = normalized_mutual_info_score(corpus.target, labels)
    print(f"{name:16} NMI {scores[name]:.3f}")

# %%
# A search over weights and over parameters of the steps is one over names:

search = GridSearchCV(
    model,
    {
        "kernelunion__weights": [[1, 0, 0], [1, 0.2, 0], [1, 0.5, 0]],
        "kernelunion__text__tfidfvectorizer__min_df": [2, 4],
    },
    scoring="normalized_mutual_info_score",
    cv=KFold(2, shuffle=True, random_state=0),
).fit(table, corpus.target)
print(search.best_params_)

fig, ax = plt.subplots(figsize=(6, 3), layout="constrained")
ax.barh(list(scores), list(scores.values()))
ax.set(xlabel="Normalized mutual information with the modules")
ax.invert_yaxis()
plt.show()
