"""Kernel k-means of documents that do not fit into the memory of the workers.

``python benchmarks/bench_dask.py FOLDER`` writes blocks of synthetic documents into
FOLDER (2.9 GB; ``--documents 300000`` for fewer), fits them on two worker processes of
1 GiB each, once as they are and once with a worker killed half way, and a tenth of them
in this process and on the workers. It says what CPU time and memory that took, and
whether labels agree.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import os
import signal
import warnings
from functools import partial
from pathlib import Path
from threading import Timer
from time import perf_counter, process_time

import dask
import dask.array as da
import numpy as np
from dask import delayed
from dask.distributed import Client, LocalCluster
from scipy.sparse import csr_matrix, vstack
from sklearn.exceptions import ConvergenceWarning

from sklearn_kernelclust import KernelKMeans

# What dask does many times a second to watch its processes, work or not. On a busy
# machine it would be measured, too.
QUIET = {
    "distributed.admin.system-monitor.gil.enabled": False,
    "distributed.admin.system-monitor.interval": "5s",
    "distributed.admin.tick.interval": "1s",
    "distributed.worker.memory.monitor-interval": "1s",
    "distributed.worker.profile.enabled": False,
}
dask.config.set(QUIET)

GIB = 2**30

BLOCKS, WORDS, LENGTH, TOPICS = 20, 20_000, 92, 20


def documents(block, n):
    """Documents with a topic each: counts of words, half of them of the topic."""
    rng = np.random.RandomState(block)
    topic = rng.randint(TOPICS, size=n)
    rank = WORDS ** rng.uniform(size=(n, LENGTH))  # Zipf's law
    words = rank.astype(np.intp) - 1
    turned = (words * 7919 + 997 * (topic[:, None] + 1)) % WORDS
    of_topic = rng.uniform(size=words.shape) < 0.4
    words = np.where(of_topic, turned, words)
    rows = np.arange(0, n * LENGTH + 1, LENGTH)
    X = csr_matrix((np.ones(words.size), words.ravel(), rows), shape=(n, WORDS))
    X.sum_duplicates()
    X.data = np.log1p(X.data)
    return X


def write(path, block, n):
    if not (path / "indptr.npy").exists():
        path.mkdir(parents=True, exist_ok=True)
        X = documents(block, n)
        for name in ("data", "indices", "indptr"):
            np.save(path / f"{name}.npy", getattr(X, name))


def read(path):
    """A block of documents; the system reads what is used."""
    names = "data", "indices", "indptr"
    arrays = (np.load(path / f"{name}.npy", mmap_mode="r") for name in names)
    arrays = tuple(map(np.asarray, arrays))
    return csr_matrix(arrays, shape=(len(arrays[-1]) - 1, WORDS))


def lazy(paths, n):
    """The blocks as one dask array."""
    blocks = [
        da.from_delayed(delayed(read)(path), (n, WORDS), meta=csr_matrix((0, 0)))
        for path in paths
    ]
    return da.concatenate(blocks)


def peak_memory():
    """Of this process, in bytes."""
    status = Path("/proc/self/status").read_text()
    return 1024 * int(status.split("VmHWM:")[1].split()[0])


def kill(pid):
    print(f"  worker {pid} killed", flush=True)
    os.kill(pid, signal.SIGKILL)


def on_cluster(model, X, kill_after=None):
    """Fit on two workers; seconds of the fit.

    CPU time is that of this process and of the workers that are there in the end.
    """
    cluster = LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        memory_limit="1GiB",
        dashboard_address=None,
    )
    with cluster, Client(cluster) as client:
        pids = client.run(os.getpid)
        started = sum(client.run(process_time).values()) + process_time()
        timer = Timer(kill_after or 0, kill, [next(iter(pids.values()))])
        if kill_after:
            timer.start()
        start = perf_counter()
        model.fit(X)
        wall = perf_counter() - start
        timer.cancel()
        peaks = client.run(peak_memory).values()
        print("  memory of the workers at most", *(f"{b / GIB:.2f} GiB" for b in peaks))
        cpu = process_time() + sum(client.run(process_time).values()) - started
    return {"cpu": cpu, "wall": wall}


def report(name, model, times):
    print(
        f"{name:34s} CPU {times['cpu']:8.1f} s  wall {times['wall']:8.1f} s  "
        f"{model.n_iter_} iterations  objective {model.inertia_:.6g}",
        flush=True,
    )


def in_this_process(model, paths):
    X = vstack([read(path) for path in paths], format="csr")
    start, wall = process_time(), perf_counter()
    model.fit(X)
    return {"cpu": process_time() - start, "wall": perf_counter() - wall}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--documents", type=int, default=3_000_000)
    parser.add_argument("--no-kill", action="store_true")
    # So that all fits have as many iterations.
    parser.add_argument("--max-iter", type=int, default=10)
    args = parser.parse_args()
    warnings.simplefilter("ignore", ConvergenceWarning)
    n = args.documents // BLOCKS
    paths = [args.folder / f"{n}-{block}" for block in range(BLOCKS)]
    for block, path in enumerate(paths):
        write(path, block, n)
    n_bytes = sum(f.stat().st_size for path in paths for f in path.iterdir())
    print(f"{n * BLOCKS} documents in {BLOCKS} blocks, {n_bytes / GIB:.2f} GiB")

    params = {"kernel": "cosine", "n_init": 1, "random_state": 0}
    make = partial(KernelKMeans, TOPICS, max_iter=args.max_iter, **params)
    tenth = paths[: BLOCKS // 10]
    model, one = make(), make()
    alone = in_this_process(model, tenth)
    report("a tenth, one process", model, alone)
    times = on_cluster(one, lazy(tenth, n))
    report("a tenth, two workers", one, times)
    print(f"  labels equal: {np.array_equal(model.labels_, one.labels_)}")
    whole = make()
    full = on_cluster(whole, lazy(paths, n))
    report("all, two workers", whole, full)
    ratio = full["cpu"] / (10 * alone["cpu"])
    print(f"  {ratio:.2f} times ten times the CPU time of a tenth in one process")
    if args.no_kill:
        return
    again = make()
    times = on_cluster(again, lazy(paths, n), kill_after=full["wall"] / 2)
    report("all, a worker killed half way", again, times)
    print(f"  labels equal: {np.array_equal(whole.labels_, again.labels_)}")


if __name__ == "__main__":
    main()
