"""The page on a tree of topics, as text and in a browser."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import json
import re
import shutil
import subprocess
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser

import numpy as np
import pytest
from nested_topics import nested_texts

from sklearn_kernelclust._cli import main
from sklearn_kernelclust._cli._reading import Corpus
from sklearn_kernelclust._cli._topic_report import as_json, page_data
from sklearn_kernelclust._cli._topics import Topic
from sklearn_kernelclust._model_selection._node_choice import NodeChoice

BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
TEXTS, KINDS, PARTS = nested_texts()
EVIL = '</script><script>document.title = "broken in"</script><!-- '


class Page(HTMLParser):
    """Ids and links of a page, and the contents of its scripts."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.addresses, self.scripts = [], [], [], []
        self._in_script = False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        assert not any(name.startswith("on") for name in attrs)
        self.ids += [attrs["id"]] if "id" in attrs else []
        self.links += [attrs["href"]] if "href" in attrs else []
        self.addresses += [attrs["src"]] if "src" in attrs else []
        self._in_script = tag == "script"

    def handle_data(self, text):
        if self._in_script:
            self.scripts.append(text)

    def handle_endtag(self, tag):
        self._in_script = False


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """The report on nested topics; each title would like to be part of the page."""
    folder = tmp_path_factory.mktemp("topics")
    with open(folder / "in.jsonl", "w") as file:
        for i, text in enumerate(TEXTS):
            title = f"{EVIL}{PARTS[i]} no{i}"
            file.write(json.dumps({"text": text, "title": title}) + "\n")
    argv = [str(folder / "in.jsonl"), "--quiet", "--out", str(folder / "out")]
    assert main(argv) == 0
    return folder / "out" / "report.html"


@pytest.fixture(scope="module")
def page(path):
    return Page(path.read_text("utf-8"))


def test_every_link_leads_somewhere(page):
    numbers = ["1", "1.1", "1.2", "1.3", "2", "2.1", "2.2"]
    assert {f"topic-{number}" for number in numbers} <= set(page.ids)
    assert len(page.ids) == len(set(page.ids))
    for link in page.links:
        kind, _, number = link.partition("-")
        assert kind in ("#topic", "#map")
        assert number in numbers


def test_nothing_from_elsewhere(path, page):
    """Only the script of the page may run, which the policy knows by its digest."""
    assert all(address.startswith("data:image/") for address in page.addresses)
    text = path.read_text("utf-8")
    assert "default-src 'none'" in text
    _, script = page.scripts
    digest = b64encode(sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in text
    assert "<script>document.title" not in text


def test_the_data_of_the_map(page):
    data = json.loads(page.scripts[0])
    topics, documents = data["topics"], data["documents"]
    assert [topic["number"] for topic in topics[:3]] == ["", "1", "1.1"]
    assert [topic["parent"] for topic in topics] == [-1, 0, 1, 1, 1, 0, 5, 5]
    for topic in topics:
        assert topic["size"] == (
            sum(topics[child]["size"] for child in topic["children"])
            if topic["children"]
            else len(topic["members"])
        )
    for i, place in enumerate(documents["topics"]):
        assert i in topics[place]["members"]
        assert documents["titles"][i].endswith(f"{PARTS[i]} no{i}")


def test_scores_stand_beside_the_reference(path):
    text = path.read_text("utf-8")
    shown = r"3 subtopics: prediction strength \d\.\d\d, against -?\d\.\d\d without"
    assert re.search(shown, text)
    assert re.search(r"30 documents, 20%\. Not divided; \d+ subtopics would have", text)


def test_json_in_a_page():
    text = as_json(["</script>", "\u2028"])
    assert "<" not in text
    assert json.loads(text) == ["</script>", "\u2028"]


def test_no_topics(tmp_path):
    rng = np.random.RandomState(0)
    texts = [" ".join(f"w{i}" for i in rng.randint(60, size=30)) for _ in range(40)]
    (tmp_path / "a.txt").write_text("\n".join(texts))
    argv = [str(tmp_path / "a.txt"), "--lines", "--k-range", "2-3", "--quiet", "--out"]
    assert main([*argv, str(tmp_path / "out")]) == 0
    text = (tmp_path / "out" / "report.html").read_text()
    assert "There is no number of topics" in text.replace("\n", " ")


POLICY = re.compile('<meta http-equiv="Content-Security-Policy".*?>', re.DOTALL)


def driven(path, folder, actions, width=1200):
    """What a page says of itself after some actions."""
    text = POLICY.sub("", path.read_text("utf-8"))
    driver = f"""<script>
    const results = [], wait = () => new Promise(done => setTimeout(done, 60));
    const say = () => results.push(document.querySelector("#crumbs").textContent);
    const press = key => document.activeElement.dispatchEvent(
      new KeyboardEvent("keydown", {{key, bubbles: true}}));
    (async () => {{ {actions}
    document.title = JSON.stringify(results); }})();
    </script></body>"""
    copy = folder / "driven.html"
    copy.write_text(text.replace("</body>", driver), "utf-8")
    command = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"]
    command += [f"--user-data-dir={folder}", "--virtual-time-budget=20000"]
    command += [f"--window-size={width},900", copy.as_uri()]
    run = subprocess.run(command, capture_output=True, timeout=120, check=True)
    title = re.search("<title>(.*?)</title>", run.stdout.decode())[1]
    return json.loads(title.replace("&quot;", '"').replace("&amp;", "&"))


needs_browser = pytest.mark.skipif(not BROWSER, reason="no Chromium")


@needs_browser
def test_in_and_out_of_a_topic(path, tmp_path):
    actions = """
    say();
    document.querySelector(".tile.level1").click(); await wait(); say();
    document.querySelector(".tile").focus();
    document.activeElement.click(); await wait(); say();
    press("Escape"); await wait(); say();
    history.back(); await wait(); say();
    document.querySelector("#crumbs a").click(); await wait(); say();
    document.querySelector(".tile.level2").click(); await wait(); say();"""
    numbers = [
        re.findall(r"\d\.\d|\d(?= )|All", crumbs)
        for crumbs in driven(path, tmp_path, actions)
    ]
    first, second = ["All", "1"], ["All", "1", "1.1"]
    assert numbers == [["All"], first, second, first, second, ["All"], second]


@needs_browser
def test_search_and_documents_on_demand(path, tmp_path):
    actions = """
    const search = document.querySelector("#search");
    const hits = document.querySelector("#hits");
    const type = text => {
      search.value = text; search.dispatchEvent(new Event("input")); };
    type("ships NO149"); results.push(hits.querySelector("p").textContent);
    results.push(hits.querySelector("b").textContent);
    type("cats"); results.push(hits.querySelector("p").textContent);
    results.push(hits.querySelectorAll("li").length);
    press("Escape"); results.push(hits.hidden);
    const all = document.querySelector("#detail details");
    results.push(all.querySelectorAll("li").length);
    all.open = true; await wait(); results.push(all.querySelectorAll("li").length);
    all.querySelector(".more").click(); results.push(all.querySelectorAll("li").length);
    """
    found = driven(path, tmp_path, actions)
    assert found[0] == "0 topics, 1 documents"
    assert found[1].endswith("ships no149".replace("ships", PARTS[149]))
    assert found[2:] == ["1 topics, 30 documents", 31, True, 0, 50, 100]


@needs_browser
def test_tiles_fill_the_map_in_proportion(path, tmp_path):
    actions = """
    const map = document.querySelector("#map").getBoundingClientRect();
    results.push(map.width * map.height, document.documentElement.scrollWidth);
    document.querySelectorAll(".tile.level1").forEach(tile => {
      const box = tile.getBoundingClientRect();
      results.push(box.width * box.height); });
    """
    area, width, first, second = driven(path, tmp_path, actions)
    assert first / second == pytest.approx(90 / 60, rel=0.03)
    assert first + second == pytest.approx(area, rel=0.03)
    assert width <= 1200
    _, width, *_ = driven(path, tmp_path, actions, width=500)
    assert width <= 500


def test_many_documents_are_few_bytes():
    """20,000 documents are data, not elements."""
    n = 20_000
    corpus = Corpus([f"name{i}" for i in range(n)], ["some text " * 50] * n, source="s")
    root = Topic(0, [], list(range(n)), choice=NodeChoice(reason="few"))
    assert len(as_json(page_data(root, corpus))) < 300 * n
