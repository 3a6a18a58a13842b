"""Looks for hidden cards in what the spies brought home. A finding is one line that says where and how."""

from __future__ import annotations

import json
import re
import sqlite3
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
from nacl.exceptions import CryptoError
from nacl.public import PrivateKey, SealedBox

from feltwire.lab.demo.room import SEAT_COUNT
from feltwire.relay.feed.rows import schema
from feltwire.relay.keys import RelayKeys
from feltwire.table.recovery import RecoveryBox, runtime_folder
from feltwire.tools.provision.access import table_name
from firmware_bridge.decks import DeckRegistry
from table_core.commitment import Opening
from table_core.projections.table_state import HAND_STANDS
from tests.room.leak import copies, measures, shown
from tests.room.leak import on_air as air
from tests.room.leak.capture import Captured
from tests.room.leak.folder import DATABASE, cells, texts_in
from tests.room.leak.needles import Needles, batches
from tests.room.leak.notation import ORDERS, cards_in
from tests.room.leak.openings import WEAK, Promise, opened, values_in
from tests.room.leak.room import Attack, core_files, is_secret
from tests.room.leak.styles import ELSEWHERE
from tests.room.leak.truth import FOREVER, Truth

TAG, SALT = "a tag", "the salt of a commitment"
_PLACES = ("file data/", "file backup/", "row ", "row backup ")
RELAYED = (
    *("mqtt fw/demo/overlay", "GET relay", "SSE relay"),
    *("file data/releases", "file backup/releases", "file log/relay"),
    *(f"{place}{name}.db" for place in _PLACES for name in ("hands", "coverage")),
)
# Facts that are public at once; everything else of the relay lies as far back as what is on air.
AT_ONCE = ("file", "row", "/api/preview", " preview", "coverage")
_TABLE = re.compile(
    r"(?:table[-/]|overlay/|air/|preview/|hand/|feed/|sensed/|picture/|clip/|history/|presses/|names/|ruling/|simroom-)(\d\d)\b"
)
# `HJ` is the hijack; outs are all that would help, dealt or not: when they may be told `tests.on_air` says.
NO_HIDDEN_CARD = ("position", "outs", "outs_to_tie")
_PICTURE = re.compile(r"^GET .* /(?:picture|clip)/")
_HAND_PAGE = re.compile(r"^GET relay /hand/(\d\d)/(\d+)( \(headers\)|)$")
_OF_HAND = re.compile(r"/hand/\d\d/(\d+)\b")
_NO_ACE = ">As the relay signed it</a>"  # the link of a hand's page, with nothing between
_LINE = re.compile(r'<li class="line\b.*?</li>|<item>.*?</item>', re.DOTALL)  # of live coverage
_LINE_ID = re.compile(r"\b(\d\d)/[0-9a-f]{8}/(\d+)\.(\d+)\b")
_LINE_HAND = re.compile(r"/hand/(\d\d)/(\d+)\b")
_SCHEMA = schema()
_LONG = 300  # letters of a text that is not kept in mind
_FEW = 8  # placed values that are enough to tell a code from chance


@dataclass
class Examined:
    """`findings` must be empty; the rest says how much was looked at."""

    findings: Counter[str] = field(default_factory=Counter)
    samples: dict[str, str] = field(default_factory=dict)
    cards_named: int = 0  # mentions of cards, all of them public
    hands: int = 0
    hidden_cards: int = 0
    messages: int = 0
    commitments: int = 0
    commitments_tried: int = 0  # of them, those whose opening no box of the room holds
    boxes: int = 0
    boxes_checked: int = 0
    recovery_boxes: int = 0
    recovery_boxes_opened: int = 0  # with the keys that are left: the last hand's
    values_tried: int = 0  # as salts, with each card and each tag
    pictures: dict[str, int] = field(default_factory=dict)  # read with the card reader, by where they were seen
    cards_in_pictures: int = 0
    cards_on_air: int = 0  # hole cards that the relay named and nobody else
    guessed: int = 0  # pages of hands that were asked for before their release
    timed: int = 0  # messages about cards whose times were compared
    times_far: dict[str, float] = field(default_factory=dict)  # by rank and by suit, in standard deviations

    def found(self, text: str, sample: str | bytes = "") -> None:
        """`sample` is where it was found: the room is simulated, its cards may be shown."""
        self.findings[text] += 1
        self.samples.setdefault(text, str(sample)[:300])


def examine(got: Attack) -> Examined:
    """Search everything, every way."""
    truth = Truth.read(got.truth_files.values())
    if got.on_air is not None:
        delay_ms = round(air.FLOOR_S * 1_000)
        truth.release(_ends(got), delay_ms, folded=got.on_air.folded, stood=_stood(got))
    result = Examined(hands=truth.count, hidden_cards=truth.hidden)
    rows = list(_ledger_rows(got))
    openings = _openings(got, result, truth)
    _look_for_secrets(got, rows, openings, result)
    _look_for_names(got, rows, truth, result)
    _try_commitments(got, rows, openings, result)
    _try_recovery_keys(got, truth, result)
    _look_at_pictures(got, truth, result)
    _compare_guessed(got, truth, result)
    _measure(got, truth, result)
    _look_at_decks(got, truth, result)
    _check_surroundings(got, result)
    return result


# ---------------------------------------------------------------------------------------------- rows


def _ledger_rows(got: Attack) -> Iterator[Captured]:
    """Every cell of every database as the room left it."""
    for path in sorted((got.plan.folder / "data").iterdir()):
        if DATABASE.search(path.name):
            yield from (Captured(f"row {path.name} {name}", FOREVER, cell) for name, cell in cells(path))


# ---------------------------------------------------------------------------------- tags and salts


def _look_for_secrets(got: Attack, rows: list[Captured], openings: list[Opening], result: Examined) -> None:
    """Tags anywhere; salts anywhere but in the relay's releases."""
    tags = (uid[2:] for table in got.plan.table_ids for uid in _tags(got, table))
    salts = {opening.salt for opening in openings} - released_salts(got)
    needles = Needles({TAG: tags, SALT: map(bytes.fromhex, salts)})
    for memory in (False, True):
        places: dict[bytes, list[Captured]] = {}  # the same content in several streams is searched once
        for captured in [*got.capture.kept, *rows]:
            if captured.stream.startswith("memory") == memory:
                places.setdefault(captured.data, []).append(captured)
        for whole, parts in batches(places):
            for data in parts if needles.find(whole, memory=memory) else []:
                for kind, way in needles.find(data, memory=memory):
                    for captured in places[data]:
                        result.found(f"{captured.stream}: {kind}, {way}", data)


def released_salts(got: Attack) -> set[str]:
    """Salts that the relay gave away with their cards (when it might, is judged by the cards)."""
    path = got.plan.folder / "data" / "releases.jsonl"
    lines = path.read_text().splitlines() if path.exists() else []
    return {json.loads(line)["release"]["card"]["salt"] for line in lines}


def _tags(got: Attack, table: str) -> Iterator[bytes]:
    registry = DeckRegistry.load(got.plan.folder / f"decks-{table}.toml")
    for deck in registry.deck_names:
        for card in ORDERS["suit by suit"]:
            yield registry.tag_of(deck, card).reveal()


# ------------------------------------------------------------------------------------ named cards


# Where this checkout and its Python lie was so before a card was dealt, whatever the folders are called.
_FOLDERS = sorted({str(Path.cwd()), sys.prefix, sys.base_prefix}, key=len, reverse=True)


def _without_folders(text: str) -> str:
    for folder in _FOLDERS:
        text = text.replace(folder, "")
    return text


def _named(text: str, *, whole_value: bool) -> tuple[str, ...]:
    return (_named_in_a_word if len(text) < _LONG else _named_in)(text, whole_value)


def _named_in(text: str, whole_value: bool) -> tuple[str, ...]:
    return tuple(cards_in(_without_folders(text), whole_value=whole_value))


_named_in_a_word = lru_cache(maxsize=200_000)(_named_in)  # a room says the same again and again


@dataclass
class _Context:
    """What a piece of a message is about, and when it was read. `about` is the time that it tells of itself."""

    table: str
    hand: int | None
    at: int
    about: int


class _Names:
    """Walks messages and judges every card that they name."""

    def __init__(
        self, truth: Truth, hand_of: dict[tuple[str, int, int], int], result: Examined, behind_ms: int = 0
    ) -> None:
        """`behind_ms`: how far what is on air lies back at least."""
        self._behind_ms = behind_ms
        self._truth = truth
        self._hand_of = hand_of
        self._result = result
        self._codes: dict[str, list[tuple[int, str]]] = defaultdict(list)

    def judge(self, captured: Captured) -> None:
        found = _TABLE.search(captured.stream)
        context = _Context(found[1] if found else "", None, captured.at, captured.at)
        for raw in _parts(captured):
            try:
                message = json.loads(raw)
            except ValueError:
                # A cell that is no text (a key) is searched for tags and salts, and names no card.
                text = raw.decode(errors="ignore" if captured.stream.startswith("row") else "replace")
                if len(text.encode()) == len(raw) or not captured.stream.startswith("row"):
                    around, lines = lines_of(captured, text)
                    for part in (around, *lines):
                        self._text(captured.stream, part, self._of_line(part, context), whole_value=False)
            else:
                self._walk(captured.stream, message, context)
            self._result.messages += 1

    def _walk(self, stream: str, value: Any, context: _Context) -> None:
        if isinstance(value, dict):
            context = self._context_of(value, context)
            self._code(stream, value, context)
            if "rank" in value and "suit" in value:
                self._text(stream, f"{value['rank']}{value['suit']}", context, whole_value=True)
            for key, inner in value.items():
                self._text(stream, key, context, whole_value=True)
                if key not in NO_HIDDEN_CARD:
                    self._walk(stream, inner, context)
        elif isinstance(value, list):
            for inner in value:
                self._walk(stream, inner, context)
        elif isinstance(value, str):
            self._text(stream, value, context, whole_value=True)

    def _context_of(self, value: dict[str, Any], around: _Context) -> _Context:
        table, hand, at, about = around.table, around.hand, around.at, around.about
        if isinstance(value.get("table"), str):
            table = value["table"]
        if isinstance(value.get("at"), int) and 0 < value["at"] <= at:  # of what was seen then
            at, about = (value["at"], value["at"]) if at == FOREVER else (at, value["at"])
        if isinstance(value.get("at_ms"), int):  # a line of what was sensed, which may be some hands old
            about = value["at_ms"]
        if "data" in value and isinstance(value.get("at"), dict):  # an envelope
            hand = self._hand_of.get((table, value["epoch"], value["seq"]), hand)
            at = value["at"]["ms"] if at == FOREVER else at
        if isinstance(value.get("hand"), int):
            hand = value["hand"]
        around = _Context(table, hand, at, about)
        return self._of_line(value["id"], around) if isinstance(value.get("id"), str) else around

    def _of_line(self, text: str, around: _Context) -> _Context:
        """A line of live coverage is about the hand that it names, which may be of hours ago."""
        if link := _LINE_HAND.search(text):
            return replace(around, table=link[1], hand=int(link[2]))
        if name := _LINE_ID.search(text):
            hand = self._hand_of.get((name[1], int(name[2]), int(name[3])), around.hand)
            return replace(around, table=name[1], hand=hand)
        return around

    def _text(self, stream: str, text: str, context: _Context, *, whole_value: bool) -> None:
        for card in _named(text, whole_value=whole_value):
            self._result.cards_named += 1
            self._result.cards_on_air += stream.startswith(RELAYED) and self._is_a_hole_card(card, context)
            if card not in self._may_name(stream, context):
                self._result.found(
                    f"{stream}: names a card that was hidden (table {context.table or '?'})", f"{card}: {text}"
                )

    def _is_a_hole_card(self, card: str, context: _Context) -> bool:
        hands = [] if context.hand is None else self._truth.numbered(context.table, context.hand)
        return any(card in hand.kept and card not in hand.face_up for hand in hands)

    def hidden(self, captured: Captured, cards: Iterable[str]) -> Iterator[str]:
        """Which of `cards` nobody could see when they were read there."""
        may_name = self._may_name(captured.stream, self._context(captured))
        return (card for card in cards if card not in may_name)

    def _context(self, captured: Captured) -> _Context:
        found, page = _TABLE.search(captured.stream), _OF_HAND.search(captured.stream)
        return _Context(found[1] if found else "", int(page[1]) if page else None, captured.at, captured.at)

    def hidden_in_line(self, captured: Captured, line: str) -> Iterator[str]:
        """Which cards of a line of live coverage nobody could see when it was read."""
        may_name = self._may_name(captured.stream, self._of_line(line, self._context(captured)))
        return (card for card in cards_in(line) if card not in may_name)

    def _may_name(self, stream: str, context: _Context) -> frozenset[str]:
        tables = [context.table] if context.table else list(self._truth.hands)
        allowed: set[str] = set()
        for table in tables:
            numbered = [] if context.hand is None else self._truth.numbered(table, context.hand)
            # What bears no number is judged by its time: it may still show the hand before.
            for hand in numbered or self._truth.around(table, context.about):
                relayed = stream.startswith(RELAYED)
                if not relayed:
                    allowed |= hand.public(context.at)
                    continue
                late = 0 if any(word in stream for word in AT_ONCE) else self._behind_ms
                allowed |= hand.public(context.at - late) | (hand.released(context.at) - hand.face_up.keys())
        return frozenset(allowed)

    # ----------------------------------------------------------------------------- cards as numbers

    def _code(self, stream: str, value: dict[str, Any], context: _Context) -> None:
        """Note every number that stands beside a place of the deal, with the card that lies there."""
        place = value.get("place")
        if not isinstance(place, int) or context.hand is None:
            return
        for hand in self._truth.numbered(context.table, context.hand):
            if 1 <= place <= len(hand.drawn):
                for key, number in value.items():
                    if isinstance(number, int) and key != "place":
                        self._codes[f"{stream.split('/')[0]} {key}"].append((number, hand.drawn[place - 1]))

    def judge_codes(self) -> None:
        """A number that mostly is the index of the card beside it, in some order of the deck, is the card."""
        for where, pairs in self._codes.items():
            for order, cards in ORDERS.items():
                for base in (0, 1):
                    hits = sum(number - base == cards.index(card) for number, card in pairs)
                    if len(pairs) >= _FEW and hits > len(pairs) / 2:
                        self._result.found(f"{where}: numbers cards ({order})")


def _look_for_names(got: Attack, rows: list[Captured], truth: Truth, result: Examined) -> None:
    behind_ms = 0 if got.on_air is None else round(air.FLOOR_S * 1_000)
    names = _Names(truth, _hands_of_events(got), result, behind_ms)
    pages = _Pages(got)
    for captured in _judged(got, rows):
        _judge(captured, names, pages, result)
    names.judge_codes()


def _judge(captured: Captured, names: _Names, pages: _Pages, result: Examined) -> None:
    if is_page(captured):
        _, lines = lines_of(captured, captured.data.decode(errors="replace"))
        hidden = [*names.hidden(captured, pages.cards_of(captured))]
        for card in [*hidden, *(card for line in lines for card in names.hidden_in_line(captured, line))]:
            result.found(f"{captured.stream}: a page names a card that was hidden", card)
    elif captured.data == _SCHEMA:
        pass  # its example names a card, before one is dealt; a byte more or less, and it is judged
    elif _is_text(captured.stream):
        names.judge(captured)
    elif captured.stream.startswith("GET"):
        for text in jpeg_texts(captured.data):
            result.found(f"{captured.stream}: text in a picture ({text})")


def _is_text(stream: str) -> bool:
    """Not pictures and raw database files (their cells are judged one by one), nor memory."""
    return not (
        stream.startswith("memory")
        or (_PICTURE.search(stream) is not None and "(headers)" not in stream)
        or (stream.startswith("file") and DATABASE.search(re.sub("-(wal|shm)$", "", stream)))
    )


def _hands_of_events(got: Attack) -> dict[tuple[str, int, int], int]:
    """Which hand each event belongs to: from its first riffle to the next."""
    hand_of: dict[tuple[str, int, int], int] = {}
    for table in got.plan.table_ids:
        path = got.plan.folder / "data" / f"{table_name(table)}.ledger"
        base = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
        hand = 0
        for epoch, seq, raw in base.execute("SELECT epoch, seq, bytes FROM events ORDER BY epoch, seq"):
            data = json.loads(raw)["data"]
            if data["type"] == "hand_started":
                hand = data["hand"]
            if hand:
                hand_of[table, epoch, seq] = hand
        base.close()
    return hand_of


def jpeg_texts(data: bytes) -> list[str]:
    """Comments and application data of a JPEG, where text hides; a plain JFIF header is none."""
    texts, at = [], 2
    while at + 4 <= len(data) and data[at] == 0xFF and data[at + 1] != 0xDA:
        kind, size = data[at + 1], int.from_bytes(data[at + 2 : at + 4], "big")
        if kind == 0xFE or 0xE1 <= kind <= 0xEF or (kind == 0xE0 and data[at + 4 : at + 8] != b"JFIF"):
            texts.append(f"segment {kind:02x}, {size} bytes")
        at += 2 + size
    return texts


def _parts(captured: Captured) -> list[bytes]:
    """What is judged by itself: the lines of a file, the words in one that is no text, else the whole."""
    if not captured.stream.startswith("file"):
        return [captured.data]
    return [line for text in texts_in(captured.data) for line in text.encode().splitlines()]


def _judged(got: Attack, rows: list[Captured]) -> Iterator[Captured]:
    """Everything that may name cards; what several readers read, as the first of them did."""
    seen: set[tuple[bytes, str, bool]] = set()
    for captured in sorted([*got.capture.kept, *rows], key=lambda one: one.at):
        found = _TABLE.search(captured.stream)
        same = (captured.data, found[1] if found else "", captured.stream.startswith(RELAYED))
        if same not in seen:
            seen.add(same)
            yield captured


class _Pages:
    """What a page says whatever is dealt: every reading of it says so, and there were several."""

    def __init__(self, got: Attack) -> None:
        self._always: dict[str, set[str]] = {}
        readings: Counter[str] = Counter()
        for (_, stream), count in got.capture.readings.items():
            readings[stream] += count
        for captured in got.capture.kept:
            if is_page(captured) and readings[captured.stream] > 1:
                cards = set(cards_in(captured.data.decode(errors="replace")))
                self._always[captured.stream] = self._always.get(captured.stream, cards) & cards

    def cards_of(self, captured: Captured) -> set[str]:
        """Cards that a page names. One of a hand says them every time: there each is judged."""
        text, _ = lines_of(captured, _without_folders(captured.data.decode(errors="replace")))
        if _OF_HAND.search(captured.stream):
            return set(cards_in(text.replace(_NO_ACE, "")))
        return set(cards_in(text)) - self._always.get(captured.stream, set())


def lines_of(captured: Captured, text: str) -> tuple[str, list[str]]:
    """The lines of live coverage, each about a hand of its own, and what is around them."""
    if "/coverage" not in captured.stream:
        return text, []
    return _LINE.sub("", text), _LINE.findall(text)


def is_page(captured: Captured) -> bool:
    return captured.data[:15].lower() == b"<!doctype html>"


# ----------------------------------------------------------------------------- boxes and commitments


def _openings(got: Attack, result: Examined, truth: Truth) -> list[Opening]:
    """Open every box that a table sealed as the relay would, and see that the truth is what is in them: the search
    looks for the right things."""
    keys = RelayKeys.load(got.plan.folder / "relay.key")
    boxes: list[str] = []
    for table in got.plan.table_ids:
        path = got.plan.folder / "data" / f"{table_name(table)}.ledger"
        base = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
        boxes += [json.loads(raw)["box"] for (raw,) in base.execute("SELECT bytes FROM sealed")]
        base.close()
    result.boxes = len(boxes)
    if len({len(box) for box in boxes}) > 1:
        result.found("sealed boxes differ in length")
    openings = [opening for opening in map(keys.open, boxes) if opening is not None]
    result.boxes_checked = sum(
        opening.card in hand.drawn
        for opening in openings
        for hand in truth.numbered(opening.table, opening.hand)[:1]
    )
    return openings


def _try_commitments(got: Attack, rows: list[Captured], openings: list[Opening], result: Examined) -> None:
    """Hash 52 cards, and every tag, with every value that somebody could read, and with none. Where the room's own
    box holds the opening, nothing else opens the commitment: there the values are looked through for its salt."""
    known = {opening.commitment(): opening for opening in openings}
    promised = list(_commitments(got, rows))
    result.commitments = len(promised)
    values: set[bytes] = set()
    for whole, _ in batches({one.data for one in got.capture.kept if not one.stream.startswith("memory")}):
        values.update(map(bytes.lower, values_in(whole)))
    for row in [*(one for one in got.capture.kept if one.stream.startswith("row")), *rows]:
        values.update(map(bytes.lower, values_in(row.data, cell=True)))
    values -= {salt.encode() for salt in released_salts(got)}
    result.values_tried = len(values)
    for table in got.plan.table_ids:
        of_table = [promise for promise in promised if promise.bound[0] == table]
        for opening in [known[promise.sum] for promise in of_table if promise.sum in known]:
            if opening.salt.encode() in values or opening.salt in WEAK:
                what = f"{opening.card} with the value {opening.salt}"
                result.found(f"a commitment of table {table} opens with what anybody can see", what)
        of_table = [promise for promise in of_table if promise.sum not in known]
        result.commitments_tried += len(of_table)
        tags = [uid.hex() for uid in _tags(got, table)]
        for what in opened(of_table, [*ORDERS["suit by suit"], *tags], values):
            result.found(f"a commitment of table {table} opens with what anybody can see", what)


def _commitments(got: Attack, rows: list[Captured]) -> Iterator[Promise]:
    """Every commitment with what it binds before the card: table, epoch, hand, attempt, place."""
    hand_of = _hands_of_events(got)
    for row in rows:
        if row.stream.endswith(" events") and b'"card_dealt"' in row.data and row.stream.startswith("row table-"):
            said = json.loads(row.data)
            at, dealt = (said["table"], said["epoch"], said["seq"]), said["data"]
            if dealt["commitment"]:
                bound = [*at[:2], hand_of[at], dealt["attempt"], dealt["place"], dealt["to"]]
                yield Promise(dealt["commitment"], bound)


def _try_recovery_keys(got: Attack, truth: Truth, result: Examined) -> None:
    """A box that was copied from a ledger opens with no key that is left, but for the last hand's."""
    boxes = [msgspec.json.decode(raw, type=RecoveryBox) for raw in got.recovery_boxes]
    result.recovery_boxes = len(boxes)
    keys = [SealedBox(PrivateKey(path.read_bytes())) for path in key_files(got)]
    last = {hands[-1].number for hands in truth.hands.values()}
    for box in boxes:
        if any(_opens(key, box.box) for key in keys):
            result.recovery_boxes_opened += 1
            if box.hand not in last:
                result.found("a recovery key that is left opens a box of an earlier hand")


def key_files(got: Attack) -> list[Path]:
    """The recovery keys that lie in memory."""
    ledgers = [got.plan.folder / "data" / f"{table_name(table)}.ledger" for table in got.plan.table_ids]
    return [path for ledger in ledgers for path in sorted(runtime_folder("", ledger).glob("*.key"))]


def _opens(key: SealedBox, box: bytes) -> bool:
    try:
        key.decrypt(box)
    except (CryptoError, ValueError):
        return False
    return True


# ---------------------------------------------------------------------- pictures, sizes, times, decks


def _look_at_pictures(got: Attack, truth: Truth, result: Examined) -> None:
    """Cards in the pictures of cameras, as the project's own reader finds them."""
    reader = shown.Reader(SEAT_COUNT)
    judge = _Names(truth, {}, result)
    for kind, seen in shown.spread(shown.pictures(got.capture.kept)).items():
        result.pictures[kind] = len(seen)
        for captured in seen:
            cards = reader.cards_in(captured.data)
            result.cards_in_pictures += len(cards)
            for card in judge.hidden(captured, cards):
                result.found(f"{captured.stream}: {kind} shows a card that was hidden", card)


def _compare_guessed(got: Attack, truth: Truth, result: Examined) -> None:
    """The page of a hand that is not out yet is that of a hand that there will never be, headers included."""
    pages: dict[tuple[str, int, str], list[Captured]] = defaultdict(list)
    for captured in got.capture.kept:
        if found := _HAND_PAGE.search(captured.stream):
            pages[found[1], int(found[2]), found[3]].append(captured)
    never = {
        (table, what): {_without_numbers(captured) for captured in of}
        for (table, number, what), of in pages.items()
        if number == air.NEVER_DEALT[0]
    }
    for (table, number, what), of in pages.items():
        hands = truth.numbered(table, number)
        out = min([max(hand.ended, hand.goes_out) for hand in hands], default=FOREVER)
        for captured in of:
            if number not in air.NEVER_DEALT and captured.at < out:
                result.guessed += 1
                if _without_numbers(captured) not in never.get((table, what), set()):
                    result.found("the page of a hand that is not out is another than that of none", captured.data)


def _without_numbers(captured: Captured) -> bytes:
    return re.sub(rb"\d+", b"N", captured.data)


def _ends(got: Attack) -> dict[tuple[str, int], int]:
    """When each hand was awarded for the last time (boot time in ms), by table and number."""
    ends: dict[tuple[str, int], int] = {}
    for row in _ledger_rows(got):
        if row.stream.endswith(" events") and row.stream.startswith("row table-") and b'"hand_ended"' in row.data:
            said = json.loads(row.data)
            if said["data"]["type"] == "hand_ended":
                ends[said["table"], said["data"]["hand"]] = said["at"]["ms"]
    return ends


def _stood(got: Attack) -> dict[tuple[str, int], int]:
    """When a table said last that a hand stands: in a break, or because it was closed."""
    hand_of, stood = _hands_of_events(got), dict[tuple[str, int], int]()
    for row in _ledger_rows(got):
        if (
            row.stream.endswith(" events")
            and row.stream.startswith("row table-")
            and HAND_STANDS.encode() in row.data
        ):
            said = json.loads(row.data)
            if said["data"].get("kind") == HAND_STANDS:
                stood[said["table"], hand_of[said["table"], said["epoch"], said["seq"]]] = said["at"]["ms"]
    return stood


def _measure(got: Attack, truth: Truth, result: Examined) -> None:
    dealt = measures.dealt_cards(got.capture.kept, _hands_of_events(got), truth)
    result.timed = len(dealt)
    for kind, sizes in measures.sizes(dealt).items():
        if len(sizes) > 1:
            result.found("messages about cards differ in length", f"{kind}: {sorted(sizes)}")
    result.times_far, too_far = measures.suspicious_times(dealt)
    for what in too_far:
        result.found(f"messages about cards come sooner or later by their {what}", str(result.times_far))


def _look_at_decks(got: Attack, truth: Truth, result: Examined) -> None:
    """The registries stay as they were, and the wear of a deck counts only what was public."""
    for name, sums in got.secrets.items():
        if len(sums) > 1 and not name.endswith(".key"):
            result.found(f"{name} was changed while hands were dealt")
    for table in got.plan.table_ids:
        for what in copies.misworn(got.wear.get(table_name(table), []), table, truth):
            result.found(what)


# -------------------------------------------------------------------------------------- surroundings


def _check_surroundings(got: Attack, result: Examined) -> None:
    """Who was let in, who got sealed cards, who may read the files that are secrets, what a crash leaves."""
    for name in ("anonymous", "forged relay"):
        if name in got.let_in:
            result.found(f"the broker lets in: {name}")
    for captured in got.capture.kept:
        if captured.stream == ELSEWHERE:
            result.found("a style in a page on air asks elsewhere", captured.data)
    for who, stream in got.capture.readings:
        if stream.startswith("mqtt") and stream.endswith("/sealed"):
            result.found(f"{who} reads {stream}")
    for path in got.plan.folder.rglob("*"):
        if path.is_file() and (is_secret(path) or path.parent.name == "data") and path.stat().st_mode & 0o077:
            private = not path.name.startswith("releases")
            if private:
                result.found(f"others may read {path.relative_to(got.plan.folder)}")
    for name, limit in got.core_limits.items():
        if name.startswith(("table-", "relay")) and limit.split()[4:6] != ["0", "0"]:
            result.found(f"{name} may dump its memory: {limit}")
    for path in core_files(got):
        result.found(f"a core file: {path.name}")
