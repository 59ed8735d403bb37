"""Sweeps: links × payloads × settings × seeds, on all cores or on a cluster, into a dataset.

:mod:`.file` reads the definition. :mod:`.plan` maps run numbers to runs. :mod:`.pool` executes
them, :mod:`.run` coordinates, and :mod:`.dataset` stores the rows.
"""
