"""
============================================
Normalised kernels of order t (NK, Figure 1)
============================================

Figure 1 of Ah-Pine [1]_ shows what a normalisation of order t makes of two objects
with the angle theta between them: the cosine of theta for objects of equal length,
and the less, the more their lengths differ. For t = 0 length does not matter, and
the larger t the more it does.

.. [1] Julien Ah-Pine, "Normalized Kernels as Similarity Indices", PAKDD 2010.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import matplotlib.pyplot as plt
import numpy as np

from sklearn_kernelclust import PowerMeanNormalizer

# %%
# One object of length 1, and others of lengths 1 to 10 in the opposite direction
# (left) and in the same direction (right).

ratios = np.linspace(1, 10, 100)
orders = {0: "t = 0", 1: "t = 1", 10: "t = 10", 100: "t = 100", np.inf: "t = inf"}

figure, axes = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
for ax, cosine in zip(axes, (-1, 1)):
    others = np.column_stack([cosine * ratios, 0 * ratios])
    for t, name in orders.items():
        normalizer = PowerMeanNormalizer(t).fit([[1.0, 0.0]])
        ax.plot(ratios, normalizer.transform(others), label=name)
    ax.set(
        title=f"cos theta = {cosine}", xlabel="ratio of lengths", ylabel="similarity"
    )
axes[0].legend()
plt.show()

# %%
# Objects whose lengths differ twofold, at t = 1: 0.8, the 2 lengths multiplied over
# the mean of their squares.

print(PowerMeanNormalizer(1).fit([[1.0, 0.0]]).transform([[2.0, 0.0]]))
