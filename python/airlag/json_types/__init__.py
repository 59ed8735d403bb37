"""What ``--json`` prints, as types: one module a kind of result.

A type is written as the documented JSON is read: the names of keys, what they hold, and in
``Annotated`` what they mean and, as pairs, which further keywords of JSON Schema hold.
"""
