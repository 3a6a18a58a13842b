"""`feltwire replay`: play recorded hands again and compare the stacks at their end with the recorded ones.

A hand that cannot be read or played is refused with its place, and the next one is read. Many hands are shared out
among processes; no more of them lie in memory than these work on.
"""

from __future__ import annotations

import argparse
import itertools
import os
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from decimal import Decimal, InvalidOperation
from pathlib import Path

import msgspec

from feltwire.errors import UsageError
from feltwire.rulebooks import rulebook_named
from feltwire.tools.hand_files import PieceOrError, find_histories, pieces_in
from feltwire.tools.replay_outcome import HandOutcome, ReplaySummary, outcome_of, unread_hand
from table_core.histories.played import play
from table_core.histories.reading import read_piece
from table_core.histories.recorded import HistoryError, RecordedHand
from table_core.rulebook import Rulebook, RulebookError

HELP = """Plays recorded hands again and compares the finishing stacks with the recorded ones.

PATH is a file of PHH, Open Hand History (also a line each, or a list) or PokerStars text, a folder of them, or a
zip archive."""
EXAMPLE = "feltwire replay hands.phhs --json"

_BATCH = 50  # hands that a process gets at once
_FEW = 200  # hands that one process plays before others would have started

Progress = Callable[[int, int], None]
Batch = list[tuple[str, PieceOrError]]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", metavar="PATH", help="hand files, folders of them, or archives")
    parser.add_argument("--rulebook", default="base", metavar="ID", help="rulebook to play by (base)")
    parser.add_argument(
        "--unit",
        metavar="AMOUNT",
        help="the amount of a file that is one chip, such as 0.001; default: 1, or 0.01 in a hand with decimals",
    )
    parser.add_argument(
        "--through",
        choices=("engine", "wires"),
        default="engine",
        help="engine: the hand engine alone; wires: simulated devices, table process, broker and station",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a line on stdout")


def run(args: argparse.Namespace) -> int:
    """Replay hand histories and print; exit status 1 where one is different or refused.

    Raise `UsageError` for a bad rulebook or unit.
    """
    try:
        rulebook = rulebook_named(args.rulebook)
    except RulebookError as error:
        raise UsageError(str(error)) from error
    files, unit = find_histories(args.paths), _unit(args.unit)
    summary = ReplaySummary()
    play_all = _through_engine if args.through == "engine" else _through_wires
    try:
        for outcome in play_all(files, rulebook, unit, _progress()):
            summary.count(outcome)
            _print_outcome(outcome, as_json=args.json)
    except BrokenProcessPool as error:
        raise UsageError("a process that played hands was ended; call this again, with fewer files") from error
    _print_summary(summary, as_json=args.json)
    return 0 if summary.hands and not summary.different and not summary.refused else 1


def _unit(text: str | None) -> Decimal | None:
    if text is None:
        return None
    try:
        unit = Decimal(text)
    except InvalidOperation:
        unit = Decimal(0)
    if not unit.is_finite() or not Decimal("0.000001") <= unit <= 1_000_000:
        raise UsageError(f"--unit {text[:40]}: give the amount that is one chip, such as 0.01")
    return unit


def _through_engine(
    files: Sequence[Path], rulebook: Rulebook, unit: Decimal | None, progress: Progress
) -> Iterator[HandOutcome]:
    """Each hand through the hand engine alone, in the order of the files."""
    size, done = sum(map(_size, files)), 0
    with ExitStack() as stack:
        pool: ProcessPoolExecutor | None = None
        played = 0
        waiting: deque[tuple[Future[list[HandOutcome]], int]] = deque()
        for batch in _batches(itertools.chain.from_iterable(map(pieces_in, files))):
            weight = sum(_weight(piece) for _, piece in batch)
            if played < _FEW or (os.cpu_count() or 1) < 2:
                played += len(batch)
                yield from _outcomes(batch, rulebook, unit)
                done += weight
                progress(done, size)
                continue
            pool = pool or stack.enter_context(ProcessPoolExecutor())
            waiting.append((pool.submit(_outcomes, batch, rulebook, unit), weight))
            if len(waiting) > 3 * (os.cpu_count() or 1):
                first, weight = waiting.popleft()
                yield from first.result()
                done += weight
                progress(done, size)
        for first, _ in waiting:
            yield from first.result()
        progress(size, size)


def _batches(pieces: Iterator[tuple[str, PieceOrError]]) -> Iterator[Batch]:
    while batch := [*itertools.islice(pieces, _BATCH)]:
        yield batch


def _outcomes(batch: Batch, rulebook: Rulebook, unit: Decimal | None) -> list[HandOutcome]:
    return [_outcome(name, piece, rulebook, unit) for name, piece in batch]


def _outcome(name: str, piece: PieceOrError, rulebook: Rulebook, unit: Decimal | None) -> HandOutcome:
    if isinstance(piece, HistoryError):
        return unread_hand(piece)
    try:
        hand = read_piece(piece, name, unit)
    except HistoryError as error:
        return unread_hand(error)
    try:
        return outcome_of(play(hand, rulebook))
    except HistoryError as error:
        return msgspec.structs.replace(unread_hand(error), expected=hand.finishing_stacks)


def _through_wires(
    files: Sequence[Path], rulebook: Rulebook, unit: Decimal | None, progress: Progress
) -> Iterator[HandOutcome]:
    from feltwire.lab.simroom.through_wires import replay_through_wires  # brings processes and devices with it

    recorded: list[RecordedHand] = []
    for name, piece in itertools.chain.from_iterable(map(pieces_in, files)):
        try:
            if isinstance(piece, HistoryError):
                raise piece
            recorded.append(read_piece(piece, name, unit))
        except HistoryError as error:
            yield unread_hand(error)
    names = [hand.file for hand in recorded]
    yield from replay_through_wires(recorded, names, rulebook=rulebook.id, progress=progress)


# ---------------------------------------------------------------------------------------------- output


def _print_outcome(outcome: HandOutcome, *, as_json: bool) -> None:
    if as_json:
        print(msgspec.json.encode(outcome).decode())
    elif outcome.refused is not None:
        print(f"refused    {outcome.refused}")
    elif outcome.expected is not None and not outcome.equal:
        print(
            f"different  {outcome.hand}: {list(outcome.finishing_stacks)}, recorded {list(outcome.expected or ())}"
        )


def _print_summary(summary: ReplaySummary, *, as_json: bool) -> None:
    if as_json:
        print(msgspec.json.encode(summary).decode())
        return
    print(f"{summary.equal} of {summary.hands} hands equal to their recorded finishing stacks", end="")
    print(f"; {summary.different} different, {summary.refused} refused")
    if summary.unrecorded:
        print(f"{summary.unrecorded} played to their end, of which their file records nothing to compare with")
    for title, sums in (("Refused", summary.reasons), ("Noted", summary.notes)):
        for words, count in sorted((sums or {}).items(), key=lambda one: -one[1]):
            print(f"{title}: {count:7} {words}")


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _weight(piece: PieceOrError) -> int:
    return 0 if isinstance(piece, HistoryError) else len(piece.raw)


def _progress() -> Progress:
    """A bar on stderr when that is a terminal."""
    if not sys.stderr.isatty():
        return lambda done, total: None

    def bar(done: int, total: int) -> None:
        share = min(1.0, done / total) if total else 1.0  # an archive holds more than its size
        filled = int(40 * share)
        end = "\n" if done >= total else ""
        print(f"\r[{'#' * filled}{'.' * (40 - filled)}] {share:4.0%}", end=end, file=sys.stderr, flush=True)

    return bar
