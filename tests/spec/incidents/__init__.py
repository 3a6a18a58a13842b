"""One module an incident; each has `cells()`, which yields its cells for every book in a fixed order."""
