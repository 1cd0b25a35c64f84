"use strict";
(() => {
const data = JSON.parse(document.getElementById("data").textContent);
const topics = data.topics, docs = data.documents;
const STEP = 50;  // documents shown at a time
const GAP = 3;
const map = document.getElementById("map");
const crumbs = document.getElementById("crumbs");
const detail = document.getElementById("detail");
const search = document.getElementById("search");
const hits = document.getElementById("hits");
let current = 0;

const plain = text => text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "");
const count = n => n.toLocaleString("en");
const title = t => t.number ? t.number + " " + t.name : "All documents";
const address = i => "#map-" + (topics[i].number || "all");

function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function link(i, text) {
  const made = element("a", "", text || title(topics[i]));
  made.href = address(i);
  return made;
}

// Colours: a hue for each topic of the first level, and hues near it for its parts.
topics.forEach((topic, i) => {
  const parent = topics[topic.parent];
  const place = i ? parent.children.indexOf(i) : 0;
  const hue = i === 0 ? 210 : topic.parent === 0
    ? 205 + place * 137.508 : parent.hue + place * 18;
  topic.hue = Math.round(hue) % 360;
});

// Squarified treemap (Bruls, Huizing and van Wijk): rows of rectangles as square as
// they can be. Sizes are descending.
function squarify(sizes, box) {
  const boxes = [];
  let {x, y, w, h} = box;
  let scale = w * h / Math.max(sizes.reduce((a, b) => a + b, 0), 1);
  let start = 0;
  while (start < sizes.length) {
    const side = Math.max(Math.min(w, h), 1e-9);
    let end = start, sum = 0, worst = Infinity;
    while (end < sizes.length) {
      const total = sum + sizes[end] * scale;
      const thick = total / side;
      const largest = sizes[start] * scale / thick, least = sizes[end] * scale / thick;
      const ratio = Math.max(largest / thick, thick / least);
      if (ratio > worst) break;
      worst = ratio; sum = total; end++;
    }
    const thick = sum / side;
    let along = 0;
    for (let i = start; i < end; i++) {
      const length = sizes[i] * scale / thick;
      boxes.push(w < h ? {x: x + along, y, w: length, h: thick}
                       : {x, y: y + along, w: thick, h: length});
      along += length;
    }
    if (w < h) { y += thick; h -= thick; } else { x += thick; w -= thick; }
    start = end;
  }
  return boxes;
}

function tile(i, box, level, isWhole) {
  const topic = topics[i];
  const made = element("button", "tile level" + level);
  made.type = "button";
  Object.assign(made.style, {left: box.x + "px", top: box.y + "px",
    width: Math.max(box.w - GAP, 1) + "px", height: Math.max(box.h - GAP, 1) + "px"});
  made.style.setProperty("--hue", topic.hue);
  made.title = title(topic) + " (" + count(topic.size) + ")";
  made.setAttribute("aria-label", made.title);
  made.dataset.topic = i;
  if (box.w > 44 && box.h > 22) {
    made.append(element("b", "", topic.name));
    if (box.h > 44 || level === 1) made.append(element("i", "", count(topic.size)));
  }
  if (isWhole && box.w > 130 && box.h > 90) {
    made.append(element("span", "", topic.terms.slice(3).join(", ")));
    if (box.h > 150) made.append(element("span", "", docs.titles[topic.central[0]]));
  }
  return made;
}

function drawMap() {
  map.replaceChildren();
  const w = map.clientWidth + GAP, h = map.clientHeight + GAP;
  const topic = topics[current], parts = topic.children;
  const shown = parts.length ? parts : [current];
  const boxes = squarify(shown.map(i => topics[i].size), {x: 0, y: 0, w, h});
  shown.forEach((i, place) => {
    const box = boxes[place];
    const inner = topics[i].children, head = 30;
    const isWhole = i === current || !inner.length || box.w < 70 || box.h < head + 34;
    map.append(tile(i, box, 1, isWhole));
    if (isWhole) return;
    const room = {x: box.x + GAP, y: box.y + head, w: box.w - 3 * GAP,
                  h: box.h - head - 2 * GAP};
    squarify(inner.map(j => topics[j].size), room).forEach((part, k) => {
      map.append(tile(inner[k], part, 2, true));
    });
  });
}

function drawCrumbs() {
  const path = [];
  for (let i = current; i >= 0; i = topics[i].parent) path.unshift(i);
  crumbs.replaceChildren();
  path.forEach((i, place) => {
    const last = place === path.length - 1;
    const item = element("li");
    const name = last ? element("span", "", title(topics[i])) : link(i);
    if (last) name.setAttribute("aria-current", "page");
    item.append(name);
    crumbs.append(item);
  });
}

function members(i) {
  const topic = topics[i];
  return topic.children.length ? topic.children.flatMap(members) : topic.members;
}

function documentItem(i) {
  const item = element("li");
  item.append(element("b", "", docs.titles[i]));
  if (docs.texts[i]) item.append(element("br"), element("span", "", docs.texts[i]));
  return item;
}

// Show a list a few at a time.
function longList(indices, make) {
  const box = element("div"), list = element("ol", "central"), more = element("button", "more");
  more.type = "button";
  let n = 0;
  const grow = () => {
    indices.slice(n, n + STEP).forEach(i => list.append(make(i)));
    n = Math.min(n + STEP, indices.length);
    more.textContent = "Show more (" + count(indices.length - n) + ")";
    more.hidden = n >= indices.length;
  };
  more.addEventListener("click", grow);
  grow();
  box.append(list, more);
  return box;
}

function links(name, indices) {
  const line = element("p", "links");
  line.append(element("span", "", name + ": "));
  indices.forEach((i, place) => line.append(place ? " · " : "", link(i)));
  return line;
}

function drawDetail() {
  const topic = topics[current];
  detail.replaceChildren(element("h2", "", title(topic)));
  detail.append(element("p", "soft", topic.facts));
  if (topic.terms.length) {
    const terms = element("ul", "terms");
    topic.terms.forEach(term => terms.append(element("li", "", term)));
    detail.append(terms);
  }
  if (topic.parent >= 0) {
    const siblings = topics[topic.parent].children.filter(i => i !== current);
    detail.append(links("Part of", [topic.parent]));
    if (siblings.length) detail.append(links("Beside", siblings));
  }
  if (topic.children.length) detail.append(links("Within", topic.children));
  const order = topic.children.length ? "by subtopic" : "the most central first";
  const all = element("details");
  all.append(element("summary", "", "All of them, " + order));
  const central = element("ol", "central");
  topic.central.forEach(i => central.append(documentItem(i)));
  detail.append(element("h3", "", "Central documents"), central, all);
  all.addEventListener("toggle", () => {
    if (all.open && all.children.length === 1) all.append(longList(members(current), documentItem));
  });
}

function go(i) {
  if (address(i) !== location.hash) location.hash = address(i);
  else show(i);
}

function show(i) {
  const inside = map.contains(document.activeElement);
  current = i;
  drawMap(); drawCrumbs(); drawDetail();
  if (inside && map.firstElementChild) map.firstElementChild.focus({preventScroll: true});
}

function follow() {
  const number = decodeURIComponent(location.hash).replace(/^#map-/, "");
  if (location.hash && !location.hash.startsWith("#map-")) return;
  const i = topics.findIndex(topic => (topic.number || "all") === (number || "all"));
  show(Math.max(i, 0));
}

map.addEventListener("click", event => {
  const pressed = event.target.closest(".tile");
  if (pressed) go(Number(pressed.dataset.topic));
});
document.addEventListener("keydown", event => {
  if (event.key !== "Escape") return;
  if (search.value) { search.value = ""; find(); }
  else if (topics[current].parent >= 0) go(topics[current].parent);
});
window.addEventListener("hashchange", () => {
  follow();
  if (location.hash.startsWith("#map-") && map.getBoundingClientRect().bottom < 0) {
    document.getElementById("top").scrollIntoView();
  }
});
new ResizeObserver(() => {
  if (!map.contains(document.activeElement)) drawMap();
}).observe(map);

// Search: topics by their terms, then documents by their titles.
let haystack = null;
function find() {
  const words = plain(search.value).split(/\s+/).filter(Boolean);
  hits.replaceChildren();
  hits.hidden = !words.length;
  if (!words.length) return;
  haystack = haystack || {
    topics: topics.map(topic => plain(topic.number + " " + topic.terms.join(" "))),
    documents: docs.titles.map(plain)};
  const matches = texts => texts.flatMap((text, i) => words.every(w => text.includes(w)) ? [i] : []);
  const found = matches(haystack.topics).filter(i => i > 0);
  const titles = matches(haystack.documents);
  hits.append(element("p", "soft", count(found.length) + " topics, " + count(titles.length) + " documents"));
  hits.append(longList([...found, ...titles.map(i => -1 - i)], i => {
    const item = element("li");
    if (i >= 0) item.append(link(i));
    else {
      const number = -1 - i;
      item.append(element("b", "", docs.titles[number]), " ");
      item.append(link(docs.topics[number]));
    }
    return item;
  }));
}
search.addEventListener("input", find);
document.body.classList.add("live");
follow();
})();
