"""What the five rulebooks prescribe when a dealer or a player makes an error in a hand of no-limit hold'em."""
