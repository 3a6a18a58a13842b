"""The option `--shard I/N` of every long proof."""

from __future__ import annotations

import argparse


def shard(text: str) -> tuple[int, int]:
    """`I/N` as two numbers, `1 <= I <= N`; the `type` of an argparse argument."""
    part, _, parts = text.partition("/")
    if not (part.isdecimal() and parts.isdecimal() and 1 <= int(part) <= int(parts)):
        raise argparse.ArgumentTypeError(f"{text!r}: write I/N, as in 2/4 for the second of four parts")
    return int(part), int(parts)
