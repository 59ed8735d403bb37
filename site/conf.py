"""Configuration of Sphinx. ``build.py`` calls it with ``-W``: any warning fails the build."""

from airlag import __version__

project = "airlag"
release = version = __version__
language = "en"
root_doc = "index"
extensions = ["myst_parser"]
exclude_patterns = ["**/.ipynb_checkpoints"]

# Pages are also read on a forge, so they contain GitHub's Markdown only. What MyST adds to it at
# the start of a line would remove text.
myst_disable_syntax = ["myst_line_comment", "myst_block_break", "myst_target", "myst_role"]
# Links lead to headings by the anchors of a forge; one that leads nowhere is a warning.
myst_heading_anchors = 6
# Options have two hyphens.
smartquotes = False
highlight_language = "none"
nitpicky = True

html_theme = "furo"
html_title = f"airlag {version}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_js_files = [("versions.js", {"defer": "defer"})]
html_copy_source = False
html_use_index = False
html_favicon = "static/icon.svg"
html_show_sourcelink = False
html_show_copyright = False
html_permalinks_icon = "#"
html_theme_options = {"navigation_with_keys": False, "top_of_page_buttons": []}
