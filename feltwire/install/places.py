"""Where things lie on a machine of a venue; a role has a folder of its own in each, named as its device."""

from __future__ import annotations

from pathlib import Path

PROGRAM = Path("/opt/feltwire/current")  # a link to the version that runs
ETC = Path("/etc/feltwire")
OBS_ETC = ETC / "obs"  # of the service that switches scenes of OBS
BROKER_ETC = Path("/etc/mosquitto/feltwire")
DATA = Path("/var/lib/feltwire")
BACKUPS = Path("/var/backups/feltwire")
UNITS = Path("/etc/systemd/system")
RELEASE_KEYS = ETC / "release.pub"
FOR_THE_ROOM = Path("upgrade/for-the-room.pyz")  # in the station's data: what it sends to machines
UPGRADES = Path("/var/lib/feltwire-upgrade")  # what became of the last upgrade
