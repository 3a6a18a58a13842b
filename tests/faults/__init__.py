"""Faults, staged and counted: what goes wrong at real tables, done on purpose, and what the table made of it.

`python -m tests.faults --hands 10000 --seed 4` (docs/faults.md). One process draws the faults, one deals the hands
at the wires, one is the table; the table is never told where the plan lies. Afterwards plan and ledger are joined.
"""
