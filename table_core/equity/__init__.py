"""Exact equity: what each hand's share of the pot is worth before the board is complete."""
