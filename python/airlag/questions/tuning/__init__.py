"""A whole space of settings: the best one in it, and which parameter matters how much.

Optuna searches and SALib weighs; both are loaded when they are asked for, and what they need of the
bench is here, one file an idea.
"""
