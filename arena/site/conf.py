"""The site: the project's own pages as a book. They stay where they lie, for a forge shows them there; what is set here is which of them, and in what order."""

import pathlib


# What stands below a page in the table of contents. A forge has no such table, so it is hung to the pages while they are read.
BELOW = {
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
    "arena/site/coming-from.md",
    "arena/site/concepts.md",
    "arena/site/webassembly.md",
    "arena/site/write-a-bot.md",
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
exclude_patterns = ["target", ".git", "tests/data", "leagues/*.sqlite*"]

# Anchors are those that a forge makes of headings, so that a link works in both places. A link that leads nowhere fails the build.
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


def contents(app, docname, source):
    """Hangs the table of contents to the pages, and names languages as the highlighter does."""
    source[0] += "\n" + BELOW.get(docname, "")
    for forge, here in (("rust,ignore", "rust"), ("lua", "luau")):
        source[0] = source[0].replace(f"```{forge}\n", f"```{here}\n")


def front(app, exception):
    """A folder's first page is `index.html`."""
    if exception is None:
        page = f'<!doctype html><meta charset="utf-8"><title>Hattari</title><meta http-equiv="refresh" content="0; url={root_doc}.html"><a href="{root_doc}.html">Hattari</a>\n'
        (pathlib.Path(app.outdir) / "index.html").write_text(page, encoding="utf-8")


def setup(app):
    app.connect("source-read", contents)
    app.connect("build-finished", front)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
