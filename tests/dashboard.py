"""`python -m tests.dashboard`: a real Prometheus reads real processes and answers every query of the dashboard.

It starts a station, a table, a clock and a relay at a broker, and Debian's Prometheus (`apt-get install`, or its
programs in PATH) with the job and the alert rules of feltwire/deploy/prometheus. Prints a query a line; status 1
where one is refused or finds nothing, where a rule cannot be evaluated, or where promtool finds that one fires on
the wrong figures (tests/alerts.py).
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import yaml

from feltwire.lab.demo.broker import EmbeddedBroker
from feltwire.relay.keys import RelayKeys
from tests import alerts
from tests.feltwire.processes import VENUE, Process, clock_settings, station_settings, table_settings
from tests.ports import free_port

DEPLOY = Path(__file__).parents[1] / "feltwire/deploy"
DASHBOARD, JOB = DEPLOY / "grafana/feltwire.json", DEPLOY / "prometheus/feltwire.yml"
PATIENCE_S = 300.0
LOOK_S = 0.5


def queries() -> list[tuple[str, str]]:
    """Title of the panel, expression."""
    panels = json.loads(DASHBOARD.read_text("utf-8"))["panels"]
    return [(panel["title"], target["expr"]) for panel in panels for target in panel["targets"]]


def relay_settings(folder: Path, url: str, port: int) -> str:
    RelayKeys.generate().save(folder / "relay.key")
    top = f'venue = "{VENUE}"\ndata = "{folder / "relay-data"}"\nkey = "{folder / "relay.key"}"\ntables = ["01"]\n'
    return f'{top}delay_s = "60"\n[broker]\nurl = "{url}"\n[web]\nport = {port}\n'


@contextmanager
def processes(folder: Path) -> Iterator[list[int]]:
    """The ports of the pages of one process of each kind."""
    with ExitStack() as stack:
        url = stack.enter_context(EmbeddedBroker(free_port())).url
        ports = [free_port() for _ in range(4)]
        made = {
            "station": station_settings(folder, url, ports[0]),
            "table": table_settings(folder, f'[broker]\nurl = "{url}"\n', ports[1]),
            "clock": clock_settings(url, ports[2]),
            "relay": relay_settings(folder, url, ports[3]),
        }
        for (command, settings), port in zip(made.items(), ports, strict=True):
            stack.enter_context(Process(command, folder, port, settings)).says("connected to the broker")
        yield ports


@contextmanager
def prometheus(program: str, folder: Path, targets: Sequence[int]) -> Iterator[str]:
    """The address of a Prometheus that reads these ports each second."""
    (job,) = yaml.safe_load(JOB.read_text("utf-8"))["scrape_configs"]
    local = {
        "job_name": job["job_name"],
        "static_configs": [{"targets": [f"127.0.0.1:{port}" for port in targets]}],
    }
    config = folder / "prometheus.yml"
    settings = {
        "global": {"scrape_interval": "1s", "evaluation_interval": "1s"},
        "rule_files": [str(alerts.RULES)],
        "scrape_configs": [local],
    }
    config.write_text(yaml.safe_dump(settings))
    port = free_port()
    command = (program, f"--config.file={config}", f"--storage.tsdb.path={folder / 'tsdb'}")
    with (folder / "prometheus.log").open("wb") as log:
        running = subprocess.Popen((*command, f"--web.listen-address=127.0.0.1:{port}"), stdout=log, stderr=log)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        running.terminate()
        running.wait()


def asked(address: str, expression: str) -> dict[str, Any]:
    """What Prometheus answers; `{}` while it starts."""
    try:
        url = f"{address}/api/v1/query?{urllib.parse.urlencode({'query': expression})}"
        with urllib.request.urlopen(url, timeout=PATIENCE_S) as answer:
            return json.load(answer)  # type: ignore[no-any-return]
    except urllib.error.HTTPError as refused:
        return json.load(refused) if refused.code == 400 else {}  # type: ignore[no-any-return]
    except OSError:
        return {}


def found(address: str, expression: str, until: float) -> str:
    """How many values Prometheus has for it, once it has any; else what it says against it."""
    while True:
        answer = asked(address, expression)
        if answer.get("status") == "error":
            return f"refused: {answer['error']}"
        values = answer.get("data", {}).get("result", [])
        if values:
            return f"{len(values)} values"
        if time.monotonic() > until:
            return "refused: nothing found"
        time.sleep(LOOK_S)


def unwell_rules(address: str, until: float) -> list[str]:
    """Rules that the running Prometheus has not evaluated without a fault by then."""
    while True:
        with urllib.request.urlopen(f"{address}/api/v1/rules", timeout=PATIENCE_S) as answer:
            groups = json.load(answer)["data"]["groups"]
        health = {rule["name"]: rule["health"] for group in groups for rule in group["rules"]}
        unwell = [
            f"{name}: {health.get(name, 'not there')}" for name in alerts.rules() if health.get(name) != "ok"
        ]
        if not unwell or time.monotonic() > until:
            return unwell
        time.sleep(LOOK_S)


def main() -> int:
    path = f"{os.environ.get('PATH', '')}:/usr/bin:/usr/sbin"
    program, promtool = shutil.which("prometheus", path=path), shutil.which("promtool", path=path)
    if program is None or promtool is None:
        print("no Prometheus: apt-get install prometheus", file=sys.stderr)
        return 2
    failed = 0
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        address = stack.enter_context(prometheus(program, folder, stack.enter_context(processes(folder))))
        until = time.monotonic() + PATIENCE_S
        for title, expression in queries():
            said = found(address, expression, until)
            failed += said.startswith("refused")
            print(f"{said:<14} {title}: {expression}", flush=True)
        wrong = unwell_rules(address, until)
        if said := alerts.faults_of_rules(promtool, folder):
            wrong.append(said)
    print(*wrong, sep="\n")
    failed += len(wrong)
    print(f"{len(queries())} queries, {len(alerts.rules())} alert rules, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
