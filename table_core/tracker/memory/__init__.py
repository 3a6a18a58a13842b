"""What the tracker remembers between observations, in slices: one module, one type, one owner each.

Only a slice's own methods write it. `end_hand` is what it forgets with a hand, `forget_play` what it forgets where
a hand is resumed. Fields are tuples, mappings and scalars: what a slice gives away cannot be changed.
"""
