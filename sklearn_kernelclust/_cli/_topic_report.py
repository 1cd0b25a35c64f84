"""The report on a tree of topics: a map to go into, and the tree."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import json
from base64 import b64encode
from hashlib import sha256

from sklearn_kernelclust._cli._central import central
from sklearn_kernelclust._cli._report import (
    Html,
    document,
    facts,
    items,
    join,
    notes,
    pictures_of,
    render,
    resource,
    skipped_part,
)
from sklearn_kernelclust._cli._result import topics_in_words
from sklearn_kernelclust._cli._screen import printable, things
from sklearn_kernelclust._cli._words import snippet

# Beginning of a document, in characters.
BEGINNING = 160


def topic_report(result, command, version):
    """The page, as bytes.

    Parameters
    ----------
    result : Result
        Result of the run, with a tree of topics.
    command : str
        The command line.
    version : str
        Version of this package.
    """
    corpus, root = result.corpus, result.root
    script = resource("topics.js")
    digest = b64encode(sha256(f"{script}".encode()).digest()).decode("ascii")
    page = render(
        "topics_page",
        source=corpus.source,
        lead=f"{things(len(corpus), corpus)}. Topics: {topics_in_words(root)}",
        tree=_tree(root, corpus),
        facts=facts(result),
        pictures=pictures_of(result),
        skipped=skipped_part(corpus.skipped),
        notes=notes(result.notes),
        command=command,
        version=version,
        style=Html(resource("report.css") + resource("topics.css")),
        digest=Html(digest),
        data=Html(as_json(page_data(root, corpus))),
        script=Html(script),
    )
    return f"{page}\n".encode("utf-8", "replace")


def page_data(root, corpus):
    """What the script of the page draws: topics and documents, by their places."""
    topics = list(root.walk())
    places = {id(topic): i for i, topic in enumerate(topics)}
    topic_of = [0] * len(corpus)
    for leaf in root.leaves():
        for i in leaf.members:
            topic_of[i] = places[id(leaf)]
    n_documents = range(len(corpus))
    return {
        "topics": [_topic_data(topic, places, corpus) for topic in topics],
        "documents": {
            "titles": [printable(corpus.short_name(i)) for i in n_documents],
            "texts": [_beginning(corpus, i) for i in n_documents],
            "topics": topic_of,
        },
    }


def _topic_data(topic, places, corpus):
    data = {
        "number": topic.number,
        "name": printable(topic.name),
        "terms": [printable(term) for term in topic.terms],
        "parent": places.get(id(topic.parent), -1),
        "children": [places[id(part)] for part in topic.children],
        "size": topic.size,
        "facts": facts_of(topic, corpus),
        "central": central(topic.members, corpus),
    }
    return data if topic.children else data | {"members": topic.members}


def as_json(data):
    """JSON inside an element of a page: no text of the data can end the element."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028")


def facts_of(topic, corpus):
    """Size of a topic, its parts, and their score against the reference."""
    choice, share = topic.choice, topic.size / max(len(corpus), 1)
    text = f"{things(topic.size, corpus)}, {share:.0%}"
    scores = (
        f"prediction strength {choice.score:.2f}, against {choice.reference:.2f} "
        "without topics"
    )
    if topic.children:
        return f"{text}. {len(topic.children)} subtopics: {scores}."
    if not len(choice.ranking):
        return f"{text}. Not divided: {choice.reason}."
    return f"{text}. Not divided; {choice.ranking[0]} subtopics would have {scores}."


def _beginning(corpus, i):
    if not corpus.texts:
        return ""
    text = corpus.texts[i].strip().removeprefix(corpus.short_name(i))
    return printable(snippet(text, BEGINNING))


def _tree(topic, corpus):
    """The topics below a topic, as nested lists."""
    if not topic.children:
        if topic.parent is None:
            return render("no_topics", reason=f"There is {topics_in_words(topic)}")
        return ""
    topics = join(_topic(part, corpus) for part in topic.children)
    return render("tree", topics=topics)


def _topic(topic, corpus):
    return render(
        "topic",
        number=topic.number,
        name=topic.name,
        size=f"{topic.size:,}",
        terms=items(topic.terms, ""),
        facts=facts_of(topic, corpus),
        links=_links(topic),
        central=join(document(corpus, i) for i in central(topic.members, corpus)),
        parts=_tree(topic, corpus),
    )


def _links(topic):
    """Links to the topic that it is a part of, and to the others of its parts."""
    parents = [] if topic.parent.parent is None else [topic.parent]
    relations = ("Part of", parents), ("Beside", topic.siblings)
    return join(
        render("links", relation=relation, links=join(map(_link, topics), " · "))
        for relation, topics in relations
        if topics
    )


def _link(topic):
    return render("link", number=topic.number, name=topic.name)
