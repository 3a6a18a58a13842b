"""Observations of devices. No interpretation, and never a card that lies face down."""

from __future__ import annotations

from table_core.messages.base import CardText, Chips, Few, Frozen, Message, Millis, Name, Number, Seat, Text
from table_core.messages.devices.keys import Key
from table_core.messages.devices.zone import Zone
from table_core.messages.vocabulary import DeviceState


class Origin(Frozen, frozen=True):
    """The source of an observation: device, boot and sequence number."""

    device: Name
    boot: Number
    seq: Number

    def text(self) -> str:
        return f"{self.device}/{self.boot:x}/{self.seq}"

    @classmethod
    def parse(cls, text: str) -> Origin | None:
        """The inverse of `text`; None for what names no observation, as other causes of events do."""
        device, _, numbers = text.partition("/")
        boot, _, seq = numbers.partition("/")
        try:
            return cls(device, int(boot, 16), int(seq))
        except ValueError:
            return None


class Observation(Message, frozen=True):
    """What a device reports. No interpretation, and never a card that lies face down."""


class KeyPressed(Observation, frozen=True, tag="key"):
    """`device_ms` is the keypad's own clock when the key went down, where it says so."""

    origin: Origin
    at: Millis
    key: Key
    device_ms: Number | None = None


class CardLeftShoe(Observation, frozen=True, tag="card_left_shoe"):
    """A card passed the reader. Which one only the vault knows, under `handle`.

    `handle` counts cards of this attempt at this hand from 1; 0 for a passage without a readable tag. `note` is
    what the registry says without naming the card: `""`, `repeat` (this card passed before in this hand),
    `unknown_tag`, `other_deck`, `joker`, `unread`, `doubtful` (a tag answered that may belong to another card).
    `deck` names the deck where the registry knows it. `counted`: the shoe saw a card leave it; a reader alone
    may have read one that only came near."""

    origin: Origin
    at: Millis
    handle: Number
    note: Text = ""
    deck: Name = ""
    counted: bool = False


class CardsLeftTogether(Observation, frozen=True, tag="cards_left_together"):
    """Several cards left the shoe at once, in an order that nobody knows. Handles as in `CardLeftShoe`; `deck`
    where all that the registry knows are of one."""

    origin: Origin
    at: Millis
    handles: Few[Number]
    deck: Name = ""


class CardWentBack(Observation, frozen=True, tag="card_went_back"):
    """A card went back into the shoe. `was_out`: it had left before; else it was pushed back on its way. `handle`
    as in `CardLeftShoe`; 0 where its tag did not answer, or where it had not left."""

    origin: Origin
    at: Millis
    handle: Number
    was_out: bool


class ShoeChanged(Observation, frozen=True, tag="shoe"):
    """What the shoe's other sensors say. `what`: `lid` (on: open), `deck` (on: a deck is in the shoe), `cut_card`
    (it left)."""

    origin: Origin
    at: Millis
    what: Name
    on: bool


class ZoneReading(Frozen, frozen=True):
    """What the camera reads in one zone, from its watcher to the tracker.

    `cards` are read with certainty, left to right as seen from its seat; `unread` are face up but not certain;
    `face_down` are backs. `chips` is the value lying there, `pieces` how many chips that is; None where the
    camera is not sure. `motions` is in how many motions they (or the burns, which nobody can count) came since
    the zone was empty. `odd` names what lies among them that is no tournament chip (`bounty`, `unknown`), or
    `joker` for an unread card that is one. `button`, of a button zone alone: the disc lies in front of that seat.
    `unseen`: no camera sees the zone any longer, and what was read there last no longer counts.
    """

    zone: Zone
    cards: Few[CardText] = ()
    unread: Number = 0
    face_down: Number = 0
    chips: Chips | None = None
    pieces: Number | None = None
    motions: Number = 0
    odd: Name = ""
    button: bool = False
    unseen: bool = False


class ZoneSeen(ZoneReading, Observation, frozen=True, kw_only=True, tag_field="type", tag="zone_seen"):
    """A reading of a zone at rest."""

    origin: Origin
    at: Millis


class DeviceChanged(Observation, frozen=True, tag="device"):
    origin: Origin
    at: Millis
    device: Name
    state: DeviceState
    detail: Text = ""


class ScreenTouched(Observation, frozen=True, tag="touch"):
    """A touch on a screen: a key together with its number."""

    origin: Origin
    at: Millis
    key: Key
    seat: Seat | None = None
    amount: Chips | None = None
    question: Number | None = None  # the question that this answers
    reason: Text = ""  # from the pick-list, with a ruling


AnyObservation = (
    KeyPressed
    | CardLeftShoe
    | CardsLeftTogether
    | CardWentBack
    | ShoeChanged
    | ZoneSeen
    | DeviceChanged
    | ScreenTouched
)
