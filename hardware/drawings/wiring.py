"""The wiring text (`hardware/wiring/*.yml`, WireViz's format): its nets, and its pictures.

WireViz draws connectors and the wires between them; parts with legs are connectors here, too.
"""

from __future__ import annotations

import io
import itertools
import re
import shutil
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import yaml

from hardware.drawings import FOLDER, PICTURES
from hardware.drawings.nets import Joined, Net, join_grounds

TEXTS = FOLDER / "wiring"
# A device -> the texts that describe it.
DEVICES: Mapping[str, tuple[str, ...]] = {
    "keypad": ("keypad",),
    "shoe": ("shoe", "shoe-sensors"),
    "header": ("header",),
    "table": ("table",),
}
_LARGEST_PX = 1300
_COLOURS = 16


def connectors(device: str) -> dict[str, dict[str, int | str]]:
    """Connector -> label of each pin -> its number."""
    found: dict[str, dict[str, int | str]] = {}
    for text in _texts(device):
        for name, connector in text["connectors"].items():
            labels = connector["pinlabels"]
            pins = connector.get("pins", range(1, len(labels) + 1))
            found.setdefault(name, {}).update(zip(labels, pins, strict=True))
    return found


def types(device: str) -> dict[str, str]:
    """Connector -> what it is."""
    return {name: connector["type"] for text in _texts(device) for name, connector in text["connectors"].items()}


@cache
def nets(device: str) -> set[Net]:
    """What the text joins."""
    joined = Joined()
    for text in _texts(device):
        for connection in text["connections"]:
            ends = [
                [f"{name}.{label}" for label in _labels(wanted, text["connectors"][name]["pinlabels"])]
                for part in connection
                for name, wanted in part.items()
                if name in text["connectors"]
            ]
            for before, after in itertools.pairwise(ends):
                for first, second in zip(before, after, strict=True):
                    joined.join(first, second)
    join_grounds(joined, pins(device))
    return joined.nets()


def pins(device: str) -> list[str]:
    return [f"{name}.{label}" for name, labels in connectors(device).items() for label in labels]


def write() -> None:
    """The pictures, small: WireViz with Graphviz's `dot`. Raise `SystemExit` where that is missing."""
    if shutil.which("dot") is None:
        raise SystemExit("wiring: Graphviz is not installed: apt-get install graphviz")
    from PIL import Image
    from wireviz import wireviz

    for text in sorted(TEXTS.glob("*.yml")):
        drawn = Image.open(io.BytesIO(wireviz.parse(text, return_types="png"))).convert("RGB")
        drawn.thumbnail((_LARGEST_PX, _LARGEST_PX), Image.Resampling.LANCZOS)
        PICTURES.mkdir(exist_ok=True)
        drawn.quantize(_COLOURS).save(PICTURES / f"wiring-{text.stem}.png", optimize=True)


@cache
def _texts(device: str) -> list[dict[str, Any]]:
    return [yaml.safe_load((TEXTS / f"{name}.yml").read_text("utf-8")) for name in DEVICES[device]]


def _labels(wanted: list[Any], all_of_them: list[str]) -> Iterator[str]:
    """Pins named by their labels, their places, or as `1-7`."""
    for one in wanted:
        if one in all_of_them:
            yield one
        elif isinstance(one, str) and (span := re.fullmatch(r"(\d+)-(\d+)", one)):
            yield from (all_of_them[place - 1] for place in range(int(span[1]), int(span[2]) + 1))
        else:
            yield all_of_them[int(one) - 1]
