"""What `feltwire install` does to a machine for one of its roles, a step after the other. With another `root` than
`/` it is the disk of a machine that does not run, such as an image: everything is written, nothing is started."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from feltwire.config import ClockConfig, StationConfig, TableConfig, load, of_document
from feltwire.errors import UsageError
from feltwire.install import hosts_file, kiosk, release_keys
from feltwire.install.bundle import HOSTS, OBS, RELEASE_PUB, ROLES, Bundle, Role
from feltwire.install.places import BACKUPS, BROKER_ETC, DATA, ETC, OBS_ETC, PROGRAM, RELEASE_KEYS, UNITS, UPGRADES
from feltwire.install.programs import point
from feltwire.private_files import replace

_DEPLOY = resources.files("feltwire") / "deploy"
_ALONE = 0o700
_JOURNAL = "# The program's records are elsewhere.\n[Journal]\nSystemMaxUse=200M\n"
_BROKER_PACKAGES = ("mosquitto", "nftables", "openssl")
_APT = ("apt-get", "-qq", "-o", "Acquire::Retries=0", "-o", "Acquire::http::Timeout=20", "-o", "Dpkg::Use-Pty=0")
_OBS_USER, _OBS_UNIT = "feltwire-obs", "feltwire-obs.service"
UPGRADE_UNITS = ("feltwire-upgrade@.path", "feltwire-upgrade@.service", "feltwire-resume.service")


@dataclass(frozen=True)
class Step:
    """`words` say what is done, `do` does it."""

    words: str
    do: Callable[[], None]


class Machine:
    """`bundle` is of the role; None: it has been installed, and only what the program brings is put there anew.
    `screen`: its page is shown on this machine's own monitor."""

    def __init__(
        self, name: str, role: Role, bundle: Bundle | None = None, root: Path = Path("/"), *, screen: bool = False
    ) -> None:
        self.name, self.role, self.screen = name, role, screen
        self._bundle = bundle
        self._root = root
        self.runs = root == Path("/")

    @property
    def user(self) -> str:
        """The relay opens hidden cards, and the delay box holds video of them: each keeps a user of its own, also
        where roles share a machine."""
        own = {"relay": "feltwire-relay", "delay": "feltwire-delay", "broker": "mosquitto"}
        return own.get(self.role, "feltwire")

    @property
    def unit(self) -> str:
        if self.role == "broker":
            return "mosquitto.service"
        return f"feltwire-{self.role}@{self.name}.service"

    @property
    def config(self) -> Path:
        return ETC / self.name / f"{self.role}.toml"

    @property
    def data(self) -> Path:
        return DATA / self.name

    @property
    def kept(self) -> bool:
        """Whether it has records that are backed up; a clock has none, and what a delay box holds nobody is to
        copy."""
        return self.role not in ("broker", "clock", "delay")

    @property
    def _obs(self) -> bool:
        """Whether the service that switches scenes of OBS runs beside it."""
        if self._bundle is not None:
            return OBS in self._bundle.files
        return self.role == "relay" and self._at(OBS_ETC / OBS).exists()

    def steps(self) -> Iterator[Step]:
        """In their order; each may be done again. Raise `UsageError` for a machine that lacks something."""
        self._check()
        bundle = self._bundle
        if bundle is not None:
            if self.runs:
                yield Step(*self._packages())
            if HOSTS in bundle.files:
                yield Step("names of the venue's machines in /etc/hosts", lambda: self._hosts(bundle))
            yield Step(*self._trust(bundle))
        if self.role == "broker":
            if bundle is not None:
                yield Step(f"keys and access list in {BROKER_ETC}", lambda: self._files(BROKER_ETC, bundle))
            yield Step("mosquitto with this configuration alone, its revocation list watched", self._broker_units)
            return
        yield Step(f"user {self.user}", self._make_user)
        if bundle is not None:
            yield Step(self._words_of_program(), self._link_program)
            yield Step(f"keys and settings in {ETC / self.name}", lambda: self._files(ETC / self.name, bundle))
            yield Step(self._words_of_time(), lambda: self._time(bundle))
        yield Step(f"records in {self.data}", self._records)
        if self.kept:
            yield Step(f"backups each minute in {BACKUPS / self.name}", self._backups)
        if self.role == "table":
            yield Step("modem programs kept off keypad and shoe", lambda: self._copy("udev", "/etc/udev/rules.d"))
        yield Step("a journal of 200 MB at most", self._journal)
        yield Step(f"service {self.unit}", self._services)
        if self._obs:
            yield Step(f"service {_OBS_UNIT}: scenes of OBS follow the game", self._scenes)
        elif self.role == "relay" and self._at(OBS_ETC / OBS).exists():
            yield Step("scenes of OBS follow no more", self._at(OBS_ETC / OBS).unlink)
        if self.screen:
            yield Step(f"its page on this machine's screen: feltwire-kiosk@{self.name}", self._kiosk)

    def start(self) -> None:
        """Now, and whenever the machine starts."""
        if self.role == "broker":
            self._systemctl("enable", "feltwire-list.path", "feltwire-list.service")
            self._systemctl("restart", self.unit, "feltwire-list.path", "feltwire-list.service")
        else:
            units = [self.unit, *([f"feltwire-backup@{self.name}.timer"] if self.kept else [])]
            self._systemctl("enable", *units, "feltwire-resume.service")
            self._systemctl("enable", *(["--now"] if self.runs else []), f"feltwire-upgrade@{self.name}.path")
            self._systemctl("restart", *units)
        if self._obs:
            self._systemctl("enable", _OBS_UNIT)
            self._systemctl("restart", "--no-block", _OBS_UNIT)
        if self.screen:
            self._systemctl("enable", f"feltwire-kiosk@{self.name}.service")
            self._systemctl("restart", "--no-block", f"feltwire-kiosk@{self.name}.service")

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
        if self.role == "broker" and not self.runs and not self._at(Path("/usr/sbin/mosquitto")).exists():
            raise UsageError(
                f"the broker is mosquitto: apt-get install -y {' '.join(_BROKER_PACKAGES)}, on that disk"
            )

    def _packages(self) -> tuple[str, Callable[[], None]]:
        """What the role needs of Debian; a machine that lacks it and has no network is told."""
        if self.role == "broker":
            needed = " ".join(_BROKER_PACKAGES)
            return f"from Debian: {needed}", self._install_broker
        if self.role == "delay" and shutil.which("ffmpeg") is None:
            return "from Debian: ffmpeg", self._install_ffmpeg
        if Path("/etc/chrony").is_dir():
            return "from Debian: chrony", lambda: None
        return "from Debian: chrony, where apt reaches it", self._install_chrony

    def _install_broker(self) -> None:
        there = all(map(shutil.which, ("nft", "openssl"))) and Path("/usr/sbin/mosquitto").exists()
        if not there and not self._apt(*_BROKER_PACKAGES):
            line = f"apt-get install -y {' '.join(_BROKER_PACKAGES)}"
            raise UsageError(f"the broker is mosquitto, and apt does not get it here; with a network: {line}")

    def _install_ffmpeg(self) -> None:
        self._install_chrony()
        if not self._apt("ffmpeg"):
            raise UsageError("the delay box needs ffmpeg, and apt does not get it here; apt-get install -y ffmpeg")

    def _install_chrony(self) -> None:
        self._apt("chrony")  # without it the next step says what the clock is

    def _apt(self, *packages: str) -> bool:
        """Whether they are installed now; nothing is asked."""
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        install = (*_APT, "install", "-y", "--no-install-recommends", *packages)
        for command in (install, (*_APT, "update"), install):
            try:
                done = subprocess.run(command, env=quiet, capture_output=True, check=False)
            except FileNotFoundError:
                return False
            if command is install and done.returncode == 0:
                return True
        return False

    def _hosts(self, bundle: Bundle) -> None:
        path = self._at(Path("/etc/hosts"))
        before = path.read_text() if path.exists() else ""
        # In its place, not over it: where it is mounted, as in a container, it cannot be replaced.
        path.write_text(hosts_file.with_names(before, bundle.files[HOSTS].decode()))

    def _trust(self, bundle: Bundle) -> tuple[str, Callable[[], None]]:
        """The keys of the bundle, else those that are there, else the key that signed this program. Raise
        `UsageError` for a program that another key signed than the venue's."""
        own = release_keys.own_key()
        if RELEASE_PUB in bundle.files:
            keys = release_keys.checked(bundle.files[RELEASE_PUB].decode("ascii", "replace").split(), RELEASE_PUB)
            if self.runs and own and own not in keys:
                raise UsageError(
                    f"this program is signed with {release_keys.short(own)}, and the venue trusts "
                    f"{', '.join(map(release_keys.short, keys))}; take the release that made the venue's bundles"
                )
        else:
            keys = release_keys.trusted_keys(self._at(RELEASE_KEYS)) or ((own,) if own else ())
        if not keys:
            return "trusts no release key: this program is of no signed release", lambda: None
        words = f"upgrades signed with {', '.join(map(release_keys.short, keys))}"
        return words, lambda: self._write(RELEASE_KEYS, "\n".join([*keys, ""]).encode())

    def _make_user(self) -> None:
        self._write(Path("/usr/lib/sysusers.d/feltwire.conf"), _deploy("systemd", "feltwire.conf"))
        self._run("systemd-sysusers", *([] if self.runs else [f"--root={self._root}"]))

    def _words_of_program(self) -> str:
        if self._at(Path(sys.prefix)).exists():
            return f"program at {PROGRAM}"
        return f"program: install it on that disk, and link {PROGRAM} to it"

    def _link_program(self) -> None:
        """The link is what services start."""
        program = Path(sys.prefix)
        if program != PROGRAM and self._at(program).exists():
            point(self._at(PROGRAM), program)

    def _files(self, folder: Path, bundle: Bundle) -> None:
        self._folder(folder, self.user)
        for name, content in bundle.files.items():
            if name not in (HOSTS, RELEASE_PUB, OBS):
                self._write(folder / name, content, owner=self.user, mode=0o600)

    def _records(self) -> None:
        """With the place where a release may lie that the station sent."""
        self._folder(self.data, self.user)
        self._folder(self.data / "upgrade", self.user)
        self._at(UPGRADES).mkdir(parents=True, exist_ok=True)

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

    def _time(self, bundle: Bundle) -> None:
        """The station's clock is the room's, with or without the internet."""
        if not self._at(Path("/etc/chrony")).is_dir():
            return
        said = "allow\nlocal stratum 10\n"
        if self.role != "station":
            there = self._at(Path("/etc/chrony/conf.d/feltwire.conf"))
            if there.exists() and there.read_text() == said:  # the station is on this machine
                return
            said = f"server station.{bundle.label.domain} iburst prefer\n"
        self._write(Path("/etc/chrony/conf.d/feltwire.conf"), said.encode())
        self._systemctl("try-restart", "chrony.service")

    def _copy(self, folder: str, there: str) -> None:
        for file in (_DEPLOY / folder).iterdir():
            self._write(Path(there) / file.name, file.read_bytes())

    def _services(self) -> None:
        for name in (f"feltwire-{self.role}@.service", *UPGRADE_UNITS):
            self._write(UNITS / name, _deploy("systemd", name))
        if self.role == "station":
            self._public_page()
        self._reload()

    def _public_page(self) -> None:
        """The station's service may write the folder of the public page, where its settings name one."""
        there = self._at(self.config)
        folder = load(there, StationConfig).public.folder if there.exists() else ""
        drop_in = UNITS / f"{self.unit}.d" / "public-page.conf"
        if folder:
            self._folder(Path(folder), self.user)
            self._at(Path(folder)).chmod(0o755)  # a web server reads it as another user
            self._write(drop_in, f'[Service]\nReadWritePaths="-{folder}"\n'.encode())
        else:
            self._at(drop_in).unlink(missing_ok=True)

    def _scenes(self) -> None:
        """With its own copy of what is no secret: it reads nothing of the relay's folder."""
        if self._bundle is not None:
            self._folder(OBS_ETC, _OBS_USER)
            for name in (OBS, "ca.crt"):
                self._write(OBS_ETC / name, self._bundle.files[name], owner=_OBS_USER, mode=0o600)
        self._write(UNITS / _OBS_UNIT, _deploy("systemd", _OBS_UNIT))
        self._reload()

    def _kiosk(self) -> None:
        """What shows the page; of a bundle, too, which page it is."""
        self._write(kiosk.PAGE, _deploy("kiosk", "kiosk-page"), mode=0o755)
        self._write(UNITS / kiosk.UNIT, _deploy("systemd", kiosk.UNIT))
        self._write(UNITS / f"feltwire-kiosk@{self.name}.service.d" / "shows.conf", kiosk.drop_in(self.unit))
        if self._bundle is not None:
            self._kiosk_page(self._bundle)
        self._reload()

    def _kiosk_page(self, bundle: Bundle) -> None:
        there = all(Path(f"/usr/bin/{one}").exists() for one in ("cage", "chromium"))
        if self.runs and not there and not self._apt(*kiosk.PACKAGES):
            line = f"apt-get install -y {' '.join(kiosk.PACKAGES)}"
            raise UsageError(f"a screen needs cage and chromium, and apt does not get them: {line}")
        settings = tomllib.loads(bundle.files[f"{self.role}.toml"].decode())
        kind: type[TableConfig | ClockConfig] = TableConfig if self.role == "table" else ClockConfig
        web = of_document(settings, kind).web
        address = kiosk.origin(web, self.name, bundle.label.domain)
        authority = bundle.files.get("ca.crt", b"") if web.cert else b""
        self._write(kiosk.POLICY, kiosk.policy(address, authority))
        shown = kiosk.KIOSKS / f"{self.name}.url"
        if self.role == "table":
            shown = self.data / f"{self.name}.kiosk-link"
        else:
            self._write(shown, f"{address}/clock\n".encode())
        self._write(kiosk.KIOSKS / self.name, f"{shown}\n".encode())

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


def roles_here(root: Path = Path("/")) -> list[Machine]:
    """The roles that were installed on this machine, the broker and the station first."""
    found = []
    for role in ("broker", "station", *(one for one in ROLES if one not in ("broker", "station"))):
        if role == "broker":
            names = ["broker"] if (root / BROKER_ETC.relative_to("/") / "mosquitto.conf").exists() else []
        else:
            names = sorted(path.parent.name for path in (root / ETC.relative_to("/")).glob(f"*/{role}.toml"))
        shown = root / kiosk.KIOSKS.relative_to("/")
        found += [Machine(name, role, root=root, screen=(shown / name).exists()) for name in names]
    return found
