"""What a person looks at: tables, charts, pages, and results as a notebook shows them.

Modules here import :mod:`airlag.core` and :mod:`airlag.questions`, never the command line.
"""
