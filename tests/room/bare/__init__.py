"""`python -m tests.room.bare`: a venue from nothing, typed as docs/venue.md has it, on bare Debians."""
