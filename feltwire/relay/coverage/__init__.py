"""Live coverage that writes itself: sentences from the tables' signed events and the tournament's public facts."""
