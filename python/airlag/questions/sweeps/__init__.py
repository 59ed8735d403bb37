"""Sweeps: links × payloads × settings × seeds, on all cores or on a cluster, into a dataset.

:mod:`.file` reads the definition of a sweep. :mod:`.plan` maps run numbers to runs. :mod:`.pool`
executes the runs, :mod:`.run` coordinates the runs, and :mod:`.dataset` stores their results.
"""
