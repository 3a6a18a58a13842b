"""Rulings: for each incident the options that the rulebook allows."""
