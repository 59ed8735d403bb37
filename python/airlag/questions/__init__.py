"""The public API: one module a question, its result objects, runs and the files they are kept in.

Modules here import :mod:`airlag.core` and each other, never a view or the command line.
"""
