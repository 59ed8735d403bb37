"""Sweeps: links × payloads × settings × seeds, on all cores or on a cluster, into a dataset.

:mod:`.file` reads the definition. :mod:`.plan` maps run numbers to runs. :mod:`.pool` executes the
runs, :mod:`.run` coordinates them, and :mod:`.dataset` stores the rows.
"""
