"""Playing cards in a picture: found, and read or withheld. An answer is right or it is not given."""

from vision.cards.read import CardReader
from vision.cards.seen import Corners, FaceDown, Joker, Reading, Seen, Unread

__all__ = ["CardReader", "Corners", "FaceDown", "Joker", "Reading", "Seen", "Unread"]
