"""Machines with a network of their own each, on one switch: Linux network namespaces.

The command that uses them first becomes root of a user namespace (`enter`). It needs no rights on the machine, and
all networks are gone with its last process. What is lost is chosen by nftables, since not every kernel has netem.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from typing import NoReturn

INSIDE = "FELTWIRE_NETWORKS"  # set in a process that `enter` has started
PACKAGES = {"unshare": "util-linux", "ip": "iproute2", "nft": "nftables"}
ADMIN_PATH = "/usr/sbin:/sbin"  # where Debian has ip and nft
SWITCH = "switch"
ALONE = ("unshare", "--user", "--map-root-user", "--net", "--mount")


def why_not() -> str:
    """Why this machine has no networks for us, and what to do; empty where it has."""
    os.environ["PATH"] += os.pathsep + ADMIN_PATH
    if missing := [package for program, package in PACKAGES.items() if shutil.which(program) is None]:
        return f"missing system packages: sudo apt-get install {' '.join(missing)}"
    tried = subprocess.run([*ALONE, "true"], capture_output=True, text=True, check=False)
    if tried.returncode:
        return (
            f"this machine gives no user a network of his own ({tried.stderr.strip()}): start it as root, or set "
            "kernel.unprivileged_userns_clone=1 and kernel.apparmor_restrict_unprivileged_userns=0 with sysctl"
        )
    return ""


def is_inside() -> bool:
    return INSIDE in os.environ


def inside(module: str, argv: Sequence[str]) -> list[str]:
    """The command that runs a module in networks of its own."""
    return [*ALONE, sys.executable, "-m", module, *argv]


def enter(module: str, argv: Sequence[str]) -> NoReturn:
    """Run this module again, in networks of its own."""
    os.environ[INSIDE] = "1"
    command = inside(module, argv)
    os.execvp(command[0], command)


class Network:
    """The switch, and the cables of the machines. A machine is a name; `run` starts a program on it."""

    def __init__(self) -> None:
        self._ports: dict[str, int] = {}
        _do("mount", "-t", "tmpfs", "none", "/run")  # `ip netns` keeps its names there
        _do("ip", "link", "set", "lo", "up")
        _do("ip", "link", "add", SWITCH, "type", "bridge")
        _do("ip", "address", "add", "10.77.0.1/24", "dev", SWITCH)
        _do("ip", "link", "set", SWITCH, "up")
        _do("nft", "add", "table", "netdev", "cable")

    def machine(self, name: str) -> str:
        """Put a machine on the switch; its address."""
        no = self._ports[name] = len(self._ports) + 2
        port = _port(no)
        _do("ip", "netns", "add", name)
        _do("ip", "link", "add", port, "type", "veth", "peer", "name", "eth0", "netns", name)
        _do("ip", "link", "set", port, "master", SWITCH, "up")
        for command in (f"address add {self.address(name)}/24 dev eth0", "link set eth0 up", "link set lo up"):
            _do("ip", "-n", name, *command.split())
        _do(*self.run(name, ["nft", "add", "table", "netdev", "cable"]))
        for where, device in ((["nft"], port), (self.run(name, ["nft"]), "eth0")):
            hook = f"{{ type filter hook ingress device {device} priority 0 ; }}"
            _do(*where, f"add chain netdev cable {device} {hook}")
        return self.address(name)

    def address(self, name: str) -> str:
        return f"10.77.0.{self._ports[name]}"

    def run(self, name: str, argv: Sequence[str]) -> list[str]:
        """The command that runs `argv` on a machine."""
        return ["ip", "netns", "exec", name, *argv]

    def cut(self, name: str) -> None:
        """The cable is out at the switch."""
        _do("ip", "link", "set", _port(self._ports[name]), "down")

    def mend(self, name: str) -> None:
        _do("ip", "link", "set", _port(self._ports[name]), "up")

    def lose(self, name: str, percent: int) -> None:
        """So many of a hundred packets are lost, to the machine and from it; 0: none."""
        port = _port(self._ports[name])
        for where, device in ((["nft"], port), (self.run(name, ["nft"]), "eth0")):
            _do(*where, f"flush chain netdev cable {device}")
            if percent:
                _do(*where, f"add rule netdev cable {device} numgen random mod 100 < {percent} drop")


def _port(no: int) -> str:
    return f"port{no}"


def _do(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()}")
