"""A folder that looks like a machine's `/sys` and `/dev` to whoever looks for USB devices there; what is plugged
in are pseudo-terminals with simulated devices behind them."""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import threading
import tty
from pathlib import Path
from types import TracebackType
from typing import Self

PICO = ("2e8a", "0005")


class UsbBus:
    """`folder` is a root. Each device is a folder of its own below `sys/devices`, as the kernel has it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for below in ("sys/class/tty", "sys/class/video4linux", "sys/class/input", "sys/devices", "dev/input"):
            (folder / below).mkdir(parents=True)

    def plug(
        self, name: str, *, usb: tuple[str, str] = PICO, number: str = "", product: str = "Board", at: str = "1-1"
    ) -> Path:
        """A serial line at this socket (`at`); where its device node is to be."""
        return self._plug("tty", name, usb, number, product, at, self.folder / "dev" / name, "serial")

    def plug_camera(self, name: str, *, product: str, removable: str = "removable", at: str = "1-4") -> Path:
        node = self.folder / "dev" / name
        node.touch()
        made = self._plug("video4linux", name, ("046d", "0825"), "", product, at, node, "v4l")
        (self._device(at) / "removable").write_text(f"{removable}\n")
        return made

    def unplug(self, name: str, at: str = "1-1") -> None:
        """The node goes with the simulated device."""
        for kind in ("tty", "video4linux"):
            (self.folder / "sys/class" / kind / name).unlink(missing_ok=True)
        shutil.rmtree(self._device(at))
        for links in (self.folder / "dev").glob("*/by-*"):
            for link in links.iterdir():
                if link.readlink().name == name:
                    link.unlink()

    def _plug(
        self,
        kind: str,
        name: str,
        usb: tuple[str, str],
        number: str,
        product: str,
        at: str,
        node: Path,
        links: str,
    ) -> Path:
        device = self._device(at)
        entry = device / f"{at}:1.0" / kind / name
        entry.mkdir(parents=True)
        said = {"idVendor": usb[0], "idProduct": usb[1], "product": product, "manufacturer": "Maker"}
        for file, text in (said | ({"serial": number} if number else {})).items():
            (device / file).write_text(f"{text}\n")
        (entry / "device").symlink_to(f"../../../{at}:1.0")
        (self.folder / "sys/class" / kind / name).symlink_to(entry)
        for folder, link in (
            ("by-path", f"pci-0000:00-usb-0:{at}"),
            ("by-id", f"usb-Maker_{number or product}-if00"),
        ):
            (self.folder / "dev" / links / folder).mkdir(parents=True, exist_ok=True)
            there = self.folder / "dev" / links / folder / link
            there.unlink(missing_ok=True)
            there.symlink_to(f"../../{name}")
        return node

    def _device(self, at: str) -> Path:
        return self.folder / "sys/devices/usb1" / at


class UsbSerial:
    """The socket of a simulated device: a terminal at `node` that nobody has open before a host opens it. The
    simulated device holds its own terminal open, as no device on USB does."""

    def __init__(self, device: Path, node: Path) -> None:
        self._node = node
        self._host, theirs = os.openpty()
        tty.setraw(theirs)
        node.symlink_to(os.ttyname(theirs))
        os.close(theirs)
        self._device = os.open(device, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopping.set()
        self._thread.join()
        self._node.unlink()
        os.close(self._host)
        os.close(self._device)

    def _run(self) -> None:
        while not self._stopping.is_set():
            ready, _, _ = select.select([self._host, self._device], [], [], 0.1)
            try:
                if self._host in ready:
                    os.write(self._device, os.read(self._host, 4_096))
            except OSError:  # no host has it open
                self._stopping.wait(0.02)
            if self._device in ready:
                with contextlib.suppress(OSError):
                    os.write(self._host, os.read(self._device, 4_096))
