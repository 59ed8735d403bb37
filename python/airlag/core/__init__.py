"""Base layer, shared by all questions: types, errors, and services of the compiled extension.

Modules of this layer import only the standard library, numpy, :mod:`airlag._airlag` and each other.
"""
