"""Disks of machines that have nothing yet: a Debian with an init, Python and what apt needs for the broker."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from tests.room.venue.machines import overlay, sh

SUITE = "bookworm"
HAS = "systemd,systemd-sysv,dbus,iproute2,python3"
FOR_THE_BROKER = ("mosquitto", "nftables", "openssl")
QEMU = {"arm64": "qemu-aarch64"}  # its entry of binfmt_misc


def bare_disk(cache: Path, machine: str = "amd64") -> Path:
    """The disk of a machine, made by debootstrap the first time; another architecture's needs its emulator."""
    if machine in QEMU and not Path("/proc/sys/fs/binfmt_misc", QEMU[machine]).exists():
        raise SystemExit(
            f"{machine}: the kernel starts none of its programs; apt-get install qemu-user-static, then "
            "systemctl restart systemd-binfmt (or mount binfmt_misc and register the interpreter, flags OPF)"
        )
    disk = cache / f"{SUITE}-{machine}"
    if not (disk / "made").exists():
        shutil.rmtree(disk, ignore_errors=True)
        sh("debootstrap", f"--arch={machine}", "--variant=minbase", f"--include={HAS}", SUITE, str(disk))
        (disk / "made").touch()
    return disk


def with_packages(disk: Path, folder: Path) -> Path:
    """The same disk, for which apt has fetched what the broker's machine needs: its machine has no network."""
    layer, work, root = (folder / f"apt.{part}" for part in ("layer", "work", "root"))
    for part in (layer, work, root):
        part.mkdir()
    overlay(root, str(disk), layer, work)
    shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
    for command in (("update",), ("install", "-y", "--no-install-recommends", "--download-only", *FOR_THE_BROKER)):
        subprocess.run(["chroot", str(root), "apt-get", "-qq", *command], check=True, stdout=subprocess.DEVNULL)
    return root
