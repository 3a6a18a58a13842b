"""`python -m feltwire.tools.describe`: writes the documents of the wire from the code.

`docs/messages.schema.json` (JSON Schema of every message) and `docs/topics.asyncapi.json` (AsyncAPI 3.0: who
sends what where). A test fails when code and documents part.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import msgspec

from feltwire.runtime.certificates.expiry import CertificateExpiry
from table_core import messages
from table_core.messages import schema_hash, schema_of

DOCS = Path(__file__).resolve().parents[2] / "docs"


@dataclass(frozen=True)
class Topic:
    """One MQTT topic: what travels on it, who writes and who reads it."""

    name: str
    address: str
    message: type
    writer: str
    readers: str
    retained: bool = False
    text: str = ""


@dataclass(frozen=True)
class DeviceHealth:
    state: messages.DeviceState
    detail: str


_TABLE = "fw/{venue}/table/{table}"
_TOURNAMENT = "fw/{venue}/tournament"
TOPICS = (
    Topic("event", f"{_TABLE}/event", messages.Envelope, "table", "everyone",
          text="The table's public events in order; `seq` counts from 1 in each `epoch`."),
    Topic("state", f"{_TABLE}/state", messages.TableState, "table", "everyone", True,
          "Public snapshot with `as_of` seq."),
    Topic("birth", f"{_TABLE}/birth", messages.Birth, "table", "station",
          text="Which machine this is and how far; the station answers on `grant`."),
    Topic("handover", f"{_TABLE}/handover", messages.HistoryWanted, "table", "station",
          text="A machine that takes the table over asks for its history; answered on `grant`."),
    Topic("status", f"{_TABLE}/status", messages.Status, "table", "station", True,
          "Its will says offline."),
    Topic("device", f"{_TABLE}/device/{{name}}", DeviceHealth, "table", "station", True),
    Topic("sealed", f"{_TABLE}/sealed", messages.SealedCard, "table", "relay",
          text="Boxes that only the relay opens; sent until `sealed/ack`."),
    Topic("sealedAck", f"{_TABLE}/sealed/ack", messages.Ack, "relay", "table"),
    Topic("ruling", f"{_TABLE}/ruling", messages.OpenRuling, "table", "station",
          text="The incident that is open at the table: nobody else hears of it before it is ruled on."),
    Topic("presses", f"{_TABLE}/presses", messages.LastPresses, "table", "station",
          text="What the dealer pressed last, and which events came of it; for the director's page."),
    Topic("health", f"{_TABLE}/health", messages.TableHealth, "table", "station",
          text="What was counted and measured of the table's devices and its machine."),
    Topic("picture", f"{_TABLE}/picture", messages.CameraPicture, "table", "station",
          text="Answers `take_picture`: what everybody may see of the table; for the director's page."),
    Topic("clip", f"{_TABLE}/clip", messages.ClipPart, "table", "station",
          text="Answers `open_clip`: segments of the camera's last minutes that only the station's key opens."),
    Topic("screens", f"{_TABLE}/screens", messages.TableScreens, "table", "station",
          text="Browsers that ask to be the table's keypad, and those that were let in; for the director's page."),
    Topic("resend", f"{_TABLE}/resend", messages.Resend, "relay", "table",
          text="The relay missed events, or an `ack` of them; the table sends them again on `event`."),
    Topic("command", f"{_TABLE}/command", messages.TableCommand, "station", "table",
          text="Answered by an event or a refusal that cites the id."),
    Topic("grant", f"{_TABLE}/grant", messages.Grant, "station", "table",
          text="Who is the table; pages of `History` for a machine that takes it over; `answer_screen`. "
               "No director writes here."),
    Topic("ack", f"{_TABLE}/ack", messages.Ack, "station", "table, relay",
          text="Highest contiguous seq that the station has committed; no hand is released before its end is."),
    Topic("clock", f"{_TOURNAMENT}/clock", messages.ClockState, "station", "everyone", True),
    Topic("field", f"{_TOURNAMENT}/field", messages.TournamentField, "station", "relay, displays", True,
          "Who is left and who is out, by name, with stacks, places and prizes: for walls and on air."),
    Topic("look", f"{_TOURNAMENT}/look", messages.RoomLook, "station", "everyone", True,
          "The venue's look: colours, pictures, and what the walls show."),
    Topic("charge", f"{_TOURNAMENT}/charge/{{table}}", messages.TableLeaseholder, "station", "relay", True,
          "Which machine is and was the table, and what it signs with: the relay follows nobody else."),
    Topic("beat", f"{_TOURNAMENT}/beat", messages.Beat, "station", "displays",
          text="Once a second: the station's boot time, for offset estimates."),
    Topic("tableBeat", f"{_TABLE}/beat", messages.TableBeat, "table", "station",
          text="The table's answer to each beat of the station; without one for three seconds it is stale."),
    Topic("program", f"{_TABLE}/program", messages.Program, "table", "station",
          text="Which program it runs. A message that every version reads."),
    Topic("processProgram", "fw/{venue}/process/{name}/program", messages.Program, "other processes", "station",
          text="Which program it runs. A message that every version reads."),
    Topic("processStatus", "fw/{venue}/process/{name}/status", messages.Status, "other processes", "station",
          True,
          "That there is such a process; the broker says it is offline when the connection ends."),
    Topic("processBeat", "fw/{venue}/process/{name}/beat", messages.Beat, "other processes", "station",
          text="Each beat of the station, said back; without one for three seconds the station says so."),
    Topic("air", "fw/{venue}/process/relay/air", messages.AirDelay, "relay", "delay box", True,
          "How far what is on air lies back: the delay box holds the video back as long."),
    Topic("upgrade", f"{_TOURNAMENT}/upgrade", messages.UpgradeOrder, "station", "every machine",
          text="A release for one machine, or the way back. A message that every version reads."),
    Topic("revoked", f"{_TOURNAMENT}/revoked", str, "station", "every device", True,
          "The revocation list (PEM). Only the venue's authority signs one; an older one is not taken."),
    Topic("expiry", "fw/{venue}/expiry/{name}", CertificateExpiry, "every device", "station", True,
          "Which of its certificates ends first, and when."),
    Topic("overlay", "fw/{venue}/overlay/{feed}", messages.OverlayView, "relay", "overlays", True,
          "The delayed public feed."),
)  # fmt: skip


def message_types() -> list[type]:
    """Every struct that travels: events, commands, observations, views."""
    found = [kind for kind in vars(messages).values() if isinstance(kind, type)]
    abstract = {messages.Frozen, messages.Message, messages.Observation, messages.HandCommand}
    abstract |= {messages.Event, messages.TableCommand}
    return [
        kind
        for kind in found
        if issubclass(kind, msgspec.Struct)
        and kind.__module__.startswith(f"{messages.__name__}.")
        and kind not in abstract
    ]


def json_schema() -> dict[str, Any]:
    _, components = msgspec.json.schema_components(message_types(), schema_hook=schema_of)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"feltwire-messages-{schema_hash()}",
        "$defs": dict(sorted(components.items())),
    }


def asyncapi() -> dict[str, Any]:
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Feltwire",
            "version": f"v{messages.MESSAGES_VERSION}, schema {schema_hash()}",
            "description": "MQTT 3.1.1, QoS 1. Nothing depends on retained messages for correctness.",
        },
        "defaultContentType": "application/json",
        "channels": {topic.name: _channel(topic) for topic in TOPICS},
        "operations": {
            f"send_{topic.name}": {
                "action": "send",
                "channel": {"$ref": f"#/channels/{topic.name}"},
                "summary": f"{topic.writer} to {topic.readers}. {topic.text}".strip(),
            }
            for topic in TOPICS
        },
    }


def _channel(topic: Topic) -> dict[str, Any]:
    commands = get_args(messages.AnyTableCommand)
    kinds = list(commands) if topic.message is messages.TableCommand else [topic.message]
    parameters = [part[1:-1] for part in topic.address.split("/") if part.startswith("{")]
    return {
        "address": topic.address,
        "parameters": {name: {"description": name} for name in parameters},
        "bindings": {"mqtt": {"qos": 1, "retain": topic.retained}},
        "messages": {
            kind.__name__: {"payload": {"$ref": f"messages.schema.json#/$defs/{kind.__name__}"}}
            if kind.__module__.startswith(f"{messages.__name__}.")
            else {"payload": _inline(kind)}
            for kind in kinds
        },
    }


def _inline(kind: type) -> dict[str, Any]:
    """The schema of what is no message of `table_core`."""
    schema = msgspec.json.schema(kind, schema_hook=schema_of)
    return dict(schema.get("$defs", {}).get(kind.__name__, schema))


def documents() -> dict[str, str]:
    """File name in `docs/` -> text."""
    return {
        "messages.schema.json": json.dumps(json_schema(), indent=1) + "\n",
        "topics.asyncapi.json": json.dumps(asyncapi(), indent=1) + "\n",
    }


def main() -> int:
    for name, text in documents().items():
        (DOCS / name).write_text(text)
        print(f"docs/{name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
