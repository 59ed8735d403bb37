"""Sweeps: links × payloads × settings × seeds, on all cores or on a cluster, into a dataset.

A sweep is described by a file (:mod:`.file`); each of its runs is a function of its number
(:mod:`.plan`). Runs go to a pool (:mod:`.pool`), rows come back (:mod:`.run`), and end up in a
folder (:mod:`.dataset`).
"""
