"""What the ledger says about one hand, held against what was done in it. The ledger is all that is looked at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from table_core.messages import (
    UNKNOWN_CARD,
    Acted,
    Action,
    Answered,
    Asked,
    CardText,
    Chips,
    Counted,
    Envelope,
    HandEnded,
    HandMucked,
    HandStarted,
    Noticed,
    Refused,
    Rewound,
    Ruled,
    Seat,
    SeatsSet,
    Source,
)
from table_core.projections.table import TableProjection
from table_core.tracker.dealing.evidence import HANDS_UNCOUNTED
from tests.faults.done import Done
from tests.faults.kinds import FAULTS, Kind

# A card that the camera did not name: it is asked for, and so is the winner where it stays unknown (decision 18).
ASKED_FOR_UNREAD = frozenset({"asked:board_unread", "asked:tabled", "asked:award"})
_SEEN_ACTS = {"seen:fold": Action.FOLD, "seen:check": Action.CHECK, "seen:call": Action.CALL}
_PRESSED = ("keypad/", "screen/")


class Verdict(msgspec.Struct, frozen=True):
    """What became of one hand.

    `asked` counts the questions that the table put by itself, `opened` incidents that a person raised. `accused`
    is what the ledger says of the hand that did not happen. `wrong` is empty when the hand ended with chips
    conserved and with the true result, up to `unknown` cards. `seen`: what the camera saw of it stood beside
    the incident.
    """

    no: int
    kind: Kind
    staged: bool
    classified: bool
    missed: bool
    asked: int
    opened: int
    accused: tuple[str, ...]
    wrong: str
    unknown: int
    seen: bool
    said: tuple[str, ...]
    presses: int
    counted: int
    what: str


def judge(done: Done, events: Sequence[Envelope], at_end: TableProjection) -> Verdict:
    """`events` are those of this hand in order; `at_end` is the table after the last of them."""
    fault = FAULTS[done.kind]
    said = words_of(events)
    belong = fault.named | fault.also if done.staged else frozenset()
    if done.staged and done.unread and done.kind is not Kind.CLEAN:
        belong |= ASKED_FOR_UNREAD
    accused = tuple(word for word in said if word not in belong and not _is_normal(word, belong))
    named = [word for word in said if word in fault.named and _about(done, word, events)]
    in_silence = not fault.named
    classified = bool(named) or (in_silence and not accused)
    asked, opened = _questions(events)
    return Verdict(
        no=done.no,
        kind=done.kind,
        staged=done.staged,
        classified=done.staged and classified,
        missed=done.staged and not classified and not accused,
        asked=asked,
        opened=opened,
        accused=accused,
        wrong=done.stuck or wrong_of(done, events, at_end),
        unknown=_unknown(at_end),
        seen=done.seen,
        said=said,
        presses=done.presses,
        counted=done.counted,
        what=done.what,
    )


def _about(done: Done, word: str, events: Iterable[Envelope]) -> bool:
    """Whether a word is about what was staged: what the camera saw, about the player whose key was forgotten."""
    if done.kind not in (Kind.FORGOTTEN_FOLD, Kind.FORGOTTEN_CALL, Kind.FORGOTTEN_LAST) or word not in _SEEN_ACTS:
        return True
    acts = [envelope.data for envelope in events if isinstance(envelope.data, Acted)]
    seats = {act.seat for act in acts if act.source is Source.CAMERA and _SEEN_ACTS[word] is act.action}
    return any(done.what.partition(" on ")[0] == f"seat {seat}" for seat in seats)


def words_of(events: Iterable[Envelope]) -> tuple[str, ...]:
    """Everything that the table noticed, asked, refused, and that was ruled, each once, in the order in which it
    came. `ruled:` is an incident that the table put on its screen, `raised:` one that a person opened by a key."""
    found: dict[str, None] = {}
    open_ruling = by_person = False
    for envelope in events:
        match envelope.data:
            case Noticed(kind=kind):
                found[f"notice:{_stem(kind)}"] = None
            case Asked(kind="ruling"):
                open_ruling, by_person = True, envelope.cause.startswith(_PRESSED)
            case Asked(kind=kind):
                found[f"asked:{_stem(kind)}"] = None
            case Answered(answer="Nothing to rule") if open_ruling:
                found["ruled:nothing"] = None
                open_ruling = False
            case Ruled(incident=incident):
                found[f"{'raised' if by_person else 'ruled'}:{incident}"] = None
                open_ruling = False
            case Acted(action=Action.FOLD, source=Source.CAMERA):
                found["seen:fold"] = None
            case Acted(action=Action.CHECK, source=Source.CAMERA):
                found["seen:check"] = None
            case Acted(action=Action.CALL, source=Source.CAMERA):
                found["seen:call"] = None
            case HandMucked(source=Source.CAMERA):
                found["seen:muck"] = None
            case HandStarted(source=Source.CAMERA | Source.SHOE):
                found["seen:deal"] = None
            case Refused(reason=reason):
                found["refused:seat" if reason.startswith("Seat ") else "refused"] = None
            case Rewound():
                found["undone"] = None
            case _:
                pass
    return tuple(found)


def _stem(kind: str) -> str:
    """The kind without the street, place or seat at its end: `keys_late_flop`, `unread_card_7`, `tabled-3-7`."""
    head, _, tail = kind.replace("-", "_").rpartition("_")
    if tail.isdigit():
        return _stem(head)
    return head if tail in ("flop", "turn", "river") else kind


_NOTHING_NEW = ("notice:again", "notice:street_twice")  # a key for what was on record already


def _is_normal(word: str, belong: frozenset[str]) -> bool:
    """What is no word about anybody: a press that changed nothing is named, a ruling rewinds what it replaces, the
    camera sees cards leave, and a person raises what the table did not. Where something was amiss the broadcast
    may be told that it gets no hands."""
    incident = word.removeprefix("raised:")
    if word == f"notice:{HANDS_UNCOUNTED}":
        return bool(belong)
    return word == "undone" or word in _NOTHING_NEW or word.startswith("seen:") or f"ruled:{incident}" in belong


def _questions(events: Iterable[Envelope]) -> tuple[int, int]:
    """Questions that the table put by itself, and incidents that somebody raised by a key."""
    asked = opened = 0
    for envelope in events:
        if isinstance(envelope.data, Asked):
            by_person = envelope.data.kind == "ruling" and envelope.cause.startswith(_PRESSED)
            asked, opened = (asked, opened + 1) if by_person else (asked + 1, opened)
    return asked, opened


# ------------------------------------------------------------------------------------------- the state


def wrong_of(done: Done, events: Iterable[Envelope], at_end: TableProjection) -> str:
    """What of the hand's end is not as it was; empty when nothing."""
    hand = at_end.hand
    stacks = {seat: state.stack for seat, state in at_end.seats.items()}
    off = {seat: stacks.get(seat) for seat, stack in done.stacks.items() if stacks.get(seat) != stack}
    if off:
        return f"stacks: {off} on record, { ({seat: done.stacks[seat] for seat in off}) } at the table"
    if FAULTS[done.kind].hands > 1:
        return ""  # nobody keyed it: only what was counted is on record
    if hand is None or not hand.ended:
        return "the hand is open on record"
    if not same_cards(hand.board, done.board):
        return "the board is another"
    for seat, cards in done.tabled.items():
        if seat in hand.tabled and not same_cards(hand.tabled[seat], cards):
            return f"seat {seat} tabled another hand"
    return conserved(events)


def same_cards(recorded: Sequence[CardText], lay: Sequence[CardText]) -> bool:
    """The same cards in any order, up to those that are marked unknown."""
    known = [card for card in recorded if card != UNKNOWN_CARD]
    return len(recorded) == len(lay) and set(known) <= set(lay) and len(set(known)) == len(known)


def conserved(events: Iterable[Envelope]) -> str:
    """Whether every hand among `events` ended with the chips with which it began; empty when so."""
    began: Mapping[Seat, Chips] = {}
    carried = 0
    for envelope in events:
        match envelope.data:
            case HandStarted(seats=seats, carried=brought):
                began, carried = {entry.seat: entry.stack for entry in seats}, int(brought)
            case HandEnded(stacks=stacks, carried=left) if began:
                ended = sum(share.amount for share in stacks) + left
                if ended != sum(began.values()) + carried:
                    return f"{sum(began.values()) + carried} chips began the hand, {ended} ended it"
            case Counted() | SeatsSet():
                began = {}
            case _:
                pass
    return ""


def _unknown(at_end: TableProjection) -> int:
    hand = at_end.hand
    if hand is None:
        return 0
    shown = [*hand.board, *[card for cards in hand.tabled.values() for card in cards]]
    return shown.count(UNKNOWN_CARD)
