"""Machines of one room on this machine: each has a disk, a network address and services of its own.

A disk is an overlay over this machine's: what is written stays in memory and ends with the command, which runs in
mount and process namespaces of its own (`inside`). systemd does not run here: `systemctl` writes down what it was
asked, and `obey` does it as the unit says: user, umask, limits, folders.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[3]
CLONE = "/usr/src/feltwire"
PROGRAM = "/opt/feltwire/dev"
NETWORK = "10.77.0"
UNITS = ("/etc/systemd/system", "/lib/systemd/system")
INSIDE = "FELTWIRE_VENUE_FOLDER"
_NONE: Mapping[str, str] = {}
SHIMS = {
    "systemctl": 'echo "$@" >> /run/asked',
    "apt-get": "true  # its packages are here",
    "scp": 'cp "$1" "/net/${2%%:*}${2#*:}"',
}


def inside(module: str, arguments: Sequence[str], folder: str) -> int:
    """Run `module` again in namespaces of its own: whatever it mounts in `folder` and starts ends with it."""
    unshare = ["unshare", "--mount", "--propagation", "private", "--pid", "--fork", "--kill-child", "--mount-proc"]
    command = [*unshare, sys.executable, "-m", module, *arguments]
    return subprocess.run(command, env={**os.environ, INSIDE: folder}, check=False).returncode


def sh(*command: str) -> None:
    subprocess.run(command, check=True)


class Room:
    """The machines, on one switch. Names are in everybody's /etc/hosts, as `NAME.hall.lan`; `also` are further
    names of machines. `install` are the commands that install the program; without, it is the one that runs
    this."""

    def __init__(
        self, folder: Path, names: Sequence[str], install: Sequence[str] = (), also: Mapping[str, str] = _NONE
    ) -> None:
        self.folder = folder
        sh("mount", "-t", "tmpfs", "tmpfs", str(folder))
        sh("mkdir", "-p", "/run/netns")
        sh("mount", "-t", "tmpfs", "tmpfs", "/run/netns")
        self.addresses = {name: f"{NETWORK}.{number}" for number, name in enumerate(names, 10)}
        self._also = also
        self._image()
        self._program(install)
        sh("ip", "netns", "add", "switch")
        sh("ip", "-n", "switch", "link", "add", "br0", "type", "bridge")
        sh("ip", "-n", "switch", "link", "set", "br0", "up")
        self.machines = {name: Machine(self, name, number) for number, name in enumerate(names)}
        for machine in self.machines.values():
            there = self["keys"].root / "net" / machine.name
            there.mkdir(parents=True, exist_ok=True)
            sh("mount", "--bind", str(machine.root), str(there))

    def __getitem__(self, name: str) -> Machine:
        return self.machines[self._also.get(name, name)]

    def _image(self) -> None:
        """What every machine begins with: this one's disk, a clone of the repository, names."""
        self.image = self.folder / "image"
        clone = self.image / CLONE.lstrip("/")
        clone.mkdir(parents=True)
        files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
        subprocess.run(["xargs", "-0", "cp", "--parents", "-t", str(clone)], input=files, cwd=ROOT, check=True)
        (self.image / "etc").mkdir()
        all_names = self.addresses | {name: self.addresses[of] for name, of in self._also.items()}
        names = "".join(f"{address} {name}.hall.lan {name}\n" for name, address in all_names.items())
        (self.image / "etc" / "hosts").write_text(f"127.0.0.1 localhost\n{names}")

    def _program(self, install: Sequence[str]) -> None:
        """In a folder of /opt/feltwire."""
        (self.image / "opt" / "feltwire").mkdir(parents=True)
        if not install:
            (self.image / PROGRAM.lstrip("/")).symlink_to(Path(sys.executable).parents[1])
            return
        work, root = self.folder / "image.work", self.folder / "image.root"
        work.mkdir()
        root.mkdir()
        overlay(root, "/", self.image, work)
        for line in install:
            sh("chroot", str(root), "sh", "-ec", f"cd {CLONE}\n{line}")
        for folder in ("dev", "proc"):
            sh("umount", "--recursive", str(root / folder))
        sh("umount", "--lazy", str(root))


def overlay(root: Path, below: str, upper: Path, work: Path) -> None:
    """A disk at `root`: what is written goes to `upper`, over `below`."""
    options = f"lowerdir={below},upperdir={upper},workdir={work}"
    sh("mount", "-t", "overlay", "overlay", "-o", options, str(root))
    for folder in ("proc", "dev"):
        sh("mount", "--rbind", f"/{folder}", str(root / folder))


class Machine:
    """`run` is root's shell on it, in the clone."""

    def __init__(self, room: Room, name: str, number: int) -> None:
        self.room, self.name, self.address = room, name, room.addresses[name]
        self._services: dict[str, subprocess.Popen[bytes]] = {}
        self._watched: dict[str, str] = {}
        self._boot(number)
        self._connect(f"port{number}")

    def _boot(self, number: int) -> None:
        own = self.room.folder / f"{self.name}.disk"
        self.root = own / "root"
        for part in ("upper", "work", "root"):
            (own / part).mkdir(parents=True)
        overlay(self.root, f"{self.room.image}:/", own / "upper", own / "work")
        sh("mount", "--rbind", "/sys", str(self.root / "sys"))
        for folder in ("dev/shm", "run", "tmp"):
            sh("mount", "-t", "tmpfs", "tmpfs", str(self.root / folder))
        (self.root / "tmp").chmod(0o1777)
        (self.root / "run" / "lock").mkdir()
        for folder in Path(sys.executable).resolve().parents:  # the program's Python may lie in a private home
            if folder.is_relative_to("/root"):
                (self.root / folder.relative_to("/")).chmod(0o755)
        for name, script in SHIMS.items():
            there = self.root / "usr" / "bin" / name
            if there.exists():
                there.rename(there.with_name(f"{name}.real"))
            there.write_text(f"#!/bin/sh\n{script}\n")
            there.chmod(0o755)

    def _connect(self, port: str) -> None:
        sh("ip", "netns", "add", self.name)
        sh("ip", "-n", "switch", "link", "add", port, "type", "veth", "peer", "name", "eth0", "netns", self.name)
        sh("ip", "-n", "switch", "link", "set", port, "master", "br0", "up")
        sh("ip", "-n", self.name, "address", "add", f"{self.address}/24", "dev", "eth0")
        for device in ("lo", "eth0"):
            sh("ip", "-n", self.name, "link", "set", device, "up")

    def enter(self, *command: str) -> list[str]:
        """The command that runs `command` on this machine."""
        return ["nsenter", f"--net=/run/netns/{self.name}", "chroot", str(self.root), *command]

    def run(self, script: str, *, status: int = 0) -> str:
        """What it printed; an error when it ends otherwise than with `status`."""
        path = f"{PROGRAM}/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        done = subprocess.run(
            self.enter("env", "-i", f"PATH={path}", "HOME=/root", "sh", "-ec", f"cd {CLONE}\n{script}"),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if done.returncode != status:
            raise AssertionError(f"{self.name}: exit status {done.returncode}:\n{script}\n{done.stdout}")
        self.obey()
        return done.stdout

    # ------------------------------------------------------------------------------------ services

    def obey(self) -> None:
        """What `systemctl` was asked since the last time, and what path units see."""
        asked = self.root / "run" / "asked"
        lines = asked.read_text().splitlines() if asked.exists() else []
        asked.unlink(missing_ok=True)
        for line in lines:
            verb, *units = [word for word in shlex.split(line) if not word.startswith("--")]
            for unit in units if verb in ("restart", "start") else ():
                self._begin(unit if "." in unit else f"{unit}.service")
        for path, unit in self._watched.items():
            if (self.root / path.lstrip("/")).exists():
                self._begin(unit)

    def _begin(self, name: str) -> None:
        unit = self.unit(name)
        if name.endswith(".timer"):
            return
        if name.endswith(".path"):
            self._watched[unit["PathChanged"][0]] = unit["Unit"][0]
            return
        self.stop(name)
        user = unit["User"][0] if unit["User"] else "root"
        for kind, above in (("StateDirectory", "/var/lib"), ("RuntimeDirectory", "/run")):
            for folder in unit[kind]:
                mode = unit[f"{kind}Mode"][0]
                sh(*self.enter("install", "-d", "-o", user, "-g", user, "-m", mode, f"{above}/{folder}"))
        for before in unit["ExecStartPre"]:
            may_fail = before.startswith("-")
            subprocess.run(self.enter(*shlex.split(before.lstrip("-+"))), check=not may_fail)
        limits = "".join(
            f"ulimit -{letter} {unit[limit][-1]}; "
            for letter, limit in (("c", "LimitCORE"), ("n", "LimitNOFILE"))
            if unit[limit]
        )
        command = ["sh", "-c", f"umask {(unit['UMask'] or ['0022'])[0]}; {limits}exec {unit['ExecStart'][0]}"]
        if user != "root":
            private = ["--no-new-privs", "--bounding-set=-all", "--inh-caps=-all"]
            command = ["setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups", *private, *command]
        with self.log(name).open("ab") as log:
            command = self.enter("env", "-i", "PATH=/usr/local/bin:/usr/sbin:/usr/bin:/bin", *command)
            process = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)
        if unit["Type"] == ["oneshot"]:
            process.wait()
            self.obey()
        else:
            self._services[name] = process

    def stop(self, name: str) -> None:
        process = self._services.pop(name, None)
        if process is not None:
            process.terminate()
            process.wait()

    def alive(self) -> bool:
        return all(process.poll() is None for process in self._services.values())

    def log(self, name: str) -> Path:
        return self.root / "var" / "log" / f"{name}.log"

    def unit(self, name: str) -> dict[str, list[str]]:
        """Its settings by name, drop-ins last."""
        template, _, instance = name.partition("@")
        instance, _, kind = instance.rpartition(".")
        names = (name, f"{template}@.{kind}") if instance else (name,)
        found = [self.root / folder.lstrip("/") / one for folder in UNITS for one in names]
        main = next(path for path in found if path.exists())
        said: dict[str, list[str]] = defaultdict(list)
        for file in [main, *sorted(self.root.glob(f"etc/systemd/system/{name}.d/*.conf"))]:
            for line in file.read_text().splitlines():
                key, separator, value = line.replace("%i", instance).partition("=")
                if separator and not line.startswith(("#", " ")):
                    said[key] = [*said[key], value] if value else []  # an empty value takes back what was said
        return said
