"""What `feltwire install` does to a machine, a step after the other. With another `root` than `/` it is the disk
of a machine that does not run, such as an image: everything is written, nothing is started."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from feltwire.errors import UsageError
from feltwire.install.bundle import Bundle
from feltwire.install.places import BACKUPS, BROKER_ETC, DATA, ETC, PROGRAM, UNITS
from feltwire.private_files import replace

_DEPLOY = resources.files("feltwire") / "deploy"
_ALONE = 0o700
_JOURNAL = "# The program's records are elsewhere.\n[Journal]\nSystemMaxUse=200M\n"


@dataclass(frozen=True)
class Step:
    """`words` say what is done, `do` does it."""

    words: str
    do: Callable[[], None]


class Machine:
    """`bundle` is of one of its roles."""

    def __init__(self, bundle: Bundle, root: Path = Path("/")) -> None:
        self._bundle = bundle
        self._root = root
        self.name, self.role = bundle.label.name, bundle.label.role
        self.runs = root == Path("/")

    @property
    def user(self) -> str:
        """The relay opens hidden cards, so it keeps a user of its own, also where roles share a machine."""
        return {"relay": "feltwire-relay", "broker": "mosquitto"}.get(self.role, "feltwire")

    @property
    def unit(self) -> str:
        if self.role == "broker":
            return "mosquitto.service"
        return f"feltwire-{self.role}@{self.name}.service"

    @property
    def config(self) -> Path:
        return ETC / self.name / f"{self.role}.toml"

    def steps(self) -> Iterator[Step]:
        """In their order; each may be done again. Raise `UsageError` for a machine that lacks something."""
        self._check()
        if self.role == "broker":
            yield Step(f"keys and access list in {BROKER_ETC}", lambda: self._files(BROKER_ETC))
            yield Step("mosquitto with this configuration alone, its revocation list watched", self._broker_units)
            return
        yield Step(f"user {self.user}", self._make_user)
        yield Step(self._words_of_program(), self._link_program)
        yield Step(f"keys and settings in {ETC / self.name}", lambda: self._files(ETC / self.name))
        yield Step(f"records in {DATA / self.name}", lambda: self._folder(DATA / self.name, self.user))
        yield Step(f"backups each minute in {BACKUPS / self.name}", self._backups)
        if self.role == "table":
            yield Step("modem programs kept off keypad and shoe", lambda: self._copy("udev", "/etc/udev/rules.d"))
        yield Step("a journal of 200 MB at most", self._journal)
        yield Step(self._words_of_time(), self._time)
        yield Step(f"service {self.unit}", lambda: self._copy_unit(f"feltwire-{self.role}@.service"))

    def start(self) -> None:
        """Now, and whenever the machine starts."""
        if self.role == "broker":
            self._systemctl("enable", "feltwire-list.path", "feltwire-list.service")
            self._systemctl("restart", self.unit, "feltwire-list.path", "feltwire-list.service")
        else:
            units = self.unit, f"feltwire-backup@{self.name}.timer"
            self._systemctl("enable", *units)
            self._systemctl("restart", *units)

    def doctor(self) -> int:
        """Its exit status; as the process's user, before the process starts."""
        doctor = [str(PROGRAM / "bin" / "feltwire"), "doctor", "--config", str(self.config)]
        as_user = ["setpriv", f"--reuid={self.user}", f"--regid={self.user}", "--init-groups"]
        return subprocess.run([*as_user, *doctor], check=False).returncode

    # ------------------------------------------------------------------------------------- steps

    def _check(self) -> None:
        if os.geteuid() != 0:
            raise UsageError("must be root: it makes users and services; sudo feltwire install …")
        program = Path(sys.prefix)
        if self.runs and self.role != "broker" and any(program.is_relative_to(one) for one in ("/root", "/home")):
            raise UsageError(f"{program}: services see no home folder; install the program into /opt/feltwire/…")
        if self.role == "broker" and not self._at(Path("/usr/sbin/mosquitto")).exists():
            raise UsageError("the broker is mosquitto: apt-get install -y mosquitto nftables openssl")

    def _make_user(self) -> None:
        self._write(Path("/usr/lib/sysusers.d/feltwire.conf"), _deploy("systemd", "feltwire.conf"))
        self._run("systemd-sysusers", *([] if self.runs else [f"--root={self._root}"]))

    def _words_of_program(self) -> str:
        if self._at(Path(sys.prefix)).exists():
            return f"program at {PROGRAM}"
        return f"program: install it on that disk, and link {PROGRAM} to it"

    def _link_program(self) -> None:
        """The link is what services start."""
        link, program = self._at(PROGRAM), Path(sys.prefix)
        if program == PROGRAM or not self._at(program).exists():
            return
        link.parent.mkdir(parents=True, exist_ok=True)
        fresh = link.with_name("current.new")
        fresh.unlink(missing_ok=True)
        fresh.symlink_to(program)
        fresh.replace(link)

    def _files(self, folder: Path) -> None:
        self._folder(folder, self.user)
        for name, content in self._bundle.files.items():
            self._write(folder / name, content, owner=self.user, mode=0o600)

    def _broker_units(self) -> None:
        self._write(UNITS / "mosquitto.service.d" / "feltwire.conf", _deploy("mosquitto", "feltwire.conf"))
        self._write(Path("/usr/local/lib/feltwire/take-list"), _deploy("mosquitto", "take-list"), mode=0o755)
        for name in ("feltwire-list.path", "feltwire-list.service"):
            self._write(UNITS / name, _deploy("mosquitto", name))
        self._reload()

    def _backups(self) -> None:
        self._folder(BACKUPS / self.name, self.user)
        for name in ("feltwire-backup@.service", "feltwire-backup@.timer"):
            self._write(UNITS / name, _deploy("systemd", name))
        own = f"[Service]\nUser={self.user}\n"
        self._write(UNITS / f"feltwire-backup@{self.name}.service.d" / "user.conf", own.encode())

    def _journal(self) -> None:
        self._write(Path("/etc/systemd/journald.conf.d/feltwire.conf"), _JOURNAL.encode())

    def _words_of_time(self) -> str:
        if not self._at(Path("/etc/chrony")).is_dir():
            return "time: chrony is not installed, so the clock is whatever sets it; apt-get install -y chrony"
        return "time for the room" if self.role == "station" else "time from the station"

    def _time(self) -> None:
        """The station's clock is the room's, with or without the internet."""
        if not self._at(Path("/etc/chrony")).is_dir():
            return
        said = "allow\nlocal stratum 10\n"
        if self.role != "station":
            there = self._at(Path("/etc/chrony/conf.d/feltwire.conf"))
            if there.exists() and there.read_text() == said:  # the station is on this machine
                return
            said = f"server {self._station()} iburst prefer\n"
        self._write(Path("/etc/chrony/conf.d/feltwire.conf"), said.encode())
        self._systemctl("try-restart", "chrony.service")

    def _station(self) -> str:
        return f"station.{self._bundle.label.domain}"

    def _copy(self, folder: str, there: str) -> None:
        for file in (_DEPLOY / folder).iterdir():
            self._write(Path(there) / file.name, file.read_bytes())

    def _copy_unit(self, name: str) -> None:
        self._write(UNITS / name, _deploy("systemd", name))
        self._reload()

    # ------------------------------------------------------------------------------------- the disk

    def _at(self, path: Path) -> Path:
        return self._root / path.relative_to("/")

    def _folder(self, path: Path, owner: str) -> None:
        there = self._at(path)
        there.parent.mkdir(parents=True, exist_ok=True)
        there.mkdir(exist_ok=True, mode=_ALONE)
        self._own(there, owner)

    def _write(self, path: Path, content: bytes, *, owner: str = "", mode: int = 0o644) -> None:
        there = self._at(path)
        there.parent.mkdir(parents=True, exist_ok=True)
        replace(there, content, mode=mode)
        if owner:
            self._own(there, owner)

    def _own(self, path: Path, owner: str) -> None:
        if self.runs:
            shutil.chown(path, owner, owner)
            return
        numbers = (line.split(":") for line in self._at(Path("/etc/passwd")).read_text().splitlines())
        user, group = next((int(one[2]), int(one[3])) for one in numbers if one[0] == owner)
        os.chown(path, user, group)

    # ------------------------------------------------------------------------------------- its init

    def _reload(self) -> None:
        if self.runs:
            self._systemctl("daemon-reload")

    def _systemctl(self, verb: str, *words: str) -> None:
        if self.runs:
            self._run("systemctl", verb, *words)
        elif verb == "enable":
            self._run("systemctl", f"--root={self._root}", verb, *words)

    def _run(self, *command: str) -> None:
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        except FileNotFoundError:
            raise UsageError(
                f"{command[0]}: not found; a venue's machine has systemd (Debian 12 or newer)"
            ) from None
        if done.returncode:
            said = (done.stderr or done.stdout).strip().splitlines()
            raise UsageError(f"{' '.join(command)}: {said[-1] if said else f'ended with {done.returncode}'}")


def _deploy(folder: str, name: str) -> bytes:
    return (_DEPLOY / folder / name).read_bytes()
