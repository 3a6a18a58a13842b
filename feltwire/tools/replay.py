"""`feltwire replay`: play recorded hands again and compare the stacks at their end with the recorded ones."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec

from feltwire.errors import UsageError
from feltwire.rulebooks import rulebook_named
from feltwire.tools.replay_outcome import HandOutcome, ReplaySummary, pots_of, refused_hand
from table_core.hand.hand import Hand
from table_core.histories.ohh import read_ohh
from table_core.histories.phh import read_phh
from table_core.histories.recorded import HistoryError, RecordedHand, to_steps
from table_core.messages import AnyEvent, Refusal, Seat
from table_core.rulebook import Rulebook, RulebookError

HELP = (
    "Play recorded hands (PHH, Open Hand History) again and compare the finishing stacks with the recorded ones."
)
EXAMPLE = "feltwire replay hands.phhs --json"

_READERS = {".phh": read_phh, ".phhs": read_phh, ".ohh": read_ohh, ".json": read_ohh}
_SUFFIXES = tuple(_READERS)

Progress = Callable[[int, int], None]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", metavar="PATH", help="hand files, or folders of them")
    parser.add_argument("--rulebook", default="base", metavar="ID", help="rulebook to play by (base)")
    parser.add_argument(
        "--through",
        choices=("engine", "wires"),
        default="engine",
        help="engine: the hand engine alone; wires: simulated devices, table process, broker and station",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a line on stdout")


def run(args: argparse.Namespace) -> int:
    """Replay hand histories and print; exit status 1 unless all are equal.

    Raise `UsageError` for a bad rulebook.
    """
    try:
        rulebook = rulebook_named(args.rulebook)
    except RulebookError as error:
        raise UsageError(str(error)) from error
    summary = ReplaySummary()
    for outcome in _outcomes(find_histories(args.paths), rulebook, args.through, _progress()):
        summary.count(outcome)
        _print_outcome(outcome, as_json=args.json)
    _print_summary(summary, as_json=args.json)
    return 0 if summary.hands and summary.equal == summary.hands else 1


def find_histories(paths: Sequence[str]) -> tuple[Path, ...]:
    """Hand files among `paths` and in the folders among them, in natural order. Raise `UsageError` for a path
    that holds none."""
    found: list[Path] = []
    for given in paths:
        path = Path(given)
        if path.is_dir():
            files = [file for file in path.rglob("*") if file.suffix in _SUFFIXES]
            if not files:
                raise UsageError(f"{given} holds no hand files; expected {' or '.join(_SUFFIXES)}")
            found += sorted(files, key=_natural)
        elif not path.exists():
            raise UsageError(f"{given} does not exist; give a hand file or a folder of them")
        elif path.suffix not in _SUFFIXES:
            raise UsageError(f"{given} is not a hand file; expected {' or '.join(_SUFFIXES)}")
        else:
            found.append(path)
    return tuple(found)


def read_hands(path: Path) -> list[RecordedHand]:
    """Every hand of a hand file; raise `HistoryError`, which names file and line, for one that cannot be read."""
    return list(_READERS[path.suffix](path))


def replay_through_engine(
    recorded: Sequence[RecordedHand], names: Sequence[str], rulebook: Rulebook, progress: Progress
) -> Iterator[HandOutcome]:
    """Each hand through the hand engine alone; `names` are the hands' names in the outcome."""
    for number, (hand, name) in enumerate(zip(recorded, names, strict=True), 1):
        yield _replay(hand, name, rulebook)
        progress(number, len(recorded))


def _outcomes(
    files: Sequence[Path], rulebook: Rulebook, through: str, progress: Progress
) -> Iterator[HandOutcome]:
    recorded: list[RecordedHand] = []
    for file in files:
        try:
            recorded += read_hands(file)
        except HistoryError as error:
            yield refused_hand(str(file), str(error))
    names = [hand.file for hand in recorded]
    if through == "engine":
        yield from replay_through_engine(recorded, names, rulebook, progress)
        return
    from feltwire.lab.simroom.through_wires import replay_through_wires  # brings processes and devices with it

    yield from replay_through_wires(recorded, names, rulebook=rulebook.id, progress=progress)


def _replay(recorded: RecordedHand, name: str, rulebook: Rulebook) -> HandOutcome:
    hand = Hand(rulebook)
    events: list[AnyEvent] = []
    expected = recorded.finishing_stacks
    if expected is None:
        return refused_hand(name, "the file records no finishing_stacks to compare with")
    for command, action in to_steps(recorded):
        answer = hand.push(command)
        if isinstance(answer, Refusal):
            where = HistoryError(name, action.line, f"action {action.number} {action.text!r}") if action else name
            return refused_hand(name, f"{where}: {answer.reason} ({answer.rule})", expected)
        events += answer
    if not hand.ended:
        waiting = "a board card" if hand.awaiting_board else f"seat {hand.to_act}"
        return refused_hand(name, f"{name}: the hand is not finished; expected {waiting} next", expected)
    stacks = hand.stacks
    finishing = tuple(stacks[Seat(number)] for number in range(1, len(expected) + 1))
    return HandOutcome(name, finishing, expected, finishing == expected, pots_of(events))


def _natural(path: Path) -> tuple[str, int, str]:
    """Folders in order, then `2.phh` before `10.phh`."""
    return (str(path.parent), int(path.stem) if path.stem.isdecimal() else 0, path.name)


# ---------------------------------------------------------------------------------------------- output


def _print_outcome(outcome: HandOutcome, *, as_json: bool) -> None:
    if as_json:
        print(msgspec.json.encode(outcome).decode())
    elif outcome.refused is not None:
        print(f"refused    {outcome.refused}")
    elif not outcome.equal:
        print(
            f"different  {outcome.hand}: {list(outcome.finishing_stacks)}, recorded {list(outcome.expected or ())}"
        )


def _print_summary(summary: ReplaySummary, *, as_json: bool) -> None:
    if as_json:
        print(msgspec.json.encode(summary).decode())
        return
    print(f"{summary.equal} of {summary.hands} hands equal to their recorded finishing stacks", end="")
    print(f"; {summary.different} different, {summary.refused} refused")


def _progress() -> Progress:
    """A bar on stderr when that is a terminal."""
    if not sys.stderr.isatty():
        return lambda done, total: None

    def bar(done: int, total: int) -> None:
        filled = 40 * done // total
        end = "\n" if done == total else ""
        print(f"\r[{'#' * filled}{'.' * (40 - filled)}] {done}/{total}", end=end, file=sys.stderr, flush=True)

    return bar
