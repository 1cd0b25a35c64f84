"""Draw the picture of README.rst: ``python doc/readme_picture.py``."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from colorsys import hls_to_rgb
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Rectangle
from PIL import Image

from sklearn_kernelclust._cli._arguments import parse
from sklearn_kernelclust._cli._clustering import make_kernels
from sklearn_kernelclust._cli._model import make_plan
from sklearn_kernelclust._cli._reading import docstring_corpus
from sklearn_kernelclust._cli._topics import describe_tree
from sklearn_kernelclust._cli._tree import grow

WIDTH, HEIGHT = 960, 480
GAP, HEAD = 3, 22
GOLDEN = 137.508


def topics_of_docstrings():
    """The tree that the program finds without arguments."""
    options, corpus = parse([]), docstring_corpus()
    plan = make_plan(options, corpus)
    kernels = make_kernels(plan, corpus)
    return describe_tree(grow(plan, kernels, options)[-1], kernels)


def row_end(areas, start, side):
    """End of the row that begins at `start`, as square as can be (squarified)."""
    worst, end = np.inf, start
    while end < len(areas):
        thickness = sum(areas[start : end + 1]) / side
        lengths = areas[start] / thickness, areas[end] / thickness
        ratio = max(lengths[0] / thickness, thickness / lengths[1])
        if ratio > worst:
            break
        worst, end = ratio, end + 1
    return end


def treemap(sizes, x, y, width, height):
    """Yield a box for each size, in proportion. Sizes are descending."""
    areas = [size * width * height / sum(sizes) for size in sizes]
    start = 0
    while start < len(areas):
        side = min(width, height)
        end = row_end(areas, start, side)
        thickness, along = sum(areas[start:end]) / side, 0
        for area in areas[start:end]:
            length = area / thickness
            if width < height:
                yield x + along, y, length, thickness
            else:
                yield x, y + along, thickness, length
            along += length
        if width < height:
            y, height = y + thickness, height - thickness
        else:
            x, width = x + thickness, width - thickness
        start = end


def draw_box(ax, box, color, lines, size):
    """A rectangle with lines of text that do not leave it."""
    x, y, width, height = box
    patch = Rectangle((x, y), width - GAP, height - GAP, color=color, lw=0)
    ax.add_patch(patch)
    n_fit = int((height - GAP) // (1.9 * size))
    style = {"va": "top", "fontsize": size, "clip_on": True, "color": "#1d2733"}
    text = ax.text(x + 6, y + 4, "\n".join(lines[:n_fit]), **style)
    text.set_clip_path(patch)


def draw(root):
    """Rectangles within rectangles, as a figure."""
    figure = plt.figure(figsize=(WIDTH / 100, HEIGHT / 100))
    ax = figure.add_axes((0, 0, 1, 1), xlim=(0, WIDTH - GAP), ylim=(HEIGHT - GAP, 0))
    ax.set_axis_off()
    boxes = treemap([topic.size for topic in root.children], 0, 0, WIDTH, HEIGHT)
    for place, (topic, box) in enumerate(zip(root.children, boxes)):
        hue = (205 + place * GOLDEN) % 360
        color = hls_to_rgb(hue / 360, 0.84, 0.5)
        draw_box(ax, box, color, [topic.name], 8.5)
        x, y, width, height = box
        room = x + GAP, y + HEAD, width - 2 * GAP - 2, height - HEAD - GAP
        if not topic.children:
            draw_box(ax, room, color, topic.terms[3:], 7)
        parts = treemap([part.size for part in topic.children], *room)
        for i, (part, inner) in enumerate(zip(topic.children, parts)):
            color = hls_to_rgb((hue + 18 * i) % 360 / 360, 0.92, 0.55)
            draw_box(ax, inner, color, part.terms, 7)
    return figure


def main():
    figure = draw(topics_of_docstrings())
    figure.set_dpi(150)
    figure.canvas.draw()
    picture = Image.fromarray(np.asarray(figure.canvas.buffer_rgba())).convert("RGB")
    # Few colors make a small file.
    picture.quantize(64).save(Path(__file__).with_name("readme.png"), optimize=True)


if __name__ == "__main__":  # pytest looks for doctests here and must not draw
    main()
