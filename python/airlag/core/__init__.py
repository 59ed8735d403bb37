"""Base layer: types, errors and services of the compiled extension, shared by all questions.

Modules here import the standard library, numpy, :mod:`airlag._airlag` and each other.
"""
