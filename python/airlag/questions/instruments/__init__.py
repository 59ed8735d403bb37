"""Instruments that record edges: a module each, with a function ``record``."""
