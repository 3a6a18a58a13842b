"""`python -m tests.room.upgrade`: a machine that is installed, upgraded and rolled back under its own init."""
