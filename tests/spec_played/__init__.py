"""Plays the cells of `tests.spec` at a table: what the books give beside what the table offers and enforces."""
