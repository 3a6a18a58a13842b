"""`python -m tests.room.venue`: a venue set up from its documents, on machines of its own, as a stranger would."""
