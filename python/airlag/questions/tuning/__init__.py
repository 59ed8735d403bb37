"""Tuning and sensitivity analysis over a parameter space.

Optuna performs the search, and SALib estimates the indices. Both are imported on demand.
"""
