"""Where the commands of each page are typed, and which of them another test types, or none.

`HERE` is a folder with the repository, `CLONE` a clone of it, `MACHINE` a machine of a venue with all roles.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Where(StrEnum):
    HERE = "here"
    CLONE = "a clone"
    MACHINE = "a machine"


@dataclass(frozen=True)
class Page:
    """Keys of `elsewhere` (-> the test that types it), `not_typed` (-> why not) and `serves` (-> what it says once
    it works; then comes Ctrl-C) are beginnings of commands. `before`: makes the files that the page speaks of.
    `instead`: what a reader replaces, and figures of long proofs that are cut. `alone`: each command has a network
    of its own, where its ports are free. `quick`: `make test` types the page."""

    where: Where = Where.HERE
    before: str = ""
    elsewhere: Mapping[str, str] = field(default_factory=dict)
    not_typed: Mapping[str, str] = field(default_factory=dict)
    serves: Mapping[str, str] = field(default_factory=dict)
    instead: Mapping[str, str] = field(default_factory=dict)
    alone: bool = False
    quick: bool = False


CI = "it is what CI runs"
PICO = "it wants a Pico at this machine; the files that it copies are checked in tests/firmware_bridge/pico"
CARD = "it wants an image of Raspberry Pi OS; tests.images writes into a root of Debian"
IMAGES = "tests/images.py"
TWELVE = "tests/room/bare/__main__.py"
PROGRAM = "/opt/feltwire/current/bin/feltwire"
SHOE = "tests/feltwire/tools/test_deck.py"
WALK = "tests/room/venue/__main__.py"
PLAYED = "feltwire demo --headless --tables 1 --hands 2 --seed 7 --port $PORT --room friday"
OPEN = "http://127.0.0.1"
AS_USER = {"sudo -u feltwire": "runuser -u feltwire --"}
KEY = "$(journalctl -u feltwire-station@station -o cat | grep -oE '[0-9a-f]{64}' | head -n 1)"
PROCESSES = ("station", "table-01", "clock", "relay")

PAGES: Mapping[str, Page] = {
    "README.md": Page(
        Where.CLONE,
        serves={"make room": OPEN, "make demo": OPEN},
        not_typed={"make test": CI},
        instead={"sudo ": ""},
    ),
    "docs/air.md": Page(
        instead={"--into pictures": "--only neon-stats --into pictures", "--minutes 480": "--minutes 1"},
    ),
    "docs/brokers.md": Page(instead={"--tables 200 500": "--tables 2 --seconds 2"}),
    "docs/delay-box.md": Page(
        not_typed={
            "feltwire delay measure": "it wants a camera; tests/feltwire/delay_box/test_filmed_clock.py has a clip"
        }
    ),
    "docs/demo.md": Page(
        Where.CLONE,
        before="make .venv/.installed",
        alone=True,
        serves={
            "make demo": OPEN,
            "mosquitto": OPEN,
            ".venv/bin/feltwire demo --night": OPEN,
        },
        instead={
            ".venv/bin/feltwire demo --broker": "mosquitto -p 1883 & .venv/bin/feltwire demo --broker",
            "demo --night --headless": "demo --headless --night",
            "--hands 30": "--hands 3",
        },
    ),
    "docs/developers.md": Page(
        elsewhere={"make site": "tests/site/test_site.py"},
        not_typed={"make check": CI, "make test": CI},
        serves={".venv/bin/feltwire docs": OPEN},
    ),
    "docs/drivers.md": Page(elsewhere={"": "tests/firmware_bridge/drivers/test_document.py"}),
    "docs/faults.md": Page(
        not_typed={"python -m tests.faults measure": "it writes tests/faults/rates.toml anew"},
        instead={
            "--hands 10000 --seed 4": "--hands 20 --seed 1",  # of so few, one fault missed is too many
            "--hands 500": "--hands 20",
            "--keep look": "--keep $HOME/look",  # else beside the repository's files
            "--rendered 500": "--rendered 0",
            "--only 9222": "--only 12",
        },
    ),
    "docs/broadcast.md": Page(elsewhere={"feltwire audit": "tests/feltwire/relay/test_producer_process.py"}),
    "docs/graphics-systems.md": Page(
        elsewhere={
            "feltwire obs": "tests/feltwire/relay/test_obs_studio.py",
            "python -m tests.display.template.ograf_schema": "tests/display/template/test_ograf.py",
        },
    ),
    "docs/coverage.md": Page(
        elsewhere={
            "feltwire coverage": "tests/feltwire/tools/test_coverage_export.py",
            "feltwire hands": "tests/display/test_feed_pages.py",
        },
    ),
    "docs/feeds.md": Page(elsewhere={"feltwire hands": "tests/display/test_feed_pages.py"}),
    "docs/hidden-cards.md": Page(instead={"--hands 200": "--hands 2", "--hands 1000": "--hands 4"}),
    "docs/histories.md": Page(before=f"{PLAYED}; cp -r friday/data data", quick=True),
    "docs/home.md": Page(elsewhere={"": "tests/feltwire/home/test_page.py"}),
    "docs/players-phone.md": Page(
        instead={"--phones 300 --tables 40": "--phones 6 --tables 2 --seconds 4 --browsers 0"}
    ),
    "docs/images.md": Page(
        elsewhere={
            "podman build": IMAGES,
            "feltwire/deploy/image/write-card": IMAGES,
        },
        not_typed={
            "make dist": "tests/feltwire/test_package.py builds the same",
            "apt-get install -y qemu": CARD,
            "xz": CARD,
            "losetup": CARD,
            "mount": CARD,
            "umount": CARD,
        },
    ),
    "docs/mutation.md": Page(
        instead={
            "tests.mutation": "tests.mutation --limit 1 --results mutation.jsonl",
            "--limit 0 --shard 2/8": "--limit 2 --shard 2/2",
        },
    ),
    "docs/operation.md": Page(
        Where.MACHINE,
        before="cp hall/ca.crt ca.crt; openssl rand -hex 24 > metrics.token",
    ),
    "docs/scenario.md": Page(
        instead={"tests/scenarios/wfp": "tests/scenarios/base", "FILE": "tests/scenarios/base/*.txt"}, quick=True
    ),
    "docs/storage.md": Page(
        Where.MACHINE,
        before="cp hall/ca.crt ca.crt; "
        + "for role in station table-01; do feltwire backup /var/lib/feltwire/$role --to saved-$role; done; "
        + "cp saved-*/*/*.ledger .",
        instead=AS_USER
        | {
            "3f2a…": KEY,
            "feltwire-2026-11-24T19-30-05.120000Z": "$(ls /var/backups/feltwire/station | tail -n 1)",
        },
    ),
    "docs/survival.md": Page(
        instead={
            "--limit 1000": "--limit 5",
            "--each 120": "--each 1",
            "--times 20": "--times 1",
            "--count 200": "--count 1",
            "--count 20000": "--count 4",
            "--count 10000": "--count 5",
            "tests.room.network": "tests.room.network --facts --backlog 50 --trials node",
            "--hands 20": "--hands 1",
        },
    ),
    "docs/pages.md": Page(
        not_typed={"echo 2400": "a relay reads it: tests/feltwire/relay/test_timeline.py has its texts"}
    ),
    "docs/tournament.md": Page(
        instead={
            "tests.people": "tests.people --count 100 --pairs 50",
            "tests.tournaments.cost": "tests.tournaments.cost 11",
        }
    ),
    "docs/troubleshooting.md": Page(Where.MACHINE, instead=AS_USER),
    "docs/upgrade.md": Page(
        elsewhere={f"{PROGRAM} upgrade --for-the-room": "tests/feltwire/station/test_room_release.py"},
        not_typed={"": "tests.room.upgrade does all of it on a bare Debian, with a release of its own"},
    ),
    "docs/venue.md": Page(
        Where.MACHINE,
        elsewhere={
            "python3 feltwire-": TWELVE,
            "scp": TWELVE,
            "ssh": TWELVE,
            "apt-get install -y python3-venv": WALK,
            "python3 -m venv": WALK,
            "/opt/feltwire/dev/bin/pip": WALK,
            "feltwire provision bundles": WALK,
            "apt-get install -y mosquitto": WALK,
            "feltwire install": WALK,
            "mkdir -p /etc/chromium": WALK,
            "printf": WALK,
            "feltwire deck": SHOE,
            "feltwire vision calibrate": "tests/vision/camera/test_several_cameras.py",
        },
        before=PLAYED.replace("$PORT", "8300"),
        serves=dict.fromkeys(
            ("feltwire station", "feltwire table", "feltwire clock", "feltwire relay"), "Feltwire"
        ),
        instead=AS_USER | {f"--config {name}.toml": f"--config friday/{name}.toml" for name in PROCESSES},
    ),
    "docs/versions.md": Page(quick=True),
    "docs/vision-objects.md": Page(elsewhere={"": "tests/vision/test_deck.py"}),
    "docs/vision.md": Page(
        elsewhere={
            "feltwire vision lens": "tests/vision/camera/test_calibrate.py",
            "feltwire vision calibrate": "tests/vision/camera/test_calibrate.py",
            "feltwire vision enrol": "tests/vision/chips/test_chips_command.py",
            "feltwire vision chips": "tests/vision/chips/test_chips_command.py",
            "feltwire vision score photos/ --worse": "tests/vision/test_worse.py",
            "feltwire vision score photos/": "tests/vision/test_photos.py",
            "feltwire vision cards": "tests/vision/test_photos.py",
        },
        instead={"--rendered-chips 4000": "--rendered-chips 4", "--rendered 20000": "--rendered 16"},
    ),
    "docs/workload.md": Page(
        instead={
            "tests.workload": "tests.workload --hours 0.05",
            "--seed d --limit 10": "--seed d --limit 1",
            "--hours 1": "",
            "--self-dealt 200": "--self-dealt 2",
        }
    ),
    "feltwire/deploy/mosquitto/README.md": Page(elsewhere={"": WALK}),
    "hardware/README.md": Page(
        Where.MACHINE,
        instead=AS_USER,
        elsewhere={"feltwire device test": "tests/feltwire/tools/test_device.py"},
        not_typed={
            "make -C hardware": "it fetches 2 GB of CadQuery; the drawings' data is checked in tests/hardware"
        },
    ),
    "hardware/firmware/README.md": Page(
        not_typed={".venv/bin/mpremote": PICO, ".venv/bin/pip install mpremote": PICO},
        elsewhere={".venv/bin/feltwire device test": "tests/feltwire/tools/test_device.py"},
        quick=True,
    ),
    "tests/spec/README.md": Page(quick=True),
}
