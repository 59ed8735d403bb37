"""Public API: one module per question and its result; also runs, and the files of runs.

These modules import :mod:`airlag.core` and each other, but neither views nor the command line.
"""
