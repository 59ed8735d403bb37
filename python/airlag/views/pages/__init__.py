"""Pages and pictures: self-contained HTML files, SVG and PNG.

:mod:`page <airlag.views.pages.page>` makes the report of runs, with the charts of
:mod:`charts <airlag.views.pages.charts>`. Other modules present one kind of result each.
"""
