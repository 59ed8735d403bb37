"""Pages and pictures: one HTML file that needs no network, one SVG or one PNG.

:mod:`page <airlag.views.pages.page>` is the report of runs, whose charts
:mod:`charts <airlag.views.pages.charts>` draws. The other modules are each of one kind of answer.
"""
