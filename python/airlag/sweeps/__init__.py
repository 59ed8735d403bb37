"""Sweeps: links × payloads × settings × seeds, on all cores or on a cluster, into a dataset.

A sweep is asked for by a file (:mod:`~airlag.sweeps.file`). Every run of it is a function of its
number (:mod:`~airlag.sweeps.plan`). The numbers go to whoever runs them
(:mod:`~airlag.sweeps.pool`), rows come back (:mod:`~airlag.sweeps.engine`), and end up in a folder
(:mod:`~airlag.sweeps.dataset`).
"""
