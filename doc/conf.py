"""Configuration of the documentation, which builds without a network."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import sys
from importlib import metadata
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # extension.py

try:
    release = metadata.version("sklearn-kernelclust")
except metadata.PackageNotFoundError:
    release = "not installed"

project = "sklearn_kernelclust"
author = "The sklearn_kernelclust developers"
copyright = author

extensions = [
    "extension",
    "matplotlib.sphinxext.plot_directive",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.intersphinx",
    "sphinx_copybutton",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["_build", "*.inc"]
templates_path = ["_templates"]
default_role = "code"

autosummary_generate = True
# The class pages list the methods themselves.
numpydoc_show_class_members = False

html_math_renderer = "mathml"

# Pictures of the guide are functions of plots.py.
plot_formats = [("png", 130)]
plot_html_show_formats = False
plot_html_show_source_link = False

# What is copied has no prompts.
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

# A page of run times would load scripts from elsewhere.
sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    # Neither git nor pytest looks into a folder of this name.
    "gallery_dirs": "build/examples",
    # The tutorial first, then examples by task, then the figures of the papers.
    "within_subsection_order": "extension.gallery_order",
    "write_computation_times": False,
    "show_memory": False,
    "min_reported_time": 1e9,
    "backreferences_dir": "build/backreferences",
    "doc_module": ("sklearn_kernelclust",),
    "reference_url": {"sklearn_kernelclust": None},
}

html_theme = "pydata_sphinx_theme"
html_title = project
html_static_path = ["_static"]
html_css_files = ["site.css"]
# Pages without others below them need no list of these.
html_sidebars = {name: [] for name in ("install", "papers", "gram", "changes")}
html_theme_options = {
    "show_prev_next": False,
    "secondary_sidebar_items": ["page-toc"],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
