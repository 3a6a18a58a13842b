"""`feltwire vision`: what the eye over the felt makes of plain pictures, and how well it reads labelled ones."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

import msgspec

from feltwire.errors import UsageError
from feltwire.tools.vision import calibrate, chips, install, scenes
from feltwire.tools.vision.outputs import check_file, check_folder, check_picture_file
from vision.annotate import annotate, boxes_of
from vision.cards.deck import DeckPrints, DeckPrintsError
from vision.cards.network import ModelError
from vision.cards.photo import PhotoReader
from vision.cards.seen import Corners, Seen
from vision.evaluation.photos import LabelsError, PhotoScore, Sheet, load_labels, score_photos
from vision.evaluation.sums import ALL
from vision.pictures import Image, PictureError, open_picture, pictures_in, save_picture, whole_pictures

HELP = "Reads the cards in plain pictures, scores the reader on labelled photos, trains it."
MOST_SEED = 2**31 - 1  # of OpenCV
EXAMPLE = "feltwire vision cards table.jpg --annotate seen/"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    commands = parser.add_subparsers(dest="what", required=True, metavar="COMMAND")
    calibrate.add_commands(commands)
    install.add_commands(commands)
    chips.add_commands(commands)
    cards = commands.add_parser(
        "cards",
        help="read the cards in pictures",
        description="Reads pictures without markers or calibration. A card is named only when it is certain.",
        epilog=f"example: {EXAMPLE}",
    )
    cards.add_argument("images", nargs="+", type=Path, metavar="IMAGE", help="JPEG, PNG, BMP or WebP, or a folder")
    cards.add_argument("--annotate", type=Path, metavar="DIR", help="write a picture of what was seen for each")
    cards.add_argument("--deck", type=Path, metavar="FILE", help="the room's deck from `feltwire vision enrol`")
    cards.add_argument("--json", action="store_true", help="one JSON object a picture on stdout")
    score = commands.add_parser(
        "score",
        help="score the reader on a folder of photos with labels.json",
        description="Exits 1 when a single name was wrong.",
        epilog="example: feltwire vision score photos/ --sheet failures.png",
    )
    score.add_argument("folder", type=Path, nargs="?", metavar="DIR", help="photos and their labels.json")
    scenes.add_arguments(score)
    score.add_argument(
        "--worse", type=int, default=0, metavar="N", help="read N worse copies of each photo: coarse, dark, soft…"
    )
    score.add_argument("--sheet", type=Path, metavar="FILE", help="write a contact sheet of every failure")
    score.add_argument("--set", type=Path, metavar="FILE", dest="chips", help="chip set for the chips in them")
    score.add_argument("--deck", type=Path, metavar="FILE", help="the enrolled deck that is in the photos")
    score.add_argument("--json", action="store_true", help="one JSON object a photo, then the sums by tag")
    train = commands.add_parser(
        "train",
        help="draw cards and train the reader's networks on them",
        description="Under an hour on one core. The same seed, fonts and libraries give the same networks.",
        epilog="example: feltwire vision train --seed 1 --out trained/",
    )
    train.add_argument("--seed", type=int, default=1)
    train.add_argument("--out", type=Path, required=True, metavar="DIR", help="where the trained files go")
    train.add_argument(
        "--only", choices=("signs", "corner", "whole", "joker"), help="train one of the classifiers"
    )


def run(args: argparse.Namespace) -> int:
    """Run one of the vision commands. Raise `UsageError` for a bad picture, label, model or deck file."""
    if args.what in ("markers", "lens", "calibrate"):
        return calibrate.run(args)
    if args.what in install.COMMANDS:
        return install.run(args)
    if args.what in chips.COMMANDS:
        return chips.run(args)
    try:
        return {"cards": _cards, "score": _score, "train": _train}[args.what](args)
    except (PictureError, LabelsError, ModelError, DeckPrintsError) as error:
        raise UsageError(str(error)) from error


def _cards(args: argparse.Namespace) -> int:
    """Read every picture that can be read; exit status 2 when one could not be."""
    reader = PhotoReader(deck=DeckPrints.load(args.deck) if args.deck else None)
    check_folder(args.annotate)
    bad = 0
    for given in args.images:
        try:
            paths = pictures_in(given)
        except PictureError as error:
            bad += _complain(error)
            continue
        for path in paths:
            try:
                _read_one(reader, path, args)
            except PictureError as error:
                bad += _complain(error)
    return 2 if bad else 0


def _complain(error: PictureError) -> int:
    print(f"feltwire vision cards: {error}", file=sys.stderr)
    return 1


def _read_one(reader: PhotoReader, path: Path, args: argparse.Namespace) -> None:
    image = open_picture(path)
    begun = time.perf_counter()
    seen = reader.read(image)
    ms = round((time.perf_counter() - begun) * 1_000, 1)
    if args.json:
        print(json.dumps(_as_json(path, seen, ms), ensure_ascii=False), flush=True)
    else:
        print(_as_text(path, seen, ms), flush=True)
    if args.annotate:
        save_picture(args.annotate / f"{path.stem}.jpg", annotate(image, boxes_of(seen)))


def _as_json(path: Path, seen: Seen, ms: float) -> dict[str, Any]:
    return {
        "image": str(path),
        "cards": [
            {"card": c.card, "corners": _rounded(c.corners), "confidence": round(c.confidence, 4)}
            for c in seen.cards
        ],
        "unread": [{"corners": _rounded(corners), "why": why} for corners, why in _unread(seen)],
        "face_down": sum(back.cards for back in seen.face_down),
        "ms": ms,
    }


def _as_text(path: Path, seen: Seen, ms: float) -> str:
    cards = " ".join(f"{c.card} ({c.confidence:.3f})" for c in seen.cards) or "no card read"
    lines = [f"{path}: {cards}; {sum(b.cards for b in seen.face_down)} face down; {ms:.0f} ms"]
    for corners, why in _unread(seen):
        x, y = (round(sum(v) / 4) for v in zip(*corners, strict=True))
        lines.append(f"  unread at {x}, {y}: {why}")
    return "\n".join(lines)


def _unread(seen: Seen) -> list[tuple[Corners, str]]:
    """Faces that no card is named for, and why: jokers among them."""
    unread = [(thing.corners, thing.why) for thing in seen.unread]
    return [*unread, *((joker.corners, "a joker") for joker in seen.jokers)]


def _rounded(corners: Corners) -> list[list[float]]:
    return [[round(x, 1), round(y, 1)] for x, y in corners]


def _score(args: argparse.Namespace) -> int:
    if [args.folder, args.rendered, args.rendered_chips].count(None) != 2:
        raise UsageError("score needs a folder of photos, --rendered N or --rendered-chips N")
    if args.worse < 0 or (args.worse and args.folder is None):
        raise UsageError("--worse: so many copies of each photo of a folder, one or more")
    if args.folder is None:
        if args.chips or args.deck or args.sheet:
            raise UsageError("--set, --deck and --sheet are for a folder of photos, not for rendered scenes")
        return scenes.run(args)
    if args.resume or args.limit is not None or args.shard != scenes.WHOLE:
        raise UsageError("--shard, --limit and --resume are for rendered scenes; a folder is read whole")
    chip_set = chips.known_set(args.chips)
    deck = DeckPrints.load(args.deck) if args.deck else None
    check_picture_file(args.sheet)
    photos = load_labels(args.folder)
    whole_pictures(args.folder / photo.file for photo in photos)
    sheet = Sheet()

    def on_each(score: PhotoScore, image: Image, seen: Seen) -> None:
        sheet.add(score, image, seen)
        if args.json:
            print(json.dumps(_photo_json(score)), flush=True)
        elif score.failed:
            print(f"{score.file}: unread {' '.join(score.unread) or '-'}, wrong {' '.join(score.wrong) or '-'}")

    sums = score_photos(args.folder, photos, on_each, deck, args.worse, args.seed)
    if args.json:
        print(json.dumps({"tags": sums.rows()}))
    else:
        print("\n".join(sums.table()))
    if args.sheet:
        save_picture(args.sheet, sheet.picture())
    wrong_cells = chips.score(photos, chip_set, args)
    if args.worse:
        return 1 if sums[ALL]["wrong"] else 0  # under another light a chip is another colour
    return 1 if wrong_cells or sums[ALL]["wrong"] else 0


def _train(args: argparse.Namespace) -> int:
    try:
        from vision.train.__main__ import RECIPE, main  # it draws letters with pillow, which no table needs
    except ImportError as error:
        raise UsageError(f"training needs what tests need ({error.name}): pip install -e .[dev]") from error
    if not 0 <= args.seed <= MOST_SEED:
        raise UsageError(f"--seed: 0 to {MOST_SEED}")
    check_folder(args.out)
    check_file(args.out / RECIPE)
    _check_recipe(args.out / RECIPE)
    only = ["--only", args.only] if args.only else []
    try:
        return main(["--seed", str(args.seed), "--out", str(args.out), *only])
    except FileNotFoundError as error:
        raise UsageError(str(error)) from error


def _check_recipe(path: Path) -> None:
    """Raise `UsageError` for a damaged recipe of earlier networks: those of this training are added to it."""
    try:
        if path.exists():
            msgspec.json.decode(path.read_bytes(), type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: is damaged ({error}); move it away, or name another folder") from error


def _photo_json(score: PhotoScore) -> dict[str, Any]:
    return {
        "image": score.file,
        "tags": score.tags,
        "read": score.read,
        "unread": score.unread,
        "wrong": score.wrong,
        "ms": score.ms,
    }
