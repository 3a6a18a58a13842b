"""How the recogniser sees what lies on a rendered felt: the rates that readings are drawn from afterwards."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Sequence
from copy import deepcopy
from pathlib import Path

import msgspec

from feltwire.lab.simroom.felt.felt import FeltCard, PhysicalFelt
from feltwire.lab.simroom.felt.scene import scene_of
from feltwire.lab.simroom.play.script import FULL_DECK
from table_core.messages import Chips, Seat, ZoneReading
from tests.faults.camera import RenderedEye, zones_of
from tests.faults.chips import rendered_chips
from vision.cards import CardReader
from vision.chips.zone import ZoneChipReader
from vision.geometry.felt import Felt
from vision.synthetic.felt.renderer import Renderer
from vision.watching.watcher import Watcher

SEATS = 9
QUANTILES, COUNTS = 20, 10
CHIPS_COUNTED = 0.164
LOOKS = 8  # frames after which a watcher has made up its mind, unread cards and all


class Seen(msgspec.Struct):
    """Cards and places looked at, and what of them was not seen as it lay."""

    hands: int = 0
    pictures: int = 0
    faces: int = 0
    unread: int = 0
    wrong: int = 0
    places: int = 0
    miscounted: int = 0
    burns: dict[int, list[int]] = {}  # what was counted of piles of so many cards
    burned: int = 0  # cards put on the burns, and those that were seen to come
    burns_seen: int = 0
    discs: int = 0  # pictures with the button disc, and those in which it was not seen where it lay
    discs_unseen: int = 0
    firsts: int = 0  # bets that were put in front of a seat, and those seen as one motion
    firsts_seen: int = 0
    laters: int = 0  # bets that were added to another one, and those seen as one motion more
    laters_seen: int = 0
    bets: int = 0  # bets looked at, and those of which value and number were told, rightly or not
    bets_counted: int = 0
    bets_wrong: int = 0
    delays_ms: list[int] = []


def measure(hands: int, seed: int) -> Seen:
    """Lay `hands` hands on a felt as they are dealt, folded, boarded and tabled; render and read every step."""
    felt = Felt.for_seats(SEATS)
    renderer, seen = Renderer(felt), Seen()
    chips = rendered_chips(felt)
    for no in range(hands):
        chance = random.Random(f"measure/{seed}/{no}")
        watcher = Watcher(felt, CardReader(), chips=ZoneChipReader(chips, felt.px_per_mm))
        now = 1_000
        by_zone: dict[str, ZoneReading] = {}
        before = PhysicalFelt()
        for picture, physical in enumerate(_steps(chance)):
            scene = scene_of(physical, felt, seed=chance.getrandbits(30))
            image = renderer.render(scene).image
            seen.pictures += 1
            changed_at = now - chance.randrange(RenderedEye.FRAME_MS)
            for _ in range(LOOKS):
                for watched in watcher.step(image):
                    by_zone[str(watched.reading.zone)] = watched.reading
                    if picture:
                        seen.delays_ms.append(now - changed_at)
                now += RenderedEye.FRAME_MS
            _compare(seen, physical, by_zone)
            _compare_motions(seen, before, physical, by_zone)
            before = deepcopy(physical)
        seen.hands += 1
        print(f"\r{no + 1} of {hands} hands", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return seen


def _steps(chance: random.Random) -> Iterator[PhysicalFelt]:
    """The felt as it lies after every step of one hand."""
    physical = PhysicalFelt()
    deck = list(FULL_DECK)
    chance.shuffle(deck)
    seats = [Seat(no) for no in range(1, SEATS + 1)]
    physical.set_stacks({seat: Chips(20_000) for seat in seats}, chance.choice(seats))
    yield physical
    for seat in [*seats, *seats]:
        physical.deal(seat, deck.pop())
    yield physical
    one_more = chance.choice(seats)
    physical.deal(one_more, deck.pop())
    yield physical
    deck.append(physical.hands[one_more].pop().card)
    yield physical
    flashed = chance.choice(seats)
    first, second = physical.hands[flashed]
    physical.hands[flashed] = [FeltCard(first.card, face_up=True), second]
    yield physical
    physical.turn_down(flashed)
    live = chance.sample(seats, chance.randint(2, 5))
    for seat in seats:
        if seat not in live:
            physical.throw_away(seat)
    for seat in live:
        physical.put_in(seat, Chips(chance.randint(2, 40) * 100))
    yield physical
    for seat in live:
        if chance.random() < 0.5:
            physical.put_in(seat, Chips(chance.randint(2, 40) * 100))
    yield physical
    physical.gather()
    for count in (3, 1, 1):
        for _ in range(2 if chance.random() < 0.1 else 1):
            physical.burn(deck.pop())
            yield physical
        physical.put_on_board(deck.pop() for _ in range(count))
        yield physical
    for seat in live:
        physical.turn_up(seat)
        yield physical


def _compare(seen: Seen, physical: PhysicalFelt, by_zone: dict[str, ZoneReading]) -> None:
    for zone, lying in zones_of(physical).items():
        if zone not in by_zone:
            seen.places += bool(lying)
            seen.miscounted += bool(lying)
            continue
        reading = by_zone[zone]
        faces = {card.card for card in lying if card.face_up}
        backs = sum(1 for card in lying if not card.face_up)
        seen.faces += len(faces)
        seen.wrong += len(set(reading.cards) - faces)
        seen.unread += max(0, len(faces) - len(set(reading.cards) & faces) - len(set(reading.cards) - faces))
        if zone == "burn":
            seen.burns.setdefault(backs, []).append(reading.face_down)
        else:
            seen.places += bool(lying)
            seen.miscounted += reading.face_down != backs


def _compare_motions(seen: Seen, before: PhysicalFelt, now: PhysicalFelt, by_zone: dict[str, ZoneReading]) -> None:
    """What was put somewhere since the picture before, against the motions told."""
    burn = by_zone.get("burn")
    if len(now.burns) > len(before.burns):
        seen.burned += 1
        seen.burns_seen += burn is not None and burn.motions == len(now.burns)
    if now.button is not None:
        disc = by_zone.get(f"button-{now.button}")
        seen.discs += 1
        seen.discs_unseen += disc is None or not disc.button
    for seat, motions in now.motions.items():
        bet = by_zone.get(f"seat-{seat}-bet")
        if not motions or bet is None:
            continue
        seen.bets += 1
        if bet.chips is not None and bet.pieces is not None:
            seen.bets_counted += 1
            seen.bets_wrong += bet.chips != sum(motions)
        if len(motions) > len(before.motions.get(seat, ())):
            seen.firsts += len(motions) == 1
            seen.firsts_seen += len(motions) == 1 and bet.motions == 1
            seen.laters += len(motions) > 1
            seen.laters_seen += len(motions) > 1 and bet.motions > 1


def write_rates(seen: Seen, path: Path, seed: int) -> None:
    """The rates as TOML, with what they were measured on."""
    delays = _quantiles(seen.delays_ms, QUANTILES)
    piles = sum(len(counts) for size, counts in seen.burns.items() if size)
    burns = [_quantiles(counts, COUNTS) for _, counts in sorted(seen.burns.items())]
    path.write_text(
        f"""# How readings of a rendered felt differ from what lies there. Written by
#   python -m tests.faults measure --hands {seen.hands} --seed {seed}
# {seen.pictures} pictures, {seen.faces} cards face up, {seen.places} places with cards, {piles} piles of burns.
# A share measured as none is drawn as one half of the smallest that could have been measured.

[drawn]
unread = {_share(seen.unread, seen.faces)}
wrong = {_share(seen.wrong, seen.faces, none=0.0)}
miscounted = {_share(seen.miscounted, seen.places)}
burns = {burns}
burn_motions = {_share(seen.burns_seen, seen.burned)}
disc_unseen = {_share(seen.discs_unseen, seen.discs)}
first_motions = {_share(seen.firsts_seen, seen.firsts)}
later_motions = {_share(seen.laters_seen, seen.laters)}
chips_counted = {CHIPS_COUNTED}  # of zones for chips (docs/vision.md, 63 of 384): stacks are drawn flat here
delays_ms = {delays}

[counted]
unread = {seen.unread}
wrong = {seen.wrong}
miscounted = {seen.miscounted}
burn_motions_seen = {seen.burns_seen}
burned = {seen.burned}
discs_unseen = {seen.discs_unseen}
discs = {seen.discs}
first_motions_seen = {seen.firsts_seen}
first_motions = {seen.firsts}
later_motions_seen = {seen.laters_seen}
later_motions = {seen.laters}
bets = {seen.bets}
bets_counted = {seen.bets_counted}
bets_wrong = {seen.bets_wrong}
""",
        "utf-8",
    )


def _share(count: int, of: int, none: float | None = None) -> float:
    least = 0.5 / max(1, of) if none is None else none
    return round(count / of if count else least, 6)


def _quantiles(values: Sequence[int], count: int) -> list[int]:
    ordered = sorted(values)
    return [ordered[(2 * at + 1) * len(ordered) // (2 * count)] for at in range(count)]
