"""The serial lines, cameras and card readers that are plugged into this machine, as its kernel lists them (sysfs).

Nothing is opened here. A device keeps its id from one evening to the next: its serial number, or where it is
plugged in where it has none.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

# Keypads and shoes are made of a Raspberry Pi Pico with MicroPython (hardware/firmware/README.md).
OURS = {("2e8a", "0005")}
# Card readers that type (docs/drivers.md). Any other keyboard may be the one that somebody writes with.
READERS = {("ffff", "0035"), ("08ff", "0009")}
_USB_DEVICE = "idVendor"


@dataclass(frozen=True)
class UsbPort:
    """`port` is the device's path that lasts: `/dev/serial/by-id/…`, by-path where it has no serial number of its
    own, or the plain one where this system makes neither."""

    id: str
    port: str
    words: str
    usb: tuple[str, str]  # vendor and product

    @property
    def ours(self) -> bool:
        return self.usb in OURS


def serial_lines(root: Path) -> Iterator[UsbPort]:
    """USB serial lines. `root` is `/`, or a folder with a `sys` and a `dev` like its own."""
    for kind in ("ttyACM*", "ttyUSB*"):
        for tty in sorted((root / "sys/class/tty").glob(kind)):
            if (found := _found(root, tty, root / "dev" / tty.name, "serial")) is not None:
                yield found


def cameras(root: Path) -> Iterator[UsbPort]:
    """USB cameras that are not built into this machine: the first stream of each."""
    for video in sorted((root / "sys/class/video4linux").glob("video*")):
        usb = _usb_device(video / "device")
        if usb is None or _text(video / "index") not in ("", "0") or _text(usb / "removable") == "fixed":
            continue
        if (found := _found(root, video, root / "dev" / video.name, "v4l")) is not None:
            yield found


def readers(root: Path) -> Iterator[UsbPort]:
    """Card readers that type as a keyboard, of kinds that are known as such."""
    for event in sorted((root / "sys/class/input").glob("event*")):
        found = _found(root, event, root / "dev/input" / event.name, "input")
        if found is not None and found.usb in READERS:
            yield found


def _found(root: Path, entry: Path, node: Path, links: str) -> UsbPort | None:
    usb = _usb_device(entry / "device")
    if usb is None:
        return None
    number = _text(usb / "serial")
    by_id, by_path = (_link_to(node, root / folder) for folder in (f"dev/{links}/by-id", f"dev/{links}/by-path"))
    port = (by_id if number else None) or by_path or node
    ids = _text(usb / _USB_DEVICE), _text(usb / "idProduct")
    words = " ".join(filter(None, (_text(usb / "manufacturer"), _text(usb / "product")))) or f"USB {':'.join(ids)}"
    where = number or (by_path or usb).name
    return UsbPort(f"{links}:{':'.join(ids)}:{where}"[:200], str(port), words[:200], ids)


def _usb_device(device: Path) -> Path | None:
    """The USB device that an entry of sysfs is a part of; None for what is not on USB."""
    at = device.resolve()
    for folder in (at, *at.parents[:6]):
        if (folder / _USB_DEVICE).exists():
            return folder
    return None


def _link_to(node: Path, folder: Path) -> Path | None:
    real = os.path.realpath(node)
    try:
        return next((link for link in sorted(folder.iterdir()) if os.path.realpath(link) == real), None)
    except OSError:  # no such device has been plugged in
        return None


def _text(file: Path) -> str:
    """One line of sysfs, without what a terminal or a page acts on; empty where there is none."""
    try:
        said = file.read_bytes()[:200].decode("utf-8", "replace").strip()
    except OSError:
        return ""
    return "".join(letter if letter.isprintable() else "?" for letter in said)
