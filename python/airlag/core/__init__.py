"""The ground floor: the compiled extension's arrays, types, errors, and what no question owns.

Modules here import the standard library, numpy, :mod:`airlag._airlag` and each other.
"""
