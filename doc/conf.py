"""Configuration of the documentation, which builds without a network."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from importlib import metadata

try:
    release = metadata.version("sklearn-kernelclust")
except metadata.PackageNotFoundError:
    release = "not installed"

project = "sklearn_kernelclust"
author = "The sklearn_kernelclust developers"
copyright = author

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["_build"]
templates_path = ["_templates"]
default_role = "code"

autosummary_generate = True
# The class pages list the methods themselves.
numpydoc_show_class_members = False

# No formula is typeset, and no page of run times: both would load scripts from
# elsewhere.
sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    # Neither git nor pytest looks into a folder of this name.
    "gallery_dirs": "build/examples",
    "within_subsection_order": "FileNameSortKey",
    "write_computation_times": False,
    "show_memory": False,
    "min_reported_time": 1e9,
}

html_theme = "pydata_sphinx_theme"
html_title = project
html_theme_options = {"show_prev_next": False, "secondary_sidebar_items": ["page-toc"]}
