"""Parse kernels such as ``rbf:0.5`` or ``string:spectrum:4``."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import math
from dataclasses import dataclass, field

PLAIN = ("cosine", "linear", "sigmoid", "precomputed")
WITH_GAMMA = ("rbf", "laplacian")
STRING_KINDS = ("spectrum", "boundrange", "constant", "exponential", "subsequence")


@dataclass(frozen=True)
class KernelChoice:
    """A kernel and its parameters, as the estimators take them."""

    name: str
    parameters: dict = field(default_factory=dict)

    def __str__(self):
        given = (v for v in self.parameters.values() if v != "scale")
        return ":".join([self.name, *map(str, given)])


def parse_kernel(text):
    """Parse a kernel. Raises ValueError if there is no such kernel."""
    name, *rest = text.split(":")
    if name == "string":
        return _string_kernel(text, *rest)
    if name in PLAIN and not rest:
        gamma = {"gamma": "scale"} if name == "sigmoid" else {}
        return KernelChoice(name, gamma)
    if name in WITH_GAMMA and len(rest) < 2:
        gamma = _positive(rest[0], float, text) if rest else "scale"
        return KernelChoice(name, {"gamma": gamma})
    if name == "poly" and len(rest) < 2:
        degree = _positive(rest[0], int, text) if rest else 3
        return KernelChoice(name, {"gamma": "scale", "degree": degree})
    raise ValueError(
        f"no kernel {text!r}; there are {', '.join((*PLAIN, *WITH_GAMMA))}, poly and "
        "string:KIND:LENGTH"
    )


def _string_kernel(text, kind="boundrange", length="5", *more):
    if kind not in STRING_KINDS or more:
        raise ValueError(
            f"no kernel {text!r}; string:KIND:LENGTH has the kinds "
            f"{', '.join(STRING_KINDS)}"
        )
    parameters = {"kind": kind, "length": _positive(length, int, text)}
    return KernelChoice("string", parameters)


def _positive(number, kind, text):
    try:
        value = kind(number)
    except ValueError:
        value = math.nan
    if not 0 < value < math.inf:
        raise ValueError(f"{number!r} in {text!r} should be a positive {kind.__name__}")
    return value
