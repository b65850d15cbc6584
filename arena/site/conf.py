"""Settings of Sphinx for the documentation: the project's pages, in the order of contents.md."""

import pathlib


# Tables of contents, added to pages while they are read, because GitHub does not render them.
CONTENTS = {
    "README": (pathlib.Path(__file__).parent / "contents.md").read_text(encoding="utf-8"),
    "leagues/results/README": ":::{toctree}\n:hidden:\n:glob:\n\n*\n:::\n",
}

project = "Hattari"
extensions = ["myst_parser"]
root_doc = "README"
include_patterns = [
    "*.md",
    "arena/*.md",
    "arena/schedulers/*.md",
    "arena/site/*.md",
    "arena/python/README.md",
    "arena/stats/README.md",
    "bots/*/README.md",
    "leagues/*.md",
    "leagues/results/*.md",
    "plugin-api/*.md",
    "plugin-api/games/*/RULES.md",
    "scripts/README.md",
    "scripts/faulty/README.md",
    "tests/*/README.md",
]
exclude_patterns = ["target", ".git", "tests/data", "leagues/*.sqlite*", "arena/site/contents.md"]

# Anchors have the names that GitHub gives to headings, so that links work in both places. A link
# without a target is an error.
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence", "linkify"]
myst_linkify_fuzzy_links = False

html_theme = "furo"
html_title = "Hattari"
html_static_path = ["style.css"]
html_css_files = ["style.css"]
html_show_sourcelink = False
html_copy_source = False
html_show_copyright = False
html_show_sphinx = False
html_theme_options = {"navigation_with_keys": True}
pygments_style = "tango"


def add_contents(app, docname, source):
    """Adds the table of contents to a page, and replaces languages that Pygments does not know."""
    source[0] += "\n" + CONTENTS.get(docname, "")
    for written, known in (("rust,ignore", "rust"), ("lua", "luau")):
        source[0] = source[0].replace(f"```{written}\n", f"```{known}\n")


def write_index(app, exception):
    """Writes `index.html`, which redirects to the first page."""
    if exception is None:
        page = (
            '<!doctype html><meta charset="utf-8"><title>Hattari</title>'
            f'<meta http-equiv="refresh" content="0; url={root_doc}.html">'
            f'<a href="{root_doc}.html">Hattari</a>\n'
        )
        (pathlib.Path(app.outdir) / "index.html").write_text(page, encoding="utf-8")


def setup(app):
    app.connect("source-read", add_contents)
    app.connect("build-finished", write_index)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
