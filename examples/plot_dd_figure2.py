"""
==============================================
Eigenvalues of a shifted kernel (DD, Figure 2)
==============================================

Figure 2 of Greene and Cunningham [1]_ shows the trailing eigenvalues of a kernel of
documents before and after its diagonal is shifted to zero. A shift by sigma moves
each of them by sigma: many are negative afterwards, and the kernel is indefinite.
Lloyd's steps alone need not converge on it.

.. [1] D. Greene and P. Cunningham, "Practical Solutions to the Problem of
   Diagonal Dominance in Kernel Document Clustering", ICML 2006.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import matplotlib.pyplot as plt
from sklearn.feature_extraction.text import TfidfVectorizer

from sklearn_kernelclust import (
    DiagonalShift,
    EmpiricalKernelMap,
    PairwiseKernel,
    SpectrumDisplay,
    SubpolynomialKernel,
)
from sklearn_kernelclust.datasets import load_docstrings

X = TfidfVectorizer(stop_words="english", min_df=2).fit_transform(
    load_docstrings().data
)
K = PairwiseKernel("cosine").fit_transform(X)
shifted = DiagonalShift().fit_transform(K)

# %%
# As in the paper, from rank 100 on; the first few are much larger.

figure, ax = plt.subplots(figsize=(7, 4), layout="constrained")
plain = SpectrumDisplay.from_kernel(K, name="K", first=100, ax=ax)
shift = SpectrumDisplay.from_kernel(shifted, name="shifted", first=100, ax=ax)
ax.set_title("Eigenvalues from rank 100 on")
plt.show()

n_negative = (shift.eigenvalues < 0).sum()
print(f"{n_negative} of {len(K)} eigenvalues are negative after the shift")

# %%
# The empirical kernel map squares the eigenvalues of what it is given, up to the
# scaling of its rows. So the kernels of DSM (shift and map) and SPM (subpolynomial
# kernel and map) are positive semi-definite, and k-means converges on them.

figure, ax = plt.subplots(figsize=(7, 4), layout="constrained")
for name, kernel in (
    ("DSM", shifted),
    ("SPM", SubpolynomialKernel(p=0.6).fit_transform(K)),
):
    mapped = EmpiricalKernelMap().fit_transform(kernel)
    display = SpectrumDisplay.from_kernel(mapped, name=name, ax=ax)
    print(f"{name}: smallest eigenvalue {display.eigenvalues[-1]:.1e}")
ax.set(title="After the empirical kernel map", yscale="log")
plt.show()
