"""Combines the card classifiers and decides when a name is certain. A name is right or it is withheld with a
reason.

Three classifiers look at a face independently of each other: *signs* (rank and suit cut out of a corner), *corner*
(the corner as one small picture) and *whole* (the number of pips on the card). Each leaves a minimum doubt,
however sure it is. Their odds multiply; a card is named when little enough doubt is left. Where two classifiers
are sure of different cards, nothing is named.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.corner import MODEL as CORNER_MODEL
from vision.cards.corner import RANK_CLASSES, SUIT_CLASSES, CornerClassifier, Window, window
from vision.cards.deck import DeckPrints
from vision.cards.find import Image
from vision.cards.index import CORNER_MM, FLAT_PX_PER_MM, Glyph, Index, all_indices
from vision.cards.ink import ink_of, may_be_printed
from vision.cards.network import vote
from vision.cards.pips import NUMBERS, pips_of, pips_say
from vision.cards.signs import MODEL, NOTHING, RANKS, SUITS, Signs, features
from vision.cards.whole import COURT, Whole, fits, pips_differ
from vision.cards.whole import MODEL as WHOLE_MODEL

NO_INDEX = "no index that can be read"
DOUBT = 3e-4  # remaining doubt at which a whole card is named
DOUBT_OF_A_PART = 3e-5  # the same for a covered card, or one corner alone
FINE_DOUBT, FINE_PX_PER_MM = 6e-4, 1.8  # doubt, and px/mm, from which one classifier is enough
LEAST_DOUBT = 0.01  # least doubt of a classifier: the deck is unknown to it
SAME_CLASSIFIER = 0.05  # least doubt of its second corner, whose errors are not independent
COUNT_AGREES = 0.1  # factor on the doubt where the count of pips agrees
COUNT_NEEDED = 1e-5  # doubt below which a contradicting count of court or art is ignored
ONCE = 1e-6  # doubt above which the corners are cut out again in other ways
BLACK = "cs"  # suits that are confused in coarse pictures
# Least factor on the doubt after other cut-outs of a club or spade below so many px/mm: there an error repeats.
REPEATED, REPEATED_PX_PER_MM = 0.5, 1.2
COARSE_MOST = 0.3  # remaining doubt allowed there after other cut-outs
SPEAKS = 0.5  # a classifier below this confidence is ignored
SURE = 0.95  # least confidence of one classifier in the rank, and of one in the suit
LEAST_SUIT, LARGEST_SUIT = 0.45, 1.35  # height of a suit by its rank's, unless half covered or a pip
LARGE_SUIT, LARGE_SURE = 0.83, 0.995  # few decks have taller suits: for one corner alone be this sure
BEYOND_DOUBT, CLEAR_AGAIN = 0.99, 0.15  # one corner alone: confidence of both, or less doubt after other cut-outs
LEANS = 0.1  # least confidence of a reading that leans to the other black suit
INSISTS = 0.9  # a classifier at least this sure of another card is a contradiction
GLIMPSED = 0.6  # the corner's least confidence, where light or dirt makes a face look like none
FINE_SUIT_PX = 4.4  # least height of a suit in pixels
FINE_BLACK_PX = 5.5  # the same for clubs and spades, which are confused below it
USUAL_SUIT_MM = 6.0
SURE_SIGN = 0.95  # a sign less sure is cut out again with another threshold
NUDGES_MM = ((1.0, 0.0), (0.0, 1.2), (0.8, 0.8))  # other ways to cut a corner out
GROWN = 1.07
SMEARED_PX = 8  # as far as a smear of SHARPER_MM reaches
SHARPER_MM, MOSTLY = 0.77, 0.7  # strength of the sharpening; confidence of a sign read after it

CLASSIFIERS_DIFFER = "the classifiers disagree"  # applies to one corner: two corners may belong to two cards

Odds = NDArray[np.float32]


@dataclass(frozen=True)
class CornerReading:
    """One classifier's result for one corner: the odds of each rank and suit, and of `NOTHING`."""

    rank: Odds  # (14,)
    suit: Odds  # (5,)
    ink: str | None = ""  # one of `ink.INKS`; None: none of them; "": not known
    suit_mm: float = 0.0  # how tall the suit is, where the classifier knows
    rank_mm: float = 0.0

    @property
    def card(self) -> str:
        return RANK_CLASSES[int(self.rank.argmax())] + SUIT_CLASSES[int(self.suit.argmax())]

    @property
    def confidence(self) -> float:
        """That of the weaker sign, 0 to 1."""
        return float(min(self.rank.max(), self.suit.max()))

    @property
    def speaks(self) -> bool:
        """Whether the classifier sees an index there."""
        return NOTHING not in self.card and self.confidence >= SPEAKS


@dataclass(frozen=True)
class CardVerdict:
    """A card's name with its confidence and the corners that gave it, or None and the reason.

    `leaning` is the likeliest name where the classifiers are not sure enough of it and none contradicts it.
    """

    card: str | None
    confidence: float = 0.0
    corners: tuple[int, ...] = ()
    why: str = ""
    leaning: str = ""


class Classifiers:
    """Holds the trained networks; safe to share between threads."""

    def __init__(
        self,
        signs: Path = MODEL,
        whole: Path = WHOLE_MODEL,
        corner: Path = CORNER_MODEL,
        deck: DeckPrints | None = None,
    ) -> None:
        """Raise `ModelError` when a trained file is missing or damaged. `deck` is the room's own, if known."""
        self._deck = deck
        self._signs = Signs.load(signs)
        self._whole = Whole.load(whole)
        self._corner = CornerClassifier(corner)

    def face(self, flat: Image, paper: NDArray[np.float32], plain: bool, px_per_mm: float) -> CardVerdict:
        """The verdict on a flat card; `px_per_mm` is the resolution of the picture that it came from.

        A card that is not `plain`, because light or dirt lies over it, needs more confidence. `flat` is BGR of
        `FLAT_SIZE` pixels; `paper` is the paper's colour, (3,) BGR.
        """
        turned = turned_round(flat)
        seen = self._looked([window(corner, paper) for corner in (flat, turned)])
        allowed = DOUBT if plain else DOUBT_OF_A_PART
        verdict = self._judged([flat, turned], paper, seen, flat, allowed, px_per_mm)
        if self._deck is None or not (verdict.card or verdict.leaning):
            return verdict
        return with_deck(verdict, self._deck.said(flat, paper))

    def corners(self, corners: Sequence[tuple[Image, NDArray[np.float32]]], px_per_mm: float) -> list[CardVerdict]:
        """The verdicts on single corners (flat, upright, with their paper's colour) of cards of which nothing else
        shows.

        Pictures are BGR of flat pixels; each paper's colour is (3,) BGR.
        """
        if not corners:
            return []
        seen = self._looked([window(flat, paper) for flat, paper in corners])
        return [
            self._judged([flat], paper, [said], None, DOUBT_OF_A_PART, px_per_mm)
            if said.speaks and said.confidence >= GLIMPSED
            else CardVerdict(None, why=NO_INDEX)
            for (flat, paper), said in zip(corners, seen, strict=True)
        ]

    def glimpsed(self, flat: Image, paper: NDArray[np.float32]) -> bool:
        """Whether a corner plainly shows an index, whatever the rest of the card looks like.

        `flat` is BGR in flat pixels; `paper` is (3,) BGR.
        """
        corners = (flat, turned_round(flat))
        said = self._looked([window(corner, paper) for corner in corners])
        return any(s.speaks and s.confidence >= GLIMPSED for s in said)

    def _judged(
        self,
        corners: list[Image],
        paper: NDArray[np.float32],
        seen: list[CornerReading],
        whole: Image | None,
        allowed: float,
        px_per_mm: float,
    ) -> CardVerdict:
        cut = self._hear([all_indices(corner, paper) for corner in corners])
        classifiers = [[s for s in classifier if s is not None] for classifier in (cut, seen)]
        heard = [said for classifier in classifiers for said in classifier if said.speaks]
        if not heard:
            return CardVerdict(None, why=NO_INDEX)
        card, of_rank, of_suit = _together(classifiers)
        if any(said.card != card and said.confidence >= INSISTS for said in heard):
            apart = any(
                c and s and c.speaks and s.speaks and c.card != s.card for c, s in zip(cut, seen, strict=True)
            )
            return CardVerdict(
                None, why=CLASSIFIERS_DIFFER if apart else "the corners or the classifiers disagree"
            )
        both = tuple(range(len(corners)))
        count = None if whole is None else self._whole.count(whole, paper)
        suited, why = self._suited(whole, paper, card, count, px_per_mm)
        if why:
            return CardVerdict(None, why=why)
        few = card[1] in BLACK and px_per_mm < REPEATED_PX_PER_MM
        if few and not suited and any(_leans_away(said, card) for said in itertools.chain(*classifiers)):
            return CardVerdict(None, 0.0, both, "a club or a spade", card)
        if _suit_mm(cut) * px_per_mm < (FINE_BLACK_PX if card[1] in BLACK else FINE_SUIT_PX) and not suited:
            return CardVerdict(None, 0.0, both, "too few pixels to be certain", card)
        counted = count == card[0]  # then what is no ink does not matter: some cameras hardly show colours
        if not all(may_be_printed(card, said.ink) or (counted and said.ink is None) for said in heard):
            return CardVerdict(None, why="colour and suit do not fit")
        if count is not None and not fits(card[0], count):
            if pips_differ(card[0], count) or of_rank + of_suit > COUNT_NEEDED:
                return CardVerdict(None, why="the corner and the whole card differ")
        elif count is not None:
            of_rank *= COUNT_AGREES  # it knows nothing of the suit
            of_suit *= COUNT_AGREES if suited else 1.0
        who = [i for i, pair in enumerate(zip(cut, seen, strict=True)) if any(_says(s, card) for s in pair)]
        shown = [corners[i] for i in who]
        doubt = of_rank + of_suit
        settled = suited or doubt <= ONCE  # then other cut-outs may be unsure, as long as they name no other card
        black = px_per_mm < FINE_PX_PER_MM and card[1] in BLACK and not suited
        again = SAME_CLASSIFIER
        if doubt > ONCE or (black and any(said.suit[SUITS.index(card[1])] < SURE for said in heard)):
            again = self._again(shown, paper, card, suited)
            doubt = 1.0 if again == 1.0 else doubt * max(again, REPEATED if few else 0.0)
        if px_per_mm >= FINE_PX_PER_MM:
            allowed = FINE_DOUBT
        elif len(who) == 1 and count is None:
            allowed = DOUBT_OF_A_PART
        lone = who[0] if len(who) == 1 and count is None else None
        if lone is not None and (why := _objection(cut[lone], seen[lone], card, again)):
            return CardVerdict(None, 0.0, tuple(who), why, card)
        unsure = 0.0 if settled else again
        if doubt > allowed or not who or not _sure_enough(_surest(heard, card), unsure, px_per_mm):
            return CardVerdict(None, 0.0, tuple(who), "not sure enough", card)
        if count is None and not self._same_when_sharper(shown, paper, card):
            return CardVerdict(None, 0.0, tuple(who), "too smeared to be certain", card)
        return CardVerdict(card, 1.0 - doubt, tuple(who))

    def _suited(
        self, whole: Image | None, paper: NDArray[np.float32], card: str, count: str | None, px_per_mm: float
    ) -> tuple[bool, str]:
        """Whether the pips of a card say its suit too, where few pixels show its index; and what they object."""
        if whole is None or card[0] not in NUMBERS or count not in (None, COURT, card[0]):
            return False, ""
        pips = pips_of(whole, paper)
        if count != card[0]:
            return False, "" if pips or card[0] == "A" else "a number without pips"
        if px_per_mm >= FINE_PX_PER_MM:
            return False, ""
        said = pips_say(pips, card, self._signs.suit)
        return said is True, "the corner and the pips differ" if said is False else ""

    def _looked(self, windows: list[Window]) -> list[CornerReading]:
        """The corner network's result for each window."""
        ranks, suits = self._corner(windows)
        return [CornerReading(rank, suit) for rank, suit in zip(ranks, suits, strict=True)]

    def _again(self, corners: list[Image], paper: NDArray[np.float32], card: str, suited: bool) -> float:
        """The part of the doubt that is left when the corners are cut out in other ways; of the rank's alone where
        pips say the suit."""
        ways = [window(way, paper) for corner in corners for way in _nudged(corner)]
        if not ways:
            return 1.0
        said = self._looked(ways)
        if any(s.card[0] != card[0] if suited else s.card != card for s in said):
            return 1.0
        return max(SAME_CLASSIFIER, 1.0 - min(float(s.rank.max()) if suited else s.confidence for s in said))

    def _same_when_sharper(self, corners: list[Image], paper: NDArray[np.float32], card: str) -> bool:
        """Whether no sign turns into another when its smear is taken back: a smeared 3 is a 5."""
        heard = self._hear([all_indices(_sharper(corner), paper) for corner in corners])
        return not any(s for s in heard if s and s.speaks and s.card != card and s.confidence >= MOSTLY)

    def _hear(self, corners: list[Iterator[list[Index]]]) -> list[CornerReading | None]:
        """The readings of each corner's signs; where they are not sure or see no index, the corner is cut out with
        another threshold: half a pale rank is no sign, and the whole one is."""
        said: list[CornerReading | None] = [None for _ in corners]
        while True:
            asked = [i for i, one in enumerate(said) if not one or not one.speaks or one.confidence < SURE_SIGN]
            shown = [(i, next(corners[i], [])) for i in asked]
            if not any(ways for _, ways in shown):
                return said
            for (i, _), heard in zip(shown, self._say([ways for _, ways in shown]), strict=True):
                said[i] = _surer(said[i], heard)

    def _say(self, corners: list[list[Index]]) -> list[CornerReading | None]:
        """The best way of each corner; all signs of a card go through the networks at once."""
        flat_ways = [way for corner in corners for way in corner]
        if not flat_ways:
            return [None for _ in corners]
        ranks = vote(self._signs.rank, _batch([way.rank for way in flat_ways]))
        suits = vote(self._signs.suit, _batch([way.suit for way in flat_ways]))
        said: list[CornerReading | None] = []
        at = 0
        for corner in corners:
            here = range(at, at + len(corner))
            at += len(corner)
            each = [CornerReading(ranks[i], suits[i], ink_of(flat_ways[i]), *_tall_mm(flat_ways[i])) for i in here]
            named = [c for c in each if NOTHING not in c.card] or each
            said.append(max(named, key=lambda c: c.confidence, default=None))
        return said


def with_deck(verdict: CardVerdict, said: str | None) -> CardVerdict:
    """Combine the classifiers' verdict with the room's deck, which confirms or contradicts a name and never
    gives one alone."""
    if verdict.card and said is not None and said != verdict.card:
        return CardVerdict(None, why="the room's deck says another card")
    if verdict.card or said is None or said != verdict.leaning:
        return verdict
    return CardVerdict(said, 1.0 - DOUBT, verdict.corners or (0, 1))


def _objection(cut: CornerReading | None, seen: CornerReading, card: str, again: float) -> str:
    """The reason why one corner is not enough where it is the only evidence and no pips are counted; else empty.

    A classifier sometimes reads half a nine under another card as a five, half a club as a spade, half a diamond
    above a whole one as a four, a rank above another card's pip as an index, and the upper half of a blue diamond
    as a blue spade.
    """
    if cut is None or cut.card != card or not _says(seen, card):
        return "one classifier does not see it there"
    sure = min(cut.confidence, seen.confidence)
    if again >= CLEAR_AGAIN and sure < BEYOND_DOUBT:
        return "one corner, and not beyond doubt"
    suit = cut.suit_mm / max(cut.rank_mm, 1.0)
    if not LEAST_SUIT <= suit <= LARGEST_SUIT or (suit > LARGE_SUIT and sure < LARGE_SURE):
        return "a suit of another size than its rank's"
    if card[1] == "s" and cut.ink == "blue":
        return "a blue sign that may be half covered"
    return ""


def _sure_enough(surest: float, again: float, px_per_mm: float) -> bool:
    """Whether one classifier is sure. In a coarse picture the other cuts must be sure too: a smeared spade
    looks like a club."""
    return surest >= SURE and (px_per_mm >= FINE_PX_PER_MM or again <= COARSE_MOST)


def _tall_mm(way: Index) -> tuple[float, float]:
    """Heights of an index's suit and rank, in millimetres."""
    return way.suit.box.height / FLAT_PX_PER_MM, way.rank.box.height / FLAT_PX_PER_MM


def _suit_mm(cut: Sequence[CornerReading | None]) -> float:
    """Height of an index's suit, in millimetres."""
    known = [said.suit_mm for said in cut if said is not None and said.speaks]
    return max(known, default=USUAL_SUIT_MM)


def _together(classifiers: Sequence[Sequence[CornerReading]]) -> tuple[str, float, float]:
    """The likeliest card over all readings, with the remaining doubt of its rank and of its suit."""
    ranks = _combined([[said.rank for said in classifier] for classifier in classifiers])
    suits = _combined([[said.suit for said in classifier] for classifier in classifiers])
    card = RANKS[int(ranks.argmax())] + SUITS[int(suits.argmax())]
    return card, float(ranks.sum() - ranks.max()), float(suits.sum() - suits.max())


def _combined(classifiers: Sequence[Sequence[Odds]]) -> NDArray[np.float64]:
    """The odds of each sign over all classifiers. A classifier that sees nothing there, or is not sure, is left
    out."""
    classes = len(classifiers[-1][0]) - 1
    total = np.zeros(classes)
    for classifier in classifiers:
        said = [odds for odds in classifier if int(odds.argmax()) != classes and float(odds.max()) >= SPEAKS]
        ordered = sorted(said, key=lambda odds: -float(odds.max()))
        for odds, least in zip(ordered, (LEAST_DOUBT, SAME_CLASSIFIER), strict=False):
            total += _log_odds(odds[:-1], least)
    return _shares(total)


def _log_odds(odds: Odds, least: float) -> NDArray[np.float64]:
    """What one classifier adds for each class; its odds are limited by `least`, its minimum doubt."""
    return np.log(np.maximum(odds.astype(np.float64), least / (len(odds) - 1)))


def _shares(log_odds: NDArray[np.float64]) -> NDArray[np.float64]:
    powers = np.exp(log_odds - log_odds.max())
    return np.asarray(powers / powers.sum(), np.float64)


def _surest(heard: Sequence[CornerReading], card: str) -> float:
    """The confidence of the surest classifier in the rank or in the suit, whichever is lower."""
    ranks = [float(said.rank[RANKS.index(card[0])]) for said in heard]
    suits = [float(said.suit[SUITS.index(card[1])]) for said in heard]
    return min(max(ranks), max(suits))


def _leans_away(said: CornerReading, card: str) -> bool:
    """Whether a reading takes a club rather for a spade, or the reverse."""
    ours, other = (float(said.suit[SUITS.index(suit)]) for suit in (card[1], BLACK.replace(card[1], "")))
    return other > max(ours, LEANS)


def _says(said: CornerReading | None, card: str) -> bool:
    return said is not None and said.speaks and said.card == card


def turned_round(flat: Image) -> Image:
    """A card with its other corner at the top left.

    A rotation by 180°; shape and colour order of the pixels stay.
    """
    return np.asarray(cv2.rotate(flat, cv2.ROTATE_180), np.uint8)


def _nudged(flat: Image) -> list[Image]:
    """A corner moved and grown a little."""
    height, width = flat.shape[:2]
    moved = [flat[round(y * FLAT_PX_PER_MM) :, round(x * FLAT_PX_PER_MM) :] for x, y in NUDGES_MM]
    grown = cv2.resize(flat, (round(width * GROWN), round(height * GROWN)), interpolation=cv2.INTER_LINEAR)
    return [*moved, np.asarray(grown, np.uint8)]


def _sharper(flat: Image) -> Image:
    """The corner that holds an index, with blur from light and motion reduced."""
    width, height = (round(mm * FLAT_PX_PER_MM) for mm in CORNER_MM)
    near = flat[: height + SMEARED_PX, : width + SMEARED_PX]  # the smear reaches this far
    smeared = cv2.GaussianBlur(near, (0, 0), SHARPER_MM * FLAT_PX_PER_MM)
    return np.asarray(cv2.addWeighted(near, 2.0, smeared, -1.0, 0.0), np.uint8)[:height, :width]


def _surer(one: CornerReading | None, other: CornerReading | None) -> CornerReading | None:
    """The surer of two readings of a corner; where they name different cards, the average of both."""
    if one is None or other is None:
        return one or other
    named = [said for said in (one, other) if NOTHING not in said.card] or [one, other]
    best = max(named, key=lambda said: said.confidence)
    if len(named) == 2 and one.card != other.card:
        rank, suit = (one.rank + other.rank) * np.float32(0.5), (one.suit + other.suit) * np.float32(0.5)
        return CornerReading(
            np.asarray(rank, np.float32), np.asarray(suit, np.float32), best.ink, best.suit_mm, best.rank_mm
        )
    return best


def _batch(glyphs: list[Glyph]) -> NDArray[np.float32]:
    ink = np.stack([g.ink for g in glyphs])
    return features(ink, np.array([g.aspect for g in glyphs], np.float32))
