"""Presentation: tables, charts, pages, and notebook views of results.

Modules here import :mod:`airlag.core` and :mod:`airlag.questions`, never the command line.
"""
