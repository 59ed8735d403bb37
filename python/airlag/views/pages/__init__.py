"""Pages and pictures: self-contained HTML files, SVG and PNG.

:mod:`page <airlag.views.pages.page>` is the report of runs, with the charts of
:mod:`charts <airlag.views.pages.charts>`. Each other module presents one kind of result.
"""
