"""Instruments that record edges: one module each, with a function ``record``."""
