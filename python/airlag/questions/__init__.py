"""Public API: one module per question, with result objects, runs and their files.

Modules here import :mod:`airlag.core` and each other, never a view or the command line.
"""
