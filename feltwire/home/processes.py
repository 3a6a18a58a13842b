"""The processes of a room on one machine, and which broker it has."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence

from feltwire.home.files import settings_file
from feltwire.home.plan import HomePlan
from feltwire.private_files import python
from feltwire.runtime.children import ChildSpec
from feltwire.tools.provision.access import CLOCK, STATION, table_name

BROKER = "broker"
HANGS_AFTER_S = 60.0  # as systemd waits in a venue
LONGEST_BACKOFF_S = 30.0


def mosquitto() -> str:
    """The program mosquitto where it is installed; Debian has it where only root looks."""
    return shutil.which("mosquitto", path=f"{os.environ.get('PATH', os.defpath)}:/usr/sbin") or ""


def watched(plan: HomePlan) -> dict[str, str]:
    """Name -> command of the processes that say when they are ready."""
    return {STATION: "station", CLOCK: "clock"} | {table_name(table): "table" for table in plan.tables}


def children(plan: HomePlan) -> Sequence[ChildSpec]:
    """Every process of the room, in the order in which they start."""
    return [
        _broker(plan),
        *(
            ChildSpec(
                name=name,
                argv=python("feltwire", command, "--config", str(settings_file(plan, name))),
                log_file=plan.logs / f"{name}.log",
                longest_backoff_s=LONGEST_BACKOFF_S,
                hangs_after_s=HANGS_AFTER_S,
            )
            for name, command in watched(plan).items()
        ),
    ]


def _broker(plan: HomePlan) -> ChildSpec:
    """Either is told a port and where its files are: no password is on a command line."""
    files = plan.broker_files
    embedded = python(
        "feltwire.runtime.broker.embedded",
        *(
            "--port",
            str(plan.broker_port),
            "--passwords",
            str(files / "passwords"),
            "--access",
            str(files / "acl"),
        ),
    )
    return ChildSpec(
        name=BROKER,
        argv=(plan.mosquitto, "-c", str(files / "mosquitto.conf")) if plan.mosquitto else embedded,
        log_file=plan.logs / f"{BROKER}.log",
        talks=not plan.mosquitto,  # the embedded one ends when its stdin closes
        longest_backoff_s=LONGEST_BACKOFF_S,
        stops_last=True,
    )
