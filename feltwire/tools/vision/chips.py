"""`feltwire vision chips` and `enrol`: counts chips in plain pictures, and learns a room's chip set from one."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from feltwire.errors import UsageError
from feltwire.tools.vision import deck
from feltwire.tools.vision.outputs import check_file, check_folder
from vision.chips.chipset import DIAMETER_MM, THICKNESS_MM, ChipSet, ChipSetError, worth
from vision.chips.count import ChipCount, ColourCount, count_chips
from vision.chips.draw import draw_tags
from vision.chips.enrol import EnrolError, Enrolled, Given, check_given, chips_given, enrol, joined
from vision.evaluation.chips import ChipScore, score_chips
from vision.evaluation.photos import LabelledPhoto
from vision.evaluation.sums import ALL
from vision.pictures import PictureError, open_picture, pictures_in, save_picture, whole_pictures

COMMANDS = ("chips", "enrol")


def add_commands(commands: Any) -> None:
    """Add `chips` and `enrol` to the parser of `feltwire vision`."""
    chips = commands.add_parser(
        "chips",
        help="count the chips in pictures",
        description=(
            "Counts chips lying flat, side by side or over each other, seen from above. A count is exact or a"
            " range; a range wider than one chip is unread. Without --set colours are named by words and have"
            " no value."
        ),
        epilog="example: feltwire vision chips table.jpg --set room-chips.toml --annotate seen/",
    )
    chips.add_argument("images", nargs="+", type=Path, metavar="IMAGE", help="JPEG, PNG, BMP or WebP, or a folder")
    chips.add_argument(
        "--set", type=Path, metavar="FILE", dest="chips", help="chip set from `feltwire vision enrol`"
    )
    chips.add_argument("--annotate", type=Path, metavar="DIR", help="write a picture of what was seen for each")
    chips.add_argument("--json", action="store_true", help="one JSON object a picture on stdout")
    teach = commands.add_parser(
        "enrol",
        help="teach the room's chips, or its deck",
        description=(
            "Lay one chip of each value flat on the felt, apart from each other, and take a picture from above"
            " with the table's camera. Several pictures of the same chips teach several lights."
            " With --deck: spread the deck face up, cards apart from each other, in as many pictures as it takes."
        ),
        epilog="example: feltwire vision enrol chips.jpg --chips 25,100,500,1000,bounty --out room-chips.toml;"
        " feltwire vision enrol spread/ --deck --out room-deck.npz",
    )
    teach.add_argument("images", nargs="+", type=Path, metavar="IMAGE", help="pictures, or folders of them")
    what = teach.add_mutually_exclusive_group(required=True)
    what.add_argument("--deck", action="store_true", help="teach the 52 cards of the room's deck")
    what.add_argument(
        "--chips",
        metavar="LIST",
        help="values from left to right (25,100,bounty), or by colour (green=25,black=100,pink=bounty)",
    )
    teach.add_argument("--out", type=Path, required=True, metavar="FILE", help="where the chip set or deck goes")
    teach.add_argument("--diameter", type=float, default=DIAMETER_MM, metavar="MM", help="of a chip (%(default)s)")
    teach.add_argument(
        "--thickness", type=float, default=THICKNESS_MM, metavar="MM", help="of a chip (%(default)s)"
    )
    teach.add_argument("--annotate", type=Path, metavar="DIR", help="write a picture of what was found for each")


def run(args: argparse.Namespace) -> int:
    """Count or enrol chips. Raise `UsageError` for a bad picture or chip set."""
    try:
        return {"chips": _chips, "enrol": _enrol}[args.what](args)
    except (PictureError, ChipSetError) as error:
        raise UsageError(str(error)) from error


def _chips(args: argparse.Namespace) -> int:
    """Count in every picture that can be read; exit status 2 when one could not be."""
    chips = known_set(args.chips)
    check_folder(args.annotate)
    bad = 0
    for given in args.images:
        try:
            for path in pictures_in(given):
                try:
                    _count_one(path, chips, args)
                except PictureError as error:
                    bad += _complain(error)
        except PictureError as error:
            bad += _complain(error)
    return 2 if bad else 0


def _complain(error: PictureError) -> int:
    print(f"feltwire vision chips: {error}", file=sys.stderr)
    return 1


def _count_one(path: Path, chips: ChipSet | None, args: argparse.Namespace) -> None:
    image = open_picture(path)
    begun = time.perf_counter()
    counted = count_chips(image, chips)
    ms = round((time.perf_counter() - begun) * 1_000, 1)
    if args.json:
        chips_json = [as_json(count) for count in counted.counts]
        report = {"image": str(path), "chips": chips_json, "why": counted.why, "ms": ms}
        print(json.dumps(report, ensure_ascii=False), flush=True)
    else:
        print(f"{path}: {as_text(counted)}; {ms:.0f} ms", flush=True)
    if args.annotate:
        save_picture(args.annotate / f"{path.stem}.jpg", draw_tags(image, counted.tags, counted.why))


def as_json(count: ColourCount) -> dict[str, Any]:
    """`count` is null unless it is exact; `high` is null where a stack's height is unknown."""
    return {
        "colour": count.colour,
        "value": count.value,
        "count": count.count,
        "exact": count.exact,
        "low": count.low,
        "high": count.high,
        "at": [[round(x, 1), round(y, 1)] for x, y in count.at],
    }


def as_text(counted: ChipCount) -> str:
    """`3 red (5), 1 to 2 blue (10) [withheld: blue 10: too little of it shows]`."""
    said = ", ".join(map(_count_text, counted.counts)) or "no chip"
    return f"{said} [withheld: {counted.why}]" if counted.why else said


def _count_text(count: ColourCount) -> str:
    name = count.colour + ("" if count.value is None else f" ({worth(count.value)})")
    if count.high is None:
        return f"{name}: height unknown, {count.low} or more"
    if count.exact:
        return f"{count.low} {name}"
    return f"{count.low} to {count.high} {name}" + (": unread" if count.unread else "")


def known_set(path: Path | None) -> ChipSet | None:
    """The chip set in a file; raise `UsageError` for a bad one."""
    try:
        return ChipSet.load(path) if path else None
    except ChipSetError as error:
        raise UsageError(str(error)) from error


def score(photos: Sequence[LabelledPhoto], chips: ChipSet | None, args: argparse.Namespace) -> int:
    """Score the counts on labelled photos and tell them on stdout; how many cells were wrong."""

    def on_each(scored: ChipScore) -> None:
        off = {colour: scored.said[colour] for colour, said in scored.verdicts.items() if said != "exact"}
        if args.json:
            said = {"chips": scored.verdicts, "why": scored.why, "ms": scored.ms}
            print(json.dumps({"image": scored.file, "tags": scored.tags, **said}), flush=True)
        elif off:
            told = ", ".join(f"{scored.verdicts[c]} {c} {said}" for c, said in off.items())
            print(f"{scored.file}: {told}" + (f" [withheld: {scored.why}]" if scored.why else ""))

    sums = score_chips(args.folder, photos, chips, on_each, args.worse, args.seed)
    if args.json:
        print(json.dumps({"chip_cells": sums.rows()}))
    elif sums.rows():
        print("\n".join(sums.table("chips by colour")))
    return sums[ALL]["wrong"]


def _enrol(args: argparse.Namespace) -> int:
    given = () if args.deck else chips_given(args.chips)
    if given:
        check_given(given, args.diameter, args.thickness)
    check_file(args.out)
    check_folder(args.annotate)
    files = whole_pictures(args.images)
    if args.deck:
        return deck.enrol(files, args)
    learnt = [_learn(path, given, args) for path in files]
    chips = joined([each.chips for each in learnt])
    chips.save(args.out)
    names = ", ".join(f"{k.colour} {worth(k.value)}" for k in chips.kinds)
    print(f"{args.out}: {len(chips.kinds)} chips: {names}")
    return 0


def _learn(path: Path, given: tuple[Given, ...], args: argparse.Namespace) -> Enrolled:
    image = open_picture(path)
    try:
        learnt = enrol(image, given, diameter_mm=args.diameter, thickness_mm=args.thickness)
    except EnrolError as error:
        if args.annotate:
            save_picture(args.annotate / f"{path.stem}.jpg", draw_tags(image, error.tags))
        raise EnrolError(f"{path}: {error}") from error
    if args.annotate:
        save_picture(args.annotate / f"{path.stem}.jpg", draw_tags(image, learnt.tags))
    return learnt
