"""Builds the site: `make docs`. Nothing is asked of the network."""

from __future__ import annotations

import gc
import sys
from pathlib import Path

from precall.version import __version__

DOCS = Path(__file__).resolve().parent
sys.path.insert(0, str(DOCS / "_ext"))

project = "precall"
author = "the precall developers"
project_copyright = "2026, the precall developers"
version = release = __version__
language = "en"
repository = "https://github.com/precall/precall"

extensions = [
    "myst_nb",
    "sphinx_copybutton",
    "sphinx_design",
    "access",
    "long_tables",
    "mathml",
    "navigation",
    "notebooks",
    "parsing",
    "repository",
    "reference",
    "synonyms",
]
# reStructuredText stands first: autosummary writes its pages with the first ending.
source_suffix = {".rst": "restructuredtext", ".md": "myst-nb"}
exclude_patterns = ["_ext", "_static", "_templates"]
templates_path = ["_templates"]
nitpicky = False
smartquotes = False  # "error" is what to type
default_role = "py:obj"

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath", "attrs_inline", "fieldlist"]
myst_heading_anchors = 4
# Anchors as on GitHub, where these pages are read, too.
myst_links_external_new_tab = False

# Pages that begin as notebooks (decision 0006) are run, in the root of the repository, and fail the
# build if they fail.
nb_execution_mode = "force"
nb_execution_timeout = 60
nb_execution_raise_on_error = True
nb_execution_in_temp = False
nb_merge_streams = True

add_module_names = False
toc_object_entries_show_parents = "hide"
python_use_unqualified_type_names = True

html_theme = "furo"
html_title = "precall"
html_static_path = ["_static"]
html_extra_path = ["published"]
html_css_files = ["site.css"]
html_theme_options = {"navigation_with_keys": True}
html_search_scorer = str(DOCS / "_ext" / "scorer.js")
html_math_renderer = "mathml"
html_copy_source = False
html_use_index = False  # words are found by search
html_domain_indices = False
html_show_sourcelink = False
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
copybutton_only_copy_prompt_lines = True

# Trees of pages live until they are written: looking through them for garbage took a tenth of the
# time.
gc.set_threshold(100_000, 50, 100)


def setup(app):
    app.add_config_value("repository", repository, "env")
