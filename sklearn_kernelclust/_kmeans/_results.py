"""Where runs end: the best partition, and means that give it back."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np

from sklearn_kernelclust._kmeans._runs import nearest_of, place_together


@dataclass
class Result:
    """Where a run ended.

    `labels` are the clusters of the objects, `members` the partition whose
    means (of mass `mass` and squared norm `norms`) give these labels back; they
    differ where a run did not converge.
    """

    labels: np.ndarray
    members: np.ndarray
    mass: np.ndarray
    norms: np.ndarray
    objective: float
    start_objective: float
    converged: bool
    period: int
    n_reassignments: list
    n_emptied: int = 0
    stopped: bool = False


def finish(runs):
    """The best partitions seen, with means that give them back, if there are such.

    At a fixed point these are its own means. In a cycle, or where the last
    iteration was reached, they are the means of the partition before it. An
    indefinite kernel may leave neither: then the labels are the best partition
    and no means reproduce them. The split-and-merge rule does not follow the
    objective: its fixed point counts as long as it is not above the start.
    """
    ends = [End(run) for run in runs]
    for attempt in range(2):
        waiting = [end for end in ends if end.waits(attempt)]
        if waiting:
            going = [end.run for end in waiting]
            place_together(going, [end.members[attempt] for end in waiting])
            means = [means_of(run) for run in going]
            place_together(going, nearest_of(going))
            for end, of_run in zip(waiting, means):
                end.judge(of_run)
    left = [end for end in ends if end.result is None]
    if left:
        place_together([end.run for end in left], [end.best[1] for end in left])
        for end in left:
            end.take(means_of(end.run))
    return [end.result for end in ends]


def means_of(run):
    """The present partition and its means."""
    return {"members": run.labels, "mass": run.mass, "norms": run.norms}


class End:
    """A run that is over, on the search for means that give its best labels."""

    def __init__(self, run):
        problem, self.run, self.best = run.problem, run, run.best
        bound = run.start_objective if problem.leave_one_out else run.best[0]
        self.fixed = run.converged and run.objective <= bound + problem.small(bound)
        if self.fixed:
            self.best = run.objective, run.labels, None
        self.members, self.result = (self.best[2], self.best[1]), None
        if self.fixed and run.settled:
            self.take(means_of(run))

    def waits(self, attempt):
        """Whether this partition is still to be tried."""
        return self.result is None and self.members[attempt] is not None

    def judge(self, means):
        """Take these means if the present labels, which they give, are as good.

        A fixed point is left only for its equals: objects that coincide.
        """
        gain = self.best[0] - self.run.objective
        rounding = self.run.problem.small(self.best[0])
        if abs(gain) <= rounding or (gain > 0 and not self.fixed):
            self.take(means)

    def take(self, means):
        """End with the present labels and these means.

        Objects without weight that are alone in a cluster go to the nearest
        mean: where there is no weight there is no mean.
        """
        run, labels = self.run, self.run.labels
        if not run.problem.weight.all():
            homeless = run.mass[labels] == 0
            labels = np.where(homeless, nearest_of([run])[0], labels)
        self.result = Result(
            labels=labels,
            **means,
            objective=run.objective,
            start_objective=run.start_objective,
            converged=self.fixed,
            period=run.period,
            n_reassignments=run.n_reassignments,
            n_emptied=run.n_emptied,
            stopped=run.stopped,
        )


def first_of_the_best(results, problem):
    """Of runs that end equally well the first, or rounding would choose."""
    best = min(result.objective for result in results)
    if not np.isfinite(best):
        raise ValueError(
            f"The objective of kernel k-means is {best}: entries of the kernel, or "
            "sums of them, are not finite. Rescale the data."
        )
    limit = best + problem.small(best)
    return next(result for result in results if result.objective <= limit)
