"""How people draw cards from a shoe: a model of hands, cards and tags that knows nothing of the firmware.

Written from how cards are dealt and before the logic that it judges. Each draw has a speed and a pause of its own.
The faults, each with its share:

- *weak*: the tag couples badly (a card held above the antenna, a worn tag); *dead*: it has no working tag.
- *double*: two cards come together, the second some millimetres behind or exactly under the first. Two coils close
  to each other detune each other.
- *back*: the card is drawn some way out, and pushed back; it is drawn again at once, or later.
- *jitter*: on its way out the card is moved back a little and out again, once or twice.
- *returned*: the card was out, is pushed back into the mouth, and drawn again.
- *glitch*: dust or a reflection interrupts or frees a beam for a moment.

`truth` says what happened, in order, as somebody who watches in slow motion would write it down.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import NamedTuple

from firmware_bridge.sim.pico.card_path import BEAM_A, BEAM_B, BEHIND, CARD, Card, beam_edges

GONE = 160_000  # the head of a card that lies in front of a player
PULL_OUT_MS = 14  # from rest to its speed


class Happened(NamedTuple):
    """`what`: out, together, back, returned. `uids`: of the cards; None for a tag that does not work. `apart`: of
    cards together, how far the second is behind the first as it comes to the mouth (micrometres)."""

    at: int
    what: str
    uids: tuple[bytes | None, ...]
    apart: int = 0


@dataclass(frozen=True)
class Shares:
    """The chance of each fault at a card."""

    weak: float = 0.0
    dead: float = 0.0
    double: float = 0.0
    back: float = 0.0
    jitter: float = 0.0
    returned: float = 0.0
    glitch: float = 0.0


@dataclass
class Deal:
    cards: list[Card] = field(default_factory=list)
    truth: list[Happened] = field(default_factory=list)
    glitches: list[tuple[int, int, int]] = field(default_factory=list)  # (beam, from, until): the other level
    end: int = 0

    def edges(self) -> list[tuple[int, int, int]]:
        """The edges of the beams, glitches included."""
        edges = beam_edges(self.cards)
        for beam, start, end in sorted(self.glitches):
            edges += [(start, beam, -1), (end, beam, -1)]  # -1: the other level than before
        shown, levels = [], [0, 0]
        flipped = [0, 0]
        for at, beam, level in sorted(edges):
            if level < 0:
                flipped[beam] ^= 1
            else:
                levels[beam] = level
            shown.append((at, beam, levels[beam] ^ flipped[beam]))
        return shown


class Dealer:
    """Draws the cards of `uids`, each `period_us` after the one before (a hand is never exact). `seed` decides
    every choice."""

    def __init__(self, seed: int, period_us: int, shares: Shares) -> None:
        self._chance = random.Random(seed)
        self._period = period_us
        self._shares = shares
        # As fast as the period asks for, and never slower than a person draws.
        self._speed = max(0.45, (CARD + 24_000) / period_us)  # micrometres a microsecond: metres a second

    def deal(self, uids: list[bytes], start: int = 1_000_000) -> Deal:
        deal = Deal()
        at, left = start, list(uids)
        while left:
            uid = left.pop(0)
            if left and self._happens(self._shares.double):
                at = self._double(deal, at, uid, left.pop(0))
            elif self._happens(self._shares.back):
                at = self._back(deal, at, uid)
                left.insert(0, uid)  # it is drawn again
            else:
                at = self._single(deal, at, uid)
        deal.end = at + 500_000
        return deal

    # ------------------------------------------------------------------------------------------ draws

    def _single(self, deal: Deal, at: int, uid: bytes) -> int:
        knots = self._pull(at, BEHIND, GONE)
        if self._happens(self._shares.jitter):
            knots = self._jittered(at)
        card = self._card(uid, knots)
        self._put(deal, card)
        deal.truth.append(Happened(self._out_at(card), "out", (card.uid,)))
        if self._happens(self._shares.returned):
            return self._return(deal, card, self._next(at, knots))
        return self._next(at, knots)

    def _double(self, deal: Deal, at: int, first: bytes, second: bytes) -> int:
        offset = self._chance.choice((0, 0, 1, 1, 1)) * int(self._chance.uniform(2_000, 45_000))
        knots = self._pull(at, BEHIND, GONE)
        behind = [(time, max(BEHIND, head - offset)) for time, head in knots]
        behind.append((knots[-1][0] + int(offset / self._speed) + 1, GONE))
        cards = [self._card(first, knots), self._card(second, behind)]
        if offset < 20_000:  # coils on each other detune each other
            share = 0.2 + 0.8 * offset / 20_000
            for card in cards:
                card.peak = int(card.peak * share)
        for card in cards:
            self._put(deal, card)
        ((comes, _), *_) = cards[0].motion.crossings(BEAM_A)
        apart = cards[0].motion.head(comes) - cards[1].motion.head(comes)
        happened = Happened(self._out_at(cards[1]), "together", tuple(card.uid for card in cards), apart)
        deal.truth.append(happened)
        return self._next(at, behind)

    def _back(self, deal: Deal, at: int, uid: bytes) -> int:
        turn = int(self._chance.uniform(2_000, CARD - 4_000))
        out = self._pull(at, BEHIND, turn)
        rest = out[-1][0] + int(self._chance.uniform(5_000, 120_000))
        back = [(rest, turn), (rest + int((turn - BEHIND) / self._chance.uniform(0.3, 1.2)), BEHIND)]
        card = self._card(uid, [*out, *back])
        self._put(deal, card)
        if turn > BEAM_B:
            deal.truth.append(Happened(self._inside_at(card), "back", (card.uid,)))
        return back[-1][0] + int(self._chance.uniform(20_000, 400_000))

    def _return(self, deal: Deal, gone: Card, at: int) -> int:
        """The card that has just come out is pushed back in, a moment later drawn again."""
        start = at + int(self._chance.uniform(100_000, 900_000))
        speed = self._chance.uniform(0.3, 0.8)
        inside = start + int((GONE - BEHIND) / speed)
        back = Card(gone.uid, gone.peak, [(start, GONE), (inside, BEHIND)])
        self._put(deal, back)
        deal.truth.append(Happened(self._inside_at(back), "returned", (gone.uid,)))
        again = inside + int(self._chance.uniform(100_000, 500_000))
        knots = self._pull(again, BEHIND, GONE)
        card = Card(gone.uid, gone.peak, knots)
        self._put(deal, card)
        deal.truth.append(Happened(self._out_at(card), "out", (card.uid,)))
        return self._next(again, knots)

    # ------------------------------------------------------------------------------------------ motion

    def _pull(self, at: int, start: int, end: int) -> list[tuple[int, int]]:
        """From rest to the dealer's speed, and on until the card lies somewhere."""
        speed = self._speed * self._chance.uniform(0.9, 1.25)
        begun = PULL_OUT_MS * 1_000
        reached = min(end, start + int(speed * begun / 2))
        knots = [(at, start), (at + begun, reached)]
        if end > reached:
            knots.append((at + begun + int((end - reached) / speed), end))
        return knots

    def _jittered(self, at: int) -> list[tuple[int, int]]:
        knots = self._pull(at, BEHIND, int(self._chance.uniform(4_000, CARD + 6_000)))
        time, head = knots[-1]
        for _ in range(self._chance.randrange(1, 3)):
            back = max(1_000, head - int(self._chance.uniform(1_000, 20_000)))
            time += int((head - back) / self._chance.uniform(0.1, 0.6)) + 1
            knots.append((time, back))
            time += int((head - back) / self._chance.uniform(0.1, 0.6)) + 1
            knots.append((time, head))
        return [*knots, (time + int((GONE - head) / self._speed), GONE)]

    def _next(self, at: int, knots: list[tuple[int, int]]) -> int:
        """When the next card is drawn: the period later, and never into a card that is still in the mouth."""
        card = Card(None, 0, knots)
        clear = self._out_at(card) - int((BEAM_B - BEHIND) / self._speed) + int(6_000 / self._speed)
        return max(at + int(self._period * self._chance.uniform(0.95, 1.3)), clear)

    @staticmethod
    def _out_at(card: Card) -> int:
        return max(at for at, way in card.motion.crossings(BEAM_B + card.length) if way > 0)

    @staticmethod
    def _inside_at(card: Card) -> int:
        return max(at for at, way in card.motion.crossings(BEAM_A) if way < 0)

    # -------------------------------------------------------------------------------------------- tags

    def _card(self, uid: bytes, knots: list[tuple[int, int]]) -> Card:
        if self._happens(self._shares.dead):
            return Card(None, 0, knots)
        if self._happens(self._shares.weak):
            return Card(uid, int(self._chance.uniform(800, 1_800)), knots)
        return Card(uid, int(self._chance.uniform(6_000, 20_000)), knots)

    def _put(self, deal: Deal, card: Card) -> None:
        deal.cards.append(card)
        if self._happens(self._shares.glitch):
            at = card.motion.knots[0][0] + int(self._chance.uniform(0, 60_000))
            beam = self._chance.randrange(2)
            deal.glitches.append((beam, at, at + int(self._chance.uniform(40, 250))))

    def _happens(self, share: float) -> bool:
        return self._chance.random() < share
