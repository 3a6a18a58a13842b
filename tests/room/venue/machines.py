"""Machines of one room on this machine: each boots its own systemd, has a disk and a network address of its own.

A disk is an overlay over another one, this machine's unless said otherwise: what is written stays in memory and
ends with the command, which runs in mount and process namespaces of its own (`inside`). A machine is a container
of systemd-nspawn; its cable ends at a switch, and can be pulled. `cut` takes its power.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.waiting import PATIENCE_S, until

ROOT = Path(__file__).parents[3]
CLONE = "/usr/src/feltwire"
PROGRAM = "/opt/feltwire/dev"
LIBRARIES = f"{PROGRAM}/libraries"
NETWORK = "10.77.0"
DEBIAN = "/usr/bin/python3"  # services see no Python in somebody's home
INSIDE = "FELTWIRE_VENUE_FOLDER"
OURS = ("station", "table", "clock", "relay")
_NONE: Mapping[str, str] = {}
_NO_DISKS: Mapping[str, Path] = {}
SHIMS = {
    "apt-get": "true  # its packages are here",
    "scp": 'cp "$1" "/net/${2%%:*}${2#*:}"',
}
NEEDS = ("systemd-nspawn", "systemctl", "ip", "nsenter", "unshare")


def inside(module: str, arguments: Sequence[str], folder: str) -> int:
    """Run `module` again in namespaces of its own: whatever it mounts in `folder` and starts ends with it."""
    unshare = ["unshare", "--mount", "--propagation", "private", "--pid", "--fork", "--kill-child", "--mount-proc"]
    command = [*unshare, sys.executable, "-m", module, *arguments]
    return subprocess.run(command, env={**os.environ, INSIDE: folder}, check=False).returncode


def sh(*command: str) -> None:
    subprocess.run(command, check=True)


class Room:
    """The machines, on one switch. Names are in everybody's /etc/hosts, as `NAME.hall.lan`; `also` are further
    names of machines; `disks` are those that do not begin with this machine's disk, of a Debian without anything.
    `install` are the commands that install the program; without, it is the one that runs this, started by Debian's
    Python. `bare`: none of this is on them, neither program nor names."""

    def __init__(
        self,
        folder: Path,
        names: Sequence[str],
        install: Sequence[str] = (),
        also: Mapping[str, str] = _NONE,
        disks: Mapping[str, Path] = _NO_DISKS,
        *,
        bare: bool = False,
    ) -> None:
        self.folder = folder
        self.home = "/root" if bare else CLONE  # where commands are typed
        sh("mount", "-t", "tmpfs", "tmpfs", str(folder))
        sh("mkdir", "-p", "/run/netns")
        sh("mount", "-t", "tmpfs", "tmpfs", "/run/netns")
        self.addresses = {name: f"{NETWORK}.{number}" for number, name in enumerate(names, 10)}
        self.libraries: Path | None = None
        self._also = also
        self.image = folder / "image"
        if bare:
            self.image.mkdir()
        else:
            self._image()
            self._program(install)
        sh("ip", "netns", "add", "switch")
        sh("ip", "-n", "switch", "link", "add", "br0", "type", "bridge")
        self.switch_on()
        self.machines = {
            name: Machine(self, name, number, disks.get(name, Path("/"))) for number, name in enumerate(names)
        }
        for machine in self.machines.values():
            machine.start()
        for machine in self.machines.values():
            machine.wait_up()

    def __getitem__(self, name: str) -> Machine:
        return self.machines[self._also.get(name, name)]

    def switch_on(self) -> None:
        sh("ip", "-n", "switch", "link", "set", "br0", "up")

    def switch_off(self) -> None:
        """No machine hears another one."""
        sh("ip", "-n", "switch", "link", "set", "br0", "down")

    def _image(self) -> None:
        """What every machine begins with, over its disk: a clone of the repository, names."""
        clone = self.image / CLONE.lstrip("/")
        clone.mkdir(parents=True)
        files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
        subprocess.run(["xargs", "-0", "cp", "--parents", "-t", str(clone)], input=files, cwd=ROOT, check=True)
        subprocess.run(["chmod", "-R", "a+rX", clone], check=True)  # whoever cloned it may have a narrow umask
        (self.image / "etc").mkdir()
        all_names = self.addresses | {name: self.addresses[of] for name, of in self._also.items()}
        names = "".join(f"{address} {name}.hall.lan {name}\n" for name, address in all_names.items())
        (self.image / "etc" / "hosts").write_text(f"127.0.0.1 localhost\n{names}")

    def _program(self, install: Sequence[str]) -> None:
        """In a folder of /opt/feltwire."""
        program = self.image / PROGRAM.lstrip("/")
        if install:
            program.parent.mkdir(parents=True)
            self._installed(install)
            return
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        same = subprocess.run([DEBIAN, "--version"], capture_output=True, text=True, check=True).stdout
        assert same.startswith(f"Python {version}."), (
            f"{DEBIAN} is {same.strip()}, this is {version}: use --install"
        )
        self.libraries = next(Path(one) for one in sys.path if one.endswith("site-packages"))
        packages = program / "lib" / f"python{version}" / "site-packages"
        for made in (program / "bin", packages, self.image / LIBRARIES.lstrip("/")):
            made.mkdir(parents=True)
        (program / "pyvenv.cfg").write_text("home = /usr/bin\ninclude-system-site-packages = false\n")
        (packages / "feltwire.pth").write_text(f"{CLONE}\n{LIBRARIES}\n")
        for name in ("python", "python3"):
            (program / "bin" / name).symlink_to(DEBIAN)
        command = program / "bin" / "feltwire"
        command.write_text(f"#!{PROGRAM}/bin/python\nfrom feltwire.cli import main\nraise SystemExit(main())\n")
        command.chmod(0o755)

    def _installed(self, commands: Sequence[str]) -> None:
        work, root = self.folder / "image.work", self.folder / "image.root"
        work.mkdir()
        root.mkdir()
        overlay(root, "/", self.image, work)
        for folder in ("proc", "dev"):
            sh("mount", "--rbind", f"/{folder}", str(root / folder))
        for line in commands:
            sh("chroot", str(root), "sh", "-ec", f"cd {CLONE}\n{line}")
        for folder in ("dev", "proc"):
            sh("umount", "--recursive", "--lazy", str(root / folder))
        sh("umount", "--lazy", str(root))


def overlay(root: Path, below: str, upper: Path, work: Path) -> None:
    """A disk at `root`: what is written goes to `upper`, over `below`."""
    options = f"lowerdir={below},upperdir={upper},workdir={work}"
    sh("mount", "-t", "overlay", "overlay", "-o", options, str(root))


class Machine:
    """`run` is root's shell on it, in the clone."""

    def __init__(self, room: Room, name: str, number: int, disk: Path) -> None:
        self.room, self.name, self.address, self.disk = room, name, room.addresses[name], disk
        self._power: subprocess.Popen[bytes] | None = None
        self._init = 0
        self._lay_out()
        self._connect(f"port{number}")

    def _lay_out(self) -> None:
        own = self.room.folder / f"{self.name}.disk"
        self.root = own / "root"
        for part in ("upper", "work", "root"):
            (own / part).mkdir(parents=True)
        overlay(self.root, f"{self.room.image}:{self.disk}", own / "upper", own / "work")
        etc = self.root / "etc"
        (etc / "machine-id").unlink(missing_ok=True)
        (etc / "machine-id").write_text(f"{uuid.uuid4().hex}\n")
        (etc / "hostname").unlink(missing_ok=True)
        (etc / "hostname").write_text(f"{self.name}\n")
        if self.disk != Path("/"):
            return
        # What else this machine would start is none of the room's.
        for wanted in (etc / "systemd/system/multi-user.target.wants").iterdir():
            if wanted.name != "mosquitto.service":
                wanted.unlink()
        for name, script in SHIMS.items():
            there = self.root / "usr/bin" / name
            there.unlink(missing_ok=True)
            there.write_text(f"#!/bin/sh\n{script}\n")
            there.chmod(0o755)

    def _connect(self, port: str) -> None:
        sh("ip", "netns", "add", self.name)
        sh("ip", "-n", "switch", "link", "add", port, "type", "veth", "peer", "name", "eth0", "netns", self.name)
        sh("ip", "-n", "switch", "link", "set", port, "master", "br0", "up")
        sh("ip", "-n", self.name, "address", "add", f"{self.address}/24", "dev", "eth0")
        for device in ("lo", "eth0"):
            sh("ip", "-n", self.name, "link", "set", device, "up")

    # --------------------------------------------------------------------------------------- power

    def start(self) -> None:
        """It boots; `wait_up` waits for it."""
        binds = [f"--bind-ro={self.room.libraries}:{LIBRARIES}"] if self.room.libraries is not None else []
        if self.name == "keys":  # the laptop that `scp` copies from
            binds += [
                f"--bind={other.root}:/net/{other.name}"
                for other in self.room.machines.values()
                if other is not self
            ]
        command = [
            *("systemd-nspawn", "--quiet", "--boot", "--register=no", "--keep-unit", "--console=pipe"),
            *("--resolv-conf=off", "--timezone=off", "--link-journal=no", "--capability=CAP_NET_ADMIN"),
            *(f"--directory={self.root}", f"--machine={self.name}"),
            *(f"--network-namespace-path=/run/netns/{self.name}", *binds),
        ]
        with self.console.open("ab") as console:
            self._power = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=console, stderr=console)

    @property
    def console(self) -> Path:
        return self.room.folder / f"{self.name}.console"

    def wait_up(self) -> None:
        """Until everything that starts with it has started."""
        until(self._is_up, f"{self.name} is up:\n{self.console.read_text(errors='replace')[-2_000:]}", PATIENCE_S)

    def _first_process(self) -> int:
        assert self._power is not None
        assert self._power.poll() is None, self.console.read_text(errors="replace")
        children = Path(f"/proc/{self._power.pid}/task/{self._power.pid}/children")
        return int((children.read_text().split() or ["0"])[0])

    def _is_up(self) -> bool:
        self._init = self._first_process()  # the container's begins a few forks later
        if not self._init:
            return False
        asked = self.enter("systemctl", "is-system-running")
        done = subprocess.run(asked, capture_output=True, text=True, check=False)
        return done.stdout.strip() in ("running", "degraded")

    @property
    def powered(self) -> bool:
        return self._power is not None

    def cut(self) -> None:
        """No power any more, in the middle of whatever it does."""
        assert self._power is not None
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._init, 9)
        self._power.wait()
        self._power = None

    # ------------------------------------------------------------------------------------ commands

    def enter(self, *command: str) -> list[str]:
        """The command that runs `command` on this machine."""
        return ["nsenter", f"--target={self._init}", "--all", *command]

    def run(self, script: str, *, status: int = 0) -> str:
        """What it printed; an error when it ends otherwise than with `status`."""
        path = (
            f"{PROGRAM}/bin:/opt/feltwire/current/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        )
        done = subprocess.run(
            self.enter("env", "-i", f"PATH={path}", "HOME=/root", "sh", "-ec", f"cd {self.room.home}\n{script}"),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if done.returncode != status:
            raise AssertionError(f"{self.name}: exit status {done.returncode}:\n{script}\n{done.stdout}")
        return done.stdout

    # ------------------------------------------------------------------------------------ services

    def stop(self, name: str) -> None:
        self.run(f"systemctl stop {name}")

    def services(self) -> list[str]:
        """Those of ours that start with the machine."""
        listed = self.run("systemctl list-units --all --plain --no-legend --type=service 'feltwire-*'")
        names = [line.split()[0] for line in listed.splitlines()]
        return [name for name in names if name.split("@")[0] in {f"feltwire-{kind}" for kind in OURS}]

    def alive(self) -> bool:
        """Whether each of our services runs, and nothing of ours has failed."""
        return not self.down()

    def down(self) -> str:
        """What of ours has failed or does not run, with what it said."""
        listed = self.run("systemctl list-units --failed --plain --no-legend 'feltwire-*' 'mosquitto*'")
        names = [line.split()[0] for line in listed.splitlines()]
        names += [name for name in self.services() if self.state(name) != "active"]
        return "\n".join(
            f"{name}: {self.state(name)}\n{self.says(name)[-2_000:]}" for name in dict.fromkeys(names)
        )

    def state(self, unit: str) -> str:
        return self.run(f"systemctl show --value --property=ActiveState {unit}").strip()

    def main_process(self, service: str) -> int:
        """Its id on this machine; 0 where it does not run."""
        return int(self.run(f"systemctl show --value --property=MainPID {service}"))

    def says(self, *units: str) -> str:
        """What these have said since the machine was made."""
        named = " ".join(f"--unit='{unit}'" for unit in units)
        return self.run(f"journalctl --quiet --output=cat --no-pager {named} || true")


def missing() -> list[str]:
    """What this machine lacks for such rooms."""
    path = "/usr/sbin:/usr/bin:/sbin:/bin"
    return [name for name in NEEDS if shutil.which(name, path=path) is None]
