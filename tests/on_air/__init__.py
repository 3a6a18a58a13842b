"""Random evenings at a relay, beside an oracle that was written from docs/hidden-cards.md alone: no card is on
air, in the log or in a release before its time, nothing on air is newer than the air delay, and nothing that goes
out depends on a card that is still hidden.

The relay is the real node with its store, on a virtual clock and without a network; the process, its pages and its
broker are attacked by `tests.room.leak`.
"""
