"""Each alert rule with figures at which it is silent and figures at which it fires, for `promtool test rules`."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

RULES = Path(__file__).parents[1] / "feltwire/deploy/prometheus/feltwire-alerts.yml"
HERE = {"job": "feltwire", "instance": "hall"}  # the labels that Prometheus gives to each figure


@dataclass(frozen=True)
class Case:
    """`series`: a figure with its labels -> values each 15 s, `VALUExTIMES` as promtool writes them. The alert is
    silent `silent_at` and fires at the end, with these labels beside the severity."""

    series: dict[str, str]
    labels: dict[str, str] = field(default_factory=lambda: dict(HERE))
    silent_at: str = "70m"
    value: str = ""


def _one(name: str, good: str, bad: str, **more: str) -> Case:
    """A figure that is good for longer than any rule waits, and then bad for as long."""
    labels = HERE | more
    text = ",".join(f'{key}="{value}"' for key, value in labels.items())
    return Case({f"{name}{{{text}}}": f"{good}x280 {bad}x440"}, labels, value=bad)


def _with(case: Case, **series: str) -> Case:
    others = {f'{name}{{job="feltwire",instance="hall"}}': f"{value}x720" for name, value in series.items()}
    return Case(case.series | others, case.labels, case.silent_at, case.value)


CASES: dict[str, Case] = {
    "FeltwireProcessAway": _one("up", "1", "0"),
    "FeltwireProcessHangs": _one("feltwire_beat_age_seconds", "1", "16"),
    "FeltwireNoTable": _with(_one("feltwire_tables_connected", "2", "0"), feltwire_tables="2"),
    "FeltwireTableAway": _with(
        _one("feltwire_table_connected", "1", "0", table="01"), feltwire_tables_connected="1"
    ),
    "FeltwireBrokerAway": _one("feltwire_broker_connected", "1", "0"),
    "FeltwireBrokerComesAndGoes": Case(
        {'feltwire_broker_losses_total{job="feltwire",instance="hall"}': "0x280 0+1x440"}
    ),
    "FeltwireNothingRecorded": _one("feltwire_disk_refuses", "0", "1"),
    "FeltwireDiskFillsUp": _one("feltwire_disk_free_megabytes", "1000", "999"),
    "FeltwireDiskSlow": _one("feltwire_disk_sync_seconds", "1", "1.5"),
    "FeltwireBackupFailed": _one("feltwire_backup_failed", "0", "1"),
    "FeltwireBackupLate": _one("feltwire_backup_age_seconds", "70", "901"),
    "FeltwireDeviceAway": _one("feltwire_device_works", "1", "0", device="shoe"),
    "FeltwireEventsWait": _with(_one("feltwire_outbox_events", "0", "3"), feltwire_broker_connected="1"),
    "FeltwireInputsWait": _one("feltwire_inputs_waiting", "1000", "1001"),
    "FeltwireFault": Case({'feltwire_faults_total{job="feltwire",instance="hall"}': "0x680 1x60"}),
    "FeltwirePartLeftOut": _one("feltwire_failed_lives", "0", "1"),
    "FeltwireVersionsDiffer": Case(
        {
            'feltwire_program_info{job="feltwire",instance="a",version="1"}': "1x720",
            'feltwire_program_info{job="feltwire",instance="b",version="2"}': "_x280 1x440",
        },
        {},
        value="2",
    ),
    "FeltwireDescriptors": _with(_one("process_open_fds", "80", "81"), process_max_fds="100"),
    "FeltwireVideoEnds": _with(_one("feltwire_delay_source_up", "1", "0"), feltwire_delay_picture="1"),
    "FeltwireVideoStuck": _with(_one("feltwire_delay_output_up", "1", "0"), feltwire_delay_source_up="1"),
    "FeltwireVideoBlack": _with(_one("feltwire_delay_seconds", "1800", "_"), feltwire_delay_source_up="1"),
    "FeltwireVideoLost": Case({'feltwire_delay_lost_total{job="feltwire",instance="hall"}': "0x680 1x60"}),
}
END = "175m"


def rules() -> dict[str, dict[str, Any]]:
    """Name -> the rule."""
    groups = yaml.safe_load(RULES.read_text("utf-8"))["groups"]
    return {rule["alert"]: rule for group in groups for rule in group["rules"]}


def _test(name: str, case: Case, rule: dict[str, Any]) -> dict[str, Any]:
    def filled(text: str) -> str:
        text = re.sub(r"\{\{ \$labels\.(\w+) \}\}", lambda found: case.labels[found[1]], text)
        return text.replace("{{ $value }}", case.value)

    fires = {
        "exp_labels": case.labels | rule["labels"],
        "exp_annotations": {key: filled(text) for key, text in rule["annotations"].items()},
    }
    return {
        "interval": "15s",
        "input_series": [{"series": series, "values": values} for series, values in case.series.items()],
        "alert_rule_test": [
            {"eval_time": case.silent_at, "alertname": name, "exp_alerts": []},
            {"eval_time": END, "alertname": name, "exp_alerts": [fires]},
        ],
    }


def faults_of_rules(promtool: str, folder: Path) -> str:
    """What promtool says where a rule does not fire, or fires when it should not; empty where all hold."""
    tests = [_test(name, CASES[name], rule) for name, rule in rules().items()]
    file = folder / "alerts.yml"
    file.write_text(yaml.safe_dump({"rule_files": [str(RULES)], "evaluation_interval": "15s", "tests": tests}))
    done = subprocess.run((promtool, "test", "rules", file), capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else done.stdout + done.stderr
