"""Playing cards in a picture: found, and read or withheld. A reading is right or it is not given."""

from vision.cards.read import CardReader, Parts
from vision.cards.seen import CardReading, Corners, FaceDown, Joker, Seen, Unread

__all__ = ["CardReader", "CardReading", "Corners", "FaceDown", "Joker", "Parts", "Seen", "Unread"]
