"""Pictures of chips, drawn by code of its own: random art on random cloths, for proofs that the reader never met.

Nothing here knows the reader, and the reader never imports this.
"""
