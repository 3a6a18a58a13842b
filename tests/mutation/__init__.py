"""Mutation testing of the hand engine: small changes to `table_core/hand`, and whether the tests notice them.

`python -m tests.mutation --help`; what it found is in docs/mutation.md.
"""
