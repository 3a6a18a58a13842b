"""What the OGraf specification (version 1) says of a manifest, as a schema in our own words; and a command that
checks the manifest against the published schemas.

The published ones are not kept here: their repository names no licence. They lie at
`https://ograf.ebu.io/v1/specification/json-schemas/`, and under `v1/specification/json-schemas` of its repository.

    python -m tests.display.template.ograf_schema json-schemas
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema_specifications import REGISTRY as SPECIFICATIONS
from referencing import Registry, Resource
from referencing.exceptions import NoSuchResource
from referencing.jsonschema import DRAFT202012

from display.template_pages import HERE

PUBLISHED = "https://ograf.ebu.io/v1/specification/json-schemas"
TEXT = {"type": "string"}
MANIFEST: dict[str, Any] = {
    "type": "object",
    "required": ["$schema", "id", "name", "main", "supportsRealTime", "supportsNonRealTime"],
    "properties": {
        "$schema": {"const": f"{PUBLISHED}/graphics/schema.json"},
        **dict.fromkeys(("id", "version", "name", "description", "main"), TEXT),
        "author": {"type": "object", "required": ["name"], "properties": {"name": TEXT}},
        "supportsRealTime": {"type": "boolean"},
        "supportsNonRealTime": {"type": "boolean"},
        "stepCount": {"type": "integer", "minimum": -1},
        "customActions": {"type": "array"},
        "thumbnails": {"type": "array"},
        "schema": {
            "type": "object",
            "required": ["type", "properties"],
            "properties": {"properties": {"additionalProperties": {"type": "object", "required": ["type"]}}},
        },
        "renderRequirements": {
            "type": "array",
            "items": {
                "type": "object",
                "propertyNames": {"enum": ["resolution", "frameRate", "accessToPublicInternet", "engine"]},
            },
        },
    },
    "patternProperties": {"^v_": True},
    "additionalProperties": False,
}


def checked_by(schema: dict[str, Any], manifest: Any, registry: Registry[Any] | None = None) -> Iterator[str]:
    """What `schema` finds wrong, a text each."""
    validator = Draft202012Validator(schema, registry=registry or Registry())
    for error in validator.iter_errors(manifest):
        yield f"{error.json_path}: {error.message}"


def published(folder: Path) -> tuple[dict[str, Any], Registry[Any]]:
    """The schema of a manifest in a copy of the published folder, and those that it names. Some of them name
    others at an older address, or at their writer's own machine."""

    def retrieve(uri: str) -> Resource[Any]:
        path = folder / re.sub(r"^.*?/(?:json-schemas|gdd-meta-schema/v1)/", "", uri)
        path = path if path.exists() else folder / "gdd" / path.name
        if not path.exists():
            raise NoSuchResource(ref=uri)
        return DRAFT202012.create_resource(json.loads(path.read_text("utf-8")) | {"$id": uri})

    return json.loads((folder / "graphics" / "schema.json").read_text("utf-8")), SPECIFICATIONS.combine(
        Registry(retrieve=retrieve)
    )


def main() -> int:
    parser = argparse.ArgumentParser(description="Checks our OGraf manifest against the published schemas.")
    parser.add_argument("folder", type=Path, help="a copy of v1/specification/json-schemas")
    schema, registry = published(parser.parse_args().folder)
    manifest = json.loads((HERE / "feltwire.ograf.json").read_text("utf-8"))
    wrong = list(checked_by(schema, manifest, registry))
    print("\n".join(wrong) or "the manifest is as the published schemas want it")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
