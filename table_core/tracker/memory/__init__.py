"""The tracker's memory between observations, in slices: one module, one type, one writer each.

Only a slice's own methods write it. `end_hand` drops what ends with a hand, `forget_play` what a resumed hand
makes void. Fields are tuples, mappings and scalars, so a reader cannot change them.
"""
