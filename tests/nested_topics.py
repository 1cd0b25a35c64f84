"""Texts of topics within topics, whose words are known."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

TOPICS = {
    "animals": ("cats", "dogs", "birds"),
    "vehicles": ("trains", "ships"),
}


def nested_texts(n_each=30, seed=0):
    """Texts of `n_each` of each subtopic, with their topics and subtopics.

    A text has words of its topic, of its subtopic and of no topic.
    """
    rng = np.random.RandomState(seed)
    texts, topics, subtopics = [], [], []
    for topic, parts in TOPICS.items():
        for part in parts:
            for _ in range(n_each):
                words = [topic, part]
                words += [f"{topic}{i}" for i in rng.randint(12, size=12)]
                words += [f"{part}{i}" for i in rng.randint(10, size=12)]
                words += [f"word{i}" for i in rng.randint(200, size=10)]
                texts.append(" ".join(words))
                topics.append(topic)
                subtopics.append(part)
    return texts, topics, subtopics
