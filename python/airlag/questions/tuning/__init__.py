"""Tuning and sensitivity analysis over a parameter space.

Optuna searches, SALib estimates indices; both are imported on demand.
"""
