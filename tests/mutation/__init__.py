"""Hostile files and settings against the real command line: ``python -m mutation``."""
